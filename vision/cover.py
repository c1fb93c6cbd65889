"""What lies in a slot when it is no card that can be read: a thing, a sheet of paper, or an unknown card.

A cup or a rule-book is no unknown card, a blank sheet over a card is no empty slot, and a die on a card
takes nothing from what the rest of the card shows.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.mat import Rect
from vision.frame import Picture
from vision.geometry import rectangle
from vision.outline import find_quads
from vision.slots import MatView, bounds

Sides = tuple[float, float, float, float]
"""Shares of the top, right, bottom and left side of a slot's frame."""

FRAME_SEEN = 0.05
"""How much darker than the paper on both its sides a printed frame line is, as a share of the paper."""

BARE_SIDES = 1.75
"""Sides of its frame that are seen of an empty slot; neighbours' cards may lie over the others."""

WHOLE_SIDE = 0.75
"""Share from which a side of the frame is seen as a whole: the lines of a printed sheet look like pieces of it."""

WHOLE_SIDES = 2
"""Whole sides that are seen of an empty slot in which some small thing lies."""

PEEPS_OUT = 0.15
"""Share of its blocks by which a sure card is seen to peep out from under something; in an empty slot it is 0."""

OVERLAID_SIDES = 0.75
"""A slot whose frame is seen less than this has something over it that reaches out on all sides."""

SAME_BLOCK = 0.7
"""Correlation from which a part of a slot (a block of 7 mm) shows what it showed before."""

_PIECE_MM, _AROUND_MM = 8.0, 3.0
_BLOCK, _SHIFT, _TEXTURED, _RIM = 12, 2, 0.005, 0.14
_UNLIKE_PAPER, _SMALL_AREA, _SMALL_SIDE = 0.14, 0.5, 0.7
_LEAST_SIDE, _MOST_SIDE, _FRAME_ITSELF_MM = 0.88, 1.07, 1.6


def frame_seen(crop: Picture, margin_mm: float, px_per_mm: float) -> Sides:
    """Return what share of each side of a slot's printed frame is seen.

    `crop` shows the slot squarely from above with `margin_mm` around it.
    """
    # Shrunk to a height of pieces along each side, a line stands out from the noise however thin it is.
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    at, reach = margin_mm * px_per_mm, max(3, round(_AROUND_MM * px_per_mm))
    shares = [_line_share(np.rot90(grey, turn), at, reach, round(_PIECE_MM * px_per_mm)) for turn in range(4)]
    return shares[0], shares[1], shares[2], shares[3]


def _line_share(grey: NDArray[np.float32], at: float, reach: int, piece: int) -> float:
    """Return in what share of the pieces of its topmost side a frame has a dark line, at row `at`."""
    first, last = max(0, round(at) - reach), round(at) + reach + 1
    strip = grey[first:last, round(at) : grey.shape[1] - round(at)]
    count = strip.shape[1] // piece
    pieces = strip[:, : count * piece].reshape(strip.shape[0], count, piece).mean(axis=2)
    paper = np.percentile(pieces, 70, axis=0)
    middle = slice(strip.shape[0] // 4, strip.shape[0] - strip.shape[0] // 4)
    line = pieces[middle].min(axis=0)
    # What is wider than a line, like the edge of a card, is dark on one of its sides as well.
    above, below = np.median(pieces[: strip.shape[0] // 4], axis=0), np.median(pieces[-(strip.shape[0] // 4) :], axis=0)
    bare = np.minimum(above, below)
    return float(np.mean((bare - line > FRAME_SEEN * (paper + 8.0)) & (bare > 0.8 * paper)))


def is_bare(sides: Sides) -> bool:
    """Tell whether so much of a slot's frame is seen that no card can lie in it but a small thing may."""
    return sum(sides) >= BARE_SIDES and sum(side >= WHOLE_SIDE for side in sides) >= WHOLE_SIDES


def is_small(view: MatView, rect: Rect, card_size: tuple[float, float]) -> bool:
    """Tell whether whatever lies in the slot is much less than a card: a coin, a die, a pencil."""
    left, top, right, bottom = bounds(rect, 2.0)
    inside = view.colour[top:bottom, left:right].astype(np.float32) + 8.0
    differs = (np.abs(inside / _paper(view, rect) - 1.0).max(axis=2) > _UNLIKE_PAPER).astype(np.uint8)
    solid = cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not outlines:
        return True
    hull = cv2.convexHull(np.concatenate(outlines))
    narrow = min(cv2.minAreaRect(hull)[1])
    return cv2.contourArea(hull) < _SMALL_AREA * card_size[0] * card_size[1] and narrow < _SMALL_SIDE * min(card_size)


def shows_card(crop: Picture, card_size: tuple[float, float], margin_mm: float, px_per_mm: float) -> bool:
    """Tell whether a crop of a slot shows the outline of a card of the right size, whatever is printed on it."""
    short, long = (side * px_per_mm for side in sorted(card_size))
    grey = np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), np.uint8)
    inset = margin_mm * px_per_mm
    frame = rectangle(grey.shape[1] - 2 * inset, grey.shape[0] - 2 * inset) + inset
    for quad in find_quads(grey, 0.7 * short * long, 1.2 * short * long):
        edges = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
        sides = sorted((float(edges[0] + edges[2]) / 2, float(edges[1] + edges[3]) / 2))
        fits = all(_LEAST_SIDE < side / want < _MOST_SIDE for side, want in zip(sides, (short, long), strict=True))
        off_frame = min(float(np.abs(np.roll(quad, turn, axis=0) - frame).max()) for turn in range(4))
        if fits and off_frame > _FRAME_ITSELF_MM * px_per_mm:
            return True
    return False


def _paper(view: MatView, rect: Rect) -> NDArray[np.float32]:
    """Return the colour of the bare paper near the slot: the brightest half of the strip around its frame."""
    left, top, right, bottom = bounds(rect, -3.0)
    strips = (
        view.colour[top : top + 3, left:right],
        view.colour[bottom - 3 : bottom, left:right],
        view.colour[top:bottom, left : left + 3],
        view.colour[top:bottom, right - 3 : right],
    )
    ring = np.concatenate([strip.reshape(-1, 3) for strip in strips]).astype(np.float32)
    bright = ring[ring.sum(axis=1) >= np.percentile(ring.sum(axis=1), 60)]
    return np.asarray(np.median(bright, axis=0) + 8.0, np.float32)


def seen_again(before: Picture, now: Picture) -> float:
    """Return the share of a slot's textured blocks that show in `now` what they showed in `before`.

    Light, blur and a shift of the whole by a millimetre do not count; nor does the rim, where every card looks
    alike. A card under a die or a finger keeps most of its blocks, another card keeps none.
    """
    if before.shape != now.shape:
        return 0.0
    first, second = _relief(before), _relief(now)
    own = _block_mean(first * first) - _block_mean(first) ** 2
    told = own > _TEXTURED
    if not told.any():
        return 0.0
    best = 0.0
    for dy in range(-_SHIFT, _SHIFT + 1):
        for dx in range(-_SHIFT, _SHIFT + 1):
            moved = np.roll(second, (dy, dx), axis=(0, 1))
            mean = _block_mean(moved)
            cross = _block_mean(first * moved) - _block_mean(first) * mean
            other = np.maximum(_block_mean(moved * moved) - mean**2, 1e-4)
            alike = cross / np.sqrt(own * other + 1e-9) > SAME_BLOCK
            best = max(best, float(np.mean(alike[told])))
    return best


def _relief(picture: Picture) -> NDArray[np.float32]:
    """Return what is printed, free of light: each half-size grey value against its neighbourhood."""
    small = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    around = cv2.blur(grey, (15, 15))
    down, across = (round(_RIM * side) for side in grey.shape)
    return np.asarray(((grey - around) / (around + 12.0))[down:-down, across:-across], np.float32)


def _block_mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
    half = _BLOCK // 2
    return np.asarray(cv2.boxFilter(values, -1, (_BLOCK, _BLOCK))[half::_BLOCK, half::_BLOCK], np.float32)
