"""What makes one card's background unlike the next: patterns over the whole card, things in its corners."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from companion.sets.canvas import CREAM, INK, WHITE, Canvas, Colour, Point, arc, mix

Draw = Callable[[Canvas], None]


def star(radius: float, points: int = 5, waist: float = 0.45) -> list[Point]:
    """A star's outline round the origin, one tip up."""
    corners = []
    for step in range(2 * points):
        angle = math.pi * step / points - math.pi / 2
        reach = radius if step % 2 == 0 else radius * waist
        corners.append((reach * math.cos(angle), reach * math.sin(angle)))
    return corners


def _leaf(c: Canvas) -> None:
    c.polygon([*arc(0, 1.2, 3.2, 200, 340), *arc(0, -1.2, 3.2, 20, 160)], WHITE)


def _ring(c: Canvas) -> None:
    c.line(arc(0, 0, 2.6, 0, 360), WHITE, 1.0)


def _snowflake(c: Canvas) -> None:
    for degrees in (0, 60, 120):
        spoke = c.moved(0, 0, 1, degrees)
        spoke.line([(-3.4, 0), (3.4, 0)], WHITE, 0.7)
        for side in (-1, 1):
            spoke.line([(2.0 * side, -1.1), (2.9 * side, 0), (2.0 * side, 1.1)], WHITE, 0.6)


def _spiral(c: Canvas) -> None:
    turns = [math.radians(angle) for angle in range(0, 780, 20)]
    c.line([(a * 0.25 * math.cos(a), a * 0.25 * math.sin(a)) for a in turns], WHITE, 0.9)


def _drop(c: Canvas) -> None:
    c.polygon([(0, -3.6), *arc(0, 0.8, 2.2, -30, 210)], WHITE)


def _paw(c: Canvas) -> None:
    c.oval(0, 1.2, 2.0, 1.6, WHITE)
    for x, y in ((-2.2, -0.6), (-0.8, -1.9), (0.8, -1.9), (2.2, -0.6)):
        c.disc(x, y, 0.8, WHITE)


def _cross(c: Canvas) -> None:
    c.line([(-2.2, -2.2), (2.2, 2.2)], WHITE, 1.1)
    c.line([(-2.2, 2.2), (2.2, -2.2)], WHITE, 1.1)


def _crescent(c: Canvas) -> None:
    c.polygon([*arc(0, 0, 3.0, 60, 300), *arc(1.6, 0, 2.4, 290, 70)], WHITE)


def _scattered(motif: Draw) -> Callable[[Canvas, Random], None]:
    def draw(c: Canvas, chance: Random) -> None:
        spacing = chance.uniform(9.5, 12.5)
        steps = int(120 / spacing)
        for row in range(steps):
            for column in range(steps):
                x = -58 + (column + 0.5 * (row % 2)) * spacing + chance.uniform(-2.4, 2.4)
                y = -58 + row * spacing + chance.uniform(-2.4, 2.4)
                motif(c.moved(x, y, chance.uniform(0.65, 1.35), chance.uniform(0, 360)))

    return draw


def _waves(c: Canvas, chance: Random) -> None:
    slope, length, height = chance.uniform(-80, 80), chance.uniform(9, 18), chance.uniform(1.2, 3.0)
    turned = c.moved(0, 0, 1, slope)
    y = -74.0
    while y < 74:
        shift = chance.uniform(0, 6.3)
        points = [(x, y + height * math.sin(x / length * math.pi + shift)) for x in range(-74, 75, 2)]
        turned.line(points, WHITE, chance.choice((0.7, 1.1, 1.7)))
        y += chance.uniform(4.5, 9)


def _rays(c: Canvas, chance: Random) -> None:
    degrees = chance.uniform(0, 30)
    while degrees < 360:
        width = chance.uniform(4, 11)
        c.polygon([(0, 0), *arc(0, 0, 80, degrees, degrees + width)], WHITE)
        degrees += width + chance.uniform(5, 14)


def _stones(c: Canvas, chance: Random) -> None:
    y = -50.0
    while y < 50:
        height = chance.uniform(6, 10)
        x = -50 - chance.uniform(0, 12)
        while x < 50:
            width = chance.uniform(8, 18)
            c.line([(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)], WHITE, 0.8)
            x += width
        y += height


PATTERNS: tuple[Callable[[Canvas, Random], None], ...] = (
    _scattered(_leaf), _scattered(_ring), _scattered(_snowflake), _scattered(_spiral), _scattered(_drop),
    _scattered(_paw), _scattered(_cross), _scattered(_crescent), _scattered(lambda c: c.polygon(star(3.2), WHITE)),
    _waves, _rays, _stones,
)  # fmt: skip
"""Draw in white over the whole card; the caller tints with it. All chance comes from the seed given."""


def _mushroom(c: Canvas, colour: Colour) -> None:
    c.polygon([(-2.2, 7), (-1.6, 0), (1.6, 0), (2.2, 7)], CREAM, INK)
    c.polygon(arc(0, 0.6, 7.5, 180, 360), colour, INK)
    for x, y, radius in ((-3.4, -2.2, 1.4), (1.2, -4.4, 1.3), (4.2, -1.4, 1.0)):
        c.disc(x, y, radius, WHITE)


def _key(c: Canvas, colour: Colour) -> None:
    c.line([(0, -2), (0, 8)], INK, 3.2)
    c.line([(0, -2), (0, 8)], colour, 1.7)
    c.line([(0, 7.6), (3.4, 7.6)], INK, 2.2)
    c.line([(0, 4.4), (2.8, 4.4)], INK, 2.2)
    c.disc(0, -5, 4.2, colour, INK)
    c.disc(0, -5, 1.7, INK)


def _lantern(c: Canvas, colour: Colour) -> None:
    c.line(arc(0, -4, 3.4, 180, 360), INK, 1.0)
    c.polygon([(-4.4, -3), (4.4, -3), (3.4, 7), (-3.4, 7)], colour, INK)
    c.oval(0, 2, 1.8, 3.4, (255, 224, 120), INK, 0.6)


def _potion(c: Canvas, colour: Colour) -> None:
    c.polygon([(-1.6, -8), (1.6, -8), (1.6, -2), *arc(0, 3, 5.6, -70, 250), (-1.6, -2)], WHITE, INK)
    c.polygon(arc(0, 3, 4.8, -5, 185), colour)
    for x, y in ((-1.6, 0.4), (1.4, -1.2), (0.2, -4.2)):
        c.disc(x, y, 0.8, colour)


def _axe(c: Canvas, colour: Colour) -> None:
    c.line([(-1, 8), (0.6, -8)], INK, 2.6)
    c.line([(-1, 8), (0.6, -8)], (150, 102, 58), 1.3)
    c.polygon([(0.6, -6.6), (6.8, -8.4), *arc(1, -3.6, 7, -38, 38), (6.4, 1.2), (0.2, -1.2)], colour, INK)


def _fish(c: Canvas, colour: Colour) -> None:
    c.polygon([(4, 0), (9, -4), (8, 0), (9, 4)], colour, INK)
    c.oval(-1, 0, 6.6, 3.8, colour, INK)
    c.disc(-4.4, -0.8, 0.9, INK)
    c.line(arc(-1.6, 0, 2.6, -50, 50), INK, 0.8)


def _flower(c: Canvas, colour: Colour) -> None:
    c.line([(0, 0), (0.8, 8.6)], (62, 120, 54), 1.4)
    for degrees in range(0, 360, 60):
        c.moved(0, -1.6, 1, degrees).oval(0, -3.9, 1.9, 3.0, colour, INK, 0.6)
    c.disc(0, -1.6, 2.2, (250, 206, 76), INK, 0.6)


def _gem(c: Canvas, colour: Colour) -> None:
    c.polygon([(-4.4, -5), (4.4, -5), (7.4, -1), (0, 8), (-7.4, -1)], colour, INK)
    c.line([(-7.2, -1), (7.2, -1)], INK, 0.7)
    c.line([(-2.6, -1), (0, 7.6), (2.6, -1), (0, -4.8), (-2.6, -1)], INK, 0.7)


def _pine(c: Canvas, colour: Colour) -> None:
    c.polygon([(-1.3, 4), (1.3, 4), (1.3, 8.6), (-1.3, 8.6)], (126, 84, 52), INK)
    for y, width in ((4.8, 6.6), (0.6, 5.4), (-3.4, 4.0)):
        c.polygon([(-width, y), (0, y - 6.2), (width, y)], mix(colour, (30, 120, 70), 0.6), INK, 0.7)


def _drum(c: Canvas, colour: Colour) -> None:
    c.polygon([(-6, -3), (6, -3), (6, 5), *arc(0, 5, 6, 0, 180)], colour, INK)
    c.line([(-6, -2), (-3, 7), (0, -1), (3, 7), (6, -2)], CREAM, 0.9)
    c.oval(0, -3, 6, 2.4, CREAM, INK)


def _owl(c: Canvas, colour: Colour) -> None:
    c.polygon([(-5.4, -8), (0, -6), (5.4, -8), *arc(0, 0.6, 6.2, -40, 220)], colour, INK)
    for x in (-2.4, 2.4):
        c.disc(x, -2.6, 2.2, WHITE, INK, 0.6)
        c.disc(x, -2.6, 0.9, INK)
    c.polygon([(-1, -0.8), (1, -0.8), (0, 1.4)], (244, 170, 50))
    c.line(arc(0, 2.6, 2.6, 20, 160), CREAM, 0.8)


def _bell(c: Canvas, colour: Colour) -> None:
    c.disc(0, 6.6, 1.8, INK)
    c.polygon([(-7, 5.4), (-4.6, 2.6), *arc(0, -2, 4.6, 180, 360), (4.6, 2.6), (7, 5.4)], colour, INK)
    c.line([(-4, 2.2), (4, 2.2)], INK, 0.7)


def _snail(c: Canvas, colour: Colour) -> None:
    c.line([(-7, 6), (5, 6), (6.8, 0)], INK, 3.6)
    c.line([(-7, 6), (5, 6), (6.8, 0)], (238, 204, 150), 2.2)
    c.line([(6.6, 0), (5.2, -4)], INK, 0.7)
    c.line([(6.8, 0), (8.4, -3.6)], INK, 0.7)
    c.disc(-1, 1, 5.4, colour, INK)
    c.line(arc(-1, 1, 3.2, 0, 300), INK, 0.8)
    c.line(arc(-1, 1, 1.2, 120, 360), INK, 0.8)


def _boot(c: Canvas, colour: Colour) -> None:
    c.polygon([(-4, -8), (2, -8), (2, 1), (7, 3), (7.4, 7), (-4, 7)], colour, INK)
    c.line([(-4, 7), (7.4, 7)], INK, 1.6)
    c.line([(-4, -6), (2, -6)], CREAM, 1.0)


THINGS: tuple[Callable[[Canvas, Colour], None], ...] = (
    _mushroom, _key, _lantern, _potion, _axe, _fish, _flower, _gem, _pine, _drum, _owl, _bell, _snail, _boot,
)  # fmt: skip
"""Small things for the corners, about 16 units high round the origin."""
