"""The simulated electricity: buttons whose contacts bounce, and a dock on a serial line.

The dock is the protocol's own model, talking to a link with session 1, so that the bytes it
sends are those that a link opened with `first_session=1` accepts when they are played again.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from typing import Literal

from companion.simulated.beats import Edge, SerialBytes
from hardware.dock import Dock
from hardware.link import Link
from hardware.wiring import SIX_FACES

Button = Literal["done", "undo", "yes", "no"]
DOCK_ID = "simulated-tray"
DICE = 2


class Buttons:
    """Every seat's buttons; edges wait here until their time has come."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._waiting: list[tuple[float, int, Edge]] = []
        self._count = 0

    def push(self, seat: int, button: Button, at: float) -> None:
        """Press and let go: 80 to 300 ms, each change with up to four bounces within 6 ms."""
        released = at + self._rng.uniform(0.08, 0.3)
        for moment, level in ((at, 0), (released, 1)):
            bounces = 2 * self._rng.randint(0, 2)
            times = sorted(moment + self._rng.uniform(0.0004, 0.006) for _ in range(bounces))
            for number, time in enumerate([moment, *times]):
                self._wait(Edge(round(time, 6), seat, button, 1 if (level + number) % 2 else 0))

    def until(self, end: float) -> Iterator[Edge]:
        """Yield the edges before `end`, in order."""
        while self._waiting and self._waiting[0][0] < end:
            yield heapq.heappop(self._waiting)[2]

    def _wait(self, edge: Edge) -> None:
        heapq.heappush(self._waiting, (edge.at, self._count, edge))
        self._count += 1


class DockLine:
    """A dock with a die tray, and with a marker track if it has places, heard through a serial line.

    `faces` are the labels of the dice's faces, code 1 first, `markers` those of the markers.
    """

    def __init__(
        self,
        rng: random.Random,
        dice: int = DICE,
        faces: tuple[str, ...] = SIX_FACES,
        markers: tuple[str, ...] = (),
        places: int = 0,
    ) -> None:
        boot_id = rng.randrange(1, 2**32)
        self._dock = Dock(DOCK_ID, boot_id=boot_id, dice=dice, slots=places)
        self._faces, self._markers, self._places = faces, markers, places
        self._link = Link(first_session=1)
        self._link.opened(0.0)

    def shake(self, at: float) -> None:
        """Dice are rolling."""
        self._dock.set_tray("moving", at)

    def throw(self, faces: tuple[str, ...], at: float) -> None:
        """Dice have come to rest."""
        self._dock.roll(tuple(self._faces.index(face) + 1 for face in faces), at)

    def set_markers(self, order: tuple[str, ...], at: float) -> None:
        """Markers lie in this order now, first place first."""
        for place in range(self._places):
            marker = order[place] if place < len(order) else ""
            self._dock.place(place, self._markers.index(marker) + 1 if marker else 0, at)

    def heard(self, at: float) -> SerialBytes | None:
        """Let both ends talk; return what came from the dock."""
        self._dock.receive(self._link.outgoing(at), at)
        sent = self._dock.outgoing(at)
        self._link.receive(sent, at)
        return SerialBytes(at, sent) if sent else None
