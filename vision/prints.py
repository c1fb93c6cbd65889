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
_AROUND = 0.02
"""Reach of the surroundings that are compared with a difference, as a share of the card's side."""

_GREY = 0.05
_HARDLY_ANY = 0.03
_WIDE = 0.25
"""Share of the card from which faces differ so widely that a shift cannot decide."""

_LIKE_A_PRINT = 0.6
_NEVER_ZERO = 0.02
_BLANK = 0.01
_COLOUR_UNIT = 0.0375
"""One Lab level in units of the texture: the noise of both is then about alike (0.15, 4 levels)."""

_SCAN = 0.06
"""Square of a difference that two scans of the same print may have at a pixel."""

INDISTINCT = 12.0
"""Difference of two prints, summed over the texture's pixels, at which the noise of a camera and the
print weigh alike."""


_ROTATIONS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}


@dataclass(frozen=True, eq=False)
class Print:
    """`texture` (FINE, FINE) float32, `chroma` (COLOURS, COLOURS, 2) float32 in units of the texture."""

    texture: NDArray[np.float32]
    chroma: NDArray[np.float32]

    @classmethod
    def of_face(cls, fine: NDArray[np.int8], colours: NDArray[np.uint8], turn: int = 0) -> Print:
        """Return the print of an enrolled face turned clockwise by quarter turns."""
        if turn % 4:
            fine = np.asarray(cv2.rotate(fine, _ROTATIONS[turn % 4]), dtype=np.int8)
            colours = np.asarray(cv2.rotate(colours, _ROTATIONS[turn % 4]), dtype=np.uint8)
        texture = fine * np.float32(1 / TEXTURE_STEPS)
        return cls(_smooth(texture), _chroma(colours))

    @classmethod
    def of_view(cls, texture: NDArray[np.float32], colours: NDArray[np.uint8]) -> Print:
        """Return the print of a card seen in a picture."""
        return cls(_smooth(texture), _chroma(colours))

    def halved(self) -> Print:
        """Return this print at half the size: enough where two prints differ widely."""
        return Print(_half(self.texture), _half(self.chroma))

    def lit_like(self, other: Print) -> Print:
        """Return this print with its colours brought to those of `other` over the whole card.

        The lamp's colour and the camera's saturation are unknown, but the same everywhere.
        """
        seen, face = _columns(self.chroma, 2), _columns(other.chroma, 2)
        level, target = seen.mean(axis=1), face.mean(axis=1)
        seen, face = seen - level[:, None], face - target[:, None]
        # A face without colour says nothing about the lamp, so its share is drawn towards no change.
        spread = ((seen * face).mean(axis=1) + _GREY) / ((face * face).mean(axis=1) + _GREY)
        chroma = (self.chroma - level) / np.clip(spread, 0.35, 1.5) + target
        return Print(self.texture, np.asarray(chroma, dtype=np.float32))


def _chroma(colours: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.asarray((colours - np.float32(128)) * np.float32(_COLOUR_UNIT), dtype=np.float32)


def _columns(chroma: NDArray[np.float32], step: int) -> NDArray[np.float32]:
    """Return every `step`-th value of each channel in a row of its own: sums along rows are ten times as fast."""
    return np.ascontiguousarray(chroma[::step, ::step].reshape(-1, chroma.shape[2]).T)


def _half(sheet: NDArray[np.float32]) -> NDArray[np.float32]:
    side = sheet.shape[0] // 2
    return np.asarray(cv2.resize(sheet, (side, side), interpolation=cv2.INTER_AREA), dtype=np.float32)


def correlation(one: NDArray[np.float32], other: NDArray[np.float32], weight: NDArray[np.float32]) -> float:
    """Return the weighted correlation (-1 to 1) of two pictures."""
    total = float(weight.sum()) + 1e-6
    a = one - float(np.vdot(one, weight)) / total
    b = other - float(np.vdot(other, weight)) / total
    aw = a * weight
    return float(np.vdot(aw, b) / (np.sqrt(np.vdot(aw, a) * np.vdot(b * weight, b)) + 1e-6))


def hue_correlation(seen: Print, face: Print) -> float:
    """Return how well the colours of two prints agree, -1 to 1; near 0 if there is little colour."""
    a, b = _columns(seen.chroma, 3), _columns(face.chroma, 3)
    a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
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


def distance(one: Print, other: Print) -> NDArray[np.float32]:
    """Return where the textures of two prints differ, (FINE, FINE), and how much beyond two scans of one print."""
    return _energy(one.texture - other.texture)


def margin(seen: Print, one: Print, other: Print, clear: NDArray[np.float32], shift: bool = True) -> float:
    """Say whose print is seen where two differ: 1 exactly `one`, 0 half way or neither, -1 `other`.

    `clear` (FINE, FINE) is 0 where nothing can be seen. With `shift` the texture may move by two
    pixels, since no fit is exact to the pixel. Prints that hardly differ draw the margin towards 0.
    """
    visible = np.asarray(cv2.resize(clear, one.chroma.shape[:2], interpolation=cv2.INTER_AREA), dtype=np.float32)
    moves = _SHIFTS if shift else (0,)
    textures = seen.texture[:, :, None], one.texture[:, :, None], other.texture[:, :, None]
    lean, strength = _nearness(*textures, clear)
    strength *= FINE**2 / clear.size
    shape = _likeness(*textures, clear, moves)
    # Of two measures that agree the clearer one counts: one is blind where a print is blank, the other
    # where a shadow's edge changes the contrast.
    lean = max(lean, shape, key=abs) if lean * shape > 0 else (lean + shape) / 2
    tint, hue_strength = _nearness(seen.chroma, one.chroma, other.chroma, visible)
    hue_strength *= FINE**2 / visible.size
    total = strength + hue_strength
    if total <= 0:
        return 0.0
    return (lean * strength + tint * hue_strength) / (total + INDISTINCT)


def _nearness(
    seen: NDArray[np.float32], one: NDArray[np.float32], other: NDArray[np.float32], clear: NDArray[np.float32]
) -> tuple[float, float]:
    """Compare the distances to two prints (side, side, channels), and sum up how much those differ."""
    apart = np.square(one - other)
    energy = np.maximum(apart - np.float32(_SCAN), 0) * clear[:, :, None]
    square = float(np.vdot(apart, energy))
    if square <= 0:
        return 0.0, 0.0
    near, far = (float(np.vdot(np.square(seen - print_), energy)) for print_ in (one, other))
    # What looks like neither print (a finger, a die) is far from both and must not decide.
    return (far - near) / max(square, near + far), float(energy.sum())


def _likeness(
    seen: NDArray[np.float32],
    one: NDArray[np.float32],
    other: NDArray[np.float32],
    clear: NDArray[np.float32],
    moves: tuple[int, ...],
) -> float:
    """Compare the correlations with two prints (side, side, channels) around the places of difference."""
    energy = np.maximum(np.square(one - other).sum(axis=2) - np.float32(_SCAN), 0) * clear
    if float(energy.max()) <= 0:
        return 0.0
    # So wide a blur is the same at a quarter of the pixels.
    near = cv2.GaussianBlur(_half(energy), (0, 0), seen.shape[0] * _AROUND / 2)
    around = np.asarray(cv2.resize(near, energy.shape[::-1], interpolation=cv2.INTER_LINEAR), dtype=np.float32) * clear
    box = _box(around, max(abs(move) for move in moves))
    weight = np.ascontiguousarray(around[box])
    if weight.size > _WIDE * energy.size:
        moves = (0,)
    first, second = _Weighed(one[box], weight), _Weighed(other[box], weight)
    alike = first.correlation(second)
    best = (-1.0, -1.0)
    for dy in moves:
        for dx in moves:
            here = seen[box[0].start + dy : box[0].stop + dy, box[1].start + dx : box[1].stop + dx]
            there = _Weighed(here, weight)
            best = max(best, (there.correlation(first), there.correlation(second)), key=max)
    trust = min(1.0, max(0.0, max(best) / _LIKE_A_PRINT))
    return float(np.clip((best[0] - best[1]) / (1.0 - alike + _NEVER_ZERO), -1.0, 1.0)) * trust


def _box(weight: NDArray[np.float32], edge: int) -> tuple[slice, slice]:
    rows = np.flatnonzero(weight.max(axis=1) > _HARDLY_ANY * weight.max())
    columns = np.flatnonzero(weight.max(axis=0) > _HARDLY_ANY * weight.max())
    side = weight.shape[0] - edge
    return (
        slice(max(edge, int(rows[0])), min(side, int(rows[-1]) + 1)),
        slice(max(edge, int(columns[0])), min(side, int(columns[-1]) + 1)),
    )


class _Weighed:
    """Values (height, width, channels) less their weighted mean, and the same times the weight."""

    def __init__(self, values: NDArray[np.float32], weight: NDArray[np.float32]) -> None:
        total = float(weight.sum()) + 1e-9
        spread = weight[:, :, None]
        heavy = values * spread
        mean = heavy.sum(axis=(0, 1)) / np.float32(total) if values.shape[2] > 1 else heavy.sum() / np.float32(total)
        self.values = values - mean
        self.heavy = self.values * spread
        # A place that is blank in one of them correlates with nothing; the noise keeps that at zero.
        self.power = float(np.vdot(self.heavy, self.values)) + _BLANK * total * values.shape[2]

    def correlation(self, other: _Weighed) -> float:
        return float(np.vdot(self.heavy, other.values)) / float(np.sqrt(self.power * other.power))


def _energy(apart: NDArray[np.float32]) -> NDArray[np.float32]:
    # Two scans of one card differ a little everywhere; only what stands out of that is a difference.
    return np.asarray(np.maximum(apart * apart - np.float32(_SCAN), 0), dtype=np.float32)


def _smooth(texture: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(texture, (0, 0), _SMOOTH), dtype=np.float32)
