"""What a complete set of a game holds, as plain counts, so that a set can be checked without its game."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Inventory(msgspec.Struct, frozen=True):
    """How many cards of which kind a set must list, and which values a card may carry."""

    tribes: tuple[str, ...]
    cards_per_tribe: int
    regions_per_tribe: int
    castles: int
    sectors: int
    lowest: int
    highest: int
    symbols: tuple[int, ...]
    symbols_per_card: int


INVENTORIES: Mapping[str, Inventory] = {
    "allies": Inventory(
        tribes=("cyclops", "yeti", "gnome", "wizard", "golem", "troll"),
        cards_per_tribe=25,
        regions_per_tribe=2,
        castles=3,
        sectors=4,
        lowest=1,
        highest=5,
        symbols=(2, 1, -1, -2),
        symbols_per_card=3,
    ),
}
"""By game. Allies: articles AL-01, AL-02, AL-05, AL-08, AL-13, AL-14 and the default of AL-Q22."""
