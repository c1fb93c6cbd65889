"""What travelled on the dock's line, written down, and read again through the same decoder.

One JSON object a line: `{"at": seconds, "way": "opened" | "in" | "out" | "closed", "bytes": hex}`, after
a first line that names the session the link began with. The same bytes at the same times give the same
observations: a bug report is a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

import msgspec

from companion.table.observation import Observation
from hardware.link import Link
from hardware.readings import DockReadings
from hardware.serial_link import Way
from hardware.wiring import TableWiring


class Beginning(msgspec.Struct, frozen=True, tag="dock line", tag_field="recording"):
    """The first line of a recording."""

    first_session: int


class Travelled(msgspec.Struct, frozen=True):
    """One line: something that happened on the port, `at` seconds of the table's clock."""

    at: float
    way: Way
    bytes: str = ""


class RecordingError(ValueError):
    """The file is no recording; says which line, and what was expected."""


class Recorder:
    """Writes a recording; give it to `SerialLink` as its tap, together with the same `first_session`."""

    def __init__(self, file: TextIO, first_session: int) -> None:
        self._file = file
        self._write(Beginning(first_session))

    def __call__(self, at: float, way: Way, travelled: bytes) -> None:
        """Write one line."""
        self._write(Travelled(at, way, travelled.hex()))

    def _write(self, line: msgspec.Struct) -> None:
        self._file.write(msgspec.json.encode(line).decode() + "\n")


class Playback:
    """The app's end of a line whose bytes were recorded: the link and the readings of a live table."""

    def __init__(self, wiring: TableWiring, first_session: int) -> None:
        self._link = Link(first_session)
        self._readings = DockReadings(wiring)

    def take(self, at: float, way: Way, travelled: bytes = b"") -> list[Observation]:
        """Take the next thing that happened on the line; return what the table heard of it."""
        if way == "opened":
            self._link.opened(at)
        elif way == "closed":
            self._link.closed()
        elif way == "out":
            # What was due then keeps the link's session numbers in step; the bytes themselves were sent.
            self._link.outgoing(at)
        else:
            heard = (self._readings.read(report, at) for report in self._link.receive(travelled, at))
            return [observation for observation in heard if observation is not None]
        return []


def play(lines: Iterable[str], wiring: TableWiring) -> Iterator[Observation]:
    """Read a recording and give what the table heard, in order.

    :raises RecordingError: if a line is no part of a recording; what came before it was given already.
    """
    playback: Playback | None = None
    for number, line in enumerate(lines, start=1):
        try:
            if playback is None:
                playback = Playback(wiring, msgspec.json.decode(line, type=Beginning).first_session)
                continue
            travelled = msgspec.json.decode(line, type=Travelled)
            raw = bytes.fromhex(travelled.bytes)
        except (msgspec.MsgspecError, ValueError) as error:
            expected = "a recording of a dock's line" if playback is None else "something that travelled"
            raise RecordingError(f"line {number}: {expected} was expected ({error}); the file is damaged") from None
        yield from playback.take(travelled.at, travelled.way, raw)
