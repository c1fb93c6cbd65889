"""Tables to lay rendered dice on: wood, cloth, cork, stone, print, trays. All drawn from a seed."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Ground = NDArray[np.float32]
Chance = np.random.Generator


def ground(side: int, chance: Chance) -> Ground:
    """Return a table top without dice, BGR float32 (side, side, 3), with things that are no dice on it."""
    kinds: tuple[tuple[Callable[[int, Chance], Ground], float], ...] = (
        (_plain, 0.3),
        (_wood, 0.22),
        (_cloth, 0.12),
        (_flakes, 0.12),
        (_stone, 0.12),
        (_printed, 0.12),
    )
    weights = np.array([weight for _, weight in kinds])
    picture = kinds[int(chance.choice(len(kinds), p=weights / weights.sum()))][0](side, chance)
    if chance.random() < 0.25:
        _tray(picture, chance)
    for _ in range(int(chance.integers(0, 5)) if chance.random() < 0.5 else 0):
        _thing(picture, chance)
    if chance.random() < 0.3:
        _shadow(picture, chance)
    return picture


def smooth_noise(side: int, cell: float, chance: Chance, stretch: float = 1.0) -> NDArray[np.float32]:
    """Return noise of mean 0 and spread about 1 with features of `cell` pixels, `stretch` times as wide."""
    rows, columns = max(2, round(side / cell)), max(2, round(side / cell / stretch))
    coarse = chance.normal(0, 1, (rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)


def any_colour(chance: Chance, vivid: float = 0.6) -> NDArray[np.float32]:
    """Return a colour, BGR; `vivid` is the chance that it is not a grey."""
    hsv = np.zeros((1, 1, 3), np.float32)
    hsv[0, 0] = (
        chance.uniform(0, 360),
        chance.uniform(0.4, 1) if chance.random() < vivid else chance.uniform(0, 0.2),
        chance.uniform(0.1, 1),
    )
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] * 255, np.float32)


def _plain(side: int, chance: Chance) -> Ground:
    picture = np.empty((side, side, 3), np.float32)
    picture[:] = any_colour(chance, 0.4)
    return picture + smooth_noise(side, side / 3, chance)[..., None] * np.float32(chance.uniform(0, 6))


def _wood(side: int, chance: Chance) -> Ground:
    base = np.array((chance.uniform(30, 120), chance.uniform(60, 160), chance.uniform(90, 210)), np.float32)
    rings = np.sin(smooth_noise(side, side / 4, chance, 6) * chance.uniform(2, 14))
    fine = smooth_noise(side, chance.uniform(1.5, 4), chance, chance.uniform(8, 30))
    tone = 1 + chance.uniform(0.02, 0.12) * rings + chance.uniform(0.02, 0.12) * fine
    if chance.random() < 0.4:
        dashes = smooth_noise(side, 2, chance, chance.uniform(5, 12)) > 1.6
        tone = np.where(dashes, tone * chance.uniform(0.4, 0.8), tone)
    turned = np.rot90(base * tone[..., None].astype(np.float32), int(chance.integers(4)))
    return np.ascontiguousarray(turned, dtype=np.float32)


def _cloth(side: int, chance: Chance) -> Ground:
    rough = smooth_noise(side, chance.uniform(1.2, 6), chance) * chance.uniform(0.05, 0.3)
    folds = smooth_noise(side, chance.uniform(6, 40), chance, chance.uniform(1, 3)) * chance.uniform(0, 0.2)
    return np.asarray(any_colour(chance) * np.clip(1 + rough + folds, 0.1, 2)[..., None], np.float32)


def _flakes(side: int, chance: Chance) -> Ground:
    picture = np.empty((side, side, 3), np.float32)
    base = (
        np.array((90, 140, 190), np.float32) * chance.uniform(0.5, 1.2) if chance.random() < 0.6 else any_colour(chance)
    )
    picture[:] = base
    size = chance.uniform(3, 10)
    for _ in range(int(1.2 * (side / size) ** 2)):
        colour = base * chance.normal(1, 0.22) + chance.normal(0, 8, 3)
        where = chance.uniform(0, side, 2)
        axes = (max(1, int(size * chance.uniform(0.3, 1))), max(1, int(size * chance.uniform(0.3, 1))))
        centre = (int(where[0]), int(where[1]))
        cv2.ellipse(picture, centre, axes, chance.uniform(0, 180), 0, 360, [float(c) for c in colour], -1)
    return picture


def _stone(side: int, chance: Chance) -> Ground:
    layers = sum(smooth_noise(side, cell, chance) * weight for cell, weight in ((3, 0.3), (9, 0.5), (30, 0.8), (80, 1)))
    tone = 1 + np.asarray(layers, np.float32) * np.float32(chance.uniform(0.03, 0.18))
    return np.asarray(any_colour(chance, 0.25) * np.clip(tone, 0.2, 2)[..., None], np.float32)


def _printed(side: int, chance: Chance) -> Ground:
    picture = np.clip(_plain(side, chance), 0, 255).astype(np.uint8)  # words are written on bytes only
    for _ in range(int(chance.integers(3, 25))):
        x, y = (int(v) for v in chance.uniform(0, side, 2))
        colour = [float(c) for c in any_colour(chance)]
        size = int(chance.uniform(4, side / 4))
        kind = chance.random()
        if kind < 0.25:
            cv2.putText(
                picture,
                "abc XYZ 123 678"[int(chance.integers(8)) :],
                (x, y),
                int(chance.integers(4)),
                size / 40,
                colour,
                2,
                cv2.LINE_AA,
            )
        elif kind < 0.5:
            cv2.line(
                picture, (x, y), (int(chance.uniform(0, side)), int(chance.uniform(0, side))), colour, 1 + size // 12
            )
        elif kind < 0.75:
            cv2.rectangle(
                picture,
                (x, y),
                (x + size, y + int(size * chance.uniform(0.5, 2))),
                colour,
                -1 if chance.random() < 0.5 else 2,
            )
        else:
            cv2.circle(picture, (x, y), size // 2, colour, -1 if chance.random() < 0.5 else 2, cv2.LINE_AA)
    return picture.astype(np.float32)


def _tray(picture: Ground, chance: Chance) -> None:
    side = picture.shape[0]
    centre = tuple(int(v) for v in chance.uniform(0.2, 0.8, 2) * side)
    reach = int(chance.uniform(0.3, 0.8) * side)
    floor, rim = any_colour(chance, 0.4), any_colour(chance, 0.3)
    mask, wall = np.zeros((side, side), np.uint8), np.zeros((side, side), np.uint8)
    thick = max(2, int(chance.uniform(0.02, 0.12) * side))
    if chance.random() < 0.5:
        cv2.circle(mask, (centre[0], centre[1]), reach, 255, -1)
        cv2.circle(wall, (centre[0], centre[1]), reach, 255, thick)
    else:
        box = cv2.boxPoints(((float(centre[0]), float(centre[1])), (2.0 * reach, 1.6 * reach), chance.uniform(0, 90)))
        cv2.fillPoly(mask, [box.astype(np.int32)], 255)
        cv2.polylines(wall, [box.astype(np.int32)], True, 255, thick)
    texture = picture.mean(axis=2, keepdims=True) / max(1.0, float(picture.mean()))
    picture[mask > 0] = (floor * (0.8 + 0.2 * texture))[mask > 0]
    picture[wall > 0] = rim


def _thing(picture: Ground, chance: Chance) -> None:
    """Lay something with an outline that is no die: a coin, a card with dots, a finger, a box."""
    side = picture.shape[0]
    x, y = (int(v) for v in chance.uniform(0, side, 2))
    size = int(chance.uniform(8, 70))
    colour = [float(c) for c in any_colour(chance)]
    other = [float(c) for c in any_colour(chance)]
    kind = chance.random()
    if kind < 0.25:
        cv2.circle(picture, (x, y), size // 2, colour, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), max(1, int(size * 0.35)), other, 1 + size // 20, cv2.LINE_AA)
    elif kind < 0.6:
        box = cv2.boxPoints(((float(x), float(y)), (size * 1.4, size * 2.0), chance.uniform(0, 180)))
        cv2.fillPoly(picture, [box.astype(np.int32)], colour, cv2.LINE_AA)
        for _ in range(int(chance.integers(0, 9))):
            at = box.mean(axis=0) + chance.uniform(-0.5, 0.5, 2) * size
            cv2.circle(
                picture,
                (int(at[0]), int(at[1])),
                max(1, int(size * chance.uniform(0.03, 0.12))),
                other,
                -1,
                cv2.LINE_AA,
            )
    elif kind < 0.75:
        skin = [chance.uniform(80, 150), chance.uniform(110, 180), chance.uniform(170, 240)]
        ends = chance.uniform(0, side, 2).astype(int)
        cv2.line(picture, (x, y), (int(ends[0]), int(ends[1])), skin, max(4, size // 2), cv2.LINE_AA)
    else:
        corners = chance.uniform(-0.5, 0.5, (5, 2)) * size + (x, y)
        hull = cv2.convexHull(corners.astype(np.float32)).astype(np.int32)
        cv2.fillPoly(picture, [hull], colour, cv2.LINE_AA)


def _shadow(picture: Ground, chance: Chance) -> None:
    side = picture.shape[0]
    mask = np.ones((side, side), np.float32)
    corners = (chance.uniform(-0.3, 1.3, (5, 2)) * side).astype(np.float32)
    cv2.fillPoly(mask, [cv2.convexHull(corners).astype(np.int32)], float(chance.uniform(0.35, 0.8)))
    picture *= cv2.GaussianBlur(mask, (0, 0), chance.uniform(1, 14))[..., None]
