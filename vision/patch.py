"""The grey patch of the mat: whether it is the light that has changed, or something on the table.

The patch and the white paper around it are lit alike. When both change together, the light (or the
camera) has changed; when only one does, something lies over it. A camera whose exposure was locked
must find it anew only when the paper is blown out or lost in the dark.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from companion.table.mat import Mat, Rect
from vision.frame import Picture
from vision.plane import Plane

Verdict = Literal["as before", "drifted", "covered", "unusable"]
"""drifted: the light has changed, cards can be read all the same; unusable: exposure must be found anew."""

INSET_MM, BESIDE_MM = 4.0, 5.0
COVERED = 0.25
"""The patch is another share of the paper than it was, by this share: something lies over one of them."""
DRIFTED = 0.15
BLOWN, LOST = 252.0, 55.0
"""Brightness of the paper, of 255, beyond which print on it cannot be read."""


class PatchLook(NamedTuple):
    """Brightness of the grey patch and of the paper beside it, 0 to 255, and blue over red of the paper."""

    patch: float
    paper: float
    warmth: float


def look_at_patch(mat: Mat, plane: Plane, picture: Picture) -> PatchLook:
    """Measure the patch in a picture in which the mat lies as `plane` says."""
    rect = mat.patch
    inside = _median(plane, picture, Rect(rect.x + INSET_MM, rect.y + INSET_MM, *_less(rect, INSET_MM)))
    left = Rect(rect.x - BESIDE_MM, rect.y, BESIDE_MM - 1.5, rect.height)
    right = Rect(rect.x + rect.width + 1.5, rect.y, BESIDE_MM - 1.5, rect.height)
    paper = np.maximum(_median(plane, picture, left), _median(plane, picture, right))
    return PatchLook(float(inside.mean()), float(paper.mean()), float((paper[0] + 1.0) / (paper[2] + 1.0)))


def _less(rect: Rect, inset: float) -> tuple[float, float]:
    return rect.width - 2 * inset, rect.height - 2 * inset


def _median(plane: Plane, picture: Picture, rect: Rect) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray(np.median(plane.rectify(picture, rect, 1.5).reshape(-1, 3), axis=0), np.float64)


class LightWatch:
    """Compares the patch with how it looked when the light was locked."""

    def __init__(self) -> None:
        self.reference: PatchLook | None = None

    def judge(self, now: PatchLook) -> Verdict:
        """Say what has become of the light; the first look is the reference.

        A first look at a patch that is blown out or in the dark is no reference.
        """
        if now.paper >= BLOWN or now.paper < LOST:
            return "covered" if self._is_covered(now) else "unusable"
        if self.reference is None:
            self.reference = now
            return "as before"
        if self._is_covered(now):
            return "covered"
        before = self.reference
        brighter, warmer = abs(now.paper / before.paper - 1.0), abs(now.warmth / before.warmth - 1.0)
        return "drifted" if max(brighter, warmer) > DRIFTED else "as before"

    def _is_covered(self, now: PatchLook) -> bool:
        """Tell whether patch and paper have changed apart; where all is white or black, nothing can be told."""
        if self.reference is None or now.patch >= BLOWN or now.paper < 12.0 or now.paper >= BLOWN:
            return False
        before = self.reference.patch / self.reference.paper
        return abs((now.patch / now.paper) / before - 1.0) > COVERED
