"""Dice that report by themselves: recorded traffic, a radio that loses them, a serial port that is pulled."""

from __future__ import annotations

import json
import os
import queue
import sys
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.table.observation import DiceSeen, Observation
from companion.table.ports import Health, Witness
from hardware.assembly import assemble
from hardware.config import parse
from hardware.dice.ble import BleDice
from hardware.dice.godice import GoDice
from hardware.dice.hand import Hand
from hardware.dice.lines import read_line
from hardware.dice.pixels import Pixels
from hardware.dice.serial_dice import SerialDice
from hardware.dice.states import DieState, Report
from hardware.dice.witness import SmartDice, sources_of
from hardware.wiring import DiceWiring, DieAddress

from . import fake_bleak
from .fake_bleak import FakeDie
from .waiting import LIMIT, open_descriptors, until

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.jsonl"))
RED = DieAddress("pixels", "Red")


def play(recording: Path) -> tuple[dict[str, Any], list[DiceSeen]]:
    """Read a recording's notifications through the die's own protocol, as one throw after the other."""
    head, *lines = map(json.loads, recording.read_text(encoding="utf-8").splitlines())
    speaker = {"pixels": Pixels(6), "godice": GoDice()}.get(head["speaks"])
    hand = Hand("dice", ("Red",), ("1", "2", "3", "4", "5", "6"))
    heard = hand.take(0, DieState("back"), 0.0)
    for line in lines:
        payload = bytes.fromhex(line["bytes"])
        state = speaker.read(payload) if speaker is not None else read_line(payload.decode())
        heard += hand.settle(line["at"])
        if state is not None:
            heard += hand.take(0, state, line["at"])
    return head, heard + hand.settle(1e9)


@pytest.mark.parametrize("recording", RECORDED, ids=lambda file: file.stem)
def test_a_recording_gives_the_throws_that_were_made_and_no_other(recording: Path) -> None:
    head, heard = play(recording)
    assert [" ".join(seen.faces) for seen in heard if seen.faces] == head["rolls"]
    assert any("leans" in seen.problem for seen in heard)


# -- the witness -----------------------------------------------------------------------------------


class Told:
    """A source that says what a test has it say."""

    def __init__(self) -> None:
        self.report: Report = lambda die, state: None
        self.state = Health("ok")

    def start(self, report: Report) -> None:
        self.report = report

    def stop(self) -> None: ...

    def health(self) -> Health:
        return self.state


def test_a_throw_reaches_the_table_without_anybody_asking_for_it() -> None:
    source, heard = Told(), queue.SimpleQueue[Observation]()
    dice = SmartDice(DiceWiring((RED,)), [source])
    assert isinstance(dice, Witness)
    assert dice.health().state == "off"
    dice.start(heard.put)
    assert dice.health() == Health("ok")
    source.report(0, DieState("rolling"))
    source.report(0, DieState("rolled", (4,)))
    problems = [heard.get(timeout=LIMIT), heard.get(timeout=LIMIT)]
    assert [seen.problem for seen in problems if isinstance(seen, DiceSeen)] == ["The die Red is rolling.", ""]
    throw = heard.get(timeout=LIMIT)
    assert isinstance(throw, DiceSeen)
    assert (throw.witness, throw.faces) == ("smart dice", ("4",))
    source.state = Health("waiting", "The die Red is not found.")
    assert dice.health() == source.state
    dice.stop()
    dice.stop()


def test_every_wired_die_gets_who_listens_to_it() -> None:
    wiring = parse('dice = ["usb:7", "pixels:Red", "godice:Blue"]').dice
    assert wiring is not None
    radio, tower = sources_of(wiring)
    assert isinstance(radio, BleDice)
    assert isinstance(tower, SerialDice)
    table = assemble(parse('dice = "pixels:Red"'))
    assert [witness.name for witness in table.witnesses] == ["smart dice"]


# -- Bluetooth -------------------------------------------------------------------------------------


class Air:
    """Bluetooth dice with a radio that a test drives."""

    def __init__(self) -> None:
        self.said: queue.SimpleQueue[tuple[int, DieState]] = queue.SimpleQueue()
        self.dice: BleDice | None = None

    def start(self, **names: int) -> BleDice:
        self.dice = BleDice({n: (name.title(), Pixels(6)) for name, n in names.items()}, again_after=0.01)
        self.dice.start(lambda die, state: self.said.put((die, state)))
        return self.dice

    def next(self) -> tuple[int, DieState]:
        return self.said.get(timeout=LIMIT)


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Iterator[Air]:
    # Asked for here, so that the fake package is there until the last thread has ended.
    radio = Air()
    yield radio
    if radio.dice is not None:
        radio.dice.stop()


def test_a_bluetooth_die_is_found_by_its_name_asked_how_it_lies_and_heard(
    air: Air, monkeypatch: pytest.MonkeyPatch
) -> None:
    die = FakeDie("Red", answer={bytes([23]): bytes([3, 5, 0])})
    fake_bleak.install(monkeypatch, die, FakeDie("Green", "C0:FF:EE:00:00:02"))
    dice = air.start(red=3)
    assert [air.next(), air.next()] == [(3, DieState("back")), (3, DieState("lies", (1,)))]
    until(lambda: dice.health().state == "ok")
    assert die.written == [bytes([1]), bytes([23])]
    die.say(bytes([3, 1, 5]))
    assert air.next() == (3, DieState("rolled", (6,)))


def test_a_bluetooth_die_is_found_by_its_address_too(air: Air, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_bleak.install(monkeypatch, FakeDie("Red"))
    dice = BleDice({0: ("c0:ff:ee:00:00:01", GoDice())}, again_after=0.01)
    dice.start(lambda die, state: air.said.put((die, state)))
    assert air.next() == (0, DieState("back"))
    dice.stop()


def test_a_die_that_is_lost_is_found_again_and_says_what_it_shows(air: Air, monkeypatch: pytest.MonkeyPatch) -> None:
    die = FakeDie("Red", answer={bytes([23]): bytes([3, 1, 2])})
    fake_bleak.install(monkeypatch, die)
    air.start(red=0)
    assert [air.next()[1].kind, air.next()[1].kind] == ["back", "rolled"]
    die.say(bytes([3, 3, 0]))
    assert air.next()[1].kind == "rolling"
    die.lose()
    assert [air.next()[1] for _ in range(3)] == [DieState("away"), DieState("back"), DieState("rolled", (3,))]
    assert die.connections == 2


def test_a_die_that_is_not_found_or_breaks_off_is_said_and_tried_again(
    air: Air, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    die = FakeDie("Red", found_after=2, refuses=2)
    radio = fake_bleak.install(monkeypatch, die)
    with caplog.at_level("INFO"):
        dice = air.start(red=0)
        until(lambda: dice.health().state == "ok")
    assert radio.searches == 5
    assert "The die Red is not found; wake it by rolling it, or correct its name." in caplog.text
    assert "cannot be reached (le-connection-abort-by-local); wake it, bring it nearer." in caplog.text


def test_two_dice_are_connected_one_after_the_other(air: Air, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_bleak.install(monkeypatch, FakeDie("Red", found_after=3), FakeDie("Blue", "C0:FF:EE:00:00:02"))
    dice = air.start(red=0, blue=1)
    until(lambda: dice.health().state == "ok")
    assert {air.next(), air.next()} == {(0, DieState("back")), (1, DieState("back"))}


def test_a_die_with_an_unknown_firmware_is_said_and_logged_and_changes_nothing(
    air: Air, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    die = FakeDie("Red")
    fake_bleak.install(monkeypatch, die)
    dice = air.start(red=0)
    until(lambda: dice.health().state == "ok")
    assert air.next()[1].kind == "back"
    for _ in range(3):
        die.say(bytes([3, 77, 1]))
    until(lambda: dice.health().state == "unsure")
    assert dice.health().says == "What the die Red says is not known here; update the companion or the die."
    assert "the die Red said 03 4d 01 (roll state 77; 0 to 5 exist)" in caplog.text
    assert air.said.empty()
    die.say(bytes([3, 1, 1]))
    assert air.next() == (0, DieState("rolled", (2,)))
    assert dice.health().state == "ok"


def test_without_bleak_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.dice.ble.util.find_spec", lambda name: None)
    dice = BleDice({0: ("Red", Pixels(6))})
    dice.start(lambda die, state: None)
    assert dice.health() == Health(
        "failed", "Bluetooth dice need the package bleak; install it with: .venv/bin/pip install bleak"
    )
    dice.stop()


def test_bleak_is_not_loaded_where_no_such_die_is_wired() -> None:
    assert "bleak" not in sys.modules
    assemble(parse('dice = "usb:7"'))
    assert "bleak" not in sys.modules


# -- a tower on a serial port ----------------------------------------------------------------------


class Tower:
    """A die tower behind a pseudo-terminal."""

    def __init__(self, folder: Path) -> None:
        self.device = folder / "tower"
        self.master = -1
        self.said: queue.SimpleQueue[tuple[int, DieState]] = queue.SimpleQueue()
        self.dice = SerialDice(str(self.device), 2)

    def plug(self) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.device.unlink(missing_ok=True)
        self.device.symlink_to(os.ttyname(slave))
        self.slave = slave

    def pull(self) -> None:
        self.device.unlink()
        os.close(self.slave)
        os.close(self.master)

    def say(self, text: str) -> None:
        os.write(self.master, text.encode())

    def next(self) -> DieState:
        die, state = self.said.get(timeout=LIMIT)
        assert die == 2
        return state


@pytest.fixture
def tower(tmp_path: Path) -> Iterator[Callable[[], Tower]]:
    made: list[Tower] = []

    def make() -> Tower:
        made.append(Tower(tmp_path))
        made[-1].dice.start(lambda die, state: made[-1].said.put((die, state)))
        return made[-1]

    yield make
    for each in made:
        each.dice.stop()


def test_lines_are_heard_in_pieces_and_after_the_cable_was_out(tower: Callable[[], Tower]) -> None:
    table = tower()
    assert table.dice.health().state == "waiting"
    table.plug()
    assert table.next().kind == "back"
    table.say("rolli")
    table.say("ng\r\nrolled 3 5\r\n")
    assert [table.next(), table.next()] == [DieState("rolling"), DieState("rolled", (3, 5), is_event=True)]
    assert table.dice.health() == Health("ok")
    table.pull()
    assert table.next().kind == "away"
    until(lambda: "plug in" in table.dice.health().says)
    table.plug()
    assert table.next().kind == "back"
    table.say("2 2\n")
    assert table.next().faces == (2, 2)
    table.pull()


def test_something_else_on_the_port_is_said_and_changes_nothing(tower: Callable[[], Tower]) -> None:
    table = tower()
    table.plug()
    assert table.next().kind == "back"
    table.say("$GPGGA,1\n\xff\xfe\nhello\n")
    until(lambda: table.dice.health().state == "unsure")
    assert "is no line of dice; see docs/recipes/dice.md" in table.dice.health().says
    assert table.said.empty()
    table.say("x" * 5000)
    table.say("\n4\n")
    assert table.next().faces == (4,)
    assert table.dice.health().state == "ok"
    table.pull()


def test_nothing_is_left_open_after_ten_starts(tower: Callable[[], Tower]) -> None:
    table = tower()
    table.plug()
    assert table.next().kind == "back"
    table.dice.stop()
    before = open_descriptors()
    for _ in range(10):
        table.dice.start(lambda die, state: table.said.put((die, state)))
        until(lambda: table.dice.health().state == "ok")
        table.dice.stop()
        table.dice.stop()
    until(lambda: open_descriptors() <= before)
    assert table.dice.health().state == "off"
    table.pull()
