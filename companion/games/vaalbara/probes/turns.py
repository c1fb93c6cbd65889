"""A turn, or a part of one: the character's effect and the land action after it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.vaalbara.pieces import CHARACTERS, SEATS, START_VP, land_slot
from companion.games.vaalbara.probes.lands import pioneers
from companion.games.vaalbara.probes.running import gained, points_of, run, taken, taken_from, types_of
from companion.games.vaalbara.probes.tables import (
    all_have_played,
    as_character,
    by_seat,
    land_at,
    letters_of,
    seat_of,
    table,
)
from companion.games.vaalbara.state import Continent
from companion.games.vaalbara.stated import LandOf, TurnDocument
from companion.games.vaalbara.steps.characters import CharacterAction
from companion.games.vaalbara.steps.rounds import FindOrder
from companion.kernel import UNKNOWN, Chosen, Finding, Moved, NotationError, Placed, Reply, Setup, open_position


def turn(doc: TurnDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    seat = seat_of(doc.active, setup)
    state = _turn_state(doc, seat, setup)
    given = doc.shown
    told: list[Any] = []
    while True:  # once for each Fighter that is resolved
        showing = tuple(dict.fromkeys(given))
        at = run(state, (CharacterAction(),), _replies(doc, state, seat, setup, showing))
        if at.question is not None:
            return Finding({}, tuple(told) + at.told, open=at.question)
        told += at.told
        state = at.state
        given = _without(given, showing)
        if not given:
            break
    reward = points_of(at, seat)
    landed = None
    if doc.take != "none":
        is_paid = not {"vp", "land_reward"}.isdisjoint(asks)
        take = doc.take
        landed = taken(state, take, is_paid=is_paid) if isinstance(take, LandOf) else taken_from(state, take)
        told += landed.told
        state = landed.state
    ruling: dict[str, Any] = {
        "vp": {setup.seats[each]: points for each, points in enumerate(state.vp)},
        "reward": reward,
        "land_reward": 0 if landed is None else points_of(landed, seat),
        "row_1": types_of(state, state.first),
        "row_2": types_of(state, state.second),
        "deck_top": doc.deck_top or "unknown" if state.top is UNKNOWN else state.box.known(state.top).type,
        "order": letters_of(state.order, setup),
        "lands": len(state.kingdoms[seat]),
        "hand": state.hands[seat],
    }
    if doc.take != "none" and isinstance(doc.take, LandOf) and doc.character == "carpenter":
        late = sum(gained(landed, seat, ("carpenter",))) if landed is not None else 0
        ruling |= {"reward": reward + late, "land_reward": ruling["land_reward"] - late}
    return Finding(ruling, tuple(told))


def _turn_state(doc: TurnDocument, seat: int, setup: Setup) -> Continent:
    initiatives = dict(doc.initiatives)
    if doc.active not in initiatives:
        number = CHARACTERS.index(doc.character) + 1 if doc.initiative is None else doc.initiative
        initiatives[doc.active] = number
    elif doc.initiative not in (None, initiatives[doc.active]):
        found = f"{doc.initiative}, and {initiatives[doc.active]} for {doc.active} among the initiatives"
        raise NotationError(f"initiative: found {found}; state the same number in both")
    state = all_have_played(table(setup, doc.kingdoms), setup, initiatives, doc.clans, doc.signs)
    if missing := [
        setup.seats[each] for each in _must_have_played(state, doc.character, seat) if not state.played[each]
    ]:
        raise NotationError(
            f"initiatives: {missing[0]} is missing; the {doc.character} needs to know what it has played"
        )
    listed = [seat_of(letter, setup) for letter in initiatives]
    if doc.signs:
        order = open_position(state, [(FindOrder(), ())]).state.order
        order = tuple(each for each in order if each in listed)
    else:
        order = tuple(sorted(listed, key=lambda each: (state.initiative(each), listed.index(each))))
    state = as_character(state, seat, doc.character)
    holders = doc.fighter_in_hand
    gone = tuple(("fighter",) if holders is not None and letter not in holders else () for letter in setup.seats)
    rows = [tuple(f"{kind}-row{row}-{number}" for number, kind in enumerate(kinds))
            for row, kinds in ((1, doc.row_1), (2, doc.row_2))]  # fmt: skip
    return replace(
        state,
        vp=by_seat(doc.vp, START_VP, setup),
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
        replies["fighters"] = [Chosen(tuple(SEATS[seat_of(letter, setup)] for letter in showing))]
    if doc.named is not None:
        replies["bard"] = [Chosen((SEATS[seat_of(doc.named, setup)],))]
    if doc.returned is not None:
        replies["midwife"] = [Chosen((doc.returned,))]
    if doc.give is not None and doc.get is not None:
        replies |= pioneers(state, seat, doc.give, doc.get)
    trade = doc.trade
    if trade is not None and trade.row is not None and trade.card is not None:
        row, letter = (state.first, "F") if trade.row == 1 else (state.second, "S")
        replies["pathfinder"] = [Chosen((land_at(row, trade.card),))]
        if doc.deck_top is not None:
            replies["top"] = [Placed(f"{doc.deck_top}-top", land_slot(letter, trade.card - 1))]
    if trade is not None and trade.row_1 is not None and trade.row_2 is not None:
        land_at(state.first, trade.row_1), land_at(state.second, trade.row_2)
        replies["rider"] = [Moved(land_slot("F", trade.row_1 - 1), land_slot("S", trade.row_2 - 1), True)]
    return replies


def _without(given: tuple[str, ...], once: tuple[str, ...]) -> tuple[Any, ...]:
    rest = list(given)
    for letter in once:
        rest.remove(letter)
    return tuple(rest)
