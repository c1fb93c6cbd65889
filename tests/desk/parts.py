"""A room without devices, a witness that sees everything, and a screen that remembers what it was shown."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.desk import RealRoom, TableDesk
from companion.games import load_game
from companion.presenters.desk import Begin, Intent
from companion.presenters.models import LiveModel, NoticeModel, ScreenModel
from companion.print.mat import draw_mat
from companion.sets.owner import PROXIES, CardSet, proxy_set
from companion.simulated.cards import box_of
from companion.simulated.gestures import Push, Throw, Withdraw
from companion.simulated.players import Players
from companion.simulated.world import World
from companion.table.mat import game_mat
from companion.table.observation import DiceSeen, Observation, Press, Scene, Sighting
from companion.table.ports import Health, Marker, Observe, Signal, Witness
from hardware.assembly import Electronics
from vision.frame import Frame
from vision.sources import Source, SourceState

MAT = game_mat(load_game("allies"))
M = TypeVar("M", bound=ScreenModel)
SLOTS = tuple(f"{row}{column}" for row in "BRA" for column in range(1, 6))
PATIENCE_S = 600.0
"""Only a machine with much else to do needs it."""


class Oracle:
    """A witness that is told what to say; it stands for a camera with perfect sight."""

    name = "oracle"

    def __init__(self) -> None:
        self.observe: Observe = lambda observation: None
        self.starts = self.stops = 0

    def start(self, observe: Observe) -> None:
        self.observe, self.starts = observe, self.starts + 1

    def stop(self) -> None:
        self.stops += 1

    def health(self) -> Health:
        return Health("ok")


class Lamps:
    """A marker that remembers what it showed."""

    name = "lamps"

    def __init__(self) -> None:
        self.shown: list[Signal] = []
        self.stops = 0

    def show(self, signal: Signal) -> None:
        self.shown.append(signal)

    def stop(self) -> None:
        self.stops += 1

    def health(self) -> Health:
        return Health("ok")


class StillCamera:
    """A camera whose picture changes only when it is told to; every look is a new picture."""

    name = "the still camera"

    def __init__(self, picture: NDArray[np.uint8]) -> None:
        self.picture = picture
        self._number = 0

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def latest(self) -> Frame:
        self._number += 1
        return Frame(self.picture, self.name, time.monotonic(), self._number)

    def state(self) -> SourceState:
        return SourceState("ok")


class TestRoom(RealRoom):
    """A real home folder with chosen devices."""

    __test__ = False

    def __init__(self, home: Path, source: Any = None, electronics: bool = True) -> None:
        super().__init__(home)
        self.oracle, self.lamps = Oracle(), Lamps()
        self.camera = source
        witnesses: tuple[Witness, ...] = (self.oracle,) if electronics else ()
        markers: tuple[Marker, ...] = (self.lamps,) if electronics else ()
        self._devices = Electronics(witnesses, markers)
        self.held: list[bool] = []

    def source(self) -> tuple[Source | None, str]:
        return self.camera, ""

    def electronics(self) -> tuple[Electronics, str]:
        return self._devices, ""

    def hold(self, held: bool) -> None:
        self.held.append(held)


class Screen:
    """What a screen sees of a desk: every model, in order, from whatever thread."""

    def __init__(self, desk: TableDesk) -> None:
        self.desk = desk
        self.models: list[ScreenModel] = []
        self._news = threading.Condition()
        self.closed = False
        desk.open(self._show)

    def _show(self, model: ScreenModel) -> None:
        with self._news:
            self.models.append(model)
            self._news.notify_all()

    def submit(self, intent: Intent) -> None:
        self.desk.submit(intent)

    def ask(self, intent: Intent, kind: type[M], fits: Callable[[M], object] = lambda model: True) -> M:
        """Send an intent; return the first model of a kind that comes after it and fits."""
        since = len(self.models)
        self.submit(intent)
        return self.wait(kind, fits, since)

    def wait(self, kind: type[M], fits: Callable[[M], object] = lambda model: True, since: int = 0) -> M:
        with self._news:
            found: list[M] = []

            def has_come() -> bool:
                found[:] = [m for m in self.models[since:] if isinstance(m, kind) and fits(m)]
                return bool(found)

            end = time.monotonic() + PATIENCE_S
            # What fits may depend on more than the models, so it is looked at even if none comes.
            while not (came := has_come()) and time.monotonic() < end:
                self._news.wait(0.25)
            last = [m for m in self.models if isinstance(m, kind | NoticeModel)][-2:]
            assert came, f"no fitting {kind.__name__} came; the last ones are {last}"
            return found[0]

    def newest(self, kind: type[M]) -> M:
        return next(m for m in reversed(self.models) if isinstance(m, kind))

    @property
    def live(self) -> LiveModel:
        return self.newest(LiveModel)

    def begin(self, starter: int | None = None) -> LiveModel:
        return self.ask(Begin("allies", ("Ann", "Bo"), "reconciled", (), starter), LiveModel)

    def settle(self) -> LiveModel:
        """Wait until everything that was handed in has been taken in; return what is shown then."""
        settle(self.desk)
        return self.live

    def close(self) -> None:
        self.closed = True
        self.desk.close()


def scene(at: float, **lying: str) -> Scene:
    """A still table: `A3="yeti-05/0"` lies there at turn 0, what is not named is empty."""
    sightings = []
    for slot in SLOTS:
        piece, _, turn = lying.get(slot, "").partition("/")
        seen = Sighting(slot, "known", piece, int(turn or 0), confidence=0.95) if piece else Sighting(slot, "empty")
        sightings.append(seen)
    return Scene("oracle", at, tuple(sightings))


class Evening:
    """A simulated game as perfect witnesses report it; `world` is how it stands at each moment."""

    def __init__(self, seed: int) -> None:
        self.world = World(box_of(proxy_set("allies")), random.Random(f"{seed} world"))
        self._players = Players(self.world, random.Random(f"{seed} players"))

    def __iter__(self) -> Iterator[Observation]:
        at = 0.0
        for gesture in self._players.play():
            at += 1.0
            match gesture:
                case Withdraw(seconds=seconds):
                    at += max(seconds, 7.0)
                    lying = {s: f"{laid.card}/{laid.turn}" for s, laid in self.world.slots.items() if laid is not None}
                    yield scene(at, **lying)
                    at += 7.0
                    yield scene(at, **lying)
                case Push(seat=seat, button=button):
                    yield Press("oracle", at, seat, button)
                case Throw(faces=faces):
                    yield DiceSeen("oracle", at, faces)


def plain_card(cards: CardSet, tribe: str, number: int = 0) -> str:
    """A tribe card without symbols and ability: laying it is the whole turn."""
    own = [key for key, card in cards.of_kind("tribe").items() if card["tribe"] == tribe]
    return [key for key in own if not cards.cards[key]["symbols"] and not cards.cards[key]["diamond"]][number]


def settle(desk: TableDesk) -> None:
    """Wait until the open table has taken in everything that was handed in before."""
    table = desk._table
    assert table is not None
    for _ in range(2):
        done = threading.Event()
        table.refresh(lambda session, done=done: done.set())
        assert done.wait(PATIENCE_S), "the table's thread does not answer"


def flat_mat() -> NDArray[np.uint8]:
    """The empty mat on a table, seen from straight above at 2 pixels per millimetre: 1280 x 720 BGR."""
    mat = np.minimum(draw_mat(MAT, 2.0), 240).astype(np.uint8)
    return cv2.copyMakeBorder(mat, 63, 63, 220, 220, cv2.BORDER_CONSTANT, value=(60, 80, 100))


def own_values(home: Path) -> Path:
    """Give a home an owner's set with our values and no pictures; return its folder."""
    folder = home / "sets" / "allies"
    folder.mkdir(parents=True)
    proxies = (PROXIES / "allies" / "set.toml").read_text(encoding="utf-8")
    (folder / "set.toml").write_text(proxies.replace('label = "', 'label = "values of ', 1), encoding="utf-8")
    return folder


def wait_until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)
