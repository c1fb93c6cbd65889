"""Pictures of a card with everything that a camera over a table adds, drawn from a seed.

Used to fit and to check how sure a reading is (`vision.confidence`), never to recognise anything.
The ranges: any turn, 3 % of the card's width of perspective at each corner, light falling off by half
across the patch, a third with a hard shadow, a quarter with blown-out glare, one in seven with a
finger, exposure 0.55 to 1.1, a colour cast of 10 %, blur of 0.4 to 1.2 pixels, noise of 1 to 6 grey
levels, JPEG quality 70 to 95.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

_SKIN = ((90, 140), (120, 170), (180, 230))


@dataclass(frozen=True, eq=False)
class Rendered:
    """`patch` BGR uint8 (side, side, 3); `corners` (4, 2) the card's own, from its top left."""

    patch: NDArray[np.uint8]
    corners: NDArray[np.float64]


def render_card(
    face: NDArray[np.uint8],
    chance: np.random.Generator,
    angle: float,
    size: int = 180,
    offset: float = 0.08,
    hard: float = 1.0,
) -> Rendered:
    """Render a face lying near the middle of a patch, turned clockwise by `angle` degrees.

    `size` is the square root of the card's area in pixels (the patch is 1.45 times as wide), `offset`
    how far its middle may lie off, as a share of the size, `hard` scales shadows, glare and fingers
    (0: none).
    """
    side = round(size * 1.45)
    corners = _place(face, chance, angle, size, offset, side)
    picture = _lit(_laid(face, chance, corners, side), chance, hard)
    picture = cv2.GaussianBlur(picture, (0, 0), chance.uniform(0.4, 1.2)).astype(np.float32)
    picture += chance.normal(0, chance.uniform(1, 6), picture.shape).astype(np.float32)
    seen = np.clip(picture, 0, 255).astype(np.uint8)
    if chance.random() < 0.15 * hard:
        _point_at(seen, chance, size)
    _, packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(70, 95))])
    return Rendered(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8), corners)


def drawn_face(number: int, family: int = 10, pixels: int = 240) -> NDArray[np.uint8]:
    """Draw a square face for measuring: shapes that a `family` of faces shares, and their number in digits.

    Two faces of a family differ in one or two digits, 18 units of 240 wide.
    """
    chance = np.random.default_rng(number // family)
    face = np.full((240, 240, 3), chance.integers(120, 235, 3), np.uint8)
    for _ in range(30):
        x, y, reach = (int(v) for v in chance.integers((10, 10, 8), (230, 230, 36)))
        colour = tuple(int(c) for c in chance.integers(0, 255, 3))
        if chance.random() < 0.5:
            cv2.circle(face, (x, y), reach, colour, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(face, (x, y), (x + reach, y + reach), colour, -1)
    cv2.rectangle(face, (70, 8), (170, 52), (240, 248, 250), -1)
    cv2.putText(face, f"{number:03}", (82, 43), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 20), 4, cv2.LINE_AA)
    cv2.rectangle(face, (0, 0), (239, 239), (30, 30, 30), 5)
    return np.asarray(cv2.resize(face, (pixels, pixels), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _place(
    face: NDArray[np.uint8], chance: np.random.Generator, angle: float, size: int, offset: float, side: int
) -> NDArray[np.float64]:
    root = (face.shape[1] / face.shape[0]) ** 0.5
    half = np.array((root, 1 / root)) * size / 2
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    turned = square @ np.array([(cosine, sine), (-sine, cosine)])
    moved = turned + chance.uniform(-offset, offset, 2) * size + chance.uniform(-0.03, 0.03, (4, 2)) * size
    return np.asarray(moved + (side - 1) / 2, dtype=np.float64)


def _laid(
    face: NDArray[np.uint8], chance: np.random.Generator, corners: NDArray[np.float64], side: int
) -> NDArray[np.float32]:
    # Drawn at twice the size and reduced, so that the card's edges are smooth like a lens makes them.
    height, width = face.shape[:2]
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(outline, (2 * corners + 0.5).astype(np.float32))
    grain = chance.normal(0, 14, (side // 4, side // 4, 3)).astype(np.float32)
    table = np.asarray(cv2.resize(grain, (2 * side, 2 * side)), dtype=np.float32)
    table += np.float32(chance.uniform(30, 200)) + chance.uniform(-20, 20, 3).astype(np.float32)
    cv2.warpPerspective(
        face.astype(np.float32), matrix, (2 * side, 2 * side), table, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT
    )
    return np.asarray(cv2.resize(table, (side, side), interpolation=cv2.INTER_AREA), dtype=np.float32)


def _lit(picture: NDArray[np.float32], chance: np.random.Generator, hard: float) -> NDArray[np.float32]:
    side = picture.shape[0]
    y, x = np.mgrid[0:side, 0:side] / side - 0.5
    towards = chance.uniform(0, 2 * np.pi)
    light = 1 + chance.uniform(0, 0.5) * (np.cos(towards) * x + np.sin(towards) * y)
    if chance.random() < 0.3 * hard:
        across = chance.uniform(0, 2 * np.pi)
        edge = np.cos(across) * x + np.sin(across) * y > chance.uniform(-0.3, 0.3)
        light *= np.where(edge, chance.uniform(0.5, 0.8), 1.0)
    cast = chance.uniform(0.55, 1.1) * chance.uniform(0.9, 1.1, 3)
    lit = picture * light[:, :, None] * cast
    if chance.random() < 0.25 * hard:
        (left, top), spread = chance.uniform(-0.3, 0.3, 2), chance.uniform(0.03, 0.1)
        lit += 260 * np.exp(-((x - left) ** 2 + (y - top) ** 2) / (2 * spread**2))[:, :, None]
    return np.asarray(lit, dtype=np.float32)


def _point_at(picture: NDArray[np.uint8], chance: np.random.Generator, size: int) -> None:
    side = picture.shape[0]
    from_edge = chance.uniform(0, side)
    start = ((0.0, from_edge), (side, from_edge), (from_edge, 0.0), (from_edge, side))[int(chance.integers(4))]
    tip = np.array(start) + (side / 2 - np.array(start)) * chance.uniform(0.4, 0.8)
    colour = tuple(int(chance.integers(low, high)) for low, high in _SKIN)
    cv2.line(picture, (int(start[0]), int(start[1])), (int(tip[0]), int(tip[1])), colour, int(0.2 * size))
