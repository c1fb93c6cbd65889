"""Villagers, places, penalties and dice of King of the Dice: our own drawings."""

from companion.sets.drawings.king_of_the_dice.cards import draw, size_mm

__all__ = ["draw", "size_mm"]
