"""One drawn figure for each kind of villager, and a sign for each place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from companion.sets.canvas import CREAM, INK, WHITE, Canvas, Colour, arc, mix

CLOTHS: tuple[Colour, ...] = (
    (196, 74, 62), (60, 96, 170), (232, 170, 58), (94, 134, 66), (140, 84, 160), (70, 150, 160), (120, 80, 52),
)  # fmt: skip
SKIN: Mapping[str, Colour] = {
    "rich": (246, 212, 186), "orc": (150, 186, 110), "elves": (250, 222, 196), "mushroom": (244, 214, 180),
    "dwarf": (232, 180, 146), "apprentice": (226, 176, 140), "gnome": (250, 214, 178), "fairy": (252, 226, 204),
    "hypnotist": (214, 196, 226), "dragon": (206, 84, 62),
}  # fmt: skip


def _face(c: Canvas, skin: Colour, chance: Random) -> None:
    c.oval(0, -12, 13, 14, skin, INK)
    for side in (-1, 1):
        c.disc(side * 4.6, -14, 2.6, WHITE, INK, 0.6)
        c.disc(side * 4.6 + chance.uniform(-1, 1), -14 + chance.uniform(-0.6, 0.8), 1.3, INK)
    c.line(arc(0, -9 + chance.uniform(-1, 1), 5, 25, 155), INK, 1.1)


def _body(c: Canvas, cloth: Colour) -> None:
    c.polygon([(-12, 2), (12, 2), (20, 30), (-20, 30)], cloth, INK)


def _hat(c: Canvas, colour: Colour, tip: float, lean: float = 0.0) -> None:
    c.polygon([(-14, -20), (lean, tip), (14, -20)], colour, INK)


def _rich(c: Canvas, cloth: Colour) -> None:
    c.polygon([(-9, -24), (-9, -40), (9, -40), (9, -24)], INK)
    c.oval(0, -24, 15, 2.6, INK)
    for y in (8, 15, 22):
        c.disc(0, y, 2, (250, 210, 80), INK, 0.6)


def _orc(c: Canvas, cloth: Colour) -> None:
    for side in (-1, 1):
        c.polygon([(side * 2.5, -5), (side * 5.5, -5), (side * 4.4, -12)], CREAM, INK, 0.6)
        c.polygon([(side * 12, -16), (side * 21, -20), (side * 12, -8)], SKIN["orc"], INK)


def _elves(c: Canvas, cloth: Colour) -> None:
    for side in (-1, 1):
        c.polygon([(side * 11, -18), (side * 20, -32), (side * 13, -8)], SKIN["elves"], INK)
    c.polygon([(-13, -18), (-9, -29), (0, -22), (9, -29), (13, -18)], (250, 226, 120), INK)


def _mushroom(c: Canvas, cloth: Colour) -> None:
    c.polygon(arc(0, -18, 22, 180, 360), cloth, INK)
    for x, y, radius in ((-10, -26, 3.4), (3, -33, 3.8), (12, -24, 3)):
        c.disc(x, y, radius, WHITE)


def _dwarf(c: Canvas, cloth: Colour) -> None:
    _hat(c, mix(cloth, INK, 0.3), -36)
    c.polygon([(-12, -10), (12, -10), (8, 14), (0, 20), (-8, 14)], (196, 132, 74), INK)


def _apprentice(c: Canvas, cloth: Colour) -> None:
    _hat(c, mix(cloth, WHITE, 0.25), -44, 5)
    c.line([(18, 26), (26, -14)], (120, 80, 52), 2.2)
    c.disc(26, -16, 3.4, (252, 220, 90), INK, 0.7)


def _gnome(c: Canvas, cloth: Colour) -> None:
    _hat(c, cloth, -42, -6)
    c.disc(0, -10, 3.2, (226, 130, 110), INK, 0.7)


def _fairy(c: Canvas, cloth: Colour) -> None:
    for side in (-1, 1):
        c.oval(side * 22, 4, 10, 15, (206, 236, 250), INK)
    c.polygon(arc(0, -20, 12, 180, 360), (240, 190, 80), INK)


def _hypnotist(c: Canvas, cloth: Colour) -> None:
    for radius in (11, 8, 5, 2):
        c.disc(0, 15, radius, WHITE if radius in (11, 5) else INK)
    c.polygon([(-15, -20), (0, -30), (15, -20)], cloth, INK)


def _dragon(c: Canvas, cloth: Colour) -> None:
    for side in (-1, 1):
        c.polygon([(side * 12, 2), (side * 36, -18), (side * 32, 14), (side * 16, 22)], mix(cloth, INK, 0.2), INK)
        c.polygon([(side * 4, -24), (side * 11, -38), (side * 12, -20)], CREAM, INK)
    c.polygon([(-5, -2), (0, 8), (5, -2)], (252, 170, 60), INK, 0.7)


FIGURES: Mapping[str, Callable[[Canvas, Colour], None]] = {
    "rich": _rich, "orc": _orc, "elves": _elves, "mushroom": _mushroom, "dwarf": _dwarf,
    "apprentice": _apprentice, "gnome": _gnome, "fairy": _fairy, "hypnotist": _hypnotist, "dragon": _dragon,
}  # fmt: skip


def draw_figure(c: Canvas, kind: str, chance: Random) -> None:
    """Draw a villager of a kind round the origin, about 70 units high; chance varies clothes and gaze."""
    cloth = chance.choice(CLOTHS)
    _body(c, cloth)
    _face(c, SKIN[kind], chance)
    FIGURES[kind](c, cloth)


def draw_place(c: Canvas, place: str, houses: int) -> None:
    """Draw the sign of a place, with as many houses as it has points."""
    for number in range(houses):
        house = c.moved((number - (houses - 1) / 2) * 54 / houses, (number % 2) * 8, 2.6 / houses**0.9)
        house.polygon([(-8, 12), (-8, -4), (8, -4), (8, 12)], CREAM, INK)
        match place:
            case "city":
                house.polygon(
                    [(-10, -4), (-10, -16), (-4, -16), (-4, -10), (4, -10), (4, -16), (10, -16), (10, -4)], INK
                )
            case "mine":
                house.polygon([(-14, 12), (0, -18), (14, 12)], (150, 140, 130), INK)
                house.polygon([*arc(0, 6, 5, 180, 360), (5, 12), (-5, 12)], INK)
            case "workshops":
                house.polygon([(-10, -4), (0, -14), (10, -4)], (206, 70, 60), INK)
                house.line([(5, -10), (5, -20)], INK, 3)
            case "orc village":
                house.polygon([(-12, 12), (-2, -20), (2, -20), (12, 12)], (176, 132, 84), INK)
                house.line([(-5, -26), (2, -18), (5, -26)], INK, 1.4)
            case _:
                house.polygon([(-11, 4), (0, -24), (11, 4)], (70, 130, 80), INK)
                house.polygon([(-9, -8), (0, -30), (9, -8)], (90, 150, 90), INK)
