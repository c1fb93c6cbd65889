"""Light and sensor: what happens to a sharp, evenly lit picture on its way into a file.

Everything that stays the same for an evening is drawn once; a picture costs a handful of passes.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulated.rig import Conditions

Picture = NDArray[np.uint8]
"""BGR, shape (height, width, 3)."""

_SPARE = 64
_PERIOD = 150.0


class Sensor:
    """Applies uneven light, colour cast with its drift, flicker and noise to pictures of one size."""

    def __init__(self, conditions: Conditions, size: tuple[int, int], rng: np.random.Generator) -> None:
        self._conditions = conditions
        self._size = size
        self._rng = rng
        self._phase = rng.uniform(0.0, 2 * math.pi, 3)
        self._lamp, self._level = 0.0, np.ones(3)
        self._gain = self._light_map()
        grain = rng.normal(0.0, conditions.noise * 1.35, (size[1] + _SPARE, size[0] + _SPARE, 3)).astype(np.float32)
        rounded = np.rint(cv2.GaussianBlur(grain, (3, 3), 0.5))
        self._brighter = np.clip(rounded, 0, 255).astype(np.uint8)
        self._darker = np.clip(-rounded, 0, 255).astype(np.uint8)

    def relight(self, level: float, warmth: float, lamp: float) -> None:
        """Change the light from the next picture on; see `Surroundings`."""
        if lamp != self._lamp:
            self._lamp = lamp
            self._gain = self._light_map()
        self._level = level * np.array([1.0 - warmth, 1.0, 1.0 + warmth])

    def expose(self, picture: Picture, at: float) -> Picture:
        """Return the picture as the sensor delivers it at `at` seconds of the evening."""
        lit = cv2.multiply(picture, self._gain, scale=1 / 200)
        balanced = cv2.LUT(lit, self._balance(at))
        dx, dy = self._rng.integers(0, _SPARE, 2)
        window = np.s_[dy : dy + self._size[1], dx : dx + self._size[0]]
        noisy = cv2.subtract(cv2.add(balanced, self._brighter[window]), self._darker[window])
        return np.asarray(noisy, dtype=np.uint8)

    def _light_map(self) -> Picture:
        """Lamp light per pixel times 200: falls from the lamp's side to the other and in the corners."""
        of = self._conditions
        width, height = self._size
        x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
        angle = math.radians(of.lamp + self._lamp)
        across = (x * math.cos(angle) + y * math.sin(angle)) / (abs(math.cos(angle)) + abs(math.sin(angle)))
        towards = (across + 1) / 2
        light = of.brightness * (of.far_side + (1 - of.far_side) * towards**1.4)
        light *= 1 - of.vignette * (x**2 + y**2) / 2
        gain = np.clip(light * 200, 0, 255).astype(np.uint8)
        return np.repeat(gain[..., None], 3, axis=2)

    def _balance(self, at: float) -> NDArray[np.uint8]:
        of = self._conditions
        wander = of.drift * np.sin(2 * math.pi * at / _PERIOD + self._phase)
        gains = self._level * (1 + np.array(of.cast) + wander) * (1 + self._rng.normal(0.0, of.flicker))
        levels = np.arange(256, dtype=np.float64)
        table = np.clip(np.rint(levels[:, None] * gains[None, :]), 0, 255).astype(np.uint8)
        return table.reshape(256, 1, 3)
