"""Round things unrolled: polar coordinates about the middle of a square picture, and how far they are turned.

Frame: the thing seen squarely from above, its middle in the picture's. Turns are clockwise as seen from
above, in degrees; likenesses are given at `ANGLES` steps of them.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture

ANGLES = 720
RADII = 20

Rows = NDArray[np.float32]
Likeness = NDArray[np.float64]


def smoothed(view: Picture) -> Rows:
    """Return a picture as it is compared: CIE L*a*b*, without its finest grain, (height, width, 3)."""
    lab = cv2.cvtColor(cv2.GaussianBlur(view, (0, 0), 1.2), cv2.COLOR_BGR2LAB)
    return np.asarray(lab, np.float32)


def unrolled(lab: Rows, inner: float, outer: float, shift: tuple[float, float] = (0.0, 0.0)) -> Rows:
    """Return the ring from `inner` to `outer` (shares of half the side) as rows: L of each radius, then a, then b.

    `shift` moves the ring's middle right and down, in shares of half the side. Shape (3 * RADII, ANGLES).
    """
    half = lab.shape[0] / 2
    radii = np.linspace(inner, outer, RADII) * half
    angles = np.arange(ANGLES) * 2 * np.pi / ANGLES
    x = (half * (1 + shift[0]) - 0.5 + radii[:, None] * np.cos(angles)).astype(np.float32)
    y = (half * (1 + shift[1]) - 0.5 + radii[:, None] * np.sin(angles)).astype(np.float32)
    rolled = cv2.remap(lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.concatenate([rolled[..., k] for k in range(3)], axis=0)


def likeness(seen: NDArray[np.float64], enrolled: NDArray[np.float64]) -> Likeness:
    """Return the sum of products of two sets of rows with the first turned back by each of the ANGLES steps."""
    spectrum = np.fft.rfft(seen, axis=1) * np.conj(np.fft.rfft(enrolled, axis=1))
    return np.asarray(np.fft.irfft(spectrum.sum(axis=0), ANGLES))


def peak(likeness: Likeness) -> float:
    """Return the best turn in degrees clockwise, refined by a parabola."""
    best = int(np.argmax(likeness))
    before, at, after = (float(likeness[(best + k) % ANGLES]) for k in (-1, 0, 1))
    bend = before - 2 * at + after
    step = 0.0 if bend >= 0 else 0.5 * (before - after) / bend
    return (best + step) * 360.0 / ANGLES


def nearest(angle: float, steps: int) -> tuple[int, float]:
    """Return the nearest of `steps` equal parts of a turn, and how many degrees `angle` lies clockwise of it."""
    step = 360.0 / steps
    turn = round(angle / step) % steps
    return turn, (angle - turn * step + 180.0) % 360.0 - 180.0
