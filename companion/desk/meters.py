"""How good the camera's picture is, measured on the mat and said in words with what to do."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.presenters.models import MeterModel
from companion.table.mat import Mat, Rect
from vision.frame import Picture
from vision.patch import Verdict
from vision.plane import Plane

DARK, DIM, BRIGHT = 45.0, 75.0, 235.0
"""Mean brightness of the mat, of 255."""
SHARP, SOFT = 0.22, 0.15
"""Steepest step of the print in one pixel, as a share of the paper's brightness: 0.45 for a perfect
edge, 0.22 and 0.15 for one that is blurred by 1.6 and 3 pixels (standard deviation)."""
LARGE, SMALL = 1.6, 1.1
"""Pixels per millimetre: a card of 63 mm then is 100 pixels wide, or 70."""
BURNT = 250
GLARE, MUCH_GLARE = 0.01, 0.04
"""Share of the mat in which nothing can be read because it mirrors the lamp."""
SINCE_LOCKED: dict[Verdict, tuple[str, str]] = {
    "drifted": ("changed", "cards are read all the same; close the curtain or leave the lamp as it is"),
    "covered": ("patch covered", "take away what lies on the grey patch, by which the light is watched"),
    "unusable": ("changing", "wait a moment, the camera finds its exposure anew"),
}
"""Word and hint for what the grey patch tells."""


class Measured(NamedTuple):
    """What was measured on one picture; see the limits above for the units.

    Of a board of discs nobody knows how crisp its art is, so that its sharpness is None.
    """

    light: float
    sharpness: float | None
    size: float
    glare: float


def measure(picture: Picture, plane: Plane, mat: Mat) -> Measured:
    """Measure a BGR picture in which the mat lies as `plane` says."""
    flat = plane.rectify(picture, Rect(0.0, 0.0, mat.width, mat.height), 1.0)
    burnt = float(np.mean(flat.min(axis=2) >= BURNT))
    sharpness = None if mat.discs else _sharpness(picture, plane, mat)
    return Measured(float(np.mean(flat)), sharpness, plane.px_per_mm(mat), burnt)


def _sharpness(picture: Picture, plane: Plane, mat: Mat) -> float:
    """Return the steepest edge of the printed markers; of the whole mat if they are not in use."""
    rects = [marker.rect for marker in mat.markers if marker.id in plane.markers]
    found = [_steepest(_around(picture, plane, rect)) for rect in rects or [Rect(0.0, 0.0, mat.width, mat.height)]]
    return float(np.median(found))


def _around(picture: Picture, plane: Plane, rect: Rect) -> NDArray[np.uint8]:
    corners = plane.to_picture(rect.corners)
    (left, top), (right, bottom) = np.floor(corners.min(axis=0) - 3), np.ceil(corners.max(axis=0) + 3)
    height, width = picture.shape[:2]
    cut = picture[
        int(np.clip(top, 0, height - 2)) : int(np.clip(bottom, 2, height)),
        int(np.clip(left, 0, width - 2)) : int(np.clip(right, 2, width)),
    ]
    return np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY), np.uint8)


def _steepest(grey: NDArray[np.uint8]) -> float:
    values = cv2.GaussianBlur(grey, (3, 3), 0.5).astype(np.float32)
    paper = max(1.0, float(np.percentile(values, 95)))
    down, across = np.gradient(values)
    return float(np.percentile(np.hypot(down, across), 98)) / paper


def present_meters(
    measured: Measured, bumps: int, certain: bool, patch: Verdict = "as before"
) -> tuple[MeterModel, ...]:
    """Say what was measured in words.

    :param bumps: how often the camera or the mat was moved since the corners were found
    :param certain: whether the mat lies where it was found
    :param patch: what the grey patch tells of the light since the camera's exposure was locked
    """
    return (
        _light(measured.light, patch),
        *_sharp(measured.sharpness),
        _graded("Size", measured.size, LARGE, SMALL, ("large enough", "small", "too small"), "bring the camera closer"),
        _graded("Glare", -measured.glare, -GLARE, -MUCH_GLARE, ("none", "some", "much"), "move the lamp to the side"),
        _moved(bumps, certain),
    )


def _light(light: float, patch: Verdict) -> MeterModel:
    if light > BRIGHT:
        return MeterModel("Light", "too bright", "unsure", "dim the lamp or turn it away")
    if light < DIM or patch == "as before":
        return _graded("Light", light, DIM, DARK, ("good", "dim", "too dark"), "switch on a lamp")
    word, hint = SINCE_LOCKED[patch]
    return MeterModel("Light", word, "unsure", hint)


def _sharp(sharpness: float | None) -> tuple[MeterModel, ...]:
    if sharpness is None:
        return ()
    words, hint = ("sharp", "soft", "blurred"), "focus the lens, wipe it clean"
    return (_graded("Sharpness", sharpness, SHARP, SOFT, words, hint),)


def _graded(name: str, value: float, good: float, fair: float, words: tuple[str, str, str], hint: str) -> MeterModel:
    if value >= good:
        return MeterModel(name, words[0], "ok")
    if value >= fair:
        return MeterModel(name, words[1], "unsure", hint)
    return MeterModel(name, words[2], "failed", hint)


def _moved(bumps: int, certain: bool) -> MeterModel:
    if not certain:
        return MeterModel("Camera", "moving", "unsure", "let it rest, then look again")
    if bumps:
        times = "once" if bumps == 1 else f"{bumps} times"
        return MeterModel("Camera", f"moved {times}", "unsure", "fasten it; the mat was found again")
    return MeterModel("Camera", "still", "ok")
