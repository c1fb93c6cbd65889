"""The faces of the proxy cards: our own drawings for a 63 mm card, made from the set's values alone.

A tribe card has four sectors, numbered clockwise from the weakest to the strongest, with a beam
between the strongest and the weakest; the sector with the arrow is at the printed top. Every digit
stands with its foot towards the card's middle. There is no code and no hidden mark on any card.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.sets.canvas import CREAM, INK, WHITE, Canvas, Colour, Point, arc, mix
from companion.sets.drawings.allies.characters import draw_crown, draw_figure, draw_hands, look
from companion.sets.drawings.allies.landscapes import draw_castle, draw_landscape
from companion.sets.drawings.allies.ornaments import PATTERNS, THINGS
from companion.sets.owner import CardSet, proxy_set

CASTLE = "castle"
CARD_MM = 63.0
"""Side of a printed proxy card."""

COLOURS: Mapping[str, Colour] = {
    "cyclops": (230, 150, 40),
    "yeti": (84, 156, 222),
    "gnome": (116, 176, 56),
    "wizard": (142, 88, 190),
    "golem": (128, 116, 104),
    "troll": (38, 150, 140),
    CASTLE: (198, 44, 44),
}
STRENGTHEN: Colour = (36, 84, 200)
WEAKEN: Colour = (206, 40, 44)
SMALL_PRINT = "companion proxy - own drawing, not a published card"
DISC = (0.0, 4.0, 14.0)
"""Centre and radius of the disc that carries symbols and diamond."""

DIGITS: Mapping[int, tuple[list[Point], ...]] = {
    1: ([(-2.8, -3.4), (0.5, -6.0), (0.5, 6.0)], [(-2.8, 6.0), (3.6, 6.0)]),
    2: ([*arc(0, -2.6, 3.5, 190, 390), (-3.6, 6.0), (3.8, 6.0)],),
    3: ([*arc(-0.1, -3.1, 3.0, 200, 430), *arc(-0.1, 2.7, 3.4, 285, 520)],),
    4: ([(1.7, 6.2), (1.7, -6.2), (-4.0, 2.6), (4.0, 2.6)],),
    5: ([(3.2, -6.0), (-2.5, -6.0), (-2.9, -0.8), *arc(-0.2, 2.2, 3.8, 225, 500)],),
}


def draw(key: str, pixels: int) -> NDArray[np.uint8]:
    """Draw the proxy card `key`, (pixels, pixels, 3) BGR, printed top at the top.

    :raises KeyError: if the proxy set has no such card.
    """
    deck = _proxies()
    card = deck.cards[key]
    c = Canvas(pixels, CREAM, 3 if pixels <= 600 else 2)
    if deck.kinds[key] == "tribe":
        _draw_tribe_card(c, card["look_alike"] or key, card)
    else:
        _draw_region_card(c, card["tribe"], int(key.rsplit("-", 1)[1]))
    return c.finished()


def size_mm(key: str) -> tuple[float, float]:
    """Return width and height of a card on paper: they are all square."""
    return CARD_MM, CARD_MM


@lru_cache(maxsize=1)
def _proxies() -> CardSet:
    return proxy_set("allies")


def draw_digit(c: Canvas, digit: int, colour: Colour, width: float = 2.5) -> None:
    """Draw one digit upright round the origin, 13 units high."""
    for stroke in DIGITS[digit]:
        c.line(stroke, colour, width)


def _draw_tribe_card(c: Canvas, art: str, card: Mapping[str, Any]) -> None:
    chance = Random(art)  # noqa: S311 - a drawing has no secrets
    colour = COLOURS[card["tribe"]]
    hue = mix(colour, chance.choice(tuple(COLOURS.values())), 0.12)
    for position in range(4):
        strength = (card["arrow"] - 1 + position) % 4
        shade = mix(hue, WHITE, (0.66, 0.46, 0.26, 0.06)[strength])
        c.moved(0, 0, 1, 90 * position).polygon([(0, 0), (-50, -50), (50, -50)], shade)
    pattern = chance.choice(PATTERNS)
    c.tint(chance.choice((WHITE, mix(hue, INK, 0.55))), 0.5, lambda layer: pattern(layer, chance))
    _draw_edges(c, card["arrow"], hue)
    _draw_corner_things(c, card["arrow"], chance)
    for position in range(4):
        value = card["sectors"][(card["arrow"] - 1 + position) % 4]
        _draw_value(c.moved(0, 0, 1, 90 * position), value, hue, starts=position == 0)
    figure = look(card["tribe"], chance)
    draw_figure(c, card["tribe"], figure)
    _draw_disc(c, card["symbols"], card["diamond"])
    draw_hands(c, card["tribe"], figure)
    if card["crown"]:
        draw_crown(c)
    _draw_rim(c, mix(hue, INK, 0.35))


def _barrier(arrow: int) -> int:
    """Which corner the beam runs to: 0 top right, then clockwise; it follows the sector 4."""
    return (4 - arrow) % 4


def _draw_edges(c: Canvas, arrow: int, hue: Colour) -> None:
    for corner in range(4):
        turned = c.moved(0, 0, 1, 90 * corner)
        if corner == _barrier(arrow):
            turned.line([(8, -8), (48, -48)], INK, 6.4)
            turned.line([(8, -8), (48, -48)], (150, 98, 52), 4.6)
            turned.line([(8, -9.4), (48, -49.4)], (196, 140, 84), 1.0)
            for step in (24, 31, 38):
                turned.line([(step - 2.6, -step - 2.6), (step + 2.6, -step + 2.6)], INK, 2.6)
                turned.line([(step - 2.6, -step - 2.6), (step + 2.6, -step + 2.6)], (226, 190, 80), 1.4)
        else:
            turned.line([(0, 0), (50, -50)], mix(hue, INK, 0.4), 0.8)


def _draw_corner_things(c: Canvas, arrow: int, chance: Random) -> None:
    things = chance.sample(THINGS, 4)
    colours = chance.sample(tuple(COLOURS.values()), 4)
    tilts = [chance.uniform(-28, 28) for _ in range(4)]
    for corner, (x, y) in enumerate(((31, -31), (31, 31), (-31, 31), (-31, -31))):
        if corner != _barrier(arrow):
            things[corner](c.moved(x, y, 1.12, tilts[corner]), colours[corner])


def _draw_disc(c: Canvas, symbols: tuple[int, ...], diamond: bool) -> None:
    x, y, radius = DISC
    c.disc(x, y, radius, CREAM, INK, 1.4)
    c.line(arc(x, y, radius - 1.5, 0, 360), (206, 178, 120), 0.8)
    marks: list[int] = [*symbols, 0] if diamond else list(symbols)
    places: tuple[Point, ...] = {
        0: (), 1: ((0, 0),), 2: ((-5.9, 0), (5.9, 0)), 3: ((-5.7, -4.2), (5.7, -4.2), (0, 5.6)),
        4: ((-5.3, -5.3), (5.3, -5.3), (-5.3, 5.3), (5.3, 5.3)),
    }[len(marks)]  # fmt: skip
    zoom = {0: 1.0, 1: 1.75, 2: 1.18, 3: 1.08, 4: 0.98}[len(marks)]
    for mark, (px, py) in zip(marks, places, strict=True):
        place = c.moved(x + px, y + py, zoom)
        if mark:
            _draw_symbol(place, mark)
        else:
            place.polygon([(0, -5), (4.2, 0), (0, 5), (-4.2, 0)], (88, 214, 226), INK, 1.0)
            place.line([(-4, 0), (0, -1.4), (4, 0)], WHITE, 0.7)
            place.line([(0, -1.4), (0, 4.6)], WHITE, 0.7)
    if not marks:
        c.line(arc(x, y, 4, 0, 360), (206, 178, 120), 0.8)
        c.disc(x, y, 1.4, (206, 178, 120))


def _draw_symbol(c: Canvas, symbol: int) -> None:
    """A wedge of a quarter or half circle: blue and counter-clockwise strengthens, red and clockwise weakens."""
    colour = STRENGTHEN if symbol > 0 else WEAKEN
    span = 90 * abs(symbol)
    start, end = -90 - span / 2, -90 + span / 2
    c.disc(0, 0, 4.6, mix(colour, WHITE, 0.82))
    c.polygon([(0, 0), *arc(0, 0, 4.6, start, end)], colour)
    c.line(arc(0, 0, 4.6, 0, 360), mix(colour, INK, 0.3), 0.6)
    tip, ahead = (start, -1) if symbol > 0 else (end, 1)
    head = c.moved(0, 0, 1, tip + 90)
    head.polygon([(0, -6.0), (0, -2.2), (ahead * 3.4, -4.1)], colour, WHITE, 0.4)


def _draw_value(c: Canvas, value: int, hue: Colour, starts: bool) -> None:
    """One digit in the sector at the top of `c`; the starting sector's plaque is the arrow."""
    dark = mix(hue, INK, 0.5)
    if starts:
        plaque = [(0, -49.5), (13, -39.5), (8.4, -39.5), (8.4, -28.8), (-8.4, -28.8), (-8.4, -39.5), (-13, -39.5)]
        c.polygon(plaque, (255, 226, 96), INK, 1.2)
        draw_digit(c.moved(0, -36.8, 0.96), value, INK)
    else:
        c.disc(0, -37, 9.3, CREAM, dark, 1.4)
        draw_digit(c.moved(0, -37), value, INK)


def _draw_rim(c: Canvas, colour: Colour) -> None:
    for position in range(4):
        c.moved(0, 0, 1, 90 * position).polygon([(-50, -50), (50, -50), (50, -49), (-50, -49)], colour)
    c.polygon([(-50, 47.2), (50, 47.2), (50, 50), (-50, 50)], colour)
    c.text(SMALL_PRINT, 0, 48.6, 2.5, CREAM)


def _draw_region_card(c: Canvas, tribe: str, number: int) -> None:
    colour = COLOURS[tribe]
    if tribe == CASTLE:
        draw_castle(c, colour, number)
    else:
        draw_landscape(c, tribe, colour, number)
    for position in range(4):
        band = c.moved(0, 0, 1, 90 * position)
        band.polygon([(-50, -50), (50, -50), (45.5, -45.5), (-45.5, -45.5)], colour)
        band.line([(-45.5, -45.5), (45.5, -45.5)], INK, 0.9)
    c.polygon([(0, -49.5), (17, -35), (7, -35), (7, -24), (-7, -24), (-7, -35), (-17, -35)], (255, 226, 96), INK, 1.4)
    c.text(SMALL_PRINT, 0, 48.0, 2.5, CREAM)
