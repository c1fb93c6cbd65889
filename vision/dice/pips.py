"""Counting pips without a network: the upper face compared with every legal layout at every small turn.

Stands beside the reader network as a second opinion: a value is only sure if the pips lie as pips of
that value do.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.marks import LAYOUTS

Picture = NDArray[np.uint8]

PATCH = 28
_SHOWN = 1.0
"""A patch shows so many edges of the face."""
_SPACINGS = (0.2, 0.225, 0.25, 0.275, 0.3)
_RADII = dict.fromkeys(range(2, 7), (0.075, 0.11)) | {1: (0.08, 0.12, 0.17)}
_ANGLES = (-16.0, -8.0, 0.0, 8.0, 16.0)
_SHIFTS = (-1.5, 0.0, 1.5)
_NOTHING = np.zeros((0, 0), np.float32)
_FLAT = 6.0
"""Grey levels of spread below which a face carries no mark."""


def layout_scores(picture: Picture, top: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for 1 to 6 how well the marks in the quadrilateral `top` (4, 2) fit that layout, -1 to 1, shape (6,).

    Marks may be darker or lighter than the face, but all of them alike.
    """
    patches = [_contrast(picture, top + np.array((dx, dy))) for dx in _offsets(top) for dy in _offsets(top)]
    values, templates = _templates()
    spread = [float(patch.std()) for patch in patches]
    if max(spread) < _FLAT:
        return np.full(6, -1.0)
    rows = np.stack(
        [(patch - patch.mean()).ravel() / max(float(np.linalg.norm(patch - patch.mean())), 1e-6) for patch in patches]
    )
    # OpenCV's product stays on this thread; for so small a one, waking others takes longer than it does.
    product = cv2.gemm(rows.astype(np.float32), templates, 1.0, _NOTHING, 0.0, flags=cv2.GEMM_2_T)
    likeness = np.abs(product).max(axis=0)
    return np.array([likeness[values == value].max() for value in range(1, 7)])


def _offsets(top: NDArray[np.float64]) -> tuple[float, ...]:
    edge = float(np.hypot(*(top[1] - top[0])))
    return tuple(shift * edge / PATCH for shift in _SHIFTS)


def _contrast(picture: Picture, top: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the rectified face in one channel: along the colour in which it varies most."""
    own = np.array([(0, 0), (PATCH, 0), (PATCH, PATCH), (0, PATCH)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(top.astype(np.float32), own)
    patch = cv2.warpPerspective(picture, matrix, (PATCH, PATCH), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    pixels = patch.reshape(-1, 3).astype(np.float32)[_disc().ravel()]
    middle = pixels.mean(axis=0)
    _, _, axes = np.linalg.svd(pixels - middle, full_matrices=False)
    channel = (patch.astype(np.float32) - middle) @ axes[0]
    return np.asarray(channel * _disc(), np.float32)


@lru_cache(maxsize=1)
def _disc() -> NDArray[np.bool_]:
    y, x = np.mgrid[0:PATCH, 0:PATCH] - (PATCH - 1) / 2
    return np.asarray(np.maximum(np.abs(x), np.abs(y)) < 0.46 * PATCH)


@lru_cache(maxsize=1)
def _templates() -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    values, rows = [], []
    for value, layout in LAYOUTS.items():
        for spacing in _SPACINGS if value > 1 else (0.25,):
            for radius in _RADII[value]:
                for angle in _ANGLES:
                    for quarter in (0.0, 90.0) if value in (2, 3, 6) else (0.0,):
                        row = _drawn(layout, spacing, radius, angle + quarter)
                        row = (row - row.mean()) * _disc()
                        values.append(value)
                        rows.append(row.ravel() / np.linalg.norm(row))
    return np.array(values), np.stack(rows).astype(np.float32)


def _drawn(layout: tuple[tuple[float, float], ...], spacing: float, radius: float, angle: float) -> NDArray[np.float32]:
    y, x = (np.mgrid[0:PATCH, 0:PATCH] - (PATCH - 1) / 2) / PATCH * _SHOWN
    turn = np.exp(1j * np.radians(angle))
    drawn = np.zeros((PATCH, PATCH))
    for across, down in layout:
        place = complex(across, down) * spacing * turn
        away = np.abs(x + 1j * y - place)
        drawn = np.maximum(drawn, np.clip((radius - away) * PATCH + 0.5, 0, 1))
    return drawn.astype(np.float32)
