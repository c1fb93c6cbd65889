"""`companion line`: a recording of the dock's line is heard again, in words and as JSON."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.cli import line
from hardware.config import parse
from hardware.dock import Dock
from hardware.flight import FlightRecorder
from hardware.link import Link
from hardware.virtual import VirtualDock
from tests.hardware.waiting import until

from .journals import run

WIRING = '[[seat]]\n[[seat]]\ndone = "dock:1"\n[dock]\nport = "{port}"\n'


@pytest.fixture
def wiring(tmp_path: Path) -> Path:
    file = tmp_path / "table.toml"
    file.write_text(WIRING.format(port=tmp_path / "dock"), encoding="utf-8")
    return file


@pytest.fixture
def recording(tmp_path: Path, wiring: Path) -> Path:
    dock, link = Dock("DOCK-7", boot_id=7, buttons=2, dice=2), Link(9)
    flight = FlightRecorder(link.checkpoint)
    flight.note(0.0, "opened")
    link.opened(0.0)
    for step in range(300):
        now = step / 100
        if step == 100:
            dock.roll((2, 5), now)
        if step == 200:
            dock.press(1, now)
        if sent := link.outgoing(now):
            flight.note(now, "out", sent)
            dock.receive(sent, now)
        if sent := dock.outgoing(now):
            flight.note(now, "in", sent)
            link.receive(sent, now)
    flight.write(tmp_path / "line.jsonl")
    return tmp_path / "line.jsonl"


def test_a_recording_tells_in_words_what_the_table_heard(recording: Path, wiring: Path) -> None:
    said = run("line", recording, "--wiring", wiring)
    assert said.exit_code == 0
    assert said.stdout.splitlines() == [
        "     1.000  dice: 2 5  [dock DOCK-7 boot 00000007 event 1]",
        "     2.000  seat 2: done  [dock DOCK-7 boot 00000007 event 2]",
        "the dock DOCK-7 (model 1), at the end ready; counted: 2 events",
    ]


def test_a_recording_as_json(recording: Path, wiring: Path) -> None:
    told = json.loads(run("line", recording, "--wiring", wiring, "--json").stdout)
    assert [seen["type"] for seen in told["heard"]] == ["dice", "press"]
    assert (told["state"], told["dock"]["unique_id"], told["counts"]) == ("ready", "DOCK-7", {"events": 2})


def test_a_line_is_recorded_on_demand_and_told(tmp_path: Path, wiring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dock = VirtualDock(Dock("DOCK-7", boot_id=7, dice=2, now=time.monotonic()), tmp_path / "dock")
    dock.plug()
    dock.roll((6, 1))
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        until(lambda: dock.held == 0)

    monkeypatch.setattr(line, "time", SimpleNamespace(sleep=wait))
    try:
        said = run("line", tmp_path / "now.jsonl", "--record", "0.5", "--wiring", wiring)
    finally:
        dock.unplug()
    assert "dice: 6 1  [dock DOCK-7 boot 00000007 event 1]" in said.stdout
    assert waited == [0.5]
    assert parse(wiring.read_text(encoding="utf-8")).dock is not None


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read (No such file or directory); name a recording of the dock's line"),
        (b"\xff", "cannot be read (it is no text)"),
        (b"", "the file is empty"),
        (b"{}\n", "line 1: a recording of a dock's line was expected"),
    ],
)
def test_what_is_no_recording_is_one_sentence_and_exit_code_2(tmp_path: Path, content: bytes | None, says: str) -> None:
    file = tmp_path / "line.jsonl"
    if content is not None:
        file.write_bytes(content)
    said = run("line", file)
    assert said.exit_code == 2
    assert says in said.stderr


def test_recording_without_a_dock_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("", encoding="utf-8")
    said = run("line", tmp_path / "x", "--record", "1", "--wiring", file)
    assert (said.exit_code, said.stderr.strip()) == (2, "the wiring file names no dock; there is no line to record")
