"""A position of Vaalbara as a document that people can write, mail and post.

What is left out was not stated: hands are full, discards empty, the deck is of unknown height.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from companion.games.vaalbara.lands import Box, box_from, with_stated
from companion.games.vaalbara.pieces import CHARACTERS, HAND, ROUNDS, START_VP
from companion.games.vaalbara.state import Continent
from companion.games.vaalbara.steps.characters import PATHFINDER, PIONEER, TURN, CharacterAction, Discard
from companion.games.vaalbara.steps.ending import WON, Winner
from companion.games.vaalbara.steps.preparing import CLANS, ROWS, DealRows, KnowClans
from companion.games.vaalbara.steps.rounds import (
    ASSIGN,
    ORDER,
    REFILL,
    ROUND,
    EndTurn,
    FindOrder,
    Refill,
    Resolution,
    Round,
    assignment,
)
from companion.games.vaalbara.steps.taking import PAID, LandAction, Paid
from companion.games.vaalbara.steps.trading import BOTTOM, BottomCard, PaidForBottom, TopCard
from companion.kernel import UNKNOWN, Due, NotationError, Position, Setup, Unknown, settle

Seat = Literal["A", "B", "C", "D", "E"]
Count = Annotated[int, msgspec.Meta(ge=0)]
Character = Literal[
    "fighter", "bard", "hunter", "oracle", "carpenter", "falconer",
    "pathfinder", "midwife", "rider", "artisan", "pioneer", "farmer",
]  # fmt: skip
Type = Literal["meadow", "forest", "mountain", "field", "village", "river"]
Cursor = Literal[
    "clans", "deal", "assign", "order", "character", "top", "bottom", "paid bottom", "land", "paid", "refill",
    "winner", "over",
]  # fmt: skip
_LETTERS: tuple[Seat, ...] = ("A", "B", "C", "D", "E")
_GAME = ("game",)
_SEAT_OF = {letter: seat for seat, letter in enumerate(_LETTERS)}


class LandDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A land that is in no set. The number of a forest that is left out is asked for when it is paid."""

    type: Type
    value: Count = 0
    players: Annotated[int, msgspec.Meta(ge=2, le=5)] = 2
    signs: tuple[str, ...] = ()


class PositionDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Where a game stands. `due` names what is asked; without it the characters are laid next.

    Rows list lands from the left, null where one was taken. `held` and `gap` are a trade half done, `paying` the
    land of which the reward is due.
    """

    due: Cursor = "assign"
    lands: dict[str, LandDocument] = {}
    clans: dict[Seat, str] = {}
    kingdoms: dict[Seat, tuple[str, ...]] = {}
    vp: dict[Seat, int] = {}
    hands: dict[Seat, Count] = {}
    decks: dict[Seat, Count] = {}
    discards: dict[Seat, tuple[Character, ...]] = {}
    first: tuple[str | None, ...] = ()
    second: tuple[str | None, ...] = ()
    deck: Count | None = None
    top: str | None = None
    bottom: str | None = None
    round: Annotated[int, msgspec.Meta(ge=0, le=ROUNDS)] = 1
    played: dict[Seat, Character] = {}
    order: tuple[Seat, ...] = ()
    acted: tuple[Seat, ...] = ()
    signs: tuple[str, ...] = ()
    last: Seat | None = None
    held: str = ""
    gap: str = ""
    paying: str = ""
    counted: bool = False


def open_document(document: Mapping[str, Any], setup: Setup) -> Position:
    """Return the position that a document states.

    :raises NotationError: naming the field that does not fit.
    """
    try:
        doc = msgspec.convert(document, PositionDocument)
    except msgspec.ValidationError as error:
        raise NotationError(f"position: {error}") from None
    seats = len(setup.seats)
    letters = _LETTERS[:seats]
    named = (*doc.clans, *doc.kingdoms, *doc.vp, *doc.hands, *doc.decks, *doc.discards, *doc.played, *doc.order)
    for letter in (*named, *doc.acted, *((doc.last,) if doc.last else ())):
        if letter not in letters:
            raise NotationError(f"position: found the seat {letter}, expected one of {', '.join(letters)}")
    box = with_stated(box_from(setup.faces), {key: msgspec.structs.asdict(land) for key, land in doc.lands.items()})
    played = tuple(doc.played.get(letter) for letter in letters) if doc.round or doc.played else ()
    discards = tuple(doc.discards.get(letter, ()) for letter in letters)
    hands = tuple(_hand(doc, letter) for letter in letters)
    decks = tuple(_deck(doc, letter, hands[seat]) for seat, letter in enumerate(letters))
    state = Continent(
        options=setup.options,
        box=box,
        kingdoms=tuple(doc.kingdoms.get(letter, ()) for letter in letters),
        vp=tuple(doc.vp.get(letter, START_VP) for letter in letters),
        hands=hands,
        decks=decks,
        discards=discards,
        first=(*doc.first, *(None,) * seats)[:seats],
        second=(*doc.second, *(None,) * seats)[:seats],
        clans=tuple(doc.clans[letter] for letter in letters) if len(doc.clans) == seats else UNKNOWN,
        deck=UNKNOWN if doc.deck is None else doc.deck,
        top=UNKNOWN if doc.top is None else doc.top,
        bottom=UNKNOWN if doc.bottom is None else doc.bottom,
        round=doc.round,
        played=played,
        order=tuple(_SEAT_OF[letter] for letter in doc.order),
        acted=tuple(_SEAT_OF[letter] for letter in doc.acted),
        signs=doc.signs or UNKNOWN,
        last=UNKNOWN if doc.last is None else _SEAT_OF[doc.last],
        held=doc.held,
        gap=doc.gap,
        counted=doc.counted,
    )
    _check(doc, state)
    return settle(state, _agenda(doc.due, state, doc.paying))


def _hand(doc: PositionDocument, letter: Seat) -> int:
    """A hand that is not stated is full; what lies on the table came from it."""
    return doc.hands.get(letter, HAND - (letter in doc.played))


def _deck(doc: PositionDocument, letter: Seat, hand: int) -> int:
    """A clan deck that is not stated holds what is nowhere else."""
    on_table = letter in doc.played and doc.played[letter] not in doc.discards.get(letter, ())
    return doc.decks.get(letter, max(0, len(CHARACTERS) - hand - len(doc.discards.get(letter, ())) - on_table))


def _agenda(due: Cursor, state: Continent, paying: str) -> tuple[Due, ...]:
    """Return what is still due at each place where the game can wait."""
    waiting = tuple(seat for seat in range(state.seats) if not state.played or state.played[seat] is None)
    turns = (Due(Resolution(), TURN, _GAME),)
    rest = (Due(EndTurn(), TURN, _GAME),)
    landed = (Due(LandAction(), TURN, _GAME), *rest)
    acted = (Due(Discard(), TURN, _GAME), *landed)
    rounds = (Due(Round(), ROUND, _GAME),)
    agendas: dict[Cursor, tuple[Due, ...]] = {
        "clans": (Due(KnowClans(), CLANS, _GAME), Due(DealRows(), ROWS, _GAME), *rounds),
        "deal": (Due(DealRows(), ROWS, _GAME), *rounds),
        "assign": (Due(assignment(waiting), ASSIGN, _GAME), Due(FindOrder(), ORDER, _GAME), *turns),
        "order": (Due(FindOrder(), ORDER, _GAME), *turns),
        "character": (Due(CharacterAction(), TURN, _GAME), *acted),
        "top": (Due(TopCard(), PATHFINDER, _GAME), *acted),
        "bottom": (Due(BottomCard(), PIONEER, _GAME), *acted),
        "paid bottom": (Due(PaidForBottom(paying), BOTTOM, _GAME), *acted),
        "land": landed,
        "paid": (Due(Paid(paying), PAID, _GAME), *rest),
        "refill": (Due(Refill(), REFILL, _GAME), *rounds),
        "winner": (Due(Winner(), WON, _GAME),),
        "over": (),
    }
    return agendas[due]


def write_document(position: Position) -> dict[str, Any]:
    """Return the document of a position; `open_document` of it gives the same table again."""
    state: Continent = position.state
    letters = _LETTERS[: state.seats]

    def by_seat(values: Iterable[Any]) -> dict[Seat, Any]:
        return dict(zip(letters, values, strict=True))

    doc = PositionDocument(
        due=_cursor(position),
        lands={key: msgspec.convert(fields, LandDocument) for key, fields in state.box.stated.items()},
        clans={} if state.clans is UNKNOWN else by_seat(state.clans),
        kingdoms=by_seat(state.kingdoms),
        vp=by_seat(state.vp),
        hands=by_seat(state.hands),
        decks=by_seat(state.decks),
        discards=by_seat(state.discards),
        first=state.first,
        second=state.second,
        deck=_stated(state.deck),
        top=_stated(state.top),
        bottom=_stated(state.bottom),
        round=state.round,
        played={letters[seat]: character for seat, character in enumerate(state.played) if character is not None},  # type: ignore[misc]
        order=tuple(letters[seat] for seat in state.order),
        acted=tuple(letters[seat] for seat in state.acted),
        signs=() if state.signs is UNKNOWN else state.signs,
        last=None if state.last is UNKNOWN else letters[state.last],
        held=state.held,
        gap=state.gap,
        paying=_paying(position),
        counted=state.counted,
    )
    built: dict[str, Any] = msgspec.to_builtins(doc)
    return built


def _cursor(position: Position) -> Cursor:
    if position.is_over:
        return "over"
    steps = [type(due.step) for due in position.agenda]
    return next(c for c in _CURSORS if [type(due.step) for due in _agenda(c, position.state, "")] == steps)


def _paying(position: Position) -> str:
    step = position.agenda[0].step if position.agenda else None
    return step.land if isinstance(step, Paid | PaidForBottom) else ""


_CURSORS: tuple[Cursor, ...] = (
    "clans", "deal", "assign", "order", "character", "top", "bottom", "paid bottom", "land", "paid", "refill", "winner",
)  # fmt: skip


def _stated(value: Any) -> Any:
    return None if isinstance(value, Unknown) else value


def _check(doc: PositionDocument, state: Continent) -> None:
    """Check that every land is of the box and in one place, and that what was played can have been.

    :raises NotationError: naming the field.
    """
    box: Box = state.box
    rows = [key for key in (*doc.first, *doc.second) if key is not None]
    ends = [key for key in (doc.top, doc.bottom, doc.held) if key]
    if doc.due in ("paid", "paid bottom") and doc.paying not in {key for own in doc.kingdoms.values() for key in own}:
        raise NotationError(f"position: paying: found {doc.paying!r}, expected a land of a kingdom")
    owned = [key for kingdom in doc.kingdoms.values() for key in kingdom]
    for key in (*rows, *ends, *owned):
        if box.land(key) is None:
            raise NotationError(f"position: found {key!r}, expected a land of the set, or one such as river-2")
    is_last = doc.deck == 1 and doc.top is not None and doc.top == doc.bottom
    counts = Counter([*rows, *(ends[1:] if is_last else ends), *owned])
    if twice := [key for key, times in counts.items() if times > 1]:
        raise NotationError(f"position: {twice[0]} lies in two places; every land exists once")
    for letter, clan in doc.clans.items():
        if clan not in box.clans:
            raise NotationError(f"position: clans: {letter}: found {clan!r}, expected one of {', '.join(box.clans)}")
    if doc.signs and sorted(doc.signs) != list(box.clans):
        raise NotationError(f"position: signs: name each of {', '.join(box.clans)} once, from the left")
    for field, seats in (("order", doc.order), ("acted", doc.acted)):
        if len(set(seats)) < len(seats):
            raise NotationError(f"position: {field}: found {', '.join(seats)}; each player stands there once")
    acting = doc.due in ("character", "top", "bottom", "paid bottom", "land", "paid")
    if acting and (len(doc.played) != state.seats or len(doc.order) != state.seats or state.active is None):
        raise NotationError(f"position: due: {doc.due} needs what everybody has `played`, and the `order`")
