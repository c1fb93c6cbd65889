"""A duel's position as a document that people can write, mail and post.

Slots are named by seat and column (`rows: {A: {3: ...}}`). What is left out was not stated and
stays UNKNOWN; a ruling lists what it had to assume.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from companion.games.allies.inventory import box_from, card_from, check_sectors
from companion.games.allies.state import (
    COLUMNS,
    EMPTY_ROW,
    ROUNDS,
    SEATS,
    Box,
    Duel,
    Laid,
    Region,
    TribeCard,
    Won,
    replaced,
    slot,
)
from companion.games.allies.steps.battle import FIGHT, FightColumn, StageThreeEnds
from companion.games.allies.steps.drawing import STAGE_FOUR, NewHands, NewMaximums
from companion.games.allies.steps.ending import Ending, TieBreak
from companion.games.allies.steps.regions import DEAL, DealRegions
from companion.games.allies.steps.tasks import TASKS, Tasks
from companion.games.allies.steps.tribes import KnowTribes
from companion.games.allies.steps.turns import REFILL, TURNS, Refill, Turns
from companion.kernel import UNKNOWN, Due, NotationError, Position, Setup, Unknown, settle

Seat = Literal["A", "B"]
Column = Annotated[int, msgspec.Meta(ge=1, le=COLUMNS)]
Sector = Annotated[int, msgspec.Meta(ge=1, le=4)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Symbol = Annotated[int, msgspec.Meta(ge=-2, le=2)]
Follow = Annotated[str, msgspec.Meta(pattern="^(must|may|)$")]
T = TypeVar("T")


class CardDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A tribe card: its key in the set, or its printed fields; `value` if only that is known."""

    card: str = ""
    tribe: str | None = None
    sectors: tuple[int, int, int, int] | None = None
    arrow: Sector | None = None
    symbols: tuple[Symbol, ...] = ()
    diamond: bool = False
    crown: bool = False
    crown_sector: Annotated[int, msgspec.Meta(ge=0, le=4)] | None = None
    """The sector with the crown; 0 if all that is known is that it is not the one that shows."""
    facing: Sector | None = None
    value: int | None = None


class RegionDocument(msgspec.Struct, forbid_unknown_fields=True):
    card: str
    arrow: Literal["A", "B", "neutral"] = "neutral"


class WonDocument(msgspec.Struct, forbid_unknown_fields=True):
    card: str
    round: Annotated[int, msgspec.Meta(ge=0, le=ROUNDS)] = 0


class TasksDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    seat: Seat
    column: Column
    symbols: tuple[Symbol, ...] = ()
    ability: str = ""
    cover: bool = False
    follow: Follow = ""
    cyclops: Column | None = None


class PositionDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The whole document. `due` names what the rules wait for; the columns of stage 3 by `column`."""

    round: Annotated[int, msgspec.Meta(ge=1, le=ROUNDS)] = 1
    turn: Annotated[int, msgspec.Meta(ge=0, le=2 * COLUMNS)] = 0
    starter: Seat | None = None
    tribes: dict[Seat, tuple[str, ...]] = {}
    cards: dict[str, CardDocument] = {}
    rows: dict[Seat, dict[Column, CardDocument | None]] = {}
    regions: dict[Column, RegionDocument | None] = {}
    region_deck: Count | None = None
    piles: dict[Seat, tuple[WonDocument, ...]] = {}
    maximum: dict[Seat, Count] = {}
    raised: dict[Seat, Count] = {}
    hands: dict[Seat, Count] = {}
    decks: dict[Seat, Count] = {}
    discards: dict[Seat, tuple[str, ...]] = {}
    unseen_discards: dict[Seat, Count | None] = {}
    """Cards discarded from the hand, of which only the number is known, or not even that (null)."""
    removed: tuple[str, ...] = ()
    due: Literal["deal", "turns", "tasks", "refill", "stage 3", "stage 4", "ending", "over"] = "turns"
    column: Column | None = None
    tasks: TasksDocument | None = None
    asked: tuple[str, ...] = ()
    """The regions for whose sake the tribes are asked, in stage 4 and at the end."""


def open_document(document: Mapping[str, Any], setup: Setup) -> Position:
    """Return the position that a document states.

    :raises NotationError: naming the field, what was found and what was expected.
    """
    try:
        doc = msgspec.convert(dict(document), PositionDocument, strict=False)
    except msgspec.ValidationError as error:
        raise NotationError(f"position: {error}") from None
    box = box_from(setup.faces)
    for card in (*doc.cards.values(), *(card for row in doc.rows.values() for card in row.values() if card)):
        if card.sectors is not None:
            check_sectors(card.sectors, setup.options["equal_neighbours"] == "strictly_rising")
    stated = {key: _card(key, each, box) for key, each in doc.cards.items()}
    box = Box(box.cards, box.regions, stated) if stated else box
    rows = (_row(0, doc.rows.get("A", {}), box), _row(1, doc.rows.get("B", {}), box))
    laid_out = {laid.card.key: laid.card for row in rows for laid in row if laid is not None}
    stated |= {key: card for key, card in laid_out.items() if key not in box.cards}
    box = Box(box.cards, box.regions, stated) if stated else box
    gone = [*laid_out, *doc.removed, *doc.discards.get("A", ()), *doc.discards.get("B", ())]
    if twice := sorted({key for key in gone if gone.count(key) > 1 or _lies_twice(rows, key)}):
        raise NotationError(f"position: {twice[0]} lies in two places; every card exists once")
    state = Duel(
        options=setup.options,
        box=box,
        tribes=(tuple(doc.tribes.get("A", ())), tuple(doc.tribes.get("B", ()))),
        rows=rows,
        regions=_regions(doc),
        region_deck=_known(doc.region_deck),
        piles=(_pile(doc, "A"), _pile(doc, "B")),
        maximum=(_known(doc.maximum.get("A")), _known(doc.maximum.get("B"))),
        raised=(doc.raised.get("A", 0), doc.raised.get("B", 0)),
        hands=(_known(doc.hands.get("A")), _known(doc.hands.get("B"))),
        decks=(_known(doc.decks.get("A")), _known(doc.decks.get("B"))),
        discards=(tuple(doc.discards.get("A", ())), tuple(doc.discards.get("B", ()))),
        unseen=(_known(doc.unseen_discards.get("A", 0)), _known(doc.unseen_discards.get("B", 0))),
        removed=tuple(doc.removed),
        gone=frozenset(gone),
        round=doc.round,
        turn=doc.turn,
        starter=UNKNOWN if doc.starter is None else SEATS.index(doc.starter),
    )
    return settle(state, agenda_for(state, doc))


def agenda_for(state: Duel, doc: PositionDocument) -> tuple[Due, ...]:
    """Return the agenda of a position from its cursor (`due`, `column`, `tasks`)."""
    game, turns = ("game",), Due(Turns(), TURNS, ("game",))
    rest = (Due(DealRegions(), DEAL, game), turns)
    match doc.due:
        case "deal":
            return rest
        case "turns":
            return (turns,)
        case "tasks" if doc.tasks is not None:
            seat = SEATS.index(doc.tasks.seat)
            cyclops = None if doc.tasks.cyclops is None else doc.tasks.cyclops - 1
            tasks = Tasks(
                seat,
                doc.tasks.column - 1,
                doc.tasks.symbols,
                doc.tasks.ability,
                doc.tasks.cover,
                doc.tasks.follow,
                cyclops,
            )
            return (Due(tasks, TASKS, game), Due(Refill(seat), REFILL, game), turns)
        case "tasks":
            raise NotationError("position: due is tasks, but no tasks are stated; expected seat and column of the card")
        case "stage 3":
            frame: tuple[str, ...] = ("game", "stage 3")
            first = (doc.column or 1) - 1
            columns = tuple(Due(FightColumn(column), FIGHT, frame) for column in range(first, COLUMNS))
            return (*columns, Due(StageThreeEnds(), FIGHT, frame), *rest)
        case "stage 4":
            frame = ("game", "stage 3", "stage 4")
            steps = (KnowTribes(doc.asked), NewMaximums(), NewHands())
            return (*(Due(step, STAGE_FOUR, frame) for step in steps), *rest)
        case "ending":
            frame = ("game", "stage 3", "ending")
            if doc.asked:
                return (Due(KnowTribes(doc.asked), TURNS, frame), Due(TieBreak(), TURNS, frame), *rest)
            return (Due(Ending(), TURNS, frame), *rest)
        case _:
            return ()


def write_document(position: Position) -> dict[str, Any]:
    """Return the document of a position; `open_document` of it gives the same table again."""
    state: Duel = position.state
    known = state.box.cards
    doc = PositionDocument(
        round=state.round,
        turn=state.turn,
        starter=None if state.starter is UNKNOWN else _seat(state.starter),
        tribes={_seat(seat): state.tribes[seat] for seat in (0, 1) if state.tribes[seat]},
        cards={key: _write_faces(card) for key, card in state.box.stated.items()},
        rows={
            _seat(seat): {
                column + 1: _write_card(laid, known) for column, laid in enumerate(state.rows[seat]) if laid is not None
            }
            for seat in (0, 1)
            if state.rows[seat] != EMPTY_ROW
        },
        regions={
            column + 1: RegionDocument(region.key, _ARROWS[region.arrow])
            for column, region in enumerate(state.regions)
            if region is not None
        },
        region_deck=_stated(state.region_deck),
        piles={_seat(seat): tuple(WonDocument(w.key, w.round) for w in state.piles[seat]) for seat in (0, 1)},
        maximum=_counts(state.maximum),
        raised={_seat(seat): state.raised[seat] for seat in (0, 1) if state.raised[seat]},
        hands=_counts(state.hands),
        decks=_counts(state.decks),
        discards={_seat(seat): state.discards[seat] for seat in (0, 1) if state.discards[seat]},
        unseen_discards={_seat(seat): _stated(count) for seat, count in enumerate(state.unseen) if count != 0},
        removed=state.removed,
    )
    _write_due(position, doc)
    built: dict[str, Any] = msgspec.to_builtins(doc)
    return built


_ARROWS: dict[int, Literal["A", "B", "neutral"]] = {1: "A", -1: "B", 0: "neutral"}


def _write_due(position: Position, doc: PositionDocument) -> None:
    if position.is_over:
        doc.due = "over"
        return
    match position.agenda[0].step:
        case DealRegions():
            doc.due = "deal"
        case Tasks() as tasks:
            doc.due = "tasks"
            doc.tasks = TasksDocument(
                _seat(tasks.seat),
                tasks.column + 1,
                tasks.symbols,
                tasks.ability,
                tasks.cover,
                tasks.follow,
                None if tasks.cyclops is None else tasks.cyclops + 1,
            )
        case FightColumn(column=column):
            doc.due, doc.column = "stage 3", column + 1
        case KnowTribes(regions=regions):
            later = position.agenda[1].step
            doc.due, doc.asked = ("ending" if isinstance(later, TieBreak) else "stage 4"), regions
        case _:
            doc.due = "turns"


def _write_card(laid: Laid, known: Mapping[str, TribeCard]) -> CardDocument:
    card = laid.card
    crown = None if known[card.key] == card else _stated(card.crown_sector)
    return CardDocument(card.key, crown_sector=crown, facing=_stated(laid.facing), value=_stated(laid.stated))


def _write_faces(card: TribeCard) -> CardDocument:
    return CardDocument(
        tribe=_stated(card.tribe),
        sectors=None if UNKNOWN in card.sectors else card.sectors,  # type: ignore[arg-type]
        arrow=_stated(card.arrow),
        symbols=card.symbols,
        diamond=card.diamond,
        crown=card.crown,
        crown_sector=_stated(card.crown_sector),
    )


def _row(seat: int, stated: Mapping[int, CardDocument | None], box: Box) -> tuple[Laid | None, ...]:
    row = EMPTY_ROW
    for column, doc in stated.items():
        if doc is None:
            continue
        key = doc.card or f"?{slot(seat, column - 1)}"
        card = _card(key, doc, box)
        facing = doc.facing if doc.facing is not None else card.arrow
        row = replaced(row, column - 1, Laid(card, facing, _known(doc.value)))
    return row


def _card(key: str, doc: CardDocument, box: Box) -> TribeCard:
    if key in box.cards and doc.sectors is None:
        card = box.cards[key]
        return card if doc.crown_sector is None else msgspec.structs.replace(card, crown_sector=doc.crown_sector)
    if doc.card and key not in box.cards and doc.sectors is None and doc.tribe is None:
        raise NotationError(f"position: the set has no card {key!r}; name one of the set, or state its fields")
    fields = {name: getattr(doc, name) for name in ("tribe", "arrow", "diamond", "crown", "crown_sector", "symbols")}
    if doc.sectors is not None:
        fields["sectors"] = doc.sectors
    return card_from(key, fields)


def _lies_twice(rows: tuple[tuple[Laid | None, ...], ...], key: str) -> bool:
    return sum(laid is not None and laid.card.key == key for row in rows for laid in row) > 1


def _regions(doc: PositionDocument) -> tuple[Region | None, ...]:
    arrows = {"A": 1, "B": -1, "neutral": 0}
    stated = [doc.regions.get(column + 1) for column in range(COLUMNS)]
    return tuple(None if each is None else Region(each.card, arrows[each.arrow]) for each in stated)


def _pile(doc: PositionDocument, seat: Seat) -> tuple[Won, ...]:
    return tuple(Won(won.card, won.round) for won in doc.piles.get(seat, ()))


def _seat(seat: int) -> Seat:
    return "A" if seat == 0 else "B"


def _known(value: int | None) -> int | Unknown:
    return UNKNOWN if value is None else value


def _stated(value: T | Unknown) -> T | None:
    return None if isinstance(value, Unknown) else value


def _counts(pair: tuple[int | Unknown, int | Unknown]) -> dict[Seat, int]:
    return {_seat(seat): value for seat, value in enumerate(pair) if not isinstance(value, Unknown)}
