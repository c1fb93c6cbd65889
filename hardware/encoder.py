"""From the edges of a rotary encoder to steps: pure code over timestamps, no pin, no clock, no thread.

Two contacts A and B close a quarter turn of the signal apart; which one leads tells the direction. Each
edge is a quarter forth or back, so a contact that chatters goes forth and back and counts nothing. A step
is told where the knob rests, at a detent, and only if at least half of its quarters were seen: a knob
turned half way and let go counts nothing. An edge that the system swallowed costs one step at most, once
the levels are read again.

Kernels report the edges of two lines not always in order (seen with libgpiod, one pair in 400), so edges
are kept for `REORDER` seconds and sorted by their time before they count.
"""

from __future__ import annotations

import bisect
from typing import Literal

REORDER = 0.002
QUARTERS = {(0, 1): 1, (1, 3): 1, (3, 2): 1, (2, 0): 1, (1, 0): -1, (3, 1): -1, (2, 3): -1, (0, 2): -1}
"""From one state of the contacts (A is bit 0, B is bit 1) to the next; A closes first when turned clockwise."""

Line = Literal["a", "b"]
PerStep = Literal[2, 4]
"""Edges from one detent to the next: most knobs have 4 and rest with both contacts open; some have 2 and
rest with both open or both closed."""


class Encoder:
    """One knob. `state` are its contacts when watching begins: bit 0 is A closed, bit 1 is B closed."""

    def __init__(self, state: int = 0, per_step: PerStep = 4) -> None:
        self._state = state
        self._rests = (0,) if per_step == 4 else (0, 3)
        self._per_step = per_step
        self._quarters = 0
        self._waiting: list[tuple[float, Line, bool]] = []

    def edge(self, line: Line, closed: bool, at: float) -> None:
        """One of the contacts closed or opened at `at`; the edges of the two lines may come out of order."""
        bisect.insort(self._waiting, (at, line, closed), key=lambda edge: edge[0])

    def settle(self, now: float) -> int:
        """Return the steps that are certain by `now`: positive clockwise."""
        ripe = bisect.bisect_right(self._waiting, now - REORDER, key=lambda edge: edge[0])
        edges, self._waiting = self._waiting[:ripe], self._waiting[ripe:]
        return sum(self._turn(line, closed) for _, line, closed in edges)

    def wake_at(self) -> float | None:
        """When `settle` has something to say; None if only an edge can change anything."""
        return self._waiting[0][0] + REORDER if self._waiting else None

    @property
    def levels(self) -> dict[Line, bool]:
        """Whether each contact is closed, as far as its edges tell, those that wait included."""
        levels: dict[Line, bool] = {"a": bool(self._state & 1), "b": bool(self._state & 2)}
        return levels | {line: closed for _, line, closed in self._waiting}

    def _turn(self, line: Line, closed: bool) -> int:
        bit = 1 if line == "a" else 2
        after = self._state | bit if closed else self._state & ~bit
        self._quarters += QUARTERS.get((self._state, after), 0)
        self._state = after
        if after not in self._rests:
            return 0
        quarters, self._quarters = self._quarters, 0
        if 2 * abs(quarters) < self._per_step:
            return 0
        return 1 if quarters > 0 else -1
