"""The cards of the duel: tribe cards, region cards and castles, all square."""

from companion.sets.drawings.allies.cards import draw, size_mm

__all__ = ["draw", "size_mm"]
