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
from companion.simulated.surroundings import AS_IT_BEGAN, Surroundings
from companion.simulated.things import layers_of
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
        self._upright, self._bumped = self.lens, (0.0, 0.0, 0.0)
        self._lookup = self.lens.lookup(self._surface.origin, self._surface.scale)
        self._around = AS_IT_BEGAN
        self._seen: Picture | None = None
        self._of: object = None

    def bump(self, x: float, y: float, roll: float = 0.0) -> None:
        """Turn the camera so that its middle moves by (x, y) pixels, and by `roll` degrees, added to earlier bumps."""
        before = self._bumped
        self._bumped = (before[0] + x, before[1] + y, before[2] + roll)
        self.lens = self._upright.turned(*self._bumped)
        self._lookup = self.lens.lookup(self._surface.origin, self._surface.scale)
        self._seen = None

    def surround(self, now: Surroundings) -> None:
        """Let everything beside the game be as `now` says, from the next picture on."""
        self._sensor.relight(now.level, now.warmth, now.lamp)
        self._around = now

    def picture(
        self,
        slots: Mapping[str, Laid | None],
        at: float,
        hands: Sequence[Reaching] = (),
        carried: Sequence[Carried] = (),
        dice: Sequence[LyingDie] = (),
    ) -> Picture:
        """Return what the camera sees at `at` seconds, shape (720, 1280, 3) BGR with the default rig."""
        around = self._around
        still = (around.slide, around.shade, around.glints, around.things, around.blur)
        now = (dict(slots), tuple(hands), tuple(carried), tuple(dice), still)
        if self._seen is None or now != self._of:
            table = self._surface.drawn(slots, dice)
            if around.things or carried:
                table = self._with_things(table, carried)
            if any(around.slide):
                table = self._slid(table)
            if around.shade is not None or around.glints:
                table = self._surface.lit(table, around.shade, around.glints)
            if hands:
                table = self._with_hands(table, hands)
            self._seen = np.asarray(cv2.remap(table, *self._lookup, cv2.INTER_LINEAR), dtype=np.uint8)
            if around.blur:
                self._seen = np.asarray(cv2.GaussianBlur(self._seen, (0, 0), around.blur), np.uint8)
            self._of = now
        return self._sensor.expose(self._seen, at)

    def _with_things(self, table: Picture, carried: Sequence[Carried]) -> Picture:
        canvas, of = table.copy(), self.conditions
        for thing in self._around.things:
            for layer in layers_of(thing, self._surface.origin, self._surface.scale, of.shadow, of.lamp):
                lay_over(canvas, layer)
        for card in carried:
            lay_over(canvas, self._surface.card_at(card.card, card.x, card.y, card.angle, raised=12.0))
        return canvas

    def _with_hands(self, table: Picture, hands: Sequence[Reaching]) -> Picture:
        canvas, of = table.copy(), self.conditions
        for reaching in hands:
            (x, y), *_ = self._surface.slid(self._around.slide, [(reaching.x, reaching.y)])
            there = msgspec.structs.replace(reaching, x=float(x), y=float(y))
            for layer in self._hands[reaching.seat].layers(there, self._surface.origin, of.hand_shadow, of.lamp):
                lay_over(canvas, layer)
        return canvas

    def _slid(self, table: Picture) -> Picture:
        """Return the table with the mat, and all that lies on it, pushed aside."""
        surface = self._surface
        corners = [
            (0.0, 0.0),
            (surface.mat.width, 0.0),
            (surface.mat.width, surface.mat.height),
            (0.0, surface.mat.height),
        ]
        before = [surface.to_canvas(point) for point in corners[:3]]
        after = [surface.to_canvas(point) for point in surface.slid(self._around.slide, corners)]
        matrix = cv2.getAffineTransform(np.array(before, np.float32), np.array(after[:3], np.float32))
        size = (table.shape[1], table.shape[0])
        mask = np.zeros(table.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(np.array(after)).astype(np.int32), 255)
        return np.asarray(cv2.copyTo(cv2.warpAffine(table, matrix, size), mask, surface.wood.copy()), np.uint8)


def _generator(seed: str) -> np.random.Generator:
    return np.random.default_rng(list(seed.encode()))
