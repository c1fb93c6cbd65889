"""Small pieces of a picture by which a plane is followed, and found again when the camera was moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.frame import Picture

Points = NDArray[np.float64]

REACH_PX = 9
"""So far an anchor is looked for in every picture."""

FAR_PX = 110
"""So far it is looked for once it was lost: somebody has knocked against the camera, or set it up anew."""

LIKE = 0.75
"""Normalised correlation from which an anchor is taken to be in view and itself."""

FEWEST = 3
"""Anchors that must be found again, all in one movement, to say how the camera was moved."""

TOGETHER_PX = 2.0
"""By how much an anchor may lie off the movement of all."""

USUAL_FOCAL = 0.8
"""The focal length of a table's camera, in widths of its picture: a view of 64 degrees. It need not be exact."""


@dataclass(frozen=True, eq=False)
class Anchor:
    """A landmark: its grey template, the template's top left pixel, and the pixel of the landmark itself."""

    template: NDArray[np.uint8]
    corner: tuple[int, int]
    at: tuple[float, float]


def cut_anchors(picture: Picture, points: ArrayLike, half: int) -> tuple[Anchor, ...]:
    """Return the anchors of landmarks at pixels (n, 2); those that lie outside the picture have none.

    `half` is the half side of a template in pixels.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    anchors = []
    for x, y in np.asarray(points, np.float64).reshape(-1, 2):
        left, top = round(x) - half, round(y) - half
        template = grey[max(top, 0) : top + 2 * half + 1, max(left, 0) : left + 2 * half + 1]
        if min(template.shape) > half:
            corner = (max(left, 0), max(top, 0))
            anchors.append(Anchor(np.asarray(template, np.uint8).copy(), corner, (float(x), float(y))))
    return tuple(anchors)


def shifts(anchors: Sequence[Anchor], picture: Picture) -> Points:
    """Return how far each anchor that is in view has moved by less than `REACH_PX`, (n, 2) pixels."""
    found = [_shift(anchor, picture, REACH_PX) for anchor in anchors]
    return np.array([shift for shift in found if shift is not None], np.float64).reshape(-1, 2)


def found_again(anchors: Sequence[Anchor], picture: Picture, points: ArrayLike) -> Points | None:
    """Return where landmarks at pixels (n, 2) are after the camera was moved; None if that cannot be told.

    At least three anchors must be seen again, and their places must come of one movement: the camera was turned or
    shifted, and is a little nearer or farther. Landmarks whose anchor is hidden move along with the others.
    """
    seen = [(anchor.at, shift) for anchor in anchors if (shift := _shift(anchor, picture, FAR_PX)) is not None]
    focal, middle = USUAL_FOCAL * picture.shape[1], np.array([picture.shape[1], picture.shape[0]]) / 2
    at = (np.array([place for place, _ in seen]).reshape(-1, 2) - middle) / focal
    by = np.array([shift for _, shift in seen]).reshape(-1, 2) / focal
    everyone = list(range(len(seen)))
    for left_out in (None, *everyone):
        rows = [row for row in everyone if row != left_out]
        if len(rows) < FEWEST:
            break
        for field in (_turned, _shifted, _turned_and_shifted)[: 3 if len(rows) > FEWEST else 2]:
            movement, *_ = np.linalg.lstsq(field(at[rows]), by[rows].ravel(), rcond=None)
            off = (field(at[rows]) @ movement).reshape(-1, 2) - by[rows]
            if np.hypot(*off.T).max() * focal < TOGETHER_PX:
                places = np.asarray(points, np.float64).reshape(-1, 2)
                shifted = (field((places - middle) / focal) @ movement).reshape(-1, 2) * focal
                for row in rows:  # what was seen itself is known better than what all have done together
                    shifted[np.hypot(*(places - seen[row][0]).T) < 1.0] = seen[row][1]
                return np.asarray(places + shifted, np.float64)
    return None


def _turned(at: Points) -> Points:
    """Return how points move (two rows for each) when the camera pans, tilts, rolls, or comes nearer: four columns.

    All in units of the focal length; angles are small (the motion field of a rotation: Longuet-Higgins and
    Prazdny, Proc. R. Soc. B, 1980).
    """
    x, y = at.T
    across = np.column_stack([1 + x * x, x * y, -y, x])
    down = np.column_stack([x * y, 1 + y * y, x, y])
    return np.stack([across, down], axis=1).reshape(-1, 4)


def _shifted(at: Points) -> Points:
    """Return the same for a camera that was shifted along the table."""
    x, y = at.T
    one, none = np.ones_like(x), np.zeros_like(x)
    across, down = np.column_stack([one, none, -y, x]), np.column_stack([none, one, x, y])
    return np.stack([across, down], axis=1).reshape(-1, 4)


def _turned_and_shifted(at: Points) -> Points:
    return np.asarray(np.hstack([_turned(at), _shifted(at)[:, :2]]), np.float64)


def _shift(anchor: Anchor, picture: Picture, reach: int) -> tuple[float, float] | None:
    """Return how far an anchor has moved, None if nothing within `reach` looks like it."""
    height, width = picture.shape[:2]
    (left, top), (tall, wide) = anchor.corner, anchor.template.shape
    x0, y0 = max(left - reach, 0), max(top - reach, 0)
    window = picture[y0 : min(top + tall + reach, height), x0 : min(left + wide + reach, width)]
    if window.shape[0] < tall or window.shape[1] < wide:
        return None
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)
    likeness = np.asarray(cv2.matchTemplate(grey, anchor.template, cv2.TM_CCOEFF_NORMED), np.float32)
    _, best, _, (x, y) = cv2.minMaxLoc(likeness)
    on_edge = not (0 < x < likeness.shape[1] - 1 and 0 < y < likeness.shape[0] - 1)
    if best < LIKE or (on_edge and reach > REACH_PX):
        return None  # at the edge of what was looked at the best place need not be the true one
    dx, dy = _peak(likeness, x, y)
    return x0 + x + dx - left, y0 + y + dy - top


def _peak(likeness: NDArray[np.float32], x: int, y: int) -> tuple[float, float]:
    """Refine a maximum by a parabola through its neighbours, in pixels."""

    def vertex(before: float, at: float, after: float) -> float:
        bend = before - 2 * at + after
        return 0.0 if bend >= 0 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))

    height, width = likeness.shape
    across = vertex(*map(float, likeness[y, x - 1 : x + 2])) if 0 < x < width - 1 else 0.0
    down = vertex(*map(float, likeness[y - 1 : y + 2, x])) if 0 < y < height - 1 else 0.0
    return across, down
