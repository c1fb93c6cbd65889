"""Millimetres instead of pixels: Kivy reports 96 dpi whatever the screen, so the screen's size is asked once."""

from __future__ import annotations

from math import hypot

SMALLEST_TARGET = 11.0
"""No touch target is smaller than this in either direction, millimetres."""


def pixels_per_millimetre(width: int, height: int, diagonal: float) -> float:
    """Return the density of a screen of `width` x `height` pixels whose diagonal measures `diagonal` inches.

    :raises ValueError: if the diagonal is not a size that a screen at a table can have (3 to 60 inches).
    """
    if not 3.0 <= diagonal <= 60.0:
        raise ValueError(f"a screen diagonal is between 3 and 60 inches, not {diagonal:g}; measure it corner to corner")
    return hypot(width, height) / (diagonal * 25.4)
