"""Reading pips without a network, beside ours so that it can be seen what the networks add.

Round blobs, near ones together, as usual; a group counts as known if its blobs lie as pips do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.marks import LAYOUTS

_LONG_SIDE = 960
_OFF = 0.12
"""Distances between pips may be off by this share of their mean."""


@dataclass(frozen=True)
class Counted:
    """A group of blobs: how many, where their middle is, in pixels, and whether they lie as pips do."""

    value: str
    centre: tuple[float, float]
    legal: bool


def count_blobs(picture: NDArray[np.uint8]) -> list[Counted]:
    """Return groups of dark or light round blobs in a BGR photograph; its scale is not known to it either."""
    scale = min(1.0, _LONG_SIDE / max(picture.shape[:2]))
    grey = cv2.cvtColor(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    found = [key for colour in (0, 255) for key in _detector(colour).detect(grey)]
    groups: list[list[cv2.KeyPoint]] = []
    for key in sorted(found, key=lambda k: -k.size):
        near = [g for g in groups if any(_belong(key, other) for other in g)]
        merged = [key, *(other for group in near for other in group)]
        groups = [g for g in groups if g not in near] + [merged]
    return [Counted(str(len(group)), _middle(group, scale), _legal(group)) for group in groups if len(group) <= 6]


def _detector(colour: int) -> cv2.SimpleBlobDetector:
    wanted = cv2.SimpleBlobDetector.Params()
    wanted.filterByArea, wanted.minArea, wanted.maxArea = True, 12, 900
    wanted.filterByCircularity, wanted.minCircularity = True, 0.7
    wanted.filterByInertia, wanted.minInertiaRatio = True, 0.5
    wanted.filterByConvexity, wanted.minConvexity = True, 0.8
    wanted.filterByColor, wanted.blobColor = True, colour
    return cv2.SimpleBlobDetector.create(wanted)


def _belong(one: cv2.KeyPoint, other: cv2.KeyPoint) -> bool:
    apart = float(np.hypot(one.pt[0] - other.pt[0], one.pt[1] - other.pt[1]))
    sizes = sorted((one.size, other.size))
    return apart < 3.6 * sizes[1] and sizes[1] < 1.6 * sizes[0]


def _middle(group: list[cv2.KeyPoint], scale: float) -> tuple[float, float]:
    x, y = np.mean([key.pt for key in group], axis=0) / scale
    return float(x), float(y)


def _legal(group: list[cv2.KeyPoint]) -> bool:
    own, wanted = _distances([key.pt for key in group]), _distances(LAYOUTS[len(group)])
    return bool(np.abs(own - wanted).max(initial=0.0) < _OFF)


def _distances(places: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Return the distances between all places, sorted, in their mean: the same at any turn and size."""
    points = np.array(places, np.float64)
    apart = np.sort(np.hypot(*(points[:, None] - points).T)[np.triu_indices(len(points), 1)])
    return np.asarray(apart / max(float(apart.mean()), 1e-6) if len(apart) else apart)
