"""From scans of a turn track to what the table hears of it: pure code over timestamps.

A scan is the code of the marker in every place, 0 for an empty one. A marker that slides, a hand above
the places and a weak magnet all make scans that differ; none of them is an answer. An order is told only
when every place showed the same in `EQUAL_SCANS` scans and all of them for `QUIET` seconds. If a marker is
missing that lay there before, somebody holds it, and the track is given `LIFTED` seconds.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Sequence

import msgspec

from companion.table.observation import MarkersSeen

EQUAL_SCANS = 3
QUIET = 1.0
LIFTED = 4.0
FLICKERS = 16
FLICKER_WITHIN = 8.0
"""A place that changed `FLICKERS` times within so many seconds has a weak magnet, or a marker that does not
lie in its place."""


_log = logging.getLogger(__name__)


class Place(msgspec.Struct, frozen=True):
    """What one scan says of a place: the marker's code (0: empty), how many scans it has been the same
    (255: longer), and a counter of its changes, modulo 256 where a dock counts them.
    """

    code: int
    stable: int = 255
    changes: int = 0


class TrackWatch:
    """Judges one scan after the other. `markers` names the marker of each code, code 1 first."""

    def __init__(self, witness: str, markers: Sequence[str]) -> None:
        self.problem = ""
        """What is wrong with the track, in a sentence; empty if nothing is."""
        self._witness, self._markers = witness, tuple(markers)
        self._codes: tuple[int, ...] | None = None
        self._since = 0.0
        self._told: tuple[int, ...] | None = None
        self._last: MarkersSeen | None = None
        self._after_gap = True
        self._changes: tuple[int, ...] = ()
        self._restless: list[deque[float]] = []

    def gap(self) -> None:
        """Nobody could see the track for a while: what is seen next is compared with the game."""
        self._after_gap, self._codes, self._last = True, None, None
        self._changes, self._restless = (), []

    def scan(self, places: Sequence[Place], at: float, evidence: str = "") -> MarkersSeen | None:
        """Take the next scan, made at `at` seconds; return what the table shall hear of it, None if nothing."""
        codes = tuple(place.code for place in places)
        if codes != self._codes:
            self._codes, self._since = codes, at
        self._note_changes(places, at)
        if (flickering := self._flickering(at)) is not None:
            return self._tell(at, evidence, f"Place {flickering + 1} of the track flickers. Lay its marker anew.")
        if not self._rests(places, at):
            return self._tell(at, evidence)
        problem = self._unreadable(codes)
        return self._tell(at, evidence, problem, settled=not problem)

    def wake_at(self) -> float | None:
        """When the next scan may say more if nothing changes; None if only a change can."""
        if self._codes is None or (self._last is not None and self._last.settled):
            return None
        return self._since + self._patience(self._codes)

    def _rests(self, places: Sequence[Place], at: float) -> bool:
        steady = all(place.stable >= EQUAL_SCANS for place in places)
        return steady and self._codes is not None and at - self._since >= self._patience(self._codes)

    def _patience(self, codes: tuple[int, ...]) -> float:
        lifted = self._told is not None and bool(Counter(filter(None, self._told)) - Counter(filter(None, codes)))
        return LIFTED if lifted else QUIET

    def _tell(self, at: float, evidence: str, problem: str = "", settled: bool = False) -> MarkersSeen | None:
        codes = self._codes or ()
        order = tuple(name_of(self._markers, code) for code in codes)
        seen = MarkersSeen(self._witness, at, order, settled, evidence, self._after_gap, problem)
        if problem and problem != self.problem:
            _log.warning("%s (%s)", problem, evidence or self._witness)
        self.problem = problem
        if self._last is not None and _same(seen, self._last):
            return None
        self._last = seen
        if settled:
            self._told, self._after_gap = codes, False
        return seen

    def _unreadable(self, codes: tuple[int, ...]) -> str:
        present = [code for code in codes if code]
        if len(present) > len(self._markers):
            return (
                f"{len(present)} markers lie on the track, and the wiring file names {len(self._markers)}. "
                "Take away what does not belong there."
            )
        for place, code in enumerate(codes):
            if code > len(self._markers):
                names = f"the wiring file names 1 to {len(self._markers)}"
                return f"The marker in place {place + 1} of the track has the code {code}, and {names}."
            if code and codes.index(code) != place:
                first = codes.index(code) + 1
                name = name_of(self._markers, code)
                return f"{name} lies in places {first} and {place + 1} of the track at once. Take one away."
        return ""

    def _note_changes(self, places: Sequence[Place], at: float) -> None:
        """A dock counts its changes, of which a snapshot may miss some; otherwise the codes tell."""
        changes = tuple(place.changes for place in places)
        if len(self._restless) != len(places):
            self._restless = [deque(maxlen=FLICKERS) for _ in places]
        elif len(self._changes) == len(places):
            for times, before, now in zip(self._restless, self._changes, changes, strict=True):
                times.extend([at] * min((now - before) % 256, FLICKERS))
        self._changes = changes

    def _flickering(self, at: float) -> int | None:
        for place, times in enumerate(self._restless):
            if len(times) == FLICKERS and at - times[0] <= FLICKER_WITHIN:
                return place
        return None


def name_of(markers: Sequence[str], code: int) -> str:
    """Return the marker with a code: "" for none, the code with a question mark for one that nobody named."""
    return markers[code - 1] if 0 < code <= len(markers) else f"?{code}" if code else ""


def _same(one: MarkersSeen, other: MarkersSeen) -> bool:
    """Return whether the table need not hear the second time: only time and evidence differ, or all is moving."""
    if (one.problem, one.settled) != (other.problem, other.settled):
        return False
    return not one.settled or (one.order == other.order and not one.after_gap)
