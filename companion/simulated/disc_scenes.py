"""What a camera sees of the board of three discs: perspective, light, blur, noise, and a hand."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sets.discs import draw_discs
from companion.simulated.light import Picture

_SKIN = (118.0, 148.0, 206.0)


def render_discs(
    middle: float,
    inner: float,
    seed: int = 0,
    size: tuple[int, int] = (1280, 720),
    board: float = 640.0,
    hand: float = 0.0,
    skew: float = 0.0,
    pieces: int = 0,
) -> tuple[Picture, NDArray[np.float64]]:
    """Return a camera picture (BGR) of the board, and the corners (4, 2) of the square round it in pixels.

    :param middle: sixths of a turn clockwise of the middle disc; a fraction lies between two positions
    :param inner: the same of the inner disc
    :param seed: draws place, perspective, light and noise
    :param board: the board's side in pixels
    :param hand: share of the board that a forearm covers, 0 to about 0.5
    :param skew: degrees by which the whole board lies turned
    :param pieces: so many figures and fort discs stand on it
    """
    chance = np.random.default_rng(seed)
    width, height = size
    flat = draw_discs(middle, inner, round(board))
    corners = _corners(chance, size, board, skew)
    own = np.array([(0, 0), (board, 0), (board, board), (0, board)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(own, corners.astype(np.float32))
    table = np.array((96.0, 128.0, 158.0)) * chance.uniform(0.7, 1.2)
    grain = cv2.resize(chance.normal(0, 6, (height // 3, width // 40)).astype(np.float32), size)
    picture = (table + grain[..., None]).astype(np.float32)
    cv2.warpPerspective(flat.astype(np.float32), matrix, size, picture, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    _strew(picture, corners, pieces, np.random.default_rng(seed))
    if hand > 0:
        reach_over(picture, corners, hand, chance)
    # Tapped corners are good to a pixel or two.
    return exposed(picture, chance), corners + chance.normal(0, 1.0, (4, 2))


def _corners(chance: np.random.Generator, size: tuple[int, int], board: float, skew: float) -> NDArray[np.float64]:
    angle = np.radians(skew)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * board / 2
    middle = np.array(size) / 2 + chance.uniform(-0.02, 0.02, 2) * board
    return np.asarray(square @ turn.T + middle + chance.uniform(-0.02, 0.02, (4, 2)) * board)


def _strew(
    picture: NDArray[np.float32], corners: NDArray[np.float64], pieces: int, chance: np.random.Generator
) -> None:
    """Set round pieces of any colour all over the board, each a thirtieth to a sixteenth of it wide, with a shadow."""
    middle, board = corners.mean(axis=0), float(np.hypot(*(corners[1] - corners[0])))
    for _ in range(pieces):
        angle, away = chance.uniform(0, 2 * np.pi), board / 2 * np.sqrt(chance.uniform(0.01, 0.95))
        x, y = (int(each) for each in middle + away * np.array((np.cos(angle), np.sin(angle))))
        radius = int(board * chance.uniform(0.018, 0.03))
        cv2.circle(picture, (x + 4, y + 4), radius, (50.0, 50.0, 50.0), -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), radius, tuple(map(float, chance.uniform(20, 235, 3))), -1, cv2.LINE_AA)


def reach_over(
    picture: NDArray[np.float32], corners: NDArray[np.float64], share: float, chance: np.random.Generator
) -> None:
    middle, board = corners.mean(axis=0), float(np.hypot(*(corners[1] - corners[0])))
    angle = chance.uniform(0, 2 * np.pi)
    away = np.array((np.cos(angle), np.sin(angle)))
    thick = int(share * board)
    near, far = middle + 0.1 * board * away, middle + 1.2 * board * away
    for reach, tone in ((thick + 12, 0.6), (thick, 1.0)):
        colour = tuple(tone * c for c in _SKIN)
        cv2.line(picture, (int(near[0]), int(near[1])), (int(far[0]), int(far[1])), colour, max(2, reach), cv2.LINE_AA)


def exposed(picture: NDArray[np.float32], chance: np.random.Generator) -> Picture:
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / width - 0.5
    towards = chance.uniform(0, 2 * np.pi)
    light = 1 + chance.uniform(0.1, 0.5) * (np.cos(towards) * x + np.sin(towards) * y)
    lit = picture * light[..., None] * (chance.uniform(0.7, 1.1) * chance.uniform(0.93, 1.07, 3))
    if chance.random() < 0.5:
        left, top = chance.uniform(-0.2, 0.2, 2)
        lit += chance.uniform(40, 120) * np.exp(-((x - left) ** 2 + (y - top) ** 2) / 0.004)[..., None]
    lit = cv2.GaussianBlur(lit.astype(np.float32), (0, 0), chance.uniform(0.5, 1.3))
    lit += chance.normal(0, chance.uniform(1, 4), lit.shape)
    return np.asarray(np.clip(lit, 0, 255).astype(np.uint8))
