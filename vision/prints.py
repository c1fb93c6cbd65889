"""The print of a card as it is compared: its texture, its colours, and where two prints differ.

Both prints are taken squarely. The texture tells shapes apart whatever the light, the colours tell
apart what is equally bright (a red and a blue symbol).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.texture import FINE, TEXTURE_STEPS

_SMOOTH = 1.2
_SHIFTS = (-2, 0, 2)
_COLOUR_UNIT = 0.0375
"""One Lab level in units of the texture: the noise of both is then about alike (0.15, 4 levels)."""

_SCAN = 0.06
"""Square of a difference that two scans of the same print may have at a pixel."""

INDISTINCT = 12.0
"""Difference of two prints, summed over the texture's pixels, at which the noise of a camera and the
print weigh alike."""


@dataclass(frozen=True, eq=False)
class Print:
    """`texture` (FINE, FINE) float32, `chroma` (COLOURS, COLOURS, 2) float32 in units of the texture."""

    texture: NDArray[np.float32]
    chroma: NDArray[np.float32]

    @classmethod
    def of_face(cls, fine: NDArray[np.int8], colours: NDArray[np.uint8], turn: int = 0) -> Print:
        """Return the print of an enrolled face turned clockwise by quarter turns."""
        texture = np.rot90(fine, -turn).astype(np.float32) * np.float32(1 / TEXTURE_STEPS)
        chroma = (np.rot90(colours, -turn).astype(np.float32) - 128) * np.float32(_COLOUR_UNIT)
        return cls(_smooth(np.ascontiguousarray(texture)), np.ascontiguousarray(chroma))

    @classmethod
    def of_view(cls, texture: NDArray[np.float32], colours: NDArray[np.uint8]) -> Print:
        """Return the print of a card seen in a picture."""
        return cls(_smooth(texture), (colours.astype(np.float32) - 128) * np.float32(_COLOUR_UNIT))

    def lit_like(self, other: Print) -> Print:
        """Return this print with its colours brought to those of `other` over the whole card.

        The lamp's colour and the camera's saturation are unknown, but the same everywhere.
        """
        seen, face = self.chroma[::2, ::2].reshape(-1, 2), other.chroma[::2, ::2].reshape(-1, 2)
        level, target = seen.mean(axis=0), face.mean(axis=0)
        spread = ((seen - level) * (face - target)).mean(axis=0) / (((face - target) ** 2).mean(axis=0) + 1e-3)
        chroma = (self.chroma - level) / np.clip(spread, 0.35, 1.5) + target
        return Print(self.texture, np.asarray(chroma, dtype=np.float32))


def correlation(one: NDArray[np.float32], other: NDArray[np.float32], weight: NDArray[np.float32]) -> float:
    """Return the weighted correlation (-1 to 1) of two pictures."""
    total = float(weight.sum()) + 1e-6
    a = one - float(np.vdot(one, weight)) / total
    b = other - float(np.vdot(other, weight)) / total
    aw = a * weight
    return float(np.vdot(aw, b) / (np.sqrt(np.vdot(aw, a) * np.vdot(b * weight, b)) + 1e-6))


def hue_correlation(seen: Print, face: Print) -> float:
    """Return how well the colours of two prints agree, -1 to 1; near 0 if there is little colour."""
    a, b = seen.chroma[::3, ::3].reshape(-1, 2), face.chroma[::3, ::3].reshape(-1, 2)
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    # Some colour noise on every pixel keeps a grey card from being all noise.
    noise = 0.01 * a.size
    return float(np.vdot(a, b) / np.sqrt((np.vdot(a, a) + noise) * (np.vdot(b, b) + noise)))


def difference(one: Print, other: Print) -> tuple[float, NDArray[np.float32]]:
    """Return how much two prints differ in all, and where: (FINE / 2, FINE / 2) float32."""
    half = (FINE // 2, FINE // 2)
    here = cv2.resize(_energy(one.texture - other.texture), half, interpolation=cv2.INTER_AREA) * 4
    tint = _energy(one.chroma - other.chroma).sum(axis=2)
    here = here + cv2.resize(tint, half, interpolation=cv2.INTER_AREA) * (4 * tint.size / half[0] ** 2)
    return float(here.sum()), np.asarray(here, dtype=np.float32)


def margin(seen: Print, one: Print, other: Print, clear: NDArray[np.float32], shift: bool = True) -> float:
    """Say whose print is seen where two differ: 1 exactly `one`, 0 half way, -1 exactly `other`.

    `clear` (FINE, FINE) is 0 where nothing can be seen. With `shift` the texture may move by two
    pixels, since no fit is exact to the pixel. Prints that hardly differ draw the margin towards 0.
    """
    textures = seen.texture, one.texture, other.texture
    lean, strength = _texture_margin(*textures, clear) if shift else _lean(*textures, clear)
    if one.chroma.shape[0] == FINE // 2:
        visible = clear[::2, ::2]
    else:
        visible = np.asarray(cv2.resize(clear, one.chroma.shape[:2], interpolation=cv2.INTER_AREA), dtype=np.float32)
    tint, hue_strength = _lean(seen.chroma, one.chroma, other.chroma, visible[:, :, None])
    hue_strength *= FINE**2 / visible.size
    total = strength + hue_strength
    if total <= 0:
        return 0.0
    mixed = (lean * strength + tint * hue_strength) / total
    return float(np.clip(mixed, -1.0, 1.0)) * total / (total + INDISTINCT)


def _texture_margin(
    seen: NDArray[np.float32], one: NDArray[np.float32], other: NDArray[np.float32], clear: NDArray[np.float32]
) -> tuple[float, float]:
    lean, total = _lean(seen, one, other, clear)
    if total < 1.0 or abs(lean) > 0.7:
        return lean, total
    energy = _energy(one - other) * clear
    rows = np.flatnonzero(energy.sum(axis=1) > 0.02 * total / FINE)
    columns = np.flatnonzero(energy.sum(axis=0) > 0.02 * total / FINE)
    top, bottom = max(2, rows[0]), min(FINE - 2, rows[-1] + 1)
    left, right = max(2, columns[0]), min(FINE - 2, columns[-1] + 1)
    weight = energy[top:bottom, left:right]
    costs = []
    for face in (one, other):
        still = face[top:bottom, left:right]
        cost = np.inf
        for dy in _SHIFTS:
            for dx in _SHIFTS:
                moved = seen[top + dy : bottom + dy, left + dx : right + dx] - still
                cost = min(cost, float(np.vdot(moved * moved, weight)))
        costs.append(cost)
    square = float(np.vdot(np.square(one - other), energy))
    return float(np.clip((costs[1] - costs[0]) / (square + 1e-6), -1.0, 1.0)), total


def _lean(
    seen: NDArray[np.float32], one: NDArray[np.float32], other: NDArray[np.float32], clear: NDArray[np.float32]
) -> tuple[float, float]:
    apart = one - other
    energy = _energy(apart) * clear
    square = float(np.vdot(apart * apart, energy))
    if square <= 0:
        return 0.0, 0.0
    lean = float(np.vdot((2 * seen - one - other) * apart, energy)) / square
    return float(np.clip(lean, -1.0, 1.0)), float(energy.sum())


def _energy(apart: NDArray[np.float32]) -> NDArray[np.float32]:
    # Two scans of one card differ a little everywhere; only what stands out of that is a difference.
    return np.asarray(np.maximum(apart * apart - np.float32(_SCAN), 0), dtype=np.float32)


def _smooth(texture: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(texture, (0, 0), _SMOOTH), dtype=np.float32)
