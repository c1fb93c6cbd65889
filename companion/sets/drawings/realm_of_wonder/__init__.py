"""Movement cards, magic cards, quests and tower tiles of Realm of Wonder: our own drawings."""

from companion.sets.drawings.realm_of_wonder.cards import draw, size_mm

__all__ = ["draw", "size_mm"]
