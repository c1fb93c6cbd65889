"""An upper face of a die found in a picture: where it is, where it points, what the networks say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.nets import CLASSES

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]

FACE = 48
"""A rectified upper face is so many pixels wide."""

_NONE = CLASSES.index("none")


@dataclass(frozen=True, eq=False)
class Face:
    """An upper face found in a picture: its corners (4, 2), the reader's shares of CLASSES, where it points."""

    top: Points
    shares: NDArray[np.float64]
    normal: tuple[float, float]
    hidden: float
    score: float

    @property
    def centre(self) -> Points:
        return np.asarray(self.top.mean(axis=0), np.float64)

    @property
    def is_die(self) -> float:
        """The probability that this is an upper face and nothing else."""
        return float((1 - self.shares[_NONE]) * np.sqrt(self.score))

    @property
    def shows(self) -> float:
        """The probability that this is a die and that its face can be read without enrolment."""
        return float(self.is_die * self.shares[:_NONE].max())

    @property
    def is_clear(self) -> bool:
        """Whether nothing but an upper face with pips looks like this."""
        return float(self.shares[:6].max()) > 0.9 and self.hidden < 0.5

    @property
    def edge(self) -> float:
        return float(np.hypot(*(np.roll(self.top, -1, axis=0) - self.top).T).mean())


def rectified(picture: Picture, top: Points, side: int = FACE, margin: float = 0.0) -> Picture:
    """Return the face with corners `top` (4, 2) seen squarely, `margin` of its edge around it, (side, side, 3)."""
    inner = side / (1 + 2 * margin)
    low = (side - inner) / 2
    own = np.array([(low, low), (low + inner, low), (low + inner, low + inner), (low, low + inner)], np.float32) - 0.5
    smaller = max(1, int(np.hypot(*(top[1] - top[0])) / inner))
    if smaller > 1:  # reduce first, else a large die is sampled between its pixels
        low_x, low_y = np.floor(top.min(axis=0) - 0.5 * np.ptp(top, axis=0)).astype(int)
        high_x, high_y = np.ceil(top.max(axis=0) + 0.5 * np.ptp(top, axis=0)).astype(int)
        low_x, low_y = max(0, low_x), max(0, low_y)
        part = picture[low_y : max(low_y + 1, high_y), low_x : max(low_x + 1, high_x)]
        size = (max(1, part.shape[1] // smaller), max(1, part.shape[0] // smaller))
        ratio = np.array((part.shape[1] / size[0], part.shape[0] / size[1]))
        picture = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        top = (top - (low_x, low_y) + 0.5) / ratio - 0.5
    matrix = cv2.getPerspectiveTransform(top.astype(np.float32), own)
    patch = cv2.warpPerspective(picture, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


def in_rows(faces: Sequence[Face]) -> list[Face]:
    """Return faces as one reads a page: rows from the top, each from its left."""
    rest = sorted(faces, key=lambda face: float(face.centre[1]))
    ordered: list[Face] = []
    while rest:
        height = float(rest[0].centre[1]) + 0.5 * rest[0].edge
        row = [face for face in rest if float(face.centre[1]) <= height]
        ordered += sorted(row, key=lambda face: float(face.centre[0]))
        rest = [face for face in rest if float(face.centre[1]) > height]
    return ordered
