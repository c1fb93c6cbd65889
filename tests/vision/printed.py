"""Small faces drawn for the tests of the card reader, and photographs laid out with them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Face = NDArray[np.uint8]


def illustrated(seed: int, width: int = 250, height: int = 350) -> Face:
    """A card full of shapes, different for each seed."""
    chance = np.random.default_rng(seed)
    face = np.full((height, width, 3), chance.integers(150, 230, 3), np.uint8)
    for _ in range(26):
        colour = tuple(int(c) for c in chance.integers(0, 255, 3))
        x, y = (int(v) for v in chance.integers((10, 10), (width - 10, height - 10)))
        if chance.random() < 0.5:
            cv2.circle(face, (x, y), int(chance.integers(6, 34)), colour, -1, cv2.LINE_AA)
        else:
            corner = (x + int(chance.integers(10, 60)), y + int(chance.integers(10, 60)))
            cv2.rectangle(face, (x, y), corner, colour, -1)
    cv2.rectangle(face, (0, 0), (width - 1, height - 1), (30, 30, 30), 9)
    return face


def numbered(number: int, base: int = 99) -> Face:
    """A card that differs from its neighbours by one printed digit only."""
    face = illustrated(base)
    cv2.circle(face, (60, 70), 34, (240, 250, 250), -1, cv2.LINE_AA)
    cv2.putText(face, str(number), (40, 90), cv2.FONT_HERSHEY_SIMPLEX, 1.9, (20, 20, 20), 5, cv2.LINE_AA)
    return face


def pips(count: int, colour: tuple[int, int, int] = (30, 30, 30)) -> Face:
    """A white playing card with round pips, the same from both ends, with its count in two corners."""
    face = np.full((350, 250, 3), 246, np.uint8)
    places = [(125, 175), (75, 70), (175, 280), (175, 70), (75, 280), (75, 175), (175, 175)]
    middle = count % 2
    for x, y in places[1 - middle : count + 1 - middle]:
        cv2.circle(face, (x, y), 17, colour, -1, cv2.LINE_AA)
    half = np.zeros((90, 60, 3), np.uint8) + 246
    cv2.putText(half, str(count), (8, 42), cv2.FONT_HERSHEY_SIMPLEX, 1.3, colour, 4, cv2.LINE_AA)
    face[8:58, 5:55] = half[:50, :50]
    face[-58:-8, -55:-5] = half[:50, :50][::-1, ::-1]
    cv2.rectangle(face, (0, 0), (249, 349), (120, 120, 120), 2)
    return face


def lying(face: Face, centre: tuple[float, float], angle: float, height: float) -> NDArray[np.float64]:
    """The corners of a face lying on a table, turned clockwise by `angle` degrees."""
    width = height * face.shape[1] / face.shape[0]
    square = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return square @ np.array([(cosine, sine), (-sine, cosine)]) + np.array(centre)


def table_with(
    cards: list[tuple[Face, NDArray[np.float64]]], size: tuple[int, int] = (900, 640), seed: int = 1
) -> Face:
    """A photograph of a grained table with cards laid on it in the order given."""
    chance = np.random.default_rng(seed)
    width, height = size
    grain = chance.normal(0, 9, (height // 8, width // 8, 3)).astype(np.float32)
    picture = np.asarray(cv2.resize(grain, size), np.float32) + np.array((70, 95, 120), np.float32)
    for face, corners in cards:
        outline = np.array([(0, 0), (face.shape[1], 0), (face.shape[1], face.shape[0]), (0, face.shape[0])]) - 0.5
        matrix = cv2.getPerspectiveTransform(outline.astype(np.float32), corners.astype(np.float32))
        cv2.warpPerspective(face.astype(np.float32), matrix, size, picture, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    picture = cv2.GaussianBlur(picture, (0, 0), 0.7) + chance.normal(0, 3, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)
