"""Disturbed photographs keep the truth about their cards."""

import cv2
import numpy as np
import pytest

from vision.disturbed import DISTURBANCES, Scene, cropped, turned
from vision.geometry import area, overlap
from vision.photo_truth import TrueCard


def card(left: float, top: float) -> TrueCard:
    corners = np.array([(left, top), (left + 60, top), (left + 60, top + 84), (left, top + 84)], float)
    return TrueCard("a", "deck", corners, (left + 30, top + 42), 0.0, False, frozenset())


def scene() -> Scene:
    cards = (card(60, 50), card(200, 120))
    picture = np.full((260, 340, 3), 40, np.uint8)
    for each in cards:
        cv2.fillConvexPoly(picture, np.round(each.corners).astype(np.int32), (200, 210, 220))
    return Scene(picture, cards)


@pytest.mark.parametrize("name", DISTURBANCES)
def test_the_truth_moves_with_the_picture(name):
    seen = DISTURBANCES[name](scene())
    grey = cv2.cvtColor(seen.picture, cv2.COLOR_BGR2GRAY)
    white = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1]
    white = cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    found, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [cv2.boxPoints(cv2.minAreaRect(contour)).astype(float) for contour in found]
    boxes = [box if area(box) > 0 else box[::-1] for box in boxes]
    assert seen.cards
    for each in seen.cards:
        assert max(overlap(each.corners, box) for box in boxes) > 0.85


def test_a_card_that_is_cut_off_is_neither_right_nor_wrong():
    seen = cropped(0.3, 0.0, 0.0, 0.0)(scene())
    assert [len(seen.cards), len(seen.cut)] == [1, 1]
    assert seen.keeps(seen.cards[0])
    assert not seen.keeps(seen.cut[0])


def test_a_turned_card_has_turned_by_so_many_degrees():
    assert turned(33)(scene()).cards[0].angle == pytest.approx(33)
