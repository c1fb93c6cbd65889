"""Figures: every number in the README is printed from here, with the machine it was measured on."""
