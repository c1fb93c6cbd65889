"""The table top seen flat: wood, the printed mat, and the cards lying on it.

Drawn in canvas pixels; the canvas covers the mat and a strip of the table round it. Cards cast a
thin shadow and mirror the lamp here and there.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.simulated.dice_on_mat import DicePainter
from companion.simulated.light import Picture
from companion.simulated.lying import Laid, LyingDie
from companion.simulated.rig import Conditions, Disturbance, Rig
from companion.simulated.surroundings import Glint, Shade
from companion.table.mat import Mat

ASIDE, BEYOND = 150.0, 80.0
"""Millimetres of table drawn left and right of the mat, and above and below it."""
_REACH = 56.0
_CORNER = 3.0
_SLEEVE_RIM = 1.5

Point = tuple[float, float]
Layer = tuple[int, int, Picture, Picture]
"""Something lying on the canvas: left, top, its light (BGR times coverage) and what it lets through."""


class Surface:
    """Draws the table as it lies; only what changed is drawn again."""

    def __init__(
        self,
        mat: Mat,
        flat_mat: Picture,
        faces: Mapping[str, Picture],
        rig: Rig,
        disturbance: Disturbance,
        conditions: Conditions,
        rng: np.random.Generator,
        painter: DicePainter | None = None,
    ) -> None:
        self.mat = mat
        self._painter = painter
        self.scale = rig.canvas_pixels_per_mm
        self.origin = (-ASIDE, -BEYOND)
        self._faces = faces
        self._disturbance = disturbance
        self._conditions = conditions
        self._blur = conditions.blur * self.scale / rig.pixels_per_mm
        width, height = round((mat.width + 2 * ASIDE) * self.scale), round((mat.height + 2 * BEYOND) * self.scale)
        wood = _wood(width, height, rng)
        self.wood = np.asarray(cv2.GaussianBlur(wood, (0, 0), self._blur), np.uint8)
        """The table as the lens sees it without a mat."""
        self._empty = self._with_mat(wood, flat_mat)
        self._layers: dict[tuple[str, Laid], Layer] = {}
        self._shown: tuple[dict[str, Laid | None], tuple[LyingDie, ...]] | None = None
        self._drawn = self._empty

    def drawn(self, slots: Mapping[str, Laid | None], dice: Sequence[LyingDie] = ()) -> Picture:
        """Return the table with cards and dice, shape (canvas height, canvas width, 3); do not write to it."""
        shown = (dict(slots), tuple(dice))
        if self._shown != shown:
            canvas = self._empty.copy()
            for slot, laid in slots.items():
                if laid is not None:
                    lay_over(canvas, self.layer(slot, laid))
            if self._painter is not None:
                self._painter.draw(canvas, dice, self.origin)
            self._drawn = np.asarray(cv2.GaussianBlur(canvas, (0, 0), self._blur), dtype=np.uint8)
            self._shown = shown
            still_there = {(slot, laid) for slot, laid in slots.items() if laid is not None}
            self._layers = {key: layer for key, layer in self._layers.items() if key in still_there}
        return self._drawn

    def to_canvas(self, point: Point) -> Point:
        """Return the canvas pixel of a point in mat millimetres."""
        return ((point[0] - self.origin[0]) * self.scale - 0.5, (point[1] - self.origin[1]) * self.scale - 0.5)

    def slid(self, slide: tuple[float, float, float], points: Sequence[Point]) -> list[Point]:
        """Return where points of the mat (mm) lie when it has slid (mm, mm, degrees clockwise about its middle)."""
        x0, y0, turn = self.mat.width / 2, self.mat.height / 2, math.radians(slide[2])
        c, s = math.cos(turn), math.sin(turn)
        return [
            (x0 + slide[0] + c * (x - x0) - s * (y - y0), y0 + slide[1] + s * (x - x0) + c * (y - y0))
            for x, y in points
        ]

    def lit(self, table: Picture, shade: Shade | None, glints: Sequence[Glint]) -> Picture:
        """Return the table under a shadow and with lamps mirrored in it."""
        canvas = table
        if shade is not None:
            (x, y), turn = self.to_canvas((shade.x, shade.y)), math.radians(shade.angle)
            along, into = np.array([-math.sin(turn), math.cos(turn)]), np.array([math.cos(turn), math.sin(turn)])
            corners = [(x, y) + a * 4000 * along + b * 8000 * into for a, b in ((-1, 0), (1, 0), (1, 1), (-1, 1))]
            small = np.zeros((table.shape[0] // 4, table.shape[1] // 4), np.uint8)
            cv2.fillConvexPoly(small, np.round(np.array(corners) / 4).astype(np.int32), round(255 * shade.depth))
            soft = cv2.GaussianBlur(small, (0, 0), 1.2 * self.scale)
            dark = 255 - cv2.resize(soft, (table.shape[1], table.shape[0]), interpolation=cv2.INTER_LINEAR)
            canvas = np.asarray(cv2.multiply(canvas, cv2.merge([dark] * 3), scale=1 / 255), np.uint8)
        for glint in glints:
            size = math.ceil(6 * glint.radius * self.scale)
            spot = np.zeros((size, size), np.float32)
            cv2.circle(spot, (size // 2, size // 2), round(1.1 * glint.radius * self.scale), 330.0, -1)
            soft = np.clip(cv2.GaussianBlur(spot, (0, 0), 0.35 * glint.radius * self.scale), 0, 255).astype(np.uint8)
            x, y = self.to_canvas((glint.x, glint.y))
            canvas = canvas if canvas is not table else table.copy()
            through = np.full((size, size, 3), 255, np.uint8)
            lay_over(canvas, (round(x) - size // 2, round(y) - size // 2, np.asarray(cv2.merge([soft] * 3)), through))
        return canvas

    def layer(self, slot: str, laid: Laid) -> Layer:
        """Return one card as it lies in a slot."""
        key = (slot, laid)
        if key not in self._layers:
            x, y = self.mat.slot(slot).rect.centre
            angle = 90.0 * laid.turn + laid.skew
            self._layers[key] = self.card_at(laid.card, x + laid.x, y + laid.y, angle, raised=0.0)
        return self._layers[key]

    def card_at(self, card: str, x: float, y: float, angle: float, raised: float) -> Layer:
        """Return a card with its centre at (x, y) mm, turned `angle` degrees clockwise.

        `raised` (mm above the mat) widens its shadow.
        """
        left, top, ahead = self._window(x, y, _REACH)
        size = ahead
        px, py = (x - self.origin[0]) * self.scale - left, (y - self.origin[1]) * self.scale - top
        face = self._face(card)
        tall, wide = face.shape[:2]
        turn = cv2.getRotationMatrix2D((0.0, 0.0), -angle, self.mat.card_size[0] * self.scale / wide)
        middle = turn[:, :2] @ (np.array((wide, tall)) - 1) / 2
        turn[:, 2] = (px - 0.5 - middle[0], py - 0.5 - middle[1])
        cover = np.asarray(cv2.warpAffine(self._outline(wide, tall), turn, (size, size)), dtype=np.uint8)
        colour = np.asarray(cv2.warpAffine(face, turn, (size, size)), dtype=np.uint8)
        chance = random.Random(f"{x:.3f} {y:.3f} {angle:.3f}")
        if self._conditions.sleeve:
            colour, cover = self._sleeved(colour, cover, chance)
        colour = self._mirror_lamp(colour, cover, chance)
        dark = self._shadow_of(cover, raised)
        light = cv2.multiply(colour, cv2.merge([cover] * 3), scale=1 / 255)
        through = cv2.multiply(255 - cover, dark, scale=1 / 255)
        return left, top, np.asarray(light, np.uint8), np.asarray(cv2.merge([through] * 3), np.uint8)

    def _window(self, x: float, y: float, reach: float) -> tuple[int, int, int]:
        left = math.floor((x - self.origin[0] - reach) * self.scale)
        top = math.floor((y - self.origin[1] - reach) * self.scale)
        return left, top, math.ceil(2 * reach * self.scale)

    def _face(self, card: str) -> Picture:
        wide, tall = (round(2 * side * self.scale) for side in self.mat.card_size)
        face = self._faces[card]
        if face.shape[:2] != (tall, wide):
            face = np.asarray(cv2.resize(face, (wide, tall), interpolation=cv2.INTER_AREA), dtype=np.uint8)
        return face

    def _outline(self, wide: int, tall: int) -> Picture:
        mask = np.zeros((tall, wide), np.uint8)
        radius = round(_CORNER / self.mat.card_size[0] * wide)
        right, bottom = wide - 1 - radius, tall - 1 - radius
        for x, y in ((radius, radius), (right, radius), (right, bottom), (radius, bottom)):
            cv2.circle(mask, (x, y), radius, 255, -1)
        mask[radius : bottom + 1, :] = 255
        mask[:, radius : right + 1] = 255
        return mask

    def _shadow_of(self, cover: Picture, raised: float) -> Picture:
        """Return the light that the card leaves on its surroundings, 255 where it casts no shadow."""
        away = math.radians(self._conditions.lamp + 180.0)
        reach = (0.8 + 0.5 * raised) * self.scale
        shift = np.array([[1.0, 0.0, reach * math.cos(away)], [0.0, 1.0, reach * math.sin(away)]])
        cast = cv2.warpAffine(cover, shift, cover.shape[::-1])
        cast = cv2.GaussianBlur(cast, (0, 0), (0.7 + 0.25 * raised) * self.scale)
        return np.asarray(255 - cv2.convertScaleAbs(cast, alpha=self._conditions.shadow), dtype=np.uint8)

    def _sleeved(self, colour: Picture, cover: Picture, chance: random.Random) -> tuple[Picture, Picture]:
        """Return a card and its outline in a milky sleeve that is larger than the card and has a streak of light."""
        rim = round(_SLEEVE_RIM * self.scale)
        wide = cv2.dilate(cover, cv2.getStructuringElement(cv2.MORPH_RECT, (2 * rim + 1, 2 * rim + 1)))
        paper = np.full_like(colour, 226)
        paper[cover > 0] = colour[cover > 0]
        milk = self._conditions.sleeve
        hazy = cv2.addWeighted(paper, 1 - milk, np.full_like(paper, 235), milk, 0.0)
        streak = np.zeros(cover.shape, np.uint8)
        side, across = cover.shape[0], chance.uniform(0.3, 0.7)
        ends = ((int(side * across), 0), (int(side * (across + chance.uniform(-0.3, 0.3))), side))
        cv2.line(streak, *ends, int(chance.uniform(20, 90)), round(chance.uniform(2.0, 7.0) * self.scale))
        soft = cv2.GaussianBlur(streak, (0, 0), 1.5 * self.scale)
        return np.asarray(cv2.add(hazy, cv2.merge([soft] * 3)), np.uint8), np.asarray(wide, np.uint8)

    def _mirror_lamp(self, colour: Picture, cover: Picture, chance: random.Random) -> Picture:
        if chance.random() >= self._conditions.glare_probability:
            return colour
        size = cover.shape[0]
        strength, half = chance.uniform(*self._disturbance.glare), chance.uniform(*self._disturbance.glare_size)
        spot = np.zeros(cover.shape, np.float32)
        centre = (int(size / 2 + chance.uniform(-0.2, 0.2) * size), int(size / 2 + chance.uniform(-0.2, 0.2) * size))
        axes = (int(half * self.scale * chance.uniform(0.6, 1.2)), int(half * self.scale))
        cv2.ellipse(spot, centre, axes, chance.uniform(0, 180), 0, 360, strength * 1.3, -1)
        soft = cv2.GaussianBlur(spot, (0, 0), half * self.scale * 0.45).astype(np.uint8)
        return np.asarray(cv2.add(colour, cv2.merge([soft] * 3)), dtype=np.uint8)

    def _with_mat(self, wood: Picture, flat_mat: Picture) -> Picture:
        width, height = round(self.mat.width * self.scale), round(self.mat.height * self.scale)
        left, top = round(ASIDE * self.scale), round(BEYOND * self.scale)
        drawn = cv2.resize(flat_mat, (width, height), interpolation=cv2.INTER_AREA)
        edge = np.zeros(wood.shape[:2], np.uint8)
        cv2.rectangle(edge, (left + 2, top + 2), (left + width + 3, top + height + 3), 255, -1)
        shade = 255 - cv2.convertScaleAbs(cv2.GaussianBlur(edge, (0, 0), 3.0), alpha=0.45)
        laid = np.asarray(cv2.multiply(wood, cv2.merge([shade] * 3), scale=1 / 255), dtype=np.uint8)
        laid[top : top + height, left : left + width] = drawn
        return laid


def lay_over(canvas: Picture, layer: Layer) -> None:
    """Lay something over the canvas in place; what reaches past its edge is cut off."""
    left, top, light, through = layer
    height, width = light.shape[:2]
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(canvas.shape[1], left + width), min(canvas.shape[0], top + height)
    if x0 >= x1 or y0 >= y1:
        return
    own = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
    under = canvas[y0:y1, x0:x1]
    canvas[y0:y1, x0:x1] = cv2.add(cv2.multiply(under, through[own], scale=1 / 255), light[own])


def _wood(width: int, height: int, rng: np.random.Generator) -> Picture:
    """A wooden table top: stretched noise along the boards, seams between them."""
    fine = rng.normal(0.0, 1.0, (height // 2, width // 24)).astype(np.float32)
    grain = cv2.resize(cv2.GaussianBlur(fine, (0, 0), 0.8), (width, height), interpolation=cv2.INTER_CUBIC)
    coarse = rng.normal(0.0, 1.0, (height // 40 + 1, width // 200 + 1)).astype(np.float32)
    patches = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    tone = np.asarray(1.0 + 0.10 * grain + 0.07 * patches, dtype=np.float32)
    for seam in range(int(rng.integers(40, 120)), height, 210):
        tone[seam : seam + 3] *= 0.6
    hue = np.array([58.0, 92.0, 136.0]) * rng.uniform(0.75, 1.2) * rng.uniform(0.94, 1.06, 3)
    return np.clip(tone[..., None] * hue, 0, 255).astype(np.uint8)
