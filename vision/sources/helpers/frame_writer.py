"""The camera's end of the frame pipe: pictures into shared memory, a line of JSON for each.

Only the standard library is used, since the program for the Pi's camera runs under the system's Python.

The parent passes a memory file (`--memory FD`) of `--slots` places of `--room` bytes each. For each
picture the helper writes into a free place and then says on standard output

    {"slot": 0, "width": 1280, "height": 720, "format": "bgr", "at": 1234.5}

`format` is `bgr` (height x width x 3 bytes) or `yuv420` (planes Y, U, V), `at` the time of the exposure
by the monotonic clock. A place belongs to the parent until it says `free 0` on standard input; a picture
for which no place is free is dropped. `lock` and `unlock` keep exposure, white balance and focus as they are,
or let go of them. A helper that cannot go on says `{"error": "...", "named": "unplugged"}` and ends; it ends as
well when its standard input does, so none outlives the companion.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import sys
import threading
from collections.abc import Callable


def arguments(description: str) -> argparse.ArgumentParser:
    """Return a parser for what every helper is told: the memory, and the size that is wanted."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--memory", type=int, required=True, help="file descriptor of the shared memory")
    parser.add_argument("--slots", type=int, default=3, help="how many pictures fit")
    parser.add_argument("--room", type=int, required=True, help="bytes for each of them")
    parser.add_argument("--size", type=_size, default=(1280, 720), help="WIDTHxHEIGHT")
    return parser


def _size(words: str) -> tuple[int, int]:
    width, _, height = words.partition("x")
    return int(width), int(height)


class FrameWriter:
    """Hands pictures to the parent process."""

    def __init__(self, memory: int, slots: int, room: int, obey: Callable[[str], None] = lambda word: None) -> None:
        """Begin to listen to the parent.

        :param obey: is called with `lock` or `unlock`, in a thread of its own.
        """
        self.room = room
        self._memory = mmap.mmap(memory, slots * room)
        self._free = set(range(slots))
        self._lock = threading.Lock()
        self._obey = obey
        threading.Thread(target=self._listen, name="parent", daemon=True).start()

    def write(self, picture: bytes | memoryview, width: int, height: int, kind: str, at: float) -> bool:
        """Hand a picture on; tell whether there was room for it."""
        with self._lock:
            if not self._free:
                return False
            slot = self._free.pop()
        flat = memoryview(picture).cast("B")
        if len(flat) > self.room:
            fail(f"a picture of {width} x {height} pixels does not fit; choose a smaller size")
        start = slot * self.room
        self._memory[start : start + len(flat)] = flat
        _say({"slot": slot, "width": width, "height": height, "format": kind, "at": at})
        return True

    def _listen(self) -> None:
        for line in sys.stdin:
            word, _, number = line.strip().partition(" ")
            if word == "free":
                with self._lock:
                    self._free.add(int(number))
            elif word:
                self._obey(word)
        os._exit(0)  # a read that hangs in a driver would hold up an orderly end


def fail(says: str, named: str = "failed") -> None:
    """Say why there are no pictures any more, and end."""
    _say({"error": says, "named": named})
    os._exit(1)


def _say(words: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()
