"""A position of King of the Dice as a document that people can write, mail and post.

Columns count from 1 at the left. What is left out was not stated and stays UNKNOWN.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from companion.games.king_of_the_dice.inventory import box_from, villager_from
from companion.games.king_of_the_dice.pieces import COLUMNS, DICE
from companion.games.king_of_the_dice.state import Box, Kingdoms, Villager
from companion.games.king_of_the_dice.steps.ending import ENDING, Ending
from companion.games.king_of_the_dice.steps.preparing import (
    BEGIN,
    DEAL,
    PENALTIES,
    DealRow,
    ShowPenalty,
    WhoBegins,
)
from companion.games.king_of_the_dice.steps.refilling import REFILL, Refill
from companion.games.king_of_the_dice.steps.taking import NONE_MET
from companion.games.king_of_the_dice.steps.turns import NEXT, TURN, NextTurn, TakePenalty, Turn
from companion.games.king_of_the_dice.steps.winning import BONUS, PASS, PILE, ArrangePile, Bonus, PassDragon
from companion.kernel import UNKNOWN, Due, NotationError, Position, Setup, Unknown, settle

Seat = Literal["A", "B", "C", "D", "E"]
Column = Annotated[int, msgspec.Meta(ge=1, le=COLUMNS)]
Count = Annotated[int, msgspec.Meta(ge=0)]
KindName = Literal["rich", "orc", "elves", "mushroom", "dwarf", "apprentice", "gnome", "fairy", "hypnotist", "dragon"]
Cursor = Literal[
    "oldest", "deal", "first penalty", "turn", "penalty", "next penalty", "bonus", "dragon", "pile", "refill",
    "points", "over",
]  # fmt: skip
_LETTERS: tuple[Seat, ...] = ("A", "B", "C", "D", "E")
_GAME = ("game",)


class VillagerDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A villager that is in no set: its face.

    A condition of which nothing is stated is taken to be met; points that are left out are asked for
    when they are counted.
    """

    kind: KindName
    colour: str = "none"
    points: int | None = None
    parity: Literal["even", "odd", ""] = ""
    groups: tuple[Count, ...] = ()
    length: Count = 0
    count: Count = 0
    number: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    colours: tuple[str, ...] = ()
    sum: Count = 0


class PositionDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The whole document. `piles` are from the bottom to the top, `places` from the top to the bottom.

    `due` is what the rules wait for; `bonus` the column in which the hypnotist lay.
    """

    due: Cursor = "turn"
    starter: Seat | None = None
    turn: Seat = "A"
    cards: dict[str, VillagerDocument] = {}
    minus: dict[str, Count | None] = {}
    """Penalty cards that are in no set, with their minus points, null where nobody has said them."""
    row: tuple[str | None, ...] = ()
    places: dict[Column, tuple[str, ...]] = {}
    villagers: Count | None = None
    penalties: Count | None = None
    penalty: str | None = None
    discards: tuple[str, ...] = ()
    piles: dict[Seat, tuple[str, ...]] = {}
    dice: tuple[str, ...] = ()
    rolls: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    won: tuple[tuple[str, ...], ...] = ()
    held: tuple[str, ...] = ()
    again: bool = False
    chained: bool = False
    ending: Literal["", "villagers", "penalties", "places"] = ""
    bonus: Column = 1


def open_document(document: Mapping[str, Any], setup: Setup) -> Position:
    """Return the position that a document states.

    :raises NotationError: naming the field, what was found and what was expected.
    """
    try:
        doc = msgspec.convert(dict(document), PositionDocument, strict=False)
    except msgspec.ValidationError as error:
        raise NotationError(f"position: {error}") from None
    letters = _LETTERS[: len(setup.seats)]
    for letter in (doc.turn, *doc.piles, *((doc.starter,) if doc.starter else ())):
        if letter not in letters:
            raise NotationError(f"position: found the seat {letter}, expected one of {', '.join(letters)}")
    box = with_stated(box_from(setup.faces, setup.options), doc.cards, doc.minus, setup.options)
    state = Kingdoms(
        options=setup.options,
        box=box,
        piles=tuple(doc.piles.get(letter, ()) for letter in letters),
        row=(*doc.row, *(None,) * COLUMNS)[:COLUMNS],
        places=tuple(doc.places.get(column + 1, UNKNOWN) for column in range(COLUMNS)),
        villagers=_known(doc.villagers),
        penalties=_known(doc.penalties),
        penalty=UNKNOWN if doc.penalty is None else doc.penalty,
        discards=doc.discards,
        starter=UNKNOWN if doc.starter is None else letters.index(doc.starter),
        seat=letters.index(doc.turn),
        dice=doc.dice,
        rolls=doc.rolls,
        won=doc.won,
        held=doc.held,
        again=doc.again,
        chained=doc.chained,
        ending=doc.ending,
    )
    _check(doc, state)
    return settle(state, _agenda(doc.due, doc.bonus - 1))


def with_stated(
    box: Box, cards: Mapping[str, VillagerDocument], minus: Mapping[str, int | None], options: Mapping[str, str]
) -> Box:
    """Return the box with the villagers and penalty cards that a document adds to it.

    :raises NotationError: for a villager of which only a part of its condition is stated.
    """
    if not cards and not minus:
        return box
    stated = {key: _villager(key, doc, options) for key, doc in cards.items()}
    against = {key: UNKNOWN if points is None else points for key, points in minus.items()}
    villagers, penalties = {**box.villagers, **stated}, {**box.penalties, **against}
    return Box(villagers, box.places, penalties, box.dice, (cards, minus), box.is_listed)


def _villager(key: str, doc: VillagerDocument, options: Mapping[str, str]) -> Villager:
    fields = {name: value for name, value in msgspec.structs.asdict(doc).items() if value}
    points = 0 if doc.kind == "fairy" else UNKNOWN if doc.points is None else doc.points
    if set(fields) <= {"kind", "colour", "points"} and doc.kind != "hypnotist":
        return Villager(key, doc.kind, "" if doc.colour == "none" else doc.colour, points)
    return replace(villager_from(key, fields, options), points=points)


def _agenda(due: Cursor, bonus: int) -> tuple[Due, ...]:
    """Return what is still due at each place where the game can wait."""
    turn, then = (Due(Turn(), TURN, _GAME),), (Due(Refill(), REFILL, _GAME), Due(NextTurn(), NEXT, _GAME))
    seen, taken = Due(ShowPenalty(), PENALTIES, _GAME), Due(TakePenalty(), NONE_MET, _GAME)
    piled = (Due(ArrangePile(), PILE, _GAME), *then)
    passed = (Due(PassDragon(), PASS, _GAME), *piled)
    dealt = (Due(DealRow(), DEAL, _GAME), seen, *turn)
    agendas: dict[Cursor, tuple[Due, ...]] = {
        "oldest": (Due(WhoBegins(), BEGIN, _GAME), *dealt),
        "deal": dealt,
        "first penalty": (seen, *turn),
        "turn": turn,
        "penalty": (seen, taken, *then),
        "next penalty": (seen, *then),
        "bonus": (Due(Bonus(bonus), BONUS, _GAME), *passed),
        "dragon": passed,
        "pile": piled,
        "refill": then,
        "points": (Due(Ending(), ENDING, _GAME),),
        "over": (),
    }
    return agendas[due]


def write_document(position: Position) -> dict[str, Any]:
    """Return the document of a position; `open_document` of it gives the same table again."""
    state: Kingdoms = position.state
    cards, minus = state.box.stated
    doc = PositionDocument(
        due=_cursor(position),
        starter=None if state.starter is UNKNOWN else _LETTERS[state.starter],
        turn=_LETTERS[state.seat],
        cards=dict(cards),
        minus=dict(minus),
        row=state.row,
        places={column + 1: stack for column, stack in enumerate(state.places) if not isinstance(stack, Unknown)},
        villagers=_stated(state.villagers),
        penalties=_stated(state.penalties),
        penalty=None if state.penalty is UNKNOWN else state.penalty,
        discards=state.discards,
        piles={_LETTERS[seat]: pile for seat, pile in enumerate(state.piles) if pile},
        dice=state.dice,
        rolls=state.rolls,
        won=state.won,
        held=state.held,
        again=state.again,
        chained=state.chained,
        ending=state.ending,  # type: ignore[arg-type]  # one of the reasons, which the state keeps as text
        bonus=_bonus(position),
    )
    built: dict[str, Any] = msgspec.to_builtins(doc)
    return built


def _cursor(position: Position) -> Cursor:
    if position.is_over:
        return "over"
    return next(cursor for cursor in _CURSORS if _agenda(cursor, _bonus(position) - 1) == position.agenda)


_CURSORS: tuple[Cursor, ...] = (
    "oldest", "deal", "first penalty", "turn", "penalty", "next penalty", "bonus", "dragon", "pile", "refill", "points",
)  # fmt: skip


def _bonus(position: Position) -> int:
    step = position.agenda[0].step if position.agenda else None
    return step.column + 1 if isinstance(step, Bonus) else 1


def _check(doc: PositionDocument, state: Kingdoms) -> None:
    """Check that every card is of the box and in one place, and that the dice can lie so.

    :raises NotationError: naming the field.
    """
    box = state.box
    if len(doc.row) > COLUMNS:
        raise NotationError(f"position: row: found {len(doc.row)} villagers, expected at most {COLUMNS}")
    open_ = [key for key in (*doc.row, *doc.discards) if key]
    _expect("row", open_, box.villagers, "a villager of the set or of `cards`")
    _expect("places", (card for stack in doc.places.values() for card in stack), box.places, "a place card")
    _expect("penalty", () if doc.penalty is None else (doc.penalty,), box.penalties, "a penalty card")
    piled = [card for pile in doc.piles.values() for card in pile] + list(doc.held)
    _expect("piles", piled, {**box.villagers, **box.places, **box.penalties}, "a card of the set")
    stacked = [card for stack in doc.places.values() for card in stack]
    top = [] if doc.penalty is None else [doc.penalty]
    if twice := [card for card, times in Counter([*open_, *stacked, *top, *piled]).items() if times > 1]:
        raise NotationError(f"position: {twice[0]} lies in two places; every card exists once")
    if len(doc.dice) not in (0, DICE) or bool(doc.dice) != bool(doc.rolls):
        found = f"{len(doc.dice)} dice after {doc.rolls} rolls"
        raise NotationError(f"position: dice: found {found}, expected six after a roll and none before it")
    for die, face in enumerate(doc.dice):
        if face not in state.faces_of(die):
            faces = ", ".join(state.faces_of(die))
            raise NotationError(f"position: dice: die {die + 1} shows {face!r}, and it has {faces}")


def _expect(field: str, found: Iterable[str], known: Iterable[str], what: str) -> None:
    for card in found:
        if card not in known:
            raise NotationError(f"position: {field}: found {card!r}, expected {what}")


def _known(value: int | None) -> int | Unknown:
    return UNKNOWN if value is None else value


def _stated(value: int | Unknown) -> int | None:
    return None if isinstance(value, Unknown) else value
