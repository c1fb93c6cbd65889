"""Which outlines of a photograph are cards, whatever is printed on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.edges import EdgeField
from vision.faint import faint_quads, lines_outside
from vision.geometry import area, inside, overlap, rectangle
from vision.search import find_outlines, is_printed
from vision.tilt import LENS

_SHAPES = (0.2, 0.75)
"""Logarithm of long over short side of cards: from 1.22 (square-ish) to 2.1 (tarot)."""

_MOST_SKEW = 0.22
_LOOSE_SHAPE, _LOOSE_SKEW = 0.9, 0.4
_LEAST_EDGE, _LIT, _NOISE_TIMES = 12.0, 0.8, 2.0
"""Slope of the weakest side of an outline, at least: of a picture that is lit so well, and in times the noise."""

_CLEAR_EDGE, _CLEAR_TIMES = (20.0, 40.0), 5.0
"""Slope from which an edge is as clear as any other, between these bounds so many times the noise."""

_WEAKER, _RIM = 0.5, 0.6
"""Share of a clear slope up to which one is weak; area of a card as a share of that of its shadow, at least."""

_SAME_CARD = 0.55
_MOST_TIMES, _FAINT_TIMES = 3.0, 1.8
_TOUCHES = 0.1
_FRAME = (1.6, 5.0)
"""How many times as large as a frame printed on it a card is."""

_SAME_SHAPE = 0.25
"""How far the logarithms of the shapes of cards on one table may lie apart."""

_CARDS, _FRAMES = 2, 3
"""Cards read, or outlines, of which a mat holds so many; a card has a picture and a text in frames."""


@dataclass(frozen=True, eq=False)
class Outline:
    """Four sides (4, 2) in pixels of the photograph.

    `edge` is the slope across the weakest side, `shape` and `skew` those of the rectangle it shows.
    """

    corners: NDArray[np.float64]
    edge: float
    shape: float
    skew: float

    @cached_property
    def middle(self) -> tuple[float, float]:
        x, y = self.corners.mean(axis=0).tolist()
        return x, y

    @cached_property
    def size(self) -> float:
        return area(self.corners)

    @property
    def is_card_shaped(self) -> bool:
        """Whether cards in general have this form; for a face that is looked for, less will do."""
        return _SHAPES[0] < self.shape < _SHAPES[1] and self.skew < _MOST_SKEW


def seen_shape(quad: NDArray[np.float64], size: tuple[int, int]) -> tuple[float, float]:
    """Return the shape of the rectangle that an outline (4, 2) shows in perspective, and its skew.

    `size` is width and height of the photograph; its middle is taken for the camera's axis. The shape
    is the logarithm of the long over the short side; the skew, the cosine of the angle between them,
    is far from 0 for an outline that is no rectangle (Zhang & He, 2007).
    """
    focal = LENS * max(size)
    matrix = cv2.getPerspectiveTransform(rectangle(1, 1).astype(np.float32), quad.astype(np.float32))
    centre = np.array((size[0] / 2, size[1] / 2))
    sides = np.vstack((matrix[:2] - centre[:, None] * matrix[2], focal * matrix[2]))
    one, other = sides[:, 0], sides[:, 1]
    lengths = float(np.linalg.norm(one)), float(np.linalg.norm(other))
    return abs(float(np.log(lengths[0] / lengths[1]))), abs(float(one @ other) / (lengths[0] * lengths[1]))


def find_card_outlines(grey: NDArray[np.uint8], field: EdgeField) -> list[Outline]:
    """Return the outlines of a grey photograph that could be cards: clear of the table, and printed."""
    quads = find_outlines(grey)
    if not quads:
        return []
    least = max(_LEAST_EDGE * min(1.0, field.light / _LIT), _NOISE_TIMES * field.noise)
    weakest = field.strengths(np.stack(quads)).min(axis=1)
    seen = [_seen(quad, float(edge), grey) for quad, edge in zip(quads, weakest, strict=True) if edge > least]
    return [outline for outline in seen if _is_plausible(outline, grey)]


def find_faint_outlines(
    grey: NDArray[np.uint8],
    small: NDArray[np.uint8],
    field: EdgeField,
    lines: NDArray[np.float64],
    taken: list[NDArray[np.float64]],
    doubtful: list[NDArray[np.float64]],
) -> list[Outline]:
    """Return outlines of cards that hardly stand out, where no card is `taken` to lie (corners of each).

    `small` is the picture of the `field`, `lines` are straight edges (n, 2, 2) of it. A `doubtful` place,
    where a stranger may lie, can be a frame that is printed in the middle of a card.
    """
    every = taken + doubtful
    lines = lines_outside(lines, [(quad + 0.5) * field.scale - 0.5 for quad in every])
    usual = float(np.median([area(quad) for quad in taken])) * field.scale**2 if taken else None
    sizes = (0.0, np.inf) if usual is None else (usual / _FAINT_TIMES, usual * _FAINT_TIMES)
    quads = [(quad + 0.5) / field.scale - 0.5 for quad in faint_quads(small, field.noise, lines, sizes)]
    found = [_seen(quad, 0.0, grey) for quad in quads]
    free = [o for o in found if not any(overlap(o.corners, quad) > _TOUCHES for quad in taken)]
    free = [o for o in free if all(overlap(o.corners, quad) < _TOUCHES or _frames(o, quad) for quad in doubtful)]
    framed = [any(_frames(o, quad) for quad in doubtful) for o in free]
    known = [_seen(quad, 0.0, grey) for quad in every]
    if any(framed):
        known = [card for card in known if not any(_frames(o, card.corners) for o in free)]
    like = known or free
    size, shape = (float(np.median([getattr(o, what) for o in like] or [1.0])) for what in ("size", "shape"))
    return [
        outline
        for outline in free
        if outline.is_card_shaped
        and _is_plausible(outline, grey)
        and size / _FAINT_TIMES < outline.size < size * _FAINT_TIMES
        and abs(outline.shape - shape) < _SAME_SHAPE
    ]


def _frames(outline: Outline, quad: NDArray[np.float64]) -> bool:
    """Say whether an outline goes round a smaller one, as a card's does round a printed frame."""
    small = Outline(quad, 0.0, 0.0, 0.0)
    return _FRAME[0] < outline.size / small.size < _FRAME[1] and inside(outline.corners, small.middle)


def _seen(quad: NDArray[np.float64], edge: float, grey: NDArray[np.uint8]) -> Outline:
    return Outline(quad, edge, *seen_shape(quad, (grey.shape[1], grey.shape[0])))


def card_outlines(outlines: list[Outline], read: list[NDArray[np.float64]], noise: float) -> list[list[Outline]]:
    """Return the places where a card probably lies: for each its outline and those second to it.

    `read` are the corners of cards already read. Cards on one table are about alike in size. An outline
    that holds several others is a mat or the table; one inside another is a printed frame, unless a side of
    the other is weak: its shadow or its sleeve. A frame is much smaller than its card, so there every slope
    that stands out of the `noise`, the slope of the picture at large, is clear.
    """
    clear = float(np.clip(_CLEAR_TIMES * noise, *_CLEAR_EDGE))
    plausible = sorted(outlines, key=lambda o: -o.size)
    cards = [Outline(quad, 0.0, 0.0, 0.0) for quad in read]
    alone = _disjoint(plausible[::-1], cards)
    places: list[list[Outline]] = []
    for outline in plausible:
        if _is_mat(outline, alone, cards):
            continue
        place = next((p for p in places if _is_same(p[0], outline)), None)
        if place is None:
            places.append([outline])
        elif _is_weaker(place[0], outline, _CLEAR_EDGE[1] if outline.size > _RIM * place[0].size else clear):
            place.insert(0, outline)
        else:
            place.append(outline)
    usual = float(np.median([card.size for card in cards] or [p[0].size for p in places] or [1.0]))
    return [p for p in places if usual / _MOST_TIMES < p[0].size < usual * _MOST_TIMES]


def _is_weaker(first: Outline, other: Outline, clear: float) -> bool:
    return min(first.edge, clear) < _WEAKER * min(other.edge, clear)


def _is_plausible(outline: Outline, grey: NDArray[np.uint8]) -> bool:
    (height, width), quad = grey.shape, outline.corners
    if outline.shape > _LOOSE_SHAPE or outline.skew > _LOOSE_SKEW:
        return False
    if (quad < 2).any() or (quad[:, 0] > width - 3).any() or (quad[:, 1] > height - 3).any():
        return False
    return is_printed(grey, quad)


def _is_mat(outline: Outline, alone: list[Outline], cards: list[Outline]) -> bool:
    return sum(_holds(outline, c) for c in cards) >= _CARDS or sum(_holds(outline, o) for o in alone) >= _FRAMES


def _disjoint(outlines: list[Outline], cards: list[Outline]) -> list[Outline]:
    """Return the cards and, smallest first, outlines that do not overlap with one kept before."""
    kept = list(cards)
    for outline in outlines:
        if not any(_holds(outline, other) or _holds(other, outline) for other in kept):
            kept.append(outline)
    return kept


def _holds(outer: Outline, other: Outline) -> bool:
    return other.size < 1.05 * outer.size and inside(outer.corners, other.middle)


def _is_same(first: Outline, other: Outline) -> bool:
    return _holds(first, other) or overlap(first.corners, other.corners) > _SAME_CARD
