"""Pictures of cards and glyphs as the screen draws them, and where on them what stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.desk.enrol_values import Printing
from companion.presenters.enrol import PictureModel, ValueMark
from companion.presenters.models import OverlayModel, Point
from vision.enrol.cut import Cut
from vision.enrol.layout import Layout, Place, cut_place

Picture = NDArray[np.uint8]
GAP = 12
_AROUND = 0.06
"""How much of the card is shown round a glyph, as a share of the card."""


def as_model(picture: Picture | Sequence[Picture], longest: int) -> PictureModel:
    """Return a BGR picture, or several beside each other, not larger than `longest` pixels each."""
    shown = [picture] if isinstance(picture, np.ndarray) else list(picture)
    small = [_shrunk(each, longest) for each in shown]
    high = max(each.shape[0] for each in small)
    parts: list[Picture] = []
    for each in small:
        filled = np.zeros((high, each.shape[1] + (GAP if parts else 0), 4), np.uint8)
        filled[: each.shape[0], -each.shape[1] :] = cv2.cvtColor(each, cv2.COLOR_BGR2RGBA)
        parts.append(filled)
    rgba = np.ascontiguousarray(np.hstack(parts))
    return PictureModel(rgba.shape[1], rgba.shape[0], rgba.tobytes())


def _shrunk(picture: Picture, longest: int) -> Picture:
    scale = longest / max(picture.shape[:2])
    if scale >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def cut_out(face: Picture, place: Place, longest: int) -> PictureModel:
    """Return what a card shows in a place and a little round it, upright."""
    high, wide = (place.height, place.width) if place.turn % 2 == 0 else (place.width, place.height)
    scale = longest / (max(high, wide) + 2 * _AROUND)
    size = (round((wide + 2 * _AROUND) * scale), round((high + 2 * _AROUND) * scale))
    return as_model(cut_place(face, place, size, around=_AROUND), longest)


def outlines(cuts: Sequence[Cut], size: tuple[int, int]) -> tuple[OverlayModel, ...]:
    """Return the outlines of the cards found in a photograph of `size` (width, height)."""
    shares = [cut.corners / np.array(size) for cut in cuts]
    return tuple(OverlayModel(str(number), _four(corners), str(number + 1)) for number, corners in enumerate(shares))


def _four(corners: NDArray[np.float64]) -> tuple[Point, Point, Point, Point]:
    first, second, third, fourth = ((float(x), float(y)) for x, y in corners)
    return first, second, third, fourth


def drawn_marks(layout: Layout, shown: Printing, confirmed: Mapping[str, object]) -> tuple[ValueMark, ...]:
    """Return numbers and marks to be drawn where they are printed; `confirmed` fields were looked at already."""
    marks: list[ValueMark] = []
    for printed in layout.printed:
        values = shown[printed.field]
        said = printed.field in confirmed
        if printed.reads == "numbers":
            marks += [ValueMark(v, p.x, p.y, said) for v, p in zip(values, printed.places, strict=False)]
        elif printed.reads in ("marks", "row"):
            place = printed.places[0]
            for number, value in enumerate(values):
                across = (1.5 if printed.reads == "marks" else 0.9) * ((number + 0.5) / len(values) - 0.5)
                marks.append(ValueMark(_short(value), place.x + across * place.width, place.y, said))
    return tuple(marks)


def _short(value: str) -> str:
    return value.replace("-", "\u2212")
