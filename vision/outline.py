"""Outlines of cards: four-sided contours, found three ways because each fails on other tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import area, is_upright_quad

_TURNED = np.array([[(corner + turn) % 4 for corner in range(4)] for turn in range(4)])
"""Places of the corners of an outline begun at each of them."""

_SAME_ROUGHLY = 0.015


def binary_views(grey: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Return edge and threshold pictures in which a card's outline may be closed.

    Canny survives uneven light, the adaptive threshold survives low contrast, Otsu's survives
    texture inside the card.
    """
    smooth = cv2.GaussianBlur(grey, (5, 5), 0)
    median = float(np.median(smooth[::2, ::2]))
    edges = cv2.Canny(smooth, max(10.0, 0.4 * median), max(30.0, 1.0 * median))
    edges = cv2.dilate(edges, np.ones((3, 3), np.uint8))
    block = max(11, min(grey.shape) // 8 | 1)
    adaptive = cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, 3)
    _, otsu = cv2.threshold(smooth, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    views = [edges, adaptive, otsu]
    return [np.asarray(view, dtype=np.uint8) for view in views]


def find_quads(
    grey: NDArray[np.uint8], smallest: float, largest: float, nested: bool = True
) -> list[NDArray[np.float64]]:
    """Return four-sided outlines (4, 2), clockwise, with an area between two bounds in pixels.

    With `nested`, outlines inside others count too (printed frames are told apart later).
    """
    rough: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    mode = cv2.RETR_LIST if nested else cv2.RETR_EXTERNAL
    for view in binary_views(grey):
        contours, _ = cv2.findContours(view, mode, cv2.CHAIN_APPROX_SIMPLE)
        for contour in _large(contours, smallest):
            found = _four_sided(contour, smallest, largest)
            if found is not None:
                rough.append(found)
    # The same outline shows in several views; only one of them is worth the line fits.
    kept = distinct([corners for corners, _ in rough], _SAME_ROUGHLY)
    quads = [_exact(*rough[k]) for k in kept]
    return merged([quad for quad in quads if quad is not None])


def _large(contours: Sequence[NDArray[Any]], smallest: float) -> list[NDArray[np.int32]]:
    """Return the contours (n, 1, 2) whose upright box is larger than `smallest`: few of thousands are."""
    lengths = np.fromiter(map(len, contours), np.intp, len(contours))
    if not len(lengths):
        return []
    points = np.concatenate(contours)[:, 0]
    starts = np.cumsum(lengths) - lengths
    low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    wide = (high - low).astype(np.int64).prod(axis=1) >= smallest
    return [np.asarray(contours[k], dtype=np.int32) for k in np.flatnonzero(wide & (lengths >= 4)).tolist()]


def quad_of(contour: NDArray[np.int32], smallest: float, largest: float) -> NDArray[np.float64] | None:
    """Fit a quadrilateral to a closed contour, or return None if it has another form.

    The corners are the crossings of lines fitted to the four sides, because the printed corners of
    cards are round.
    """
    found = _four_sided(contour, smallest, largest)
    return None if found is None else _exact(*found)


def _four_sided(
    contour: NDArray[np.int32], smallest: float, largest: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return rough corners (4, 2), clockwise, and the hull (n, 2) of a contour with four sides."""
    hull = cv2.convexHull(contour)
    size = cv2.contourArea(hull)
    if not smallest <= size <= largest:
        return None
    around = cv2.arcLength(hull, True)
    for share in (0.02, 0.04, 0.06):
        rough = cv2.approxPolyDP(hull, share * around, True)
        if len(rough) == 4:
            break
    else:
        return None
    if abs(cv2.contourArea(rough)) < 0.85 * size:
        return None
    return _clockwise(rough.reshape(4, 2).astype(np.float64)), hull.reshape(-1, 2).astype(np.float64)


def _exact(corners: NDArray[np.float64], hull: NDArray[np.float64]) -> NDArray[np.float64] | None:
    sharp = _sharpened(hull, corners)
    quad = _clockwise(sharp if sharp is not None else corners)
    return quad if is_upright_quad(quad) else None


def _sharpened(hull: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64] | None:
    along = np.concatenate((corners[1:], corners[:1])) - corners
    lengths = np.hypot(along[:, 0], along[:, 1])
    if float(lengths.min()) < 8:
        return None
    along /= lengths[:, None]
    # For each side, how far along it and how far beside it the points of the hull lie, (4, n).
    dense = _along(hull)
    x, y = dense[:, 0] - corners[:, :1], dense[:, 1] - corners[:, 1:]
    share = (x * along[:, :1] + y * along[:, 1:]) / lengths[:, None]
    off = np.abs(x * along[:, 1:] - y * along[:, :1])
    beside = (share > 0.12) & (share < 0.88) & (off < 0.06 * lengths[:, None])
    points, lines = dense.astype(np.float32), []
    for side in beside:
        own = points[side]
        if len(own) < 6:
            return None
        lines.append(cv2.fitLine(own, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist())
    crossed = []
    for (ax, ay, px, py), (bx, by, qx, qy) in zip(lines[-1:] + lines[:-1], lines, strict=True):
        turn = ax * by - ay * bx
        if abs(turn) < 0.2:
            return None
        step = ((qx - px) * by - (qy - py) * bx) / turn
        crossed.append((px + step * ax, py + step * ay))
    sharp = np.array(crossed)
    reach = np.hypot(*(sharp - corners).T)
    return sharp if reach.max() < 0.12 * np.hypot(*(corners[2] - corners[0])) else None


def _along(hull: NDArray[np.float64]) -> NDArray[np.float64]:
    # The hull of a straight side is two points; a line fit needs points all along it.
    edges = np.concatenate((hull[1:], hull[:1])) - hull
    steps = np.maximum(1, (np.hypot(edges[:, 0], edges[:, 1]) / 2).astype(np.intp))
    edge = np.repeat(np.arange(len(hull)), steps)
    step = np.arange(len(edge)) - np.repeat(np.cumsum(steps) - steps, steps)
    return np.asarray(hull[edge] + edges[edge] * (step / steps[edge])[:, None], dtype=np.float64)


def _clockwise(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    return quad if area(quad) > 0 else quad[::-1].copy()


def merged(quads: list[NDArray[np.float64]], near: float = 0.04) -> list[NDArray[np.float64]]:
    """Drop repeated outlines: those whose corners lie within `near` of a diagonal of one kept before."""
    return [quads[k] for k in distinct(quads, near)]


def distinct(quads: list[NDArray[np.float64]], near: float) -> list[int]:
    """Return the places in the list of those outlines that `merged` keeps."""
    kept = np.zeros((len(quads), 4, 2))
    places: list[int] = []
    for place, quad in enumerate(quads):
        reach = near * float(np.hypot(*(quad[2] - quad[0])))
        apart = np.abs(kept[: len(places), None] - quad[_TURNED]).max(axis=(2, 3))
        if not (apart < reach).any():
            kept[len(places)] = quad
            places.append(place)
    return places
