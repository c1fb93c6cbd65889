"""From an edge to the journal: how long until a press or a roll is on disk.

A real table's thread, session and journal file; a button on a mock pin, a dock on a pseudo-terminal.
"""

from __future__ import annotations

import queue
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.bootstrap import find_set, new_header, seat_session
from companion.games import load_game
from companion.journal.entry import Entry
from companion.journal.file import Journal
from companion.journal.shelf import Shelf
from companion.table.loop import Loop
from hardware.assembly import assemble
from hardware.config import parse
from hardware.dock import Dock
from hardware.virtual import VirtualBoard, VirtualDock

GAME = "allies"
"""Begins with a roll of two dice, which a press takes back: one of each, as often as wanted."""
ROUNDS = 50
WIRING = '[[seat]]\nundo = "gpio:16"\n[[seat]]\n[dock]\nport = "{port}"'
PATIENCE = 100.0
LET_GO = 0.03


class _Timed:
    """The journal, with the moment at which each entry was on disk."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.written: queue.SimpleQueue[float] = queue.SimpleQueue()

    def append(self, entry: Entry) -> int:
        number = self._journal.append(entry)
        self.written.put(time.perf_counter())
        return number


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Return the milliseconds from edge to disk; the pin's include the 1.5 ms a contact has to be closed."""
    with tempfile.TemporaryDirectory() as folder:
        device, cards = Path(folder) / "dock", find_set(GAME, None)
        wiring = parse(WIRING.format(port=device))
        board = VirtualBoard(wiring)
        dock = VirtualDock(Dock("BENCH", boot_id=1, dice=2, now=time.monotonic()), device)
        header = new_header(load_game(GAME), ("A", "B"), cards)
        with Shelf(Path(folder)).begin(header) as journal:
            store = _Timed(journal)
            wired = assemble(wiring, board.factory)
            loop = Loop(seat_session(header, store, (), cards), wired.witnesses, wired.markers)
            dock.plug()
            loop.start()
            try:
                rolls, presses = [], []
                # The first round waits until the dock was greeted.
                for _ in range(rounds + 1):
                    rolls.append(_time(store, lambda: dock.roll((3, 5))))
                    presses.append(_time(store, lambda: board.drive(0, "undo", True)))
                    board.drive(0, "undo", False)
                    time.sleep(LET_GO)
            finally:
                loop.stop()
                dock.unplug()
    return {"pin_to_journal_ms": _spread(presses[1:]), "dock_to_journal_ms": _spread(rolls[1:])}


def _time(store: _Timed, act: Callable[[], None]) -> float:
    start = time.perf_counter()
    act()
    return 1000 * (store.written.get(timeout=PATIENCE) - start)


def _spread(milliseconds: list[float]) -> dict[str, float]:
    return {"median": round(statistics.median(milliseconds), 3), "worst": round(max(milliseconds), 3)}
