"""Rendered pictures of dice on tables, with the truth: what the networks learn from and are measured on.

Every range is stated here: cubes with edges from sharp to rolled off, tilt of the camera 0 to 45
degrees, leaning dice, pips of any colour, printed or drilled, round, square or rings, spacing 0.2 to 0.29
and radius 0.06 to 0.14 of the edge, marbled and speckled bodies, digits and signs on faces, one or two
lamps with soft or hard shadows, glare, blur, noise, packing; grounds of `vision.dice.grounds`, cards,
hands and other things of `vision.dice.clutter` under and beside the dice. No photograph is used.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.clutter import strew
from vision.dice.grounds import any_colour, ground
from vision.dice.marks import Mask, PipForm, bar_mask, blank_mask, pip_mask, polygon_mask, text_mask
from vision.dice.paint import Colour, Paint, paint
from vision.dice.solid import Pose, Shape, Sprite, see

Chance = np.random.Generator
OTHER = 7
"""The value of a face that bears something else than 1 to 6 pips."""

_SIZE, _LARGE = 146, 330
"""Pixels of a sprite; the edge of its die is about 1 / 2.7 of that."""

COCKED = 13.0
"""A die leaning by more degrees than this lies on no face."""


@dataclass(frozen=True, eq=False)
class Model:
    """One rendered die without place: its looks, the value on top (OTHER for signs) and whether it leans."""

    sprite: Sprite
    value: int
    lean: float


@dataclass(frozen=True, eq=False)
class TrueDie:
    """A die in a scene. `top` (4, 2) are the corners of its upper face in pixels, `edge` their mean distance,
    `normal` where that face points (x, y; 0 at the camera), `visible` the share of the body in view.
    """

    value: int
    top: NDArray[np.float64]
    edge: float
    normal: tuple[float, float]
    lean: float
    visible: float = 1.0

    @property
    def centre(self) -> NDArray[np.float64]:
        return np.asarray(self.top.mean(axis=0), np.float64)


def draw_model(chance: Chance, size: int = _SIZE) -> Model:
    """Draw one die of random make and pose."""
    value, marks = _faces(chance)
    lean = chance.uniform(COCKED + 4, 40) if chance.random() < 0.06 else 0.0
    tilt = abs(chance.normal(0, 14)) if chance.random() < 0.6 else chance.uniform(0, 45)
    pose = Pose(chance.uniform(0, 360), min(tilt, 45.0), lean, chance.uniform(0, 360), chance.uniform(6, 40))
    sharp = float(np.exp(chance.uniform(np.log(9), np.log(70))))
    shape = Shape(sharp, chance.uniform(0.66, 0.9))
    lamp = (chance.uniform(-1, 1), chance.uniform(-1, 1), chance.uniform(0.3, 1.4))
    drilled = 0.0 if chance.random() < 0.35 else chance.uniform(0.1, 1.0)
    return Model(see(shape, pose, marks, size, lamp, drilled), value, lean)


def draw_paint(chance: Chance) -> Paint:
    """Draw the colours of one die: a body, and marks that stand off from it."""
    if chance.random() < 0.4:
        pale = chance.uniform(0.75, 1.0) * chance.uniform((0.75, 0.9, 0.95), 1.0)
        body = np.asarray(255 * pale, np.float32)
    else:
        body = any_colour(chance, 0.8)
    for _ in range(20):
        kind = chance.random()
        mark = (
            np.full(3, chance.uniform(0, 50), np.float32)
            if kind < 0.4
            else np.full(3, chance.uniform(200, 255), np.float32)
            if kind < 0.7
            else any_colour(chance, 0.8)
        )
        # Pips as light as the body are told by their colour alone.
        if np.abs(mark - body).max() > 80 and np.abs(mark - body).mean() > 40:
            break
    marbling = chance.uniform(0.3, 1.0) if chance.random() < 0.25 else 0.0
    vein = np.clip(body * chance.uniform(0.4, 1.3) + chance.normal(0, 30, 3), 0, 255)
    return Paint(
        _bgr(body),
        _bgr(mark),
        _bgr(vein),
        marbling,
        ambient=chance.uniform(0.25, 0.8),
        gloss=chance.uniform(0, 1.2) if chance.random() < 0.6 else 0.0,
        seed=int(chance.integers(1 << 30)),
        speckled=chance.random() < 0.25,
    )


class Stage:
    """Renders scenes from a stock of models that is renewed as it is used."""

    def __init__(self, chance: Chance, stock: int = 60) -> None:
        self._chance = chance
        self._models = [draw_model(chance) for _ in range(stock)]
        self._large = [draw_model(chance, _LARGE) for _ in range(stock // 8)]

    def model(self, edge: float = 0.0) -> Model:
        """Return a die, drawn finer if it will be large in the picture; one in three is new."""
        fine = edge > 1.3 * _SIZE / 2.7
        models, size, fresh = (self._large, _LARGE, 0.2) if fine else (self._models, _SIZE, 0.34)
        where = int(self._chance.integers(len(models)))
        if self._chance.random() < fresh:
            models[where] = draw_model(self._chance, size)
        return models[where]

    def scene(
        self, side: int = 256, dice: int | None = None, edge: float | None = None
    ) -> tuple[NDArray[np.uint8], list[TrueDie]]:
        """Render a square picture with `dice` dice of about `edge` pixels; both drawn if not given."""
        chance = self._chance
        picture = ground(side, chance)
        if chance.random() < 0.3:
            strew(picture, chance, int(chance.integers(1, 6)))
        edge = float(np.exp(chance.uniform(np.log(13), np.log(62)))) if edge is None else edge
        if dice is None:
            dice = 0 if chance.random() < 0.12 else int(chance.integers(1, 13))
        alike = draw_paint(chance) if chance.random() < 0.5 else None
        laid: list[TrueDie] = []
        covers: list[NDArray[np.float32]] = []
        for place in self._places(side, dice, edge):
            die, cover = lay(
                picture,
                self.model(edge),
                alike or draw_paint(chance),
                place,
                edge * chance.uniform(0.92, 1.08),
                chance.uniform(0, 360),
                chance,
            )
            covers = [_less(before, cover) for before in covers]
            laid.append(die)
            covers.append(cover)
        truth = [
            TrueDie(die.value, die.top, die.edge, die.normal, die.lean, float(cover.sum()) / _whole(die))
            for die, cover in zip(laid, covers, strict=True)
        ]
        return expose(picture, chance), truth

    def bare(self, side: int = 256) -> NDArray[np.uint8]:
        """Render a square picture with cards, hands and other things, and no die."""
        picture = ground(side, self._chance)
        strew(picture, self._chance, int(self._chance.integers(1, 9)))
        return expose(picture, self._chance)

    def mixed(self) -> tuple[NDArray[np.uint8], list[TrueDie]]:
        """Render one of the scenes that the networks learn from: any dice, many of them, or a few large ones."""
        kind = self._chance.random()
        if kind < 0.4:
            return self.scene()
        if kind < 0.7:
            return self.scene(dice=int(self._chance.integers(5, 12)), edge=self._chance.uniform(22, 50))
        edge = float(np.exp(self._chance.uniform(np.log(62), np.log(190))))
        return self.scene(dice=int(self._chance.integers(1, 6)), edge=edge)

    def _places(self, side: int, count: int, edge: float) -> list[NDArray[np.float64]]:
        """Return places that do not overlap; every other one beside a die that lies already."""
        chance = self._chance
        places: list[NDArray[np.float64]] = []
        for _ in range(6 * count):
            if len(places) == count:
                break
            if places and chance.random() < 0.4:
                angle = chance.uniform(0, 2 * np.pi)
                beside = places[int(chance.integers(len(places)))]
                place = beside + edge * chance.uniform(1.15, 1.7) * np.array((np.cos(angle), np.sin(angle)))
            else:
                place = chance.uniform(-0.1 * edge, side + 0.1 * edge, 2)
            if all(np.hypot(*(place - other)) > 1.15 * edge for other in places):
                places.append(place)
        # Those further up lie behind: the order in which nearer dice hide them.
        return sorted(places, key=lambda place: float(place[1]))


def lay(
    picture: NDArray[np.float32],
    model: Model,
    colours: Paint,
    place: NDArray[np.float64],
    edge: float,
    turn: float,
    chance: Chance,
) -> tuple[TrueDie, NDArray[np.float32]]:
    """Draw a die and its shadow over `picture` in place; return the truth and the pixels that it covers."""
    sprite = model.sprite
    scale = edge / sprite.edge
    side = sprite.cover.shape[0]
    middle = sprite.top.mean(axis=0)
    angle = np.radians(turn)
    linear = scale * np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    matrix = np.column_stack((linear, place - linear @ middle))
    layers = np.dstack((paint(sprite, colours), sprite.cover))
    if scale < 0.75:
        small = max(8, round(side * scale * 1.2))
        layers = np.asarray(cv2.resize(layers, (small, small), interpolation=cv2.INTER_AREA), np.float32)
        # Pixel centres: the small picture's pixel p lies at (p + 0.5) * ratio - 0.5 of the large one.
        ratio = side / small
        shrink = np.array([(ratio, 0, ratio / 2 - 0.5), (0, ratio, ratio / 2 - 0.5), (0, 0, 1)])
        warp = matrix @ shrink
    else:
        warp = matrix
    height, width = picture.shape[:2]
    reach = int(np.ceil(0.75 * side * scale)) + 2
    left, top = max(0, int(place[0]) - reach), max(0, int(place[1]) - reach)
    right, bottom = min(width, int(place[0]) + reach), min(height, int(place[1]) + reach)
    cover = np.zeros((height, width), np.float32)
    own = TrueDie(model.value, sprite.top @ linear.T + matrix[:, 2], edge, _turned(sprite.normal, angle), model.lean)
    if right <= left or bottom <= top:
        return own, cover
    shifted = warp.copy()
    shifted[:, 2] -= (left, top)
    _cast(picture, sprite, own, linear, chance)
    laid = cv2.warpAffine(layers, shifted, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
    share = laid[..., 3:]
    window = picture[top:bottom, left:right]
    window[:] = window * (1 - share) + laid[..., :3]
    cover[top:bottom, left:right] = share[..., 0]
    return own, cover


def expose(picture: NDArray[np.float32], chance: Chance) -> NDArray[np.uint8]:
    """Return what a camera makes of a scene: light, colour cast, glare, blur, noise, packing."""
    side = picture.shape[0]
    y, x = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]].astype(np.float32) / side - 0.5
    towards = chance.uniform(0, 2 * np.pi)
    light = 1 + chance.uniform(0, 0.6) * (np.cos(towards) * x + np.sin(towards) * y)
    light *= 1 - chance.uniform(0, 0.5) * (x**2 + y**2)
    cast = chance.uniform(0.3, 1.2) * chance.uniform(0.86, 1.14, 3)
    lit = picture * light[..., None] * cast
    if chance.random() < 0.12:
        (left, top), spread = chance.uniform(-0.4, 0.4, 2), chance.uniform(0.02, 0.12)
        lit += chance.uniform(80, 250) * np.exp(-((x - left) ** 2 + (y - top) ** 2) / (2 * spread**2))[..., None]
    lit = 255 * np.clip(lit / 255, 0, None) ** chance.uniform(0.75, 1.3)
    lit = cv2.GaussianBlur(lit.astype(np.float32), (0, 0), float(np.exp(chance.uniform(np.log(0.3), np.log(1.5)))))
    if chance.random() < 0.4:
        soft = cv2.GaussianBlur(lit, (0, 0), 1.2)
        lit = lit + chance.uniform(0.3, 1.2) * (lit - soft)
    lit += chance.normal(0, chance.uniform(0.5, 7), lit.shape).astype(np.float32)
    seen = np.clip(lit, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(55, 96))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _faces(chance: Chance) -> tuple[int, list[Mask]]:
    """Return the value on top and the marks of the six faces."""
    kind = chance.random()
    up = int(chance.integers(1, 7))
    sides = [value for value in range(1, 7) if value not in (up, 7 - up)]
    first = sides[int(chance.integers(4))]
    rest = [value for value in sides if value not in (first, 7 - first)]
    chance.shuffle(rest)
    values = [up, 7 - up, first, 7 - first, *rest]
    spacing, radius = chance.uniform(0.2, 0.29), chance.uniform(0.06, 0.14)
    single = radius * (chance.uniform(1.1, 2.2) if chance.random() < 0.3 else 1.0)
    mirrored = chance.random() < 0.5
    forms: tuple[PipForm, ...] = ("round", "square", "ring")
    form = forms[int(chance.choice(3, p=(0.9, 0.05, 0.05)))]
    signs = kind < 0.2
    special = int(chance.integers(1, 7)) if 0.2 <= kind < 0.28 else 0
    masks, top = [], OTHER if signs or special == up else up
    for value in values:
        mask = (
            _sign(value, chance)
            if signs or value == special
            else pip_mask(value, spacing, single if value == 1 else radius, mirrored, form)
        )
        masks.append(np.ascontiguousarray(np.rot90(mask, int(chance.integers(4)))))
    return top, masks


def _sign(value: int, chance: Chance) -> Mask:
    kind = chance.random()
    if kind < 0.55:
        return text_mask(str(value), chance.uniform(0.4, 0.65), chance.uniform(0.05, 0.12), int(chance.integers(0, 5)))
    if kind < 0.7:
        return bar_mask(chance.random() < 0.5, chance.uniform(0.35, 0.6), chance.uniform(0.08, 0.18))
    if kind < 0.9:
        return polygon_mask(int(chance.integers(3, 8)), chance.uniform(0.3, 1.0), chance.uniform(0.2, 0.38))
    return blank_mask()


def _cast(
    picture: NDArray[np.float32], sprite: Sprite, die: TrueDie, linear: NDArray[np.float64], chance: Chance
) -> None:
    """Darken the ground beside a die, away from its lamp, and close round it."""
    away = -np.array(sprite.lamp) @ linear.T / max(1e-6, float(np.hypot(*sprite.lamp)))
    away /= max(1e-6, float(np.hypot(*away)))
    down = -np.array(die.normal) * die.edge
    foot = die.top + down
    height, width = picture.shape[:2]
    reach = int(3.2 * die.edge) + 4
    cx, cy = (int(v) for v in die.centre)
    left, top, right, bottom = max(0, cx - reach), max(0, cy - reach), min(width, cx + reach), min(height, cy + reach)
    if right <= left or bottom <= top:
        return
    lamps = [(away, chance.uniform(0.1, 1.3))]
    if chance.random() < 0.2:
        angle = chance.uniform(0, 2 * np.pi)
        lamps.append((np.array((np.cos(angle), np.sin(angle))), chance.uniform(0.2, 1.0)))
    for direction, length in lamps:
        outline = np.concatenate((foot, foot + direction * length * die.edge)) - (left, top)
        mask = np.zeros((bottom - top, right - left), np.float32)
        cv2.fillConvexPoly(
            mask, cv2.convexHull(outline.astype(np.float32)).astype(np.int32), float(chance.uniform(0.1, 0.65))
        )
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.3, die.edge * chance.uniform(0.01, 0.15)))
        picture[top:bottom, left:right] *= 1 - soft[..., None]


def _less(before: NDArray[np.float32], cover: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(before * (1 - cover), np.float32)


def _whole(die: TrueDie) -> float:
    """Return about how many pixels a die covers where nothing hides it."""
    flat = float(np.hypot(*die.normal))
    return die.edge**2 * (1 + 0.9 * flat)


def _turned(normal: tuple[float, float], angle: float) -> tuple[float, float]:
    x, y = normal
    return float(np.cos(angle) * x - np.sin(angle) * y), float(np.sin(angle) * x + np.cos(angle) * y)


def _bgr(colour: NDArray[np.floating]) -> Colour:
    return float(colour[0]), float(colour[1]), float(colour[2])
