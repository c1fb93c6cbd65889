"""What is missing, broken or refused is said in a sentence, and the rest goes on."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.desk import RealRoom, TableDesk
from companion.desk.settings import SettingsError, keep_look, load_camera, load_look, parse_camera
from companion.journal.file import read_journal
from companion.presenters.desk import (
    Begin,
    Correct,
    KeepLook,
    Leave,
    LeaveTable,
    Resume,
    SetCorners,
    ShowCorrection,
    ShowGames,
    ShowHome,
    ShowTable,
)
from companion.presenters.models import (
    CorrectModel,
    GamesModel,
    HomeModel,
    LiveModel,
    LookModel,
    NoticeModel,
    TableModel,
)
from tests.desk.parts import Screen, TestRoom, own_values
from vision.sources.usb import UsbCamera

Sit = Callable[[TestRoom], Screen]
ROOT = Path(__file__).parents[2]


def enter(screen: Screen, cell: str, title: str = "") -> LiveModel:
    """Say by touch what lies in a cell: the first card of the first shelf, or the one called `title`."""
    plan = screen.ask(ShowCorrection(screen.live.game, cell), CorrectModel, lambda model: model.cell.key == cell)
    options = [option for shelf in plan.shelves for option in shelf.options]
    option = next(option for option in options if title in ("", option.title))
    return screen.ask(
        Correct(screen.live.game, cell, option.number),
        LiveModel,
        lambda model: model.board.cell(cell).title == option.title,
    )


class Unplugged(UsbCamera):
    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder / "video0"))


def test_a_game_is_played_by_touch_alone_while_the_camera_is_unplugged(tmp_path: Path, sit: Sit) -> None:
    room = TestRoom(tmp_path / "home", Unplugged(tmp_path), electronics=False)
    screen = sit(room)
    home = screen.ask(ShowHome(), HomeModel, lambda model: model.devices[0].state == "failed")
    assert "plug it in" in home.devices[0].says
    screen.begin(starter=0)
    set_up = screen.ask(ShowTable(), TableModel)
    assert (set_up.ready, set_up.corners) == (False, None)
    assert "plug it in" in set_up.missing[0]
    assert "plug it in" in screen.ask(SetCorners(((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))), NoticeModel).says
    live = screen.ask(LeaveTable(camera=False), LiveModel, lambda model: model.camera == "off")
    assert live.prompt.kind == "ask"
    assert "Tap a place" in live.reminders[0]
    for column in range(1, 6):
        enter(screen, f"R{column}")
    live = enter(screen, "A3", "yeti-02")
    assert not any("Tap a place" in says for says in live.reminders)
    assert live.camera == "off"
    assert live.feed[0].source == "touch"
    assert screen.desk.frame() is None


def test_a_camera_that_never_saw_anything_does_not_hide_the_question(tmp_path: Path, sit: Sit) -> None:
    screen = sit(TestRoom(tmp_path / "home", Unplugged(tmp_path), electronics=False))
    screen.begin()
    live = screen.wait(LiveModel, lambda model: model.camera == "failed")
    assert "plug it in" in live.camera_says
    assert live.prompt.kind == "ask"


def test_resuming_after_the_process_was_killed_loses_nothing(tmp_path: Path, sit: Sit) -> None:
    home = tmp_path / "home"
    program = """
        import sys, time
        from pathlib import Path
        from companion.desk import TableDesk
        from tests.desk.parts import Screen, TestRoom, own_values
        from tests.desk.test_faults import enter
        screen = Screen(TableDesk(TestRoom(Path(sys.argv[1]), electronics=False)))
        screen.begin(starter=1)
        for column in range(1, 6):
            enter(screen, f"R{column}")
        live = enter(screen, "B2", "gnome-02")
        print(live.game, live.undo, flush=True)
        time.sleep(600)
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), str(home)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert child.stdout is not None
    with child, child.stdout:
        said = child.stdout.readline().strip()
        child.send_signal(signal.SIGKILL)
    screen = sit(TestRoom(home, electronics=False))
    (offered,) = screen.ask(ShowHome(), HomeModel, lambda model: model.resumes).resumes
    live = screen.ask(Resume(offered.journal), LiveModel)
    assert f"{live.game} {live.undo}" == said
    assert live.board.cell("B2").title == "gnome-02"


def test_a_journal_that_cannot_be_begun_is_a_sentence(tmp_path: Path, sit: Sit) -> None:
    home = tmp_path / "home"
    home.write_text("a file where a folder should be")
    screen = sit(TestRoom(home, electronics=False))
    shown = screen.ask(ShowHome(), HomeModel)
    assert next(device for device in shown.devices if device.name == "Disk").state == "failed"
    notice = screen.ask(Begin("allies", ("Ann", "Bo"), "reconciled"), NoticeModel)
    assert "Traceback" not in notice.says
    assert str(home.name) in notice.says
    assert not any(isinstance(model, LiveModel) for model in screen.models)


def test_a_disk_that_fails_in_play_leaves_the_game_as_it_was(
    screen: Screen, room: TestRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen.begin(starter=0)
    before = enter(screen, "R1")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("companion.journal.file.os.pwrite", full)
        plan = screen.ask(ShowCorrection(before.game, "R2"), CorrectModel)
        wish = Correct(before.game, "R2", plan.shelves[0].options[0].number)
        notice = screen.ask(wish, NoticeModel)
    assert "disk is full" in notice.says
    assert screen.settle().board.cell("R2").kind == "empty"
    assert len(read_journal(room.home / "games" / before.game).entries) == 1
    assert enter(screen, "R2").board.cell("R2").kind != "empty"


def test_an_altered_journal_is_refused_and_named(screen: Screen, room: TestRoom) -> None:
    live = screen.begin(starter=0)
    enter(screen, "R1")
    screen.close()
    file = room.home / "games" / live.game
    file.write_bytes(file.read_bytes().replace(b"region", b"legion", 1))
    again = Screen(TableDesk(TestRoom(room.home)))
    try:
        home = again.ask(ShowHome(), HomeModel)
        assert not home.resumes
        assert next(device for device in home.devices if device.name == "Disk").state == "unsure"
        assert live.game in again.ask(Resume(live.game), NoticeModel).says
    finally:
        again.close()


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        (Begin("chess", ("Ann", "Bo"), "reconciled"), "chess"),
        (Begin("allies", ("Ann", "Bo"), "klingon"), "klingon"),
        (Begin("allies", ("Ann", "Bo"), "reconciled", (("crown_counts", "never"),)), "never"),
        (Begin("allies", ("Ann", "Bo", "Cy"), "reconciled"), "3 players"),
        (Resume("0042-allies.journal"), "0042-allies.journal"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_with_what_was_found(
    screen: Screen, wish: Begin | Resume, named: str
) -> None:
    assert named in screen.ask(wish, NoticeModel).says
    assert not any(isinstance(model, LiveModel) for model in screen.models)


def test_a_wish_that_cannot_be_met_leaves_the_open_game_open(screen: Screen) -> None:
    live = screen.begin(starter=0)
    screen.ask(Begin("allies", ("Ann", "Bo"), "klingon"), NoticeModel)
    assert enter(screen, "R1").game == live.game


def test_an_owners_faulty_set_is_told_on_the_games_tile(screen: Screen, room: TestRoom) -> None:
    folder = room.home / "sets" / "allies"
    folder.mkdir(parents=True)
    (folder / "set.toml").write_text('label = "mine"\n')
    assert "set.toml" in screen.ask(ShowGames(), GamesModel).games[0].problem


def test_a_game_with_our_own_cards_goes_on_though_the_owners_set_is_faulty_by_now(
    screen: Screen, room: TestRoom
) -> None:
    live = screen.begin(starter=0)
    enter(screen, "R1")
    screen.submit(Leave(live.game))
    folder = room.home / "sets" / "allies"
    folder.mkdir(parents=True)
    (folder / "set.toml").write_text("label = 3")
    again = screen.ask(Resume(live.game), LiveModel)
    assert again.board.cell("R1").kind != "empty"


def test_a_game_whose_cards_are_gone_is_refused_and_can_be_tried_again(screen: Screen, room: TestRoom) -> None:
    folder = own_values(room.home)
    live = screen.begin(starter=0)
    screen.submit(Leave(live.game))
    values = (folder / "set.toml").read_text()
    (folder / "set.toml").unlink()
    assert "set.toml" in screen.ask(Resume(live.game), NoticeModel).says
    (folder / "set.toml").write_text(values)
    assert screen.ask(Resume(live.game), LiveModel).game == live.game


def test_a_faulty_wiring_file_is_told_at_home_and_the_game_goes_on_without(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "table.toml").write_text('[[seat]]\ndone = "gpio:99"\n')
    (home / "camera.toml").write_text('source = "none"\n')
    screen = Screen(TableDesk(RealRoom(home)))
    try:
        devices = {device.name: device for device in screen.ask(ShowHome(), HomeModel).devices}
        assert devices["Wiring"].state == "failed"
        assert "table.toml:2" in devices["Wiring"].says
        assert devices["Camera"].state == "off"
        assert screen.begin().prompt.kind == "ask"
    finally:
        screen.close()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('sauce = "usb:0"', 'camera.toml:1: unknown key "sauce"; did you mean "source"?'),
        ("\nsource = 0", "camera.toml:2: source = 0; write it in quotes"),
        ('source = "tape:0"', "camera.toml:1: 'tape:0' names no source of pictures"),
        ("source = usb", "camera.toml:1: this is not TOML"),
    ],
)
def test_camera_settings_that_cannot_be_meant_name_their_line(text: str, says: str) -> None:
    with pytest.raises(SettingsError) as raised:
        parse_camera(text)
    assert str(raised.value).startswith(says)


def test_without_settings_the_first_usb_camera_is_meant(tmp_path: Path) -> None:
    assert load_camera(tmp_path / "camera.toml").source == "usb:0"


def test_the_look_is_kept_for_the_next_start(screen: Screen, room: TestRoom) -> None:
    look = LookModel("contrast", 1.3, 10.1)
    screen.submit(KeepLook(look))
    screen.ask(ShowHome(), HomeModel)
    assert load_look(room.home / "screen.json") == look


def test_a_look_that_cannot_be_kept_or_read_is_no_obstacle(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert "cannot be written" in keep_look(blocked / "screen.json", LookModel())
    (tmp_path / "screen.json").write_text('{"diagonal": 900}')
    assert load_look(tmp_path / "screen.json") == LookModel()
