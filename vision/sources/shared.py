"""One recording for several readers: each sees every picture, and none runs far ahead of the others."""

from __future__ import annotations

import threading
from collections import deque

from vision.frame import Frame
from vision.sources.source import Playback, Source, SourceState

AHEAD_AT_MOST = 8
"""Pictures by which a reader may be ahead of the slowest one: so many are kept in memory."""


def share(source: Source, readers: int) -> tuple[Source, ...]:
    """Return a source for each reader: of a camera the camera itself, of a recording its pictures, all for each.

    Starting and stopping such a reader's recording joins and leaves; the recording itself is somebody else's to
    start and stop.
    """
    if not isinstance(source, Playback):
        return (source,) * readers
    reel = _Reel(source)
    return tuple(_View(reel) for _ in range(readers))


def leave(source: Source) -> None:
    """Hold up nobody who reads the same recording; a camera goes on for whoever looks next."""
    if isinstance(source, _View):
        source.stop()


class _Reel:
    """The pictures that were taken from a recording and not yet by all who read it."""

    def __init__(self, source: Playback) -> None:
        self.source = source
        self._lock = threading.Lock()
        self._kept: deque[Frame] = deque()
        self._taken = 0
        """How many pictures were taken from the recording."""
        self._places: dict[_View, int] = {}
        """How many of them each reader has had."""

    def join(self, view: _View) -> None:
        with self._lock:
            self._places.setdefault(view, self._taken)

    def leave(self, view: _View) -> None:
        with self._lock:
            self._places.pop(view, None)
            self._forget()

    def next(self, view: _View) -> Frame | None:
        """Return the next picture for a reader, None also while the others are too far behind."""
        with self._lock:
            place = self._places.setdefault(view, self._taken)
            if place == self._taken:
                if self._taken - min(self._places.values()) >= AHEAD_AT_MOST:
                    return None
                frame = self.source.next()
                if frame is None:
                    return None
                self._kept.append(frame)
                self._taken += 1
            else:
                frame = self._kept[place - self._taken]
            self._places[view] = place + 1
            self._forget()
            return frame

    def _forget(self) -> None:
        behind = min(self._places.values(), default=self._taken)
        while len(self._kept) > self._taken - behind:
            self._kept.popleft()


class _View:
    """What one reader sees of a shared recording."""

    def __init__(self, reel: _Reel) -> None:
        self._reel = reel
        self.name = reel.source.name
        self._current: Frame | None = None
        self._has_left = False

    def start(self) -> None:
        """Read along from the present picture on."""
        self._has_left = False
        self._reel.join(self)

    def stop(self) -> None:
        """Hold nobody up any more."""
        self._has_left = True
        self._reel.leave(self)

    def latest(self) -> Frame | None:
        """Return the next picture, the last one for ever."""
        return self.next() or self._current

    def next(self) -> Frame | None:
        frame = None if self._has_left else self._reel.next(self)
        self._current = frame or self._current
        return frame

    def state(self) -> SourceState:
        return self._reel.source.state()
