"""Homographies and quadrilaterals in pixels: x to the right, y down, the first pixel's centre at (0, 0)."""

from __future__ import annotations

from math import hypot, isfinite

import cv2
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
    # Plain numbers: it is asked thousands of times a photograph, and arrays of eight cost more to handle.
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    edges = ((bx - ax, by - ay), (cx - bx, cy - by), (dx - cx, dy - cy), (ax - dx, ay - dy))
    lengths = [hypot(x, y) for x, y in edges]
    if not isfinite(sum(lengths)) or not min(lengths) > 0.15 * max(lengths):
        return False
    return all(x * v - y * u > 0 for (x, y), (u, v) in zip(edges, edges[1:] + edges[:1], strict=True))


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
    x, y = point
    corners = quad.tolist()
    return all(
        (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True)
    )


def within(polygon: NDArray[np.floating], points: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Say which of many points (n, 2) lie in a convex, clockwise polygon (m, 2)."""
    found = np.ones(len(points), bool)
    for (ax, ay), (bx, by) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        found &= (bx - ax) * (points[:, 1] - ay) - (by - ay) * (points[:, 0] - ax) > 0
    return found


def area(quad: NDArray[np.float64]) -> float:
    """Return the area of a simple quadrilateral (4, 2), positive if it is clockwise in the image."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    return float((cx - ax) * (dy - by) - (cy - ay) * (dx - bx)) / 2


def overlap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the intersection over union of two convex quadrilaterals (4, 2)."""
    xs, ys, us, vs = one[:, 0].tolist(), one[:, 1].tolist(), other[:, 0].tolist(), other[:, 1].tolist()
    if max(xs) < min(us) or max(us) < min(xs) or max(ys) < min(vs) or max(vs) < min(ys):
        return 0.0
    if not (is_upright_quad(one) and is_upright_quad(other)):
        return 0.0
    common = float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])
    return common / (area(one) + area(other) - common + 1e-6)
