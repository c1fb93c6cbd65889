"""The proxy board of three concentric discs: our own drawing, the two inner discs in any position.

The board fills a square picture. The outer disc does not turn; the middle and the inner one turn in
sixths. The radii are shares of the board's.
"""

from __future__ import annotations

import math
import random

import numpy as np
from numpy.typing import NDArray

from companion.sets.canvas import CREAM, INK, WHITE, Canvas, Colour, arc, mix

OUTER_RADIUS, MIDDLE_RADIUS, INNER_RADIUS, CASTLE_RADIUS = 1.0, 0.7, 0.4, 0.08

_REACH = 49.0
_TABLE: Colour = (196, 186, 168)
_LANDS: tuple[Colour, ...] = (
    (126, 172, 92),
    (66, 122, 78),
    (214, 188, 118),
    (150, 142, 134),
    (98, 150, 196),
    (188, 128, 96),
)
_SIXTH = 60.0


def draw_discs(middle: float = 0.0, inner: float = 0.0, pixels: int = 720) -> NDArray[np.uint8]:
    """Draw the board with the middle and the inner disc turned clockwise by so many sixths, BGR (pixels, pixels, 3).

    Whole numbers are positions, anything else lies between two.
    """
    canvas = Canvas(pixels, _TABLE, oversampling=2)
    for number, (radius, hole, turn) in enumerate(
        (
            (OUTER_RADIUS, MIDDLE_RADIUS, 0.0),
            (MIDDLE_RADIUS, INNER_RADIUS, middle),
            (INNER_RADIUS, CASTLE_RADIUS, inner),
        )
    ):
        _disc(canvas.moved(0, 0, 1.0, _SIXTH * turn), _REACH * radius, _REACH * hole, number)
    _castle(canvas.moved(0, 0, 1.0, _SIXTH * inner))
    return canvas.finished()


def _disc(canvas: Canvas, radius: float, hole: float, number: int) -> None:
    chance = random.Random(f"proxy disc {number}")  # noqa: S311 - a drawing needs no secrets
    canvas.disc(0, 0, radius, mix(_LANDS[number], CREAM, 0.25), INK, 0.5)
    fields = (18, 12, 6)[number]
    colours = [_LANDS[chance.randrange(len(_LANDS))] for _ in range(fields)]
    for k, colour in enumerate(colours):
        start, end = 360.0 / fields * k, 360.0 / fields * (k + 1)
        rim = 0.35 * chance.random() * (radius - hole) + hole
        outline = arc(0, 0, radius - 0.6, start, end) + arc(0, 0, rim, start, end)[::-1]
        canvas.polygon(outline, mix(colour, WHITE, 0.15 * chance.random()), INK, 0.25)
    _path(canvas, chance, radius, hole)
    for k in range(fields):
        _sign(canvas, chance, 360.0 / fields * (k + 0.5), radius, hole)


def _path(canvas: Canvas, chance: random.Random, radius: float, hole: float) -> None:
    """A road through the disc, other on every side, so that no turn looks like another."""
    for start in (20.0, 145.0, 230.0):
        points = []
        for step in range(9):
            reach = hole + (radius - hole) * step / 8
            angle = math.radians(start + 26.0 * math.sin(step / 2.5 + start) + chance.uniform(-3, 3))
            points.append((reach * math.cos(angle), reach * math.sin(angle)))
        canvas.line(points, mix(CREAM, INK, 0.1), 1.5)


def _sign(canvas: Canvas, chance: random.Random, angle: float, radius: float, hole: float) -> None:
    reach = hole + (radius - hole) * chance.uniform(0.3, 0.8)
    x, y = reach * math.cos(math.radians(angle)), reach * math.sin(math.radians(angle))
    size, kind = chance.uniform(1.4, 2.6), chance.randrange(5)
    if kind == 0:  # a wood
        for dx in (-size, 0.0, size):
            canvas.polygon(
                [(x + dx - size, y + size), (x + dx, y - size), (x + dx + size, y + size)], (44, 92, 56), INK, 0.2
            )
    elif kind == 1:  # a well
        canvas.disc(x, y, size, (92, 150, 214), INK, 0.5)
        canvas.disc(x, y, size * 0.4, WHITE)
    elif kind == 2:  # a mountain
        canvas.polygon(
            [(x - 1.6 * size, y + size), (x, y - 1.4 * size), (x + 1.6 * size, y + size)], (120, 112, 108), INK, 0.3
        )
        canvas.polygon([(x - 0.5 * size, y - 0.5 * size), (x, y - 1.4 * size), (x + 0.5 * size, y - 0.5 * size)], WHITE)
    elif kind == 3:  # a rune stone
        canvas.polygon(
            [(x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size)],
            (86, 78, 96),
            INK,
            0.3,
        )
        canvas.line([(x - 0.5 * size, y), (x, y - 0.6 * size), (x + 0.5 * size, y)], CREAM, 0.5)


def _castle(canvas: Canvas) -> None:
    radius = _REACH * CASTLE_RADIUS
    canvas.disc(0, 0, radius, (226, 206, 150), INK, 0.5)
    canvas.polygon(
        [(-0.5 * radius, 0.5 * radius), (0, -0.7 * radius), (0.5 * radius, 0.5 * radius)], (176, 58, 62), INK, 0.3
    )
