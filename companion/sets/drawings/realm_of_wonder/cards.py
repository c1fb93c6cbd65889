"""The proxies of Realm of Wonder: cards of 44 by 67 mm and tower tiles of 25 mm, no two alike.

Movement cards show the speed small at the top and the points beside the shoe; magic cards are a picture
without words, with a bent arm where they have a muscle; quests are written out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.sets.canvas import CREAM, INK, WHITE, Canvas, Colour, mix
from companion.sets.drawings.realm_of_wonder.icons import draw_icon, muscle, shoe
from companion.sets.owner import CardSet, proxy_set

CARD_MM, TILE_MM = (44.0, 67.0), (25.0, 25.0)
TALL = CARD_MM[1] / CARD_MM[0]
SMALL_PRINT = "companion proxy - own drawing"

TINTS: Mapping[str, Colour] = {
    "cannon": (150, 150, 160), "lightning": (240, 214, 110), "plus-three": (150, 206, 150),
    "minus-three": (232, 160, 150), "balloon": (160, 206, 240), "rune-stone": (120, 150, 196),
    "transfer": (214, 186, 130), "wish": (206, 170, 226), "submarine": (96, 170, 190), "counter": (196, 160, 214),
}  # fmt: skip
QUESTS: Mapping[str, tuple[str, ...]] = {
    "forts": ("Hold {goal} wells", "with a fort", "at one time."),
    "strongholds": ("Hold {goal}", "strongholds", "at one time."),
    "regions": ("Have a fort", "in {goal} regions."),
    "hoard": ("Gather {goal}", "magic points."),
    "fights": ("Win {goal} fights", "against players", "or monsters."),
}  # fmt: skip


def draw(key: str, pixels: int) -> NDArray[np.uint8]:
    """Draw the proxy piece `key`, (height, pixels, 3) BGR, printed top at the top.

    :raises KeyError: if the proxy set has no such piece.
    """
    pieces = _proxies()
    kind, fields = pieces.kinds[key], pieces.cards[key]
    tall = 1.0 if kind == "tile" else TALL
    c = Canvas(pixels, CREAM, 3 if pixels <= 600 else 2, tall)
    chance = Random(key)  # noqa: S311 - a drawing has no secrets
    _FACES[kind](c, fields, chance)
    if kind != "tile":
        c.text(SMALL_PRINT, 0, 50 * tall - 2.4, 3.2, INK)
    return c.finished()


def size_mm(key: str) -> tuple[float, float]:
    """Return width and height of a piece on paper."""
    return TILE_MM if _proxies().kinds[key] == "tile" else CARD_MM


@lru_cache(maxsize=1)
def _proxies() -> CardSet:
    return proxy_set("realm_of_wonder")


def _ground(c: Canvas, colour: Colour, chance: Random, tall: float) -> None:
    """Draw the frame and a sky of stars and clouds that no other piece has."""
    edge, inner = 50 * tall, 50 * tall - 5
    c.polygon([(-50, -edge), (50, -edge), (50, edge), (-50, edge)], mix(colour, INK, 0.45))
    c.polygon([(-46, 4 - edge), (46, 4 - edge), (46, inner), (-46, inner)], mix(colour, WHITE, 0.35))
    for _ in range(round(40 * tall)):
        spot = c.moved(chance.uniform(-42, 42), chance.uniform(8 - edge, inner - 4), chance.uniform(0.6, 1.9))
        tone = mix(colour, chance.choice((WHITE, INK)), chance.uniform(0.2, 0.6))
        if chance.random() < 0.5:
            spot.polygon([(0, -4), (1.2, -1), (4, 0), (1.2, 1), (0, 4), (-1.2, 1), (-4, 0), (-1.2, -1)], tone)
        else:
            spot.disc(0, 0, chance.uniform(1, 3), tone)


def _movement(c: Canvas, fields: Mapping[str, Any], chance: Random) -> None:
    speed, points, special = fields["speed"], fields["points"], fields["special"]
    slow, fast = (150, 176, 120), (236, 140, 90)
    _ground(c, mix(slow, fast, (speed - 1) / 49), chance, TALL)
    horizon = chance.uniform(-6, 8)
    bends = [(chance.uniform(-26, 26), horizon + 10 * step) for step in range(6)]
    for step, ((x, y), (to_x, to_y)) in enumerate(pairwise(bends)):
        c.line([(x, y), (to_x, to_y)], mix(CREAM, INK, 0.25), 3 + 1.6 * step)
    for _ in range(5):
        x, high = chance.uniform(-27, 27), chance.uniform(10, 26)
        c.polygon([(x - high * 0.7, horizon), (x, horizon - high), (x + high * 0.7, horizon)],
                  mix((110, 120, 140), WHITE, chance.uniform(0, 0.4)), INK, 0.6)  # fmt: skip
    c.disc(-32, -58, 11, CREAM, INK, 1)
    c.text(str(speed), -32, -58, 10, INK)
    c.disc(0, 32, 34, mix(CREAM, WHITE, 0.4), INK, 1.2)
    shoe(c.moved(-7, 34, 0.75))
    c.text(str(points), 21, 33, 24, INK)
    if special != "none":
        c.disc(31, -56, 14, CREAM, INK, 1)
        draw_icon(c.moved(31, -56, 0.45), special)


def _magic(c: Canvas, fields: Mapping[str, Any], chance: Random) -> None:
    spell = fields["spell"]
    _ground(c, TINTS[spell], chance, TALL)
    rays, turn = chance.randint(7, 15), chance.uniform(0, 360)
    for ray in range(rays):
        angle = math.radians(turn + 360 * ray / rays)
        x, y, aside = math.cos(angle), math.sin(angle), chance.uniform(2, 5)
        c.polygon([(20 * x - aside * y, 20 * y + aside * x - 8), (44 * x, 44 * y - 8),
                   (20 * x + aside * y, 20 * y - aside * x - 8)], mix(TINTS[spell], WHITE, 0.7))  # fmt: skip
    c.disc(0, -8, 36, CREAM, INK, 1.2)
    draw_icon(c.moved(0, -8), spell)
    if fields["muscle"]:
        c.disc(0, 54, 15, CREAM, INK, 1)
        muscle(c.moved(0, 56, 0.48))


def _quest(c: Canvas, fields: Mapping[str, Any], chance: Random) -> None:
    _ground(c, (180, 130, 90), chance, TALL)
    c.polygon([(-36, -50), (36, -50), (36, 48), (-36, 48)], CREAM, INK, 1)
    for y in (-50, 48):
        c.oval(0, y, 40, 6, mix(CREAM, INK, 0.15), INK, 1)
    c.text("The King's quest", 0, -34, 8, INK)
    says = QUESTS[fields["quest"]]
    for line, words in enumerate(says):
        c.text(words.format(goal=fields["goal"]), 0, -8 + 13 * line, 9, INK)
    c.disc(0, 34, 8, (190, 50, 50), INK, 1)


def _tile(c: Canvas, fields: Mapping[str, Any], chance: Random) -> None:
    _ground(c, (168, 160, 176), chance, 1.0)
    c.disc(0, 0, 38, CREAM, INK, 1.2)
    draw_icon(c.moved(0, 0, 1.15, chance.choice((-6, 0, 6))), fields["tile"])


_FACES = {"movement": _movement, "magic": _magic, "quest": _quest, "tile": _tile}
