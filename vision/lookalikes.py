"""Which faces of a deck could be taken for one another, found when the deck is enrolled.

A person who enrols a deck should hear about twins then, not in the middle of a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.prints import INDISTINCT, Print, correlation, difference
from vision.texture import FINE

_SIMILAR = 0.7
"""Correlation of two thumbnails from which a pair is worth a closer look."""

_LOOK_ALIKE = 0.9
_NEARLY_SYMMETRIC = 0.8
_EQUAL_PRINT, _EQUAL_COLOUR, _SPOT = 3.5, 13.0, 9
"""Steps by which two enrolled pictures of one scan may differ on average over a spot (pixels a side): one that
was saved again as JPEG does by 3 and 12, two cards that differ in a digit by 30."""

_PLACE = 15
"""Side in pixels (of 96) of the window that is named as the place of a difference: a printed digit."""


@dataclass(frozen=True)
class LookAlike:
    """Two faces that differ in a small place only.

    `turn`: quarter turns clockwise by which `second` is turned to look like `first`. `box`: where
    they differ most, (left, top, right, bottom) as shares of the face of `first`. `difference`: sum
    of squares of the difference of the two prints; `twins`: less than what a camera shows; `equal`:
    the very same picture, perhaps saved again.
    """

    first: str
    second: str
    turn: int
    difference: float
    box: tuple[float, float, float, float]
    twins: bool
    equal: bool


@dataclass(frozen=True)
class Symmetry:
    """A face that looks (nearly) the same when turned by `degrees`; `exact` if nothing tells."""

    label: str
    degrees: Literal[90, 180]
    difference: float
    exact: bool


def compare_faces(
    labels: tuple[str, ...],
    sizes: NDArray[np.int32],
    fine: NDArray[np.int8],
    thumbs: NDArray[np.float32],
    colours: NDArray[np.uint8],
) -> tuple[tuple[LookAlike, ...], tuple[Symmetry, ...]]:
    """Return the look-alike pairs (most alike first) and the symmetric faces of a deck."""
    side = round(thumbs.shape[1] ** 0.5)
    square = np.abs(np.log(sizes[:, 0] / sizes[:, 1])) < 0.06
    everywhere = np.ones((FINE, FINE), np.float32)
    pairs: list[LookAlike] = []
    symmetric: list[Symmetry] = []
    for turn in range(4):
        turned = np.rot90(thumbs.reshape(-1, side, side), -turn, axes=(1, 2)).reshape(len(thumbs), -1)
        alike = thumbs @ turned.T
        for first, second in np.argwhere(alike > _SIMILAR).tolist():
            if turn % 2 and not (square[first] and square[second]):
                continue
            if first > second or (first == second and turn not in (1, 2)):
                continue
            one = Print.of_face(fine[first], colours[first])
            other = Print.of_face(fine[second], colours[second], turn)
            likeness = correlation(one.texture, other.texture, everywhere)
            if likeness < (_NEARLY_SYMMETRIC if first == second else _LOOK_ALIKE):
                continue
            apart, where = difference(one, other)
            if first == second:
                degrees: Literal[90, 180] = 90 if turn == 1 else 180
                symmetric.append(Symmetry(labels[first], degrees, apart, apart < INDISTINCT))
            else:
                equal = turn == 0 and (
                    _furthest(fine[first], fine[second]) < _EQUAL_PRINT
                    and _furthest(colours[first], colours[second]) < _EQUAL_COLOUR
                )
                pairs.append(
                    LookAlike(labels[first], labels[second], turn, apart, _place(where), apart < INDISTINCT, equal)
                )
    pairs.sort(key=lambda pair: (pair.difference, pair.first, pair.second))
    return tuple(pairs), tuple(symmetric)


def _furthest(one: NDArray[np.int8] | NDArray[np.uint8], other: NDArray[np.int8] | NDArray[np.uint8]) -> float:
    apart = np.abs(one.astype(np.float32) - other.astype(np.float32))
    return float(cv2.blur(apart.reshape(*apart.shape[:2], -1).sum(axis=2), (_SPOT, _SPOT)).max())


def _place(where: NDArray[np.float32]) -> tuple[float, float, float, float]:
    around = np.asarray(cv2.boxFilter(where, -1, (_PLACE, _PLACE)))
    row, column = (int(v) for v in np.unravel_index(int(around.argmax()), around.shape))
    side, half = where.shape[0], _PLACE / 2
    left, top, right, bottom = (
        min(1.0, max(0.0, v / side)) for v in (column - half, row - half, column + half, row + half)
    )
    return left, top, right, bottom
