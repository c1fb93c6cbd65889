"""What structured cases of the duel state: the records of their positions and moves."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.games.allies.state import COLUMNS

RegionName = Literal["cyclops", "yeti", "gnome", "wizard", "golem", "troll", "castle"]
Arrow = Literal["A", "B", "neutral"]
Column = Annotated[int, msgspec.Meta(ge=1, le=COLUMNS)]
Value = Annotated[int, msgspec.Meta(ge=0, le=9)]
Sector = Annotated[int, msgspec.Meta(ge=1, le=4)]
Count = Annotated[int, msgspec.Meta(ge=0)]


class SideDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A tribe card in a fight: the value towards the region card, 0 for no card at all.

    A value left out is not known; a crown left out is taken for none, and the ruling says so.
    """

    value: Value | None = None
    crown: bool | None = None
    note: str = ""


class StatedRegion(msgspec.Struct, forbid_unknown_fields=True):
    card: RegionName
    arrow: Arrow
    note: str = ""


class ColumnDocument(msgspec.Struct, forbid_unknown_fields=True):
    column: Column
    region: StatedRegion
    A: SideDocument
    B: SideDocument
    note: str = ""


class BattleDocument(msgspec.Struct, forbid_unknown_fields=True):
    columns: list[ColumnDocument]


class RoundDocument(msgspec.Struct, forbid_unknown_fields=True):
    A: SideDocument
    B: SideDocument
    note: str = ""


class SequenceDocument(msgspec.Struct, forbid_unknown_fields=True):
    column: Column
    region: StatedRegion
    rounds: list[RoundDocument]


class FacesDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A tribe card: four values from the weakest sector to the strongest, and the sector that faces
    the middle; what is left out is not known.
    """

    facing: Sector | None = None
    sectors: tuple[Value, Value, Value, Value] | None = None
    arrow: Sector | None = None
    note: str = ""


class RotateDocument(msgspec.Struct, forbid_unknown_fields=True):
    card: FacesDocument


class RotationDocument(msgspec.Struct, forbid_unknown_fields=True):
    symbol: Literal[-2, -1, 1, 2]
    note: str = ""


class HandSeatDocument(msgspec.Struct, forbid_unknown_fields=True):
    tribes: tuple[str, ...] = ()
    maximum_this_round: Count | None = None
    note: str = ""


class HandDocument(msgspec.Struct, forbid_unknown_fields=True):
    A: HandSeatDocument
    B: HandSeatDocument
    won_a: tuple[RegionName, ...] = msgspec.field(default=(), name="won_A")
    won_b: tuple[RegionName, ...] = msgspec.field(default=(), name="won_B")
    wizard_uses_a: Count = msgspec.field(default=0, name="wizard_uses_A")
    wizard_uses_b: Count = msgspec.field(default=0, name="wizard_uses_B")


class ScoreSeatDocument(msgspec.Struct, forbid_unknown_fields=True):
    tribes: tuple[str, ...] = ()
    pile: tuple[RegionName, ...] = ()
    note: str = ""


class ScoreDocument(msgspec.Struct, forbid_unknown_fields=True):
    A: ScoreSeatDocument
    B: ScoreSeatDocument
    table: Annotated[tuple[StatedRegion, ...], msgspec.Meta(max_length=COLUMNS)] = ()
