from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.sets.discs import draw_discs
from companion.simulated.disc_scenes import render_discs
from vision.discs import RINGS, DiscBoard, DiscsError, rings_between

BOARD = DiscBoard(draw_discs())


@pytest.mark.parametrize(("middle", "inner"), [(0, 0), (1, 5), (3, 2), (5, 4)])
def test_both_discs_are_read_in_their_positions(middle: int, inner: int) -> None:
    picture, corners = render_discs(middle, inner, seed=middle)
    readings = BOARD.read_frame(picture, corners)
    assert [(r.slot, r.state, r.turn) for r in readings] == [
        ("disc-middle", "known", middle),
        ("disc-inner", "known", inner),
    ]


def test_a_disc_between_two_positions_is_unsure_and_names_both() -> None:
    picture, corners = render_discs(2.5, 5.45, seed=4)
    middle, inner = BOARD.read_frame(picture, corners)
    assert {turn for turn, _ in middle.candidates} == {2, 3}
    assert {turn for turn, _ in inner.candidates} == {5, 0}
    assert (middle.state, inner.state) == ("unsure", "unsure")
    assert middle.says == "the middle disc lies between two positions; turn it until it stands in one"
    assert set(middle.between) == {2, 3}


def test_a_board_that_lies_askew_as_a_whole_changes_no_position() -> None:
    picture, corners = render_discs(4, 1, seed=2)
    middle = corners.mean(axis=0)
    turn = np.radians(25)
    askew = (corners - middle) @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))]) + middle
    assert [r.turn for r in BOARD.read_frame(picture, askew)] == [4, 1]


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_turning_the_picture_by_quarters_changes_nothing(quarters: int) -> None:
    picture, corners = render_discs(2, 3, seed=9)
    height, width = picture.shape[:2]
    for _ in range(quarters):
        corners = np.stack((height - 1 - corners[:, 1], corners[:, 0]), axis=1)
        height, width = width, height
    turned = np.ascontiguousarray(np.rot90(picture, -quarters))
    assert [(r.state, r.turn) for r in BOARD.read_frame(turned, corners)] == [("known", 2), ("known", 3)]


def test_an_arm_hides_the_disc_that_it_covers_and_no_other() -> None:
    picture, corners = render_discs(3, 1, seed=3, hand=0.5)
    middle, inner = BOARD.read_frame(picture, corners)
    assert (middle.state, middle.turn) == ("known", 3)
    assert inner.state == "hidden"


def test_a_picture_without_the_board_hides_both_discs() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 480, 3)).astype(np.uint8)
    assert {r.state for r in BOARD.read(noise)} == {"hidden"}
    assert {r.state for r in BOARD.read(np.full((480, 480, 3), 128, np.uint8))} == {"hidden"}


def test_an_enrolled_board_reads_the_same_after_it_was_saved(tmp_path: Path) -> None:
    BOARD.save(tmp_path / "board")
    again = DiscBoard.from_folder(tmp_path / "board")
    picture, corners = render_discs(1, 4, seed=8)
    assert again.read_frame(picture, corners) == BOARD.read_frame(picture, corners)


def test_a_folder_without_a_board_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DiscsError, match="holds no enrolled board"):
        DiscBoard.from_folder(tmp_path)


def test_the_radii_and_the_paths_of_an_owners_board_are_kept_with_it(tmp_path: Path) -> None:
    paths = ("wizard", "troll", "golem", "gnome", "yeti", "cyclops")
    DiscBoard(draw_discs(), rings_between(0.7, 0.4), paths).save(tmp_path)
    again = DiscBoard.from_folder(tmp_path)
    assert (again.paths, again.rings) == (paths, RINGS)
    with pytest.raises(DiscsError, match="name each once"):
        DiscBoard(draw_discs(), paths=("wizard", *paths[:5]))
    for middle, inner in ((0.4, 0.7), (0.7, 0.65), (0.95, 0.4), (0.7, 0.1)):
        with pytest.raises(DiscsError, match="radii of the middle and of the inner disc"):
            rings_between(middle, inner)


def test_a_board_of_an_earlier_version_is_read_without_paths(tmp_path: Path) -> None:
    BOARD.save(tmp_path)
    listed = [[ring.slot, ring.inner, ring.outer] for ring in BOARD.rings]
    (tmp_path / "rings.json").write_text(json.dumps(listed))
    assert DiscBoard.from_folder(tmp_path).paths == ()


def test_discs_that_look_alike_at_two_turns_are_refused_at_enrolment() -> None:
    with pytest.raises(DiscsError, match="looks alike when it is turned"):
        DiscBoard(np.full((480, 480, 3), 90, np.uint8))
