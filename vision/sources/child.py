"""A camera that is read by a process of its own: pictures by shared memory, never a read that cannot be ended.

The protocol is written down in `vision.sources.helpers.frame_writer`.
"""

from __future__ import annotations

import mmap
import os
import subprocess
from collections.abc import Sequence
from typing import get_args

import cv2
import msgspec
import numpy as np

from vision.sources.live import LiveSource, Shot
from vision.sources.source import Named, SourceError

SLOTS = 3
LARGEST = (1920, 1080)


class _Announced(msgspec.Struct, frozen=True):
    """A line of a helper: a picture in `slot`, or an `error`."""

    slot: int = -1
    width: int = 0
    height: int = 0
    format: str = ""
    at: float = 0.0
    error: str = ""
    named: str = "failed"


class ChildStream:
    """The pictures of one helper process."""

    def __init__(self, name: str, command: Sequence[str], size: tuple[int, int] = LARGEST) -> None:
        """Start the helper.

        :param command: program and arguments; memory, room and size are added
        :raises SourceError: if the program cannot be started.
        """
        self._name = name
        self._room = size[0] * size[1] * 3
        memory = os.memfd_create("pictures")
        try:
            os.ftruncate(memory, SLOTS * self._room)
            self._memory = mmap.mmap(memory, SLOTS * self._room)
            told = ["--memory", str(memory), "--slots", str(SLOTS), "--room", str(self._room)]
            told += ["--size", f"{size[0]}x{size[1]}"]
            self._process = subprocess.Popen(
                [*command, *told],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=(memory,),
            )
        except OSError as error:
            reason = (error.strerror or "unknown reason").lower()
            raise SourceError(f"{name} cannot be read: {command[0]} cannot be started ({reason})") from error
        finally:
            os.close(memory)

    def read(self) -> Shot | None:
        """Wait for the next picture; None when the helper has ended."""
        if self._process.stdout is None:
            return None
        line = self._process.stdout.readline()
        if not line:
            return None
        try:
            said = msgspec.json.decode(line, type=_Announced)
        except msgspec.DecodeError as error:
            raise SourceError(f"{self._name} cannot be understood ({error}); restart the companion") from error
        if said.error:
            raise SourceError(said.error, _named(said.named))
        picture = self._picture(said)
        self.tell(f"free {said.slot}")
        return Shot(picture, said.at)

    def _picture(self, said: _Announced) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        width, height = said.width, said.height
        rows = {"bgr": height * 3, "yuv420": height * 3 // 2}.get(said.format, 0)
        if not (0 <= said.slot < SLOTS and 0 < width * rows <= self._room):
            raise SourceError(f"{self._name} sends {width} x {height} pixels of {said.format!r}, which cannot be used")
        flat = np.frombuffer(self._memory, np.uint8, width * rows, said.slot * self._room)
        if said.format == "bgr":
            return flat.reshape(height, width, 3).copy()
        planes = flat.reshape(rows, width)
        return np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420), np.uint8)

    def tell(self, word: str) -> None:
        """Say a word to the helper; one that has ended hears nothing."""
        pipe = self._process.stdin
        if pipe is None:
            return
        try:
            pipe.write(f"{word}\n".encode())
            pipe.flush()
        except (OSError, ValueError):
            return  # the next read finds it ended

    def abort(self) -> None:
        """End the helper now; a read that waits for it returns."""
        self._process.kill()

    def close(self) -> None:
        """End the helper and give everything back."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue  # what was not written yet has nobody to read it


def _named(word: str) -> Named:
    names: dict[str, Named] = {name: name for name in get_args(Named)}
    return names.get(word, "failed")


class ChildCamera(LiveSource):
    """A camera behind a helper process. Subclasses say which."""

    def __init__(self, name: str, command: Sequence[str], size: tuple[int, int] | None, first_within: float) -> None:
        """Prepare; nothing is started before `start`.

        :param command: the helper's program and arguments
        :param size: the width and height that are expected, None for any.
        :param first_within: seconds that the camera may take for its first picture
        """
        self._command = tuple(command)
        self._held_light = False
        super().__init__(name, self._start_helper, size, first_within=first_within)

    def lock_light(self) -> None:
        """Keep exposure, white balance and focus as they are now, so that a card looks the same all evening."""
        self._held_light = True
        self._tell("lock")

    def unlock_light(self) -> None:
        """Let the camera find exposure and white balance again."""
        self._held_light = False
        self._tell("unlock")

    def _tell(self, word: str) -> None:
        stream = self.stream
        if isinstance(stream, ChildStream):
            stream.tell(word)

    def _start_helper(self) -> ChildStream:
        self._check()
        return ChildStream(self.name, self._command, self._size or LARGEST)

    def _check(self) -> None:
        """Look whether the camera can be there at all.

        :raises SourceError: if not.
        """
