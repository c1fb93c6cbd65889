"""Sixteen complaints that people made in public about projects like this one, tried against ours.

Shown here, by number, as software alone can show it:

 1  an update of the system moved the number of the GPIO chip, and every button was dead
 2  one press acted twice, and then the button was deaf
 3  it worked in the shell and failed as a service (what needs the unit itself: a real read-only folder)
 4  the board dropped off the bus for a moment, and the session was lost
 5  two boards of one kind, and only one was visible
 6  it said that it was connected, and nothing happened
 7  it sent the same thing again for ever
 8  one bad bit in a reply ended the job
 9  a piece that was slid counted as a move on the way
10  a weak magnet flickered, and the board never recovered
11  the die dropped out during the roll, and the result was lost
13  the log looked fine and the screen stayed black (what needs a display: the picture on it)

Shown where the part lives, and named in `ELSEWHERE`:

12  the camera was gone, and reading "succeeded" or blocked for ten seconds
14  the plug was pulled, and what was saved was empty
16  the screen did not wake, and only a reboot helped

Not shown:

15  "read-only" was silently off after an update. There is no read-only system of ours yet to be off: it is
    the image's business, and whoever builds that has to check its mounts at the start.
"""

from __future__ import annotations

import os
import queue
import random
import sys
import time
import types
from pathlib import Path

import pytest
from serial.tools import list_ports

from companion.cli import doctor
from companion.table.observation import DiceSeen, MarkersSeen, Observation, Press
from hardware import boards
from hardware.boards import HEADER_LABELS, header_chip
from hardware.config import parse
from hardware.dice.ble import BleDice
from hardware.dice.pixels import Pixels
from hardware.dice.witness import SmartDice
from hardware.dock import Dock
from hardware.link import LAMPS_TRIES, SILENT_AFTER, Link
from hardware.messages import DieRolled, Event, Lamps
from hardware.ports import find_ports, refuse_twins
from hardware.protocol import Decoder, Frame
from hardware.readings import DockReadings
from hardware.virtual import VirtualBoard, VirtualDock
from hardware.wiring import DiceWiring, DieAddress
from hardware.witness import ButtonWitness
from tests.table.parade import parade

from . import fake_bleak
from .fake_bleak import FakeDie
from .skirmish import skirmish
from .waiting import until

ROOT = Path(__file__).parents[2]
CRASHES = "tests/journal/test_journal_crash.py"
ELSEWHERE = {
    12: (
        ("tests/vision/test_sources.py", "test_an_old_picture_is_never_handed_out_as_the_present"),
        ("tests/vision/test_sources.py", "test_a_camera_that_hangs_is_opened_again_while_the_old_one_still_blocks"),
        ("tests/vision/test_sources.py", "test_no_call_waits_for_a_camera_that_blocks"),
    ),
    14: (
        ("tests/journal/test_journal_crash.py", "test_cut_at_any_byte_loses_only_the_entry_that_was_cut_and_says_so"),
        (
            "tests/journal/test_journal_crash.py",
            "test_a_power_cut_with_any_sectors_missing_loses_no_acknowledged_entry",
        ),
        ("tests/hardware/test_config.py", "test_a_file_that_cannot_be_written_leaves_the_old_one"),
    ),
    16: (
        ("tests/ui/test_touch.py", "test_the_tap_that_wakes_the_screen_presses_nothing_and_the_next_one_does"),
        ("tests/ui/test_touch.py", "test_a_day_of_falling_asleep_and_waking_leaves_the_screen_awake"),
    ),
}


@pytest.mark.parametrize("number", ELSEWHERE)
def test_what_is_shown_elsewhere_is_there(number: int) -> None:
    for file, name in ELSEWHERE[number]:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("number", [0, 1, 4, 11])
@pytest.mark.parametrize("label", HEADER_LABELS)
def test_01_a_chip_that_got_another_number_is_found_by_its_label(number: int, label: str) -> None:
    found = [(9, "gpio-brcmstb@107d508500"), (number, label), (12, "raspberrypi-exp-gpio")]
    assert header_chip(found) == number


def test_02_a_chattering_press_acts_once_and_the_button_goes_on_hearing() -> None:
    wiring = parse('[[seat]]\ndone = "gpio:16"')
    now, rng = [100.0], random.Random(2)
    board = VirtualBoard(wiring, lambda: now[0])
    heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    witness = ButtonWitness(wiring, board.factory)
    witness.start(heard.put)

    def chatter(closed: bool) -> None:
        for bounce in range(2 * rng.randint(0, 3)):
            board.drive(0, "done", closed == (bounce % 2 == 0))
            now[0] += rng.uniform(0.0001, 0.0012)
        board.drive(0, "done", closed)

    for _ in range(200):
        chatter(True)
        now[0] += 0.05
        chatter(False)
        now[0] += 0.2
    witness.stop()
    presses = []
    while not heard.empty():
        presses.append(heard.get())
    assert len(presses) == 200
    assert all(isinstance(press, Press) for press in presses)


def test_03_a_folder_that_may_not_be_written_does_not_keep_the_pins_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Lgpio makes a pipe in `LG_WD`, or in the folder the service was started in."""
    made: list[str] = []

    class Factory:
        def __init__(self, chip: int) -> None:
            pipe = Path(os.environ.get("LG_WD", ".")) / f".lgd-nfy{chip}-{os.getpid()}"
            os.mkfifo(pipe)
            made.append(str(pipe))
            pipe.unlink()

    module = types.ModuleType("gpiozero.pins.lgpio")
    module.LGPIOFactory = Factory  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)
    monkeypatch.setattr(boards, "chips", lambda: [(4, "pinctrl-rp1")])
    monkeypatch.setattr(boards.util, "find_spec", lambda name: object())
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.chdir("/proc")  # nobody can write here, not even root
    assert isinstance(boards.open_pins("lgpio"), Factory)
    assert made
    assert not made[0].startswith("/proc")


def test_04_a_board_that_drops_off_for_a_moment_loses_no_roll_and_nobody_restarts_anything(tmp_path: Path) -> None:
    from companion.table.loop import Loop
    from hardware.assembly import assemble
    from tests.table.evenings import Memory

    dock = VirtualDock(Dock("D", boot_id=1, dice=1, now=time.monotonic()), tmp_path / "tty")
    loop = Loop(skirmish(Memory()), assemble(parse(f'[dock]\nport = "{tmp_path}/tty"')).witnesses)
    dock.plug()
    loop.start()
    try:
        until(lambda: loop.health()["dock"].state == "ok")
        dock.roll((2,))
        until(lambda: len(loop.session.entries) == 1)
        dock.unplug()
        dock.roll((6,))
        dock.plug()
        until(lambda: loop.session.is_over)
        assert loop.session.position.state.thrown == (2, 6)
    finally:
        loop.stop()
        dock.unplug()


def test_05_two_boards_of_one_kind_are_told_apart_or_refused_with_the_words_that_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clones = [
        types.SimpleNamespace(device=f"/dev/ttyUSB{number}", serial_number="0001", location=f"1-1.{number}")
        for number in (1, 2)
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: clones)
    found = find_ports("usb:0001")
    assert found == ["/dev/ttyUSB1", "/dev/ttyUSB2"]
    says = str(refuse_twins("usb:0001", found))
    assert "/dev/ttyUSB1 in socket 1-1.1, /dev/ttyUSB2 in socket 1-1.2" in says
    assert 'write its socket as port ("usb-path:1-1.1")' in says
    assert find_ports("usb-path:1-1.2") == ["/dev/ttyUSB2"]


class Wire:
    """The app's end and a dock's, joined by a wire that a test may spoil."""

    def __init__(self, flips: float = 0.0, seed: int = 8, **parts: int) -> None:
        self.link, self.dock, self.now = Link(), Dock("D", boot_id=5, **parts), 0.0
        self.rolls: list[tuple[int, ...]] = []
        self.sent: list[bytes] = []
        self.obeys = True
        self._rng, self._flips = random.Random(seed), flips
        self.link.opened(0.0)

    def run(self, seconds: float, step: float = 0.02) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += step
            sent = self.link.outgoing(self.now)
            self.sent.append(sent)
            self.dock.receive(self._spoil(sent), self.now)
            for report in self.link.receive(self._spoil(self.dock.outgoing(self.now)), self.now):
                if isinstance(report, Event) and isinstance(report.what, DieRolled):
                    self.rolls.append(report.what.faces)

    def _spoil(self, sent: bytes) -> bytes:
        if not self._flips or not sent:
            return sent
        spoilt = bytearray(sent)
        for place in range(len(spoilt)):
            if self._rng.random() < self._flips:
                spoilt[place] ^= 1 << self._rng.randrange(8)
        return bytes(spoilt)


def test_06_a_dock_that_hangs_is_called_silent_within_a_second_and_a_half() -> None:
    wire = Wire(dice=1)
    wire.run(2.0)
    assert wire.link.state == "ready"
    silent_since = wire.now
    while wire.link.state == "ready":
        wire.now += 0.01
        wire.link.outgoing(wire.now)
    assert wire.link.state == "silent"
    assert wire.now - silent_since <= SILENT_AFTER + 0.02


def test_07_lamps_that_never_obey_are_asked_a_few_times_and_then_said() -> None:
    wire = Wire(lamps=1)
    wire.run(1.0)
    wire.sent.clear()
    wire.dock._obey = lambda targets: None  # type: ignore[method-assign]  # a firmware with a fault
    wire.link.light(("on",), wire.now)
    wire.run(60.0)
    decoder = Decoder()
    frames = [each for sent in wire.sent for each in decoder.feed(sent) if isinstance(each, Frame)]
    assert 1 < sum(isinstance(frame.message, Lamps) for frame in frames) <= LAMPS_TRIES
    assert wire.link.is_deaf


def test_08_an_hour_of_play_with_bits_flipped_both_ways_tells_every_roll_once_and_in_order() -> None:
    wire = Wire(flips=0.002, dice=1, slots=6)
    rolled = []
    for minute in range(60):
        for _ in range(2):
            faces = (1 + (minute * 7) % 6, 1 + len(rolled) % 6)
            rolled.append(faces)
            wire.dock.roll(faces, wire.now)
            wire.run(30.0, 0.05)
    wire.run(20.0, 0.05)
    assert wire.rolls == rolled
    assert sum(count for name, count in wire.link.counts.items() if name in ("checksum", "stuffing", "length")) > 100


def test_09_a_marker_dragged_over_three_places_is_one_change() -> None:
    dock, readings, session = lying_on_the_dock(1, 2, 3, 4, 0, 0, 0)
    heard = []
    for place in (4, 5):
        dock.place(place - 1, 0, 0.0)
        dock.place(place, 4, 0.0)
        heard += look(dock, readings, seconds=0.3)
    dock.place(5, 0, 0.0)
    dock.place(6, 4, 0.0)
    heard += look(dock, readings, seconds=3.0)
    settled = [seen.order for seen in heard if isinstance(seen, MarkersSeen) and seen.settled]
    assert settled == [("A", "B", "C", "", "", "", "D")]
    for seen in heard:
        session.observe(seen)
    assert (session.alarm, session.entries) == ("", ())


def test_10_a_weak_magnet_is_named_the_game_stays_right_and_the_board_recovers() -> None:
    dock, readings, session = lying_on_the_dock(1, 2, 3, 4)
    for _ in range(40):
        for code in (0, 3):
            dock.place(2, code, 0.0)
            for seen in look(dock, readings, seconds=0.1):
                session.observe(seen)
    assert session.alarm == "Place 3 of the track flickers. Lay its marker anew."
    assert session.position.state.order == tuple("ABCD")
    assert session.entries == ()
    for seen in look(dock, readings, seconds=20.0):
        session.observe(seen)
    assert session.alarm == ""


def test_11_a_die_that_drops_out_during_the_roll_tells_its_result_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.table.evenings import Memory

    die = FakeDie("Red", answer={bytes([23]): bytes([3, 5, 0])})
    fake_bleak.install(monkeypatch, die)
    session = skirmish(Memory())
    heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    radio = BleDice({0: ("Red", Pixels(6))}, again_after=0.01)
    dice = SmartDice(DiceWiring((DieAddress("pixels", "Red"),)), [radio])
    dice.start(heard.put)
    until(lambda: dice.health().state == "ok")
    die.say(bytes([3, 3, 0]))
    until(lambda: not heard.empty())
    die.answer[bytes([23])] = bytes([3, 1, 4])  # it came to rest while nobody listened
    for _ in range(2):
        die.lose()
        until(lambda: dice.health().state == "ok" and die.client is not None)
    throws: list[tuple[str, ...]] = []

    def has_come() -> bool:
        while not heard.empty():
            seen = heard.get()
            session.observe(seen)
            if isinstance(seen, DiceSeen) and seen.faces:
                throws.append(seen.faces)
        return bool(session.entries)

    until(has_come)
    time.sleep(1.0)
    has_come()
    dice.stop()
    assert throws == [("5",)]
    assert session.position.state.thrown == (5,)


def test_13_a_library_without_which_the_screen_stays_black_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    connector = tmp_path / "card0-HDMI-A-1"
    connector.mkdir()
    (connector / "status").write_text("connected\n", encoding="ascii")
    monkeypatch.setattr(doctor.ctypes.util, "find_library", lambda name: None if name == "mtdev" else f"lib{name}.so")
    finding = doctor.check_screen(tmp_path)
    assert (finding.state, finding.says) == (
        "fault",
        "the graphics libraries are incomplete; apt install libmtdev1",
    )


# -- a track on a dock, without a wire ---------------------------------------------------------------


class Track:
    """A dock's slots with their firmware's debouncing, and the time."""

    def __init__(self, *codes: int) -> None:
        self.dock = Dock("T", boot_id=9, slots=len(codes))
        self.now = 100.0
        for place, code in enumerate(codes):
            self.dock.place(place, code, 0.0)

    def place(self, place: int, code: int, _at: float) -> None:
        self.dock.place(place, code, self.now)


def look(track: Track, readings: DockReadings, seconds: float) -> list[Observation]:
    """Hand the dock's snapshots on for some time, as the line would; return what the table heard."""
    heard: list[Observation] = []
    link = Link()
    link.opened(track.now)
    end = track.now + seconds
    while track.now < end:
        track.now += 0.05
        track.dock.receive(link.outgoing(track.now), track.now)
        for report in link.receive(track.dock.outgoing(track.now), track.now):
            if type(report).__name__ == "Snapshot":
                heard += readings.read(report, track.now)
    return heard


def lying_on_the_dock(*codes: int) -> tuple[Track, DockReadings, object]:
    readings = DockReadings(parse('[dock]\nport = "/dev/ttyACM0"\nmarkers = ["A", "B", "C", "D"]'))
    track, session = Track(*codes), parade(tuple("ABCD"))
    for seen in look(track, readings, seconds=3.0):
        session.observe(seen)
    assert (session.alarm, session.todo) == ("", ())
    return track, readings, session
