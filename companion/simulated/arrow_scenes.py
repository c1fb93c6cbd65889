"""What a camera sees of a marker with an arrow on a mat: perspective, light, blur, noise, and a hand."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sets.canvas import CREAM, INK, Canvas, Colour
from companion.simulated.disc_scenes import exposed, reach_over
from companion.simulated.light import Picture
from companion.table.mat import Rect

MAT = Rect(0.0, 0.0, 200.0, 120.0)
PLACE = Rect(65.0, 25.0, 70.0, 70.0)
"""The printed place on which the marker lies."""

_SCALE = 4
_SPRITE = 400


@dataclass(frozen=True)
class Token:
    """A make of marker: round or square, its colours (RGB), an arrow with a shaft, a triangle or a notch at the rim."""

    round: bool
    sign: str
    body: Colour
    mark: Colour
    size_mm: float


TOKENS = {
    "red, white arrow": Token(True, "arrow", (184, 44, 48), (244, 242, 236), 25.0),
    "wood, dark notch": Token(True, "notch", (214, 178, 128), (52, 40, 34), 22.0),
    "yellow square, black triangle": Token(False, "triangle", (236, 200, 60), (30, 28, 30), 20.0),
    "navy, pale blue arrow": Token(True, "arrow", (34, 44, 92), (160, 204, 236), 30.0),
    "green square, white notch": Token(False, "notch", (54, 128, 74), (240, 242, 240), 25.0),
}

_SIGNS = {
    "arrow": [(0, -38), (26, -6), (10, -6), (10, 36), (-10, 36), (-10, -6), (-26, -6)],
    "triangle": [(0, -34), (28, 22), (-28, 22)],
    "notch": [(-16, -46), (16, -46), (0, -14)],
}


def draw_token(token: Token, pixels: int = _SPRITE, ground: Colour = CREAM) -> Picture:
    """Draw a marker from edge to edge, its arrow upwards, BGR (pixels, pixels, 3)."""
    canvas = Canvas(pixels, ground, oversampling=2)
    if token.round:
        canvas.disc(0, 0, 49.6, token.body, INK, 0.6)
    else:
        canvas.polygon([(-49.6, -49.6), (49.6, -49.6), (49.6, 49.6), (-49.6, 49.6)], token.body, INK, 0.6)
    canvas.polygon([(float(x), float(y)) for x, y in _SIGNS[token.sign]], token.mark)
    return canvas.finished()


def render_arrow(
    token: Token | None, degrees: float = 0.0, seed: int = 0, hand: float = 0.0
) -> tuple[Picture, Picture, NDArray[np.float64]]:
    """Return a camera picture (BGR) of the marker in `PLACE`, one of the empty mat, and the homography.

    :param token: None leaves the place empty
    :param degrees: where the arrow points, clockwise from the mat's top
    :param seed: draws place, perspective, light and noise
    :param hand: share of the mat that a forearm covers
    :return: the homography (3, 3) maps mat millimetres to pixels
    """
    chance = np.random.default_rng(seed)
    size = (1280, 720)
    flat = _mat(chance)
    bare = flat.copy()
    if token is not None:
        _lay(flat, token, degrees, np.array(PLACE.centre) + chance.uniform(-14, 14, 2))
    width, height = MAT.width * _SCALE, MAT.height * _SCALE
    target = np.array(MAT.corners) * 5.0 + (140, 60) + chance.uniform(-40, 40, (4, 2))
    own = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(own, target.astype(np.float32))
    seen = []
    for sheet, arm in ((flat, hand), (bare, 0.0)):
        picture = np.full((720, 1280, 3), (96.0, 128.0, 158.0), np.float32)
        cv2.warpPerspective(sheet.astype(np.float32), warp, size, picture, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
        if arm > 0:
            reach_over(picture, target, arm, chance)
        seen.append(picture)
    # The empty mat was learnt in one light; the marker is seen in another one.
    lit, empty = exposed(seen[0], chance), exposed(seen[1], np.random.default_rng(seed + 1))
    taps = (target + chance.normal(0, 0.7, (4, 2))).astype(np.float32)
    homography = cv2.getPerspectiveTransform(np.array(MAT.corners, np.float32), taps)
    return lit, empty, np.asarray(homography, np.float64)


def _mat(chance: np.random.Generator) -> Picture:
    height, width = int(MAT.height * _SCALE), int(MAT.width * _SCALE)
    tone = chance.uniform(190, 245)
    sheet = np.full((height, width, 3), (tone, tone, tone), np.uint8)
    low, high = (tuple(int(_SCALE * v) for v in PLACE.corners[k]) for k in (0, 2))
    cv2.rectangle(sheet, low, high, (120, 120, 120), 3, cv2.LINE_AA)
    return sheet


def _lay(sheet: Picture, token: Token, degrees: float, place: NDArray[np.float64]) -> None:
    sprite = draw_token(token)
    side = token.size_mm * _SCALE
    cover = np.zeros((_SPRITE, _SPRITE), np.uint8)
    if token.round:
        cv2.circle(cover, (_SPRITE // 2, _SPRITE // 2), _SPRITE // 2 - 1, 255, -1)
    else:
        cover[:] = 255
    matrix = cv2.getRotationMatrix2D(((_SPRITE - 1) / 2,) * 2, -degrees, side / _SPRITE)
    matrix = np.column_stack((matrix[:, :2], matrix[:, 2] + place * _SCALE - (_SPRITE - 1) / 2))
    size = (sheet.shape[1], sheet.shape[0])
    turned, mask = (cv2.warpAffine(each, matrix, size, flags=cv2.INTER_AREA) for each in (sprite, cover))
    shadow = cv2.GaussianBlur(np.roll(mask, (6, 5), axis=(0, 1)), (0, 0), 5).astype(np.float32)[..., None] / 255
    alpha = mask.astype(np.float32)[..., None] / 255
    sheet[:] = (sheet * (1 - 0.35 * shadow) * (1 - alpha) + turned * alpha).astype(np.uint8)
