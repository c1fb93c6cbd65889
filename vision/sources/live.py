"""A camera that is never waited for: one thread reads, another watches that it does.

Reading from a camera can block for ten seconds inside a driver, and a camera that says it is open need
not deliver anything. So the only fact that counts is the age of the newest picture: too old, and the
stream is ended and opened again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Picture
from vision.sources.source import SourceError, SourceState

FRESH_S = 1.5
"""A picture older than this no longer shows the present."""

REOPEN_S = 1.0
"""A stream without a new picture for this long is opened again."""

FIRST_WITHIN_S = 2.0
AGAIN_S = 0.5
"""A stream that could not be opened, or ended, is opened again after this."""

FROZEN_S = 2.0
"""Two equal pictures are luck, two seconds of them a hung camera: a sensor always makes some noise."""

BLACK_LEVEL = 16
WATCH_EVERY_S = 0.1
ABANDONED_AT_MOST = 4
PATIENCE_GROWS = 8
"""A camera that was given up before its first picture may take twice as long the next time, up to so many times
as long: a busy computer starts it slowly, and would never see it."""


class Shot(NamedTuple):
    """A picture, and when it was taken by the monotonic clock."""

    picture: Picture
    at: float


class Stream(Protocol):
    """An open camera.

    `read` may block, and returns None when the stream has ended. `abort` may be called from another thread, to
    make a `read` that blocks return; `close` comes last, from the reading thread.
    """

    def read(self) -> Picture | Shot | None: ...

    def abort(self) -> None: ...

    def close(self) -> None: ...


class LiveSource:
    """Keeps the newest picture of a stream that may hang, end, freeze or come back."""

    def __init__(
        self,
        name: str,
        open_stream: Callable[[], Stream],
        size: tuple[int, int] | None = None,
        clock: Callable[[], float] = time.monotonic,
        first_within: float = FIRST_WITHIN_S,
    ) -> None:
        """Prepare; nothing is opened before `start`.

        :param open_stream: opens the camera or raises `SourceError`; called in a thread of its own.
        :param size: the width and height that are expected, None for any.
        :param first_within: seconds that a stream may take for its first picture.
        """
        self.name = name
        self._open_stream, self._size, self._clock, self._first_within = open_stream, size, clock, first_within
        self._patience = first_within
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._watcher: threading.Thread | None = None
        self._readers: list[threading.Thread] = []
        self._generation = 0
        self._opened_at = self._came_at = 0.0
        self.stream: Stream | None = None
        """The stream that is read at present."""
        self._newest: Frame | None = None
        self._number = 0
        self._thumb: NDArray[np.uint8] | None = None
        self._changed_at = 0.0
        self._trouble: SourceState | None = None

    def start(self) -> None:
        if self._watcher is not None:
            return
        self._stopping.clear()
        self._watcher = threading.Thread(target=self._watch, name=f"watch {self.name}", daemon=True)
        self._watcher.start()

    def stop(self) -> None:
        watcher, self._watcher = self._watcher, None
        self._stopping.set()
        with self._lock:
            self._generation += 1
            self._newest = self._trouble = None
        self._abort()
        if watcher is not None:
            watcher.join(timeout=1.0)
        for reader in self._readers:
            reader.join(timeout=0.2)  # one that hangs in a driver is left behind; it closes its stream when it wakes
        self._readers = [reader for reader in self._readers if reader.is_alive()]

    def latest(self) -> Frame | None:
        with self._lock:
            newest = self._newest
        return newest if newest is not None and self._clock() - newest.at <= FRESH_S else None

    def state(self) -> SourceState:
        if self._watcher is None:
            return SourceState("waiting", f"{self.name} has not been started")
        now = self._clock()
        with self._lock:
            newest, trouble, changed_at = self._newest, self._trouble, self._changed_at
        if newest is None or now - newest.at > FRESH_S:
            if trouble is not None:
                return trouble
            if newest is None:
                return SourceState("waiting", f"waiting for the first picture of {self.name}")
            return SourceState(
                "frozen",
                f"{self.name} has sent no picture for {now - newest.at:.0f} s and is being opened again; "
                f"check its cable if this goes on",
            )
        if self._is_black():
            return SourceState(
                "black", f"the picture of {self.name} is black: take off the lens cap or switch on the light"
            )
        if now - changed_at > FROZEN_S:
            return SourceState(
                "frozen",
                f"{self.name} has sent the same picture for {now - changed_at:.0f} s and is being opened again; "
                f"unplug it and plug it in if this goes on",
            )
        if self._size is not None and newest.size != self._size:
            return SourceState(
                "wrong size",
                f"{self.name} sends {newest.size[0]} x {newest.size[1]} pixels, expected were "
                f"{self._size[0]} x {self._size[1]}; choose that size in the settings or use another camera",
            )
        return SourceState("ok")

    def _is_black(self) -> bool:
        return self._thumb is not None and int(self._thumb.max()) < BLACK_LEVEL

    def _watch(self) -> None:
        self._open()
        while not self._stopping.wait(WATCH_EVERY_S):
            now = self._clock()
            with self._lock:
                came = self._came_at >= self._opened_at
                since = now - max(self._came_at, self._opened_at)
                # Black pictures may well be all the same.
                frozen = came and now - self._changed_at > FROZEN_S and not self._is_black()
            dead = not self._readers or not self._readers[-1].is_alive()
            open_for = now - self._opened_at
            silent = since > (REOPEN_S if came else self._patience)
            if came:
                self._patience = self._first_within
            elif silent:
                self._patience = min(2 * self._patience, PATIENCE_GROWS * self._first_within)
            if silent or (dead and open_for > AGAIN_S) or (frozen and open_for > 2 * FROZEN_S):
                self._open()

    def _abort(self) -> None:
        """End the stream that is being read, however its reader hangs."""
        stream, self.stream = self.stream, None
        if stream is not None:
            stream.abort()

    def _open(self) -> None:
        self._readers = [reader for reader in self._readers if reader.is_alive()]
        if len(self._readers) >= ABANDONED_AT_MOST:
            self._trouble = SourceState("failed", f"{self.name} hangs; unplug it, wait a moment and plug it in again")
            return
        with self._lock:
            self._generation += 1
            generation = self._generation
        self._abort()
        self._opened_at = self._clock()
        reader = threading.Thread(target=self._read, args=(generation,), name=f"read {self.name}", daemon=True)
        self._readers.append(reader)
        reader.start()

    def _read(self, generation: int) -> None:
        try:
            stream = self._open_stream()
        except SourceError as error:
            self._tell_trouble(generation, error)
            return
        try:
            with self._lock:
                if generation == self._generation:
                    self.stream = stream
            while generation == self._generation and not self._stopping.is_set():
                taken = stream.read()
                if taken is None or not self._take(generation, taken):
                    break
        except SourceError as error:
            self._tell_trouble(generation, error)
        finally:
            stream.close()

    def _tell_trouble(self, generation: int, error: SourceError) -> None:
        with self._lock:
            if generation == self._generation:
                self._trouble = error.state

    def _take(self, generation: int, taken: Picture | Shot) -> bool:
        now = self._clock()
        picture, at = taken if isinstance(taken, Shot) else (taken, now)
        thumb = picture[::12, ::12].copy()
        with self._lock:
            if generation != self._generation:
                return False
            if self._thumb is None or thumb.shape != self._thumb.shape or not np.array_equal(thumb, self._thumb):
                self._thumb, self._changed_at = thumb, now
            self._came_at = now
            # A time stamp of another clock must not make the present old, nor the past new.
            self._newest = Frame(picture, self.name, min(max(at, now - 0.5), now), self._number)
            self._number += 1
            self._trouble = None
        return True
