"""The libgpiod factory: on a stand-in for the chip everywhere, on kernel lines where gpio-sim gives some."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import gpiozero
import pytest
from gpiozero.exc import PinFixedPull, PinSetInput

from companion.table.observation import Observation, Press
from companion.table.ports import Signal
from hardware import gpiod_factory
from hardware.boards import HEADER_LABELS, chips
from hardware.config import parse
from hardware.devices import PinError, TurnLamp
from hardware.gpiod_factory import GpiodFactory
from hardware.markers import LampMarker
from hardware.witness import ButtonWitness
from hardware.words import parse_output

from .gpio_chips import FakeChip
from .waiting import LIMIT, open_descriptors, until

WIRING = """
[[seat]]
done = "gpio:16 pull-up"
undo = "gpio:16 pull-up long"
lamp = "gpio:17"
[[seat]]
done = "gpio:20 pull-up"
"""


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> FakeChip:
    fake = FakeChip()
    monkeypatch.setattr(gpiod_factory.gpiod, "Chip", lambda path: fake)
    for pin in (16, 20):
        fake.levels[pin] = True
    return fake


@pytest.fixture
def factory(chip: FakeChip) -> Iterator[GpiodFactory]:
    made = GpiodFactory("/dev/gpiochip0")
    chip.polled = lambda: made.lines._request if made.lines._is_polled else None
    yield made
    made.close()


def test_a_button_on_kernel_lines_is_a_press_with_the_kernels_time(chip: FakeChip, factory: GpiodFactory) -> None:
    heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    witness = ButtonWitness(parse(WIRING), factory)
    witness.start(heard.put)
    at = time.monotonic() - 0.2
    chip.drive((16, False, at), (16, True, at + 0.08))
    press = heard.get(timeout=LIMIT)
    assert isinstance(press, Press)
    assert (press.seat, press.button, round(press.at, 6)) == (0, "done", round(at, 6))
    assert witness.health().state == "ok"
    witness.stop()
    assert chip.requests == []


def test_edges_of_several_lines_come_in_the_kernels_order(chip: FakeChip, factory: GpiodFactory) -> None:
    seen: list[tuple[str, float]] = []
    contacts = [gpiozero.InputDevice(number, pull_up=True, pin_factory=factory) for number in (5, 6)]

    def first(at: float, level: int) -> None:
        seen.append(("A", at))

    def second(at: float, level: int) -> None:
        seen.append(("B", at))

    for contact, listener in zip(contacts, (first, second), strict=True):
        contact.pin.edges = "both"
        contact.pin.when_changed = listener
    turn = [(5 + step % 2, step % 4 < 2, 100 + step / 1000) for step in range(400)]
    for at in range(0, 400, 8):
        chip.drive(*turn[at : at + 8])
    until(lambda: len(seen) == 400)
    assert seen == [("AB"[step % 2], pytest.approx(100 + step / 1000)) for step in range(400)]
    assert len(chip.requests) == 1, "both contacts are lines of one request"


def test_edges_not_yet_read_survive_another_button_that_joins(chip: FakeChip, factory: GpiodFactory) -> None:
    seen: list[int] = []

    def listener(at: float, level: int) -> None:
        seen.append(level)

    one = gpiozero.InputDevice(16, pull_up=True, pin_factory=factory)
    one.pin.when_changed = listener
    with factory.lines._lock:
        chip.drive((16, False, 1.0), (16, True, 1.1))
        gpiozero.InputDevice(20, pull_up=True, pin_factory=factory)
    until(lambda: seen == [0, 1])


def test_a_lamp_shows_what_it_is_told_and_never_flashes_first(chip: FakeChip, factory: GpiodFactory) -> None:
    chip.levels[17] = True
    lamp = TurnLamp(parse_output("gpio:17 active-low"), factory)
    assert chip.levels[17] is True
    lamp.show("on")
    assert chip.levels[17] is False
    lamp.close()
    assert chip.requests == []


def test_a_marker_lights_a_lamp_on_kernel_lines(chip: FakeChip, factory: GpiodFactory) -> None:
    marker = LampMarker(parse(WIRING), factory, None)
    marker.show(Signal(turn=0))
    assert chip.levels[17]
    marker.stop()
    assert not chip.levels[17]


def test_a_line_that_another_program_holds_is_named_with_its_user(chip: FakeChip, factory: GpiodFactory) -> None:
    chip.others[16] = "fan-control"
    witness = ButtonWitness(parse(WIRING), factory)
    witness.start(lambda _: None)
    says = witness.health().says
    assert says == "GPIO16 (a button) cannot be used: fan-control uses it; end that, or use another pin"
    heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    witness.stop()
    witness.start(heard.put)
    chip.drive((20, False, time.monotonic()))
    assert heard.get(timeout=LIMIT).seat == 1  # type: ignore[union-attr]  # the other button is as good as ever
    witness.stop()


def test_a_line_that_the_chip_lacks_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiod_factory.gpiod, "Chip", lambda path: FakeChip(lines=8))
    factory = GpiodFactory("/dev/gpiochip0")
    with pytest.raises(PinError, match=r"GPIO17 \(a lamp\) cannot be used: the chip has no such line"):
        TurnLamp(parse_output("gpio:17"), factory)
    factory.close()


def test_a_chip_pulled_out_is_told_once_and_nothing_crashes(chip: FakeChip, factory: GpiodFactory) -> None:
    witness = ButtonWitness(parse(WIRING), factory)
    witness.start(lambda _: None)
    chip.pull_out()
    until(lambda: witness.health().state == "failed")
    assert witness.health().says == "The pins do not answer (No such device); restart the companion."
    until(lambda: "chip is gone" in factory.lines.trouble)
    chip.gone = False
    witness.stop()


def test_an_input_cannot_be_lit_and_a_fixed_pull_cannot_be_turned(chip: FakeChip, factory: GpiodFactory) -> None:
    pin = factory.pin("GPIO5")
    pin.function = "input"
    with pytest.raises(PinSetInput):
        pin.state = 1
    with pytest.raises(PinFixedPull):
        factory.pin("GPIO2").input_with_pull("down")


def test_closing_the_factory_gives_back_lines_descriptors_and_the_thread(chip: FakeChip) -> None:
    before = open_descriptors()
    factory = GpiodFactory("/dev/gpiochip0")
    button = gpiozero.Button(16, pin_factory=factory)
    lamp = gpiozero.LED(17, pin_factory=factory)
    lamp.on()
    button.close()
    lamp.close()
    factory.close()
    factory.close()
    until(lambda: open_descriptors() <= before)
    assert "pins" not in {thread.name for thread in threading.enumerate()}
    assert chip.requests == []


def simulated_chip() -> tuple[str, Path]:
    """Device of a gpio-sim chip with the label of a header, and the folder of its lines; or skip, saying why."""
    try:
        labels = dict(chips())
    except PermissionError as error:
        pytest.skip(f"{error.filename} may not be opened")
    for number, label in labels.items():
        for folder in Path("/sys/devices/platform").glob(f"gpio-sim.*/gpiochip{number}"):
            if label in HEADER_LABELS:
                return f"/dev/gpiochip{number}", folder
    pytest.skip("no gpio-sim chip with a header's label; docs/recipes/emulated-guest.md says how to get one")


def test_a_press_and_a_lamp_on_a_simulated_kernel_chip() -> None:
    device, lines = simulated_chip()
    factory = GpiodFactory(device)
    wiring = parse(WIRING)
    heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    witness, marker = ButtonWitness(wiring, factory), LampMarker(wiring, factory, None)
    pull = lines / "sim_gpio16" / "pull"
    pull.write_text("pull-up")
    try:
        witness.start(heard.put)
        for _ in range(100):
            started = time.monotonic()
            pull.write_text("pull-down")
            time.sleep(0.03)
            pull.write_text("pull-up")
            press = heard.get(timeout=LIMIT)
            assert isinstance(press, Press)
            assert started <= press.at <= time.monotonic()
            time.sleep(0.03)
        assert heard.empty()
        marker.show(Signal(turn=0))
        assert (lines / "sim_gpio17" / "value").read_text().strip() == "1"
        with pytest.raises(PinError, match="companion uses it"):
            TurnLamp(parse_output("gpio:17"), GpiodFactory(device))
    finally:
        witness.stop()
        marker.stop()
        factory.close()
