"""A simulated room in real time: its camera, buttons, fingers and dock are told from real ones by nobody.

What reaches the desk are pictures, edges on virtual pins, touches, and the bytes of the dock.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.desk.room import CACHE
from companion.presenters.choosing import NAMES
from companion.sets.owner import CardSet, standard_set
from companion.simulated.beats import Edge, Frame, SerialBytes, TouchAt
from companion.simulated.playing import wiring_of
from companion.simulated.table import GAME as DUEL
from companion.simulated.table import Evening, Table
from companion.simulated.tables import dock_of, simulated_table
from companion.table.observation import Touch
from companion.table.ports import Health, Observe
from hardware.assembly import Electronics, assemble
from hardware.recording import Playback
from hardware.virtual import VirtualBoard
from hardware.wiring import PinsName, TableWiring
from vision.frame import Frame as CameraFrame
from vision.frame import Picture
from vision.sources import Source, SourceState

if TYPE_CHECKING:
    from hardware.boards import PinFactory

SHOW_EVERY_S = 0.2
READER_S = 2.0
"""A reader that takes longer for one picture is taken for none."""
DOCK_SESSION = 1
"""The simulated dock's bytes answer a link that greeted with this number."""


class SimulatedCamera:
    """The source of the simulated pictures."""

    name = "the simulated camera"

    def __init__(self) -> None:
        self._newest: CameraFrame | None = None
        self._count = 0
        self._news = threading.Condition()
        self._readers: set[int] = set()
        self._took: set[int] = set()

    def show(self, picture: Picture, at: float) -> None:
        """Expose a picture at a second of the simulated clock."""
        with self._news:
            self._took.clear()
            self._newest = CameraFrame(picture, self.name, at, self._count)
            self._count += 1

    def wait_for_reader(self) -> None:
        """Let all who read the pictures take the newest one, on a machine that is slower than the evening."""
        with self._news:
            if not self._news.wait_for(lambda: self._took >= self._readers, READER_S):
                self._readers = set(self._took)

    def start(self) -> None:
        """Nothing is to be opened."""

    def stop(self) -> None:
        """Nothing is to be given back."""

    def latest(self) -> CameraFrame | None:
        with self._news:
            self._readers.add(threading.get_ident())
            self._took.add(threading.get_ident())
            self._news.notify_all()
            return self._newest

    def state(self) -> SourceState:
        if self._newest is None:
            return SourceState("waiting", f"waiting for the first picture of {self.name}")
        return SourceState("ok")


class SimulatedDock:
    """The dock's end of the line: its bytes through the real link and the real readings."""

    name = "dock"

    def __init__(self, wiring: TableWiring) -> None:
        self._wiring = wiring
        self._observe: Observe | None = None
        self.plug()

    def plug(self) -> None:
        """Open the line afresh."""
        self._line = Playback(self._wiring, DOCK_SESSION)
        self._line.take(0.0, "opened")

    def pass_time(self, at: float) -> None:
        """Let the link say what is due at `at`, seconds of the simulated evening."""
        self._line.take(at, "out")

    def hear(self, at: float, sent: bytes) -> None:
        """Take bytes from the dock."""
        for observation in self._line.take(at, "in", sent):
            if self._observe is not None:
                self._observe(observation)

    def start(self, observe: Observe) -> None:
        self._observe = observe

    def stop(self) -> None:
        self._observe = None

    def health(self) -> Health:
        return Health("ok") if self._observe is not None else Health("off", "The dock is not being listened to.")


class Fingers:
    """The people's fingers on the screen: what has no place on the table is tapped there."""

    name = "fingers"

    def __init__(self) -> None:
        self._observe: Observe | None = None

    def tap(self, at: float, touch: TouchAt) -> None:
        """Answer a question on the screen."""
        if self._observe is not None:
            self._observe(Touch("screen", at, touch.choice, touch.to, touch.reply))

    def start(self, observe: Observe) -> None:
        self._observe = observe

    def stop(self) -> None:
        self._observe = None

    def health(self) -> Health:
        return Health("ok") if self._observe is not None else Health("off", "Nobody is at the table.")


class SimulatedRoom:
    """One simulated evening of a game, played from its beginning for every game that is begun.

    The players wait while nobody watches, and the clock stands while the machine is too slow for them.
    `home` is a folder of its own, apart from real games; drawings are kept where `lasting`, the real
    home, keeps them.
    """

    def __init__(self, seed: int, home: Path, lasting: Path | None = None, game: str = DUEL) -> None:
        """Prepare.

        :raises LookupError: if there is no simulated table for the game.
        """
        self.home, self.cache, self._seed = home, (lasting or home) / CACHE, seed
        self._table = simulated_table(game, seed)
        self.evening: Evening = self._table.evening
        seats = self.evening.names
        self.names = (*seats, *(name for name in NAMES if name not in seats))
        self._now, self._moved_at = 0.0, time.monotonic()
        self._wiring = wiring_of(len(seats))
        self._board = VirtualBoard(self._wiring, self.clock)
        self._camera, self._fingers = SimulatedCamera(), Fingers()
        self._dock = SimulatedDock(wiring_of(len(seats), dock_of(self.evening)))
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
        return Electronics((*wired.witnesses, self._dock, self._fingers), wired.markers), ""

    def pins(self, name: PinsName) -> PinFactory:
        return self._board.factory

    def cards(self, game: str) -> tuple[CardSet, Path | None]:
        return standard_set(game), None

    def begin(self) -> None:
        self.stop()
        self._table = simulated_table(self.evening.game, self._seed)
        self._dock.plug()
        self._shoot()

    def hold(self, held: bool) -> None:
        (self._going.clear if held else self._going.set)()

    def look(self, acts: int) -> None:
        self._table.look(acts)

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

    def _play(self, table: Table, stopping: threading.Event) -> None:
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
                    self._dock.pass_time(beat.at)
                case Edge():
                    self._board.drive(beat.seat, beat.button, beat.pressed)
                case SerialBytes():
                    self._dock.hear(beat.at, beat.bytes)
                case TouchAt():
                    self._fingers.tap(self._now, beat)
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
