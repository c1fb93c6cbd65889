"""Things that lie about on a table: drawn flat, squarely, to be turned and laid over the canvas."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulated.light import Picture
from companion.simulated.surface import Layer
from companion.simulated.surroundings import Kind, Thing

_SHAPES: dict[Kind, float] = {
    "die": 1.0,
    "cup": 1.0,
    "sheet": 1.414,
    "page": 1.414,
    "pencil": 22.0,
    "coin": 1.0,
    "finger": 14.0,
}
"""Length over width of each kind."""

_RAISED: dict[Kind, float] = {
    "die": 16.0,
    "cup": 60.0,
    "sheet": 0.5,
    "page": 0.5,
    "pencil": 7.0,
    "coin": 2.0,
    "finger": 14.0,
}
"""How high each kind stands, in millimetres: what throws the shadow."""

_SPOTS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def outline_of(thing: Thing) -> NDArray[np.float64]:
    """Return the four corners of the thing's bounding box in mat millimetres, (4, 2)."""
    half = np.array([thing.size, thing.size * _SHAPES[thing.kind]]) / 2
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    c, s = math.cos(math.radians(thing.angle)), math.sin(math.radians(thing.angle))
    return np.asarray(square @ np.array([(c, s), (-s, c)]) + (thing.x, thing.y), np.float64)


def layers_of(thing: Thing, origin: tuple[float, float], scale: float, shadow: float, lamp: float) -> list[Layer]:
    """Return the thing's shadow and the thing as they lie on a canvas of `scale` pixels per millimetre."""
    sprite, cover = _draw(thing, scale)
    height, width = cover.shape
    reach = math.ceil(math.hypot(width, height) / 2 + 12 * scale)
    turn = cv2.getRotationMatrix2D((0.0, 0.0), -thing.angle, 1.0)
    turn[:, 2] = reach - turn[:, :2] @ np.array([(width - 1) / 2, (height - 1) / 2])
    size = (2 * reach, 2 * reach)
    light = np.asarray(cv2.warpAffine(sprite, turn, size), np.uint8)
    mask = np.asarray(cv2.warpAffine(cover, turn, size), np.uint8)
    light = np.asarray(cv2.multiply(light, cv2.merge([mask] * 3), scale=1 / 255), np.uint8)
    left, top = (round((at - start) * scale) - reach for at, start in zip((thing.x, thing.y), origin, strict=True))
    through = np.asarray(cv2.merge([255 - mask] * 3), np.uint8)
    return [_shadow(mask, left, top, shadow, lamp, _RAISED[thing.kind] * scale), (left, top, light, through)]


def _shadow(mask: NDArray[np.uint8], left: int, top: int, depth: float, lamp: float, raised: float) -> Layer:
    soft = cv2.GaussianBlur(mask, (0, 0), 0.8 + 0.12 * raised)
    dark = np.asarray(cv2.merge([255 - cv2.convertScaleAbs(soft, alpha=depth)] * 3), np.uint8)
    away, far = math.radians(lamp + 180.0), 0.35 * raised
    place = (left + round(far * math.cos(away)), top + round(far * math.sin(away)))
    return (*place, np.zeros_like(dark), dark)


def _draw(thing: Thing, scale: float) -> tuple[Picture, NDArray[np.uint8]]:
    """Return the thing seen from above and where it is (255)."""
    chance = np.random.default_rng(thing.look)
    width, height = round(thing.size * scale), round(thing.size * _SHAPES[thing.kind] * scale)
    sprite, cover = np.zeros((height, width, 3), np.uint8), np.full((height, width), 255, np.uint8)
    draw = {
        "die": _die,
        "cup": _cup,
        "sheet": _sheet,
        "page": _page,
        "pencil": _pencil,
        "coin": _coin,
        "finger": _finger,
    }
    draw[thing.kind](sprite, cover, chance)
    return sprite, cover


def _die(sprite: Picture, cover: NDArray[np.uint8], chance: np.random.Generator) -> None:
    side = sprite.shape[0]
    body, pips = ((235, 235, 235), (20, 20, 20)) if chance.random() < 0.5 else ((40, 30, 170), (240, 240, 240))
    sprite[:] = body
    for across, down in _SPOTS[int(chance.integers(1, 7))]:
        middle = (round(side / 2 + across * side * 0.26), round(side / 2 + down * side * 0.26))
        cv2.circle(sprite, middle, max(2, round(side * 0.09)), pips, -1, cv2.LINE_AA)
    cv2.rectangle(sprite, (0, 0), (side - 1, side - 1), tuple(int(c * 0.7) for c in body), 2)


def _cup(sprite: Picture, cover: NDArray[np.uint8], chance: np.random.Generator) -> None:
    side = sprite.shape[0]
    china = chance.uniform(120, 250, 3)
    cover[:] = 0
    for share, colour in ((0.5, china), (0.45, china * 0.7), (0.43, np.array([25.0, 45.0, 75.0]))):
        cv2.circle(sprite, (side // 2, side // 2), int(share * side), colour.tolist(), -1, cv2.LINE_AA)
    cv2.circle(cover, (side // 2, side // 2), side // 2 - 1, 255, -1, cv2.LINE_AA)


def _sheet(sprite: Picture, cover: NDArray[np.uint8], chance: np.random.Generator) -> None:
    sprite[:] = (chance.uniform(225, 250) * np.array([0.97, 1.0, 1.0])).astype(np.uint8)


def _page(sprite: Picture, cover: NDArray[np.uint8], chance: np.random.Generator) -> None:
    _sheet(sprite, cover, chance)
    height, width = cover.shape
    step = max(6, height // 28)
    for y in range(step, height - step, step):
        for x in range(step, width - 2 * step, step):
            if chance.random() < 0.85:
                cv2.line(sprite, (x, y), (x + round(0.7 * step), y), (40, 40, 40), max(1, step // 4))


def _pencil(sprite: Picture, cover: NDArray[np.uint8], chance: np.random.Generator) -> None:
    width = cover.shape[1]
    colour = chance.uniform(30, 220, 3)
    lit = np.abs(np.linspace(-1, 1, width))
    sprite[:] = np.clip(colour * (1.15 - 0.5 * lit)[None, :, None], 0, 255).astype(np.uint8)
    sprite[: 2 * width] = (140, 180, 210)
    sprite[: width // 2] = (30, 30, 30)


def _coin(sprite: Picture, cover: NDArray[np.uint8], chance: np.random.Generator) -> None:
    side = sprite.shape[0]
    metal = np.array([90.0, 150.0, 190.0]) * chance.uniform(0.7, 1.1)
    cover[:] = 0
    cv2.circle(sprite, (side // 2, side // 2), side // 2, metal.tolist(), -1)
    cv2.circle(sprite, (side // 2, side // 2), int(side * 0.4), (metal * 1.2).tolist(), 2, cv2.LINE_AA)
    cv2.circle(cover, (side // 2, side // 2), side // 2 - 1, 255, -1, cv2.LINE_AA)


def _finger(sprite: Picture, cover: NDArray[np.uint8], chance: np.random.Generator) -> None:
    width = cover.shape[1]
    skin = np.array([98.0, 132.0, 190.0]) * chance.uniform(0.55, 1.15)
    round_ = np.sqrt(np.clip(1 - np.linspace(-1, 1, width) ** 2, 0, 1))
    sprite[:] = np.clip(skin * (0.62 + 0.42 * round_)[None, :, None], 0, 255).astype(np.uint8)
    cover[: width // 2] = 0
    cv2.circle(cover, (width // 2, width // 2), width // 2 - 1, 255, -1, cv2.LINE_AA)
