"""A simulated evening as a room: pictures, pins and the tray reach the desk like real ones."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest

from companion.desk import TableDesk
from companion.desk.screen import NoScreenError, find_screen
from companion.desk.simulated import SimulatedCamera, SimulatedRoom
from companion.presenters.desk import Begin, LeaveTable, ShowHome, ShowSetUp, ShowTable
from companion.presenters.models import HomeModel, LiveModel, SetUpModel, TableModel
from tests.desk.parts import PATIENCE_S, Screen, wait_until


@pytest.fixture
def room(tmp_path: Path) -> SimulatedRoom:
    return SimulatedRoom(7, tmp_path / "home")


def test_the_players_wait_until_somebody_watches_and_then_throw_for_the_start(room: SimulatedRoom) -> None:
    screen = Screen(TableDesk(room))
    try:
        states = {device.name: device.state for device in screen.ask(ShowHome(), HomeModel).devices}
        assert (states["Buttons"], states["Dock"]) == ("ok", "ok")
        names = screen.ask(ShowSetUp("allies"), SetUpModel).names
        assert names[:2] == room.names[:2]
        screen.ask(Begin("allies", names[:2], "reconciled"), LiveModel)
        assert screen.ask(ShowTable(), TableModel, lambda model: model.meters).corners is not None
        assert screen.desk.frame() is not None
        held_from = room.clock()
        wait_until(lambda: room.clock() > held_from + 5.0)
        assert not screen.live.feed, "nobody throws while the table is set up"
        screen.submit(LeaveTable(camera=True))
        live = screen.wait(LiveModel, lambda model: model.feed)
        assert live.feed[0].source == "dice"
    finally:
        screen.close()


def test_a_second_game_begins_with_the_empty_table_again(room: SimulatedRoom) -> None:
    camera, _ = room.source()
    assert camera is not None
    pictures = []
    for _ in range(2):
        room.begin()
        while (frame := camera.latest()) is None or frame.number == (pictures[-1].number if pictures else -1):
            time.sleep(0.005)
        pictures.append(frame)
    room.stop()
    first, second = (frame.picture.astype(int) for frame in pictures)
    assert np.abs(first - second).mean() < 8.0
    assert pictures[1].at >= pictures[0].at, "the clock of a room never runs back"


def test_another_game_is_played_by_its_own_people_with_fingers_and_cards(tmp_path: Path) -> None:
    room = SimulatedRoom(1, tmp_path / "home", game="vaalbara")
    names = room.evening.names
    screen = Screen(TableDesk(room))
    try:
        screen.ask(Begin("vaalbara", names, room.evening.edition), LiveModel)
        screen.ask(ShowTable(), TableModel, lambda model: model.ready)
        screen.submit(LeaveTable(camera=True))
        clans = screen.wait(LiveModel, lambda model: model.feed)
        assert clans.feed[0].source == "touch"
        dealt = screen.wait(LiveModel, lambda model: model.feed and model.feed[0].source == "camera")
        assert [player.name for player in dealt.players] == list(names)
        assert [cell for cell in dealt.board.cells if cell.kind != "empty"]
    finally:
        screen.close()


def test_a_game_without_a_simulated_table_is_refused_with_those_that_have_one(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="there is one for allies, king_of_the_dice"):
        SimulatedRoom(1, tmp_path / "home", game="go")


def test_a_picture_stays_until_every_reader_took_it_and_one_that_is_gone_is_not_waited_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def patience(seconds: float) -> None:
        monkeypatch.setattr("companion.desk.simulated.READER_S", seconds)

    patience(1e6)
    camera = SimulatedCamera()
    camera.show(np.zeros((16, 16, 3), np.uint8), 0.0)
    ask, asked = threading.Event(), threading.Event()

    def read_twice() -> None:
        camera.latest()
        asked.set()
        ask.wait()
        camera.latest()

    reader = threading.Thread(target=read_twice, daemon=True)
    reader.start()
    assert asked.wait(PATIENCE_S)
    camera.show(np.zeros((16, 16, 3), np.uint8), 1.0)
    camera.latest()
    waiting = threading.Thread(target=camera.wait_for_reader, daemon=True)
    waiting.start()
    waiting.join(0.2)
    assert waiting.is_alive(), "the other reader has not taken the picture yet"
    ask.set()
    waiting.join(PATIENCE_S)
    assert not waiting.is_alive()
    camera.show(np.zeros((16, 16, 3), np.uint8), 2.0)
    patience(0.01)
    camera.wait_for_reader()
    patience(1e6)
    again = threading.Thread(target=camera.wait_for_reader, daemon=True)
    again.start()
    again.join(PATIENCE_S)
    assert not again.is_alive(), "whoever took nothing is waited for once"


def test_without_a_screen_it_is_said_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WAYLAND_DISPLAY", "DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "card0-HDMI-A-1").mkdir()
    (tmp_path / "card0-HDMI-A-1" / "status").write_text("disconnected\n")
    with pytest.raises(NoScreenError, match="connect one"):
        find_screen(tmp_path)
    (tmp_path / "card0-HDMI-A-1" / "status").write_text("connected\n")
    assert find_screen(tmp_path).fullscreen
    monkeypatch.setenv("DISPLAY", ":0")
    assert not find_screen(tmp_path).fullscreen
