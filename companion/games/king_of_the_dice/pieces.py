"""What things are called: kinds of villagers, places, slots of the mat, faces of the dice."""

from __future__ import annotations

SEATS = "ABCDE"
"""Seats count from 0; people write them as letters."""
COLUMNS = 5
DICE = 6
ROLLS = 3
"""How often the dice may be rolled in a turn (KD-14); once more with elves on top (KD-41)."""
KINDS = ("rich", "orc", "elves", "mushroom", "dwarf", "apprentice", "gnome", "fairy", "hypnotist", "dragon")
"""The ten kinds of villagers, in the order of the overview."""
PLACES = ("city", "mine", "workshops", "orc village", "troll forest")
"""The five places from left to right (KD-07)."""
PIPS = tuple("123456")

DRAW_PILE = "S1"
"""The slot of the face-down villagers."""


def place_slot(column: int) -> str:
    """Return the slot of a place stack; columns count from 0."""
    return f"P{column + 1}"


def villager_slot(column: int) -> str:
    """Return the slot of an open villager, under the place of the same column."""
    return f"V{column + 1}"


def colour(face: str) -> str:
    """Return the colour of a die's face: `red` of `red-3`."""
    return face.rpartition("-")[0]


def number(face: str) -> str:
    """Return the number of a die's face: `3` of `red-3`."""
    return face.rpartition("-")[2]
