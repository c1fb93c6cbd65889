from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.edges import EdgeField
from vision.faint import faint_quads, find_lines
from vision.geometry import overlap

Quad = np.ndarray


def card(x: float, y: float, degrees: float) -> Quad:
    half = np.array([(-55, -80), (55, -80), (55, 80), (-55, 80)], float)
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return half @ np.array([(cosine, sine), (-sine, cosine)]) + (x, y)


def white_on_white(cards: list[Quad], step: float = 9.0) -> np.ndarray:
    """Return a table on which cards are `step` grey levels brighter, in blur and noise."""
    large = np.full((1200, 1600), 190, np.float32)
    for quad in cards:
        cv2.fillConvexPoly(large, np.int32(2 * quad), 190 + step, cv2.LINE_AA)
        middle = tuple(int(v) for v in 2 * quad.mean(axis=0))
        cv2.circle(large, middle, 40, 120, 4, cv2.LINE_AA)
    small = cv2.GaussianBlur(cv2.resize(large, (800, 600), interpolation=cv2.INTER_AREA), (0, 0), 0.8)
    return np.clip(small + np.random.default_rng(3).normal(0, 1.2, small.shape), 0, 255).astype(np.uint8)


def found_on(grey: np.ndarray, explained: list[Quad]) -> list[Quad]:
    return faint_quads(grey, EdgeField.of(grey, 1.0).noise, find_lines(grey, explained))


def test_white_cards_are_outlined_on_a_white_table() -> None:
    cards = [card(150, 200, 4), card(400, 210, -8), card(620, 380, 35)]
    found = found_on(white_on_white(cards), [])
    for quad in cards:
        assert max(overlap(other, quad) for other in found) > 0.85
    assert len(found) == 3


@pytest.mark.parametrize("step", [0.0, 0.5])
def test_what_no_edge_bears_out_is_no_outline(step: float) -> None:
    assert found_on(white_on_white([card(150, 200, 4), card(400, 210, -8)], step), []) == []


def test_explained_places_are_left_out() -> None:
    cards = [card(150, 200, 4), card(500, 310, -8)]
    (found,) = found_on(white_on_white(cards), cards[:1])
    assert overlap(found, cards[1]) > 0.85


def test_planks_whose_edges_go_on_beyond_their_corners_are_no_cards() -> None:
    grey = white_on_white([card(600, 300, 0)]).astype(np.float32)
    for x in (120, 230):
        grey[:, x : x + 2] -= 14
    for y in (180, 340):
        grey[y : y + 2, :400] -= 14
    found = found_on(np.clip(grey, 0, 255).astype(np.uint8), [])
    assert [round(overlap(quad, card(600, 300, 0)), 1) for quad in found] == [pytest.approx(1.0, abs=0.15)]
