"""What is drawn on the faces of dice: pips, digits and signs, as masks.

A mask is float32 (SIDE, SIDE), 1 where paint or a drilled hole is, the face upright. The face's edge
of length 1 spans the mask; u runs to the right, v down, both from -0.5 to 0.5.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.float32]
PipForm = Literal["round", "square", "ring"]

SIDE = 96
_FINE = 4

_ROW = (-1.0, 0.0, 1.0)
LAYOUTS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.0, 0.0),),
    2: ((-1.0, -1.0), (1.0, 1.0)),
    3: ((-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)),
    4: ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)),
    5: ((-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)),
    6: tuple((x, y) for x in (-1.0, 1.0) for y in _ROW),
}
"""The legal arrangements of pips, in units of the spacing; a face may lie at any turn."""


def pip_mask(
    value: int, spacing: float = 0.25, radius: float = 0.09, mirrored: bool = False, form: PipForm = "round"
) -> Mask:
    """Draw 1 to 6 pips; `spacing` (centre to centre) and `radius` are shares of the face's edge."""
    side = SIDE * _FINE
    mask = np.zeros((side, side), np.uint8)
    for x, y in LAYOUTS[value]:
        u = (-x if mirrored else x) * spacing
        centre = (round((0.5 + u) * side * 16), round((0.5 + y * spacing) * side * 16))
        if form == "square":
            reach = round(0.9 * radius * side * 16)
            corners = np.array([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)]) + centre
            cv2.fillPoly(mask, [corners.astype(np.int32)], 255, cv2.LINE_AA, shift=4)
            continue
        cv2.circle(mask, centre, round(radius * side * 16), 255, -1, cv2.LINE_AA, shift=4)
        if form == "ring":
            cv2.circle(mask, centre, round(0.45 * radius * side * 16), 0, -1, cv2.LINE_AA, shift=4)
    return _small(mask)


def text_mask(text: str, height: float = 0.55, thick: float = 0.08, font: int = cv2.FONT_HERSHEY_DUPLEX) -> Mask:
    """Draw a short word or number, `height` of the face's edge high; a dot behind it tells 6. from 9."""
    side = SIDE * _FINE
    thickness = max(1, round(thick * side))
    (wide, tall), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = min(height * side / tall, 0.8 * side / wide)
    mask = np.zeros((side, side), np.uint8)
    origin = (round(side / 2 - scale * wide / 2), round(side / 2 + scale * tall / 2))
    cv2.putText(mask, text, origin, font, scale, 255, thickness, cv2.LINE_AA)
    return _small(mask)


def bar_mask(plus: bool, length: float = 0.5, thick: float = 0.14) -> Mask:
    """Draw the sign of a Fate die: a bar, or two crossing."""
    side = SIDE * _FINE
    mask = np.zeros((side, side), np.uint8)
    near, far = round((0.5 - length / 2) * side), round((0.5 + length / 2) * side)
    low, high = round((0.5 - thick / 2) * side), round((0.5 + thick / 2) * side)
    mask[low:high, near:far] = 255
    if plus:
        mask[near:far, low:high] = 255
    return _small(mask)


def polygon_mask(points: int, inner: float, size: float = 0.34, turn: float = 0.0) -> Mask:
    """Draw a star with `points` tips; `inner` is the radius of its dents as a share of `size`."""
    side = SIDE * _FINE
    angles = np.arange(2 * points) * np.pi / points + turn
    reach = np.where(np.arange(2 * points) % 2 == 0, size, size * inner) * side
    corners = np.stack((np.cos(angles) * reach, np.sin(angles) * reach), axis=1) + side / 2
    mask = np.zeros((side, side), np.uint8)
    cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], 255, cv2.LINE_AA, shift=4)
    return _small(mask)


@lru_cache(maxsize=1)
def blank_mask() -> Mask:
    """Return a face without a mark."""
    return np.zeros((SIDE, SIDE), np.float32)


def _small(mask: NDArray[np.uint8]) -> Mask:
    return np.asarray(cv2.resize(mask, (SIDE, SIDE), interpolation=cv2.INTER_AREA) / np.float32(255), np.float32)
