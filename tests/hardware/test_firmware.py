"""Both firmwares, running, against the app's own end of the line."""

from __future__ import annotations

import os
import queue
import random
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.table.observation import DiceSeen, Observation, Press
from hardware.config import parse
from hardware.link import Link
from hardware.messages import ButtonPressed, DieRolled, Event, Hello, Lamps, Mode, Ping, Snapshot, Welcome
from hardware.protocol import Decoder, Frame, encode
from hardware.serial_link import SerialLink

from .firmware import NOTHING, Avr, Board, MicroPython, avr_tools, build_avr, sample
from .test_protocol_page import vectors
from .waiting import LIMIT, until

WIRING = """
[[seat]]
done = "dock:0"
undo = "dock:0 long"
[[seat]]
done = "dock:1"
lamp = "dock:1"
[dock]
port = "{port}"
"""
ONE, TWO = 23, 46  # levels of the resistor-coded markers 1 and 2
BRIEF, LONG = 60, 900
"""Milliseconds of the board's own time."""


@pytest.fixture(scope="module", params=["avr", "micropython"])
def board(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp(request.param)
    made: Board
    if request.param == "avr":
        avr_tools()
        build_avr(folder, "emulator.elf")
        made = Avr(folder, folder)
    else:
        made = MicroPython(folder)
    yield made
    made.stop()


class Listener:
    """The companion's side: the real link on the board's line."""

    def __init__(self, board: Board) -> None:
        self.heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
        self.link = SerialLink(parse(WIRING.format(port=board.device)))
        self.link.start(self.heard.put)
        until(lambda: self.link.health().state == "ok" and self.link._link.snapshot is not None)

    def next(self, kind: type) -> Observation:
        """The next observation of a kind that says something."""
        while True:
            seen = self.heard.get(timeout=LIMIT)
            if isinstance(seen, kind) and (not isinstance(seen, DiceSeen) or seen.faces):
                return seen

    @property
    def snapshot(self) -> Snapshot:
        """The newest one; a board that was silent for too long is waited for."""
        seen: list[Snapshot] = []

        def has_come() -> bool:
            seen[:] = [each for each in (self.link._link.snapshot,) if each is not None]
            return bool(seen)

        until(has_come)
        return seen[0]


@pytest.fixture
def listen(board: Board) -> Iterator[Callable[[], Listener]]:
    """Listen to the board: `listen()`; nobody does at the end of the test, and nothing lies on the board."""
    started: list[Listener] = []

    def start() -> Listener:
        started.append(Listener(board))
        return started[-1]

    board.set()
    yield start
    for listener in started:
        listener.link.stop()
    board.set()


@pytest.fixture
def app(listen: Callable[[], Listener]) -> Listener:
    return listen()


def presses(*buttons: int, held: int = BRIEF) -> list[tuple[bytes, int]]:
    """Buttons pressed and let go, one after the other."""
    return [step for button in buttons for step in ((sample(1 << button), held), (sample(), BRIEF))]


def test_the_firmware_greets_and_describes_itself(board: Board, app: Listener) -> None:
    welcome = app.link._link.welcome
    assert welcome is not None
    assert (welcome.low, welcome.high, welcome.kind) == (1, 1, "dock")
    assert (welcome.lamps, welcome.slots, welcome.dice) == (board.lamps, 6, 1)
    assert welcome.unique_id
    assert welcome.firmware.split()[0] in ("avr", "micropython")
    assert app.link.health().state == "ok"


def test_short_and_long_presses_are_told_once_each_and_in_order(board: Board, app: Listener) -> None:
    board.play(*presses(0, 1), *presses(0, held=LONG))
    heard = [app.next(Press) for _ in range(3)]
    assert [(seen.seat, seen.button) for seen in heard if isinstance(seen, Press)] == [
        (0, "done"),
        (1, "done"),
        (0, "undo"),
    ]
    board.set(buttons=2)
    until(lambda: app.snapshot.pressed == 2)
    board.set()
    until(lambda: app.snapshot.pressed == 0)


def test_a_roll_counts_once_the_die_lies_still_and_a_leaning_die_is_said(board: Board, app: Listener) -> None:
    board.set(die=0)
    until(lambda: app.snapshot.tray == "moving")
    board.set(die=7)
    until(lambda: app.snapshot.tray == "cocked")
    board.set(die=5)
    rolls = [app.next(DiceSeen)]
    while rolls[-1].faces != ("5",):  # type: ignore[union-attr]
        rolls.append(app.next(DiceSeen))
    # The die lay at 1 before; it may have been the last test that laid it there.
    assert {roll.faces for roll in rolls[:-1]} <= {("1",)}  # type: ignore[union-attr]
    until(lambda: app.snapshot.tray == "still")


def test_a_marker_is_seen_when_it_lies_and_not_while_it_slides(board: Board, app: Listener) -> None:
    changes = [slot.changes for slot in app.snapshot.slots]
    board.set(slots=bytes((ONE,)) + NOTHING[1:])
    until(lambda: app.snapshot.slots[0].marker == 1)
    slides = [sample(slots=bytes((ONE, level)) + NOTHING[2:]) for level in (60, 200, ONE, 3, 200)]
    board.play(*((shown, 15) for shown in slides))
    until(lambda: app.snapshot.slots[1].level == 200)
    assert app.snapshot.slots[1].marker == 0
    board.set(slots=bytes((ONE, 255, TWO)) + NOTHING[3:])
    until(lambda: app.snapshot.slots[2].marker == 2 and app.snapshot.slots[2].stable > 3)
    assert [slot.marker for slot in app.snapshot.slots] == [1, 0, 2, 0, 0, 0]
    assert [(slot.changes - before) % 256 for slot, before in zip(app.snapshot.slots, changes, strict=True)][::2] == [
        1,
        1,
        0,
    ]


def test_lamps_obey_and_are_really_lit(board: Board, app: Listener) -> None:
    app.link.light(("on", "off", "on"))
    until(lambda: board.lit()[:3] == b"\1\0\1")
    app.link.light(("off", "hurry", "off"))
    seen = set()
    until(lambda: seen.add(board.lit()[:3]) or len(seen & {b"\0\0\0", b"\0\1\0"}) == 2)  # type: ignore[func-returns-value]
    app.link.stop()
    until(lambda: board.lit()[:3] == b"\0\0\0")


def test_what_happens_while_nobody_listens_is_kept_and_told_in_order(
    board: Board, app: Listener, listen: Callable[[], Listener]
) -> None:
    app.link.stop()
    board.play(*presses(0, 1, 1, 0))
    again = listen()
    heard = [again.next(Press) for _ in range(4)]
    assert [seen.seat for seen in heard if isinstance(seen, Press)] == [0, 1, 1, 0]
    again.link.light(("on", "off", "off"))
    until(lambda: board.lit()[:3] == b"\1\0\0")  # and what was sent before it, the acknowledgement, has arrived
    again.link.stop()
    once_more = listen()
    board.play(*presses(1))
    heard = [once_more.next(Press)]
    assert [seen.seat for seen in heard if isinstance(seen, Press)] == [1]


def test_a_reset_is_noticed_and_everything_is_set_again(board: Board, app: Listener) -> None:
    app.link.light(("on", "off", "off"))
    until(lambda: board.lit()[:3] == b"\1\0\0")
    before = app.snapshot.boot_id
    board.reset()
    until(lambda: app.link.health().state == "ok" and app.link._link.snapshot and app.snapshot.boot_id != before)
    until(lambda: board.lit()[:3] == b"\1\0\0")
    board.play(*presses(1))
    seen = app.next(Press)
    assert isinstance(seen, Press)
    assert seen.seat == 1


class Raw:
    """The line itself, byte by byte."""

    def __init__(self, board: Board) -> None:
        self._line = board.line
        self._decoder = Decoder()
        self.read(0.05)

    def write(self, sent: bytes) -> None:
        while sent:
            select.select([], [self._line], [], 10)
            sent = sent[os.write(self._line, sent) :]

    def read(self, seconds: float) -> list[Frame]:
        """What comes within some time; everything that the firmware sends has to be a frame."""
        end, items = time.monotonic() + seconds, []
        while (left := end - time.monotonic()) > 0:
            if select.select([self._line], [], [], left)[0]:
                items += self._decoder.feed(os.read(self._line, 4096))
        return [item for item in items if isinstance(item, Frame)]

    def ask(self, sent: bytes, kind: type, session: int) -> Frame:
        """Send until an answer of a kind and session comes, as the app does: a busy emulator may drop a byte."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            self.write(sent)
            for frame in self.read(0.25):
                if isinstance(frame.message, kind) and frame.session == session:
                    return frame
        raise AssertionError(f"no {kind.__name__} of session {session} came")


def test_a_frame_of_no_session_is_answered_by_a_welcome_that_nobody_asked_for(board: Board) -> None:
    Raw(board).ask(b"\0" + encode(Ping(), 99), Welcome, session=0)


def test_the_published_bad_bytes_are_not_answered_and_the_next_hello_is(board: Board) -> None:
    line = Raw(board)
    line.ask(b"\0" + encode(Hello(), 31), Welcome, session=31)
    line.read(0.2)
    for vector in vectors("bad"):
        line.write(bytes.fromhex(vector["bytes"]))
    rng = random.Random(7)
    line.write(bytes(rng.randrange(1, 256) for _ in range(700)) + b"\0")
    assert {type(frame.message) for frame in line.read(0.6)} <= {Snapshot, Event}
    line.ask(encode(Hello(9, 12), 32), Welcome, session=32)
    line.ask(encode(Ping(), 31), Snapshot, session=31)  # a HELLO of foreign versions opens no session


def test_late_lamp_frames_and_impossible_ones_change_nothing(board: Board) -> None:
    line = Raw(board)
    line.ask(b"\0" + encode(Hello(), 41), Welcome, session=41)
    for generation, mode in ((65535, "on"), (2, "off"), (65535, "on")):
        modes: tuple[Mode, ...] = (mode, mode)  # type: ignore[assignment]
        line.write(encode(Lamps(generation, modes), 41))
    line.write(bytes.fromhex("03 15 07 01 02 01 07 01 09 28 30 a5 4c 00"))
    generation = None
    while generation in (None, 65535):  # what was sampled before the last of them arrived
        snapshot = line.ask(encode(Ping(), 41), Snapshot, session=41).message
        assert isinstance(snapshot, Snapshot)
        generation = snapshot.generation
    assert generation == 2
    until(lambda: board.lit()[:2] == b"\0\0")


def test_on_a_bad_line_every_press_is_taken_once_and_in_order(board: Board) -> None:
    rng = random.Random(3)
    link, line, taken = Link(77), board.line, []
    deeds = [rng.randrange(2) for _ in range(12)]
    modes: tuple[Mode, ...] = ("on", "off", "off")

    def spoil(frames: bytes) -> bytes:
        carried = b""
        for frame in frames.split(b"\0")[:-1]:
            chance = rng.random()
            if chance < 0.1:
                continue
            if chance < 0.25 and frame:
                at = rng.randrange(len(frame))
                frame = frame[:at] + bytes((frame[at] ^ 1 << rng.randrange(8),)) + frame[at + 1 :]
            carried += frame + b"\0" if chance < 0.9 else (frame + b"\0") * 2
        return carried

    link.opened(time.monotonic())
    pending, is_down, todo, calm_at = b"", False, list(deeds), float("inf")

    def has_arrived() -> bool:
        return len(taken) >= len(deeds) and board.lit()[:3] == bytes(mode == "on" for mode in modes)

    end = time.monotonic() + LIMIT
    # A second of calm more, in which nothing is to be told twice.
    while time.monotonic() < calm_at + 1 or not has_arrived():
        now = time.monotonic()
        assert now < end, f"{len(taken)} of {len(deeds)} presses came"
        # Each button is held, and let go, until a snapshot got through that shows it.
        if todo and link.snapshot is not None and link.snapshot.pressed == (1 << todo[0] if is_down else 0):
            todo, is_down = todo[is_down:], not is_down
            board.set(buttons=1 << todo[0] if todo and is_down else 0)
            modes = modes[1:] + modes[:1]
            link.light(modes, now)
        if not todo and calm_at == float("inf"):
            calm_at = now
        is_calm = calm_at < now
        if sent := link.outgoing(now):
            os.write(line, sent if is_calm else spoil(sent))
        if select.select([line], [], [], 0.005)[0]:
            *whole, pending = (pending + os.read(line, 4096)).split(b"\0")
            arrived = b"".join(frame + b"\0" for frame in whole)
            for report in link.receive(arrived if is_calm else spoil(arrived), now):
                if isinstance(report, Event) and isinstance(report.what, ButtonPressed | DieRolled):
                    taken.append(report)
    buttons = [event.what.button for event in taken if isinstance(event.what, ButtonPressed)]
    assert buttons == deeds
    assert [event.number for event in taken] == list(range(taken[0].number, taken[0].number + len(taken)))
    assert link.counts["checksum"] + link.counts["stuffing"] + link.counts["length"] > 0, "the line was bad"


def test_the_firmware_for_the_board_itself_builds_without_a_warning_and_fits(tmp_path: Path) -> None:
    avr_tools()
    for extra in ("", "-DHALL_SLOTS=1", "-DDICE=0"):
        folder = tmp_path / (extra or "plain")
        folder.mkdir()
        build_avr(folder, "dock.hex", "dock.eep", extra=extra)
        sizes = subprocess.run(["avr-size", folder / "dock.elf"], capture_output=True, text=True, check=True).stdout
        text, data, bss = (int(number) for number in sizes.splitlines()[1].split()[:3])
        assert text + data < 30 * 1024, "a boot loader needs the rest"
        assert data + bss < 2048 - 300, "the stack needs the rest"
