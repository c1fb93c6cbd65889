"""What travelled on the dock's line, read from a file and heard again through the same decoder.

One JSON object a line: `{"at": seconds, "way": "opened" | "in" | "out" | "closed", "bytes": hex}`, after
a first line that says in which state the link began. The same bytes at the same times give the same
observations: a bug report is a file. `hardware/flight.py` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from companion.table.observation import Observation
from hardware.link import Checkpoint, Link
from hardware.readings import DockReadings
from hardware.wiring import TableWiring

Way = Literal["opened", "in", "out", "closed"]


class Beginning(msgspec.Struct, frozen=True, tag="dock line", tag_field="recording"):
    """The first line of a recording: the state of the link at a moment, in seconds of the table's clock."""

    link: Checkpoint
    at: float


class Travelled(msgspec.Struct, frozen=True):
    """One line: something that happened on the port, `at` seconds of the table's clock."""

    at: float
    way: Way
    bytes: str = ""


class RecordingError(ValueError):
    """The file is no recording; says which line, and what was expected."""


class Playback:
    """The app's end of a line whose bytes were recorded: the link and the readings of a live table."""

    def __init__(self, wiring: TableWiring, first_session: int = 1) -> None:
        self.link = Link(first_session)
        self._readings = DockReadings(wiring)

    def begin(self, beginning: Beginning) -> None:
        """Bring the link into the state in which the recording began.

        :raises ValueError: if there is no such state.
        """
        self.link.resume(beginning.link, beginning.at)
        if beginning.link.welcome is not None:
            self._readings.read(beginning.link.welcome, beginning.at)

    def take(self, at: float, way: Way, travelled: bytes = b"") -> list[Observation]:
        """Take the next thing that happened on the line; return what the table heard of it."""
        if way == "opened":
            self.link.opened(at)
        elif way == "closed":
            self.link.closed()
        elif way == "out":
            # What was due then keeps the link's session numbers in step; the bytes themselves were sent.
            self.link.outgoing(at)
        else:
            reports = self.link.receive(travelled, at)
            return [observation for report in reports for observation in self._readings.read(report, at)]
        return []


def play(lines: Iterable[str], playback: Playback) -> Iterator[Observation]:
    """Read a recording and give what the table heard, in order.

    :raises RecordingError: if a line is no part of a recording; what came before it was given already.
    """
    number = 0
    for number, line in enumerate(lines, start=1):
        try:
            if number == 1:
                playback.begin(msgspec.json.decode(line, type=Beginning))
                continue
            travelled = msgspec.json.decode(line, type=Travelled)
            raw = bytes.fromhex(travelled.bytes)
        except (msgspec.MsgspecError, ValueError) as error:
            expected = "a recording of a dock's line" if number == 1 else "something that travelled"
            raise RecordingError(f"line {number}: {expected} was expected ({error}); the file is damaged") from None
        yield from playback.take(travelled.at, travelled.way, raw)
    if not number:
        raise RecordingError("the file is empty; a recording of a dock's line was expected")
