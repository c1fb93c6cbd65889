"""Compare pictures: what is left of a face when light, shadow and exposure are taken out."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

FINE = 192
"""Side in pixels of the square picture in which two look-alikes are told apart."""

THUMB = 48
COLOURS = 48

_WINDOW = 41
_FLAT = 12.0
"""Grey levels of contrast below which an area counts as blank paper and is not amplified."""


def fine_texture(grey: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return a grey picture with the mean and contrast of a 41-pixel window taken out, float32.

    Values are about -3 to 3; blank areas stay near 0.
    """
    plain = np.asarray(grey, dtype=np.float32)
    mean = cv2.boxFilter(plain, -1, (_WINDOW, _WINDOW), borderType=cv2.BORDER_REFLECT)
    square = cv2.sqrBoxFilter(plain, -1, (_WINDOW, _WINDOW), borderType=cv2.BORDER_REFLECT)
    spread = np.sqrt(np.maximum(square - mean * mean, 0.0)) + _FLAT
    return np.asarray((plain - mean) / spread, dtype=np.float32)


def thumbnail(texture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a texture as a vector of THUMB x THUMB values with mean 0 and length 1."""
    small = cv2.resize(texture, (THUMB, THUMB), interpolation=cv2.INTER_AREA).ravel()
    small = small - small.mean()
    return np.asarray(small / (np.linalg.norm(small) + 1e-6), dtype=np.float32)


def colour_sheet(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the small Lab picture (COLOURS, COLOURS, 3) of a BGR face stretched to a square."""
    small = cv2.resize(face, (COLOURS, COLOURS), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), dtype=np.uint8)
