"""The whirlpool discs under a desk's camera: found, offered as they stand, answering for a spin, objected to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.desk import TableDesk
from companion.desk.boards import DISCS, board_of
from companion.desk.simulated import SimulatedRoom
from companion.games.realm_of_wonder.pieces import CHARACTERS
from companion.journal.file import read_journal
from companion.presenters.desk import Answer, Begin, LeaveTable, SetCorners, ShowTable
from companion.presenters.models import LiveModel, TableModel
from companion.sets.discs import draw_discs
from companion.simulated.disc_scenes import render_discs
from companion.table.observation import Touch
from companion.table.session import Provenance
from tests.desk.parts import Screen, StillCamera, TestRoom, settle
from vision.discs import RINGS, DiscBoard, DiscsError

KEY = "realm_of_wonder"
SEED = 5
OTHER_WAY_ROUND = CHARACTERS[:1] + CHARACTERS[:0:-1]
"""A board whose regions follow each other in another order than ours."""
AT_RUNE = {
    "players": {"A": {"character": "wizard", "mp": 5, "points": 3, "at": "rune"}, "B": {"character": "troll"}},
    "turn": {"seat": "A"},
    "round": 2,
    "middle": "golem",
    "innermost": "golem",
}

Sit = Callable[[TestRoom], Screen]


def stand(camera: StillCamera, middle: float, innermost: float = 1) -> None:
    """Let the discs stand so many sixths clockwise from how they were enrolled."""
    camera.picture = render_discs(middle, innermost, seed=SEED)[0]


def board_camera(middle: float, innermost: float = 1) -> StillCamera:
    return StillCamera(render_discs(middle, innermost, seed=SEED)[0])


def begin(screen: Screen) -> LiveModel:
    return screen.ask(Begin(KEY, ("Ann", "Bo"), "reconciled"), LiveModel)


def declare(screen: Screen) -> None:
    """Let the table be in the middle of a turn, at a rune stone, both whirlpools at the golem's path."""
    table = screen.desk._table
    assert table is not None
    says: list[str] = []
    table.refresh(lambda session: says.append(session.declare(AT_RUNE, "for a test", Provenance("touch", "test"))))
    settle(screen.desk)
    assert says == [""]


def say(room: TestRoom, to: str, reply: str) -> None:
    room.oracle.observe(Touch("test", 0.0, to=to, reply=reply))


def is_seen(live: LiveModel) -> bool:
    return live.camera == "ok" and {each.key for each in live.overlays} == {"D1", "D2"}


def choose(screen: Screen, live: LiveModel, says: str) -> None:
    number = next(choice.number for choice in live.prompt.choices if says in choice.says)
    screen.submit(Answer(live.game, live.prompt.key, number))


def test_at_set_up_the_discs_are_offered_as_they_stand(tmp_path: Path, sit: Sit) -> None:
    room = TestRoom(tmp_path / "home", board_camera(2, 5))
    screen = sit(room)
    begin(screen)
    table = screen.ask(ShowTable(), TableModel, lambda model: model.slots)
    assert table.ready
    assert table.corners is not None
    assert not table.missing
    assert [(outline.key, outline.state) for outline in table.slots] == [("D1", "sure"), ("D2", "sure")]
    screen.submit(LeaveTable(camera=True))
    say(room, "characters", "wizard: A, troll: B")
    say(room, "quest", "quest-1")
    say(room, "quest counts", "forts")
    say(room, "quest goal", "4")
    live = screen.wait(LiveModel, lambda live: any("as it stands" in each.says for each in live.prompt.choices))
    offered = [choice.says for choice in live.prompt.choices if "as it stands" in choice.says]
    assert offered == [
        "The middle whirlpool was set to the troll (as it stands)",
        "The innermost whirlpool was set to the cyclops (as it stands)",
    ]
    choose(screen, live, "middle whirlpool")
    live = screen.wait(LiveModel, lambda live: live.board.cell("D1").value == "troll")
    choose(screen, live, "innermost whirlpool")
    screen.wait(LiveModel, lambda live: live.board.cell("D2").value == "cyclops")


def test_a_spin_is_read_off_the_disc_and_a_nudge_is_said(tmp_path: Path, sit: Sit) -> None:
    room = TestRoom(tmp_path / "home", board_camera(1))
    screen = sit(room)
    begin(screen)
    declare(screen)
    screen.wait(LiveModel, is_seen)
    say(room, "spin", "middle")
    screen.wait(LiveModel, lambda live: "roll the spinning die" in live.prompt.says)
    stand(room.camera, 4)
    live = screen.wait(LiveModel, lambda live: live.feed and live.feed[0].source == "camera")
    assert live.board.cell("D1").value == "gnome"
    rolled = read_journal(room.home / "games" / live.game).entries[-1]
    assert (rolled.source, rolled.reply) == ("camera", "gnome")
    assert len(rolled.evidence) == 64

    stand(room.camera, 4, 3)
    live = screen.wait(LiveModel, lambda live: live.prompt.kind == "doubt")
    assert live.prompt.says == "What turned the innermost disc?"
    assert live.board.cell("D2").value == "golem", "nothing is taken for paid that nobody has said"
    stand(room.camera, 4, 1)
    screen.wait(LiveModel, lambda live: live.prompt.kind == "ask")


def test_an_owners_board_counts_its_paths_in_its_own_order(tmp_path: Path, sit: Sit) -> None:
    home = tmp_path / "home"
    DiscBoard(draw_discs(), RINGS, OTHER_WAY_ROUND).save(home / "sets" / KEY / DISCS)
    room = TestRoom(home, board_camera(5, 5))  # on this board the golem's path is the last one
    screen = sit(room)
    begin(screen)
    declare(screen)
    screen.wait(LiveModel, is_seen)
    say(room, "spin", "middle")
    stand(room.camera, 1, 5)
    screen.wait(LiveModel, lambda live: live.board.cell("D1").value == OTHER_WAY_ROUND[1])


def test_a_board_that_does_not_name_its_paths_is_not_guessed_at(tmp_path: Path, sit: Sit) -> None:
    folder = tmp_path / "home" / "sets" / KEY / DISCS
    DiscBoard(draw_discs()).save(folder)
    with pytest.raises(DiscsError, match="says nothing of where its paths lead; enrol it again with --paths"):
        board_of(folder, CHARACTERS)
    screen = sit(TestRoom(tmp_path / "home", board_camera(0)))
    begin(screen)
    table = screen.ask(ShowTable(), TableModel, lambda model: any(meter.state == "failed" for meter in model.meters))
    (meter,) = (meter for meter in table.meters if meter.state == "failed")
    assert meter.name == "Board"
    assert "--paths" in meter.hint


def test_corners_dragged_onto_the_board_hold_and_are_kept(tmp_path: Path, sit: Sit) -> None:
    room = TestRoom(tmp_path / "home", board_camera(2, 3))
    screen = sit(room)
    begin(screen)
    screen.ask(ShowTable(), TableModel, lambda model: model.slots)
    shares = render_discs(2, 3, seed=SEED)[1] / (1280, 720)
    corners = tuple((float(x), float(y)) for x, y in shares)
    table = screen.ask(SetCorners(corners), TableModel, lambda model: model.manual and model.slots)  # type: ignore[arg-type]
    assert [outline.state for outline in table.slots] == ["sure", "sure"]
    again = screen.ask(SetCorners(None), TableModel, lambda model: not model.manual and model.corners)
    assert again.corners is not None


def test_a_simulated_evening_has_its_discs_seen(tmp_path: Path) -> None:
    room = SimulatedRoom(2, tmp_path / "home", game=KEY)
    screen = Screen(TableDesk(room))
    try:
        screen.ask(Begin(KEY, room.evening.names, room.evening.edition), LiveModel)
        screen.ask(ShowTable(), TableModel, lambda model: model.slots)
        screen.submit(LeaveTable(camera=True))
        live = screen.wait(LiveModel, stands_as_set)
        assert "wizard" not in [each.label for each in live.overlays], "the evening of this seed turns both"
        assert not [each for each in screen.models if isinstance(each, LiveModel) and each.prompt.kind == "alarm"]
    finally:
        screen.close()


def stands_as_set(live: LiveModel) -> bool:
    """Tell whether both discs are seen where the dice have set them."""
    return is_seen(live) and all(each.label == live.board.cell(each.key).value for each in live.overlays)
