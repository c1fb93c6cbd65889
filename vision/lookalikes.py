"""Which faces of a deck could be taken for one another, found when the deck is enrolled.

A person who enrols a deck should hear about twins then, not in the middle of a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

_HALF = 96
_SIMILAR = 0.7
"""Correlation of two thumbnails from which a pair is worth a closer look."""

_EQUAL = 2e-3
_TWINS = 0.05
_TWIN_COLOUR = 6.0
_PLACE = 15
"""Side in pixels (of 96) of the window in which two faces are compared: about a printed digit."""


@dataclass(frozen=True)
class LookAlike:
    """Two faces that differ in a small place only.

    `turn`: quarter turns clockwise by which `second` is turned to look like `first`. `box`: where
    they differ most, (left, top, right, bottom) as shares of the face of `first`. `difference`:
    mean square of the difference of the two textures there; `twins`: below what a camera shows.
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
    pairs: list[LookAlike] = []
    symmetric: list[Symmetry] = []
    for turn in range(4):
        turned = np.rot90(thumbs.reshape(-1, side, side), -turn, axes=(1, 2)).reshape(len(thumbs), -1)
        alike = thumbs @ turned.T
        for first, second in zip(*np.nonzero(alike > _SIMILAR), strict=True):
            if turn % 2 and not (square[first] and square[second]):
                continue
            if first == second and turn in (1, 2):
                found = _difference(fine, colours, first, second, turn)
                if found.difference < 4 * _TWINS:
                    degrees: Literal[90, 180] = 90 if turn == 1 else 180
                    symmetric.append(Symmetry(labels[first], degrees, found.difference, found.twins))
            elif first < second:
                found = _difference(fine, colours, first, second, turn)
                if alike[first, second] > 0.85 or found.twins:
                    pairs.append(
                        LookAlike(
                            labels[first], labels[second], turn, found.difference, found.box, found.twins, found.equal
                        )
                    )
    pairs.sort(key=lambda pair: (pair.difference, pair.first, pair.second))
    return tuple(pairs), tuple(symmetric)


@dataclass(frozen=True)
class _Difference:
    difference: float
    box: tuple[float, float, float, float]
    twins: bool
    equal: bool


def _difference(fine: NDArray[np.int8], colours: NDArray[np.uint8], first: int, second: int, turn: int) -> _Difference:
    one = _small(fine[first])
    other = np.ascontiguousarray(np.rot90(_small(fine[second]), -turn))
    here = cv2.boxFilter(cv2.GaussianBlur((one - other), (0, 0), 1.0) ** 2, -1, (_PLACE, _PLACE))
    peak = float(here.max())
    row, column = np.unravel_index(int(here.argmax()), here.shape)
    tint = colours[first].astype(np.float32) - np.rot90(colours[second], -turn).astype(np.float32)
    # Colour is compared by hue only: brightness already went into the texture.
    hue = float(np.abs(cv2.boxFilter(np.ascontiguousarray(tint[:, :, 1:]), -1, (7, 7))).max())
    if hue > _TWIN_COLOUR and peak < _TWINS:
        row, column = np.array(np.unravel_index(int(np.abs(tint[:, :, 1:]).sum(axis=2).argmax()), tint.shape[:2])) * 2
    half = _PLACE / 2
    box = tuple(float(np.clip(v / _HALF, 0.0, 1.0)) for v in (column - half, row - half, column + half, row + half))
    return _Difference(
        peak,
        (box[0], box[1], box[2], box[3]),
        twins=peak < _TWINS and hue < _TWIN_COLOUR,
        equal=peak < _EQUAL and hue < 1.0,
    )


def _small(fine: NDArray[np.int8]) -> NDArray[np.float32]:
    return np.asarray(cv2.resize(fine.astype(np.float32) / 32, (_HALF, _HALF), interpolation=cv2.INTER_AREA))
