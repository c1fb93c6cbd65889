"""What happens to touches before a widget sees them: duplicates are dropped, the tap that wakes is swallowed.

Both are modules for Kivy's input pipeline: `process` takes and returns `(type, touch)` pairs, type
`begin`, `update` or `end`. Positions of touches are shares of the window, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Protocol


class TouchLike(Protocol):
    """The part of Kivy's MotionEvent that is looked at."""

    uid: int
    device: str
    sx: float
    sy: float
    time_start: float


Events = list[tuple[str, TouchLike]]


class DuplicateFilter:
    """On a Pi one finger may arrive through two input providers and press twice; the second is dropped.

    A touch is a duplicate if another device began one within `seconds` and within `distance` (a
    share of the window's width and height). Two quick taps of one device are two taps.
    """

    def __init__(self, seconds: float = 0.15, distance: float = 0.04) -> None:
        self._seconds, self._distance = seconds, distance
        self._begun: list[TouchLike] = []
        self._dropped: set[int] = set()

    def process(self, events: Events) -> Events:
        kept: Events = []
        for kind, touch in events:
            if kind == "begin":
                if self._is_duplicate(touch):
                    self._dropped.add(touch.uid)
                    continue
                self._begun = [old for old in self._begun if touch.time_start - old.time_start < self._seconds]
                self._begun.append(touch)
            elif touch.uid in self._dropped:
                if kind == "end":
                    self._dropped.discard(touch.uid)
                continue
            kept.append((kind, touch))
        return kept

    def _is_duplicate(self, touch: TouchLike) -> bool:
        return any(
            old.device != touch.device
            and abs(touch.time_start - old.time_start) < self._seconds
            and hypot(touch.sx - old.sx, touch.sy - old.sy) < self._distance
            for old in self._begun
        )


class WakeGuard:
    """While the screen sleeps, a tap wakes it and does nothing else."""

    def __init__(self, is_asleep: Callable[[], bool], wake: Callable[[], None]) -> None:
        self._is_asleep, self._wake = is_asleep, wake
        self._swallowed: set[int] = set()

    def process(self, events: Events) -> Events:
        kept: Events = []
        for kind, touch in events:
            if kind == "begin" and self._is_asleep():
                self._swallowed.add(touch.uid)
                self._wake()
                continue
            if touch.uid in self._swallowed:
                if kind == "end":
                    self._swallowed.discard(touch.uid)
                continue
            kept.append((kind, touch))
        return kept
