"""Structured cases of Vaalbara: a partial position is built, the game's own steps run, and what they tell
is read off. Nothing is reckoned here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.games.vaalbara.effects import OrderFound, PointsGained, RoundBegun, TieLooked, TurnEnded
from companion.games.vaalbara.lands import Box
from companion.games.vaalbara.pieces import CHARACTERS, HAND, ROUNDS, SEATS, START_VP, land_slot
from companion.games.vaalbara.state import Continent
from companion.games.vaalbara.stated import (
    Counts,
    FinalDocument,
    LandDocument,
    LandOf,
    OrderDocument,
    PioneerDocument,
    RoundEndDocument,
    SequenceDocument,
    TurnDocument,
)
from companion.games.vaalbara.steps.characters import CharacterAction
from companion.games.vaalbara.steps.ending import Final
from companion.games.vaalbara.steps.rounds import EndOfRound, EndTurn, FindOrder
from companion.games.vaalbara.steps.taking import LandAction
from companion.kernel import (
    UNKNOWN,
    Answer,
    Chosen,
    Finding,
    Finish,
    Moved,
    NotationError,
    Placed,
    Position,
    Probe,
    Refusal,
    Reply,
    Revealed,
    Setup,
    Step,
    advance,
    open_position,
)

T = TypeVar("T")
Replies = Mapping[str, Sequence[Reply]]
"""By the key of a question: the replies to it, one after the other."""


def _land(doc: LandDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    seat, played = _seat(doc.active, setup), [None] * len(setup.seats)
    state = _table(setup, doc.kingdoms)
    _need_initiative((doc.take,), doc.initiative, doc.character)
    name, box = _character(state.box, doc.character, doc.initiative or 0)
    state = replace(state, box=box, played=tuple(name if s == seat else each for s, each in enumerate(played)))
    after = _take(replace(state, order=(seat,)), doc.take)
    return Finding({"reward": _points(after)}, after.told)


def _land_sequence(doc: SequenceDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    seat = _seat(doc.active, setup)
    state = _table(setup, doc.kingdoms)
    _need_initiative(doc.takes, doc.initiative)
    name, box = _character(state.box, None, doc.initiative or 0)
    nobody = (None,) * len(setup.seats)
    state = replace(state, box=box, played=(*nobody[:seat], name, *nobody[seat + 1 :]), order=(seat,))
    rewards: list[int] = []
    told: list[Any] = []
    for number, land in enumerate(doc.takes):
        after = _take(state, land, f"{number}")
        rewards.append(_points(after))
        told += after.told
        state = after.state
    return Finding({"rewards": rewards}, tuple(told))


def _pioneer(doc: PioneerDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    seat = _seat(doc.active, setup)
    state = _table(setup, doc.kingdoms)
    name, box = _character(state.box, "pioneer", doc.initiative)
    played = tuple(name if each == seat else None for each in range(len(setup.seats)))
    state = replace(state, box=box, played=played, order=(seat,))
    at = _run(state, (CharacterAction(),), _pioneers(state, seat, doc.give, doc.get))
    return Finding({"reward": _points(at), "lands": len(at.state.kingdoms[seat])}, at.told, open=at.question)


def _order(doc: OrderDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    if missing := [letter for letter in setup.seats if letter not in doc.initiatives]:
        raise NotationError(f"initiatives: {missing[0]} is missing; state what everybody has played")
    state = _played(_table(setup, {}), setup, doc.initiatives, doc.clans, doc.signs)
    at = open_position(state, [(FindOrder(), ())])
    told = at.told
    if doc.signs_after_pathfinder and at.question is None:
        first = at.state.order[0]
        played = tuple("pathfinder" if seat == first else each for seat, each in enumerate(at.state.played))
        box = Box({}, {**at.state.box.initiatives, "pathfinder": at.state.initiative(first)})
        _need_signs(_tied(doc.initiatives), doc.clans, doc.signs_after_pathfinder)
        after = _with_signs(replace(at.state, played=played, box=box), setup, doc.clans, doc.signs_after_pathfinder)
        at = open_position(after, [(EndTurn(), ())])
        told += tuple(ruled for ruled in at.told if isinstance(ruled.effect, TurnEnded | OrderFound))
    elif doc.character is not None and doc.active is not None and at.question is None:
        seat = _seat(doc.active, setup)
        named = _as_character(at.state, seat, doc.character)
        acted = replace(named, acted=at.state.order[: at.state.order.index(seat)])
        turn = open_position(acted, [(CharacterAction(), ())])
        ruling = {"order": _letters(at.state.order, setup), "reward": _points(turn)}
        return Finding(ruling, (*told, *turn.told))
    open_ = at.question if not at.state.order else None
    return Finding({"order": _letters(at.state.order, setup), "reward": 0}, told, open=open_)


def _turn(doc: TurnDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    seat = _seat(doc.active, setup)
    state = _turn_state(doc, seat, setup)
    given = doc.shown
    told: list[Any] = []
    while True:  # once for each Fighter that is resolved
        showing = tuple(dict.fromkeys(given))
        at = _run(state, (CharacterAction(),), _replies(doc, state, seat, setup, showing))
        if at.question is not None:
            return Finding({}, tuple(told) + at.told, open=at.question)
        told += at.told
        state = at.state
        given = _without(given, showing)
        if not given:
            break
    reward = _points(at, seat)
    landed = None
    if doc.take != "none":
        is_paid = not {"vp", "land_reward"}.isdisjoint(asks)
        take = doc.take
        landed = _take(state, take, is_paid=is_paid) if isinstance(take, LandOf) else _take_place(state, take)
        told += landed.told
        state = landed.state
    ruling: dict[str, Any] = {
        "vp": {setup.seats[each]: points for each, points in enumerate(state.vp)},
        "reward": reward,
        "land_reward": 0 if landed is None else _points(landed, seat),
        "row_1": _types(state, state.first),
        "row_2": _types(state, state.second),
        "deck_top": doc.deck_top or "unknown" if state.top is UNKNOWN else state.box.known(state.top).type,
        "order": _letters(state.order, setup),
        "lands": len(state.kingdoms[seat]),
        "hand": state.hands[seat],
    }
    if doc.take != "none" and isinstance(doc.take, LandOf) and doc.character == "carpenter":
        late = sum(_gained(landed, seat, ("carpenter",))) if landed is not None else 0
        ruling |= {"reward": reward + late, "land_reward": ruling["land_reward"] - late}
    return Finding(ruling, tuple(told))


def _round_end(doc: RoundEndDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    if len(doc.row_2) != doc.players:
        raise NotationError(f"row_2: found {len(doc.row_2)} lands, expected one for each of {doc.players} players")
    for letter in setup.seats:
        if letter not in doc.hands_before or letter not in doc.decks:
            raise NotationError(f"hands_before and decks: {letter} is missing; state every player's")
    second = tuple(f"{kind}-second{number}" for number, kind in enumerate(doc.row_2))
    state = replace(
        _table(setup, {}),
        second=second,
        hands=_by_seat(doc.hands_before, 0, setup),
        decks=_by_seat(doc.decks, 0, setup),
        round=doc.round,
        deck=len(doc.deck_next),
    )
    laid = [
        Placed(f"{kind}-next{number}", land_slot("S", number))
        for number, kind in enumerate(doc.deck_next[: doc.players])
    ]
    at = open_position(state, [(EndOfRound(), ())])
    for reply in laid:
        if at.question is not None and at.question.key == "refill":
            at = _advance(at, Answer("refill", reply), at.told)
    told = tuple(ruled for ruled in at.told if not isinstance(ruled.effect, RoundBegun))
    ruling = {
        "row_1": _types(at.state, at.state.first),
        "row_2": _types(at.state, at.state.second),
        "hands": {letter: at.state.hands[seat] for seat, letter in enumerate(setup.seats)},
    }
    return Finding(ruling, told)


def _final(doc: FinalDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    state = _table(setup, doc.kingdoms)
    state = replace(state, vp=_by_seat(doc.vp, 0, setup), round=ROUNDS)
    at = open_position(_with_signs(state, setup, doc.clans, doc.signs), [(Final(), ())])
    if at.question is not None:
        return Finding({}, at.told, open=at.question)
    tied = next((ruled.effect.seats for ruled in at.told if isinstance(ruled.effect, TieLooked)), ())
    _need_signs(_letters(tied, setup), doc.clans, doc.signs)
    winner = next((ruled.effect.winner for ruled in at.told if isinstance(ruled.effect, Finish)), None)
    points = {setup.seats[seat]: number for seat, number in enumerate(at.state.vp)}
    return Finding({"vp": points, "winner": "none" if winner is None else setup.seats[winner]}, at.told)


# -- building tables --------------------------------------------------------------------------------------


def _table(setup: Setup, kingdoms: Mapping[Any, Counts]) -> Continent:
    seats = len(setup.seats)
    for letter in kingdoms:
        _seat(letter, setup)
    return Continent(
        options=setup.options,
        box=Box({}, {name: number for number, name in enumerate(CHARACTERS, 1)}),
        kingdoms=tuple(_lands(letter, kingdoms.get(letter, {})) for letter in setup.seats),
        vp=(START_VP,) * seats,
        hands=(HAND - 1,) * seats,
        decks=(len(CHARACTERS) - HAND,) * seats,
        discards=((),) * seats,
        first=(None,) * seats,
        second=(None,) * seats,
        round=1,
        played=(None,) * seats,
    )


def _by_seat(values: Mapping[Any, T], otherwise: T, setup: Setup) -> tuple[T, ...]:
    for letter in values:
        _seat(letter, setup)
    return tuple(values.get(letter, otherwise) for letter in setup.seats)


def _lands(letter: str, counts: Counts) -> tuple[str, ...]:
    return tuple(f"{kind}-{letter}{number}" for kind, count in counts.items() for number in range(count))


def _key(land: LandOf, name: str = "new", is_paid: bool = True) -> str:
    """Return what a land is called; a forest that pays is called by its number."""
    if land.type != "forest":
        return f"{land.type}-{name}"
    if land.value is None and is_paid:
        raise NotationError("value: the number on the forest is missing; state it beside its type")
    return f"forest-{land.value or 0}"


def _need_initiative(lands: Iterable[LandOf], initiative: int | None, character: str | None = None) -> None:
    """Refuse a river of which nobody knows what it multiplies."""
    if initiative is None and character is None and any(land.type == "river" for land in lands):
        raise NotationError("initiative: it is missing; a river counts that of the character played")


def _seat(letter: str, setup: Setup) -> int:
    if letter not in setup.seats:
        raise NotationError(f"found the seat {letter}, expected one of {', '.join(setup.seats)}")
    return setup.seats.index(letter)


def _letters(seats: Iterable[int], setup: Setup) -> list[str]:
    return [setup.seats[seat] for seat in seats]


def _character(box: Box, name: str | None, initiative: int) -> tuple[str, Box]:
    """Return a character with this initiative, and the box in which it has it."""
    by_number = {number: each for each, number in box.initiatives.items()}
    named = name or by_number.get(initiative, f"with-{initiative}")
    return named, Box({}, {**box.initiatives, named: initiative or box.initiatives.get(named, 0)})


def _as_character(state: Continent, seat: int, name: str) -> Continent:
    """Return the state in which what a seat has played is called `name`, with the initiative stated.

    Another seat whose different initiative is that name's usual one keeps it, under a name of its own.
    """
    number = state.initiative(seat)
    played, initiatives = [*state.played], {**state.box.initiatives, name: number}
    for each, other in enumerate(state.played):
        if other == name and state.initiative(each) != number:
            played[each] = f"with-{state.initiative(each)}"
            initiatives[f"with-{state.initiative(each)}"] = state.initiative(each)
    played[seat] = name
    return replace(state, played=tuple(played), box=Box({}, initiatives))


def _played(
    state: Continent, setup: Setup, initiatives: Mapping[Any, int], clans: Mapping[Any, str], signs: tuple[str, ...]
) -> Continent:
    """Return the state in which everybody has played a character of the stated initiative."""
    box, played = state.box, [*state.played]
    for letter, number in initiatives.items():
        played[_seat(letter, setup)], box = _character(box, None, number)
    _need_signs(_tied(initiatives), clans, signs)
    return _with_signs(replace(state, box=box, played=tuple(played)), setup, clans, signs)


def _tied(initiatives: Mapping[Any, int]) -> list[Any]:
    """Return the seats whose initiative another seat has too."""
    numbers = list(initiatives.values())
    return [letter for letter, number in initiatives.items() if numbers.count(number) > 1]


def _need_signs(tied: Iterable[Any], clans: Mapping[Any, str], signs: tuple[str, ...]) -> None:
    """Refuse signs that do not decide the tie of these seats; those of the others may be left out."""
    for letter in tied if signs else ():
        if letter not in clans:
            raise NotationError(f"clans: {letter} is missing; the clan signs decide this tie")
        if clans[letter] not in signs:
            raise NotationError(f"signs: the clan {clans[letter]} is missing; list the signs from the left")


def _with_signs(state: Continent, setup: Setup, clans: Mapping[Any, str], signs: tuple[str, ...]) -> Continent:
    """Return the state with clans and signs; those that a case leaves out decide nothing and stand at the right."""
    for field, stated in (("clans", [*clans.values()]), ("signs", [*signs])):
        if twice := [clan for clan in stated if stated.count(clan) > 1]:
            raise NotationError(
                f"{field}: found {twice[0]} twice; each player has another clan, and each clan one sign"
            )
    known = tuple(
        clan or f"clan of {letter}" for letter, clan in zip(setup.seats, _by_seat(clans, "", setup), strict=True)
    )
    return replace(state, clans=known, signs=tuple(dict.fromkeys((*signs, *known))) if signs else UNKNOWN)


def _turn_state(doc: TurnDocument, seat: int, setup: Setup) -> Continent:
    initiatives = dict(doc.initiatives)
    if doc.active not in initiatives:
        number = CHARACTERS.index(doc.character) + 1 if doc.initiative is None else doc.initiative
        initiatives[doc.active] = number
    state = _played(_table(setup, doc.kingdoms), setup, initiatives, doc.clans, doc.signs)
    if missing := [
        setup.seats[each] for each in _must_have_played(state, doc.character, seat) if not state.played[each]
    ]:
        raise NotationError(
            f"initiatives: {missing[0]} is missing; the {doc.character} needs to know what it has played"
        )
    listed = [_seat(letter, setup) for letter in initiatives]
    if doc.signs:
        order = open_position(state, [(FindOrder(), ())]).state.order
        order = tuple(each for each in order if each in listed)
    else:
        order = tuple(sorted(listed, key=lambda each: (state.initiative(each), listed.index(each))))
    state = _as_character(state, seat, doc.character)
    holders = doc.fighter_in_hand
    gone = tuple(("fighter",) if holders is not None and letter not in holders else () for letter in setup.seats)
    rows = [tuple(f"{kind}-row{row}-{number}" for number, kind in enumerate(kinds))
            for row, kinds in ((1, doc.row_1), (2, doc.row_2))]  # fmt: skip
    return replace(
        state,
        vp=_by_seat(doc.vp, START_VP, setup),
        hands=tuple(doc.hand if each == seat else held for each, held in enumerate(state.hands)),
        discards=tuple((*own, *(doc.discard if each == seat else ())) for each, own in enumerate(gone)),
        order=order,
        acted=order[: order.index(seat)],
        first=rows[0] or state.first,
        second=rows[1] or state.second,
    )


def _must_have_played(state: Continent, character: str, seat: int) -> tuple[int, ...]:
    """Return the seats whose initiatives decide what a character brings."""
    if character in ("hunter", "artisan", "oracle"):
        return state.neighbours(seat)
    return tuple(range(state.seats)) if character == "falconer" else ()


def _replies(
    doc: TurnDocument, state: Continent, seat: int, setup: Setup, showing: tuple[str, ...]
) -> dict[str, list[Reply]]:
    replies: dict[str, list[Reply]] = {}
    if doc.character == "fighter":
        replies["fighters"] = [Chosen(tuple(SEATS[_seat(letter, setup)] for letter in showing))]
    if doc.named is not None:
        replies["bard"] = [Chosen((SEATS[_seat(doc.named, setup)],))]
    if doc.returned is not None:
        replies["midwife"] = [Chosen((doc.returned,))]
    if doc.give is not None and doc.get is not None:
        replies |= _pioneers(state, seat, doc.give, doc.get)
    trade = doc.trade
    if trade is not None and trade.row is not None and trade.card is not None:
        row, letter = (state.first, "F") if trade.row == 1 else (state.second, "S")
        replies["pathfinder"] = [Chosen((_at(row, trade.card),))]
        if doc.deck_top is not None:
            replies["top"] = [Placed(f"{doc.deck_top}-top", land_slot(letter, trade.card - 1))]
    if trade is not None and trade.row_1 is not None and trade.row_2 is not None:
        _at(state.first, trade.row_1), _at(state.second, trade.row_2)
        replies["rider"] = [Moved(land_slot("F", trade.row_1 - 1), land_slot("S", trade.row_2 - 1), True)]
    return replies


def _at(row: tuple[str | None, ...], place: int) -> str:
    if place > len(row) or (key := row[place - 1]) is None:
        raise NotationError(f"trade: no land lies at place {place}; the row has {len(row)}")
    return key


def _pioneers(state: Continent, seat: int, give: LandOf, get: LandOf) -> dict[str, list[Reply]]:
    own = [key for key in state.kingdoms[seat] if state.box.known(key).type == give.type]
    if not own:
        raise NotationError(f"give: there is no {give.type} in the kingdom to give")
    return {"pioneer": [Chosen((own[0],))], "bottom": [Revealed((_key(get),))]}


def _without(given: tuple[str, ...], once: tuple[str, ...]) -> tuple[Any, ...]:
    rest = list(given)
    for letter in once:
        rest.remove(letter)
    return tuple(rest)


# -- running the game's steps ------------------------------------------------------------------------------


def _run(state: Continent, steps: Sequence[Step[Any]], replies: Replies) -> Position:
    """Let steps run and answer what they ask, as long as the case says how."""
    at = open_position(state, [(step, ()) for step in steps])
    given = {key: list(each) for key, each in replies.items()}
    while at.question is not None and given.get(at.question.key):
        at = _advance(at, Answer(at.question.key, given[at.question.key].pop(0)), at.told)
    return at


def _advance(at: Position, answer: Answer, told: tuple[Any, ...]) -> Position:
    after = advance(at, answer)
    if isinstance(after, Refusal):
        cites = " ".join(map(str, after.cites))
        values = dict(after.text.values)
        found, allowed = values.get("found", answer.reply), values.get("allowed", "another answer")
        raise NotationError(f"{answer.to}: found {found}, expected {allowed} ({cites})")
    return replace(after, told=(*told, *after.told))


def _take(state: Continent, land: LandOf, name: str = "new", is_paid: bool = True) -> Position:
    """Let the active player take a land that lies in the first row."""
    key = _key(land, name, is_paid)
    row = (*(each for each in state.first if each is not None), key)
    return _run(replace(state, first=row), (LandAction(),), {"take": [Chosen((key,))]})


def _take_place(state: Continent, place: int) -> Position:
    return _run(state, (LandAction(),), {"take": [Chosen((_at(state.first, place),))]})


def _points(at: Position, seat: int | None = None) -> int:
    return sum(_gained(at, seat))


def _gained(at: Position, seat: int | None = None, why: tuple[str, ...] = ()) -> list[int]:
    return [
        ruled.effect.points
        for ruled in at.told
        if isinstance(ruled.effect, PointsGained)
        and seat in (None, ruled.effect.seat)
        and (not why or ruled.effect.why in why)
    ]


def _types(state: Continent, row: Iterable[str | None]) -> list[str]:
    return [state.box.known(key).type for key in row if key is not None]


def _seating(doc: Any) -> tuple[str, ...]:
    """Return the players of a case: as they sit, or everybody that is named, at least two."""
    if seating := getattr(doc, "seating", ()):
        if len(set(seating)) != len(seating) or len(seating) < 2:
            raise NotationError(f"seating: found {', '.join(seating)}, expected two to five different seats")
        return tuple(seating)
    if isinstance(doc, RoundEndDocument):
        return tuple(SEATS[: doc.players])
    named = {getattr(doc, "active", None), getattr(doc, "named", None)}
    for field in ("vp", "kingdoms", "initiatives", "clans"):
        named |= set(getattr(doc, field, {}))
    named |= {*(getattr(doc, "shown", ())), *(getattr(doc, "fighter_in_hand", None) or ())}
    last = max((SEATS.index(letter) for letter in named if letter is not None), default=0)
    return tuple(SEATS[: max(2, last + 1)])


_TURN_ASKS = ("vp", "reward", "land_reward", "row_1", "row_2", "deck_top", "lands", "hand", "order")
PROBES: dict[str, Probe] = {
    "land": Probe(LandDocument, Any, ("reward",), _land, _seating),
    "land_sequence": Probe(SequenceDocument, Any, ("rewards",), _land_sequence, _seating),
    "pioneer": Probe(PioneerDocument, Any, ("reward", "lands"), _pioneer, _seating),
    "order": Probe(OrderDocument, Any, ("order", "reward"), _order, _seating),
    "artisan_tie": Probe(OrderDocument, Any, ("order", "reward"), _order, _seating),
    "vp": Probe(TurnDocument, Any, _TURN_ASKS, _turn, _seating),
    "effect": Probe(TurnDocument, Any, _TURN_ASKS, _turn, _seating),
    "rows": Probe(TurnDocument, Any, _TURN_ASKS, _turn, _seating),
    "turn": Probe(TurnDocument, Any, _TURN_ASKS, _turn, _seating),
    "round_end": Probe(RoundEndDocument, Any, ("row_1", "row_2", "hands"), _round_end, _seating),
    "final": Probe(FinalDocument, Any, ("vp", "winner"), _final, _seating),
}
