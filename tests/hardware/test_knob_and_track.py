"""A knob and a turn track on the computer's own pins: virtual ones, driven as fingers and magnets would."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import pytest

from companion.table.observation import KnobTurned, MarkersSeen, Observation, Press
from companion.table.ports import Witness
from hardware.assembly import assemble
from hardware.config import parse
from hardware.devices import Knob, PinError, Sensor
from hardware.sensor_track import Scanner, SensorTrack
from hardware.track import Place
from hardware.virtual import VirtualFactory
from hardware.witness import ButtonWitness

from .waiting import LIMIT, until

WIRING = """
pins = "mock"
button = "gpio:13"
knob = "gpio:5 gpio:6"
[track]
places = ["gpio:22 gpio:23", "gpio:24 gpio:25", "gpio:26 gpio:27"]
markers = ["A", "B", "C"]
"""
CLOCKWISE = ((5, True), (6, True), (5, False), (6, False))


class Pins:
    """The pins of a table with a clock of its own; a closed contact pulls its pin to ground."""

    def __init__(self) -> None:
        self.now = 50.0
        self.factory = VirtualFactory(lambda: self.now)
        self.heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()

    def close(self, pin: int, closed: bool = True, after: float = 0.004) -> None:
        self.now += after
        line = self.factory.pin(f"GPIO{pin}")
        if closed:
            line.drive_low()
        else:
            line.drive_high()

    def turn(self, steps: int) -> None:
        for _ in range(abs(steps)):
            edges = CLOCKWISE if steps > 0 else (CLOCKWISE[1], CLOCKWISE[0], CLOCKWISE[3], CLOCKWISE[2])
            for pin, closed in edges:
                self.close(pin, closed)

    def lay(self, *codes: int) -> None:
        """Lay markers with these codes into the places of the track."""
        for place, code in enumerate(codes):
            for bit in (0, 1):
                self.close(22 + 2 * place + bit, bool(code & (1 << bit)), after=0.0)

    def next(self) -> Observation:
        return self.heard.get(timeout=LIMIT)


@pytest.fixture
def pins() -> Iterator[Pins]:
    table = Pins()
    electronics = assemble(parse(WIRING), table.factory)
    for witness in electronics.witnesses:
        assert isinstance(witness, Witness)
        witness.start(table.heard.put)
    yield table
    for witness in electronics.witnesses:
        witness.stop()


def test_the_knob_s_steps_are_heard_with_their_direction(pins: Pins) -> None:
    pins.turn(2)
    pins.turn(-3)
    pins.now += 1.0
    total, steps = 0, []
    while sum(abs(step) for step in steps) < 5:
        seen = pins.next()
        if isinstance(seen, KnobTurned):
            steps.append(seen.steps)
            total += seen.steps
    assert total == -1


def test_a_button_of_the_whole_table_belongs_to_no_seat(pins: Pins) -> None:
    pins.close(13)
    pins.close(13, False, after=0.1)
    pins.now += 0.1
    seen = next(each for each in iter(pins.next, None) if isinstance(each, Press))
    assert (seen.seat, seen.button, seen.evidence) == (None, "done", "gpio:13 short")


def test_markers_on_the_sensors_are_heard_by_name_once_they_lie_still(pins: Pins) -> None:
    pins.lay(2, 1, 3)
    seen: list[MarkersSeen] = []

    def has_settled() -> bool:
        pins.now += 0.01
        while not pins.heard.empty():
            each = pins.next()
            assert isinstance(each, MarkersSeen)
            seen.append(each)
        return bool(seen) and seen[-1].settled

    until(has_settled)
    assert (seen[-1].witness, seen[-1].order, seen[-1].evidence) == ("track", ("B", "A", "C"), "gpio 2 1 3")
    assert not seen[0].settled


def test_a_pin_of_the_knob_that_is_taken_is_named_and_the_other_is_given_back() -> None:
    factory = VirtualFactory()
    taken = Sensor(6, "up", factory)
    with pytest.raises(PinError, match=r"GPIO6 \(the knob\) is in use already"):
        Knob(parse(WIRING).knob, factory, lambda: None)  # type: ignore[arg-type]
    Sensor(5, "up", factory).close()
    taken.close()


def test_a_sensor_pin_that_is_taken_leaves_the_track_unwatched_and_gives_the_others_back() -> None:
    factory = VirtualFactory()
    taken = Sensor(25, "up", factory)
    wiring = parse(WIRING).track
    assert wiring is not None
    track = SensorTrack(wiring, factory)
    track.start(lambda _: None)
    assert track.health().state == "failed"
    assert track.health().says.startswith("GPIO25 (a sensor of the track) is in use already")
    assert track.codes() == ()
    for pin in (22, 23, 24):
        Sensor(pin, "up", factory).close()
    taken.close()
    track.start(lambda _: None)
    assert track.health().state == "ok"
    track.stop()
    track.stop()
    assert track.health().state == "off"


def test_an_edge_of_the_knob_that_was_swallowed_is_read_from_the_level() -> None:
    table = Pins()
    witness = ButtonWitness(parse('knob = "gpio:5 gpio:6"'), table.factory)
    witness.start(table.heard.put)
    for pin, closed in CLOCKWISE[:3]:
        table.close(pin, closed)
    table.factory.pin("GPIO6")._state = True  # opens, but no edge arrives

    def time_passes() -> bool:
        table.now += 0.01
        return not table.heard.empty()

    until(time_passes)
    assert table.next().steps == 1  # type: ignore[union-attr]
    witness.stop()
    assert "buttons" not in [thread.name for thread in threading.enumerate()]


def test_a_scanner_counts_equal_scans_and_changes() -> None:
    scanner = Scanner()
    assert scanner.scan([1, 0]) == (Place(1, 1), Place(0, 1))
    assert scanner.scan([1, 2]) == (Place(1, 2), Place(2, 1, 1))
    assert scanner.scan([1, 2]) == (Place(1, 3), Place(2, 2, 1))
