"""A spin at a real window: the board under the camera, a finger on the screen, a hand at the disc."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import tests.ui.conftest  # noqa: F401  prepares the window, before anything imports a widget

# isort: split
import pytest

from companion.desk import TableDesk
from companion.presenters.models import LiveModel
from companion.table.observation import Touch
from companion.table.session import Provenance
from tests.desk.parts import TestRoom
from tests.desk.test_camera_discs import AT_RUNE, board_camera, is_seen, stand
from tests.ui.pilot import Pilot
from ui.screens.games import GameTile

SIZES = ((800, 480), (1280, 720))
PICTURES = os.environ.get("COMPANION_PICTURES", "")


class Table:
    """The application on a desk under whose camera the board of discs lies."""

    def __init__(self, home: Path, size: tuple[int, int]) -> None:
        self.room = TestRoom(home, board_camera(1))
        self.desk = TableDesk(self.room)
        self.size = size
        self.pilot = Pilot(size, self.desk)

    @property
    def live(self) -> LiveModel:
        return self.pilot.app.live

    def picture(self, name: str) -> None:
        if PICTURES:
            self.pilot.settle()
            self.pilot.picture(Path(PICTURES) / f"{name}-{self.size[0]}.png")

    def shows(self, says: str) -> bool:
        return self.live is not None and says in self.live.prompt.says


@pytest.fixture(params=SIZES, ids=str)
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Table]:
    sat_down = Table(tmp_path / "home", request.param)
    yield sat_down
    sat_down.pilot.close()


def test_a_whirlpool_is_spun_by_a_tap_and_a_hand(table: Table) -> None:
    pilot = table.pilot
    pilot.tap(pilot.button("New game"))
    assert pilot.wait(lambda: any(tile.model.key == "realm_of_wonder" for tile in pilot.shown(GameTile)))
    pilot.tap(next(tile for tile in pilot.shown(GameTile) if tile.model.key == "realm_of_wonder"))
    assert pilot.wait(lambda: pilot.here == "players" and pilot.sheet.model is not None)
    pilot.tap(pilot.button("Next"))
    assert pilot.wait(lambda: pilot.here == "table" and pilot.sheet.ready and pilot.sheet.model.slots)
    table.picture("discs-set-up")
    pilot.tap(pilot.button("Start"))
    assert pilot.wait(lambda: pilot.here == "live")
    game = table.desk._table
    assert game is not None
    game.refresh(lambda session: session.declare(AT_RUNE, "for a test", Provenance("touch", "test")))
    assert pilot.wait(lambda: is_seen(table.live) and table.live.progress)
    table.room.oracle.observe(Touch("test", 0.0, to="spin", reply="middle"))
    assert pilot.wait(lambda: table.shows("roll the spinning die and set the whirlpool of the middle disc"))
    table.picture("discs-spin-asked")
    stand(table.room.camera, 2.45)
    assert pilot.wait(lambda: table.shows("where does the middle disc stand?")), table.live.prompt
    table.picture("discs-between-two")
    pilot.settle(1.0)
    pilot.tap(pilot.button("Ania spun the middle whirlpool to the troll"))
    assert pilot.wait(lambda: table.live.board.cell("D1").value == "troll")
    stand(table.room.camera, 2)
    table.picture("discs-spun")
    stand(table.room.camera, 2, 4)
    assert pilot.wait(lambda: table.shows("What turned the innermost disc?")), table.live.prompt
    table.picture("discs-turned-by-somebody")
