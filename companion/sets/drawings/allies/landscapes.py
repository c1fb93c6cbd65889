"""The region cards: where each tribe lives, by day and by night, and the three red castles."""

from __future__ import annotations

from random import Random

from companion.sets.canvas import CREAM, INK, WHITE, Canvas, Colour, Point, arc, mix
from companion.sets.drawings.allies.ornaments import star

SNOW: Colour = (240, 246, 252)
STONE: Colour = (150, 148, 150)
WOOD: Colour = (132, 88, 54)


def _sky(c: Canvas, colour: Colour, night: bool, chance: Random) -> None:
    sky = mix(colour, (24, 28, 66), 0.72) if night else mix(colour, WHITE, 0.62)
    c.polygon([(-50, -50), (50, -50), (50, 50), (-50, 50)], sky)
    x, y = chance.choice((-30, 30)), chance.uniform(-34, -28)
    if night:
        for _ in range(26):
            c.moved(chance.uniform(-48, 48), chance.uniform(-48, 4), chance.uniform(0.2, 0.5)).polygon(star(3), CREAM)
        c.polygon([*arc(x, y, 8, 60, 300), *arc(x + 4, y, 6.4, 290, 70)], (250, 240, 190), INK, 0.6)
    else:
        for degrees in range(0, 360, 30):
            c.moved(x, y, 1, degrees).polygon([(-1.2, -9), (0, -13), (1.2, -9)], (250, 206, 80))
        c.disc(x, y, 7.4, (252, 214, 92), INK, 0.8)
        for _ in range(3):
            cloud = c.moved(chance.uniform(-40, 40), chance.uniform(-26, -6), chance.uniform(0.7, 1.2))
            for px, radius in ((-5, 3.4), (0, 4.6), (5, 3.2)):
                cloud.disc(px, 0, radius, WHITE)


def _hill(c: Canvas, heights: list[Point], colour: Colour) -> None:
    c.polygon([(-50, 50), (-50, heights[0][1]), *heights, (50, heights[-1][1]), (50, 50)], colour, INK, 0.8)


def _peaks(c: Canvas, chance: Random, colour: Colour) -> None:
    for x in (-36, -8, 24, 44):
        top, half = chance.uniform(-24, -4), chance.uniform(18, 28)
        c.polygon([(x - half, 34), (x, top), (x + half, 34)], colour, INK)
        c.polygon(
            [(x - half * 0.26, top + 10), (x, top), (x + half * 0.26, top + 10), (x + 2, top + 7), (x - 2, top + 11)],
            SNOW,
            INK,
            0.7,
        )


def _cyclops(c: Canvas, chance: Random, night: bool) -> None:
    _hill(c, [(-50, 6), (-30, -6), (-8, -14), (14, -12), (34, 2), (50, 8)], (188, 132, 78))
    c.polygon([(-20, 36), *arc(-2, 14, 18, 180, 360), (16, 36)], (58, 40, 40), INK)
    c.oval(-2, 16, 9.4, 7.4, (250, 236, 190) if not night else (250, 196, 70), INK)
    c.disc(-2 + chance.uniform(-3, 3), 16, 3.6, INK)
    _hill(c, [(-50, 32), (-20, 36), (16, 35), (50, 28)], (222, 176, 100))
    for _ in range(7):
        x = chance.choice((-1, 1)) * chance.uniform(22, 46)
        c.disc(x, chance.uniform(34, 46), chance.uniform(2, 4.6), STONE, INK)


def _yeti(c: Canvas, chance: Random, night: bool) -> None:
    _peaks(c, chance, (120, 150, 190))
    _hill(c, [(-50, 24), (-20, 18), (10, 24), (50, 16)], SNOW)
    x = -14 if night else 16
    c.polygon(arc(x, 36, 17, 180, 360), (222, 236, 248), INK)
    for radius in (6, 11.4):
        c.line(arc(x, 36, radius + 5, 182, 358), (150, 180, 210), 0.8)
    c.polygon(arc(x, 36, 6, 180, 360), (40, 56, 96), INK)
    for _ in range(30):
        c.disc(chance.uniform(-48, 48), chance.uniform(-40, 46), chance.uniform(0.5, 1.1), WHITE)


def _gnome(c: Canvas, chance: Random, night: bool) -> None:
    _hill(c, [(-50, 14), (-24, 2), (8, 10), (32, -2), (50, 6)], (110, 168, 84))
    _hill(c, [(-50, 28), (-10, 22), (24, 26), (50, 20)], (142, 194, 96))
    for x, y, size in ((-22 if night else 18, 22, 1.9), (26 if night else -24, 26, 1.3), (2, 32, 0.9)):
        house = c.moved(x, y, size)
        house.polygon([(-6, 10), (-4.6, -2), (4.6, -2), (6, 10)], CREAM, INK)
        house.polygon(arc(0, -1, 11, 180, 360), chance.choice(((206, 70, 60), (224, 140, 50), (150, 80, 150))), INK)
        for px, py, radius in ((-5, -4.6, 1.7), (1.4, -8, 1.8), (6, -3.6, 1.3)):
            house.disc(px, py, radius, WHITE)
        house.polygon([(-2, 10), *arc(0, 4, 2, 180, 360), (2, 10)], WOOD, INK, 0.7)
    for _ in range(12):
        c.disc(
            chance.uniform(-46, 46),
            chance.uniform(38, 47),
            1.3,
            chance.choice(((250, 220, 90), (240, 120, 150), WHITE)),
        )


def _wizard(c: Canvas, chance: Random, night: bool) -> None:
    _hill(c, [(-50, 20), (-20, 10), (4, 0), (26, 10), (50, 18)], (126, 100, 160))
    x = 6 if night else -10
    c.polygon([(x - 8, 36), (x - 6.4, -14), (x + 6.4, -14), (x + 8, 36)], (206, 196, 214), INK)
    c.polygon([(x - 10, -13), (x, -36), (x + 10, -13)], (104, 62, 156), INK)
    c.polygon([(x + 8, 36), (x + 8, 8), (x + 18, 8), (x + 18, 36)], (186, 176, 198), INK)
    c.polygon([(x + 5.6, 9), (x + 13, -8), (x + 20.4, 9)], (150, 92, 190), INK)
    for px, py in ((x, -4), (x - 1, 8), (x + 13, 16), (x, 22)):
        c.polygon([(px - 1.8, py + 3), *arc(px, py, 1.8, 180, 360), (px + 1.8, py + 3)], (252, 216, 100), INK, 0.7)
    for _ in range(9):
        place = c.moved(x + chance.uniform(-34, 34), chance.uniform(-30, 10), chance.uniform(0.4, 0.9))
        place.polygon(star(3.4, 4, 0.3), (252, 226, 130))
    _hill(c, [(-50, 36), (-14, 32), (20, 35), (50, 32)], (96, 80, 130))


def _golem(c: Canvas, chance: Random, night: bool) -> None:
    _hill(c, [(-50, 8), (-26, 14), (6, 4), (30, 12), (50, 2)], (166, 160, 140))
    _hill(c, [(-50, 26), (0, 20), (50, 26)], (138, 148, 112))
    for x, height in ((-36, 26), (-18, 34), (14, 36), (32, 28)):
        lean = chance.uniform(-3, 3)
        grey = mix(STONE, (90, 92, 100), chance.random())
        c.polygon([(x - 6, 40), (x - 5 + lean, 40 - height), (x + 5 + lean, 39 - height), (x + 6.4, 41)], grey, INK)
        c.line([(x - 2, 36 - height / 2), (x + 1, 31 - height / 2), (x - 1, 27 - height / 2)], INK, 0.7)
    cap = (-24, 6) if night else (6, 6)
    c.polygon(
        [(cap[0], cap[1] - 4), (cap[0] + 34, cap[1] - 6), (cap[0] + 35, cap[1]), (cap[0] - 1, cap[1] + 2)], STONE, INK
    )
    for _ in range(9):
        c.polygon(
            [(p[0], p[1] + 44) for p in arc(chance.uniform(-46, 46), 0, chance.uniform(1.4, 3.4), 180, 360)],
            STONE,
            INK,
            0.7,
        )


def _troll(c: Canvas, chance: Random, night: bool) -> None:
    _hill(c, [(-50, 2), (-28, -8), (0, 2), (28, -10), (50, 0)], (70, 136, 128))
    _hill(c, [(-50, 14), (50, 12)], (104, 164, 136))
    c.polygon([(-14, 13), (14, 13), (38, 50), (-38, 50)], (70, 140, 190), INK)
    for y in (22, 30, 38, 45):
        x = chance.uniform(-10, 8)
        c.line([(x - 6, y), (x, y - 1.4), (x + 6, y)], (190, 226, 244), 1.0)
    c.polygon(
        [(-46, 26), *arc(0, 34, 40, 205, 335), (46, 26), (46, 34), *arc(0, 40, 30, 340, 200), (-46, 34)], STONE, INK
    )
    for x in (-26, -13, 0, 13, 26):
        c.polygon(
            [
                (x - 4, -4 + abs(x) * 0.3),
                (x + 4, -4 + abs(x) * 0.3),
                (x + 4, 2 + abs(x) * 0.3),
                (x - 4, 2 + abs(x) * 0.3),
            ],
            mix(STONE, WHITE, 0.3),
            INK,
            0.7,
        )
    for side in (-1, 1):
        c.disc(side * 4.6, 25, 2.6 if night else 2.0, (252, 226, 100), INK)
        c.disc(side * 4.6, 25, 0.9, INK)
    for x in (-40, 40):
        c.polygon([(x - 7, 20), (x, -12 + chance.uniform(-6, 6)), (x + 7, 20)], (40, 96, 76), INK)


LANDSCAPES = {
    "cyclops": _cyclops, "yeti": _yeti, "gnome": _gnome, "wizard": _wizard, "golem": _golem, "troll": _troll,
}  # fmt: skip


def draw_landscape(c: Canvas, tribe: str, colour: Colour, number: int) -> None:
    """Draw the home of a tribe: number 1 by day, 2 by night."""
    chance = Random(f"region-{tribe}-{number}")  # noqa: S311 - a drawing has no secrets
    night = number % 2 == 0
    _sky(c, colour, night, chance)
    LANDSCAPES[tribe](c, chance, night)


def draw_castle(c: Canvas, colour: Colour, number: int) -> None:
    """Draw one of the red castles; the number decides how many towers it has."""
    chance = Random(f"castle-{number}")  # noqa: S311 - a drawing has no secrets
    _sky(c, mix(colour, (250, 200, 120), 0.5), number == 2, chance)
    _hill(c, [(-50, 30), (-20, 24), (20, 26), (50, 32)], mix(colour, INK, 0.5))
    red, dark = colour, mix(colour, INK, 0.35)
    places = {1: (-24, 24), 2: (-28, 0, 28), 3: (-32, -11, 11, 32)}[number]
    c.polygon([(places[0], 38), (places[0], 6), (places[-1], 6), (places[-1], 38)], red, INK)
    for index, x in enumerate(places):
        top, half = chance.uniform(-22, -6), 8 if number < 3 else 6.4
        c.polygon([(x - half, 40), (x - half, top), (x + half, top), (x + half, 40)], red, INK)
        if (index + number) % 2:
            c.polygon([(x - half - 2, top), (x, top - 13), (x + half + 2, top)], dark, INK)
        else:
            for step in (-1, 0, 1):
                px = x + step * half * 0.8
                c.polygon(
                    [
                        (px - half * 0.28, top),
                        (px - half * 0.28, top - 4.6),
                        (px + half * 0.28, top - 4.6),
                        (px + half * 0.28, top),
                    ],
                    red,
                    INK,
                )
        c.polygon(
            [(x - 1.8, top + 11), *arc(x, top + 7, 1.8, 180, 360), (x + 1.8, top + 11)], (252, 214, 100), INK, 0.7
        )
        for y in range(4, 36, 7):
            c.line([(x - half + 1.4, y), (x - half + 5, y)], dark, 0.8)
            c.line([(x + half - 5, y + 3), (x + half - 1.4, y + 3)], dark, 0.8)
    if number != 2:
        c.polygon([(-6, 40), *arc(0, 24, 6, 180, 360), (6, 40)], INK)
        for x in (-3, 0, 3):
            c.line([(x, 20), (x, 39)], STONE, 0.8)
    _hill(c, [(-50, 42), (0, 38), (50, 42)], mix(colour, INK, 0.65))
