"""Printed rows: glyphs beside each other on a plain strip, told by their colours or the shape in their middle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.enrol.glyphs import SHIFT, Cells, lab, likeness, usual_colour
from vision.enrol.layout import Picture, Place, cut_place

_HIGH = 60
"""Pixels of the strip's height as it is looked at."""
_TINT = 26.0
"""Lab units by which a glyph differs from the strip; chroma counts twice."""
_SPECK, _FRAME = 12, (0.6, 0.25)
"""Print of fewer pixels is none; wider and lower than these shares of the strip, it is the strip's own frame."""
_LEAST_WIDE, _ALIKE = 0.25, 1.5
"""Glyphs are at least so wide as a share of the strip's height, and differ in width by less than this factor."""
_SIDE, _CORE = 26, 26
"""Pixels of a glyph with what lies round it, and of its middle, as they are compared."""
_ROUND_IT, _MIDDLE = 1.2, 0.6
_PLAIN = 14.0
"""Grey levels by which the middle of a glyph varies that is of one colour."""


@dataclass(frozen=True, eq=False)
class RowGlyph:
    """One glyph: where on the card it stands, its colours (Lab), its middle in grey; `is_plain`: that shows nothing."""

    place: Place
    cell: Cells
    core: Cells
    is_plain: bool


@dataclass(frozen=True, eq=False)
class Row:
    """The glyphs of a strip from the left. It is not `is_neat` if some touch each other, or the strip's ends."""

    glyphs: tuple[RowGlyph, ...]
    is_neat: bool


def glyphs_in_row(face: Picture, place: Place) -> Row:
    """Return the glyphs that stand in a strip of a face (BGR)."""
    high, wide = place.height * face.shape[0], place.width * face.shape[1]
    size = (max(_HIGH, round(_HIGH * wide / high)), _HIGH)
    picture = cut_place(face, place, size)
    view = lab(picture)
    printed = np.linalg.norm(view - usual_colour(view), axis=2) > _TINT
    spans = _spans(printed)
    glyphs = tuple(_glyph(picture, printed, span, place, size) for span in spans)
    widths = [right - left for left, right in spans]
    neat = (
        bool(spans)
        and max(widths) < _ALIKE * min(widths)
        and min(widths) >= _LEAST_WIDE * _HIGH
        and spans[0][0] > 0
        and spans[-1][1] < size[0]
    )
    return Row(glyphs, neat)


def _spans(printed: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the first column of each glyph and the one behind it; print that stands over each other is one."""
    closed = cv2.morphologyEx(printed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, _, found, _ = cv2.connectedComponentsWithStats(np.asarray(closed, np.uint8))
    spans: list[tuple[int, int]] = []
    for left, _, wide, high, size in sorted(found[1:].tolist()):
        at_an_end = left == 0 or left + wide == printed.shape[1]
        is_frame = wide > _FRAME[0] * printed.shape[1] and high < _FRAME[1] * printed.shape[0]
        if size < _SPECK or is_frame or (at_an_end and wide < _LEAST_WIDE * printed.shape[0]):
            continue
        if spans and left < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], left + wide))
        else:
            spans.append((left, left + wide))
    return spans


def _glyph(
    picture: Picture, printed: NDArray[np.bool_], span: tuple[int, int], place: Place, size: tuple[int, int]
) -> RowGlyph:
    left, right = span
    rows = np.flatnonzero(printed[:, left:right].any(axis=1))
    side = max(right - left, int(rows[-1] - rows[0]) + 1)
    x, y = (left + right) / 2, (rows[0] + rows[-1] + 1) / 2
    cell = lab(_cut(picture, x, y, _ROUND_IT * side, _SIDE))
    core = cv2.cvtColor(_cut(picture, x, y, _MIDDLE * side, _CORE), cv2.COLOR_BGR2GRAY).astype(np.float32)[:, :, None]
    there = Place(
        place.x + (x / size[0] - 0.5) * place.width,
        place.y + (y / size[1] - 0.5) * place.height,
        1.3 * side / size[0] * place.width,
        1.3 * side / size[1] * place.height,
    )
    return RowGlyph(there, cell, core, bool(core[SHIFT:-SHIFT, SHIFT:-SHIFT].std() < _PLAIN))


def _cut(picture: Picture, x: float, y: float, side: float, pixels: int) -> Picture:
    """Return a square round (x, y), `pixels` a side, with `SHIFT` more on every side."""
    scale = pixels / side
    middle = pixels / 2 + SHIFT
    matrix = np.array([(scale, 0, middle - scale * x), (0, scale, middle - scale * y)], np.float64)
    whole = pixels + 2 * SHIFT
    return np.asarray(
        cv2.warpAffine(picture, matrix, (whole, whole), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def likeness_in_row(ones: Sequence[RowGlyph], others: Sequence[RowGlyph]) -> NDArray[np.float32]:
    """Return how alike glyphs (n) and examples (m) are, -1 to 1, shape (n, m): by their middle, if it shows any."""
    whole = likeness(np.stack([each.cell for each in ones]), np.stack([each.cell for each in others]))
    middle = likeness(np.stack([each.core for each in ones]), np.stack([each.core for each in others]))
    one, other = (np.array([each.is_plain for each in some]) for some in (ones, others))
    return np.asarray(np.where(one[:, None] != other, 0.0, np.where(one[:, None], whole, middle)), np.float32)
