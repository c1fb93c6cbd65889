"""The proxies of Vaalbara: a landscape for each land, no two alike, and a figure for each character.

A land shows its type, the number of a forest, and from how many players it is used. Clan signs stand
on the backs of the published cards only; the set lists ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.sets.canvas import CREAM, INK, WHITE, Canvas, Colour, arc, mix
from companion.sets.drawings.vaalbara.figures import draw_figure
from companion.sets.owner import CardSet, proxy_set

CARD_MM = (44.0, 67.0)
TALL = CARD_MM[1] / CARD_MM[0]
TOP, BOTTOM = -50 * TALL, 50 * TALL
SMALL_PRINT = "companion proxy - own drawing"

COLOURS: Mapping[str, Colour] = {
    "meadow": (212, 84, 70),
    "forest": (62, 140, 84),
    "mountain": (132, 98, 170),
    "field": (232, 190, 62),
    "village": (156, 108, 72),
    "river": (62, 130, 206),
}
CLOTHES: tuple[Colour, ...] = (
    (196, 60, 54), (70, 120, 190), (90, 150, 80), (230, 180, 60), (150, 96, 186), (120, 90, 66),
    (50, 140, 140), (210, 120, 160), (100, 110, 130), (180, 140, 90), (60, 80, 130), (140, 170, 60),
)  # fmt: skip


def draw(key: str, pixels: int) -> NDArray[np.uint8]:
    """Draw the proxy card `key`, (height, pixels, 3) BGR, printed top at the top.

    :raises KeyError: if the proxy set has no such card.
    """
    pieces = _proxies()
    fields = pieces.cards[key]
    c = Canvas(pixels, CREAM, 3 if pixels <= 600 else 2, TALL)
    chance = Random(key)  # noqa: S311 - a drawing has no secrets
    if pieces.kinds[key] == "land":
        _draw_land(c, fields, chance)
    else:
        _draw_character(c, fields, chance)
    c.text(SMALL_PRINT, 0, BOTTOM - 2.4, 3.2, INK)
    return c.finished()


def size_mm(key: str) -> tuple[float, float]:
    """Return width and height of a card on paper: they are all alike."""
    return CARD_MM


@lru_cache(maxsize=1)
def _proxies() -> CardSet:
    return proxy_set("vaalbara")


def _draw_land(c: Canvas, fields: Mapping[str, Any], chance: Random) -> None:
    kind = fields["type"]
    colour = COLOURS[kind]
    sky = mix((170, 206, 232), colour, chance.uniform(0.05, 0.25))
    c.polygon([(-50, TOP), (50, TOP), (50, BOTTOM), (-50, BOTTOM)], colour)
    c.polygon([(-46, TOP + 4), (46, TOP + 4), (46, BOTTOM - 5), (-46, BOTTOM - 5)], sky)
    horizon = chance.uniform(-22, -4)
    _hills(c, colour, horizon, chance)
    _SCENES[kind](c, colour, horizon, chance)
    c.disc(-34, TOP + 17, 11, WHITE, mix(colour, INK, 0.4), 2)
    c.text(f"{fields['players']}+", -34, TOP + 17, 12, INK)
    if kind == "forest":
        c.disc(32, TOP + 18, 13, WHITE, mix(colour, INK, 0.4), 2)
        c.text(str(fields["value"]), 32, TOP + 18, 17, INK)
    c.polygon([(-40, BOTTOM - 20), (40, BOTTOM - 20), (40, BOTTOM - 7), (-40, BOTTOM - 7)], CREAM, INK, 0.8)
    c.text(kind, 0, BOTTOM - 13.5, 10, INK)


def _hills(c: Canvas, colour: Colour, horizon: float, chance: Random) -> None:
    for layer in range(3):
        start = horizon + 13 * layer
        points = [(x, start + chance.uniform(-6, 6)) for x in range(-46, 47, 23)]
        tone = mix(mix(colour, WHITE, 0.45 - 0.15 * layer), INK, 0.04 * layer)
        c.polygon([(-46, BOTTOM - 5), *points, (46, BOTTOM - 5)], tone)


def _meadow(c: Canvas, colour: Colour, horizon: float, chance: Random) -> None:
    for _ in range(34):
        x, y = chance.uniform(-42, 42), chance.uniform(horizon + 8, BOTTOM - 24)
        flower = c.moved(x, y, chance.uniform(0.7, 1.6))
        petal = chance.choice((WHITE, (250, 220, 80), mix(colour, WHITE, 0.3), (230, 120, 180)))
        for turn in range(0, 360, 72):
            flower.moved(0, 0, 1, turn).oval(0, -2.6, 1.3, 2.0, petal)
        flower.disc(0, 0, 1.2, (240, 190, 40))


def _forest(c: Canvas, colour: Colour, horizon: float, chance: Random) -> None:
    for y in sorted(chance.uniform(horizon, BOTTOM - 30) for _ in range(15)):
        tree = c.moved(chance.uniform(-40, 40), y, chance.uniform(0.7, 1.3))
        tone = mix(colour, chance.choice((INK, WHITE, (200, 200, 60))), chance.uniform(0.05, 0.4))
        tree.line([(0, 0), (0, 10)], (96, 66, 44), 3)
        if chance.random() < 0.5:
            for step in range(3):
                tree.polygon(
                    [(-9 + 2 * step, -step * 6), (9 - 2 * step, -step * 6), (0, -13 - step * 6)], tone, INK, 0.4
                )
        else:
            tree.disc(0, -8, 9, tone, INK, 0.4)


def _mountain(c: Canvas, colour: Colour, horizon: float, chance: Random) -> None:
    for _ in range(5):
        x, high, wide = chance.uniform(-36, 36), chance.uniform(22, 46), chance.uniform(14, 26)
        foot = horizon + chance.uniform(12, 30)
        tone = mix(colour, chance.choice((INK, WHITE)), chance.uniform(0.1, 0.4))
        c.polygon([(x - wide, foot), (x, foot - high), (x + wide, foot)], tone, INK, 0.6)
        snow, aside = foot - 0.7 * high, 0.3 * wide
        c.polygon([(x - aside, snow), (x, foot - high), (x + aside, snow), (x, snow - 0.12 * high)], WHITE)


def _field(c: Canvas, colour: Colour, horizon: float, chance: Random) -> None:
    vanish = chance.uniform(-20, 20)
    for x in range(-80, 81, 12):
        c.line([(vanish + x * 0.12, horizon + 10), (x, BOTTOM - 22)], mix(colour, INK, chance.uniform(0.15, 0.5)), 1.6)
    for _ in range(12):
        sheaf = c.moved(chance.uniform(-38, 38), chance.uniform(horizon + 14, BOTTOM - 30), chance.uniform(0.7, 1.4))
        for lean in (-4, -2, 0, 2, 4):
            sheaf.line([(lean * 0.3, 6), (lean, -6)], mix(colour, (120, 80, 20), 0.5), 1.2)
        sheaf.line([(-2.4, 1), (2.4, 1)], (120, 80, 40), 1.2)


def _village(c: Canvas, colour: Colour, horizon: float, chance: Random) -> None:
    for y in sorted(chance.uniform(horizon + 6, BOTTOM - 32) for _ in range(8)):
        hut = c.moved(chance.uniform(-36, 36), y, chance.uniform(0.8, 1.4))
        wall = mix(CREAM, colour, chance.uniform(0, 0.4))
        roof = chance.choice(((170, 60, 50), (90, 70, 60), (200, 150, 60), (80, 100, 130)))
        hut.polygon([(-8, 0), (8, 0), (8, 10), (-8, 10)], wall, INK, 0.6)
        hut.polygon([(-11, 0), (0, -10), (11, 0)], roof, INK, 0.6)
        hut.polygon([(-2, 3), (2, 3), (2, 10), (-2, 10)], INK)


def _river(c: Canvas, colour: Colour, horizon: float, chance: Random) -> None:
    bends = [(chance.uniform(-24, 24), horizon + 8 + 12 * step) for step in range(7)]
    left = [(x - 3 - 2.4 * step, y) for step, (x, y) in enumerate(bends)]
    right = [(x + 3 + 2.4 * step, y) for step, (x, y) in enumerate(bends)]
    c.polygon([*left, *reversed(right)], (210, 232, 246))
    c.polygon(
        [(x + 1.2, y) for x, y in left] + [(x - 1.2, y) for x, y in reversed(right)], mix(colour, (40, 80, 160), 0.4)
    )
    for x, y in bends[1:]:
        c.line(arc(x + chance.uniform(-3, 3), y, 3.4, 200, 340), WHITE, 0.8)
    for _ in range(9):
        c.disc(
            chance.uniform(-42, 42),
            chance.uniform(horizon + 12, BOTTOM - 26),
            chance.uniform(1.6, 3.4),
            (150, 150, 146),
            INK,
            0.4,
        )


_SCENES = {
    "meadow": _meadow, "forest": _forest, "mountain": _mountain,
    "field": _field, "village": _village, "river": _river,
}  # fmt: skip


def _draw_character(c: Canvas, fields: Mapping[str, Any], chance: Random) -> None:
    name, initiative = fields["character"], fields["initiative"]
    colour = CLOTHES[(initiative - 1) % len(CLOTHES)]
    c.polygon([(-50, TOP), (50, TOP), (50, BOTTOM), (-50, BOTTOM)], mix(colour, INK, 0.4))
    c.polygon([(-46, TOP + 4), (46, TOP + 4), (46, BOTTOM - 5), (-46, BOTTOM - 5)], mix(colour, WHITE, 0.7))
    for _ in range(30):
        spot = c.moved(chance.uniform(-44, 44), chance.uniform(TOP + 8, BOTTOM - 10), chance.uniform(0.5, 1.3))
        spot.polygon([(-3, 2), (0, -3), (3, 2)], mix(colour, WHITE, chance.uniform(0.35, 0.6)))
    draw_figure(c.moved(3, -2, 1.3), name, colour)
    c.disc(-33, TOP + 17, 12, WHITE, INK, 2)
    c.text(str(initiative), -33, TOP + 17, 15, INK)
    c.polygon([(-42, BOTTOM - 20), (42, BOTTOM - 20), (42, BOTTOM - 7), (-42, BOTTOM - 7)], CREAM, INK, 0.8)
    c.text(name, 0, BOTTOM - 13.5, 9, INK)
