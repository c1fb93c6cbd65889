"""The proxies of King of the Dice: cards of 44 by 68 mm, and dice as nets to cut out and fold.

What a villager asks for stands at its foot as a row of dice: a colour without a number, a number
without a colour, or a sign for what all six together must come to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.sets.canvas import CREAM, INK, WHITE, Canvas, Colour, mix
from companion.sets.drawings.king_of_the_dice.figures import draw_figure, draw_place
from companion.sets.owner import CardSet, proxy_set

CARD_MM = (44.0, 68.0)
EDGE_MM = 16.0
"""The edge of a die of paper."""
NET_MM = (4 * EDGE_MM, 3 * EDGE_MM)
TALL = CARD_MM[1] / CARD_MM[0]
TOP, BOTTOM = -50 * TALL, 50 * TALL
SMALL_PRINT = "companion proxy - own drawing"

COLOURS: Mapping[str, Colour] = {
    "yellow": (240, 190, 60),
    "brown": (150, 104, 70),
    "blue": (74, 130, 206),
    "green": (96, 164, 80),
    "violet": (150, 96, 186),
    "red": (206, 54, 50),
    "none": (120, 120, 126),
}
_SYMBOLS = "ABC"


def draw(key: str, pixels: int) -> NDArray[np.uint8]:
    """Draw the proxy piece `key`, (height, pixels, 3) BGR, printed top at the top.

    :raises KeyError: if the proxy set has no such piece.
    """
    pieces = _proxies()
    fields, kind = pieces.cards[key], pieces.kinds[key]
    if kind == "die":
        return _draw_net(fields["net"], pixels)
    c = Canvas(pixels, CREAM, 3 if pixels <= 600 else 2, TALL)
    chance = Random(key)  # noqa: S311 - a drawing has no secrets
    match kind:
        case "villager":
            _draw_villager(c, fields, chance)
        case "place":
            _draw_place(c, fields, chance)
        case _:
            _draw_penalty(c, fields["minus"], chance)
    c.text(SMALL_PRINT, 0, BOTTOM - 2.4, 3.2, INK)
    return c.finished()


def size_mm(key: str) -> tuple[float, float]:
    """Return width and height of a piece on paper."""
    return NET_MM if _proxies().kinds[key] == "die" else CARD_MM


@lru_cache(maxsize=1)
def _proxies() -> CardSet:
    return proxy_set("king_of_the_dice")


def _draw_villager(c: Canvas, fields: Mapping[str, Any], chance: Random) -> None:
    colour = COLOURS[fields["colour"]]
    _background(c, colour, chance)
    draw_figure(c.moved(4, -8, 1.05), fields["kind"], chance)
    points = "n" if fields["kind"] == "fairy" else str(fields["points"])
    _badge(c, points, mix(colour, INK, 0.35))
    _draw_asked(c.moved(0, BOTTOM - 24), fields)


def _draw_place(c: Canvas, fields: Mapping[str, Any], chance: Random) -> None:
    colour = COLOURS[fields["colour"]]
    c.polygon([(-50, TOP), (50, TOP), (50, BOTTOM), (-50, BOTTOM)], mix(colour, WHITE, 0.2))
    _background(c.moved(0, 0, 0.86), colour, chance)
    draw_place(c.moved(0, 6, 1.25), fields["place"], fields["points"])
    _badge(c, str(fields["points"]), INK)
    c.text(fields["place"], 0, BOTTOM - 14, 9, INK)


def _draw_penalty(c: Canvas, minus: int, chance: Random) -> None:
    _background(c, (90, 84, 96), chance)
    for number in range(minus):
        x, y = chance.uniform(-24, 24), -14 + number * 9 + chance.uniform(-3, 3)
        mask = c.moved(x, y, 0.8, chance.uniform(-20, 20))
        mask.polygon([(-22, -7), (22, -7), (18, 8), (4, 4), (-4, 4), (-18, 8)], INK, CREAM, 0.8)
        for side in (-1, 1):
            mask.oval(side * 9, -1, 4.4, 2.6, CREAM)
    _badge(c, f"-{minus}", (150, 30, 36))


def _background(c: Canvas, colour: Colour, chance: Random) -> None:
    """Lay a pale ground with spots that no other card has in the same places."""
    c.polygon([(-46, TOP + 4), (46, TOP + 4), (46, BOTTOM - 5), (-46, BOTTOM - 5)], mix(colour, WHITE, 0.62), colour, 4)
    for _ in range(46):
        x, y = chance.uniform(-42, 42), chance.uniform(TOP + 8, BOTTOM - 9)
        tone = mix(colour, WHITE, chance.uniform(0.1, 0.5))
        spot = c.moved(x, y, chance.uniform(0.5, 1.4), chance.uniform(0, 360))
        match chance.randrange(3):
            case 0:
                spot.disc(0, 0, 3, tone)
            case 1:
                spot.polygon([(-3, -3), (4, 0), (-3, 3)], tone)
            case _:
                spot.line([(-4, 0), (4, 0)], tone, 1.4)


def _badge(c: Canvas, words: str, colour: Colour) -> None:
    c.disc(-32, TOP + 18, 12, WHITE, colour, 2)
    c.text(words, -32, TOP + 18, 15, INK)


def _draw_asked(c: Canvas, fields: Mapping[str, Any]) -> None:
    c.polygon([(-44, -13), (44, -13), (44, 13), (-44, 13)], WHITE, INK, 0.8)
    match fields["kind"]:
        case "rich":
            _row(c, ["2", "4", "6"] if fields["parity"] == "even" else ["1", "3", "5"], ["none"] * 3)
            c.text("only", 0, 9, 5, INK)
        case "orc":
            signs = [sign for sign, size in zip(_SYMBOLS, fields["groups"], strict=False) for _ in range(size)]
            _row(c, signs, ["none"] * len(signs))
        case "elves":
            _row(c, ["+"] * fields["length"], ["none"] * fields["length"], rising=True)
        case "mushroom":
            _row(c, ["="] * fields["count"], ["none"] * fields["count"])
        case "dwarf":
            _row(c, [str(fields["number"])] * fields["count"], ["none"] * fields["count"])
        case "hypnotist":
            c.text(f"sum up to {fields['sum']}", 0, 0, 12, INK)
        case "dragon":
            c.text(f"sum from {fields['sum']}", 0, 0, 12, INK)
        case _:
            _row(c, [""] * len(fields["colours"]), fields["colours"])


def _row(c: Canvas, signs: Sequence[str], colours: Sequence[str], rising: bool = False) -> None:
    for index, (sign, colour) in enumerate(zip(signs, colours, strict=True)):
        x = (index - (len(signs) - 1) / 2) * 14
        die = c.moved(x, (len(signs) / 2 - index) * 2.4 if rising else 0)
        fill = WHITE if colour == "none" else COLOURS[colour]
        die.polygon([(-5.6, -5.6), (5.6, -5.6), (5.6, 5.6), (-5.6, 5.6)], fill, INK, 0.9)
        if sign:
            die.text(sign, 0, 0, 9, INK)


def _draw_net(net: Sequence[str], pixels: int) -> NDArray[np.uint8]:
    """Draw a die as a cross of its six faces; faces that come in pairs in the net lie opposite each other."""
    c = Canvas(pixels, WHITE, 3 if pixels <= 600 else 2, NET_MM[1] / NET_MM[0])
    half = 12.5
    places = {0: (-1, 0), 1: (1, 0), 2: (0, 0), 3: (2, 0), 4: (0, -1), 5: (0, 1)}
    for index, (column, row) in places.items():
        colour, _, digit = net[index].rpartition("-")
        face = c.moved((column - 0.5) * 2 * half, row * 2 * half)
        face.polygon([(-half, -half), (half, -half), (half, half), (-half, half)], (238, 214, 172), INK, 0.5)
        face.text(digit, 0, 0, 18, COLOURS[colour])
        face.line([(-5, 9.4), (5, 9.4)], COLOURS[colour], 1.4)
    return c.finished()
