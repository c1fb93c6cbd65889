"""What can be read off a duel's table after a play: the projections of its cases. Nothing is reckoned here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.games.allies.document import PositionDocument
from companion.games.allies.effects import (
    CardLaid,
    CardsDiscarded,
    CardsDrawn,
    Compared,
    PileTurned,
    RegionDealt,
    RoundBegun,
    TurnEnded,
    TurnSkipped,
)
from companion.games.allies.game import Allies
from companion.games.allies.state import COLUMNS, SEATS, SLOTS, Duel, Laid
from companion.games.allies.steps.ending import outcome, score
from companion.kernel import UNKNOWN, Effect, Finish, NotationError, Position, Ruled, Term, Unknown

POSITION = PositionDocument
"""The record of a play's position."""
Words = tuple[str, ...]
Told = tuple[Ruled, ...]
_WAYS = {1: "A", -1: "B", 0: "neutral"}


def _value(before: Position, now: Position, told: Told, words: Words) -> Any:
    laid = _card(now.state, words)
    return "no card" if laid is None else laid.value


def _facing(before: Position, now: Position, told: Told, words: Words) -> Any:
    laid = _card(now.state, words)
    return "no card" if laid is None else laid.facing


def _filled(before: Position, now: Position, told: Told, words: Words) -> list[int]:
    row = now.state.rows[_seat(words)]
    return [column + 1 for column in range(COLUMNS) if row[column] is not None]


def _free(before: Position, now: Position, told: Told, words: Words) -> list[int]:
    row = now.state.rows[_seat(words)]
    return [column + 1 for column in range(COLUMNS) if row[column] is None]


def _regions(before: Position, now: Position, told: Told, words: Words) -> dict[int, Any]:
    state: Duel = now.state
    found: dict[int, Any] = {}
    for column in _columns(words):
        region = state.regions[column]
        found[column + 1] = "empty" if region is None else {"card": region.key, "arrow": _WAYS[region.arrow]}
    return found


def _lying(before: Position, now: Position, told: Told, words: Words) -> str:
    """Return the one way in which the regions of all these columns lie, `mixed` if they differ."""
    ways = {region.arrow for column in _columns(words) if (region := now.state.regions[column])}
    return _WAYS[ways.pop()] if len(ways) == 1 else "mixed"


def _empty(before: Position, now: Position, told: Told, words: Words) -> int:
    regions: tuple[object, ...] = now.state.regions
    return regions.count(None)


def _dealt(before: Position, now: Position, told: Told, words: Words) -> list[int]:
    return [effect.column + 1 for _, effect in _rounds(before, told) if isinstance(effect, RegionDealt)]


def _kept(before: Position, now: Position, told: Told, words: Words) -> list[int]:
    """Return the columns whose region card lies there as it lay before the first move."""
    pairs = list(zip(before.state.regions, now.state.regions, strict=True))
    return [column + 1 for column, (was, is_) in enumerate(pairs) if was is not None and was == is_]


def _maximum(before: Position, now: Position, told: Told, words: Words) -> int | Unknown:
    state: Duel = now.state
    maximum = state.maximum[_seat(words)]
    return UNKNOWN if maximum is UNKNOWN else maximum + state.raised[_seat(words)]


def _hand(before: Position, now: Position, told: Told, words: Words) -> Any:
    return now.state.hands[_seat(words)]


def _deck(before: Position, now: Position, told: Told, words: Words) -> Any:
    return now.state.decks[_seat(words)]


def _region_deck(before: Position, now: Position, told: Told, words: Words) -> Any:
    return now.state.region_deck


def _drawn(before: Position, now: Position, told: Told, words: Words) -> int | Unknown:
    return _total(each.cards for _, each in _rounds(before, told) if isinstance(each, CardsDrawn) and _of(each, words))


def _discarded(before: Position, now: Position, told: Told, words: Words) -> int | Unknown:
    effects = [each for _, each in _rounds(before, told) if isinstance(each, CardsDiscarded) and _of(each, words)]
    return _total(count for each in effects for count in (each.row, each.hand))


def _removed(before: Position, now: Position, told: Told, words: Words) -> int:
    return len(now.state.removed)


def _place(before: Position, now: Position, told: Told, words: Words) -> str:
    places = Allies().pieces(now.state)
    card = " ".join(words)
    if card not in places:
        raise NotationError(f"found the card {card!r}, expected one that was seen: {', '.join(places)}")
    return places[card]


def _starters(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    found = [before.state.starter, *(each.starter for _, each in _rounds(before, told) if isinstance(each, RoundBegun))]
    return ["?" if seat is UNKNOWN else SEATS[seat] for seat in found]


def _starter(before: Position, now: Position, told: Told, words: Words) -> str | Unknown:
    seat = now.state.starter
    return UNKNOWN if seat is UNKNOWN else SEATS[seat]


def _last_card(before: Position, now: Position, told: Told, words: Words) -> str:
    laid = [each for round_, each in _rounds(before, told) if isinstance(each, CardLaid) and [str(round_)] == [*words]]
    if not laid:
        raise NotationError(f"found the round {' '.join(words)!r}, expected a round in which a card was laid")
    return SEATS[laid[-1].seat]


def _leads(before: Position, now: Position, told: Told, words: Words) -> str:
    (column,) = _columns(words)
    for _, each in _rounds(before, told):
        if isinstance(each, Compared) and each.column == column:
            return "nobody" if each.toward is None else SEATS[each.toward]
    raise NotationError(f"column {column + 1} was not fought out in this play")


def _turned(before: Position, now: Position, told: Told, words: Words) -> str:
    """Return when the cards won in a round were turned face down: the round and what was done last in it."""
    done = "stage 3"
    for round_, each in _rounds(before, told):
        if isinstance(each, PileTurned) and [str(each.round)] == [*words]:
            return f"round {round_ - 1}, over" if done == "over" else f"round {round_}, {done}"
        done = _DONE.get(type(each), done)
    return "not yet"


_DONE: dict[type[Effect], str] = {
    TurnEnded: "stage 3",
    TurnSkipped: "stage 3",
    CardsDiscarded: "stage 4",
    RoundBegun: "over",
}
"""What comes after an effect; the last turn of a round ends its stage 2."""


def _points(before: Position, now: Position, told: Told, words: Words) -> Term:
    return score(now.state)[_seat(words)]


def _winner(before: Position, now: Position, told: Told, words: Words) -> str:
    ends = [each for _, each in _rounds(before, told) if isinstance(each, Finish)]
    return outcome(now.state, ends[0]) if ends else "not yet"


PROJECTIONS: dict[str, Callable[[Position, Position, Told, Words], Any]] = {
    "value of": _value,
    "facing of": _facing,
    "filled in": _filled,
    "free in": _free,
    "regions": _regions,
    "regions lie": _lying,
    "regions empty": _empty,
    "regions dealt": _dealt,
    "regions kept": _kept,
    "region deck": _region_deck,
    "maximum of": _maximum,
    "hand of": _hand,
    "deck of": _deck,
    "drawn by": _drawn,
    "discarded by": _discarded,
    "removed": _removed,
    "place of": _place,
    "starter": _starter,
    "starters": _starters,
    "last card of round": _last_card,
    "leads in": _leads,
    "turned face down from round": _turned,
    "points of": _points,
    "winner": _winner,
}
"""Each with the words that may follow it: slots (`B1`), seats (`A`), columns (`1 4`), a card, a round."""


def _card(state: Duel, words: Words) -> Laid | None:
    at = " ".join(words)
    row, column = SLOTS.get(at, ("R", 0))
    if row == "R":
        raise NotationError(f"found the slot {at!r}, expected one in which tribe cards lie, such as A1")
    return state.rows[SEATS.index(row)][column]


def _seat(words: Words) -> int:
    if len(words) != 1 or words[0] not in SEATS:
        raise NotationError(f"found {' '.join(words)!r}, expected a seat, A or B")
    return SEATS.index(words[0])


def _of(effect: CardsDrawn | CardsDiscarded, words: Words) -> bool:
    return effect.seat == _seat(words)


def _columns(words: Words) -> list[int]:
    if not words or any(word not in "12345" for word in words):
        raise NotationError(f"found {' '.join(words)!r}, expected columns from 1 to {COLUMNS}")
    return [int(word) - 1 for word in words]


def _rounds(before: Position, told: Told) -> Iterator[tuple[int, Effect]]:
    """Yield every effect with the round it was told in."""
    round_ = before.state.round
    for ruled in told:
        if isinstance(ruled.effect, RoundBegun):
            round_ = ruled.effect.round
        yield round_, ruled.effect


def _total(counts: Iterator[int | Unknown]) -> int | Unknown:
    total = 0
    for count in counts:
        if count is UNKNOWN:
            return UNKNOWN
        total += count
    return total
