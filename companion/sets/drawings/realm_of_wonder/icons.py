"""Signs of Realm of Wonder: what a magic card does, what a tower tile is, a shoe, a muscle.

Each is drawn round the origin, about 50 units across.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.sets.canvas import CREAM, INK, WHITE, Canvas, Colour, arc, mix

GOLD: Colour = (236, 190, 64)
STEEL: Colour = (150, 158, 172)
WOOD: Colour = (140, 96, 58)
RED: Colour = (200, 60, 56)
BLUE: Colour = (64, 120, 196)
GREEN: Colour = (80, 150, 84)
VIOLET: Colour = (140, 86, 178)
SKIN: Colour = (226, 178, 138)


def draw_icon(c: Canvas, name: str) -> None:
    """Draw the sign of a spell or a tile.

    :raises KeyError: for a name that has none.
    """
    _ICONS[name](c)


def shoe(c: Canvas) -> None:
    """Draw the winged shoe of the movement points, its toe to the right."""
    c.polygon([(-14, -16), (2, -16), (4, 0), (20, 4), (22, 13), (-15, 13)], WOOD, INK, 1)
    c.polygon([(-16, 13), (23, 13), (23, 17), (-16, 17)], INK)
    for feather in range(3):
        c.polygon([(-14, -8 + 5 * feather), (-30, -20 + 8 * feather), (-14, -2 + 5 * feather)], WHITE, INK, 0.7)


def muscle(c: Canvas) -> None:
    """Draw the bent arm of a muscle card."""
    arm = [(-24, 15), (13, 15), (13, -14)]
    c.line(arm, INK, 16)
    c.oval(-5, 7, 12, 11, SKIN, INK, 1)
    c.line(arm, SKIN, 13.5)
    c.oval(-5, 9, 10.5, 9, SKIN)
    c.disc(11, -19, 9, SKIN, INK, 1)
    for finger in (-4, 0, 4):
        c.line([(5, -19 + finger), (11, -19 + finger)], INK, 0.9)


def fort(c: Canvas, discs: int) -> None:
    """Draw a fort of wooden discs, the lowest round the origin."""
    for disc in range(discs):
        y = 6 - 9 * disc
        c.oval(0, y, 17, 6, mix(GOLD, WOOD, 0.5), INK, 0.8)
        c.oval(0, y - 4, 17, 6, GOLD, INK, 0.8)


def _cannon(c: Canvas) -> None:
    c.polygon([(-18, 6), (16, -16), (22, -6), (-12, 18)], STEEL, INK, 1)
    c.disc(-12, 16, 9, WOOD, INK, 1)
    c.disc(-12, 16, 3, INK)
    c.disc(27, -20, 4, INK)
    for spark in (-30, 0, 30):
        c.moved(20, -14, 1, spark).line([(6, -5), (13, -9)], RED, 1.6)


def _lightning(c: Canvas) -> None:
    c.polygon([(4, -28), (-16, 4), (-2, 4), (-8, 28), (18, -8), (3, -8), (14, -28)], GOLD, INK, 1.2)


def _plus_three(c: Canvas) -> None:
    shoe(c.moved(0, 8, 0.9))
    c.text("+3", 0, -18, 18, GREEN)


def _minus_three(c: Canvas) -> None:
    shoe(c.moved(0, 8, 0.9))
    c.text("-3", 0, -18, 18, RED)


def _balloon(c: Canvas) -> None:
    c.disc(0, -10, 19, RED, INK, 1)
    for across in (6, 13):
        c.line([(x, y - 10) for x, y in ((-across, -14), (-across, 14))], CREAM, 1.4)
        c.line([(x, y - 10) for x, y in ((across, -14), (across, 14))], CREAM, 1.4)
    for x in (-8, 8):
        c.line([(x * 1.4, 6), (x * 0.7, 18)], INK, 1)
    c.polygon([(-7, 18), (7, 18), (5, 28), (-5, 28)], WOOD, INK, 1)


def _rune_stone(c: Canvas) -> None:
    c.polygon([(-14, 24), (-18, -8), (-8, -26), (8, -26), (18, -8), (14, 24)], STEEL, INK, 1.2)
    c.line([(0, -16), (0, 14)], BLUE, 2.4)
    c.line([(0, -16), (9, -6), (0, 0)], BLUE, 2.4)
    c.line([(0, 4), (-8, 12)], BLUE, 2.4)


def _transfer(c: Canvas) -> None:
    fort(c.moved(-15, 12, 0.7), 2)
    fort(c.moved(15, 12, 0.7), 1)
    c.line(arc(0, 4, 17, 200, 340), INK, 2)
    c.polygon([(12, -8), (22, -4), (14, 4)], INK)


def _wish(c: Canvas) -> None:
    c.polygon([(-20, 12), (-10, 2), (12, 2), (20, -6), (24, -4), (14, 14), (0, 18)], GOLD, INK, 1)
    c.disc(2, 0, 4, GOLD, INK, 1)
    for up, across in ((6, 4), (14, -4), (22, 3)):
        c.disc(24 + across, -4 - up, 3.4, mix(BLUE, WHITE, 0.6))


def _submarine(c: Canvas) -> None:
    c.oval(0, 4, 24, 11, GOLD, INK, 1.2)
    c.polygon([(-6, -6), (6, -6), (5, -14), (-5, -14)], GOLD, INK, 1)
    c.line([(0, -14), (0, -22), (7, -22)], INK, 1.6)
    for x in (-10, 0, 10):
        c.disc(x, 4, 3.4, mix(BLUE, WHITE, 0.5), INK, 0.8)
    c.line(arc(-14, 22, 6, 200, 340) + arc(0, 22, 6, 200, 340) + arc(14, 22, 6, 200, 340), BLUE, 1.8)


def _counter(c: Canvas) -> None:
    c.polygon([(-18, -20), (18, -20), (18, 4), (0, 26), (-18, 4)], VIOLET, INK, 1.2)
    c.line([(-10, -12), (10, 10)], WHITE, 3)
    c.line([(10, -12), (-10, 10)], WHITE, 3)


def _ball(c: Canvas, colour: Colour) -> None:
    c.polygon([(-14, 24), (14, 24), (9, 14), (-9, 14)], WOOD, INK, 1)
    c.disc(0, -3, 19, colour, INK, 1.2)
    c.disc(-6, -9, 5, mix(colour, WHITE, 0.7))


def _orb(c: Canvas) -> None:
    _ball(c, BLUE)
    for turn in range(0, 360, 60):
        c.moved(0, -3, 1, turn).line([(0, -23), (0, -28)], GOLD, 1.8)


def _cursed(c: Canvas) -> None:
    _ball(c, (70, 60, 84))
    c.line([(-8, -8), (-2, -2)], RED, 2)
    c.line([(-2, -8), (-8, -2)], RED, 2)
    c.line([(2, -8), (8, -2)], RED, 2)
    c.line([(8, -8), (2, -2)], RED, 2)
    c.line(arc(0, 10, 7, 200, 340), RED, 2)


def _teleport(c: Canvas) -> None:
    for radius in (22, 15, 8):
        c.line(arc(0, 0, radius, 20, 340), mix(VIOLET, WHITE, radius / 44), 3)
    c.disc(0, 0, 3, VIOLET)


def _knight(c: Canvas) -> None:
    c.polygon([(-15, 24), (15, 24), (15, -6), (9, -20), (-9, -20), (-15, -6)], STEEL, INK, 1.2)
    c.polygon([(-11, -4), (11, -4), (11, 2), (-11, 2)], INK)
    c.line([(0, -20), (0, 22)], mix(STEEL, INK, 0.4), 1.4)
    c.line(arc(2, -26, 8, 150, 300), RED, 4)


def _potion(c: Canvas) -> None:
    c.polygon([(-5, -26), (5, -26), (5, -10), (18, 20), (12, 26), (-12, 26), (-18, 20), (-5, -10)], CREAM, INK, 1.2)
    c.polygon([(-11, 4), (11, 4), (17, 20), (12, 25), (-12, 25), (-17, 20)], GREEN)
    for x, y in ((-4, 12), (5, 16), (0, 20)):
        c.disc(x, y, 2.2, mix(GREEN, WHITE, 0.6))


def _card(c: Canvas) -> None:
    for turn, colour in ((-14, VIOLET), (0, BLUE), (14, CREAM)):
        c.moved(0, 10, 1, turn).polygon([(-12, -34), (12, -34), (12, 2), (-12, 2)], colour, INK, 1)
    c.moved(0, 10, 0.5, 14).polygon([(0, -46), (5, -32), (-5, -32)], GOLD)


def _chest(c: Canvas) -> None:
    c.polygon([(-22, -2), (22, -2), (22, 20), (-22, 20)], WOOD, INK, 1.2)
    c.polygon([(-22, -2), (-17, -18), (17, -18), (22, -2)], mix(WOOD, INK, 0.2), INK, 1.2)
    c.line([(-22, -2), (22, -2)], GOLD, 2.4)
    c.disc(0, 3, 4, GOLD, INK, 1)


def _eye(c: Canvas) -> None:
    c.oval(0, 0, 25, 18, GREEN, INK, 1.2)
    c.oval(0, 0, 16, 12, WHITE, INK, 1)
    c.disc(2, 0, 7, VIOLET, INK, 1)
    c.disc(2, 0, 3, INK)
    for x in (-14, 0, 14):
        c.line([(x, 16), (x * 1.2, 26)], GREEN, 4)


def _vampire(c: Canvas) -> None:
    c.polygon([(-26, 26), (-20, -8), (0, 6), (20, -8), (26, 26)], (90, 30, 44), INK, 1.2)
    c.oval(0, -6, 12, 15, mix(SKIN, WHITE, 0.6), INK, 1)
    c.polygon([(-12, -10), (0, -14), (12, -10), (9, -22), (-9, -22)], INK)
    c.disc(-5, -6, 2, RED)
    c.disc(5, -6, 2, RED)
    for x in (-4, 4):
        c.polygon([(x - 2, 2), (x + 2, 2), (x, 8)], WHITE, INK, 0.5)


def _dragon(c: Canvas) -> None:
    c.polygon([(-26, -14), (-6, -4), (-10, 8)], mix(RED, INK, 0.3), INK, 1)
    c.polygon([(26, -14), (6, -4), (10, 8)], mix(RED, INK, 0.3), INK, 1)
    c.oval(0, 12, 12, 14, RED, INK, 1.2)
    c.polygon([(-9, -4), (-7, -22), (-12, -28), (-2, -23), (2, -23), (12, -28), (7, -22), (9, -4), (0, 4)], RED, INK, 1)
    c.disc(-4, -14, 2, GOLD)
    c.disc(4, -14, 2, GOLD)
    c.polygon([(-3, 0), (3, 0), (6, 10), (0, 7), (-6, 10)], GOLD, INK, 0.6)


def _ability(c: Canvas) -> None:
    c.disc(0, 0, 18, GOLD, INK, 1.2)
    c.line(arc(0, 0, 26, 200, 500), INK, 2.2)
    c.polygon([(-27, -14), (-17, -12), (-26, -2)], INK)


def _whirlpool(c: Canvas) -> None:
    c.disc(0, 0, 22, mix(BLUE, WHITE, 0.5), INK, 1.2)
    for turn in (0, 120, 240):
        c.moved(0, 0, 1, turn).line(arc(6, 0, 10, 180, 350), BLUE, 3)


def _points(c: Canvas) -> None:
    for x, y in ((-12, 10), (12, 10), (-12, -12), (12, -12), (0, 0)):
        c.disc(x, y, 9, GOLD, INK, 1)


_ICONS: Mapping[str, Callable[[Canvas], None]] = {
    "cannon": _cannon, "lightning": _lightning, "plus-three": _plus_three, "minus-three": _minus_three,
    "balloon": _balloon, "rune-stone": _rune_stone, "transfer": _transfer, "wish": _wish,
    "submarine": _submarine, "counter": _counter, "orb": _orb, "cursed": _cursed, "teleport": _teleport,
    "knight": _knight, "potion": _potion, "card": _card, "chest": _chest, "eye": _eye,
    "vampire": _vampire, "dragon": _dragon, "ability": _ability, "magic": _card,
    "whirlpool": _whirlpool, "points": _points,
}  # fmt: skip
