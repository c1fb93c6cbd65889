"""The colour of a die in a word."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_HUES = (
    (12.0, "red"),
    (40.0, "orange"),
    (66.0, "yellow"),
    (80.0, "green-yellow"),
    (160.0, "green"),
    (194.0, "teal"),
    (255.0, "blue"),
    (300.0, "purple"),
    (343.0, "pink"),
    (360.1, "red"),
)
"""Upper end of each range of hues in degrees."""


def body_colour(face: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the most common colour, BGR, of a rectified face (n, n, 3): its body, not its marks or glare."""
    pixels = face.reshape(-1, 3)
    lab = cv2.cvtColor(face, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float32)
    keys = (lab // 16).astype(np.int64) @ (1, 16, 256)
    kinds, where, counts = np.unique(keys, return_inverse=True, return_counts=True)
    # A body falls into a few neighbouring cells: the best cell is widened by a fixed radius.
    middle = lab[where == int(np.argmax(counts[: len(kinds)]))].mean(axis=0)
    near = np.linalg.norm(lab - middle, axis=1) < 22
    return np.asarray(np.median(pixels[near], axis=0), np.float64)


def colour_name(bgr: NDArray[np.float64]) -> str:
    """Return the word for a colour."""
    blue, green, red = (float(v) for v in bgr)
    hsv = cv2.cvtColor(np.array([[[blue, green, red]]], np.float32) / 255, cv2.COLOR_BGR2HSV)[0, 0]
    hue, saturation, value = (float(v) for v in hsv)
    if value < 0.22 or (value < 0.35 and saturation < 0.35):
        return "black"
    if saturation < 0.27:
        return "white" if value > 0.5 else "grey"
    name = next(name for end, name in _HUES if hue < end)
    if name in ("orange", "red") and value < 0.5 and saturation < 0.75:
        return "brown"
    return name
