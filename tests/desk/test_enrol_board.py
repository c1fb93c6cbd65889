"""An owner's board on the screen: photographed, its corners dragged, its rings looked at, its paths tapped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import tests.ui.conftest  # noqa: F401  prepares the window, before anything imports a widget

# isort: split
import pytest

from companion.desk import TableDesk
from companion.desk.boards import DISCS, board_of
from companion.desk.enrol_board import BoardSteps
from companion.desk.enrolment import EnrolmentError
from companion.games import load_game
from companion.games.realm_of_wonder.pieces import CHARACTERS
from companion.presenters.enrol import EnrolChoose, EnrolCorners, EnrolFrame, EnrolModel
from companion.simulated.disc_scenes import render_discs
from companion.table.mat import game_mat
from tests.desk.parts import StillCamera, TestRoom
from tests.ui.pilot import Pilot
from ui.screens.games import GameTile

KEY = "realm_of_wonder"
GAME = load_game(KEY)
PHOTO, CORNERS = render_discs(0, 0, seed=21)
SHARES = tuple((float(x) / 1280, float(y) / 720) for x, y in CORNERS)
CLOCKWISE = ("gnome", "wizard", "cyclops", "golem", "yeti", "troll")
PICTURES = os.environ.get("COMPANION_PICTURES", "")


class Wizard:
    """The steps, and what is tapped on them."""

    def __init__(self, folder: Path) -> None:
        self.steps = BoardSteps(game_mat(GAME), GAME.title, folder)

    @property
    def model(self) -> EnrolModel:
        return self.steps.model

    def tap(self, says: str) -> None:
        number = next(choice.number for choice in self.model.choices if choice.says == says)
        self.steps.act(EnrolChoose(self.model.key, number))

    def drag(self, corners: tuple[tuple[float, float], ...] = SHARES) -> None:
        self.steps.act(EnrolCorners(self.model.key, corners))  # type: ignore[arg-type]

    def frame(self, radius: float) -> None:
        low, high = 0.5 - radius / 2, 0.5 + radius / 2
        self.steps.act(EnrolFrame(self.model.key, (low, low, high, high)))


@pytest.fixture
def wizard(tmp_path: Path) -> Wizard:
    return Wizard(tmp_path)


def test_a_board_is_enrolled_by_a_photograph_four_corners_and_five_taps(wizard: Wizard, tmp_path: Path) -> None:
    assert wizard.model.step == "photograph"
    wizard.steps.photograph(PHOTO)
    assert wizard.model.step == "corners"
    wizard.drag()
    wizard.tap("Next")
    assert (wizard.model.step, len(wizard.model.frames)) == ("frame", 2)
    wizard.tap("They do")
    for path in CLOCKWISE[:-1]:
        wizard.tap(path.capitalize())
    assert (wizard.model.step, wizard.model.warnings) == ("finish", (f"Clockwise: {', '.join(CLOCKWISE)}.",))
    board, order = board_of(tmp_path / DISCS, CHARACTERS)
    assert order == tuple(CHARACTERS.index(path) for path in CLOCKWISE)
    readings = board.read_frame(*render_discs(4, 1, seed=8))
    assert [(each.state, each.turn) for each in readings] == [("known", 4), ("known", 1)]


def test_discs_of_other_sizes_are_framed(wizard: Wizard, tmp_path: Path) -> None:
    wizard.steps.photograph(PHOTO)
    wizard.drag()
    wizard.tap("Next")
    wizard.tap("Show where")
    assert wizard.model.says == "Draw a frame round the middle disc, from edge to edge."
    wizard.frame(0.4)
    with pytest.raises(EnrolmentError, match="Draw them again"):
        wizard.frame(0.7)
    assert wizard.model.says == "Draw a frame round the middle disc, from edge to edge."
    wizard.frame(0.68)
    wizard.frame(0.39)
    wizard.tap("They do")
    for path in CLOCKWISE[:-1]:
        wizard.tap(path.capitalize())
    board, _ = board_of(tmp_path / DISCS, CHARACTERS)
    assert [(ring.inner, ring.outer) for ring in board.rings] == [(0.7, 0.97), (0.41, 0.66), (0.1, 0.37)]


def test_corners_that_cannot_be_meant_and_late_taps_change_nothing(wizard: Wizard, tmp_path: Path) -> None:
    wizard.steps.photograph(PHOTO)
    gone = wizard.model.key
    wizard.drag(((0.5, 0.5), (0.51, 0.5), (0.51, 0.51), (0.5, 0.51)))
    with pytest.raises(EnrolmentError, match="no square of at least 120 pixels"):
        wizard.tap("Next")
    before = wizard.model
    wizard.steps.act(EnrolChoose(gone, 0))
    assert wizard.model == before
    wizard.tap("Photograph again")
    assert wizard.model.step == "photograph"
    assert not (tmp_path / DISCS).exists()


def test_a_drag_counts_before_the_one_before_it_is_on_the_screen(wizard: Wizard) -> None:
    wizard.steps.photograph(PHOTO)
    shown = wizard.model.key
    wizard.steps.act(EnrolCorners(shown, (SHARES[0], *wizard.model.corners[1:])))
    wizard.steps.act(EnrolCorners(shown, SHARES))  # type: ignore[arg-type]
    assert wizard.model.corners == SHARES


def test_a_photograph_without_marks_is_refused_when_it_would_be_saved(wizard: Wizard, tmp_path: Path) -> None:
    grey = PHOTO.copy()
    grey[:] = 120
    wizard.steps.photograph(grey)
    wizard.drag()
    wizard.tap("Next")
    wizard.tap("They do")
    for path in CLOCKWISE[:-2]:
        wizard.tap(path.capitalize())
    with pytest.raises(EnrolmentError, match="looks alike when it is turned"):
        wizard.tap(CLOCKWISE[-2].capitalize())
    assert not (tmp_path / DISCS).exists()


SIZES = ((800, 480), (1280, 720))


@pytest.fixture(params=SIZES, ids=str)
def pilot(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Pilot]:
    opened = Pilot(request.param, TableDesk(TestRoom(tmp_path / "home", StillCamera(PHOTO))))
    yield opened
    opened.close()


def test_the_same_with_a_finger_on_the_real_screen(
    pilot: Pilot, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    size = request.node.callspec.params["pilot"][0]

    def shows(step: str) -> bool:
        model = pilot.sheet.model
        return pilot.here == "enrol" and model is not None and model.step == step

    def look(name: str) -> None:
        if PICTURES:
            pilot.settle()
            pilot.picture(Path(PICTURES) / f"board-{name}-{size}.png")

    pilot.tap(pilot.button("New game"))
    assert pilot.wait(lambda: any(tile.model.key == KEY for tile in pilot.shown(GameTile)))
    pilot.tap(pilot.button("My cards"))
    pilot.tap(next(tile for tile in pilot.shown(GameTile) if tile.model.key == KEY))
    assert pilot.wait(lambda: shows("photograph"))
    pilot.tap(pilot.button("Photograph"))
    assert pilot.wait(lambda: shows("corners"))
    pilot.settle()
    view = pilot.sheet.ids.corners
    for number, share in enumerate(SHARES):
        start, end = (view.to_window(*view.to_pixels(point)) for point in (view.corners[number], share))
        pilot.drag(start, end)
        assert pilot.wait(lambda number=number, share=share: near(pilot.sheet.model.corners[number], share))
    look("corners")
    pilot.tap(pilot.button("Next"))
    assert pilot.wait(lambda: shows("frame"))
    look("rings")
    pilot.tap(pilot.button("They do"))
    for path in CLOCKWISE[:-1]:
        assert pilot.wait(
            lambda path=path: shows("ask") and path.capitalize() in {c.says for c in pilot.sheet.model.choices}
        )
        look(f"path-{path}")
        key = pilot.sheet.model.key
        pilot.tap(pilot.button(path.capitalize()))
        assert pilot.wait(lambda key=key: pilot.sheet.model.key != key)
    assert pilot.wait(lambda: shows("finish"))
    look("saved")
    board, _ = board_of(tmp_path / "home" / "sets" / KEY / DISCS, CHARACTERS)
    assert [each.turn for each in board.read_frame(*render_discs(3, 5, seed=8))] == [3, 5]


def near(point: tuple[float, float], wanted: tuple[float, float]) -> bool:
    return abs(point[0] - wanted[0]) < 0.01 and abs(point[1] - wanted[1]) < 0.01
