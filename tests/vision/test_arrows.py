from __future__ import annotations

import numpy as np
import pytest

from companion.sets.canvas import CREAM, INK, Canvas
from companion.simulated.arrow_scenes import PLACE, TOKENS, Token, draw_token, render_arrow
from vision.arrows import ArrowError, ArrowMarker, ArrowReading, see_place
from vision.plane import Plane


def _read(
    token: Token, degrees: float, seed: int, steps: int = 4, hand: float = 0.0, empty: bool = False
) -> ArrowReading:
    picture, bare, homography = render_arrow(None if empty else token, degrees, seed, hand)
    plane = Plane(homography, (picture.shape[1], picture.shape[0]))
    marker = ArrowMarker(draw_token(token), token.size_mm)
    return marker.read_on_mat(picture, see_place(bare, plane, PLACE), plane, PLACE, steps)


@pytest.mark.parametrize("name", TOKENS)
@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_a_marker_of_any_make_says_which_quarter_it_points_at(name: str, quarter: int) -> None:
    reading = _read(TOKENS[name], 90.0 * quarter + 8.0, seed=40 + quarter)
    assert (reading.state, reading.turn) == ("known", quarter)
    assert abs(((reading.angle or 0.0) - 90.0 * quarter - 8.0 + 180) % 360 - 180) < 5


@pytest.mark.parametrize("sixth", range(6))
def test_a_marker_is_read_in_sixths_where_a_place_has_six_directions(sixth: int) -> None:
    reading = _read(TOKENS["red, white arrow"], 60.0 * sixth, seed=60 + sixth, steps=6)
    assert (reading.state, reading.turn) == ("known", sixth)


def test_a_marker_between_two_directions_is_unsure_and_names_both() -> None:
    reading = _read(TOKENS["wood, dark notch"], 315.0, seed=5)
    assert reading.state == "unsure"
    assert {turn for turn, _ in reading.candidates} == {3, 0}


def test_a_marker_under_an_arm_is_hidden() -> None:
    reading = _read(TOKENS["navy, pale blue arrow"], 90.0, seed=7, hand=0.35)
    assert (reading.state, reading.turn) == ("hidden", None)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_read_on_an_empty_place_in_another_light(seed: int) -> None:
    assert _read(TOKENS["red, white arrow"], 0.0, seed=seed, empty=True).state == "empty"


def test_another_marker_than_the_enrolled_one_is_not_read() -> None:
    picture, bare, homography = render_arrow(TOKENS["yellow square, black triangle"], 90.0, seed=3)
    plane = Plane(homography, (picture.shape[1], picture.shape[0]))
    enrolled = TOKENS["wood, dark notch"]
    marker = ArrowMarker(draw_token(enrolled), enrolled.size_mm)
    assert marker.read_on_mat(picture, see_place(bare, plane, PLACE), plane, PLACE).state == "hidden"


def test_an_arrow_with_two_heads_is_refused_at_enrolment() -> None:
    canvas = Canvas(200, CREAM, oversampling=2)
    canvas.disc(0, 0, 49, (200, 60, 60))
    canvas.polygon([(0.0, -38.0), (20.0, 0.0), (0.0, 38.0), (-20.0, 0.0)], INK)
    with pytest.raises(ArrowError, match="looks alike when it is turned by 180"):
        ArrowMarker(canvas.finished(), 25.0)


def test_a_picture_that_is_not_square_is_refused() -> None:
    with pytest.raises(ArrowError, match="found 200 x 120"):
        ArrowMarker(np.zeros((120, 200, 3), np.uint8), 25.0)
