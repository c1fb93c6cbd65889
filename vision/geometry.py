"""Homographies and quadrilaterals in pixels: x to the right, y down, the first pixel's centre at (0, 0)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def rectangle(width: float, height: float) -> NDArray[np.float64]:
    """Return the corners of an upright face: top left, top right, bottom right, bottom left (4, 2).

    The centre of its first pixel is (0, 0), so its outline begins half a pixel before.
    """
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64) - 0.5


def project(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Map points (n, 2) by a homography (3, 3)."""
    mapped = np.hstack((points, np.ones((len(points), 1)))) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], dtype=np.float64)


def scaled(x: float, y: float | None = None) -> NDArray[np.float64]:
    """Return the map of pixels to those of the same picture enlarged by `x` (and `y`)."""
    down = x if y is None else y
    return np.array([(x, 0, 0.5 * x - 0.5), (0, down, 0.5 * down - 0.5), (0, 0, 1)], dtype=np.float64)


def quarter(turn: int, side: int) -> NDArray[np.float64]:
    """Map pixels of an upright square picture to those of it turned clockwise by quarter turns."""
    once = np.array([(0.0, -1.0, side - 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
    return np.asarray(np.linalg.matrix_power(once, turn % 4), dtype=np.float64)


def is_upright_quad(quad: NDArray[np.float64]) -> bool:
    """Say whether a quadrilateral (4, 2) is convex, clockwise in the image and no sliver."""
    if not np.isfinite(quad).all():
        return False
    edges = np.roll(quad, -1, axis=0) - quad
    after = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    return bool((turns > 0).all() and lengths.min() > 0.15 * lengths.max())
