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


def standing(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Begin a quadrilateral (4, 2) at the corner that is top left when it stands on a short side.

    Of the two short sides the one that is higher in the picture is its top.
    """
    edges = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    first = 0 if edges[0] + edges[2] <= edges[1] + edges[3] else 1
    sides = (first, (first + 2) % 4)
    top = min(sides, key=lambda k: float(quad[k, 1] + quad[(k + 1) % 4, 1]))
    return np.roll(quad, -top, axis=0)


def inside(quad: NDArray[np.float64], point: tuple[float, float]) -> bool:
    """Say whether a point lies in a convex, clockwise quadrilateral (4, 2)."""
    edges = np.roll(quad, -1, axis=0) - quad
    away = np.array(point) - quad
    return bool((edges[:, 0] * away[:, 1] - edges[:, 1] * away[:, 0] > 0).all())


def area(quad: NDArray[np.float64]) -> float:
    """Return the area of a simple quadrilateral (4, 2), positive if it is clockwise in the image."""
    after = np.roll(quad, -1, axis=0)
    return float((quad[:, 0] * after[:, 1] - quad[:, 1] * after[:, 0]).sum()) / 2
