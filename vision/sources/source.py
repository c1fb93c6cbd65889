"""What every source of pictures offers."""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

import msgspec

from vision.frame import Frame

Named = Literal["ok", "waiting", "unplugged", "frozen", "black", "wrong size", "failed"]


class SourceState(msgspec.Struct, frozen=True):
    """How a source is doing: a name for programs, and for people what is wrong and what to do.

    `says` is empty only while all is well.
    """

    named: Named
    says: str = ""


class SourceError(Exception):
    """A source cannot deliver; `state` names why, the message says what to do."""

    def __init__(self, says: str, named: Named = "failed") -> None:
        super().__init__(says)
        self.state = SourceState(named, says)


@runtime_checkable
class Source(Protocol):
    """Anything that delivers pictures. No call ever waits for a camera."""

    name: str

    def start(self) -> None:
        """Begin to deliver. Calling it twice is allowed."""

    def latest(self) -> Frame | None:
        """Return the newest picture, or None if there is none that still shows the present."""

    def state(self) -> SourceState:
        """Say how the source is doing right now."""

    def stop(self) -> None:
        """Give back device, connection and threads. Calling it twice is allowed."""


@runtime_checkable
class Playback(Source, Protocol):
    """A recording: the pictures come in order, one per call, without threads and without a clock.

    Two readers of one recording would each get half of its pictures: let them `share` it.
    """

    def next(self) -> Frame | None:
        """Return the next picture, or None after the last and when one cannot be read just now (see `state`).

        `Frame.at` counts from the first picture.
        """
