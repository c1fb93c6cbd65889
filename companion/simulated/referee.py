"""The simulated players' own bookkeeping, written apart from the engine.

This is the second opinion that the engine's result is compared with, so it shares no code with the
engine: it sees cards as they lie (quarter turns) and reckons on an integer line instead of steps.
Default readings of the ambiguities throughout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from companion.simulated.cards import CASTLE, TribeCard

SEAT_NAMES = ("A", "B")
Standing = Literal["A", "B", "neutral", "empty"]

_REGION_TURN_TO_LINE = {2: 1, 0: -1, 1: 0, 3: 0}


def facing_sector(card: TribeCard, seat: int, turn: int) -> int:
    """Return the sector (1 to 4) that faces the middle row.

    `turn` counts quarter turns clockwise in the mat frame. Sectors run clockwise round the card and
    the arrow's sector is at the printed top (AL-05 to AL-07, AL-48).
    """
    towards_middle = 0 if seat == 0 else 2
    return (card.arrow - 1 + towards_middle - turn) % 4 + 1


def facing_value(card: TribeCard, seat: int, turn: int) -> int:
    """Return the value that faces the middle row (AL-58)."""
    return card.sectors[facing_sector(card, seat, turn) - 1]


def start_turn(seat: int) -> int:
    """Return the quarter turns of a card just laid: its arrow points at the middle row (AL-39)."""
    return 0 if seat == 0 else 2


def reachable_sector(sector: int, symbol: int) -> int:
    """Return the sector that faces the middle after a rotation by `symbol`, stopped by the barrier.

    AL-48 to AL-54; a rotation by two with one free sector turns one (AL-Q03).
    """
    return min(4, max(1, sector + symbol))


class Outcome(msgspec.Struct, frozen=True):
    """What becomes of one region card in stage 3: `line` is -1 at B, 0 neutral, 1 at A."""

    won_by: int | None
    line: int
    used: int
    lost: int


def fight(line: int, a: tuple[int, bool], b: tuple[int, bool]) -> Outcome:
    """Fight out one column: `a` and `b` are the value facing the region card and the crown.

    A missing card is `(0, False)` (AL-Q19). The card's way is a line from B's pile at -2 over B (-1),
    neutral (0) and A (1) to A's pile at 2, and each step is one unit of it (AL-59 to AL-69).
    """
    steps = a[0] - b[0]
    if steps == 0:
        steps = int(a[1]) - int(b[1])
    end = max(-2, min(2, line + steps))
    used = abs(end - line)
    won_by = {2: 0, -2: 1}.get(end)
    return Outcome(won_by, end if won_by is None else 0, used, abs(steps) - used)


def region_line(turn: int) -> int:
    """Return where a region card's arrow points: 1 at A, -1 at B, 0 at neither (AL-55)."""
    return _REGION_TURN_TO_LINE[turn % 4]


def hand_maximum(tribes: Sequence[str], won: Iterable[str], lost: Iterable[str]) -> int:
    """Return the hand maximum of the next round from the region kinds won and lost in this one.

    AL-74 to AL-77, never below zero (AL-Q20).
    """
    gain = sum(kind in tribes for kind in won)
    loss = sum(kind in tribes for kind in lost)
    return max(0, 5 + gain - loss)


def pile_points(kinds: Iterable[str]) -> int:
    """Return what a winning pile scores (AL-93, AL-94)."""
    count = Counter(kinds)
    castles = count.pop(CASTLE, 0)
    return 2 * count.total() - castles


def row_points(row: Mapping[str, tuple[str, int]], seat: int) -> int:
    """Return what the regions left in the middle row score for a seat (AL-95, AL-96, AL-Q14).

    `row` maps a column to the region's kind and line.
    """
    wanted = 1 if seat == 0 else -1
    return sum(kind != CASTLE and line == wanted for kind, line in row.values())


def winner(points: tuple[int, int], own_regions: tuple[int, int]) -> int | None:
    """Return the seat that wins, None for a draw (AL-97 to AL-99)."""
    mine, theirs = (points[0], own_regions[0]), (points[1], own_regions[1])
    return None if mine == theirs else int(mine < theirs)
