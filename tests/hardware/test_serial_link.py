"""The dock over real pseudo-terminals: the bytes travel, the cable is pulled."""

from __future__ import annotations

import logging
import os
import queue
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.table.observation import DiceSeen, Observation, Press
from companion.table.ports import Health, Signal, Witness
from hardware.config import parse
from hardware.dock import Dock
from hardware.link import Link
from hardware.markers import LampMarker
from hardware.ports import open_port
from hardware.recording import Playback
from hardware.serial_link import SerialLink
from hardware.virtual import VirtualBoard, VirtualDock
from hardware.wiring import TableWiring

from .waiting import LIMIT, until

WIRING = """
[[seat]]
done = "dock:0"
undo = "dock:0 long"
lamp = "dock:0"
[[seat]]
done = "dock:1"
lamp = "dock:1"
[dock]
port = "{port}"
faces = ["claw", "claw2", "eye", "wing", "tail", "crown"]
"""


class Table:
    def __init__(self, folder: Path, dock: Dock | None = None, extra: str = "") -> None:
        self.device = folder / "dock"
        self.wiring: TableWiring = parse(WIRING.format(port=self.device) + extra)
        self.dock = VirtualDock(dock or a_dock(), self.device)
        self.heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
        self.link = SerialLink(self.wiring)

    def start(self) -> Table:
        self.link.start(self.heard.put)
        return self

    def ready(self) -> Table:
        until(lambda: self.link.health().state == "ok")
        return self

    def says(self, words: str, state: str = "failed") -> None:
        until(lambda: words in self.link.health().says and self.link.health().state == state)

    def next(self) -> Observation:
        return self.heard.get(timeout=LIMIT)

    def stop(self) -> None:
        self.link.stop()
        self.dock.unplug()


def a_dock(boot_id: int = 7, **more: object) -> Dock:
    parts: dict[str, object] = {"buttons": 2, "lamps": 2, "dice": 2, "now": time.monotonic()}
    return Dock("DOCK-7", boot_id=boot_id, **{**parts, **more})  # type: ignore[arg-type]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    tables: list[Table] = []

    def table(dock: Dock | None = None, extra: str = "") -> Table:
        tables.append(Table(tmp_path, dock, extra))
        return tables[-1]

    yield table
    for one in tables:
        one.stop()


def test_the_dock_fits_the_witness_port(make: Callable[..., Table]) -> None:
    assert isinstance(make().link, Witness)


def test_a_roll_and_a_press_travel_over_a_real_terminal(make: Callable[..., Table]) -> None:
    table = make()
    table.dock.plug()
    table.start().ready()
    table.dock.roll((3, 6))
    roll = table.next()
    assert isinstance(roll, DiceSeen)
    assert (roll.witness, roll.faces, roll.evidence) == ("dock", ("eye", "crown"), "dock DOCK-7 boot 00000007 event 1")
    table.dock.press(1)
    table.dock.press(0, "long")
    presses = [table.next(), table.next()]
    assert [(p.seat, p.button) for p in presses if isinstance(p, Press)] == [(1, "done"), (0, "undo")]
    until(lambda: table.dock.held == 0)


def test_a_gesture_without_a_meaning_is_taken_and_says_nothing(make: Callable[..., Table]) -> None:
    table = make()
    table.dock.plug()
    table.start().ready()
    table.dock.press(1, "double")
    until(lambda: table.dock.held == 0)
    assert table.heard.empty()


def test_lamps_of_the_dock_show_the_signal_and_show_it_again_after_a_reset(make: Callable[..., Table]) -> None:
    table = make()
    marker = LampMarker(table.wiring, VirtualBoard(table.wiring).factory, table.link.light)
    marker.show(Signal(turn=0, asked=1))
    table.dock.plug()
    table.start()
    until(lambda: table.dock.lamps == ("on", "blink"))
    table.dock.reset(8)
    until(lambda: table.dock.lamps == ("on", "blink"))
    marker.stop()
    until(lambda: table.dock.lamps == ("off", "off"))


def test_the_lamps_of_the_dock_go_dark_when_the_companion_stops(make: Callable[..., Table]) -> None:
    table = make()
    table.dock.plug()
    table.start()
    table.link.light(("on", "hurry"))
    until(lambda: table.dock.lamps == ("on", "hurry"))
    table.link.stop()
    until(lambda: table.dock.lamps == ("off", "off"))
    table.start()
    until(lambda: table.dock.lamps == ("on", "hurry"))


def test_a_dock_plugged_in_later_is_found_and_nothing_has_to_be_restarted(make: Callable[..., Table]) -> None:
    table = make().start()
    table.says("; plug in the dock, or correct its port", "waiting")
    table.dock.plug()
    table.ready()
    table.dock.unplug()
    table.says("plug in", "waiting")
    table.dock.roll((1, 1))
    table.dock.plug()
    assert table.next().faces == ("claw", "claw")  # type: ignore[union-attr]
    table.ready()


def test_a_mute_device_is_called_by_its_name_and_not_connected(tmp_path: Path) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    device = tmp_path / "mute"
    device.symlink_to(os.ttyname(slave))
    link = SerialLink(parse(f'[dock]\nport = "{device}"'))
    try:
        link.start(lambda _: None)
        until(lambda: link.health().state == "waiting" and "has not answered yet" in link.health().says)
        says = f"The dock at {device} does not answer. Unplug it and plug it in again."
        until(lambda: link.health() == Health("failed", says))
    finally:
        link.stop()
        os.close(master)
        os.close(slave)


def test_a_device_that_talks_something_else_is_asked_what_it_is(tmp_path: Path) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    link = SerialLink(parse(f'[dock]\nport = "{os.ttyname(slave)}"'))
    try:
        link.start(lambda _: None)
        until(lambda: link.health().state == "waiting" and "greeted" in link.health().says)
        os.write(master, b"ok T:21.3\r\n\0$GPGGA,1\r\n\0")
        until(lambda: "no frame of ours: is it a table dock?" in link.health().says)
    finally:
        link.stop()
        os.close(master)
        os.close(slave)


def test_frames_from_the_future_are_said_logged_and_change_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    master, slave = os.openpty()
    tty.setraw(slave)
    heard: list[Observation] = []
    link = SerialLink(parse(f'[dock]\nport = "{os.ttyname(slave)}"'))
    try:
        link.start(heard.append)
        until(lambda: "greeted" in link.health().says)
        for _ in range(3):
            os.write(master, bytes.fromhex("00 03 26 07 01 05 7b 39 52 a1 00"))
        until(lambda: link.health().state == "failed")
        assert "It sends a frame of protocol 2; this app speaks 1; update the older of the two." in link.health().says
        assert [says for _, says in link.health().sides] == ["protocol 2", "protocol 1"]
        assert caplog.text.count("a frame of protocol 2; this app speaks 1") == 1
        assert heard == []
    finally:
        link.stop()
        os.close(master)
        os.close(slave)


def test_a_version_mismatch_says_what_to_update(make: Callable[..., Table]) -> None:
    table = make(a_dock(versions=(2, 3)))
    table.dock.plug()
    table.start()
    table.says("The dock DOCK-7 speaks protocol 2 to 3, this app speaks 1; update this app.")


def test_an_older_dock_is_to_be_updated_itself(make: Callable[..., Table]) -> None:
    table = make(a_dock(versions=(0, 0)))
    table.dock.plug()
    table.start()
    table.says("update the dock's firmware.")


def test_another_dock_than_the_wired_one_is_named_and_not_believed(make: Callable[..., Table]) -> None:
    table = make(extra='id = "DOCK-8"')
    table.dock.plug()
    table.start()
    table.says("is DOCK-7, the wiring file expects DOCK-8; plug in that one, or correct the file.")
    table.dock.roll((1,))
    assert table.heard.empty()


def test_a_face_that_the_die_lacks_is_no_roll(make: Callable[..., Table]) -> None:
    table = make()
    table.dock.plug()
    table.start().ready()
    table.dock.roll((2, 7))
    table.says("The tray reported face 7, but a die of this table has 6; roll again", "unsure")
    refused = table.next()
    assert refused.faces == ()  # type: ignore[union-attr]
    assert refused.problem.startswith("The tray reported face 7")  # type: ignore[union-attr]
    table.dock.roll((2, 1))
    assert table.next().faces == ("claw2", "claw")  # type: ignore[union-attr]
    table.ready()


def test_a_leaning_die_is_said(make: Callable[..., Table]) -> None:
    table = make()
    table.dock.plug()
    table.start().ready()
    table.dock.set_tray("cocked")
    table.says("A die leans in the tray; tap the tray, or roll again.", "unsure")
    table.dock.set_tray("still")
    table.ready()


def test_a_lamp_that_the_dock_lacks_is_said(make: Callable[..., Table]) -> None:
    table = make(a_dock(lamps=1))
    table.dock.plug()
    table.start()
    table.says("The wiring file names dock:1 as a lamp, but this dock has 1, counted from 0", "unsure")


def test_a_port_that_another_program_holds_is_said(make: Callable[..., Table]) -> None:
    table = make()
    table.dock.plug()
    other = open_port(str(table.device))
    table.start()
    table.says("is used by another program; close it (a serial monitor, ModemManager).", "waiting")
    other.close()
    table.ready()


def test_the_bytes_from_the_dock_alone_are_enough_to_play_a_recording_again(tmp_path: Path) -> None:
    wiring = parse(WIRING.format(port=tmp_path))
    dock, link, playback = a_dock(now=0.0), Link(1), Playback(wiring, 1)
    link.opened(0.0)
    playback.take(0.0, "opened")
    heard = []
    for step in range(300):
        now = step / 100
        if step == 100:
            dock.roll((2, 5), now)
        dock.receive(link.outgoing(now), now)
        if sent := dock.outgoing(now):
            link.receive(sent, now)
            heard += playback.take(now, "in", sent)
    assert [seen.faces for seen in heard if isinstance(seen, DiceSeen)] == [("claw2", "tail")]
