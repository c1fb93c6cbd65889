"""From the edges of a contact to presses: pure code over timestamps, no pin, no clock, no thread.

A contact chatters for some milliseconds when it closes and again when it opens. A press counts once the
contact was closed for 1.5 ms without a break, and is over once it was open for 20 ms without a break.
So with a chatter of up to 4 ms at either end, a press of 10 ms is never lost, one press never counts
twice, and a spike below 1.5 ms is no press. (Ganssle, "A Guide to Debouncing", 2004, measured 1.6 ms of chatter
on average and, two broken switches apart, 6.2 ms at most.)

Times are those of the edges, in seconds. `settle` only tells that time has passed: whoever calls it
late, or never, gets the same presses at the next edge.
"""

from __future__ import annotations

import msgspec

from hardware.messages import Gesture

CLOSED_FOR = 0.0015
OPEN_FOR = 0.020
LONG_AFTER = 0.7
DOUBLE_WITHIN = 0.35


class Change(msgspec.Struct, frozen=True):
    """The contact is now believed closed or open, `at` the moment from which it did not break."""

    closed: bool
    at: float


class Debounce:
    """One contact. `closed` is its state when watching begins: a button held down is no press."""

    def __init__(self, closed: bool = False) -> None:
        self._believed = self._level = closed
        self._since = float("-inf")

    def edge(self, closed: bool, at: float) -> list[Change]:
        """The contact closed or opened at `at`; an edge that arrives late counts as just now."""
        at = max(at, self._since)
        changes = self.settle(at)
        if closed != self._level:
            self._level, self._since = closed, at
        return changes

    def settle(self, now: float) -> list[Change]:
        """Time has passed without an edge until `now`."""
        due = self.wake_at()
        if due is None or now < due:
            return []
        self._believed = self._level
        return [Change(self._believed, self._since)]

    def wake_at(self) -> float | None:
        """When `settle` has something to say; None if only an edge can change anything."""
        if self._level == self._believed:
            return None
        return self._since + (CLOSED_FOR if self._level else OPEN_FOR)


class GestureSeen(msgspec.Struct, frozen=True):
    """A gesture and the moment of its first contact."""

    gesture: Gesture
    at: float


class Gestures:
    """Tells short, long and double presses apart, as far as `wanted` needs it.

    If only the short press is wanted it is told at once. If a long one is wanted too, the short one is
    told when the button is let go; if a double one is wanted, when no second press followed in time.
    """

    def __init__(self, wanted: frozenset[Gesture]) -> None:
        self._wanted = wanted
        self._down_at: float | None = None
        self._waiting: float | None = None

    def change(self, change: Change) -> list[GestureSeen]:
        """Take the next change of the contact."""
        seen = self.settle(change.at)
        if change.closed:
            if self._waiting is not None:
                seen.append(GestureSeen("double", self._waiting))
                self._waiting = None
            elif self._wanted <= {"short"}:
                seen.append(GestureSeen("short", change.at))
            else:
                self._down_at = change.at
        elif self._down_at is not None:
            if "double" in self._wanted:
                self._waiting = self._down_at
            else:
                seen.append(GestureSeen("short", self._down_at))
            self._down_at = None
        return self._only_wanted(seen)

    def settle(self, now: float) -> list[GestureSeen]:
        """Time has passed until `now`."""
        due = self.wake_at()
        if due is None or now < due:
            return []
        seen: list[GestureSeen] = []
        if self._down_at is not None:
            seen.append(GestureSeen("long", self._down_at))
        elif self._waiting is not None:
            seen.append(GestureSeen("short", self._waiting))
        self._down_at = self._waiting = None
        return self._only_wanted(seen)

    def wake_at(self) -> float | None:
        """When `settle` has something to say; None if only a change can."""
        if self._down_at is not None and "long" in self._wanted:
            return self._down_at + LONG_AFTER
        if self._waiting is not None:
            return self._waiting + DOUBLE_WITHIN
        return None

    def _only_wanted(self, seen: list[GestureSeen]) -> list[GestureSeen]:
        return [one for one in seen if one.gesture in self._wanted]
