"""The twelve characters of Vaalbara: one body, and for each the thing by which people know the trade."""

from __future__ import annotations

from companion.sets.canvas import CREAM, INK, WHITE, Canvas, Colour, arc, mix

SKIN: Colour = (222, 178, 140)
WOOD: Colour = (140, 96, 58)
STEEL: Colour = (176, 184, 194)
GOLD: Colour = (236, 196, 70)


def draw_figure(c: Canvas, name: str, clothes: Colour) -> None:
    """Draw a character round the origin, about 70 units high."""
    c.polygon([(-14, 34), (14, 34), (9, -4), (-9, -4)], clothes, INK, 0.8)
    c.line([(-9, 0), (-19, 14)], clothes, 5)
    c.line([(9, 0), (19, 12)], clothes, 5)
    c.disc(-20, 15, 3, SKIN, INK, 0.5)
    c.disc(20, 13, 3, SKIN, INK, 0.5)
    c.disc(0, -13, 9, SKIN, INK, 0.8)
    c.disc(-3, -14, 1, INK)
    c.disc(3, -14, 1, INK)
    c.line(arc(0, -11, 3.4, 20, 160), INK, 0.8)
    _THINGS[name](c, clothes)


def _fighter(c: Canvas, clothes: Colour) -> None:
    c.line([(20, 13), (30, -30)], STEEL, 3)
    c.line([(16, 6), (26, 10)], GOLD, 2.4)
    c.polygon([(-30, 4), (-14, 4), (-14, 20), (-22, 28), (-30, 20)], mix(clothes, INK, 0.3), GOLD, 1.4)
    c.polygon([(-10, -16), (10, -16), (8, -24), (-8, -24)], STEEL, INK, 0.6)


def _bard(c: Canvas, clothes: Colour) -> None:
    c.oval(8, 18, 10, 8, WOOD, INK, 0.8)
    c.disc(8, 18, 3, INK)
    c.line([(12, 12), (30, -8)], WOOD, 2.6)
    c.polygon([(-12, -20), (12, -20), (2, -30)], mix(clothes, WHITE, 0.3), INK, 0.6)
    c.line([(8, -24), (18, -34)], (206, 60, 60), 2)


def _hunter(c: Canvas, clothes: Colour) -> None:
    c.line(arc(24, 6, 24, 100, 260), WOOD, 2.4)
    c.line([(20, -18), (20, 30)], CREAM, 0.8)
    c.line([(2, 8), (34, 6)], WOOD, 1.4)
    c.polygon([(34, 3), (40, 6), (34, 9)], STEEL)
    c.polygon([(-11, -18), (11, -18), (0, -28)], (90, 120, 60), INK, 0.6)


def _oracle(c: Canvas, clothes: Colour) -> None:
    c.disc(0, 12, 8, (190, 220, 246), INK, 1)
    c.disc(-2, 10, 2, WHITE)
    c.polygon([(-13, -8), (-11, -24), (0, -30), (11, -24), (13, -8), (9, -20), (-9, -20)], mix(clothes, INK, 0.3))
    for x in (-24, 24):
        c.polygon([(x, -22), (x + 2, -18), (x, -14), (x - 2, -18)], GOLD)


def _carpenter(c: Canvas, clothes: Colour) -> None:
    c.line([(20, 13), (26, -18)], WOOD, 2.6)
    c.polygon([(18, -24), (36, -22), (35, -14), (18, -17)], STEEL, INK, 0.7)
    c.polygon([(-34, 24), (-6, 30), (-7, 35), (-35, 29)], WOOD, INK, 0.6)
    c.polygon([(-11, -16), (11, -16), (11, -21), (-11, -21)], (200, 60, 50))


def _falconer(c: Canvas, clothes: Colour) -> None:
    bird = c.moved(22, 2)
    bird.oval(0, 0, 5, 9, (110, 80, 56), INK, 0.7)
    bird.disc(1, -10, 4, (150, 116, 84), INK, 0.7)
    bird.polygon([(4, -11), (9, -9), (4, -8)], GOLD)
    bird.polygon([(-4, -4), (-16, -14), (-4, 6)], (90, 64, 44), INK, 0.6)
    c.line([(12, 6), (21, 14)], (110, 80, 50), 6)


def _pathfinder(c: Canvas, clothes: Colour) -> None:
    c.line([(22, 34), (22, -26)], WOOD, 2.4)
    c.polygon([(-34, 6), (-10, 2), (-8, 20), (-32, 24)], CREAM, INK, 0.7)
    c.line([(-30, 18), (-22, 10), (-17, 14), (-12, 6)], (200, 60, 50), 1.2)
    c.polygon([(-15, -17), (15, -17), (8, -20), (6, -27), (-6, -27), (-8, -20)], (120, 90, 60), INK, 0.6)


def _midwife(c: Canvas, clothes: Colour) -> None:
    c.oval(4, 12, 12, 7, WHITE, INK, 0.8)
    c.disc(-6, 9, 4.4, SKIN, INK, 0.6)
    c.line(arc(0, -13, 10, 180, 360), WHITE, 5)
    c.line([(-10, -13), (-11, -4)], WHITE, 3)
    c.line([(10, -13), (11, -4)], WHITE, 3)


def _rider(c: Canvas, clothes: Colour) -> None:
    horse = c.moved(4, 26)
    horse.oval(0, 0, 26, 9, (150, 104, 66), INK, 0.8)
    horse.polygon([(18, -4), (30, -24), (40, -18), (28, 2)], (150, 104, 66), INK, 0.8)
    for x in (-18, -10, 10, 18):
        horse.line([(x, 6), (x, 18)], (120, 80, 50), 3.6)
    horse.line([(-25, -2), (-34, 8)], INK, 2.4)


def _artisan(c: Canvas, clothes: Colour) -> None:
    c.polygon([(10, 30), (30, 30), (27, 10), (30, 4), (10, 4), (13, 10)], (196, 110, 70), INK, 0.8)
    c.line([(13, 18), (27, 18)], CREAM, 1.6)
    c.line([(13, 23), (27, 23)], (70, 120, 190), 1.6)
    c.polygon([(-9, 4), (9, 4), (12, 32), (-12, 32)], CREAM, INK, 0.6)


def _pioneer(c: Canvas, clothes: Colour) -> None:
    c.line([(-24, 34), (-24, -34)], WOOD, 2.2)
    c.polygon([(-24, -34), (-2, -30), (-8, -25), (-2, -19), (-24, -18)], (206, 60, 54), INK, 0.7)
    c.line([(20, 13), (30, 34)], WOOD, 2)
    c.polygon([(27, 30), (36, 32), (34, 42), (26, 40)], STEEL, INK, 0.6)


def _farmer(c: Canvas, clothes: Colour) -> None:
    c.line([(22, 36), (20, -22)], WOOD, 2.2)
    c.line(arc(8, -22, 13, 270, 360), STEEL, 2.6)
    c.oval(0, -20, 17, 4, GOLD, INK, 0.6)
    c.polygon([(-8, -21), (8, -21), (5, -29), (-5, -29)], GOLD, INK, 0.6)
    for lean in (-6, -2, 2, 6):
        c.line([(-22 + lean * 0.3, 24), (-22 + lean, 2)], (214, 168, 50), 1.6)


_THINGS = {
    "fighter": _fighter, "bard": _bard, "hunter": _hunter, "oracle": _oracle, "carpenter": _carpenter,
    "falconer": _falconer, "pathfinder": _pathfinder, "midwife": _midwife, "rider": _rider,
    "artisan": _artisan, "pioneer": _pioneer, "farmer": _farmer,
}  # fmt: skip
