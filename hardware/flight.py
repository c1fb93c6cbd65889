"""The flight recorder of the dock's line: every byte with its time, in a ring of bounded size.

It costs nothing while all is well. When the dock falls silent, is pulled out or turns out to be another
one, the ring is written to a file, of which a few are kept. `hardware/recording.py` plays such a file.

The ring is made of segments. Each begins with a checkpoint of the link, so that what is left after older
segments were dropped can still be played: the link that plays it knows its session.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import msgspec

from hardware.link import Checkpoint
from hardware.recording import Beginning, Travelled, Way

LIMIT = 512 * 1024
"""Bytes of the ring, as they are written: about an hour of an idle dock with eight slots."""
SEGMENTS = 8
FILES = 10
AGAIN_AFTER = 60.0
"""Seconds within which the same trouble is written down once only."""

_log = logging.getLogger(__name__)


class _Segment:
    def __init__(self, beginning: bytes) -> None:
        self.lines = [beginning]
        self.size = len(beginning)


class FlightRecorder:
    """Notes what travels; writes it down on trouble, into `folder`, or on demand. May be used by two threads.

    `checkpoint` returns the state of the link whose line it is.
    """

    def __init__(self, checkpoint: Callable[[], Checkpoint], folder: Path | None = None, limit: int = LIMIT) -> None:
        self._checkpoint = checkpoint
        self._folder = folder
        self._segment_limit = limit // SEGMENTS
        self._segments: deque[_Segment] = deque(maxlen=SEGMENTS)
        self._saved_at: dict[str, float] = {}
        self._lock = threading.Lock()

    def note(self, at: float, way: Way, travelled: bytes = b"") -> None:
        """Keep what just happened; call it before the link is told of what came in, was opened or closed."""
        line = msgspec.json.encode(Travelled(at, way, travelled.hex()))
        with self._lock:
            full = not self._segments or self._segments[-1].size + len(line) > self._segment_limit
            # What goes out has changed the link already, so a segment cannot begin with it.
            if not self._segments or (full and way != "out"):
                self._segments.append(_Segment(msgspec.json.encode(Beginning(self._checkpoint(), at))))
            self._segments[-1].lines.append(line)
            self._segments[-1].size += len(line) + 1

    def write(self, file: Path) -> int:
        """Write the ring to a file, whole or not at all; return the number of its lines.

        :raises OSError: if it cannot be written.
        """
        with self._lock:
            # Only the first checkpoint is needed: what follows leads to the next one.
            segments = list(self._segments) or [_Segment(msgspec.json.encode(Beginning(self._checkpoint(), 0.0)))]
        lines = segments[0].lines[:1] + [line for segment in segments for line in segment.lines[1:]]
        fresh = file.with_name(file.name + ".new")
        fresh.write_bytes(b"".join(line + b"\n" for line in lines))
        fresh.replace(file)
        return len(lines)

    def save(self, trouble: str, now: float) -> None:
        """Write the ring into the folder because of `trouble`, unless that was done a moment ago; never raises."""
        if self._folder is None or now - self._saved_at.get(trouble, float("-inf")) < AGAIN_AFTER:
            return
        self._saved_at[trouble] = now
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = self._free_name(time.strftime(f"dock-%Y%m%d-%H%M%S-{trouble}", time.gmtime()))
            self.write(file)
            for old in sorted(self._folder.glob("dock-*.jsonl"), key=lambda each: each.stat().st_mtime)[:-FILES]:
                old.unlink()
        except OSError as error:
            _log.warning("what travelled on the dock's line could not be kept: %s", os.strerror(error.errno or 0))
        else:
            _log.info("what travelled on the dock's line is in %s", file)

    def _free_name(self, name: str) -> Path:
        # A Pi without a clock starts at the same moment every time.
        folder = self._folder or Path()
        return next(
            file
            for number in range(1, 1_000_000)
            if not (file := folder / (f"{name}.jsonl" if number == 1 else f"{name}-{number}.jsonl")).exists()
        )
