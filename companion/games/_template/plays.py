"""What can be read off a table of Pig after a play: the projections of its cases. Nothing is reckoned here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games._template.document import PositionDocument
from companion.games._template.pieces import SEATS
from companion.games._template.steps.ending import score
from companion.kernel import Finish, NotationError, Position, Ruled

POSITION = PositionDocument
"""The record of a play's position."""
Words = tuple[str, ...]
Told = tuple[Ruled, ...]


def _points(before: Position, now: Position, told: Told, words: Words) -> int:
    return score(now.state)[_seat(words)].points


def _stake(before: Position, now: Position, told: Told, words: Words) -> int:
    stake: int = now.state.stake
    return stake


def _turn(before: Position, now: Position, told: Told, words: Words) -> str:
    letter: str = now.state.letter
    return letter


def _bonus(before: Position, now: Position, told: Told, words: Words) -> str:
    card: str | None = now.state.bonus[_seat(words)]
    return "none" if card is None else card


def _pile(before: Position, now: Position, told: Told, words: Words) -> int:
    pile: int = now.state.pile
    return pile


def _winner(before: Position, now: Position, told: Told, words: Words) -> str:
    ends = [ruled.effect for ruled in told if isinstance(ruled.effect, Finish)]
    return "not yet" if not ends or ends[0].winner is None else SEATS[ends[0].winner]


PROJECTIONS: dict[str, Callable[[Position, Position, Told, Words], Any]] = {
    "points of": _points,
    "stake": _stake,
    "turn": _turn,
    "bonus of": _bonus,
    "pile": _pile,
    "winner": _winner,
}
"""Each with the word that may follow it: a seat (`A`)."""


def _seat(words: Words) -> int:
    if len(words) != 1 or words[0] not in ("A", "B"):
        raise NotationError(f"found {' '.join(words)!r}, expected a seat, A or B")
    return SEATS.index(words[0])
