"""What can be read off a table after a play: the projections of its cases. Nothing is reckoned here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.vaalbara.document import PositionDocument
from companion.games.vaalbara.effects import EffectEmpty, LandLaid, PointsGained, PointsTaken, TokensRevealed
from companion.games.vaalbara.pieces import SEATS
from companion.games.vaalbara.rewards import preview
from companion.games.vaalbara.state import Continent, Row
from companion.games.vaalbara.steps.ending import score
from companion.kernel import UNKNOWN, Finish, NotationError, Position, Ruled, Term

POSITION = PositionDocument
"""The record of a play's position."""
Words = tuple[str, ...]
Told = tuple[Ruled, ...]


def _vp(before: Position, now: Position, told: Told, words: Words) -> int:
    state: Continent = now.state
    return state.vp[_seat(state, words)]


def _points(before: Position, now: Position, told: Told, words: Words) -> Term:
    return score(now.state)[_seat(now.state, words)]


def _gained(before: Position, now: Position, told: Told, words: Words) -> list[int]:
    """Return what a seat got, one amount after the other."""
    seat = _seat(now.state, words)
    effects = (ruled.effect for ruled in told)
    return [each.points for each in effects if isinstance(each, PointsGained | PointsTaken) and each.seat == seat]


def _hand(before: Position, now: Position, told: Told, words: Words) -> int:
    state: Continent = now.state
    return state.hands[_seat(state, words)]


def _deck(before: Position, now: Position, told: Told, words: Words) -> int:
    state: Continent = now.state
    return state.decks[_seat(state, words)]


def _unplayed(before: Position, now: Position, told: Told, words: Words) -> int:
    return _hand(before, now, told, words) + _deck(before, now, told, words)


def _discard(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    state: Continent = now.state
    return list(state.discards[_seat(state, words)])


def _kingdom(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    state: Continent = now.state
    return list(state.kingdoms[_seat(state, words)])


def _first(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    return _row(now.state.first)


def _second(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    return _row(now.state.second)


def _row(row: Row) -> list[str]:
    return ["empty" if key is None else key for key in row]


def _per_row(before: Position, now: Position, told: Told, words: Words) -> list[int]:
    return [len(now.state.first), len(now.state.second)]


def _left(before: Position, now: Position, told: Told, words: Words) -> Any:
    return now.state.deck


def _laid(before: Position, now: Position, told: Told, words: Words) -> int:
    return sum(isinstance(ruled.effect, LandLaid) for ruled in told)


def _top(before: Position, now: Position, told: Told, words: Words) -> Any:
    return now.state.top


def _bottom(before: Position, now: Position, told: Told, words: Words) -> Any:
    return now.state.bottom


def _order(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    return [SEATS[seat] for seat in now.state.order]


def _turn(before: Position, now: Position, told: Told, words: Words) -> str:
    seat = now.state.active
    return "nobody" if seat is None else SEATS[seat]


def _asked(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    return sorted(question.key for question in now.questions)


def _round(before: Position, now: Position, told: Told, words: Words) -> int:
    number: int = now.state.round
    return number


def _clans(before: Position, now: Position, told: Told, words: Words) -> Any:
    clans = now.state.clans
    return UNKNOWN if clans is UNKNOWN else list(clans)


def _empty(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    """Return the characters whose effects brought nothing."""
    return [ruled.effect.character for ruled in told if isinstance(ruled.effect, EffectEmpty)]


def _preview(before: Position, now: Position, told: Told, words: Words) -> Term:
    """Return what a land would bring a seat: `preview A meadow-1`."""
    state: Continent = now.state
    if len(words) != 2 or words[1] not in state.first:
        raise NotationError(f"found {' '.join(words)!r}, expected a seat and a land of the first row")
    return preview(state, _seat(state, words[:1]), words[1])


def _open(before: Position, now: Position, told: Told, words: Words) -> bool:
    return any(isinstance(ruled.effect, TokensRevealed) for ruled in told)


def _winner(before: Position, now: Position, told: Told, words: Words) -> str:
    found = next((ruled.effect.winner for ruled in told if isinstance(ruled.effect, Finish)), None)
    return "nobody" if found is None else SEATS[found]


PROJECTIONS: dict[str, Callable[[Position, Position, Told, Words], Any]] = {
    "vp of": _vp,
    "points of": _points,
    "gained by": _gained,
    "hand of": _hand,
    "clan deck of": _deck,
    "unplayed of": _unplayed,
    "discard of": _discard,
    "kingdom of": _kingdom,
    "first row": _first,
    "second row": _second,
    "per row": _per_row,
    "lands left": _left,
    "laid out": _laid,
    "top": _top,
    "bottom": _bottom,
    "order": _order,
    "turn": _turn,
    "asked": _asked,
    "round": _round,
    "clans": _clans,
    "brought nothing": _empty,
    "preview": _preview,
    "tokens open": _open,
    "winner": _winner,
}
"""Each with the word that may follow it: a seat (`A`), a seat and a land (`A meadow-1`)."""


def _seat(state: Continent, words: Words) -> int:
    if len(words) != 1 or words[0] not in state.letters:
        raise NotationError(f"found {' '.join(words)!r}, expected a seat, one of {', '.join(state.letters)}")
    return state.letters.index(words[0])
