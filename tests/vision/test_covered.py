from __future__ import annotations

import numpy as np

from tests.vision.printed import illustrated, lying
from vision.covered import covered_quads
from vision.geometry import overlap

OVER = lying(illustrated(1), (300, 300), 10, 200)
UNDER = lying(illustrated(1), (380, 240), 40, 200)
ASPECT = 250 / 350


def corner(quad: np.ndarray, k: int, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A corner of a card and what shows of the sides that leave it, in clockwise order."""
    after, before = share * (quad[(k + 1) % 4] - quad[k]), share * (quad[k - 1] - quad[k])
    return quad[k][None], after[None], before[None]


def test_a_corner_in_sight_says_where_the_card_lies() -> None:
    for k in (1, 2):
        quads = covered_quads(corner(UNDER, k, 0.6), OVER, ASPECT, [OVER])
        assert max(overlap(quad, UNDER) for quad in quads) > 0.98


def test_a_short_side_comes_first() -> None:
    for quad in covered_quads(corner(UNDER, 1, 0.6), OVER, ASPECT, [OVER]):
        assert np.hypot(*(quad[1] - quad[0])) < np.hypot(*(quad[2] - quad[1]))


def test_a_corner_of_which_hardly_anything_shows_says_nothing() -> None:
    assert covered_quads(corner(UNDER, 1, 0.2), OVER, ASPECT, [OVER]) == []


def test_a_corner_that_is_not_square_on_the_table_is_no_card_s() -> None:
    point, first, second = corner(UNDER, 1, 0.6)
    assert covered_quads((point, first, second + 0.4 * first), OVER, ASPECT, [OVER]) == []


def test_a_card_that_lies_beside_is_not_covered() -> None:
    beside = lying(illustrated(1), (700, 300), 10, 200)
    assert covered_quads(corner(beside, 1, 0.6), OVER, ASPECT, [OVER]) == []
