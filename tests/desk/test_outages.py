"""A device that fails while a game is played: one clear sentence fills the screen, and the game can go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.desk.outages import GO_ON, Outages
from companion.desk.room import FLIGHTS
from companion.presenters.desk import Answer, KeepRecord
from companion.presenters.models import LiveModel, NoticeModel
from companion.table.observation import DiceSeen
from companion.table.ports import Health
from hardware.assembly import assemble
from hardware.config import parse
from hardware.dock import Dock
from hardware.recording import Playback, play
from hardware.virtual import VirtualDock
from tests.desk.parts import Screen, TestRoom, wait_until

NEWER = "The dock DOCK-7 speaks protocol 2 to 3, this app speaks 1; update this app."


class DockRoom(TestRoom):
    """A room with a dock on a pseudo-terminal."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.wiring = parse(f'[dock]\nport = "{home}/tty"')

    @property
    def plugged(self) -> Path:
        return self.home / "tty"

    def electronics(self) -> tuple:  # type: ignore[type-arg]
        return assemble(self.wiring), ""


@pytest.fixture
def room(tmp_path: Path) -> DockRoom:
    return DockRoom(tmp_path)


@pytest.fixture
def newer(room: DockRoom) -> Iterator[VirtualDock]:
    dock = VirtualDock(Dock("DOCK-7", boot_id=1, versions=(2, 3), now=time.monotonic()), room.plugged)
    dock.plug()
    yield dock
    dock.unplug()


def test_a_dock_of_another_version_fills_the_screen_with_one_sentence_until_people_go_on_without_it(
    room: DockRoom, newer: VirtualDock, sit: Callable[[TestRoom], Screen]
) -> None:
    screen = sit(room)
    screen.begin()
    shown = screen.wait(LiveModel, lambda live: live.prompt.says == NEWER)
    assert shown.prompt.kind == "alarm"
    assert [choice.says for choice in shown.prompt.choices] == [GO_ON]
    assert NEWER not in shown.reminders
    assert shown.outage is not None
    assert (shown.outage.key, shown.outage.says) == (shown.prompt.key, NEWER)
    assert [title for title, _ in shown.outage.sides] == ["The dock DOCK-7", "This app"]
    assert shown.outage.sides[0][1].startswith("protocol 2 to 3, firmware ")
    assert "deploy/run" in shown.outage.remedy
    asked = screen.ask(Answer(shown.game, shown.prompt.key, 0), LiveModel)
    assert asked.prompt.kind != "alarm"
    assert asked.outage is None
    assert NEWER in asked.reminders, "it is not forgotten, it only stands aside"


def test_a_dock_that_is_pulled_out_is_said_without_stopping_the_game(
    room: DockRoom, sit: Callable[[TestRoom], Screen]
) -> None:
    dock = VirtualDock(Dock("DOCK-7", boot_id=1, now=time.monotonic()), room.plugged)
    dock.plug()
    screen = sit(room)
    begun = screen.begin()
    screen.wait(LiveModel, lambda live: not any("dock" in says.lower() for says in live.reminders))
    dock.unplug()
    out = screen.wait(LiveModel, lambda live: any("plug in" in says for says in live.reminders))
    assert out.prompt.kind == begun.prompt.kind
    back = len(screen.models)
    dock.plug()
    screen.wait(LiveModel, lambda live: not any("dock" in says.lower() for says in live.reminders), back)
    dock.unplug()


def test_a_device_that_was_well_again_fills_the_screen_when_it_fails_again() -> None:
    outages, failed = Outages(), {"dock": Health("failed", "The dock does not answer.")}
    outages.note(failed)
    prompt = outages.prompt()
    assert prompt is not None
    assert outages.accept(prompt.key)
    outages.note(failed)
    assert outages.prompt() is None
    outages.note({"dock": Health("ok")})
    outages.note(failed)
    assert outages.prompt() == prompt
    assert not outages.accept("question 1")


def test_what_travelled_is_written_down_on_demand_and_plays_again(
    room: DockRoom, sit: Callable[[TestRoom], Screen]
) -> None:
    dock = VirtualDock(Dock("DOCK-7", boot_id=1, dice=1, now=time.monotonic()), room.plugged)
    dock.plug()
    screen = sit(room)
    dock.roll((4,))
    wait_until(lambda: dock.held == 0)
    assert screen.ask(KeepRecord(), NoticeModel).tone == "done"
    (file,) = (room.home / FLIGHTS).iterdir()
    heard = list(play(file.read_text(encoding="utf-8").splitlines(), Playback(room.wiring)))
    assert [seen.faces for seen in heard if isinstance(seen, DiceSeen)] == [("4",)]
    dock.unplug()


def test_without_a_dock_there_is_no_record_and_it_is_said(tmp_path: Path, sit: Callable[[TestRoom], Screen]) -> None:
    said = sit(TestRoom(tmp_path)).ask(KeepRecord(), NoticeModel)
    assert said == NoticeModel("No dock is wired, so there is nothing to write down; wire the table first.", "refused")
    assert not (tmp_path / FLIGHTS).exists()
