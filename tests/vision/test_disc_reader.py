"""A board of discs over many pictures: found by itself, followed, believed at rest, and never through a hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sets.discs import draw_discs
from companion.simulated.disc_scenes import render_discs
from companion.table.mat import board_mat
from companion.table.observation import Scene
from vision.board_tracker import AGAIN_S, BoardTracker
from vision.disc_reader import COVERED_S, REST_S, SAID_AFTER_S, DiscReader
from vision.discs import DiscBoard
from vision.frame import Frame
from vision.plane import MatNotFoundError

BOARD = DiscBoard(draw_discs())
MAT = board_mat("a board", (("D1", "disc-middle"), ("D2", "disc-innermost")), tuple("abcdef"))
STEP_S = 0.2


class Film:
    """Shows pictures to a reader, five a second."""

    def __init__(self, reader: DiscReader) -> None:
        self.reader, self.at, self.number = reader, 0.0, 0

    def show(self, picture: NDArray[np.uint8], seconds: float = STEP_S) -> Scene:
        for _ in range(max(1, round(seconds / STEP_S))):
            self.at += STEP_S
            self.number += 1
            scene = self.reader.read(Frame(picture, "a film", self.at, self.number))
        return scene


@pytest.fixture
def film() -> Film:
    return Film(DiscReader(MAT, BOARD))


def stand(scene: Scene) -> list[tuple[str, str | None, int | None]]:
    return [(seen.seen, seen.piece, seen.turn) for seen in scene.sightings]


@pytest.mark.parametrize(
    ("middle", "inner", "skew", "board"), [(1, 4, 0, 640.0), (3, 0, 137, 520.0), (5, 2, 250, 360.0)]
)
def test_the_board_is_found_by_itself_however_it_lies(
    film: Film, middle: int, inner: int, skew: int, board: float
) -> None:
    picture, corners = render_discs(middle, inner, seed=7 + middle, skew=skew, board=board)
    scene = film.show(picture, REST_S + 2 * STEP_S)
    assert scene.steady
    assert stand(scene) == [("known", "disc-middle", middle), ("known", "disc-innermost", inner)]
    look = film.reader.last
    assert look is not None
    assert look.plane is not None
    found = look.plane.to_picture(((0, 0), (MAT.width, 0), (MAT.width, MAT.height), (0, MAT.height)))
    assert np.hypot(*(found - corners).T).max() < 0.015 * board
    assert set(look.outlines) == {"D1", "D2"}
    assert film.reader.evidence(scene.sightings[0].digest) is not None


def test_figures_and_fort_discs_on_the_board_hide_neither_it_nor_its_discs(film: Film) -> None:
    scene = film.show(render_discs(4, 1, seed=15, skew=80, pieces=60)[0], REST_S + 2 * STEP_S)
    assert stand(scene) == [("known", "disc-middle", 4), ("known", "disc-innermost", 1)]


def test_positions_are_told_in_the_tables_own_order() -> None:
    film = Film(DiscReader(MAT, BOARD, order=(0, 2, 1, 4, 3, 5)))
    scene = film.show(render_discs(1, 4, seed=3)[0], REST_S + 2 * STEP_S)
    assert [seen.turn for seen in scene.sightings] == [2, 3]


def test_a_disc_counts_once_it_rests_and_a_hand_over_it_says_nothing(film: Film) -> None:
    film.show(render_discs(0, 0, seed=5)[0], 2.0)
    arm = film.show(render_discs(0, 0, seed=5, hand=0.5)[0])
    assert (arm.steady, arm.hand) == (False, True)
    passing = film.show(render_discs(1, 0, seed=5)[0], REST_S / 2)
    assert not passing.steady
    assert film.show(render_discs(2, 0, seed=5)[0], REST_S / 2).steady is False
    settled = film.show(render_discs(2, 0, seed=5)[0], REST_S)
    assert settled.steady
    assert stand(settled)[0] == ("known", "disc-middle", 2)


def test_each_turn_is_told_once(film: Film) -> None:
    told = []
    for middle, inner in ((0, 3), (0, 3), (2, 3), (2, 2)):
        for _ in range(8):
            film.show(render_discs(middle, inner, seed=5)[0])
            assert film.reader.last is not None
            told += film.reader.last.changes
    assert [(each.kind, each.slot, each.position, round(each.degrees, -1)) for each in told] == [
        ("found", "D1", "a", 0),
        ("found", "D2", "d", 0),
        ("rotated", "D1", "c", 120),
        ("rotated", "D2", "c", -60),
    ]


def test_a_disc_that_creeps_on_is_not_at_rest(film: Film) -> None:
    for tenth in range(12):
        scene = film.show(render_discs(tenth / 60, 0, seed=5)[0])  # a degree at a time, five a second
    assert not scene.steady


def test_what_stays_on_a_disc_hides_that_disc_only(film: Film) -> None:
    covered = render_discs(3, 1, seed=3, hand=0.5)[0]
    assert film.show(covered, COVERED_S - 2 * STEP_S).hand
    scene = film.show(covered, 1.0)
    assert (scene.steady, scene.hand) == (True, False)
    assert stand(scene) == [("known", "disc-middle", 3), ("hidden", None, None)]


def test_between_two_positions_names_both_and_after_a_while_says_so(film: Film) -> None:
    picture = render_discs(2.45, 5, seed=4)[0]
    scene = film.show(picture, REST_S + 2 * STEP_S)
    assert scene.steady
    assert (scene.sightings[0].seen, scene.sightings[0].between) == ("unsure", (2, 3))
    assert scene.problem == ""
    assert "between two positions" in film.show(picture, SAID_AFTER_S).problem


def test_after_a_bump_the_board_is_found_again_and_reads_on(film: Film) -> None:
    film.show(render_discs(2, 3, seed=11)[0], 2.0)
    elsewhere = render_discs(2, 3, seed=12, skew=35)[0]
    scene = film.show(elsewhere, 2.5)
    assert film.reader.tracker.bumps == 1
    assert stand(scene) == [("known", "disc-middle", 2), ("known", "disc-innermost", 3)]


def test_a_table_without_the_board_is_said_and_looked_at_now_and_then() -> None:
    tracker = BoardTracker(BOARD, MAT)
    bare = np.random.default_rng(1).integers(60, 200, (720, 1280, 3)).astype(np.uint8)
    with pytest.raises(MatNotFoundError, match="the board was not found"):
        tracker.follow(Frame(bare, "a film", 0.0, 0))
    board = render_discs(1, 1, seed=2)[0]
    with pytest.raises(MatNotFoundError):
        tracker.follow(Frame(board, "a film", AGAIN_S / 2, 1))
    assert tracker.follow(Frame(board, "a film", AGAIN_S * 1.1, 2)).size == (1280, 720)


def test_corners_set_by_hand_serve_where_the_board_cannot_be_found(film: Film) -> None:
    picture, corners = render_discs(4, 2, seed=9)
    film.reader.use_corners(corners, Frame(picture, "a film", 0.1, 0))
    scene = film.show(picture, 2.0)
    assert stand(scene) == [("known", "disc-middle", 4), ("known", "disc-innermost", 2)]


def test_a_board_of_other_discs_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 1 turning discs"):
        DiscReader(board_mat("one", (("D1", "disc"),), ()), BOARD)
    with pytest.raises(ValueError, match="an order of 6 positions"):
        DiscReader(MAT, BOARD, order=(0, 1, 2))
