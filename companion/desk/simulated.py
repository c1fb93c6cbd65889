"""A simulated room in real time: its camera, buttons and die tray are told from real ones by nobody.

What reaches the desk are pictures, edges on virtual pins, and the bytes of the tray.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.desk.room import CACHE
from companion.presenters.choosing import NAMES
from companion.sets.owner import CardSet, proxy_set
from companion.simulated.beats import Edge, Frame, SerialBytes
from companion.simulated.table import SimulatedTable
from companion.table.ports import Health, Observe
from hardware.assembly import Electronics, assemble
from hardware.recording import Playback
from hardware.virtual import VirtualBoard
from hardware.wiring import FUNCTIONS, Input, Output, PinsName, SeatWiring, TableWiring
from vision.frame import Frame as CameraFrame
from vision.frame import Picture
from vision.sources import Source, SourceState

if TYPE_CHECKING:
    from hardware.boards import PinFactory

SEATS = 2
SHOW_EVERY_S = 0.2
READER_S = 2.0
"""A reader that takes longer for one picture is taken for none."""
TRAY_SESSION = 1
"""The simulated tray's bytes answer a link that greeted with this number."""


def _wiring() -> TableWiring:
    pins = iter(range(4, 28))
    return TableWiring(
        "mock",
        tuple(
            SeatWiring(tuple((name, Input("gpio", next(pins))) for name in FUNCTIONS), Output("gpio", next(pins)))
            for _ in range(SEATS)
        ),
    )


class SimulatedCamera:
    """The source of the simulated pictures."""

    name = "the simulated camera"

    def __init__(self) -> None:
        self._newest: CameraFrame | None = None
        self._count = 0
        self._taken = threading.Event()
        self._is_read = False

    def show(self, picture: Picture, at: float) -> None:
        """Expose a picture at a second of the simulated clock."""
        self._taken.clear()
        self._newest = CameraFrame(picture, self.name, at, self._count)
        self._count += 1

    def wait_for_reader(self) -> None:
        """Let whoever reads the pictures take the newest one, on a machine that is slower than the evening."""
        if self._is_read:
            self._is_read = self._taken.wait(READER_S)

    def start(self) -> None:
        """Nothing is to be opened."""

    def stop(self) -> None:
        """Nothing is to be given back."""

    def latest(self) -> CameraFrame | None:
        self._is_read = True
        self._taken.set()
        return self._newest

    def state(self) -> SourceState:
        if self._newest is None:
            return SourceState("waiting", f"waiting for the first picture of {self.name}")
        return SourceState("ok")


class SimulatedTray:
    """The die tray's end of the line: its bytes through the real link and the real readings."""

    name = "dock"

    def __init__(self, wiring: TableWiring) -> None:
        self._wiring = wiring
        self._observe: Observe | None = None
        self.plug()

    def plug(self) -> None:
        """Open the line afresh."""
        self._line = Playback(self._wiring, TRAY_SESSION)
        self._line.take(0.0, "opened")

    def pass_time(self, at: float) -> None:
        """Let the link say what is due at `at`, seconds of the simulated evening."""
        self._line.take(at, "out")

    def hear(self, at: float, sent: bytes) -> None:
        """Take bytes from the tray."""
        for observation in self._line.take(at, "in", sent):
            if self._observe is not None:
                self._observe(observation)

    def start(self, observe: Observe) -> None:
        self._observe = observe

    def stop(self) -> None:
        self._observe = None

    def health(self) -> Health:
        return Health("ok") if self._observe is not None else Health("off", "The dock is not being listened to.")


class SimulatedRoom:
    """One simulated evening, played from its beginning for every game that is begun.

    The players wait while nobody watches, and the clock stands while the machine is too slow for them.
    `home` is a folder of its own, apart from real games; drawings are kept where `lasting`, the real
    home, keeps them.
    """

    def __init__(self, seed: int, home: Path, lasting: Path | None = None) -> None:
        self.home, self.cache, self._seed = home, (lasting or home) / CACHE, seed
        self._table = SimulatedTable(seed)
        self.names = (*self._table.evening.names, *(name for name in NAMES if name not in self._table.evening.names))
        self._now, self._moved_at = 0.0, time.monotonic()
        self._wiring = wiring = _wiring()
        self._board = VirtualBoard(wiring, self.clock)
        self._camera, self._tray = SimulatedCamera(), SimulatedTray(wiring)
        self._going = threading.Event()
        self._stopping = threading.Event()
        self._film: threading.Thread | None = None

    def clock(self) -> float:
        return self._now

    def source(self) -> tuple[Source | None, str]:
        if self._film is None:
            self._shoot()
        return self._camera, ""

    def electronics(self) -> tuple[Electronics, str]:
        wired = assemble(self._wiring, self._board.factory)
        return Electronics((*wired.witnesses, self._tray), wired.markers), ""

    def pins(self, name: PinsName) -> PinFactory:
        return self._board.factory

    def cards(self, game: str) -> tuple[CardSet, Path | None]:
        return proxy_set(game), None

    def begin(self) -> None:
        self.stop()
        self._table = SimulatedTable(self._seed)
        self._tray.plug()
        self._shoot()

    def hold(self, held: bool) -> None:
        (self._going.clear if held else self._going.set)()

    def stop(self) -> None:
        film, self._film = self._film, None
        self._stopping.set()
        if film is not None:
            film.join()

    def _shoot(self) -> None:
        self._going.clear()
        self._stopping = threading.Event()
        self._film = threading.Thread(
            target=self._play, args=(self._table, self._stopping), name="simulated table", daemon=True
        )
        self._film.start()

    def _play(self, table: SimulatedTable, stopping: threading.Event) -> None:
        """Play the beats, none before its time; a slow machine plays slowly and drops nothing."""
        held = self._now
        picture: Picture | None = None
        for beat in table.beats():
            held += self._wait_while_held(picture, stopping)
            ahead = beat.at + held - self._now
            if stopping.wait(max(0.0, ahead - (time.monotonic() - self._moved_at))):
                return
            self._move_clock(max(self._now, beat.at + held))
            match beat:
                case Frame():
                    picture = beat.picture()
                    self._camera.wait_for_reader()
                    self._camera.show(picture, self._now)
                    self._tray.pass_time(beat.at)
                case Edge():
                    self._board.drive(beat.seat, beat.button, beat.pressed)
                case SerialBytes():
                    self._tray.hear(beat.at, beat.bytes)
        while picture is not None and not stopping.wait(SHOW_EVERY_S):
            self._show_again(picture)

    def _wait_while_held(self, picture: Picture | None, stopping: threading.Event) -> float:
        """Show the same picture while nobody watches; return for how many seconds."""
        since = self._now
        while picture is not None and not self._going.is_set() and not stopping.wait(SHOW_EVERY_S):
            self._show_again(picture)
        return self._now - since

    def _show_again(self, picture: Picture) -> None:
        self._move_clock(self._now + SHOW_EVERY_S)
        self._camera.show(picture, self._now)

    def _move_clock(self, now: float) -> None:
        self._now, self._moved_at = now, time.monotonic()
