"""Where dice may lie in a picture of unknown scale: the finder network on a pyramid of sizes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.nets import Nets, Spot

Picture = NDArray[np.uint8]

LONG_SIDES = (768, 320, 144)
"""Longer side of the picture at each level, in pixels: dice of 2 to 35 % of it are found."""

LEAST_SCORE = 0.2
_SMALLEST, _LARGEST = 11.0, 80.0
_SAME = 0.6
"""Two spots nearer to each other than this share of the smaller edge are one, if they are about as large."""
_ALIKE = 1.8


def find_spots(nets: Nets, picture: Picture, least: float = LEAST_SCORE) -> list[Spot]:
    """Return where upper faces of dice may lie, best first; places and edges in pixels of `picture`."""
    height, width = picture.shape[:2]
    found: list[Spot] = []
    for side in LONG_SIDES:
        scale = min(1.0, side / max(height, width))
        if scale == 1.0 and side != LONG_SIDES[0] and max(height, width) <= side:
            continue
        size = (max(32, round(width * scale)), max(32, round(height * scale)))
        small = picture if size == (width, height) else cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        across, down = size[0] / width, size[1] / height
        found += [
            Spot((spot.x + 0.5) / across - 0.5, (spot.y + 0.5) / down - 0.5, spot.edge / scale, spot.score)
            for spot in nets.find(np.asarray(small, np.uint8), least)
            if _SMALLEST <= spot.edge <= _LARGEST
        ]
    return _single(found)


def _single(spots: list[Spot]) -> list[Spot]:
    """Keep the best of spots that are one; a spot in a much larger one may be a pip of it, or a die in a tray."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda each: -each.score):
        if not any(_is_one(spot, other) for other in kept):
            kept.append(spot)
    return kept


def _is_one(one: Spot, other: Spot) -> bool:
    small, large = sorted((one.edge, other.edge))
    return float(np.hypot(one.x - other.x, one.y - other.y)) < _SAME * small and large < _ALIKE * small
