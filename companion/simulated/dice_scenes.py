"""The dice tray as the camera sees it: dice at rest, tumbling, in a hand, taken out.

Frame: pixels of the camera's picture. Ranges drawn from the seed: place and turn of each die, lamp and
shadows, light that falls off by up to a third, exposure, colour cast of 6 %, blur of 0.5 to 0.9 pixels,
noise of 1.5 to 3.5 grey levels.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulated.dice_makes import DieMake
from companion.simulated.light import Picture
from vision.dice.scenes import Model, lay
from vision.dice.solid import Pose, Shape, see

Points = NDArray[np.float64]

_SKIN = (118.0, 150.0, 205.0)
_FELT = ((70.0, 92.0, 40.0), (86.0, 60.0, 52.0), (60.0, 60.0, 62.0), (58.0, 44.0, 92.0))


@dataclass(frozen=True)
class Lying:
    """Where one die lies: the face on top, its place in pixels, its turn and how far it leans, in degrees."""

    label: str
    x: float
    y: float
    turn: float
    lean: float = 0.0


class TrayCamera:
    """A camera above a tray of dice; everything that varies comes from `seed`."""

    def __init__(
        self,
        dice: Sequence[DieMake],
        seed: int,
        size: tuple[int, int] = (1280, 720),
        pixels_per_mm: float = 2.1,
        tray_mm: tuple[float, float] = (200.0, 150.0),
        die_mm: float = 16.0,
        height_mm: float = 470.0,
    ) -> None:
        self.dice = tuple(dice)
        self.lying: dict[int, Lying] = {}
        self._chance = chance = np.random.default_rng(seed)
        self._size, self._edge = size, die_mm * pixels_per_mm
        self._height = height_mm * pixels_per_mm
        half = np.array(tray_mm) * pixels_per_mm / 2
        self._middle = np.array(size) / 2 + chance.uniform(-0.12, 0.12, 2) * (np.array(size) / 2)
        self.tray: Points = self._middle + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
        """The tray's corners (4, 2), its own top left first."""
        self._table = self._empty()
        self._light = self._lamp()
        self._noise, self._blur = chance.uniform(1.5, 3.5), chance.uniform(0.5, 0.9)
        self._lamp_from = (*chance.uniform(-0.8, 0.8, 2), 1.0)
        self._drawn: NDArray[np.float32] | None = None

    def throw(self, faces: Sequence[str], only: Sequence[int] | None = None) -> None:
        """Let dice come to rest at new places, all of them or `only` these, in the order of `faces`."""
        thrown = range(len(self.dice)) if only is None else only
        for number in thrown:
            self.lying.pop(number, None)
        for number, label in zip(thrown, faces, strict=True):
            place = self._free_place()
            self.lying[number] = Lying(label, place[0], place[1], float(self._chance.uniform(0, 360)))
        self._drawn = None

    def lay_at(self, number: int, lying: Lying) -> None:
        """Lay one die exactly there: cocked against something, half over the rim."""
        self.lying[number] = lying
        self._drawn = None

    def take(self, numbers: Sequence[int]) -> None:
        """Take dice out of the tray."""
        for number in numbers:
            self.lying.pop(number, None)
        self._drawn = None

    def picture(self, hand: Points | None = None, held: tuple[int, str] | None = None) -> Picture:
        """Return what the camera sees; `hand` is where fingertips are, `held` a die in them and the face it shows."""
        if self._drawn is None:
            self._drawn = self._table.copy()
            for number, lying in sorted(self.lying.items(), key=lambda item: item[1].y):
                self._draw(self._drawn, self.dice[number], lying, 1.0)
        scene = self._drawn
        if hand is not None:
            scene = scene.copy()
            _arm(scene, hand, self._edge)
            if held is not None:
                self._draw(scene, self.dice[held[0]], Lying(held[1], float(hand[0]), float(hand[1]), 20.0), 1.18)
        return self._expose(scene)

    def tumbling(self, faces: Sequence[str]) -> Picture:
        """Return a picture of all dice on their way, smeared; where they lay is forgotten."""
        self.throw(faces)
        table = self._table.copy()
        for number, lying in self.lying.items():
            self._draw(table, self.dice[number], lying, 1.05)
        self.lying.clear()
        length, angle = int(self._chance.integers(7, 22)), self._chance.uniform(0, np.pi)
        kernel = np.zeros((length, length), np.float32)
        middle = length / 2
        end = middle * np.array((np.cos(angle), np.sin(angle)))
        cv2.line(kernel, tuple(int(v) for v in middle - end), tuple(int(v) for v in middle + end), 1.0)
        smeared = cv2.filter2D(table, -1, kernel / max(1.0, float(kernel.sum())))
        return self._expose(np.asarray(smeared, np.float32))

    def _draw(self, scene: NDArray[np.float32], make: DieMake, lying: Lying, scale: float) -> None:
        marks, paint = make.shown(lying.label)
        towards = np.array(self._size) / 2 - (lying.x, lying.y)
        away = float(np.hypot(*towards))
        tilt = float(np.degrees(np.arctan2(away, self._height)))
        turn = float(np.degrees(np.arctan2(-towards[0], towards[1]))) if away > 1 else 0.0
        pose = Pose(lying.turn - turn, tilt, lying.lean, lying.turn, self._height / self._edge)
        sprite = see(Shape(30.0, 0.78), pose, marks, lamp=self._lamp_from, drilled=0.4)
        # The same die at the same place throws the same shadow in every picture and every run.
        steady = np.random.default_rng(zlib.crc32(f"{lying.x:.1f} {lying.y:.1f} {lying.label}".encode()))
        lay(scene, Model(sprite, 0, lying.lean), paint, np.array((lying.x, lying.y)), self._edge * scale, turn, steady)

    def _free_place(self) -> tuple[float, float]:
        low, high = self.tray.min(axis=0) + 0.9 * self._edge, self.tray.max(axis=0) - 0.9 * self._edge
        for _ in range(500):
            place = self._chance.uniform(low, high)
            if all(np.hypot(place[0] - o.x, place[1] - o.y) > 1.5 * self._edge for o in self.lying.values()):
                break
        return float(place[0]), float(place[1])

    def _empty(self) -> NDArray[np.float32]:
        width, height = self._size
        chance = self._chance
        grain = cv2.resize(chance.normal(0, 6, (height // 3, width // 30)).astype(np.float32), (width, height))
        wood = np.array((70.0, 108.0, 150.0), np.float32) * chance.uniform(0.7, 1.2)
        table: NDArray[np.float32] = wood + grain[..., None]
        felt = np.array(_FELT[int(chance.integers(len(_FELT)))], np.float32) * chance.uniform(0.8, 1.4)
        fibres = chance.normal(0, 5, (height, width, 1)).astype(np.float32)
        corners = [np.round(self.tray * 8).astype(np.int32)]
        floor = np.zeros((height, width), np.uint8)
        cv2.fillPoly(floor, corners, 255, cv2.LINE_AA, shift=3)
        table = np.where(floor[..., None] > 127, felt + fibres, table).astype(np.float32)
        cv2.polylines(table, corners, True, [float(c) for c in felt * 0.45], 10, cv2.LINE_AA, shift=3)
        return np.asarray(table, np.float32)

    def _lamp(self) -> NDArray[np.float32]:
        width, height = self._size
        chance = self._chance
        y, x = np.mgrid[0:height, 0:width].astype(np.float32) / width - 0.5
        towards = chance.uniform(0, 2 * np.pi)
        light = 1 + chance.uniform(0.1, 0.33) * (np.cos(towards) * x + np.sin(towards) * y)
        return np.asarray(light[..., None] * chance.uniform(0.85, 1.1) * chance.uniform(0.94, 1.06, 3), np.float32)

    def _expose(self, scene: NDArray[np.float32]) -> Picture:
        lit = cv2.GaussianBlur(scene * self._light, (0, 0), self._blur)
        noise = self._chance.normal(0, self._noise, size=lit.shape)
        return np.asarray(np.clip(lit + noise, 0, 255), np.uint8)


def _arm(scene: NDArray[np.float32], tip: Points, edge: float) -> None:
    """Draw a forearm that comes from the nearer of the upper and lower edge of the picture to `tip`."""
    height = scene.shape[0]
    start = (int(tip[0] + 1.5 * edge), height + 40 if tip[1] > height / 2 else -40)
    for wider, tone in ((8, 0.6), (0, 1.0)):
        colour = tuple(tone * c for c in _SKIN)
        cv2.line(scene, start, (int(tip[0]), int(tip[1])), colour, int(3.2 * edge) + wider, cv2.LINE_AA)
