"""A position as a document that people can write, mail and post.

What is left out was not stated and stays unknown; the engine asks when it matters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from companion.games.realm_of_wonder.agenda import AGENDAS, Cursor, DueDocument, open_agenda, write_agenda
from companion.games.realm_of_wonder.box import Quest, Special, box_from
from companion.games.realm_of_wonder.checks import check_state
from companion.games.realm_of_wonder.pieces import SEATS, Character
from companion.games.realm_of_wonder.state import Battle, Fort, Going, Player, Realm, Walk
from companion.kernel import UNKNOWN, NotationError, Position, Setup, Unknown, settle

Seat = Literal["A", "B", "C", "D", "E", "F"]
Count = Annotated[int, msgspec.Meta(ge=0)]
T = TypeVar("T")


class PlayerDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What lies in front of a player. `magic` and `movement` are numbers of cards in the hand."""

    character: Character | None = None
    mp: Count | None = None
    magic: Count | None = None
    movement: Count | None = None
    at: str = ""
    tiles: tuple[str, ...] = ()
    bonus: tuple[Literal["movement", "battle"], ...] = ()
    victory_disc: bool = False
    ability: Literal["ready", "used"] = "ready"
    fights: Count = 0
    card: str = ""
    played: bool = False
    speed: Count | None = None
    points: Count | None = None
    special: Special | None = None
    acted: bool = False
    lightnings: Count = 0
    spells: int = 0
    balloon: bool = False
    running: str = ""
    cast: bool = False
    moved: bool = False
    paid: int = 0


class FortDocument(msgspec.Struct, forbid_unknown_fields=True):
    owner: Seat
    height: Annotated[int, msgspec.Meta(ge=1)]


class TurnDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The turn that is being played: whose, the points spent, what was bought, where it came from."""

    seat: Seat
    spent: Count = 0
    extra: bool = False
    bought: bool = False
    came_from: str = ""
    hovering: bool = False


class BattleDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A battle being fought; pairs are the attacker's first, null for what was not said yet."""

    attacker: Seat
    defender: Seat | None = None
    monster: str = ""
    place: str = ""
    back: str = ""
    revealed: bool = False
    muscles: tuple[Count | None, Count | None] = (None, None)
    knights: tuple[Count | None, Count | None] = (None, None)
    rolls: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


class PositionDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The whole document. `due` is the place in the round; `agenda` states it entry by entry instead.

    `faces` are pieces of a set that only this document states, the board's map among them.
    """

    seats: Annotated[int, msgspec.Meta(ge=2, le=6)] | None = None
    round: Annotated[int, msgspec.Meta(ge=1)] = 1
    due: Cursor | None = "moving"
    players: dict[Seat, PlayerDocument] = {}
    forts: dict[str, FortDocument] = {}
    monsters: dict[str, str] = {}
    middle: Character | None = None
    innermost: Character | None = None
    quest: Quest | None = None
    quest_card: str = ""
    turn: TurnDocument | None = None
    battle: BattleDocument | None = None
    track: tuple[Seat, ...] = ()
    tiles_out: tuple[str, ...] | None = None
    bare: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    movement_used: tuple[str, ...] = ()
    movement_pile: Count | None = None
    cast: Count = 0
    faces: dict[str, dict[str, Any]] = {}
    agenda: tuple[DueDocument, ...] = ()


def open_document(document: Mapping[str, Any], setup: Setup) -> Position:
    """Return the position that a document states.

    :raises NotationError: naming the field, what was found and what was expected.
    """
    try:
        doc = msgspec.convert(dict(document), PositionDocument)
    except msgspec.ValidationError as error:
        raise NotationError(f"position: {error}") from None
    count = doc.seats or len(setup.seats)
    letters = SEATS[:count]
    stated = [*doc.players, *doc.track, *(fort.owner for fort in doc.forts.values())]
    stated += [doc.turn.seat] if doc.turn else []
    for letter in stated:
        if letter not in letters:
            raise NotationError(f"position: found the seat {letter}, expected one of {', '.join(letters)}")
    players = [doc.players.get(letter, PlayerDocument()) for letter in letters]  # type: ignore[call-overload]
    held = [tile for player in players for tile in player.tiles]
    state = Realm(
        options=setup.options,
        box=box_from(setup.faces, doc.faces),
        players=tuple(_player(player) for player in players),
        goings=tuple(_going(player) for player in players),
        round=doc.round,
        quest=_known(doc.quest),
        quest_card=doc.quest_card,
        middle=_known(doc.middle),
        innermost=_known(doc.innermost),
        forts={place: Fort(SEATS.index(fort.owner), fort.height) for place, fort in doc.forts.items()},
        monsters=doc.monsters,
        tiles_out=(*held, *doc.monsters.values()) if doc.tiles_out is None else doc.tiles_out,
        bare=frozenset(doc.bare),
        gone=doc.gone,
        movement_used=doc.movement_used,
        movement_pile=_known(doc.movement_pile),
        track=tuple(SEATS.index(letter) for letter in doc.track),
        cast=doc.cast,
        walk=_walk(doc.turn),
        battle=_battle(doc.battle),
    )
    check_state(state)
    return settle(state, AGENDAS[doc.due] if doc.due and not doc.agenda else open_agenda(doc.agenda))


def write_document(position: Position) -> dict[str, Any]:
    """Return the document of a position; `open_document` of it gives the same table again."""
    state: Realm = position.state
    due, agenda = write_agenda(position.agenda)
    doc = PositionDocument(
        seats=len(state.players),
        round=state.round,
        due=due,
        players={_letter(seat): _write_player(state, seat) for seat in state.seats},
        forts={place: FortDocument(_letter(fort.seat), fort.height) for place, fort in state.forts.items()},
        monsters=dict(state.monsters),
        middle=_stated(state.middle),  # type: ignore[arg-type]
        innermost=_stated(state.innermost),  # type: ignore[arg-type]
        quest=_stated(state.quest),
        quest_card=state.quest_card,
        turn=_write_walk(state.walk),
        battle=_write_battle(state.battle),
        track=tuple(_letter(seat) for seat in state.track),
        tiles_out=state.tiles_out,
        bare=tuple(sorted(state.bare)),
        gone=state.gone,
        movement_used=state.movement_used,
        movement_pile=_stated(state.movement_pile),
        cast=state.cast,
        faces={key: dict(fields) for key, fields in state.box.stated.items()},
        agenda=agenda,
    )
    built: dict[str, Any] = msgspec.to_builtins(doc)
    return built


def _player(doc: PlayerDocument) -> Player:
    return Player(
        character=_known(doc.character),
        mp=_known(doc.mp),
        magic=_known(doc.magic),
        movement=_known(doc.movement),
        at=doc.at,
        tiles=doc.tiles,
        bonus=doc.bonus,
        victory=doc.victory_disc,
        ready=doc.ability == "ready",
        fights=doc.fights,
    )


def _going(doc: PlayerDocument) -> Going:
    return Going(
        card=doc.card,
        played=doc.played or (doc.speed, doc.points, doc.special) != (None, None, None),
        speed=_known(doc.speed),
        points=_known(doc.points),
        special=_known(doc.special),
        acted=doc.acted,
        lightnings=doc.lightnings,
        spells=doc.spells,
        balloon=doc.balloon,
        running=doc.running,
        cast=doc.cast,
        moved=doc.moved,
        paid=doc.paid,
    )


def _write_player(state: Realm, seat: int) -> PlayerDocument:
    player, going = state.players[seat], state.goings[seat]
    return PlayerDocument(
        character=_stated(player.character),  # type: ignore[arg-type]
        mp=_stated(player.mp),
        magic=_stated(player.magic),
        movement=_stated(player.movement),
        at=player.at,
        tiles=player.tiles,
        bonus=player.bonus,  # type: ignore[arg-type]
        victory_disc=player.victory,
        ability="ready" if player.ready else "used",
        fights=player.fights,
        card=going.card,
        played=going.played,
        speed=_stated(going.speed),
        points=_stated(going.points),
        special=_stated(going.special),  # type: ignore[arg-type]
        acted=going.acted,
        lightnings=going.lightnings,
        spells=going.spells,
        balloon=going.balloon,
        running=going.running,
        cast=going.cast,
        moved=going.moved,
        paid=going.paid,
    )


def _walk(doc: TurnDocument | None) -> Walk | None:
    if doc is None:
        return None
    return Walk(SEATS.index(doc.seat), doc.spent, doc.extra, doc.bought, doc.came_from, doc.hovering)


def _write_walk(walk: Walk | None) -> TurnDocument | None:
    if walk is None:
        return None
    return TurnDocument(_letter(walk.seat), walk.spent, walk.extra, walk.bought, walk.came_from, walk.hovering)


def _battle(doc: BattleDocument | None) -> Battle | None:
    if doc is None:
        return None
    defender = None if doc.defender is None else SEATS.index(doc.defender)
    fields = (doc.monster, doc.place, doc.back, doc.revealed, doc.muscles, doc.knights, doc.rolls)
    return Battle(SEATS.index(doc.attacker), defender, *fields)


def _write_battle(battle: Battle | None) -> BattleDocument | None:
    if battle is None:
        return None
    defender = None if battle.defender is None else _letter(battle.defender)
    fields = (battle.monster, battle.place, battle.back, battle.revealed, battle.muscles, battle.knights, battle.rolls)
    return BattleDocument(_letter(battle.attacker), defender, *fields)


def _letter(seat: int) -> Seat:
    letter: Seat = SEATS[seat]  # type: ignore[assignment]
    return letter


def _known(value: T | None) -> T | Unknown:
    return UNKNOWN if value is None else value


def _stated(value: T | Unknown) -> T | None:
    return None if isinstance(value, Unknown) else value
