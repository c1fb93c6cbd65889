"""The records of structured cases: what people state of a table, and what is asked of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from companion.games.vaalbara.document import Character, Count, Seat, Type

Counts = dict[Type, Count]
Position = Annotated[int, msgspec.Meta(ge=1)]
"""A place in a row, counted from the left."""


class LandOf(msgspec.Struct, forbid_unknown_fields=True):
    """A land by its type; `value` is the number printed on a forest, which has to be stated where it is paid."""

    type: Type
    value: Count | None = None


class LandDocument(msgspec.Struct, forbid_unknown_fields=True):
    """One land action: what everybody has, who takes what, and what that player has played."""

    seating: tuple[Seat, ...]
    active: Seat
    take: LandOf
    initiative: Count | None = None
    character: Character | None = None
    kingdoms: dict[Seat, Counts] = {}
    note: Any = None


class SequenceDocument(msgspec.Struct, forbid_unknown_fields=True):
    """Several lands that one player takes in rounds that follow each other."""

    seating: tuple[Seat, ...]
    active: Seat
    takes: tuple[LandOf, ...]
    initiative: Count | None = None
    kingdoms: dict[Seat, Counts] = {}
    note: Any = None


class PioneerDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A Pioneer's trade."""

    seating: tuple[Seat, ...]
    active: Seat
    give: LandOf
    get: LandOf
    initiative: Count = 11
    character: Literal["pioneer"] = "pioneer"
    kingdoms: dict[Seat, Counts] = {}
    note: Any = None


class OrderDocument(msgspec.Struct, forbid_unknown_fields=True):
    """What everybody has played, and the clan signs on top of the deck from the left."""

    initiatives: dict[Seat, Count]
    clans: dict[Seat, str] = {}
    signs: tuple[str, ...] = ()
    signs_after_pathfinder: tuple[str, ...] = ()
    seating: tuple[Seat, ...] = ()
    active: Seat | None = None
    character: Character | None = None
    note: Any = None


class Trade(msgspec.Struct, forbid_unknown_fields=True):
    """Which lands trade places: `row` and `card` of a Pathfinder, a land of each row of a Rider."""

    row: Literal[1, 2] | None = None
    card: Position | None = None
    row_1: Position | None = None
    row_2: Position | None = None


class TurnDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A turn, or a part of one: what is stated decides what can be asked.

    `shown` lists who shows a Fighter, once for each Fighter that is resolved; `named` is whom the Bard
    gives to; `hand` is what the active player holds besides the character played. A tie without clan
    signs is in the order in which `initiatives` lists it.
    """

    character: Character
    active: Seat = "A"
    seating: tuple[Seat, ...] = ()
    initiative: Count | None = None
    initiatives: dict[Seat, Count] = {}
    clans: dict[Seat, str] = {}
    signs: tuple[str, ...] = ()
    vp: dict[Seat, int] = {}
    kingdoms: dict[Seat, Counts] = {}
    fighter_in_hand: tuple[Seat, ...] | None = None
    shown: tuple[Seat, ...] = ()
    named: Seat | None = None
    returned: Character | None = None
    discard: tuple[Character, ...] = ()
    hand: Count = 4
    give: LandOf | None = None
    get: LandOf | None = None
    row_1: tuple[Type, ...] = ()
    row_2: tuple[Type, ...] = ()
    deck_top: Type | None = None
    trade: Trade | None = None
    take: LandOf | Position | Literal["none"] = "none"
    note: Any = None


class RoundEndDocument(msgspec.Struct, forbid_unknown_fields=True):
    """The end of a round: the second row, the next lands of the deck, hands and clan decks."""

    players: Annotated[int, msgspec.Meta(ge=2, le=5)]
    row_2: tuple[Type, ...]
    deck_next: tuple[Type, ...]
    hands_before: dict[Seat, Count]
    decks: dict[Seat, Count]
    round: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    note: Any = None


class FinalDocument(msgspec.Struct, forbid_unknown_fields=True):
    """The end of the game."""

    vp: dict[Seat, int]
    kingdoms: dict[Seat, Counts]
    clans: dict[Seat, str] = {}
    signs: tuple[str, ...] = ()
    note: Any = None
