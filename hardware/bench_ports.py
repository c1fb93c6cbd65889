"""Figures in real time: from an edge to the table's queue, and what plugging and unplugging costs."""

from __future__ import annotations

import os
import queue
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.table.observation import DiceSeen, Observation
from hardware.config import parse
from hardware.dock import Dock
from hardware.serial_link import SerialLink
from hardware.virtual import VirtualBoard, VirtualDock
from hardware.witness import ButtonWitness

PRESSES = 50
CYCLES = 200
PATIENCE = 100.0
POLL = 0.001


def spread(milliseconds: list[float]) -> dict[str, float]:
    """Return median and worst of some times."""
    return {"median": round(statistics.median(milliseconds), 3), "worst": round(max(milliseconds), 3)}


def pin_latency(presses: int = PRESSES) -> list[float]:
    """Milliseconds from the edge on a mock pin to the observation in the table's queue.

    They include the 1.5 ms for which a contact has to be closed before it counts.
    """
    wiring = parse('[[seat]]\ndone = "gpio:16"')
    board = VirtualBoard(wiring)
    witness = ButtonWitness(wiring, board.factory)
    heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    witness.start(heard.put)
    taken = []
    try:
        for _ in range(presses):
            start = time.perf_counter()
            board.drive(0, "done", True)
            heard.get(timeout=PATIENCE)
            taken.append(1000 * (time.perf_counter() - start))
            board.drive(0, "done", False)
            time.sleep(0.03)
    finally:
        witness.stop()
    return taken


@contextmanager
def _dock_and_link() -> Iterator[tuple[VirtualDock, SerialLink, queue.SimpleQueue[Observation]]]:
    with tempfile.TemporaryDirectory() as folder:
        device = Path(folder) / "dock"
        dock = VirtualDock(Dock("BENCH", boot_id=1, dice=1, now=time.monotonic()), device)
        link = SerialLink(parse(f'[dock]\nport = "{device}"\nfaces = {[str(face) for face in range(1, 256)]}'))
        heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
        link.start(heard.put)
        try:
            yield dock, link, heard
        finally:
            link.stop()
            dock.unplug()


def dock_latency(presses: int = PRESSES) -> list[float]:
    """Milliseconds from a roll in the tray to the observation, over a pseudo-terminal."""
    taken = []
    with _dock_and_link() as (dock, _, heard):
        dock.plug()
        dock.roll((1,))
        heard.get(timeout=PATIENCE)
        for _ in range(presses):
            start = time.perf_counter()
            dock.roll((1,))
            heard.get(timeout=PATIENCE)
            taken.append(1000 * (time.perf_counter() - start))
    return taken


def replugging(cycles: int = CYCLES) -> dict[str, object]:
    """Plug and unplug a dock `cycles` times, with a roll while the cable is out; count what is left open.

    `back_ms` is the time from the device's appearing to a dock that answers, `noticed_ms` from the pull
    to the word that it is gone.
    """
    back: list[float] = []
    noticed: list[float] = []
    faces: list[str] = []
    _warm_up()
    descriptors, threads = _descriptors(), threading.active_count()
    with _dock_and_link() as (dock, link, heard):
        for number in range(cycles):
            dock.roll((number % 255 + 1,))
            back.append(_until(lambda: link.health().state == "ok", dock.plug))
            seen = heard.get(timeout=PATIENCE)
            faces += seen.faces if isinstance(seen, DiceSeen) else ()
            noticed.append(_until(lambda: link.health().state == "waiting", dock.unplug))
        extra = heard.qsize()
    return {
        "cycles": cycles,
        "rolls_heard_once": sum(face == str(number % 255 + 1) for number, face in enumerate(faces)) - extra,
        "leaked_descriptors": _descriptors() - descriptors,
        "leaked_threads": threading.active_count() - threads,
        "back_ms": spread(back),
        "noticed_ms": spread(noticed),
    }


def _warm_up() -> None:
    # What is opened once and stays open, such as udev's library, is no leak.
    with _dock_and_link() as (dock, link, _):
        _until(lambda: link.health().state == "ok", dock.plug)


def _until(holds: Callable[[], bool], act: Callable[[], None]) -> float:
    start = time.perf_counter()
    act()
    while not holds():
        if time.perf_counter() - start > PATIENCE:
            raise TimeoutError("the dock did not get there; see `companion doctor`")
        time.sleep(POLL)
    return 1000 * (time.perf_counter() - start)


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208  a path is not wanted, only their number
