"""What things are called: types of land, characters with their initiative, slots of the mat."""

from __future__ import annotations

SEATS = "ABCDE"
"""Seats count from 0; people write them as letters."""
ROUNDS = 9
HAND = 5
"""How many characters a hand is filled up to (VB-15, VB-32)."""
START_VP = 2
LANDS = 51
"""How many land cards the box holds (VB-02)."""
MOST_SEATS = 5

TYPES = ("meadow", "forest", "mountain", "field", "village", "river")
CHARACTERS = (
    "fighter", "bard", "hunter", "oracle", "carpenter", "falconer",
    "pathfinder", "midwife", "rider", "artisan", "pioneer", "farmer",
)  # fmt: skip
"""In the order of the rulebook; as far as known their initiatives are 1 to 12 in this order (VB-Q15)."""
CLANS = ("bear", "deer", "fox", "owl", "wolf")
"""How the clans are called where a set names none."""

FIRST, SECOND, PLAYED = "F", "S", "C"
"""The rows of the mat: the first row of lands, the second one, and a place for each seat's character."""


def land_slot(row: str, column: int) -> str:
    """Return the slot of a land; columns count from 0."""
    return f"{row}{column + 1}"


def character_slot(seat: int) -> str:
    """Return the slot into which a seat lays its character."""
    return f"{PLAYED}{seat + 1}"
