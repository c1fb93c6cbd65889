"""What looks like a die and is none, and what the networks take for one: crops of rendered scenes
from which the reader learns.

A spot of the finder far from every die is a miss. The reader sees it as it would in a photograph: as the
finder says, and again where the reader itself would look a second time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.find import find_spots
from vision.dice.nets import CONTEXT, CROP, Nets, Spot, cut
from vision.dice.scenes import Stage, TrueDie

Picture = NDArray[np.uint8]

SCENES = 700
_LEAST = 0.1
"""Spots count that are less sure than those which the reader is asked about."""


def render_misses(job: tuple[int, int, Path]) -> None:
    """Render scenes, most of them without a die, and keep the crops of all misses in a file."""
    seed, number, folder = job
    target = folder / f"{seed}_{number}.npy"
    if target.exists():
        return
    cv2.setNumThreads(1)
    chance = np.random.default_rng((seed, number, 1))
    stage, nets = Stage(chance, 30), Nets()
    crops: list[Picture] = []
    for k in range(SCENES):
        side = int(chance.choice((256, 384)))
        picture, dice = stage.scene(side) if k % 4 == 0 else (stage.bare(side), [])
        crops += _misses(nets, picture, dice, chance)
    np.save(target, np.stack(crops))


def _misses(nets: Nets, picture: Picture, dice: Sequence[TrueDie], chance: np.random.Generator) -> list[Picture]:
    spots = [spot for spot in find_spots(nets, picture, _LEAST) if not any(_may_be(spot, die) for die in dice)]
    if not spots:
        return []
    turns = [float(turn) for turn in chance.uniform(0, 360, len(spots))]
    first = [_cut(picture, spot, turn) for spot, turn in zip(spots, turns, strict=True)]
    seen = nets.glimpse([_cut(picture, spot, 0.0) for spot in spots])
    second = []
    for k, spot in enumerate(spots):
        x, y = (spot.x, spot.y) + seen.offset[k] * spot.edge
        moved = Spot(float(x), float(y), spot.edge * float(seen.scale[k]), spot.score)
        quarter = 90.0 * float(chance.integers(4))
        if seen.shares[k, 7] < 0.97 and not any(_may_be(moved, die) for die in dice):
            second.append(_cut(picture, moved, quarter - float(seen.turn[k])))
    return first + second


def _may_be(spot: Spot, die: TrueDie) -> bool:
    return bool(np.hypot(die.centre[0] - spot.x, die.centre[1] - spot.y) < 0.9 * max(die.edge, 0.5 * spot.edge))


def _cut(picture: Picture, spot: Spot, turn: float) -> Picture:
    return crop(picture, np.array((spot.x, spot.y)), spot.edge, np.radians(turn))


def near_miss(
    picture: Picture, dice: NDArray[np.float32], die: NDArray[np.float32], chance: np.random.Generator
) -> Picture | None:
    """Return a crop that shows no upper face as a whole: a side face, a single pip, several dice, or the table.

    `dice` and `die` are rows of the truth that training keeps; None if the place drawn shows a die after all.
    """
    x, y, edge, nx, ny = (float(die[k]) for k in (2, 3, 4, 7, 8))
    kind, angle = chance.random(), chance.uniform(0, 2 * np.pi)
    if kind < 0.3:  # the side that the camera sees lies where the upper face does not point
        angle = np.arctan2(-ny, -nx) + chance.uniform(-1.2, 1.2)
        reach, scale = chance.uniform(0.5, 0.9), np.exp(chance.uniform(-0.6, 0.2))
    elif kind < 0.55:
        reach, scale = chance.uniform(0, 0.5), np.exp(chance.uniform(np.log(0.2), np.log(0.5)))
    elif kind < 0.7:
        reach, scale = chance.uniform(0, 0.8), np.exp(chance.uniform(np.log(1.7), np.log(3.2)))
    elif kind < 0.85:
        reach, scale = chance.uniform(0.5, 1.3), np.exp(chance.uniform(-0.5, 0.5))
    else:
        side = picture.shape[0]
        (x, y), reach, scale, edge = chance.uniform(0, side, 2), 0.0, 1.0, chance.uniform(14, 60)
    place = np.array((x, y)) + edge * reach * np.array((np.cos(angle), np.sin(angle)))
    own = edge * float(scale)
    for _, _, cx, cy, other, *_ in dice:
        if np.hypot(cx - place[0], cy - place[1]) < 0.42 * other and 0.62 < own / other < 1.6:
            return None
    return crop(picture, place, own, chance.uniform(0, 2 * np.pi))


def crop(picture: NDArray[np.uint8], centre: NDArray[np.float64], edge: float, turn: float) -> NDArray[np.uint8]:
    """Return the crop that the reader would be given of a place, turned clockwise by `turn` radians."""
    level = max(0, int(np.log2(max(1.0, CONTEXT * edge / CROP))))
    for _ in range(level):
        picture = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    return cut(picture, float(centre[0]), float(centre[1]), edge, float(np.degrees(turn)), 2.0**level)
