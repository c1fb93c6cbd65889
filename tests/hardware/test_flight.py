"""The flight recorder: bounded, written on trouble and on demand, and heard again by the same decoder."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.observation import DiceSeen, Observation
from hardware.config import parse
from hardware.dock import Dock
from hardware.flight import FILES, FlightRecorder
from hardware.link import Link
from hardware.recording import Playback, RecordingError, play
from hardware.wiring import TableWiring

from .test_serial_link import WIRING, Table
from .waiting import until


def heard_again(file: Path, wiring: TableWiring) -> list[Observation]:
    return list(play(file.read_text(encoding="utf-8").splitlines(), Playback(wiring)))


def test_a_recording_of_the_line_gives_the_same_observations(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.dock.plug()
    table.start().ready()
    try:
        table.dock.roll((3, 6))
        heard = [table.next()]
        table.dock.unplug()
        table.says("plug in", "waiting")
        table.dock.press(0)
        table.dock.plug()
        heard.append(table.next())
        table.dock.reset(9)
        table.dock.roll((1, 2))
        heard.append(table.next())
    finally:
        table.stop()
    table.link.record(tmp_path / "line.jsonl")
    assert heard_again(tmp_path / "line.jsonl", table.wiring) == heard


def evening(folder: Path | None, limit: int, seconds: int) -> tuple[FlightRecorder, list[Observation], TableWiring]:
    """A dock that rolls once a second, and what the table heard of it."""
    wiring = parse(WIRING.format(port="/dev/ttyACM0"))
    dock, link, live = Dock("DOCK-7", boot_id=7, lamps=2, dice=1), Link(200), Playback(wiring, 200)
    flight = FlightRecorder(link.checkpoint, folder, limit)
    heard: list[Observation] = []
    flight.note(0.0, "opened")
    link.opened(0.0)
    live.take(0.0, "opened")
    for step in range(seconds * 100):
        now = step / 100
        if step % 100 == 50:
            dock.roll((step // 100 % 6 + 1,), now)
        if sent := link.outgoing(now):
            flight.note(now, "out", sent)
            live.take(now, "out")
            dock.receive(sent, now)
        if sent := dock.outgoing(now):
            flight.note(now, "in", sent)
            link.receive(sent, now)
            heard += live.take(now, "in", sent)
    return flight, heard, wiring


def test_the_ring_is_bounded_and_what_is_left_of_it_can_still_be_heard(tmp_path: Path) -> None:
    flight, heard, wiring = evening(None, 20_000, 120)
    assert len(heard) == 120
    flight.write(tmp_path / "line.jsonl")
    assert (tmp_path / "line.jsonl").stat().st_size <= 24_000
    again = heard_again(tmp_path / "line.jsonl", wiring)
    assert 20 < len(again) < 110
    assert again == heard[-len(again) :]


def test_a_recording_before_anything_travelled_is_one_line(tmp_path: Path) -> None:
    flight = FlightRecorder(Link().checkpoint)
    assert flight.write(tmp_path / "line.jsonl") == 1
    assert heard_again(tmp_path / "line.jsonl", TableWiring()) == []


def test_trouble_is_written_down_by_itself_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.link.SILENT_AFTER", 1e6)  # a busy machine is no trouble of the dock's
    table = Table(tmp_path)
    table.link.stop()
    link = type(table.link)(table.wiring, flights=tmp_path / "flights")
    table.link = link
    table.dock.plug()
    table.start().ready()
    table.dock.roll((3, 6))
    heard = [table.next()]
    for _ in range(2):
        table.dock.unplug()
        table.says("plug in", "waiting")
        table.dock.plug()
        table.ready()
    table.stop()
    (file,) = (tmp_path / "flights").iterdir()
    assert file.name.endswith("-unplugged.jsonl")
    assert heard_again(file, table.wiring) == heard


def test_only_the_last_few_files_are_kept(tmp_path: Path) -> None:
    flight = FlightRecorder(Link().checkpoint, tmp_path / "flights")
    for number in range(FILES + 5):
        flight.save("silent", 100.0 * number)
    flight.save("silent", 100.0 * (FILES + 4) + 1)
    assert len(list((tmp_path / "flights").iterdir())) == FILES


def test_a_folder_that_cannot_be_written_troubles_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "flights").write_text("no folder", encoding="utf-8")
    FlightRecorder(Link().checkpoint, tmp_path / "flights").save("silent", 0.0)
    assert "could not be kept" in caplog.text


def test_a_dock_that_falls_silent_is_written_down(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.link = type(table.link)(table.wiring, flights=tmp_path / "flights")
    table.dock.plug()
    table.start().ready()
    table.dock.silence(True)
    until(lambda: list((tmp_path / "flights").glob("*-silent.jsonl")))
    until(lambda: "does not answer" in table.link.health().says)
    table.dock.silence(False)
    table.ready()
    table.stop()


LINK = '{"recording":"dock line","link":{"state":"closed","session":3},"at":0}'


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "the file is empty; a recording of a dock's line was expected"),
        (['{"recording": "camera"}'], "line 1: a recording of a dock's line was expected"),
        ([LINK, '{"at":1,"way":"sideways"}'], "line 2: something that travelled"),
        ([LINK, '{"at":1,"way":"in","bytes":"0g"}'], "line 2"),
        ([LINK.replace(":3", ":0")], "line 1: .*1 to 255 exist"),
        ([LINK.replace("closed", "ready")], "line 1: .*without the WELCOME"),
        (["{"], "line 1"),
    ],
)
def test_a_damaged_recording_names_its_line(lines: list[str], says: str) -> None:
    with pytest.raises(RecordingError, match=says):
        list(play(lines, Playback(TableWiring())))


def test_a_face_seen_by_the_table_is_the_face_of_the_recording(tmp_path: Path) -> None:
    flight, _, wiring = evening(None, 1_000_000, 3)
    flight.write(tmp_path / "line.jsonl")
    faces = [seen.faces for seen in heard_again(tmp_path / "line.jsonl", wiring) if isinstance(seen, DiceSeen)]
    assert faces == [("claw",), ("claw2",), ("eye",)]
