"""The real screens on the real desk, in a real window: everything here is done with a finger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import tests.ui.conftest  # noqa: F401  prepares the window, before anything imports a widget

# isort: split
import pytest
from kivy.core.window import Window

from companion.desk import TableDesk
from companion.journal.file import read_journal
from companion.presenters.models import LiveModel
from companion.table.observation import Candidate, Scene, Sighting
from tests.desk.parts import Evening, StillCamera, TestRoom, flat_mat, own_values, plain_card, scene, settle
from tests.ui.pilot import Pilot
from ui.screens.games import GameTile
from ui.screens.live import ChoiceButton

SIZE = (1280, 720)


class Table:
    """The application on a desk whose cards the camera does not know; an oracle says what lies there."""

    def __init__(self, home: Path) -> None:
        own_values(home)
        self.room = TestRoom(home, StillCamera(flat_mat()))
        self.desk = TableDesk(self.room)
        self.pilot = Pilot(SIZE, self.desk)

    @property
    def live(self) -> LiveModel:
        return self.pilot.app.live

    def begin(self, starter: str = "") -> None:
        pilot = self.pilot
        pilot.tap(pilot.button("New game"))
        assert pilot.wait(lambda: any(tile.model.key == "allies" for tile in pilot.shown(GameTile)))
        pilot.tap(next(tile for tile in pilot.shown(GameTile) if tile.model.key == "allies"))
        if starter:
            pilot.tap(pilot.button(starter))
        pilot.tap(pilot.button("Next"))
        assert pilot.wait(lambda: pilot.here == "table" and pilot.sheet.ready)
        pilot.tap(pilot.button("Start"))
        assert pilot.wait(lambda: pilot.here == "live")
        assert self.room.held[-1] is False

    def see(self, seen: Scene, holds: Callable[[LiveModel], object]) -> None:
        self.room.oracle.observe(seen)
        assert self.pilot.wait(lambda: holds(self.live)), self.live.prompt


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    sat_down = Table(tmp_path / "home")
    yield sat_down
    sat_down.pilot.close()


def test_a_turn_by_touch_one_doubt_settled_and_one_act_taken_back(table: Table, tmp_path: Path) -> None:
    pilot = table.pilot
    table.begin("Ania")
    cards, _ = table.room.cards("allies")
    regions = {f"R{column}": f"{key}/1" for column, key in enumerate(list(cards.of_kind("region"))[:5], 1)}
    table.see(scene(1.0, **regions), lambda live: live.prompt.seat == 0)

    one, other = plain_card(cards, "yeti"), plain_card(cards, "yeti", 1)
    doubtful = Sighting(
        "A3", "unsure", one, 0, confidence=0.52, candidates=(Candidate(one, 0.52), Candidate(other, 0.48))
    )
    sightings = tuple(doubtful if seen.slot == "A3" else seen for seen in scene(2.0, **regions).sightings)
    table.see(Scene("oracle", 2.0, sightings), lambda live: live.prompt.kind == "doubt")
    pilot.settle()
    choices = {button.number: button for button in pilot.shown(ChoiceButton)}
    number = next(c.number for c in table.live.prompt.choices if c.cell is not None and c.cell.title == other)
    pilot.picture(tmp_path / "doubt.png")
    pilot.tap(choices[number])
    assert pilot.wait(lambda: table.live.board.cell("A3").title == other)

    undo = pilot.button("Undo")
    assert pilot.wait(lambda: other in undo.detail)
    pilot.picture(tmp_path / "laid.png")
    pilot.tap(undo)
    assert pilot.wait(lambda: table.live.board.cell("A3").kind == "empty")
    assert other not in undo.detail

    entries = read_journal(table.room.home / "games" / table.live.game).entries
    assert [entry.source for entry in entries[-2:]] == ["touch", "touch"]


def test_the_final_score_comes_by_itself_and_opens_as_a_tree(table: Table, tmp_path: Path) -> None:
    pilot = table.pilot
    table.begin()
    night = Evening(11)
    for observation in night:
        table.room.oracle.observe(observation)
        settle(table.desk)
    assert pilot.wait(lambda: pilot.here == "final")
    assert pilot.wait(lambda: pilot.sheet.model is not None)
    truth = night.world.truth().score
    assert [tree.points for tree in pilot.sheet.model.trees] == [truth["A"], truth["B"]]
    pilot.settle()
    pilot.picture(tmp_path / "final.png")
    words = {widget.text for widget in pilot.shown() if hasattr(widget, "text")}
    assert {str(truth["A"]), str(truth["B"])} <= words
    assert Window.size == SIZE
