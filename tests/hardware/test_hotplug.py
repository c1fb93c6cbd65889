"""Ports that come, go, look alike, or hang: found by what does not change, and nothing has to be restarted."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.table.observation import DiceSeen, Observation
from hardware import bench_ports, ports, serial_link
from hardware.config import parse
from hardware.dock import Dock
from hardware.ports import PortError, PortNews, close_port, find_ports, open_port
from hardware.serial_link import SerialLink
from hardware.virtual import VirtualDock

from .waiting import LIMIT, open_descriptors, until


def a_dock(unique_id: str) -> Dock:
    return Dock(unique_id, boot_id=7, buttons=1, lamps=1, dice=2, now=time.monotonic())


def seen(device: Path | str, serial_number: str | None = None, location: str | None = None) -> SimpleNamespace:
    return SimpleNamespace(device=str(device), serial_number=serial_number, location=location)


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> list[SimpleNamespace]:
    """What the system lists as serial ports."""
    listed: list[SimpleNamespace] = []
    monkeypatch.setattr(ports.list_ports, "comports", lambda: listed)
    return listed


@pytest.fixture
def listen() -> Iterator[Callable[[str], tuple[SerialLink, queue.SimpleQueue[Observation]]]]:
    links: list[SerialLink] = []

    def start(wiring: str) -> tuple[SerialLink, queue.SimpleQueue[Observation]]:
        heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
        links.append(SerialLink(parse(wiring)))
        links[-1].start(heard.put)
        return links[-1], heard

    yield start
    for link in links:
        link.stop()


def test_a_port_is_found_by_its_serial_number_under_whatever_name_it_has(plugged: list[SimpleNamespace]) -> None:
    plugged += [seen("/dev/ttyACM3", "A1", "1-1.2"), seen("/dev/ttyS0")]
    assert find_ports("usb:A1") == ["/dev/ttyACM3"]
    with pytest.raises(PortError, match="No USB device with the serial number A2; plug in the dock's cable"):
        find_ports("usb:A2")


def test_a_port_is_found_by_the_socket_it_is_plugged_into(plugged: list[SimpleNamespace]) -> None:
    plugged += [seen("/dev/ttyUSB0", "1", "1-1.2"), seen("/dev/ttyUSB1", "1", "1-1.3")]
    assert find_ports("usb-path:1-1.3") == ["/dev/ttyUSB1"]
    with pytest.raises(PortError, match=r"Nothing is plugged into the USB socket 1-1\.4; plug the dock in there"):
        find_ports("usb-path:1-1.4")


def test_two_identical_clones_are_refused_with_the_words_that_tell_them_apart(
    plugged: list[SimpleNamespace], listen: Callable[..., tuple[SerialLink, object]]
) -> None:
    plugged += [seen("/dev/ttyUSB0", "1", "1-1.2"), seen("/dev/ttyUSB1", "1", "1-1.3")]
    link, _ = listen('[dock]\nport = "usb:1"')
    until(lambda: "serial number" in link.health().says)
    assert link.health().says == (
        "2 USB devices have the serial number 1 (/dev/ttyUSB0 in socket 1-1.2, /dev/ttyUSB1 in socket 1-1.3); "
        'unplug all but one, or write its socket as port ("usb-path:1-1.2"), or the dock\'s own id below it.'
    )


def test_of_two_identical_clones_the_one_with_the_right_id_is_taken(
    tmp_path: Path, plugged: list[SimpleNamespace], listen: Callable[..., tuple[SerialLink, queue.SimpleQueue]]
) -> None:
    clones = [VirtualDock(a_dock(name), tmp_path / name) for name in ("DOCK-A", "DOCK-B")]
    for clone, name in zip(clones, ("DOCK-A", "DOCK-B"), strict=True):
        clone.plug()
        plugged.append(seen(tmp_path / name, "1", "1-1.2"))
    try:
        link, heard = listen('[dock]\nport = "usb:1"\nid = "DOCK-B"')
        until(lambda: link.health().state == "ok")
        clones[0].roll((1, 1))
        clones[1].roll((6, 6))
        assert heard.get(timeout=LIMIT).faces == ("6", "6")
        assert heard.empty()
    finally:
        for clone in clones:
            clone.unplug()


def test_a_dock_that_comes_back_under_another_name_is_found_again(
    tmp_path: Path, plugged: list[SimpleNamespace], listen: Callable[..., tuple[SerialLink, queue.SimpleQueue]]
) -> None:
    dock = VirtualDock(a_dock("DOCK"), tmp_path / "ttyACM0")
    dock.plug()
    plugged.append(seen(tmp_path / "ttyACM0", "A1"))
    link, heard = listen('[dock]\nport = "usb:A1"')
    until(lambda: link.health().state == "ok")
    dock.unplug()
    plugged.clear()
    until(lambda: link.health().state == "waiting")
    again = VirtualDock(a_dock("DOCK"), tmp_path / "ttyACM1")
    again.plug()
    plugged.append(seen(tmp_path / "ttyACM1", "A1"))
    until(lambda: link.health().state == "ok")
    again.roll((2, 5))
    roll = heard.get(timeout=LIMIT)
    assert isinstance(roll, DiceSeen)
    assert roll.faces == ("2", "5")
    again.unplug()


def test_a_device_file_that_hangs_blocks_neither_the_table_nor_stopping_nor_starting_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    released, hanging = threading.Event(), threading.Event()

    def hang(path: str) -> object:
        hanging.set()
        released.wait(LIMIT)
        raise PortError("It let go.")

    monkeypatch.setattr(serial_link, "STOP_WITHIN", 0.05)
    monkeypatch.setattr(serial_link, "open_port", hang)
    before = open_descriptors()
    dock = VirtualDock(a_dock("DOCK"), tmp_path / "dock")
    dock.plug()
    link = SerialLink(parse(f'[dock]\nport = "{tmp_path / "dock"}"'))
    link.start(lambda _: None)
    assert hanging.wait(LIMIT)
    assert link.health().state == "waiting"
    link.light(("on",))
    link.stop()
    assert not released.is_set()
    monkeypatch.setattr(serial_link, "open_port", open_port)
    link.start(lambda _: None)
    until(lambda: dock.lamps == ("on",))
    link.stop()
    released.set()
    dock.unplug()
    until(lambda: "dock" not in {thread.name for thread in threading.enumerate()})
    until(lambda: open_descriptors() <= before)


def test_a_device_that_takes_no_more_bytes_is_said_and_closed_at_once(tmp_path: Path) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    link = SerialLink(parse(f'[dock]\nport = "{os.ttyname(slave)}"'))
    # The kernel's buffer is full and nobody reads: the first HELLO cannot go out.
    os.set_blocking(slave, False)
    for _ in range(20):
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(slave, bytes(4096))
        time.sleep(0.01)  # the kernel moves bytes on by itself, and makes room once more
    try:
        link.start(lambda _: None)
        until(lambda: "takes nothing that is sent to it" in link.health().says)
    finally:
        link.stop()
        os.close(master)
        os.close(slave)


@pytest.mark.parametrize("trouble", [None, OSError(5, "Input/output error")])
def test_closing_a_port_drops_first_what_nobody_takes_so_that_the_kernel_does_not_wait(
    trouble: OSError | None,
) -> None:
    done: list[str] = []

    def drop() -> None:
        done.append("dropped")
        if trouble is not None:
            raise trouble

    port = SimpleNamespace(out_waiting=9, reset_output_buffer=drop, close=lambda: done.append("closed"))
    close_port(port)  # type: ignore[arg-type]
    assert done == ["dropped", "closed"]


def test_a_file_that_is_no_port_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    with pytest.raises(PortError, match=r"file cannot be opened .*; is it a serial port"):
        open_port(str(file))


def test_a_stale_name_that_leads_nowhere_is_said(tmp_path: Path) -> None:
    (tmp_path / "dock").symlink_to(tmp_path / "gone")
    with pytest.raises(PortError, match=r"There is no .*dock; plug in the dock"):
        find_ports(str(tmp_path / "dock"))
    with pytest.raises(PortError, match="dock went away; plug in its cable"):
        open_port(str(tmp_path / "dock"))


def test_news_of_a_port_wakes_the_search_and_is_only_a_reason_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    told, tell = os.pipe()
    monitor = SimpleNamespace(fileno=lambda: told, poll=lambda timeout: None)
    news = PortNews()
    news.close()
    news._monitor = monitor  # type: ignore[assignment]
    assert news.filenos() == [told]
    os.write(tell, b"x")
    started = time.monotonic()
    monkeypatch.setattr(serial_link, "SEARCH_EVERY", 30)
    wake = os.eventfd(0, os.EFD_NONBLOCK)
    SerialLink._pause([wake, *news.filenos()])
    assert time.monotonic() - started < 29
    for descriptor in (told, tell, wake):
        os.close(descriptor)


def test_without_udev_ports_are_looked_for_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(context: object) -> None:
        raise ImportError("no libudev")

    monkeypatch.setattr("pyudev.Monitor.from_netlink", refuse)
    news = PortNews()
    assert news.filenos() == []
    news.clear()


def test_news_leak_no_descriptor() -> None:
    before = open_descriptors()
    for _ in range(5):
        news = PortNews()
        news.clear()
        news.close()
    until(lambda: open_descriptors() <= before)


def test_plugging_and_unplugging_leaks_no_descriptor_and_no_thread() -> None:
    figures = bench_ports.replugging(12)
    assert figures["cycles"] == 12
    assert figures["rolls_heard_once"] == 12
    assert figures["leaked_descriptors"] <= 0  # what an earlier test left behind may go meanwhile
    assert figures["leaked_threads"] <= 0
