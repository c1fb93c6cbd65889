"""Lands and characters of Vaalbara: our own drawings, cards of 44 by 67 mm."""

from companion.sets.drawings.vaalbara.cards import draw, size_mm

__all__ = ["draw", "size_mm"]
