from __future__ import annotations

import queue
import time
from pathlib import Path

import pytest

from companion.table.observation import Observation
from companion.table.ports import Signal, Witness
from hardware import assembly
from hardware.assembly import assemble
from hardware.boards import BoardError
from hardware.config import parse
from hardware.dock import Dock
from hardware.virtual import VirtualBoard, VirtualDock
from hardware.wiring import TableWiring

from .waiting import LIMIT, until

MIXED = """
[[seat]]
done = "gpio:16"
lamp = "dock:0"
[[seat]]
done = "dock:0"
lamp = "gpio:17"
[dock]
port = "{port}"
"""


def test_a_table_without_electronics_has_none() -> None:
    assert assemble(TableWiring()) == assembly.Electronics()


def test_pins_and_dock_work_side_by_side(tmp_path: Path) -> None:
    device = tmp_path / "dock"
    dock = VirtualDock(Dock("D", boot_id=1, buttons=1, lamps=1, dice=1, now=time.monotonic()), device)
    wiring = parse(MIXED.format(port=device))
    board = VirtualBoard(wiring)
    table = assemble(wiring, board.factory)
    heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    dock.plug()
    for witness in table.witnesses:
        witness.start(heard.put)
    try:
        board.press(0, "done")
        assert heard.get(timeout=LIMIT).seat == 0  # type: ignore[union-attr]
        dock.press(0)
        assert heard.get(timeout=LIMIT).seat == 1  # type: ignore[union-attr]
        dock.roll((4,))
        assert heard.get(timeout=LIMIT).faces == ("4",)  # type: ignore[union-attr]
        for marker in table.markers:
            marker.show(Signal(turn=0))
        until(lambda: dock.lamps == ("on",))
        assert not board.is_lit(1)
        for marker in table.markers:
            marker.show(Signal(turn=1))
        until(lambda: dock.lamps == ("off",))
        assert board.is_lit(1)
        assert {part.name: part.health().state for part in (*table.witnesses, *table.markers)} == {
            "dock": "ok",
            "buttons": "ok",
            "lamps": "ok",
        }
    finally:
        for part in (*table.markers, *table.witnesses):
            part.stop()
        dock.unplug()


def test_pins_that_cannot_be_had_are_said_and_the_dock_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise BoardError("no pins here; buy some")

    monkeypatch.setattr(assembly, "open_pins", refuse)
    table = assemble(parse(MIXED.format(port="/dev/ttyACM9")))
    assert [part.name for part in (*table.witnesses, *table.markers)] == ["dock", "pins", "lamps"]
    pins = table.witnesses[1]
    assert isinstance(pins, Witness)
    assert (pins.health().state, pins.health().says) == ("failed", "no pins here; buy some")
    table.markers[0].show(Signal(turn=1))
    assert table.markers[0].health().state == "ok"
    table.markers[0].stop()


def test_a_table_on_the_dock_alone_opens_no_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "open_pins", lambda name: pytest.fail("pins were opened"))
    table = assemble(parse('[[seat]]\ndone = "dock:0"\n[dock]\nport = "/dev/ttyACM9"'))
    assert [part.name for part in (*table.witnesses, *table.markers)] == ["dock"]
