"""From the wire to the journal on disk, and back to the lamp: a real game, real bytes, mock pins."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.bootstrap import find_set, new_header, resume
from companion.games import load_game
from companion.journal.entry import AnswerEntry, Entry, UndoEntry
from companion.journal.file import read_journal
from companion.journal.shelf import Shelf
from companion.table.loop import Loop
from hardware.assembly import assemble
from hardware.config import parse
from hardware.dock import Dock
from hardware.virtual import VirtualBoard, VirtualDock

from .waiting import until

WIRING = """
[[seat]]
done = "gpio:16"
undo = "gpio:16 long"
lamp = "gpio:17"
[[seat]]
done = "gpio:20"
undo = "gpio:20 long"
lamp = "dock:0"
[dock]
port = "{port}"
"""


class Evening:
    def __init__(self, folder: Path) -> None:
        device = folder / "dock"
        wiring = parse(WIRING.format(port=device))
        cards = find_set("allies", None)
        self.journal = Shelf(folder).begin(new_header(load_game("allies"), ("Ann", "Ben"), cards))
        self.now = 50.0
        self.board = VirtualBoard(wiring, lambda: self.now)
        self.dock = VirtualDock(Dock("TRAY", boot_id=0xBEEF, lamps=1, dice=2, now=time.monotonic()), device)
        self.wiring, self.cards = wiring, cards
        self.loop = self.companion()

    def companion(self) -> Loop:
        """The process of the companion, as it starts on what is on disk."""
        electronics = assemble(self.wiring, self.board.factory)
        return Loop(resume(self.journal, self.cards), electronics.witnesses, electronics.markers)

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def on_disk(self) -> tuple[Entry, ...]:
        return read_journal(self.journal.path).entries


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    table = Evening(tmp_path)
    table.dock.plug()
    table.loop.start()
    yield table
    table.loop.stop()
    table.dock.unplug()
    table.journal.close()


def test_a_die_roll_travels_into_the_journal_and_an_alarm_into_the_lamps(evening: Evening) -> None:
    evening.dock.roll((3,))
    until(lambda: evening.dock.lamps == ("hurry",))
    until(lambda: [state.state for state in evening.board.factory.pin("GPIO17").states][-2:] == [False, True])
    assert evening.on_disk() == ()

    evening.dock.roll((3, 5))
    until(lambda: len(evening.on_disk()) == 1)
    (roll,) = evening.on_disk()
    assert isinstance(roll, AnswerEntry)
    assert (roll.source, roll.witness, roll.to, roll.reply) == ("dice", "dock", "lot", "3 5")
    assert roll.evidence == "dock TRAY boot 0000beef event 2"
    until(lambda: evening.dock.lamps == ("off",))
    until(lambda: not evening.board.is_lit(0))
    until(lambda: evening.dock.held == 0)


def test_a_button_press_travels_into_the_journal(evening: Evening) -> None:
    evening.dock.roll((3, 5))
    until(lambda: len(evening.on_disk()) == 1)
    evening.board.press(1, "undo", evening.wait)
    until(lambda: len(evening.on_disk()) == 2)
    undo = evening.on_disk()[1]
    assert isinstance(undo, UndoEntry)
    assert (undo.source, undo.witness, undo.seat, undo.evidence) == ("button", "buttons", 1, "gpio:20 long")


def test_a_roll_while_the_cable_is_out_is_in_the_journal_once_when_it_is_back(evening: Evening) -> None:
    until(lambda: evening.loop.health()["dock"].state == "ok")
    evening.dock.unplug()
    until(lambda: evening.loop.health()["dock"].state == "waiting")
    evening.dock.roll((6, 2))
    evening.dock.plug()
    until(lambda: evening.dock.held == 0)
    until(lambda: len(evening.on_disk()) == 1)
    assert [entry.reply for entry in evening.on_disk() if isinstance(entry, AnswerEntry)] == ["6 2"]
