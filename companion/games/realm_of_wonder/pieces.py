"""What is in the box, and what it is called. What is printed on an owner's cards is in `box.py`."""

from __future__ import annotations

from typing import Literal, get_args

SEATS = "ABCDEF"
"""Seats count from 0; people write them as letters."""

Character = Literal["wizard", "golem", "troll", "yeti", "gnome", "cyclops"]
CHARACTERS: tuple[str, ...] = get_args(Character)
"""The six characters (RW-02). A region and its path are called by the character whose house stands there."""
ICE = "yeti"
"""The Ice region, of which the Yeti's ability speaks (RW-118), is the Yeti's own."""

DISCS = ("middle", "innermost")
"""The two discs that can be turned; each stands in line with one of the six paths (RW-17)."""

SPELLS = (
    "cannon",
    "lightning",
    "plus-three",
    "minus-three",
    "balloon",
    "rune-stone",
    "transfer",
    "wish",
    "submarine",
)
COUNTER = "counter"
MUSCLE = "muscle"
"""A magic card that was played for its muscle; nobody need say which spell stood on it."""
MAGIC = (*SPELLS, COUNTER, MUSCLE)

MONSTERS = {"eye": 1, "vampire": 2, "dragon": 3}
"""Each with what it adds to its roll (RW-150 to RW-152)."""
ORBS = ("orb", "cursed")
TILES = (*ORBS, "teleport", "knight", "potion", "card", "chest", *MONSTERS)
KEPT = (*ORBS, "teleport", "knight", "potion")
"""Tiles that come to lie on the character card when they are revealed."""
PRINTED_TILES = {"orb": 3, "cursed": 2}
"""Of which tiles the rulebook says how many there are (RW-139, RW-140)."""

SPECIALS = ("none", "ability", "magic", "whirlpool", "points")
"""What a movement card does beside moving (RW-46 to RW-49)."""

SIDES = ("movement", "battle")
"""The two sides of a bonus disc (RW-11)."""

MOVEMENT_CARDS, MAGIC_CARDS, TOWER_TILES = 50, 55, 36
FORT_DISCS, BONUS_DISCS = 10, 6
START_POINTS, START_CARDS = 10, 3
HOUSE, WELL, DISC, CARD, EXTRA, JOURNEY, TILE, ROLL, CHOICE = 3, 1, 3, 3, 3, 3, 1, 1, 3
"""What a house and a fortified well bring; what a fort disc, a magic card, an extra point, a vortex
journey, a tower tile, a rolled and a chosen turn of a whirlpool cost.
"""
HIGHEST, STRONGHOLD = 3, 3
"""How high one may build (RW-86), and from where on a fort is a stronghold (RW-88)."""
PURPLE, PURPLE_TWO = "p2", "purple-2"
"""The face of the battle die that is rolled on (RW-99), and what it is called on an enrolled die."""
SPECIAL_POINTS, LIGHTNING = 5, 50
QUESTS = ("forts", "strongholds", "regions", "hoard", "fights", "claim")
"""What a quest counts: fortified wells, strongholds, regions with an own fort, magic points, won
fights; `claim` is one that only the table can see done.
"""
ISLAND = ("island", "castle")
"""Places on the castle island, where there is no map."""
