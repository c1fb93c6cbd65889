"""How the camera leans is told by the cards alone."""

import numpy as np
import pytest

from vision.geometry import area, project, rectangle
from vision.tilt import laid_out, seen_from_above

SIZE = (1280, 720)
ASPECT = 63 / 88


def cards_on_a_table(lean: float) -> list[np.ndarray]:
    """Nine cards in rows, photographed by a camera that leans back by so many degrees."""
    focal, (x, y) = 0.8 * SIZE[0], (SIZE[0] / 2, SIZE[1] / 2)
    cosine, sine = np.cos(np.radians(lean)), np.sin(np.radians(lean))
    turn = np.array([(1.0, 0.0, 0.0), (0.0, cosine, sine), (0.0, -sine, cosine)])
    seen = []
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            card = rectangle(63, 88) - (31.5, 44) + (110 * column, 110 * row)
            at = np.column_stack((card, np.zeros(4))) @ turn.T + (0.0, 0.0, 600.0)
            seen.append(at[:, :2] / at[:, 2:] * focal + (x, y))
    return seen


@pytest.mark.parametrize("lean", [35, 50])
def test_seen_from_above_all_cards_are_rectangles_of_one_size(lean):
    cards = cards_on_a_table(lean)
    above = seen_from_above(cards, ASPECT, SIZE)
    assert above is not None
    flat = [project(above, card) for card in cards]
    sizes = [area(quad) for quad in flat]
    assert max(sizes) < 1.1 * min(sizes)
    for quad in flat:
        wide, high = (np.hypot(*(quad[k + 1] - quad[k])) for k in (0, 1))
        assert wide / high == pytest.approx(ASPECT, rel=0.04)


def test_a_camera_straight_above_leaves_the_picture_as_it_is():
    assert seen_from_above(cards_on_a_table(8), ASPECT, SIZE) is None
    assert seen_from_above([], ASPECT, SIZE) is None


def test_quadrilaterals_that_no_lean_makes_alike_say_nothing():
    chance = np.random.default_rng(1)
    odd = [card + chance.normal(0, 40, (4, 2)) for card in cards_on_a_table(45)]
    assert seen_from_above(odd, ASPECT, SIZE) is None


def test_the_table_is_drawn_with_cards_as_large_as_asked_and_all_of_them_on_it():
    cards = cards_on_a_table(45)
    above = seen_from_above(cards, ASPECT, SIZE)
    assert above is not None
    matrix, (width, height) = laid_out(above, SIZE, cards, 100)
    flat = np.stack([project(matrix, card) for card in cards])
    assert np.median([area(quad) for quad in flat]) ** 0.5 == pytest.approx(100, rel=0.03)
    assert (flat > 0).all()
    assert (flat < (width, height)).all()
