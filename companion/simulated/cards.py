"""What is printed on the cards, as the people at the simulated table read it.

The box is a stock of facts; who holds which card is the business of `world`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import msgspec

from companion.sets.owner import CardSet

TRIBES = ("cyclops", "yeti", "gnome", "wizard", "golem", "troll")
CASTLE = "castle"


class TribeCard(msgspec.Struct, frozen=True):
    """A tribe card: `sectors` from the weakest to the strongest, `arrow` the sector (1 to 4) that
    the printed arrow marks, `symbols` its rotations (+2, +1, -1, -2).
    """

    key: str
    tribe: str
    sectors: tuple[int, int, int, int]
    arrow: int
    symbols: tuple[int, ...] = ()
    diamond: bool = False
    crown: bool = False


class RegionCard(msgspec.Struct, frozen=True):
    """A region card; `kind` is the tribe it belongs to, or `CASTLE`."""

    key: str
    kind: str


class CardBox(msgspec.Struct, frozen=True, dict=True):
    """Every card of one copy of the game."""

    tribe_cards: tuple[TribeCard, ...]
    region_cards: tuple[RegionCard, ...]

    @cached_property
    def tribe(self) -> Mapping[str, TribeCard]:
        return {card.key: card for card in self.tribe_cards}

    @cached_property
    def region(self) -> Mapping[str, RegionCard]:
        return {card.key: card for card in self.region_cards}


def box_of(cards: CardSet) -> CardBox:
    """Return the box that holds the cards of a set."""
    tribe_cards = [
        TribeCard(
            key,
            card["tribe"],
            _four(card["sectors"]),
            card["arrow"],
            tuple(card["symbols"]),
            card["diamond"],
            card["crown"],
        )
        for key, card in cards.of_kind("tribe").items()
    ]
    region_cards = [RegionCard(key, card["tribe"]) for key, card in cards.of_kind("region").items()]
    return CardBox(tuple(tribe_cards), tuple(region_cards))


def _four(sectors: tuple[int, ...]) -> tuple[int, int, int, int]:
    first, second, third, fourth = sectors
    return first, second, third, fourth
