"""Dice drawn onto the simulated table, each as the camera sees it from where it hangs."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence

import numpy as np

from companion.simulated.dice_makes import DieMake
from companion.simulated.light import Picture
from companion.simulated.lying import LyingDie
from vision.dice.scenes import Model, lay
from vision.dice.solid import Pose, Shape, see

DIE_MM = 16.0
_REACH_MM = 60.0


class DicePainter:
    """Draws dice on a canvas of `scale` pixels per mm.

    :param camera: the lens: x and y on the mat and height above it, in mm
    :param lamp: where the lamp stands, degrees clockwise from the right
    """

    def __init__(self, makes: Sequence[DieMake], scale: float, camera: tuple[float, float, float], lamp: float) -> None:
        self._makes, self._scale, self._camera = tuple(makes), scale, camera
        towards = math.radians(lamp)
        self._lamp = (0.7 * math.cos(towards), 0.7 * math.sin(towards), 1.0)

    def draw(self, canvas: Picture, dice: Sequence[LyingDie], origin: tuple[float, float]) -> None:
        """Draw dice over `canvas` in place; `origin` is the mat point (mm) of its top left corner."""
        for die in sorted(dice, key=lambda each: each.y):
            self._draw(canvas, die, origin)

    def _draw(self, canvas: Picture, die: LyingDie, origin: tuple[float, float]) -> None:
        x, y = (die.x - origin[0]) * self._scale, (die.y - origin[1]) * self._scale
        reach = round(_REACH_MM * self._scale)
        left, top = max(0, int(x) - reach), max(0, int(y) - reach)
        window = canvas[top : int(y) + reach, left : int(x) + reach]
        scene = window.astype(np.float32)
        towards = np.array((self._camera[0] - die.x, self._camera[1] - die.y))
        away = float(np.hypot(*towards))
        tilt = math.degrees(math.atan2(away, self._camera[2]))
        turn = math.degrees(math.atan2(-towards[0], towards[1])) if away > 1 else 0.0
        marks, paint = self._makes[die.number].shown(die.face)
        pose = Pose(die.turn - turn, tilt, 0.0, die.turn, self._camera[2] / DIE_MM)
        model = Model(see(Shape(30.0, 0.78), pose, marks, lamp=self._lamp, drilled=0.4), 0, 0.0)
        # The same die at the same place throws the same shadow in every picture.
        steady = np.random.default_rng(zlib.crc32(f"{die.x:.1f} {die.y:.1f} {die.face}".encode()))
        lay(scene, model, paint, np.array((x - left, y - top)), DIE_MM * self._scale, turn, steady)
        window[:] = np.clip(scene, 0, 255).astype(np.uint8)
