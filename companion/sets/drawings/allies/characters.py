"""One drawn figure per tribe, holding the disc in the card's middle like a shield.

Each figure is drawn in two layers, the body behind the disc and the hands in front of it; both stay
inside the space that the four digits leave free.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import msgspec

from companion.sets.canvas import CREAM, INK, WHITE, Canvas, Colour, arc, mix
from companion.sets.drawings.allies.ornaments import star

HEAD = (0.0, -18.0)
"""The middle of every head; the disc is drawn over whatever is below."""


class Look(msgspec.Struct, frozen=True):
    """What differs between two figures of one tribe, drawn once from the card's seed."""

    skin: Colour
    cloth: Colour
    mouth: int
    gaze: tuple[float, float]
    brow: float
    extra: int


def look(tribe: str, chance: Random) -> Look:
    """Choose skin, clothes and face of one card's figure."""
    palest, darkest = SKINS[tribe]
    return Look(
        skin=mix(palest, darkest, chance.random()),
        cloth=chance.choice(CLOTHS),
        mouth=chance.randrange(5),
        gaze=(chance.uniform(-0.9, 0.9), chance.uniform(-0.6, 0.7)),
        brow=chance.uniform(-1.2, 1.2),
        extra=chance.randrange(4),
    )


SKINS: Mapping[str, tuple[Colour, Colour]] = {
    "cyclops": ((236, 178, 110), (186, 116, 62)),
    "yeti": ((246, 250, 255), (196, 214, 236)),
    "gnome": ((250, 214, 178), (222, 166, 124)),
    "wizard": ((246, 212, 186), (196, 148, 116)),
    "golem": ((176, 172, 166), (122, 120, 122)),
    "troll": ((150, 196, 150), (92, 146, 128)),
}
CLOTHS: tuple[Colour, ...] = (
    (196, 74, 62), (60, 96, 170), (232, 170, 58), (94, 134, 66), (140, 84, 160), (70, 150, 160), (120, 80, 52),
)  # fmt: skip


def _eye(c: Canvas, x: float, y: float, radius: float, look: Look) -> None:
    c.disc(x, y, radius, WHITE, INK, 0.7)
    c.disc(x + look.gaze[0] * radius * 0.45, y + look.gaze[1] * radius * 0.45, radius * 0.5, INK)
    c.disc(
        x + look.gaze[0] * radius * 0.45 - radius * 0.15, y + (look.gaze[1] * 0.45 - 0.2) * radius, radius * 0.15, WHITE
    )


def _brows(c: Canvas, y: float, spread: float, look: Look) -> None:
    for side in (-1, 1):
        c.line([(side * (spread - 2), y + look.brow * 0.6), (side * (spread + 1.6), y - look.brow * 0.6)], INK, 1.1)


def _mouth(c: Canvas, y: float, width: float, look: Look) -> None:
    if look.mouth == 0:
        c.line(arc(0, y - 1.4, width, 35, 145), INK, 1.0)
    elif look.mouth == 1:
        c.polygon(arc(0, y - 1.2, width * 0.8, 0, 180), (120, 30, 40), INK, 0.7)
    elif look.mouth == 2:
        c.line([(-width * 0.6, y), (width * 0.6, y - 0.8)], INK, 1.0)
    elif look.mouth == 3:
        c.disc(0, y, width * 0.36, (120, 30, 40), INK, 0.7)
    else:
        c.line(arc(0, y + 1.8, width * 0.7, 215, 325), INK, 1.0)


def _trunk(c: Canvas, fill: Colour, width: float = 17, feet: Colour = INK) -> None:
    for side in (-1, 1):
        c.oval(side * 7.6, 24.6, 5.6, 3.0, feet, INK)
    c.oval(0, 7, width, 17.5, fill, INK)


def _cyclops(c: Canvas, look: Look) -> None:
    _trunk(c, look.skin, 18, mix(look.skin, INK, 0.3))
    c.polygon([(-17, 13), (17, 13), (13, 22), (6, 19), (0, 24), (-6, 19), (-13, 22)], look.cloth, INK)
    for side in (-1, 1):
        c.polygon([(side * 6, -24), (side * 12, -29), (side * 9.6, -20)], CREAM, INK)
    c.oval(*HEAD, 10.5, 10, look.skin, INK)
    _eye(c, 0, -21, 4.6, look)
    c.line([(-4.6, -26.4 + look.brow), (4.6, -26.4 - look.brow)], INK, 1.6)
    _mouth(c, -12.6, 4.6, look)
    if look.extra % 2:
        c.polygon([(-2.6, -12.8), (-1.2, -12.8), (-1.9, -15)], WHITE, INK, 0.5)
    if look.extra >= 2:
        c.line([(-7.6, -16), (-5.2, -12.8)], mix(look.skin, INK, 0.5), 0.9)


def _yeti(c: Canvas, look: Look) -> None:
    shade = mix(look.skin, (90, 130, 180), 0.35)
    _trunk(c, look.skin, 18, (120, 140, 170))
    for side in (-1, 1):
        for y in (-2, 4, 10, 16):
            c.polygon([(side * 14, y - 2), (side * 20.5, y + 2.6), (side * 13, y + 3)], look.skin, shade, 0.7)
    tufts = [(x, -27.6 - (2.6 if step % 2 else 0)) for step, x in enumerate((-7, -4.6, -2.4, 0, 2.4, 4.6, 7))]
    c.polygon([*tufts, *arc(0, -18, 11, -40, 220)], look.skin, INK)
    c.oval(0, -17.6, 7.4, 6.6, mix((150, 190, 226), look.skin, 0.25), INK, 0.7)
    for side in (-1, 1):
        _eye(c, side * 3.0, -20, 2.2, look)
    _brows(c, -23.6, 3.2, look)
    _mouth(c, -13.6, 4.2, look)
    if look.mouth != 3:
        for side in (-1, 1):
            c.polygon([(side * 1.2, -13.8), (side * 2.8, -13.8), (side * 2.0, -11.6)], WHITE, INK, 0.5)
    if look.extra % 2:
        c.line([(-9, -9.4), (0, -7.6), (9, -9.4)], INK, 4.4)
        c.line([(-9, -9.4), (0, -7.6), (9, -9.4)], look.cloth, 3.0)


def _gnome(c: Canvas, look: Look) -> None:
    _trunk(c, look.cloth, 15.5, (84, 56, 40))
    c.line([(-15, 12), (15, 12)], INK, 3.0)
    c.polygon([(-10, -17), *arc(0, -12, 10.4, 0, 180)], CREAM, INK)
    c.oval(0, -17, 8.6, 7.4, look.skin, INK)
    for side in (-1, 1):
        c.polygon([(side * 8, -19), (side * 13, -21.4), (side * 9, -14.4)], look.skin, INK, 0.7)
        _eye(c, side * 3.2, -18.2, 1.9, look)
    c.polygon([(-7.8, -14.4), (-3, -12.6), (0, -13.6), (3, -12.6), (7.8, -14.4), (5, -6), (-5, -6)], CREAM, INK, 0.7)
    c.disc(0, -15.4, 2.1, mix(look.skin, (220, 90, 80), 0.45), INK, 0.7)
    tip = (-6.0, 6.0, -2.0, 2.0)[look.extra]
    c.polygon([(-9.8, -20.6), (tip, -30.2), (9.8, -20.6), *arc(0, -18, 10, -20, -160)], mix(look.cloth, INK, 0.22), INK)
    _brows(c, -20.4, 3.4, look)


def _wizard(c: Canvas, look: Look) -> None:
    c.polygon([(-9, -10), (9, -10), (19, 26), (-19, 26)], look.cloth, INK)
    for x, y in ((-13, 18), (12.6, 14), (-10, 2), (14.6, 23), (10.8, 0)):
        c.moved(x, y, 0.42).polygon(star(5), (250, 214, 96))
    c.oval(*HEAD, 7.8, 8.4, look.skin, INK)
    c.polygon(
        [(-7.4, -15), (-5, -13), (0, -14.4), (5, -13), (7.4, -15), (6.6, -6), (2, -3), (-2, -3), (-6.6, -6)], WHITE, INK
    )
    for side in (-1, 1):
        _eye(c, side * 2.9, -18.6, 1.9, look)
        c.line([(side * 1.2, -21 + look.brow * 0.5), (side * 5.4, -21.2 - look.brow * 0.5)], WHITE, 1.5)
    c.polygon([(-1, -18), (1, -18), (0.8, -14.6), (-1.4, -14.6)], mix(look.skin, (210, 120, 100), 0.4), INK, 0.5)
    lean = (-4.0, 4.0, 1.0, -1.0)[look.extra]
    c.polygon([(-8, -22), (lean - 1.6, -30.2), (lean + 2.4, -29.6), (8, -22)], mix(look.cloth, INK, 0.3), INK)
    c.oval(0, -22, 12.4, 2.2, mix(look.cloth, INK, 0.3), INK)


def _golem(c: Canvas, look: Look) -> None:
    dark, light = mix(look.skin, INK, 0.25), mix(look.skin, WHITE, 0.25)
    for side in (-1, 1):
        c.polygon([(side * 3, 17), (side * 14, 17), (side * 15, 27), (side * 2, 27)], dark, INK)
    c.polygon([(-17, -8), (-8, -11), (9, -11), (18, -7), (15, 18), (-14, 19)], look.skin, INK)
    c.line([(-16, 6), (-9, 12), (-12, 17)], dark, 1.0)
    c.line([(15, -4), (11, 2), (15, 10)], dark, 1.0)
    c.polygon([(-10.4, -24), (-5, -28.6), (6, -27.8), (10.6, -22), (9.4, -11), (-9, -10)], look.skin, INK)
    c.polygon([(-10.4, -24), (-5, -28.6), (-1, -26), (-6, -22)], light)
    glow = mix(look.cloth, (255, 240, 120), 0.55)
    for side in (-1, 1):
        c.polygon(
            [
                (side * 1.8, -20 - look.brow * 0.5),
                (side * 6.8, -21 + look.brow * 0.5),
                (side * 6, -17),
                (side * 2.2, -17),
            ],
            glow,
            INK,
        )
    c.line([(-5, -13.4), (-2, -12.6 + look.gaze[1]), (2, -13.6), (5.4, -12.8)], INK, 1.2)
    if look.extra % 2:
        c.line([(-8, -26), (-4, -29), (1, -27.6), (5, -29.2), (8.6, -25.4)], (92, 150, 70), 2.6)
    if look.extra >= 2:
        c.line([(6.4, -26), (4.4, -22.6), (7, -20.4)], dark, 0.9)


def _troll(c: Canvas, look: Look) -> None:
    hair = mix((232, 84, 140), look.cloth, 0.35 if look.extra % 2 else 0.0)
    _trunk(c, look.skin, 16.5, mix(look.skin, INK, 0.25))
    c.polygon([(-16, 12), (16, 12), (11, 24), (-11, 24)], look.cloth, INK)
    for x, tip in ((-7, -9.6), (-3.4, -4.2), (0, 0.6), (3.4, 4.8), (7, 10)):
        c.polygon([(x - 3.6, -22), (tip, -30.4 + abs(tip) * 0.35), (x + 3.6, -22)], hair, INK, 0.7)
    for side in (-1, 1):
        c.polygon([(side * 8.4, -20), (side * 15.4, -22 - look.extra), (side * 9, -14)], look.skin, INK)
    c.oval(0, -17, 9.8, 8.4, look.skin, INK)
    for side in (-1, 1):
        _eye(c, side * 3.8, -19.4, 2.3, look)
    _brows(c, -22.6, 3.8, look)
    c.oval(0, -15.6, 3.6, 2.6, mix(look.skin, (226, 120, 120), 0.3), INK, 0.8)
    _mouth(c, -11.4, 4.0, look)
    if look.extra >= 2:
        c.disc(6.2, -14.4, 0.9, mix(look.skin, INK, 0.35))


FIGURES = {
    "cyclops": _cyclops, "yeti": _yeti, "gnome": _gnome, "wizard": _wizard, "golem": _golem, "troll": _troll,
}  # fmt: skip


def draw_figure(c: Canvas, tribe: str, look: Look) -> None:
    """Draw the body and head; the disc comes on top, then `draw_hands`."""
    FIGURES[tribe](c, look)


def draw_hands(c: Canvas, tribe: str, look: Look) -> None:
    """Draw the arms that hold the disc from both sides."""
    sleeve = look.cloth if tribe in ("gnome", "wizard") else look.skin
    for side in (-1, 1):
        arm = [(side * 11.5, -6.5), (side * 19.6, -0.5), (side * 15.6, 7)]
        c.line(arm, INK, 6.4)
        c.line(arm, sleeve, 4.8)
        c.disc(side * 15.2, 7, 3.2, look.skin, INK, 0.8)


def draw_crown(c: Canvas) -> None:
    """Draw a golden crown on the figure's head."""
    points = [(-8.2, -22.4), (-10.4, -29.0), (-5.2, -26.4), (0, -30.0), (5.2, -26.4), (10.4, -29.0), (8.2, -22.4)]
    c.polygon(points, (252, 196, 40), INK, 1.2)
    for x, y in ((-10.4, -29.0), (0, -30.0), (10.4, -29.0)):
        c.disc(x, y, 1.5, (214, 40, 60), INK, 0.6)
    c.line([(-7.4, -23.8), (7.4, -23.8)], (196, 132, 20), 1.1)
