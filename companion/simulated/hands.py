"""A hand with its forearm and sleeve, reaching over the table from one side.

Drawn once per person in canvas pixels with the fingers pointing up, then turned, placed, smeared
by its motion and given a soft shadow. Lengths follow common adult measures (hand about 185 mm).
"""

from __future__ import annotations

import math

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.simulated.light import Picture
from companion.simulated.surface import Layer

_WIDTH, _LENGTH = 150.0, 560.0
_TIP = (75.0, 14.0)
"""Sprite size and the fingertips' place in it, in millimetres."""
_FINGERS = (
    ((55.0, 98.0), (52.0, 44.0), 9.5),
    ((68.0, 94.0), (68.0, 22.0), 10.0),
    ((82.0, 94.0), (82.0, 20.0), 10.0),
    ((96.0, 100.0), (97.0, 40.0), 9.0),
)
_COARSE = 3
_THUMB = ((50.0, 140.0), (40.0, 92.0), 11.0)


class Reaching(msgspec.Struct, frozen=True):
    """Where a hand is: fingertips at (x, y) mm on the mat, `smear` mm moved during the exposure."""

    seat: int
    x: float
    y: float
    smear: float = 0.0


class Hand:
    """One person's right hand, with skin, sleeve and the place where they sit."""

    def __init__(self, seat: int, mat_size: tuple[float, float], scale: float, rng: np.random.Generator) -> None:
        self.seat = seat
        self._scale = scale
        self._shoulder = (
            mat_size[0] / 2 + rng.uniform(-60.0, 60.0),
            mat_size[1] + 330.0 if seat == 0 else -330.0,
        )
        self._light, self._cover = self._draw(rng)
        self._small = (_shrunk(self._light), _shrunk(self._cover))

    def layers(self, reaching: Reaching, origin: tuple[float, float], shadow: float, lamp: float) -> list[Layer]:
        """Return the hand's shadow and the hand, in the order in which they lie over the canvas.

        `origin` is the mat point (mm) of the canvas' top left corner, `shadow` how dark the shadow
        is (share), `lamp` the lamp's direction in degrees.
        """
        dx, dy = reaching.x - self._shoulder[0], reaching.y - self._shoulder[1]
        angle = math.degrees(math.atan2(dx, -dy))
        turn = np.asarray(cv2.getRotationMatrix2D((0.0, 0.0), -angle, 1.0), np.float64)
        corners = np.array([[0, 0], [_WIDTH, 0], [_WIDTH, _LENGTH], [0, _LENGTH]]) * self._scale
        tip = np.array(_TIP) * self._scale
        spread = (corners - tip) @ turn[:, :2].T
        margin = 40.0 * self._scale
        low, high = spread.min(axis=0) - margin, spread.max(axis=0) + margin
        size = tuple(int(side) for side in np.ceil(high - low))
        turn[:, 2] = -low - turn[:, :2] @ tip
        if reaching.smear:
            kernel = _smear_kernel(reaching.smear * self._scale / _COARSE, math.atan2(dy, dx))
            light, cover = (_smeared(sprite, turn, size, kernel) for sprite in self._small)
        else:
            light = np.asarray(cv2.warpAffine(self._light, turn, size), dtype=np.uint8)
            cover = np.asarray(cv2.warpAffine(self._cover, turn, size), dtype=np.uint8)
        left = math.floor((reaching.x - origin[0]) * self._scale + low[0])
        top = math.floor((reaching.y - origin[1]) * self._scale + low[1])
        through = np.asarray(cv2.merge([255 - cover] * 3), dtype=np.uint8)
        return [
            self._shadow(cover, left, top, shadow, lamp),
            (left, top, np.asarray(light, dtype=np.uint8), through),
        ]

    def _shadow(self, cover: NDArray[np.uint8], left: int, top: int, shadow: float, lamp: float) -> Layer:
        """A hand hovers some 30 mm up, so its shadow falls aside and has soft edges."""
        small = cv2.resize(cover, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        small = cv2.GaussianBlur(small, (0, 0), 6.0 * self._scale / 4)
        soft = cv2.resize(small, cover.shape[::-1], interpolation=cv2.INTER_LINEAR)
        lets_through = cv2.merge([255 - cv2.convertScaleAbs(soft, alpha=shadow)] * 3)
        away, reach = math.radians(lamp + 180.0), 18.0 * self._scale
        place = (left + round(reach * math.cos(away)), top + round(reach * math.sin(away)))
        return (*place, np.zeros((*cover.shape, 3), np.uint8), np.asarray(lets_through, dtype=np.uint8))

    def _draw(self, rng: np.random.Generator) -> tuple[Picture, NDArray[np.uint8]]:
        """Return the sprite's light (BGR times coverage) and its coverage."""
        size = (round(_LENGTH * self._scale), round(_WIDTH * self._scale))
        skin_mask, sleeve_mask = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
        for start, end, half in (*_FINGERS, _THUMB):
            self._limb(skin_mask, start, end, half)
        self._blob(skin_mask, [(46, 104), (58, 88), (92, 86), (105, 102), (103, 150), (98, 190), (52, 190), (47, 150)])
        self._blob(skin_mask, [(52, 180), (98, 180), (106, 300), (44, 300)])
        self._blob(sleeve_mask, [(40, 255), (110, 252), (124, 560), (26, 560)])
        skin = np.array([98.0, 132.0, 190.0]) * rng.uniform(0.55, 1.15)
        cloth = rng.uniform(30.0, 170.0, 3)
        roundness = self._roundness(skin_mask)
        hand = skin * roundness[..., None]
        outside = np.clip((105.0 * self._scale - np.arange(size[0])) / (12.0 * self._scale), 0.0, 1.0)[:, None]
        for start, end, half in _FINGERS:
            edge = np.zeros(size, np.uint8)
            self._limb(edge, start, end, half)
            rim = cv2.morphologyEx(edge, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
            crease = np.asarray(cv2.GaussianBlur(rim, (0, 0), 1.2), dtype=np.float64) / 255.0
            hand *= (1 - 0.22 * crease * outside)[..., None]
        for start, end, half in _FINGERS:
            self._nail(hand, start, end, half)
        rough = rng.normal(0.0, 1.0, (size[0] // 24 + 1, size[1] // 12 + 1)).astype(np.float32)
        folds = np.asarray(cv2.resize(rough, size[::-1], interpolation=cv2.INTER_CUBIC), dtype=np.float32)
        sleeve = cloth * (self._roundness(sleeve_mask) * (1 + 0.12 * folds))[..., None]
        on_sleeve = (sleeve_mask > 0)[..., None]
        colour = np.clip(np.where(on_sleeve, sleeve, hand), 0, 255)
        cover = cv2.GaussianBlur(np.maximum(skin_mask, sleeve_mask), (0, 0), 0.8)
        light = np.clip(colour * (cover / 255.0)[..., None], 0, 255).astype(np.uint8)
        return light, np.asarray(cover, dtype=np.uint8)

    def _limb(self, mask: NDArray[np.uint8], start: tuple[float, float], end: tuple[float, float], half: float) -> None:
        first, last = (tuple(round(v * self._scale) for v in point) for point in (start, end))
        cv2.line(mask, first, last, 255, round(2 * half * self._scale), cv2.LINE_AA)

    def _blob(self, mask: NDArray[np.uint8], points: list[tuple[int, int]]) -> None:
        outline = np.array(points, dtype=np.float64) * self._scale
        cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], 255, cv2.LINE_AA)

    def _nail(
        self, hand: NDArray[np.float64], start: tuple[float, float], end: tuple[float, float], half: float
    ) -> None:
        lean = math.atan2(end[0] - start[0], start[1] - end[1])
        centre = (end[0] + 2.0 * math.sin(lean), end[1] - 2.0 * math.cos(lean))
        nail = np.zeros(hand.shape[:2], np.uint8)
        middle = (round(centre[0] * self._scale), round(centre[1] * self._scale))
        axes = (round(0.5 * half * self._scale), round(0.62 * half * self._scale))
        cv2.ellipse(nail, middle, axes, math.degrees(lean), 0, 360, 255, -1, cv2.LINE_AA)
        share = np.asarray(cv2.GaussianBlur(nail, (0, 0), 0.8), dtype=np.float64)[..., None] / 255.0
        hand += share * (np.array([196.0, 204.0, 232.0]) - hand) * 0.45

    def _roundness(self, mask: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Light from above on a round thing: dark at its edges, bright along its middle."""
        depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3) / self._scale
        return np.asarray(0.62 + 0.42 * np.sqrt(np.clip(depth / 16.0, 0.0, 1.0)), dtype=np.float32)


def _shrunk(sprite: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(
        cv2.resize(sprite, None, fx=1 / _COARSE, fy=1 / _COARSE, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )


def _smeared(
    small: NDArray[np.uint8], turn: NDArray[np.float64], size: tuple[int, ...], kernel: NDArray[np.float32]
) -> NDArray[np.uint8]:
    """Turn and smear a shrunk sprite to `size`: motion leaves no fine detail."""
    coarse = turn.copy()
    coarse[:, 2] /= _COARSE
    turned = cv2.warpAffine(small, coarse, tuple(-(-side // _COARSE) for side in size))
    smeared = cv2.filter2D(turned, -1, kernel)
    return np.asarray(cv2.resize(smeared, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _smear_kernel(length: float, direction: float) -> NDArray[np.float32]:
    """A line of `length` pixels in `direction` (radians, clockwise from the right), summing to one."""
    half = max(1, round(length / 2))
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    reach = (half * math.cos(direction), half * math.sin(direction))
    ends = [(round(half - reach[0]), round(half - reach[1])), (round(half + reach[0]), round(half + reach[1]))]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)
