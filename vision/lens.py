"""How much a lens bends the picture: one number, estimated from the mat, and remembered.

The division model (Fitzgibbon, "Simultaneous linear estimation of multiple view geometry and lens
distortion", 2001): a pixel at distance r from the middle of the picture, in units of half its diagonal,
lies where a straight lens would show it at r / (1 + k1 r^2). Its inverse has a closed form.

The number belongs to the camera. Six markers of one picture fix it roughly; pictures in which the mat lies
elsewhere fix it better, together; and with it known, two markers or four tapped corners are enough for a mat
that is straight to its edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
View = tuple[Points, Points]
"""Corners of the mat's markers in one picture: mat millimetres (n, 2) and pixels (n, 2)."""

LARGEST_K1 = 0.35
LEAST_MARKERS = 4
"""Markers in the corners of the mat leave enough over the homography's eight numbers for a ninth."""

VIEWS_KEPT = 8
ANOTHER_PLACE_PX = 6.0
"""A mat that has moved by less shows the lens nothing new."""


def unbend(points: Points, k1: float, size: tuple[int, int]) -> Points:
    """Return where a straight lens would show pixels (n, 2) of a picture of `size`."""
    if k1 == 0.0:
        return points
    centre, reach = np.array(size) / 2.0, float(np.hypot(*size)) / 2.0
    away = (points - centre) / reach
    return np.asarray(centre + reach * away / (1.0 + k1 * np.sum(away**2, axis=1, keepdims=True)))


def bend(points: Points, k1: float, size: tuple[int, int]) -> Points:
    """Return the pixels (n, 2) in which the lens shows what a straight one would show at `points`."""
    if k1 == 0.0:
        return points
    centre, reach = np.array(size) / 2.0, float(np.hypot(*size)) / 2.0
    away = (points - centre) / reach
    under = np.maximum(1.0 - 4.0 * k1 * np.sum(away**2, axis=1, keepdims=True), 0.0)
    return np.asarray(centre + reach * away * 2.0 / (1.0 + np.sqrt(under)))


def reprojection_error(views: Sequence[View], k1: float, size: tuple[int, int]) -> float:
    """Return the root mean square distance in millimetres between printed and seen corners, each view fitted."""
    squares = [np.sum(_residual(places, unbend(corners, k1, size)) ** 2, axis=1) for places, corners in views]
    return float(np.sqrt(np.mean(np.concatenate(squares))))


def _residual(places: Points, straight: Points) -> Points:
    homography, _ = cv2.findHomography(straight, places, 0)
    if homography is None:
        return np.full_like(places, 1e3)
    mapped = np.column_stack([straight, np.ones(len(straight))]) @ homography.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:] - places, np.float64)


def estimate_k1(views: Sequence[View], size: tuple[int, int]) -> float:
    """Return the lens parameter that fits all views best.

    Golden section: the error has one minimum for mild distortion.
    """
    low, high, ratio = -LARGEST_K1, LARGEST_K1, (5.0**0.5 - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = reprojection_error(views, left, size), reprojection_error(views, right, size)
    for _ in range(18):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = reprojection_error(views, left, size)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = reprojection_error(views, right, size)
    return float((low + high) / 2)


@dataclass
class LensMemory:
    """What is known of one camera's lens. `k1` is None until a picture with enough markers came."""

    k1: float | None = None
    _views: list[View] = field(default_factory=list)
    _size: tuple[int, int] = (0, 0)

    def learn(self, view: View, size: tuple[int, int]) -> None:
        """Take in a picture in which the markers' corners (four of each) were found."""
        if size != self._size:
            self._views, self._size = [], size
        if len(view[0]) < 4 * LEAST_MARKERS or any(_is_same_place(view, known) for known in self._views):
            return
        self._views = [*self._views, view][-VIEWS_KEPT:]
        self.k1 = estimate_k1(self._views, size)


def _is_same_place(one: View, other: View) -> bool:
    if one[0].shape != other[0].shape or not np.array_equal(one[0], other[0]):
        return False
    return float(np.hypot(*(one[1] - other[1]).T).mean()) < ANOTHER_PLACE_PX
