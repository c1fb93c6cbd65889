from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.presenters.desk import (
    Answer,
    Begin,
    Correct,
    KeepLook,
    Leave,
    LeaveTable,
    Resume,
    SetCorners,
    ShowCorrection,
    ShowFinal,
    ShowGames,
    ShowHome,
    ShowSetUp,
    ShowTable,
    Undo,
)
from companion.presenters.front_desk import CHANGED, FrontDesk
from companion.presenters.models import (
    CorrectModel,
    FinalModel,
    GamesModel,
    HomeModel,
    LiveModel,
    LookModel,
    NoticeModel,
    SetUpModel,
    TableModel,
)
from tests.presenters.house import House, StillEye

DUEL = Begin("allies", ("Ania", "J\u00f6rg"), "reconciled", (), 0)


class Watcher:
    """Keeps what was published and waits for more."""

    def __init__(self, desk: FrontDesk) -> None:
        self.desk, self.seen = desk, []
        desk.open(self.seen.append)

    def send(self, intent: object, kind: type, holds: Callable[[object], object] = lambda model: True) -> object:
        begun = len(self.seen)
        self.desk.submit(intent)
        return self.wait(kind, holds, begun)

    def wait(self, kind: type, holds: Callable[[object], object], begun: int = 0) -> object:
        for _ in range(2000):
            found = [model for model in self.seen[begun:] if isinstance(model, kind) and holds(model)]
            if found:
                return found[-1]
            time.sleep(0.005)
        raise AssertionError(f"no {kind.__name__} that fits; seen {[type(model).__name__ for model in self.seen]}")

    def fill(self, live: LiveModel, cell: str) -> LiveModel:
        """Enter the first card of the first shelf in an empty place by hand."""
        plan = self.send(ShowCorrection(live.game, cell), CorrectModel, lambda model: model.cell.key == cell)
        option = plan.shelves[0].options[0]
        title = option.title
        return self.send(
            Correct(live.game, cell, option.number),
            LiveModel,
            lambda model: model.board.cell(cell).title == title,
        )

    def deal(self, live: LiveModel) -> LiveModel:
        for column in range(1, 6):
            live = self.fill(live, f"R{column}")
        return live


@pytest.fixture
def watcher(tmp_path: Path) -> Iterator[Watcher]:
    desk = FrontDesk(House(tmp_path))
    yield Watcher(desk)
    desk.close()


def test_home_games_and_set_up_are_answered(watcher: Watcher) -> None:
    assert watcher.send(ShowHome(), HomeModel).resumes == ()
    assert watcher.send(ShowGames(), GamesModel).games[0].key == "allies"
    assert watcher.send(ShowSetUp("allies"), SetUpModel).seats == 2


def test_a_game_is_begun_played_by_hand_left_and_resumed_where_it_was(watcher: Watcher) -> None:
    live = watcher.deal(watcher.send(DUEL, LiveModel))
    live = watcher.fill(live, "A3")
    watcher.desk.submit(Leave(live.game))
    home = watcher.send(ShowHome(), HomeModel, lambda model: model.resumes)
    assert home.resumes[0].players == "Ania and J\u00f6rg"
    again = watcher.send(Resume(home.resumes[0].journal), LiveModel)
    assert again.board.cell("A3").title == live.board.cell("A3").title
    assert again.undo == live.undo


def test_undo_takes_back_what_it_named_and_nothing_else(watcher: Watcher) -> None:
    live = watcher.deal(watcher.send(DUEL, LiveModel))
    live = watcher.fill(live, "A3")
    refused = watcher.send(Undo(live.game, "something that was never done"), NoticeModel)
    assert refused.says == CHANGED
    after = watcher.send(Undo(live.game, live.undo), LiveModel, lambda model: model.undo != live.undo)
    assert after.board.cell("A3").kind == "empty"
    assert after.undo.startswith(live.board.cell("R5").title)


def test_an_answer_to_a_question_that_is_gone_changes_nothing(watcher: Watcher) -> None:
    live = watcher.deal(watcher.send(DUEL, LiveModel))
    assert watcher.send(Answer(live.game, "doubt:A1:0", 0), NoticeModel).says == CHANGED


def test_an_intent_for_another_game_is_not_carried_out(watcher: Watcher) -> None:
    live = watcher.deal(watcher.send(DUEL, LiveModel))
    watcher.desk.submit(Undo("0999-allies.journal", live.undo))
    final = watcher.send(ShowFinal(live.game), FinalModel)
    assert final.game == live.game
    assert [type(model) for model in watcher.seen].count(NoticeModel) == 0


def test_a_plan_made_before_an_act_is_not_carried_out_after_it(watcher: Watcher) -> None:
    live = watcher.deal(watcher.send(DUEL, LiveModel))
    live = watcher.fill(live, "A3")
    watcher.send(ShowCorrection(live.game, "A3"), CorrectModel, lambda model: model.cell.key == "A3")
    watcher.send(Undo(live.game, live.undo), LiveModel, lambda model: model.undo != live.undo)
    assert watcher.send(Correct(live.game, "A3", 0), NoticeModel, lambda model: model.tone == "refused").says == CHANGED


def test_a_cell_that_no_question_is_about_is_refused_in_a_sentence(watcher: Watcher) -> None:
    live = watcher.send(DUEL, LiveModel)
    notice = watcher.send(ShowCorrection(live.game, "B1"), NoticeModel)
    assert "B1" in notice.says


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (replace(DUEL, edition="xx"), "edition"),
        (replace(DUEL, options=(("AL-Q01", "sometimes"),)), "AL-Q01"),
        (replace(DUEL, names=("Ania",)), "2 to 2"),
        (Resume("0042-allies.journal"), "no game 0042"),
    ],
)
def test_a_game_that_cannot_be_opened_says_why_and_the_desk_goes_on(wish: object, says: str, watcher: Watcher) -> None:
    notice = watcher.send(wish, NoticeModel)
    assert says in notice.says
    assert notice.tone == "refused"
    assert watcher.send(DUEL, LiveModel).prompt.kind == "ask"


def test_the_same_table_is_published_once(watcher: Watcher) -> None:
    live = watcher.deal(watcher.send(DUEL, LiveModel))
    before = len([model for model in watcher.seen if isinstance(model, LiveModel)])
    for _ in range(3):
        watcher.send(ShowFinal(live.game), FinalModel)
    assert len([model for model in watcher.seen if isinstance(model, LiveModel)]) == before


def test_corners_and_meters_go_through_the_camera_until_the_table_is_left(tmp_path: Path) -> None:
    eye = StillEye()
    desk = FrontDesk(House(tmp_path, eye))
    watcher = Watcher(desk)
    live = watcher.send(DUEL, LiveModel)
    assert live.camera == "ok"
    assert watcher.send(ShowTable(), TableModel).ready
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    watcher.send(SetCorners(corners), TableModel)
    assert eye.corners == corners
    eye.shown = TableModel(manual=True)
    watcher.wait(TableModel, lambda model: model.manual)  # it comes by itself
    assert watcher.send(LeaveTable(camera=False), LiveModel).camera == "off"
    desk.close()


def test_how_the_screen_looks_is_kept(tmp_path: Path) -> None:
    house = House(tmp_path)
    desk = FrontDesk(house)
    watcher = Watcher(desk)
    desk.submit(KeepLook(LookModel(theme="light")))
    watcher.send(ShowHome(), HomeModel)
    assert house.look.theme == "light"
    desk.close()
