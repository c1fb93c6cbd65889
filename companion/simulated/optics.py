"""The simulated camera: from what lies on the table to the picture that a real camera would give.

A frame is drawn flat, seen through the lens by one lookup, and exposed. Whatever did not change since
the last frame is not computed again, so a resting table costs a few passes over the picture only.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import cv2
import msgspec
import numpy as np

from companion.simulated.dice_makes import DieMake
from companion.simulated.dice_on_mat import DicePainter
from companion.simulated.hands import Hand, Reaching
from companion.simulated.lens import lens_over
from companion.simulated.light import Picture, Sensor
from companion.simulated.lying import Laid, LyingDie
from companion.simulated.rig import Disturbance, Rig, draw_conditions
from companion.simulated.surface import Surface, lay_over
from companion.table.mat import Mat


class Carried(msgspec.Struct, frozen=True):
    """A card in somebody's fingers, centre at (x, y) mm, turned `angle` degrees clockwise."""

    card: str
    x: float
    y: float
    angle: float


class Camera:
    """Takes pictures of one table during one evening; everything that varies comes from `seed`.

    :param flat_mat: the mat as it is printed, BGR, seen straight from above
    :param faces: the picture of every card, BGR, printed top at the top
    :param dice: how the dice look, by their numbers
    """

    def __init__(
        self,
        mat: Mat,
        flat_mat: Picture,
        faces: Mapping[str, Picture],
        seed: int | str,
        rig: Rig | None = None,
        disturbance: Disturbance | None = None,
        dice: Sequence[DieMake] = (),
    ) -> None:
        self.rig = rig or Rig()
        chance, grains = random.Random(f"{seed} camera"), _generator(f"{seed} grain")
        within = disturbance or Disturbance()
        self.conditions = draw_conditions(self.rig, within, chance)
        self.lens = lens_over(self.rig, self.conditions, (mat.width / 2, mat.height / 2))
        of = self.conditions
        lens_at = (mat.width / 2 + of.camera_x, mat.height / 2 + of.camera_y, of.height)
        painter = DicePainter(dice, self.rig.canvas_pixels_per_mm, lens_at, of.lamp) if dice else None
        self._surface = Surface(mat, flat_mat, faces, self.rig, within, self.conditions, grains, painter)
        self._sensor = Sensor(self.conditions, (self.rig.width, self.rig.height_px), grains)
        self._hands = [Hand(seat, (mat.width, mat.height), self._surface.scale, grains) for seat in (0, 1)]
        self._shift = (0.0, 0.0)
        self._lookup = self.lens.lookup(self._surface.origin, self._surface.scale, self._shift)
        self._seen: Picture | None = None
        self._of: object = None

    def bump(self, x: float, y: float) -> None:
        """Shift everything the camera sees by (x, y) pixels, added to earlier bumps."""
        self._shift = (self._shift[0] + x, self._shift[1] + y)
        self._lookup = self.lens.lookup(self._surface.origin, self._surface.scale, self._shift)
        self._seen = None

    def picture(
        self,
        slots: Mapping[str, Laid | None],
        at: float,
        hands: Sequence[Reaching] = (),
        carried: Sequence[Carried] = (),
        dice: Sequence[LyingDie] = (),
    ) -> Picture:
        """Return what the camera sees at `at` seconds, shape (720, 1280, 3) BGR with the default rig."""
        now = (dict(slots), tuple(hands), tuple(carried), tuple(dice))
        if self._seen is None or now != self._of:
            table = self._surface.drawn(slots, dice)
            if hands or carried:
                table = self._with_hands(table, hands, carried)
            self._seen = np.asarray(cv2.remap(table, *self._lookup, cv2.INTER_LINEAR), dtype=np.uint8)
            self._of = now
        return self._sensor.expose(self._seen, at)

    def _with_hands(self, table: Picture, hands: Sequence[Reaching], carried: Sequence[Carried]) -> Picture:
        canvas = table.copy()
        for thing in carried:
            lay_over(canvas, self._surface.card_at(thing.card, thing.x, thing.y, thing.angle, raised=12.0))
        for reaching in hands:
            of = self.conditions
            for layer in self._hands[reaching.seat].layers(reaching, self._surface.origin, of.hand_shadow, of.lamp):
                lay_over(canvas, layer)
        return canvas


def _generator(seed: str) -> np.random.Generator:
    return np.random.default_rng(list(seed.encode()))
