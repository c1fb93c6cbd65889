"""The table seen from straight above: how the camera leans, told by the cards that were read.

All cards on a table are alike. Of all ways the camera may lean over it that one is right which makes them
rectangles of one size and of the faces' shape. Seen from above, a card far away is as large as one in
front and no longer squeezed, so that its features are those of the enrolled face.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.geometry import area, project, rectangle

Array = NDArray[np.float64]

LENS = 0.8
"""Focal length as a share of the photograph's longer side: phones and most webcams have 0.7 to 1."""

_LEANS, _TURNS = np.radians(np.arange(0, 68, 4)), np.radians(np.arange(0, 360, 15))
_FINER = 3
_HARDLY = np.radians(25.0)
"""Lean from which a picture is worth straightening: features bear less."""

_ENLARGED, _BEYOND, _MOST = 1.4, 4.0, 1600.0
"""How much larger than in the photograph a card is drawn, at most; how many sides of a card beyond the last one
are looked at, and how many pixels."""

_SIZE, _ASPECT, _SQUARE = 1.0, 2.0, 1.0
"""Weights of cards' differing sizes, of a wrong shape and of corners that are not square."""


_UNLIKE = 0.15
"""Misfit from which the quadrilaterals are not all cards on one table."""


def seen_from_above(cards: Sequence[Array], aspect: float, size: tuple[int, int]) -> Array | None:
    """Return the map (3, 3) of a photograph to the table seen from above, or None if the camera hardly leans.

    `cards` are corners (4, 2) of cards that were read, their own, `aspect` is the width over the height of
    their faces, `size` width and height of the photograph, whose middle is taken for the camera's axis. The
    scale is that of the photograph where the cards lie.
    """
    if not cards:
        return None
    focal = LENS * max(size)
    middle = np.array((size[0] / 2, size[1] / 2))
    rays = np.concatenate([np.stack(cards) - middle, np.full((len(cards), 4, 1), focal)], axis=2) / focal
    leans, turns = (grid.ravel() for grid in np.meshgrid(_LEANS, _TURNS, indexing="ij"))
    step = np.array((_LEANS[1], _TURNS[1]))
    for _ in range(_FINER):
        best = int(_misfit(rays, aspect, leans, turns).argmin())
        lean, turn = leans[best], turns[best]
        step = step / 4
        around = np.arange(-4, 5)
        leans, turns = (grid.ravel() for grid in np.meshgrid(lean + around * step[0], turn + around * step[1]))
    misfit = _misfit(rays, aspect, leans, turns)
    best = int(misfit.argmin())
    if abs(leans[best]) < _HARDLY or misfit[best] > _UNLIKE:
        return None
    camera = np.array([(focal, 0.0, middle[0]), (0.0, focal, middle[1]), (0.0, 0.0, 1.0)])
    turned = _rotations(leans[best : best + 1], turns[best : best + 1])[0]
    return np.asarray(camera @ turned @ np.linalg.inv(camera), dtype=np.float64)


def laid_out(
    matrix: Array, size: tuple[int, int], cards: Sequence[Array], side: float
) -> tuple[Array, tuple[int, int]]:
    """Scale and move a map to the table so that cards have about `side` pixels a side, and begin it at (0, 0).

    Returns it and the size of the picture to draw: of what a photograph of `size` shows, the part within
    some cards' length of those that were read.
    """
    seen = np.stack([project(matrix, card) for card in cards])
    scale = min(_ENLARGED, side / float(np.median([abs(area(quad)) for quad in seen])) ** 0.5)
    seen = seen.reshape(-1, 2) * scale
    low, high = seen.min(axis=0) - _BEYOND * side, seen.max(axis=0) + _BEYOND * side
    frame = rectangle(*size)
    if (np.hstack((frame, np.ones((4, 1)))) @ matrix[2] > 0.05).all():
        corners = project(matrix, frame) * scale
        low, high = np.maximum(low, corners.min(axis=0)), np.minimum(high, corners.max(axis=0))
    high = np.minimum(high, low + _MOST)
    move = np.array([(scale, 0.0, -low[0]), (0.0, scale, -low[1]), (0.0, 0.0, 1.0)])
    width, height = np.ceil(high - low).astype(int).tolist()
    return np.asarray(move @ matrix, dtype=np.float64), (max(1, width), max(1, height))


def _rotations(leans: Array, turns: Array) -> Array:
    """Return rotations (n, 3, 3) by `leans` about axes in the picture's plane at angles `turns`."""
    x, y = np.cos(turns), np.sin(turns)
    cosine, sine = np.cos(leans), np.sin(leans)
    rest = 1 - cosine
    rows = (
        (cosine + x * x * rest, x * y * rest, y * sine),
        (x * y * rest, cosine + y * y * rest, -x * sine),
        (-y * sine, x * sine, cosine),
    )
    return np.moveaxis(np.array(rows), 2, 0)


def _misfit(rays: Array, aspect: float, leans: Array, turns: Array) -> Array:
    """Return how unlike each other and the faces cards (n, 4, 3) are, seen with the camera leaning so (m,)."""
    seen = np.einsum("mij,nkj->mnki", _rotations(leans, turns), rays)
    depth = seen[..., 2:]
    flat = seen[..., :2] / np.maximum(depth, 1e-3)
    edges = np.roll(flat, -1, axis=2) - flat
    lengths = np.linalg.norm(edges, axis=3) + 1e-9
    wide, high = np.log(lengths[..., 0] * lengths[..., 2]) / 2, np.log(lengths[..., 1] * lengths[..., 3]) / 2
    square = np.abs((edges * np.roll(edges, -1, axis=2)).sum(axis=3)) / (lengths * np.roll(lengths, -1, axis=2))
    sizes = wide + high
    off = _ASPECT * np.abs(wide - high - np.log(aspect)) + _SQUARE * square.mean(axis=2)
    off = off + _SIZE * np.abs(sizes - np.median(sizes, axis=1, keepdims=True))
    off = np.where((depth[..., 0] > 0.05).all(axis=2), off, 10.0)
    # The median over the cards, so that one that was read wrongly does not lean the table.
    return np.asarray(np.median(off, axis=1) + 0.25 * off.mean(axis=1), dtype=np.float64)
