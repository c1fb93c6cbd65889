"""Printed glyphs cut out of faces, and how alike two of them are, whatever the light and a pixel or two of shift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.enrol.layout import Picture, Place, cut_place

Cells = NDArray[np.float32]
"""Glyphs as (n, height, width, channels), with `SHIFT` pixels of surroundings on every side."""

SHIFT = 3
NUMBER_SIDE, FLAG_SIDE, MARK_SIDE = 34, 26, 25
"""Pixels of the longer side of a glyph, and of the circle round a mark, as they are compared."""

DISC = 72
"""Side of the square picture in which marks are searched for."""
_RIM = 0.8
_TINT = 14.0
"""Lab units by which a mark differs from the ground it is printed on; chroma counts twice."""
_SMALLEST_MARK = 0.018
_ROUND = 0.55
_CHROMA = np.array([1.0, 2.0, 2.0], np.float32)
_SCALES = tuple(0.45 * 1.13**step for step in range(13))
_OVERLAP = 0.75
_LEAST_HIT = 0.5


_ROWS, _COLUMNS = np.mgrid[:DISC, :DISC]
_REACH = np.hypot(_COLUMNS - DISC / 2 + 0.5, _ROWS - DISC / 2 + 0.5) / (DISC / 2)
"""Distance of each pixel of a disc picture from its middle, 1 at the edge."""


def number_cell(face: Picture, place: Place) -> Cells:
    """Return the glyph of a place in grey, (height, width, 1); places of one shape give cells of one shape."""
    cell = _cell(face, place, NUMBER_SIDE)
    return cv2.cvtColor(cell, cv2.COLOR_BGR2GRAY).astype(np.float32)[:, :, None]


def flag_cell(face: Picture, place: Place) -> Cells:
    """Return what a place shows as Lab colours, (height, width, 3)."""
    return lab(_cell(face, place, FLAG_SIDE))


def colour_of(face: Picture, place: Place) -> Cells:
    """Return the usual chroma (a, b of Lab) of a place."""
    view = lab(cut_place(face, place, (48, 48)))
    return np.asarray(np.median(view[:, :, 1:].reshape(-1, 2), axis=0) / 2, np.float32)


def _cell(face: Picture, place: Place, side: int) -> Picture:
    high, wide = (place.height, place.width) if place.turn % 2 == 0 else (place.width, place.height)
    scale = side / max(high, wide)
    size = (round(wide * scale) + 2 * SHIFT, round(high * scale) + 2 * SHIFT)
    return cut_place(face, place, size, around=SHIFT / scale)


def lab(picture: Picture) -> Cells:
    """Return a BGR picture in Lab, its chroma weighing twice."""
    colours = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    return np.asarray(colours * _CHROMA, np.float32)


def likeness(cells: Cells, examples: Cells) -> NDArray[np.float32]:
    """Return how alike glyphs (n) and examples (m) are, -1 to 1, shape (n, m): the best of all small shifts."""
    core = _unit(examples[:, SHIFT:-SHIFT, SHIFT:-SHIFT])
    height, width = core.shape[1:3]
    flat = core.reshape(len(core), -1).T
    best = np.full((len(cells), len(core)), -1.0, np.float32)
    for down in range(2 * SHIFT + 1):
        for right in range(2 * SHIFT + 1):
            window = _unit(cells[:, down : down + height, right : right + width]).reshape(len(cells), -1)
            np.maximum(best, window @ flat, out=best)
    return best


def _unit(cells: Cells) -> Cells:
    level = cells - cells.mean(axis=(1, 2), keepdims=True)
    length = np.sqrt(np.square(level).sum(axis=(1, 2, 3), keepdims=True)) + 1e-3
    return np.asarray(level / length, np.float32)


# -- marks -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Mark:
    """A round mark found on its own: `x`, `y`, `radius` in pixels of the disc picture, and how it looks."""

    x: float
    y: float
    radius: float
    cell: Cells


@dataclass(frozen=True)
class Hit:
    """A place where a taught mark was found again; `name` is its value, `score` how alike it looks."""

    score: float
    name: str
    x: int
    y: int
    radius: float


def disc(face: Picture, place: Place) -> Cells:
    """Return the place of the marks, (DISC, DISC, 3) Lab, as the difference from the ground they are printed on."""
    view = lab(cut_place(face, place, (DISC, DISC)))
    return np.asarray(view - usual_colour(view[_REACH < _RIM]), np.float32)


def usual_colour(view: Cells) -> Cells:
    """Return the colour (Lab) of most pixels of a view."""
    pixels = view.reshape(-1, 3)
    steps = Counter(map(tuple, (pixels // 5).astype(int).tolist()))
    usual = np.array(steps.most_common(1)[0][0]) * 5 + 2.5
    near = pixels[np.linalg.norm(pixels - usual, axis=1) < 10]
    return np.asarray(np.median(near, axis=0) if len(near) else usual, np.float32)


def lone_marks(view: Cells) -> list[Mark]:
    """Return the round marks of a disc that touch nothing else: those from which a mark can be learned."""
    apart = ((np.linalg.norm(view, axis=2) > _TINT) & (_REACH < _RIM + 0.02)).astype(np.uint8)
    closed = cv2.morphologyEx(apart, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        hull = cv2.convexHull(contour)
        (x, y), radius = cv2.minEnclosingCircle(hull)
        filled = cv2.contourArea(hull)
        points = hull[:, 0]
        if filled < _SMALLEST_MARK * DISC**2 or filled < _ROUND * np.pi * radius**2:
            continue
        if float(_REACH[points[:, 1], points[:, 0]].max()) > _RIM:
            continue
        found.append(Mark(x, y, radius, _round_cell(view, x, y, radius)))
    return found


def _round_cell(view: Cells, x: float, y: float, radius: float) -> Cells:
    scale = MARK_SIDE / (2 * radius)
    middle = MARK_SIDE / 2 + SHIFT - 0.5
    matrix = np.array([(scale, 0, middle - scale * x), (0, scale, middle - scale * y)], np.float64)
    side = MARK_SIDE + 2 * SHIFT
    return np.asarray(cv2.warpAffine(view, matrix, (side, side), flags=cv2.INTER_LINEAR), np.float32)


def find_marks(view: Cells, examples: Mapping[str, Sequence[Mark]]) -> list[Hit]:
    """Return where taught marks of any size lie in a disc, the best first, overlapping ones too."""
    edge = 4
    wide = np.asarray(cv2.copyMakeBorder(view, edge, edge, edge, edge, cv2.BORDER_REPLICATE), np.float32)
    hits: list[Hit] = []
    for name, marks in examples.items():
        for mark in marks:
            for scale in _SCALES:
                side = round(2 * mark.radius * scale) | 1
                if not 9 <= side <= DISC:
                    continue
                hits += _matches(wide, mark, side, name, edge)
    hits.sort(key=lambda hit: -hit.score)
    return hits


def _matches(wide: Cells, mark: Mark, side: int, name: str, edge: int) -> list[Hit]:
    inner = np.ascontiguousarray(mark.cell[SHIFT:-SHIFT, SHIFT:-SHIFT])
    way = cv2.INTER_AREA if side < MARK_SIDE else cv2.INTER_LINEAR
    sample = cv2.resize(inner, (side, side), interpolation=way)
    mask = np.zeros((side, side), np.float32)
    cv2.circle(mask, (side // 2, side // 2), side // 2, 1.0, -1)
    scores = cv2.matchTemplate(wide, sample, cv2.TM_CCOEFF_NORMED, mask=cv2.merge([mask] * 3))
    scores[~np.isfinite(scores)] = -1.0
    peaks = (scores == cv2.dilate(scores, np.ones((5, 5)))) & (scores > _LEAST_HIT)
    found = []
    for row, column in np.argwhere(peaks).tolist():
        x, y = column + side // 2 - edge, row + side // 2 - edge
        if 0 <= x < DISC and 0 <= y < DISC and _REACH[y, x] < 0.7:
            found.append(Hit(float(scores[row, column]), name, x, y, side / 2))
    return found


def overlaps(one: Hit, other: Hit) -> bool:
    """Say whether two marks cannot both be printed where they were found."""
    return float(np.hypot(one.x - other.x, one.y - other.y)) < _OVERLAP * max(one.radius, other.radius)


def unexplained(view: Cells, hits: list[Hit]) -> float:
    """Return the share of a disc that is printed but belongs to none of the marks found."""
    printed = (np.linalg.norm(view, axis=2) > 2 * _TINT) & (_REACH < 0.7)
    left = printed.astype(np.uint8)
    for hit in hits:
        cv2.circle(left, (hit.x, hit.y), round(1.45 * hit.radius), 0, -1)
    return float(left.mean())
