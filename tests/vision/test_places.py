from __future__ import annotations

import numpy as np
import pytest

from vision.edges import EdgeField
from vision.geometry import overlap, project
from vision.places import Outline, card_outlines, find_card_outlines, seen_shape


def box(left: float, top: float, width: float, height: float) -> np.ndarray:
    return np.array([(left, top), (left + width, top), (left + width, top + height), (left, top + height)], float)


def outline(quad: np.ndarray, edge: float = 50.0) -> Outline:
    return Outline(quad, edge, *seen_shape(quad, (600, 600)))


def places(outlines: list[Outline], read: list[np.ndarray] | None = None) -> list[Outline]:
    return [place[0] for place in card_outlines(outlines, read or [], 1.0)]


def outlined(grey: np.ndarray) -> list[Outline]:
    return [place[0] for place in card_outlines(find_card_outlines(grey, EdgeField.of(grey, 1.0)), [], 1.0)]


def test_an_empty_printed_frame_is_not_a_card() -> None:
    frame = np.full((600, 800), 60, np.uint8)
    frame[200:410, 300:450] = 220
    assert outlined(frame) == []
    frame[260:300, 330:420] = 30
    (place,) = outlined(frame)
    assert overlap(place.corners, box(299.5, 199.5, 150, 210)) > 0.95


def test_the_outer_one_of_nested_outlines_is_the_card() -> None:
    outer, inner = outline(box(100, 100, 120, 168)), outline(box(110, 110, 100, 140))
    assert places([inner, outer]) == [outer]


def test_a_weak_outline_gives_way_to_a_clear_one_inside_it() -> None:
    shadow, card = outline(box(100, 100, 125, 172), edge=14), outline(box(105, 105, 115, 160))
    assert places([shadow, card]) == [card]


def test_a_mat_that_holds_several_cards_is_no_card() -> None:
    mat = outline(box(50, 50, 370, 510))
    cards = [outline(box(x, y, 90, 126)) for x in (80, 250) for y in (90, 300)]
    assert {id(place) for place in places([mat, *cards])} == {id(card) for card in cards}


def test_a_card_with_a_picture_and_a_text_in_frames_is_still_a_card() -> None:
    card = outline(box(100, 100, 250, 350))
    frames = [outline(box(125, 130, 200, 140)), outline(box(125, 290, 200, 130))]
    assert places([card, *frames]) == [card]


def test_an_outline_far_from_the_size_of_the_cards_is_none() -> None:
    book = outline(box(20, 20, 330, 470))
    assert places([book], [box(400, 100, 90, 126), box(400, 300, 90, 126)]) == []


@pytest.mark.parametrize("tilt", [0.0, 30.0, 50.0])
def test_the_shape_of_a_card_is_seen_through_the_perspective(tilt: float) -> None:
    size, focal = (1280, 960), 0.8 * 1280
    cosine, sine = np.cos(np.radians(tilt)), np.sin(np.radians(tilt))
    lens = np.array([(focal, 0, 640), (0, focal, 480), (0, 0, 1)])
    pose = np.array([(1, 0, 0.1), (0, cosine, 0.2), (0, sine, 5)])
    card = project(lens @ pose, np.array([(-0.5, -0.7), (0.5, -0.7), (0.5, 0.7), (-0.5, 0.7)]))
    shape, skew = seen_shape(card, size)
    assert shape == pytest.approx(np.log(1.4), abs=0.01)
    assert skew < 0.01


def test_edges_are_strong_along_a_card_and_weak_beside_it() -> None:
    grey = np.full((400, 400), 90, np.uint8)
    grey[100:240, 120:220] = 200
    field = EdgeField.of(grey, 1.0)
    along, beside = field.strengths(np.stack([box(119.5, 99.5, 100, 140), box(150, 130, 100, 140)]))
    assert along.min() > 30
    assert beside.min() < 2
