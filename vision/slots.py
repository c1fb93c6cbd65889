"""The slots of the mat: what lies there looks like what, and what has changed.

Everything is compared in one small view of the whole mat, squarely from above, a pixel per
millimetre, in two quantities that light hardly touches: local detail (grey divided by its
neighbourhood, a Weber contrast) and chroma measured against
the mat's bare paper and its grey patch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.mat import Mat, Rect
from vision.frame import Picture
from vision.plane import Plane

Mask = NDArray[np.uint8]
"""height x width, 255 where something holds."""

BORDER_MM = 16.0
"""The view reaches this far beyond the mat, to see hands come in."""

DETAIL_GAIN = 160.0
DETAIL_THRESHOLD = 22
"""Change of the Weber contrast (times `DETAIL_GAIN`) that counts: 0.14."""

CHROMA_GAIN = 640.0
CHROMA_THRESHOLD = 26
"""Change of a colour's share (times `CHROMA_GAIN`) that counts: 0.04."""

CALM_SHARE = 0.06
"""Share of the paper's brightness that is added to the neighbourhood's."""

NEIGHBOURHOOD_MM = 17

DARKER_THAN_SHADOW = 0.35
"""Under room light a shadow keeps more than this share of the brightness."""

SPILL_SHARE = 0.25
"""Print on more than this share of a strip beside the slot means that something lies over its frame."""

EMPTY_SHARE = 0.10
"""A slot whose inside carries less print than this share is empty; a card carries several times as much."""


@dataclass(frozen=True, eq=False)
class MatView:
    """The mat from above, one pixel per millimetre, with `BORDER_MM` around it.

    `colour` is h x w x 3 (blue green red), `detail` h x w (128 = as bright as its neighbourhood),
    `chroma` h x w x 2 (shares of blue and red, 128 = as neutral as paper and grey patch), `level` h x w
    (brightness, 128 = as bright as most of the bare paper).
    """

    colour: Picture
    detail: Mask
    chroma: NDArray[np.uint8]
    level: Mask

    @cached_property
    def envelope(self) -> tuple[Mask, Mask]:
        """Least and greatest detail within a millimetre: a shift of that size is no change."""
        kernel = np.ones((3, 3), np.uint8)
        return np.asarray(cv2.erode(self.detail, kernel), np.uint8), np.asarray(
            cv2.dilate(self.detail, kernel), np.uint8
        )


def look(mat: Mat, plane: Plane, picture: Picture) -> MatView:
    """Take the view of the mat in `picture`.

    Neutral is the median over bare paper and grey patch together: a hand over the patch alone must not
    pass for a change of the light.
    """
    sharpness = plane.px_per_mm(mat)
    scale = 1.0
    if sharpness > 1.5:
        scale = 1.0 / round(sharpness / 1.25)
    small = picture if scale == 1.0 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    rect = view_rect(mat)
    size = (round(rect.width), round(rect.height))
    colour = np.asarray(
        cv2.warpPerspective(small, plane.warp(rect, 1.0, scale), size, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    grey = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)
    around = cv2.boxFilter(grey, cv2.CV_32F, (NEIGHBOURHOOD_MM, NEIGHBOURHOOD_MM))
    paper = max(float(np.median(around.ravel()[_bare_samples(mat)])), 1.0)
    beyond = cv2.subtract(grey, around, dtype=cv2.CV_32F)
    # What keeps noise in black places down must shrink with the light, or a lamp switched on changes every line.
    contrast = cv2.divide(beyond, around + np.float32(CALM_SHARE * paper), scale=DETAIL_GAIN)
    detail = _raised(np.asarray(contrast, np.float32), 128.0)
    chroma = _chroma(mat, colour)
    level = cv2.convertScaleAbs(around, alpha=128.0 / paper)
    return MatView(colour, detail, chroma, np.asarray(level, np.uint8))


def _chroma(mat: Mat, colour: Picture) -> NDArray[np.uint8]:
    # Colour is coarse in every camera (4:2:0): half the size says the same with less noise.
    height, width = colour.shape[:2]
    even = colour[: height // 2 * 2, : width // 2 * 2]  # halved exactly, which is five times as fast
    half = cv2.resize(even, (width // 2, height // 2), interpolation=cv2.INTER_AREA).astype(np.float32)
    blue, green, red = cv2.split(half)
    total = cv2.add(cv2.add(blue, green), np.asarray(red, np.float32) + np.float32(12.0))
    bare = _bare_samples_of_half(mat)
    parts = []
    for part in (blue, red):
        share = np.asarray(cv2.divide(part, total, scale=CHROMA_GAIN), np.float32)
        parts.append(_raised(share, 128.0 - float(np.median(share.ravel()[bare]))))
    return np.asarray(cv2.resize(cv2.merge(parts), (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _raised(values: NDArray[np.float32], by: float) -> Mask:
    """Return values with a number added, rounded and kept within 8 bits."""
    # OpenCV takes a number here, in a third of the time; its type stubs do not know.
    return np.asarray(cv2.add(values, by, dtype=cv2.CV_8U), np.uint8)  # type: ignore[call-overload]


@lru_cache(maxsize=8)
def _bare_samples_of_half(mat: Mat) -> NDArray[np.intp]:
    """Return as many places of bare paper in a flattened view of half the size."""
    whole = bare_paper(mat)
    even = whole[: whole.shape[0] // 2 * 2, : whole.shape[1] // 2 * 2]
    inside = even.reshape(even.shape[0] // 2, 2, even.shape[1] // 2, 2).all(axis=(1, 3))
    return np.flatnonzero(inside)[::6]


@lru_cache(maxsize=8)
def _bare_samples(mat: Mat) -> NDArray[np.intp]:
    """Return some two thousand places of bare paper in a flattened view: enough to fix a median."""
    return np.flatnonzero(bare_paper(mat))[::23]


@lru_cache(maxsize=8)
def bare_paper(mat: Mat) -> NDArray[np.bool_]:
    """Return where a `MatView` shows bare paper or the grey patch: no slot, no marker, no tray."""
    rect = view_rect(mat)
    bare = np.zeros((round(rect.height), round(rect.width)), bool)
    left, top, right, bottom = bounds(Rect(0, 0, mat.width, mat.height), 1.0)
    bare[top:bottom, left:right] = True
    taken = [slot.rect for slot in mat.slots] + [marker.rect for marker in mat.markers]
    for place in taken + ([mat.tray] if mat.tray else []):
        left, top, right, bottom = bounds(place, -2.0)
        bare[top:bottom, left:right] = False
    return bare


def view_rect(mat: Mat) -> Rect:
    """Return what a `MatView` shows, in mat millimetres."""
    return Rect(-BORDER_MM, -BORDER_MM, mat.width + 2 * BORDER_MM, mat.height + 2 * BORDER_MM)


def bounds(rect: Rect, inset: float = 0.0) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom of `rect` in pixels of a `MatView`, made smaller by `inset` millimetres."""
    return (
        round(rect.x + BORDER_MM + inset),
        round(rect.y + BORDER_MM + inset),
        round(rect.x + rect.width + BORDER_MM - inset),
        round(rect.y + rect.height + BORDER_MM - inset),
    )


def cut(picture: NDArray[np.uint8], rect: Rect, inset: float = 0.0) -> NDArray[np.uint8]:
    """Return the part of a view's picture that shows `rect`."""
    left, top, right, bottom = bounds(rect, inset)
    return picture[top:bottom, left:right]


def changes(before: MatView, now: MatView) -> Mask:
    """Return where `now` differs from `before` by more than light, noise and a millimetre explain."""
    low, high = before.envelope
    beyond = cv2.max(cv2.subtract(now.detail, high), cv2.subtract(low, now.detail))
    tinted = cv2.absdiff(now.chroma, before.chroma)
    hue = cv2.max(tinted[:, :, 0], tinted[:, :, 1])
    _, detail = cv2.threshold(beyond, DETAIL_THRESHOLD, 255, cv2.THRESH_BINARY)
    _, tint = cv2.threshold(hue, CHROMA_THRESHOLD, 255, cv2.THRESH_BINARY)
    tint = cv2.morphologyEx(tint, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    both = cv2.bitwise_or(cv2.morphologyEx(detail, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), tint)
    return np.asarray(both, np.uint8)


def darkened(before: MatView, now: MatView) -> Mask:
    """Return where `now` is darker than any shadow would make it: a black sleeve has neither detail nor colour."""
    deep = now.level < DARKER_THAN_SHADOW * before.level.astype(np.float32)
    return np.asarray(deep, np.uint8) * np.uint8(255)


def changed_share(mask: Mask, rect: Rect, inset: float = 0.0) -> float:
    """Return the share of `rect` that is set in `mask`."""
    part = cut(mask, rect, inset)
    return float(np.count_nonzero(part)) / max(part.size, 1)


def print_share(view: MatView, rect: Rect, inset: float = 8.0) -> float:
    """Return the share of the slot's inside that carries print or colour, compared with the mat around it.

    A shadow changes neither the fine detail inside it nor the chroma, so it does not count.
    """
    grey = cv2.cvtColor(cut(view.colour, rect, inset), cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = np.abs(grey - cv2.blur(grey, (5, 5))) / (grey + 20.0)
    printed = fine > 0.06
    around = _ring(view, rect)
    tint = np.abs(cut(view.chroma, rect, inset).astype(np.int16) - around).max(axis=2) > CHROMA_THRESHOLD
    return float(np.count_nonzero(printed | tint) / printed.size)


def spills(view: MatView, rect: Rect) -> bool:
    """Tell whether what lies in the slot reaches over its printed frame, on any side."""
    left, top, right, bottom = bounds(rect)
    around = _ring(view, rect)
    strips = (
        np.s_[top - 5 : top - 2, left:right],
        np.s_[bottom + 2 : bottom + 5, left:right],
        np.s_[top:bottom, left - 5 : left - 2],
        np.s_[top:bottom, right + 2 : right + 5],
    )
    for strip in strips:
        tint = np.abs(view.chroma[strip].astype(np.int16) - around).max(axis=2) > CHROMA_THRESHOLD
        detail = np.abs(view.detail[strip].astype(np.int16) - 128) > DETAIL_THRESHOLD
        if np.count_nonzero(tint | detail) > SPILL_SHARE * tint.size:
            return True
    return False


def _ring(view: MatView, rect: Rect) -> NDArray[np.int16]:
    """Return the median chroma of the mat just outside the slot's printed frame."""
    left, top, right, bottom = bounds(rect, inset=-4.0)
    strips = (
        view.chroma[top : top + 3, left:right],
        view.chroma[bottom - 3 : bottom, left:right],
        view.chroma[top:bottom, left : left + 3],
        view.chroma[top:bottom, right - 3 : right],
    )
    ring = np.concatenate([strip.reshape(-1, 2) for strip in strips])
    return np.asarray(np.median(ring, axis=0), np.int16)
