"""The colours of a die: body, marbling, marks, how it mirrors the lamp."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.dice.solid import Sprite

Colour = tuple[float, float, float]
"""Blue, green, red, 0 to 255."""


@dataclass(frozen=True)
class Paint:
    """What one die is made of.

    `body` and `vein` mix along noise if `marbling` is above 0, in grains if `speckled`; `faces` gives each
    of the six faces a body of its own instead. `ambient` is the light that comes from everywhere, `gloss` how strongly
    the lamp is mirrored, `seed` makes the marbling.
    """

    body: Colour = (235.0, 240.0, 240.0)
    mark: Colour = (25.0, 25.0, 25.0)
    vein: Colour = (235.0, 240.0, 240.0)
    marbling: float = 0.0
    faces: tuple[Colour, ...] = ()
    marks: tuple[Colour, ...] = ()
    ambient: float = 0.5
    gloss: float = 0.3
    seed: int = 0
    speckled: bool = False


def paint(sprite: Sprite, of: Paint) -> NDArray[np.float32]:
    """Return the die in colour, BGR float32 (size, size, 3) of 0 to about 255; black outside it."""
    body = np.empty((*sprite.face.shape, 3), np.float32)
    if of.faces:
        body[:] = np.array(of.faces, np.float32)[sprite.face]
    elif of.marbling > 0:
        share = (_grains if of.speckled else _veins)(sprite.spot, of)[..., None]
        body[:] = np.array(of.body, np.float32) * (1 - share) + np.array(of.vein, np.float32) * share
    else:
        body[:] = np.array(of.body, np.float32)
    mark = np.array(of.marks, np.float32)[sprite.face] if of.marks else np.array(of.mark, np.float32)
    share = sprite.mark[..., None]
    light = (of.ambient + (1 - of.ambient) * sprite.shade)[..., None]
    seen = (body * (1 - share) + mark * share) * light + 255 * of.gloss * sprite.gloss[..., None]
    return np.asarray(seen * sprite.cover[..., None], np.float32)


def _veins(spot: NDArray[np.float32], of: Paint) -> NDArray[np.float32]:
    chance = np.random.default_rng(of.seed)
    waves = chance.normal(0, 6, (3, 3)).astype(np.float32)
    warp = np.sin(spot @ waves[0] + chance.uniform(0, 6)) * 1.5
    wave = np.sin(spot @ waves[1] + warp) + 0.5 * np.sin(2.3 * (spot @ waves[2]) + 1.7 * warp)
    return np.asarray(of.marbling * (0.5 + 0.5 * np.tanh(2 * wave)), np.float32)


def _grains(spot: NDArray[np.float32], of: Paint) -> NDArray[np.float32]:
    """Return which places lie in a grain: cells of a 20th of an edge, a sixth of them."""
    chance = np.random.default_rng(of.seed)
    grains = (chance.random((41, 41, 41)) < 0.17).astype(np.float32)
    x, y, z = np.moveaxis(np.clip((spot + 1) * 20, 0, 40).astype(np.int64), -1, 0)
    return np.asarray(of.marbling * grains[x, y, z], np.float32)
