"""Which way the arrow on a loose marker points: a token of the owner's, enrolled from one picture of it.

The marker is found as what differs from the empty place, then unrolled about its middle and laid over
the enrolled one at all turns at once; an arrow breaks every symmetry, so one turn fits best. What is
in the way is said so: a place with anything on it that is not the marker counts as hidden.

Frame: degrees clockwise from the mat's top edge, as seen from above. The arrow of a card needs none of
this: it is the card's own turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.mat import Rect
from vision.frame import Picture, check_picture
from vision.plane import Plane, patch_size
from vision.polar import ANGLES, Likeness, likeness, nearest, peak, smoothed, unrolled

PX_PER_MM = 3.0
BETWEEN = 1 / 3
"""An arrow further than this share of a step from the nearest direction lies between two."""

_INNER, _OUTER = 0.05, 0.92
_EDGE, _NEW = 5.0, 1.5
"""An edge rises by so many grey levels a pixel, and is new if it is so many times as steep as what was there."""
_PRINT, _LEFT = 40, 0.4
"""Of a place with so many pixels of printed edges, this share is in sight if nothing lies over it."""
_TINT = 0.32
"""Logarithm by which a lamp changes one colour against another at most; a hand or a sleeve does more."""
_NOTHING, _LEAST_SIZE, _MOST_SIZE = 0.12, 0.65, 2.2
"""Shares of the area of a round marker: less is dust, between the last two it may be the marker, square ones too."""
_FITS, _TWIN = 0.6, 0.12
_APART = 30.0
"""Turns nearer to each other than this are one direction."""
_SHIFTS = ((0.16, 0.08), (0.04, 0.04))
"""How far about the middle it is searched, and in which steps, in shares of the marker's radius."""
_FLOOR = 5.0
"""Contrast in grey levels at which a marker counts half; noise on a bare token stays below."""

ArrowState = Literal["known", "unsure", "hidden", "empty"]


class ArrowError(ValueError):
    """A picture that cannot serve as an enrolled marker; the message is a sentence for the person."""


@dataclass(frozen=True)
class ArrowReading:
    """How a marker lies: `turn` in steps clockwise from the mat's top, `angle` in degrees [0, 360).

    Both are None if no marker is seen. `candidates` are (turn, score), best first: two if it lies
    between two directions. `centre` is its middle in millimetres of the mat, `fit` the correlation
    with the enrolled picture (-1 to 1).
    """

    state: ArrowState
    turn: int | None = None
    angle: float | None = None
    confidence: float = 0.0
    candidates: tuple[tuple[int, float], ...] = ()
    centre: tuple[float, float] | None = None
    fit: float = 0.0


class ArrowMarker:
    """An owner's marker, enrolled with its arrow upwards."""

    def __init__(self, picture: Picture, size_mm: float) -> None:
        """Learn the marker from a square picture of it from edge to edge, its arrow pointing up.

        :param size_mm: its diameter or side in millimetres.

        :raises ArrowError: if the picture is not square, or the marker looks alike when it is turned.
        """
        check_picture(picture)
        height, width = picture.shape[:2]
        if abs(height - width) > 2:
            raise ArrowError(
                f"a square picture of the marker from edge to edge was expected, found {width} x {height}; cut it out "
                f"again"
            )
        self.size_mm = size_mm
        self._side = round(size_mm * PX_PER_MM)
        self._area = np.pi / 4 * self._side**2
        view = np.asarray(cv2.resize(picture, (self._side, self._side), interpolation=cv2.INTER_AREA), np.uint8)
        self._rows = _weighted(unrolled(smoothed(view), _INNER, _OUTER))
        twin = self._twin()
        if twin is not None:
            raise ArrowError(
                f"the marker looks alike when it is turned by {twin:.0f} degrees: make the arrow's head larger or "
                f"darker and photograph it again"
            )

    def read_on_mat(self, picture: Picture, empty: Picture, plane: Plane, rect: Rect, steps: int = 4) -> ArrowReading:
        """Read the marker that lies anywhere in `rect` of a mat.

        :param picture: the camera's picture, in which the mat lies as `plane` says.
        :param empty: the place without the marker, as `see_place` returned it.
        :param steps: among how many directions the arrow chooses, the first towards the mat's top.
        """
        return self.read(see_place(picture, plane, rect), empty, rect, steps)

    def read(self, view: Picture, empty: Picture, rect: Rect, steps: int = 4) -> ArrowReading:
        """Read the marker in what `see_place` returned, `empty` being the same place without it."""
        if _is_covered(view, empty):
            return ArrowReading("hidden")
        things = _things(_changed(view, empty), _NOTHING * self._area)
        if not things:
            return ArrowReading("empty")
        if len(things) > 1 or not _LEAST_SIZE < cv2.contourArea(things[0]) / self._area < _MOST_SIZE:
            return ArrowReading("hidden")
        moments = cv2.moments(things[0])
        place = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
        fits, (x, y) = self._fit(view, place)
        best, angle = float(fits.max()), peak(fits) % 360.0
        if best < _FITS:
            return ArrowReading("hidden", fit=best)
        centre = (rect.x + (x + 0.5) / PX_PER_MM, rect.y + (y + 0.5) / PX_PER_MM)
        return _judged(fits, angle, best, steps, centre)

    def _fit(self, view: Picture, place: tuple[float, float]) -> tuple[Likeness, tuple[float, float]]:
        """Return the likeness at each turn where the marker fits best, and its middle in pixels of the view."""
        cut = cv2.getRectSubPix(view, (2 * self._side, 2 * self._side), place)
        lab = smoothed(np.asarray(cut, np.uint8))
        at = (0.0, 0.0)
        best = np.full(ANGLES, -1.0)
        for reach, step in _SHIFTS:
            steps = np.arange(-reach, reach + step / 2, step)
            middle = at
            for dx in steps:
                for dy in steps:
                    shift = (middle[0] + float(dx), middle[1] + float(dy))
                    # The cut is twice as wide as the marker, so all shares of its half side are halved.
                    rows = unrolled(lab, _INNER / 2, _OUTER / 2, (shift[0] / 2, shift[1] / 2))
                    fits = likeness(_weighted(rows), self._rows)
                    if fits.max() > best.max():
                        best, at = fits, shift
        return best, (place[0] + at[0] * self._side / 2, place[1] + at[1] * self._side / 2)

    def _twin(self) -> float | None:
        """Return the turn at which the enrolled marker looks like itself, if there is one."""
        fits = likeness(self._rows, self._rows)
        other = _elsewhere(fits, 0.0)
        return None if fits[other] < fits.max() - _TWIN else other * 360.0 / ANGLES


def see_place(picture: Picture, plane: Plane, rect: Rect) -> Picture:
    """Return a place of the mat seen squarely at `PX_PER_MM`."""
    matrix = plane.warp(rect, PX_PER_MM)
    view = cv2.warpPerspective(picture, matrix, patch_size(rect, PX_PER_MM), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8)


def _weighted(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Free rows from what is the same all round and bring them to length 1, each radius by the area it stands for."""
    away = rows.astype(np.float64) - rows.mean(axis=1, keepdims=True)
    radii = np.linspace(_INNER, _OUTER, len(rows) // 3)
    away *= np.sqrt(np.tile(radii / radii.mean(), 3))[:, None]
    return np.asarray(away / np.hypot(np.linalg.norm(away), _FLOOR * np.sqrt(away.size / 3)))


def _edges(view: Picture) -> NDArray[np.float32]:
    """Return how steep a place is, in grey levels a pixel of the channel that rises most."""
    soft = cv2.GaussianBlur(view, (0, 0), 1.2).astype(np.float32)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3) / 8 for way in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt(across**2 + down**2).max(axis=2), np.float32)


def _changed(view: Picture, empty: Picture) -> NDArray[np.uint8]:
    """Return 1 on edges that the empty place has not; light, glare and soft shadows have none."""
    before = cv2.dilate(_edges(empty), np.ones((7, 7), np.uint8))
    seen = _edges(view)
    mask = ((seen > _EDGE) & (seen > _NEW * before)).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)


def _is_covered(view: Picture, empty: Picture) -> bool:
    """Tell whether something so large lies over the place that its edges are out of sight."""
    printed = _edges(empty) > 2 * _EDGE
    if printed.sum() > _PRINT:
        seen = cv2.dilate(_edges(view), np.ones((7, 7), np.uint8)) > _EDGE
        if seen[printed].mean() < _LEFT:
            return True
    gain = np.log(np.median((view.astype(np.float32) + 1) / (empty.astype(np.float32) + 1), axis=(0, 1)))
    return float(np.ptp(gain)) > _TINT


def _things(mask: NDArray[np.uint8], least: float) -> list[NDArray[np.int32]]:
    """Return the hulls of what lies in a place, as far as they are no smaller than `least` pixels.

    A marker may have the mat's colour in places: what belongs together is what its hull holds.
    """
    near = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (15, 15)))
    outlines, _ = cv2.findContours(near, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hulls = [np.asarray(cv2.convexHull(outline), np.int32) for outline in outlines]
    return [hull for hull in hulls if cv2.contourArea(hull) > least]


def _elsewhere(fits: Likeness, angle: float) -> int:
    """Return the step of the best turn that is another direction than `angle`."""
    off = np.abs((np.arange(ANGLES) * 360.0 / ANGLES - angle + 180.0) % 360.0 - 180.0)
    return int(np.argmax(np.where(off > _APART, fits, -np.inf)))


def _judged(fits: Likeness, angle: float, best: float, steps: int, centre: tuple[float, float]) -> ArrowReading:
    turn, off = nearest(angle, steps)
    share = abs(off) * steps / 360.0
    if share > BETWEEN:
        other = (turn + (1 if off > 0 else -1)) % steps
        return ArrowReading("unsure", turn, angle, 0.5, ((turn, 1 - share), (other, share)), centre, best)
    at = _elsewhere(fits, angle)
    rival, score = nearest(at * 360.0 / ANGLES, steps)[0], float(fits[at])
    if score > best - _TWIN:
        return ArrowReading("unsure", turn, angle, 0.5, ((turn, best), (rival, score)), centre, best)
    confidence = float(np.clip(best * (0.7 + best - score), 0.0, 0.99))
    return ArrowReading("known", turn, angle, confidence, ((turn, best),), centre, best)
