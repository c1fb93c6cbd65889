"""Cards that lie under others and have few features: where one must lie if a corner of it shows.

A card that was read gives the plane of the table and the size of the cards. On it, a corner in sight and
the lines that leave it say where the rest lies, along or across.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import is_upright_quad, overlap, project, rectangle
from vision.outline import distinct

Array = NDArray[np.float64]

_SQUARE = 0.12
"""Cosine of the angle of a corner on the table, at most."""

_ARM = 0.3
"""Share of the card's side that must show of each line that leaves the corner."""

_TOO_LONG = 1.15
_NEAR = 1.6
"""How far from the middle of the card on top, in its heights, a corner of a covered one can lie."""

_COVERED = (0.04, 0.4)
"""Overlap with the card on top: enough to be covered at all, and not so much that it is the same card."""


def covered_quads(corners: tuple[Array, Array, Array], read: Array, aspect: float, others: list[Array]) -> list[Array]:
    """Return where cards could lie (4, 2), a short side first, that the card `read` lies on.

    `corners` are points (n, 2) and the lines that leave them, clockwise, (n, 2) each; `read` (4, 2) are the
    read card's own corners and `aspect` its width over its height; `others` are all cards that were read.
    """
    width, height = aspect, 1.0
    card = rectangle(width, height).astype(np.float32) + 0.5
    plane = np.asarray(cv2.getPerspectiveTransform(read.astype(np.float32), card), dtype=np.float64)
    back = np.linalg.inv(plane)
    point, first, second = corners
    if not len(point):
        return []
    at = project(plane, point)
    u, v = project(plane, point + first) - at, project(plane, point + second) - at
    lengths = np.hypot(*u.T), np.hypot(*v.T)
    u, v = u / (lengths[0][:, None] + 1e-9), v / (lengths[1][:, None] + 1e-9)
    square = np.abs((u * v).sum(axis=1)) < _SQUARE
    # A card of which so much is covered begins near the one on top of it.
    square &= (np.abs(at - np.array((width, height)) / 2) < _NEAR * height).all(axis=1)
    quads = []
    for a, b in ((width, height), (height, width)):
        fits = square & (lengths[0] > _ARM * a) & (lengths[1] > _ARM * b)
        fits &= (lengths[0] < _TOO_LONG * a) & (lengths[1] < _TOO_LONG * b)
        for p, along, across in zip(at[fits], u[fits], v[fits], strict=True):
            own = np.array([p, p + a * along, p + a * along + b * across, p + b * across])
            quad = project(np.asarray(back, dtype=np.float64), own if a < b else np.roll(own, -1, axis=0))
            if is_upright_quad(quad) and _is_covered(quad, others):
                quads.append(quad)
    return [quads[k] for k in distinct(quads, 0.06)]


def _is_covered(quad: Array, others: list[Array]) -> bool:
    most = max(overlap(quad, other) for other in others)
    return _COVERED[0] < most < _COVERED[1]
