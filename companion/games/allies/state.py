"""What the table of an Allies duel shows: two rows of tribe cards, a middle row of region cards.

Seats are 0 and 1, written A and B; columns count from 0 here and from 1 in slots (`A1` to `B5`,
`R1` to `R5` for the middle row). Row B lies at the mat's top edge, row A at its bottom edge.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

import msgspec

from companion.kernel import UNKNOWN, Unknown
from companion.kernel.effects import State

COLUMNS = 5
ROUNDS = 4
BASE_HAND = 5
SEATS = "AB"
TRIBES = ("cyclops", "yeti", "gnome", "wizard", "golem", "troll")
CASTLE = "castle"

Symbol = Literal[-2, -1, 1, 2]
"""A rotation printed on a card: positive strengthens (counter-clockwise), negative weakens."""


class TribeCard(msgspec.Struct, frozen=True):
    """A tribe card's printed face (AL-05 to AL-10).

    `sectors` are its four values from the weakest sector to the strongest; the barrier lies between
    the last and the first. `arrow` is the sector (1 to 4) that faces the middle when the card is
    laid. What nobody has stated is UNKNOWN.
    """

    key: str
    tribe: str | Unknown = UNKNOWN
    sectors: tuple[int | Unknown, ...] = (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
    arrow: int | Unknown = UNKNOWN
    symbols: tuple[int, ...] = ()
    diamond: bool = False
    crown: bool = False
    crown_sector: int | Unknown = UNKNOWN
    """The sector the crown is printed in; matters only where crowns belong to a sector (AL-Q02)."""

    @property
    def ability(self) -> str:
        """The character whose ability the diamond switches on (AL-78), empty without a diamond."""
        return self.tribe if self.diamond and isinstance(self.tribe, str) else ""


class Laid(msgspec.Struct, frozen=True):
    """A tribe card in a row. `facing` is the sector (1 to 4) towards the middle row."""

    card: TribeCard
    facing: int | Unknown = UNKNOWN
    stated: int | Unknown = UNKNOWN
    """The value the table read out because the card's face is not enrolled."""

    @property
    def value(self) -> int | Unknown:
        """The value in the sector that faces the region card (AL-58)."""
        if self.stated is not UNKNOWN or self.facing is UNKNOWN:
            return self.stated
        return self.card.sectors[self.facing - 1]


class Region(msgspec.Struct, frozen=True):
    """A region card in the middle row. `arrow` is +1 towards seat A, -1 towards seat B, 0 sideways."""

    key: str
    arrow: int = 0


class Won(msgspec.Struct, frozen=True):
    """A region card in a winning pile and the round in which it was won."""

    key: str
    round: int


class Box:
    """The cards of the set on the table: tribe cards by key, region cards' tribes by key.

    Shared by all positions of a game and never changed. `stated` are cards that are in no set: a
    document states them.
    """

    def __init__(
        self, cards: Mapping[str, TribeCard], regions: Mapping[str, str], stated: Mapping[str, TribeCard] | None = None
    ) -> None:
        self.stated = dict(stated or {})
        self.cards = {**cards, **self.stated}
        self.regions = dict(regions)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Box) and self.cards == other.cards and self.regions == other.regions)

    def __hash__(self) -> int:
        return hash((len(self.cards), len(self.regions)))

    @cached_property
    def by_tribe(self) -> dict[str, tuple[str, ...]]:
        """Card keys of each tribe, in the set's order."""
        tribes: dict[str, list[str]] = {}
        for key, card in self.cards.items():
            tribes.setdefault(str(card.tribe), []).append(key)
        return {tribe: tuple(keys) for tribe, keys in tribes.items()}

    @cached_property
    def by_ability(self) -> dict[str, frozenset[str]]:
        """Keys of the cards whose diamond switches on each ability (AL-78)."""
        abilities = {card.ability for card in self.cards.values()} - {""}
        return {
            ability: frozenset(key for key, card in self.cards.items() if card.ability == ability)
            for ability in abilities
        }

    def kind(self, region: str) -> str:
        """The tribe of a region card, or `castle` (AL-11, AL-13). Unlisted keys name their tribe."""
        return self.regions.get(region, region)


Row = tuple[Laid | None, ...]
EMPTY_ROW: Row = (None,) * COLUMNS


class Duel(State, frozen=True):
    """Everything the rules need to know of the table."""

    options: Mapping[str, str]
    box: Box
    tribes: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """Each seat's tribes as far as stated or seen (AL-22)."""
    rows: tuple[Row, Row] = (EMPTY_ROW, EMPTY_ROW)
    regions: tuple[Region | None, ...] = (None,) * COLUMNS
    region_deck: int | Unknown = UNKNOWN
    piles: tuple[tuple[Won, ...], tuple[Won, ...]] = ((), ())
    maximum: tuple[int | Unknown, int | Unknown] = (UNKNOWN, UNKNOWN)
    raised: tuple[int, int] = (0, 0)
    """How much Wizards raised each maximum in this round (AL-88)."""
    hands: tuple[int | Unknown, int | Unknown] = (UNKNOWN, UNKNOWN)
    decks: tuple[int | Unknown, int | Unknown] = (UNKNOWN, UNKNOWN)
    discards: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """Keys of the discarded cards that were seen in a row."""
    unseen: tuple[int | Unknown, int | Unknown] = (0, 0)
    """How many more cards lie in each discard pile, put there from the hand unseen."""
    removed: tuple[str, ...] = ()
    gone: frozenset[str] = frozenset()
    """Keys of the cards that can be in nobody's hand or deck: they lie face up or are out."""
    round: int = 1
    turn: int = 0
    """Turns finished in this round, 0 to 10."""
    starter: int | Unknown = UNKNOWN

    @property
    def seat(self) -> int | Unknown:
        """Whose turn it is (AL-36); UNKNOWN while nobody has said who starts (AL-28)."""
        return UNKNOWN if self.starter is UNKNOWN else (self.starter + self.turn) % 2

    def owns(self, seat: int, region: str) -> bool:
        """Return whether a region card belongs to one of the seat's tribes (AL-11)."""
        return self.box.kind(region) in self.tribes[seat]

    def won(self, seat: int, round_: int) -> tuple[str, ...]:
        """Keys of the region cards that `seat` won in `round_`."""
        return tuple(won.key for won in self.piles[seat] if won.round == round_)


_NAMES: dict[tuple[int | str, int], str] = {
    (row, column): f"{letter}{column + 1}"
    for row, letter in ((0, "A"), (1, "B"), ("A", "A"), ("B", "B"), ("R", "R"))
    for column in range(COLUMNS)
}


def slot(row: int | str, column: int) -> str:
    """Return the slot of a seat's row, or of the middle row (`R`), at a column counted from 0."""
    return _NAMES[row, column]


SLOTS: dict[str, tuple[str, int]] = {f"{row}{column + 1}": (row, column) for row in "ARB" for column in range(COLUMNS)}
"""Each slot with its row letter and its column counted from 0."""


def upright(seat: int) -> int:
    """Quarter turns (clockwise, mat frame) of a card whose arrow points from the seat's row at the
    middle row: seat A lies at the bottom edge, so its arrow points up.
    """
    return 0 if seat == 0 else 2


def turn_of(seat: int, laid: Laid) -> int | None:
    """Return a laid card's quarter turns in the mat frame, None if its facing is not known.

    Sectors run clockwise round the card, so a card turned clockwise shows the next weaker one.
    """
    if laid.facing is UNKNOWN or laid.card.arrow is UNKNOWN:
        return None
    return (upright(seat) + laid.card.arrow - laid.facing) % 4


def facing_of(seat: int, card: TribeCard, turn: int) -> int | Unknown:
    """Return the sector towards the middle of a card seen at `turn`; the inverse of `turn_of`."""
    if card.arrow is UNKNOWN:
        return UNKNOWN
    return (card.arrow - 1 - (turn - upright(seat))) % 4 + 1


def turned(facing: int, symbol: int, all_or_nothing: bool = False) -> tuple[int, int]:
    """Return the facing after a rotation and how many of its sectors were lost at the barrier.

    AL-48 to AL-54: a rotation stops at the barrier, the sectors left over lapse; with
    `all_or_nothing` (AL-Q03) a rotation that would pass it is lost as a whole.
    """
    wanted = facing + symbol
    reached = max(1, min(4, wanted))
    lost = abs(wanted - reached)
    return (facing, abs(symbol)) if lost and all_or_nothing else (reached, lost)


def replaced(row: tuple[Laid | None, ...], column: int, laid: Laid | None) -> Row:
    """Return the row with another card, or none, in `column`."""
    return (*row[:column], laid, *row[column + 1 :])
