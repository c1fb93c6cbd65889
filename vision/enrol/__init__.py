"""Enrolment: cards cut out of photographs, printed glyphs learned from one example each, values proposed."""
