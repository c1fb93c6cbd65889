"""The wiring wizard: real screens in a real window, fingers on glass and virtual pins, a dock on a pseudo-terminal."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import tests.ui.conftest  # noqa: F401  prepares the window, before anything imports a widget

# isort: split
import pytest

from companion.desk import TableDesk
from companion.presenters.wiring import WiringModel
from hardware.boards import BoardError
from hardware.config import load, parse
from hardware.debounce import OPEN_FOR
from hardware.dock import Dock
from hardware.virtual import VirtualDock, VirtualFactory
from hardware.wiring import PinsName, TableWiring
from hardware.writing import save
from tests.desk.parts import TestRoom
from tests.ui.pilot import Pilot

SIZES = ((800, 480), (1280, 720))
PICTURES = os.environ.get("COMPANION_PICTURES", "")
"""A folder to keep pictures of the steps in, to be looked at."""


class PinRoom(TestRoom):
    """A room with virtual pins."""

    def __init__(self, home: Path) -> None:
        super().__init__(home, electronics=False)
        self.now = 100.0
        self.factory = VirtualFactory(lambda: self.now)
        self.missing = ""

    def pins(self, name: PinsName) -> VirtualFactory:
        if self.missing:
            raise BoardError(self.missing)
        return self.factory


class Bench:
    """Somebody who wires a table: the application in one hand, buttons in the other."""

    def __init__(self, home: Path, size: tuple[int, int] = SIZES[1]) -> None:
        home.mkdir(exist_ok=True)
        self.file = home / "table.toml"
        self.room = PinRoom(home)
        self.pilot = Pilot(size, TableDesk(self.room))

    @property
    def model(self) -> WiringModel:
        return self.pilot.app.root.sheet("wiring").model

    def open(self) -> None:
        self.pilot.tap(self.pilot.button("Settings"))
        self.pilot.tap(self.pilot.button("Wire the table"))
        self.wait(lambda: self.pilot.here == "wiring")

    def wait(self, holds: Callable[[], object]) -> None:
        assert self.pilot.wait(holds), self.model

    def tap(self, says: str) -> None:
        key = self.model.key
        self.pilot.tap(self.pilot.button(says))
        self.wait(lambda: self.model.key != key or self.model.problem)

    def press(self, pin: int) -> None:
        line = self.room.factory.pin(f"GPIO{pin}")
        for move in (line.drive_low, line.drive_high):
            move()
            # A contact that closes again within that time of opening chatters; it is no second press.
            self.room.now += 2 * OPEN_FOR

    def keep_picture(self, name: str) -> None:
        if PICTURES:
            self.pilot.picture(Path(PICTURES) / f"{name}-{self.pilot.app._window.width}.png")

    def is_lit(self, pin: int) -> bool:
        return bool(self.room.factory.pin(f"GPIO{pin}").state)


@pytest.fixture
def sit_down(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    opened: list[Bench] = []

    def start(size: tuple[int, int] = SIZES[1]) -> Bench:
        opened.append(Bench(tmp_path / "home", size))
        return opened[-1]

    yield start
    for bench in opened:
        bench.pilot.close()


@pytest.fixture
def dock(tmp_path: Path) -> Iterator[VirtualDock]:
    board = VirtualDock(
        Dock("TRACK-1", boot_id=5, buttons=2, lamps=1, slots=4, dice=1, now=time.monotonic()), tmp_path / "tty"
    )
    board.plug()
    yield board
    board.unplug()


@pytest.mark.parametrize("size", SIZES)
def test_a_table_is_wired_by_pressing_its_buttons_and_looking_at_its_lamps(
    sit_down: Callable[..., Bench],
    dock: VirtualDock,
    tmp_path: Path,
    size: tuple[int, int],
    caplog: pytest.LogCaptureFixture,
) -> None:
    bench = sit_down(size)
    save(parse(f'buzzer = "gpio:18"\n[dock]\nport = "{tmp_path}/tty"\n'), bench.file)
    bench.open()
    bench.keep_picture("wiring-1-dock")
    bench.tap(f"{tmp_path}/tty  as before")
    bench.tap("3")
    assert bench.model.says == "Place 1: press its button."
    bench.press(16)
    bench.wait(lambda: bench.model.says == "Place 2: press its button.")
    bench.press(16)
    bench.wait(lambda: bench.model.problem == "GPIO16 is the button of place 1 already; press another one.")
    bench.keep_picture("wiring-2-buttons")
    dock.press(1)
    bench.wait(lambda: bench.model.says == "Place 3: press its button.")
    bench.tap("No button here")

    assert bench.model.says == "The lamp at GPIO17 blinks. Whose is it?"
    bench.wait(lambda: len(bench.room.factory.pin("GPIO17").states) > 2)
    bench.keep_picture("wiring-3-lamps")
    bench.tap("Place 1")
    assert bench.model.says == "The lamp at GPIO27 blinks. Whose is it?"
    assert not bench.is_lit(17)
    for _ in range(5):
        bench.tap("No lamp blinks")
    assert bench.model.says == "The lamp at dock:0 blinks. Whose is it?"
    bench.wait(lambda: dock.lamps == ("blink",))
    bench.tap("Place 2")

    assert bench.model.step == "check"
    save_tile = bench.pilot.button("Save")
    dock.place(0, 1)
    dock.place(2, 3)
    bench.wait(lambda: [place.marker for place in bench.model.track] == ["A", "", "C", ""])
    assert bench.pilot.button("Save") is save_tile, "what changes beside it takes no tile from under a finger"
    bench.room.factory.pin("GPIO16").drive_low()
    bench.wait(lambda: bench.model.places[0].pressed)
    bench.tap("Light all lamps")
    bench.wait(lambda: bench.is_lit(17) and dock.lamps == ("on",))
    bench.keep_picture("wiring-4-check")
    bench.room.factory.pin("GPIO16").drive_high()
    bench.tap("Save")
    bench.wait(lambda: bench.model.step == "saved")
    bench.keep_picture("wiring-5-saved")
    assert load(bench.file) == parse(
        'buzzer = "gpio:18"\n[[seat]]\nbutton = "gpio:16"\nlamp = "gpio:17"\n'
        '[[seat]]\nbutton = "dock:1"\nlamp = "dock:0"\n[[seat]]\n'
        f'[dock]\nport = "{tmp_path}/tty"\nmarkers = ["A", "B", "C"]'
    )
    bench.pilot.tap(bench.pilot.button("Done"))
    bench.wait(lambda: bench.pilot.here == "home")
    bench.wait(lambda: not bench.is_lit(17))
    assert "names dock:31" not in caplog.text, "the wizard itself names every button there may be"


def test_a_step_back_asks_again_and_leaving_changes_nothing(sit_down: Callable[..., Bench]) -> None:
    bench = sit_down()
    save(TableWiring("mock"), bench.file)
    before = bench.file.read_bytes()
    bench.open()
    bench.tap("There is none")
    bench.tap("2")
    bench.press(20)
    bench.wait(lambda: bench.model.places[0].button == "GPIO20")
    bench.tap("One back")
    assert bench.model.places[0].button == ""
    bench.press(21)
    bench.wait(lambda: bench.model.places[0].button == "GPIO21")
    bench.pilot.tap(bench.pilot.button("Leave"))
    bench.wait(lambda: bench.pilot.here == "home")
    assert bench.file.read_bytes() == before


def test_pins_that_cannot_be_had_are_said_and_the_dock_can_be_wired(
    sit_down: Callable[..., Bench], dock: VirtualDock, tmp_path: Path
) -> None:
    bench = sit_down()
    save(parse(f'[dock]\nport = "{tmp_path}/tty"\n'), bench.file)
    bench.room.missing = "/dev/gpiochip0 may not be opened; add this user to the group gpio"
    bench.open()
    assert bench.model.detail == bench.room.missing
    bench.tap(f"{tmp_path}/tty  as before")
    bench.tap("1")
    dock.press(0)
    bench.wait(lambda: bench.model.says == "The lamp at dock:0 blinks. Whose is it?")


def test_an_old_file_that_cannot_be_read_is_said_before_it_is_replaced(sit_down: Callable[..., Bench]) -> None:
    bench = sit_down()
    bench.file.write_text('[[seat]]\ndome = "gpio:4"', encoding="utf-8")
    bench.open()
    assert bench.model.detail.startswith("The old file cannot be used and will be replaced:")
    assert 'table.toml:2: unknown key "dome"' in bench.model.detail


def test_a_file_that_cannot_be_written_is_said_and_the_old_one_stays(
    sit_down: Callable[..., Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = sit_down()
    save(TableWiring("mock"), bench.file)
    before = bench.file.read_bytes()
    bench.open()
    bench.tap("There is none")
    bench.tap("1")
    bench.tap("No button here")
    bench.tap("There are no lamps")

    def full(wiring: TableWiring, file: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.desk.wiring_desk.save", full)
    bench.tap("Save")
    assert bench.model.problem.endswith("cannot be written (No space left on device); the old one is as it was.")
    assert bench.file.read_bytes() == before
