"""Compare pictures: what is left of a face when light, shadow and exposure are taken out."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

FINE = 192
"""Side in pixels of the square picture in which two look-alikes are told apart."""

COARSE = 64
"""Side of the square picture in which a face is ranked and aligned."""

THUMB = 32
"""Side of the smallest picture, by which a view is ranked against the whole deck."""

COLOURS = 96
LIGHTS = 24

TEXTURE_STEPS = 32
"""Textures are stored as int8 in steps of 1/32."""

_WINDOW_SHARE = 41 / 192
_FLAT = 12.0
"""Grey levels of contrast below which an area counts as blank paper and is not amplified."""


def texture(grey: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return a square grey picture with the mean and contrast of its neighbourhood taken out, float32.

    The neighbourhood is a window of a fifth of the side. Values are about -3 to 3; blank areas stay
    near 0.
    """
    window = int(grey.shape[0] * _WINDOW_SHARE) | 1
    plain = np.asarray(grey, dtype=np.float32)
    mean = cv2.boxFilter(plain, -1, (window, window), borderType=cv2.BORDER_REFLECT)
    square = cv2.sqrBoxFilter(plain, -1, (window, window), borderType=cv2.BORDER_REFLECT)
    spread = np.sqrt(np.maximum(square - mean * mean, 0.0)) + _FLAT
    return np.asarray((plain - mean) / spread, dtype=np.float32)


def thumbnail(coarse: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a texture as a vector of THUMB x THUMB values with mean 0 and length 1."""
    small = cv2.resize(coarse, (THUMB, THUMB), interpolation=cv2.INTER_AREA).ravel()
    small = small - small.mean()
    return np.asarray(small / (np.linalg.norm(small) + 1e-6), dtype=np.float32)


def colour_sheet(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the chroma (COLOURS, COLOURS, 2) of a BGR face stretched to a square: a and b of Lab."""
    small = cv2.resize(face, (COLOURS, COLOURS), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB)[:, :, 1:], dtype=np.uint8)


def light_sheet(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return how bright a face is printed, (LIGHTS, LIGHTS) grey levels."""
    return np.asarray(cv2.resize(grey, (LIGHTS, LIGHTS), interpolation=cv2.INTER_AREA), dtype=np.uint8)
