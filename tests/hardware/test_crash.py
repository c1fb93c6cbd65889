"""What a crash of the companion may not do: lose a roll that the dock was told is taken, or take one twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal.entry import AnswerEntry
from companion.journal.file import Journal
from hardware.serial_link import SerialLink

from .test_whole_path import Evening
from .waiting import until


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    table = Evening(tmp_path)
    table.dock.plug()
    yield table
    table.loop.stop()
    table.dock.unplug()
    table.journal.close()


def replies(evening: Evening) -> list[str]:
    return [entry.reply for entry in evening.on_disk() if isinstance(entry, AnswerEntry)]


def begin_again(evening: Evening) -> None:
    """The process is gone; a new one opens the journal."""
    evening.loop.stop()
    evening.journal.close()
    evening.journal = Journal.open(evening.journal.path)
    evening.loop = evening.companion()
    evening.loop.start()


def test_a_roll_in_the_queue_at_a_crash_is_taken_by_the_next_start(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The table's thread dies before it comes to the roll.
    reached: list[object] = []
    with monkeypatch.context() as crash:
        crash.setattr(evening.loop, "step", reached.append)
        evening.loop.start()
        evening.dock.roll((3, 5))
        until(lambda: len(reached) > 1)
        assert evening.dock.held == 1
        begin_again(evening)
    until(lambda: evening.dock.held == 0)
    assert replies(evening) == ["3 5"]


def test_a_roll_written_but_not_yet_acknowledged_at_a_crash_is_not_written_twice(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as crash:
        crash.setattr(SerialLink, "settled", lambda link, observation: None)
        evening.loop.start()
        evening.dock.roll((3, 5))
        until(lambda: len(evening.on_disk()) == 1)
        assert evening.dock.held == 1
        evening.loop.stop()
    begin_again(evening)
    until(lambda: evening.dock.held == 0)
    assert replies(evening) == ["3 5"]


def test_a_roll_that_could_not_be_written_stays_in_the_dock(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []

    def fail(observation: object) -> None:
        tried.append(observation)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("threading.excepthook", lambda arguments: None)
    monkeypatch.setattr(evening.loop.session, "observe", fail)
    evening.loop.start()
    evening.dock.roll((3, 5))
    until(lambda: tried)
    until(lambda: evening.loop.health()["table"].state == "failed")
    assert evening.dock.held == 1
