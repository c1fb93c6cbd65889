"""What structured cases of Realm of Wonder state: the records of their positions and moves."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.games.realm_of_wonder.document import Seat

Count = Annotated[int, msgspec.Meta(ge=0)]
Height = Annotated[int, msgspec.Meta(ge=1)]
Whirlpool = Literal["middle", "innermost"]
Roll = int | str
"""A face of the battle die: its number, or `p2` for the purple two."""


class SideDocument(msgspec.Struct, forbid_unknown_fields=True):
    """What a payoff is made of. A field left out means none."""

    house: Literal[1] = 1
    forts: tuple[Height, ...] = ()
    orbs: Count = 0
    cursed: Count = 0
    aligned: tuple[Whirlpool, ...] = ()
    on_castle_island: bool = False
    tiles: tuple[str, ...] = ()
    mp: Count | None = None
    note: str = ""


class PayoffDocument(msgspec.Struct, forbid_unknown_fields=True):
    player: SideDocument
    round: Height | None = None
    note: str = ""


class FortRef(msgspec.Struct, forbid_unknown_fields=True):
    """A fort by its owner and height."""

    owner: Seat
    height: Height


class ChangeDocument(msgspec.Struct, forbid_unknown_fields=True):
    """Players before something happens, and the fort discs that some have left."""

    before: dict[Seat, SideDocument]
    round: Height = 2
    discs_left_a: Count | None = msgspec.field(default=None, name="discs_left_A")
    discs_left_b: Count | None = msgspec.field(default=None, name="discs_left_B")
    discs_left_c: Count | None = msgspec.field(default=None, name="discs_left_C")
    discs_left_d: Count | None = msgspec.field(default=None, name="discs_left_D")
    discs_left_e: Count | None = msgspec.field(default=None, name="discs_left_E")
    discs_left_f: Count | None = msgspec.field(default=None, name="discs_left_F")
    note: str = ""


class ChangeMove(msgspec.Struct, forbid_unknown_fields=True):
    """One act that changes payoffs: a turned whirlpool, a conquest, a spell, a theft, a fort."""

    by: Seat
    turn: Whirlpool | None = None
    to_home_of: Seat | None = None
    through: str = ""
    conquer: FortRef | None = None
    discs: Count | None = msgspec.field(default=None, name="with")
    cast: str = ""
    against: Seat | None = None
    start: FortRef | str | None = msgspec.field(default=None, name="from")
    end: FortRef | str | None = msgspec.field(default=None, name="to")
    target: FortRef | str | None = msgspec.field(default=None, name="at")
    steal: str = ""
    take: str = ""
    give: str = ""
    reveal: str = ""
    build: Count | None = None
    note: str = ""


class OrderDocument(msgspec.Struct, forbid_unknown_fields=True):
    speeds: dict[Seat, Count]
    round: Height = 2
    note: str = ""


class OrderMove(msgspec.Struct, forbid_unknown_fields=True):
    """A magic card that was played; `cast: none` ends the player's casting."""

    by: Seat
    cast: str
    against: Seat | None = None
    note: str = ""


class MovementDocument(msgspec.Struct, forbid_unknown_fields=True):
    """What a player may move with. `bought` points are bought before the first step."""

    card: Count | None = None
    bonus: Count = 0
    spells: tuple[int, ...] = ()
    bought: Count = 0
    mp: Count = 0
    balloon: bool = False
    golem_ability: bool = False
    troll_ability_region: str = ""
    discs_left: Count | None = None
    victory_disc: bool = False
    tiles: tuple[str, ...] = ()
    round: Height = 2
    note: str = ""


class EnterMove(msgspec.Struct, forbid_unknown_fields=True):
    """A step into the next space: what it is, what stands before it, whether it is only flown over."""

    enter: str
    wall: bool = False
    water: bool = False
    fly_over: bool = False
    region: str = ""
    height: Height = 1
    note: str = ""


class CostsDocument(msgspec.Struct, forbid_unknown_fields=True):
    mp: Count | None = None
    movement_left: Count = 0
    at: str = ""
    forts: tuple[Height, ...] = ()
    house: Literal[1] = 1
    round: Height = 2
    movement_card: str = ""
    character: str = ""
    note: str = ""


class CostMove(msgspec.Struct, forbid_unknown_fields=True):
    """Something paid for, points gained, or an ability used; `for` says in words what."""

    pay: int | None = None
    gain: int | None = None
    what: str = msgspec.field(default="", name="for")
    ability: str = ""
    note: str = ""


class ThereDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    owner: Seat | Literal["none"] = "none"
    height: Count = 0
    note: str = ""


class FortDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A well: what lies there, and the points and discs of A and of the owner."""

    there: ThereDocument = ThereDocument()
    mp: Count | None = None
    discs_left: Count | None = None
    discs_left_b: Count | None = msgspec.field(default=None, name="discs_left_B")
    discs_left_c: Count | None = msgspec.field(default=None, name="discs_left_C")
    discs_left_d: Count | None = msgspec.field(default=None, name="discs_left_D")
    discs_left_e: Count | None = msgspec.field(default=None, name="discs_left_E")
    discs_left_f: Count | None = msgspec.field(default=None, name="discs_left_F")
    round: Height = 2
    note: str = ""


class FortMove(msgspec.Struct, forbid_unknown_fields=True):
    build: int | None = None
    conquer_with: int | None = None
    note: str = ""


class FighterDocument(msgspec.Struct, forbid_unknown_fields=True):
    """One side of a battle."""

    rolls: tuple[Roll, ...] = ()
    muscles: Count = 0
    battle_bonus: Count = 0
    knights: Count = 0
    kind: Literal["player", "monster"] = "player"
    monster: str = ""
    tile_revealed_here: bool = False
    entered_from: str | None = None
    note: str = ""


class BattleDocument(msgspec.Struct, forbid_unknown_fields=True):
    attacker: FighterDocument
    defender: FighterDocument
    round: Height = 2
    note: str = ""
