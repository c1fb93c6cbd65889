"""Labelled photographs disturbed: turned, resized, lit otherwise, blurred, so that no threshold sits at its best.

Thresholds are chosen while looking at some photographs; what holds only there shows when the same
photographs are taken a little otherwise. Each disturbance is applied to the picture and to the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import angle_of, crossing
from vision.geometry import inside, project, rectangle, scaled
from vision.photo_truth import Named, TrueCard

Picture = NDArray[np.uint8]
Map = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture, the cards on it, and those of which the disturbance left only a part in view."""

    picture: Picture
    cards: tuple[TrueCard, ...]
    cut: tuple[TrueCard, ...] = ()

    def keeps(self, reading: Named) -> bool:
        """Say whether a reading counts: what is read of a card that was cut off is neither right nor wrong."""
        middle = crossing(reading.corners)
        is_on_whole = any(inside(card.corners, middle) for card in self.cards)
        return is_on_whole or not any(inside(card.corners, middle) for card in self.cut)


_GRAIN = 2.5
_AROUND = 0.4
"""Grey levels of grain of the table beyond a picture, and how much of it shows, as a share of a card's width."""

Disturb = Callable[[Scene], Scene]


def _warped(scene: Scene, matrix: Map, size: tuple[int, int]) -> Scene:
    """Map a scene by a homography (3, 3) into a picture of `size` (width, height)."""
    # What lies beyond the picture has the colour of its rim and some grain, as a plain table would.
    picture = scene.picture
    rim = np.concatenate((picture[0], picture[-1], picture[:, 0], picture[:, -1]))
    colour = tuple(float(c) for c in np.median(rim, axis=0))
    shrinks = abs(float(np.linalg.det(matrix[:2, :2]))) ** 0.5
    if shrinks < 0.8:
        # A warp samples single pixels: a picture that becomes smaller is smoothed as a lens would.
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 / shrinks), dtype=np.uint8)
    seen = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_CUBIC, borderValue=colour)
    beyond = cv2.warpPerspective(np.zeros(picture.shape[:2], np.uint8), matrix, size, borderValue=255) > 0
    grain = np.random.default_rng(0).normal(0, _GRAIN, (int(beyond.sum()), 3))
    seen[beyond] = np.clip(seen[beyond] + grain, 0, 255)
    whole, cut = list[TrueCard](), list(scene.cut)
    for card in scene.cards:
        corners = project(matrix, card.corners)
        turned = angle_of(corners) - angle_of(card.corners)
        centre = project(matrix, np.array([card.centre]))[0]
        moved = replace(
            card,
            corners=corners,
            centre=(float(centre[0]), float(centre[1])),
            angle=(card.angle + turned) % 360,
        )
        was_in, is_in = _in_frame(card.corners, scene.picture.shape), _in_frame(corners, (size[1], size[0]))
        (whole if is_in or not was_in else cut).append(moved)
    return Scene(np.asarray(seen, dtype=np.uint8), tuple(whole), tuple(cut))


def _in_frame(corners: NDArray[np.float64], shape: tuple[int, ...]) -> bool:
    return bool((corners >= -2).all() and (corners <= (shape[1] + 1, shape[0] + 1)).all())


def turned(degrees: float) -> Disturb:
    """Turn by any angle, clockwise, and show all that lies around the cards."""

    def disturb(scene: Scene) -> Scene:
        height, width = scene.picture.shape[:2]
        cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        turn = np.array([(cosine, -sine, 0.0), (sine, cosine, 0.0), (0.0, 0.0, 1.0)])
        low, high = _bounds(turn, rectangle(width, height))
        if scene.cards:
            edge = _AROUND * max(card.width for card in scene.cards)
            first, last = _bounds(turn, np.concatenate([card.corners for card in scene.cards]))
            low, high = np.maximum(low, first - edge), np.minimum(high, last + edge)
        turn[:2, 2] = -low
        return _warped(scene, turn, (round(high[0] - low[0]), round(high[1] - low[1])))

    return disturb


def resized(factor: float) -> Disturb:
    """Show every card larger or smaller."""

    def disturb(scene: Scene) -> Scene:
        height, width = scene.picture.shape[:2]
        return _warped(scene, scaled(factor), (round(width * factor), round(height * factor)))

    return disturb


def leaning(share: float, turn: int = 0) -> Disturb:
    """Look from the side: the far rim becomes narrower by `share`."""

    def disturb(scene: Scene) -> Scene:
        height, width = scene.picture.shape[:2]
        target = rectangle(width, height)
        off = share / 2 * (width if turn % 2 == 0 else height)
        along = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])[turn % 4]
        target[turn % 4] += off * along
        target[(turn + 1) % 4] -= off * along
        matrix = cv2.getPerspectiveTransform(rectangle(width, height).astype(np.float32), target.astype(np.float32))
        return _warped(scene, np.asarray(matrix, dtype=np.float64), (width, height))

    return disturb


def cropped(left: float, top: float, right: float, bottom: float) -> Disturb:
    """Cut off shares of the picture at its sides."""

    def disturb(scene: Scene) -> Scene:
        height, width = scene.picture.shape[:2]
        move = np.eye(3)
        move[:2, 2] = -round(left * width), -round(top * height)
        return _warped(scene, move, (round(width * (1 - left - right)), round(height * (1 - top - bottom))))

    return disturb


def gamma(power: float) -> Disturb:
    """Expose otherwise: above 1 darker, below 1 brighter, with the contrast shifted."""
    table = np.round(255 * (np.arange(256) / 255) ** power).astype(np.uint8)
    return _lit(lambda picture: cv2.LUT(picture, table))


def cast(blue: float, green: float, red: float) -> Disturb:
    """Light it with a lamp of another colour."""
    return _lit(lambda picture: np.clip(picture * np.array((blue, green, red)), 0, 255))


def one_sided(least: float) -> Disturb:
    """Let the light fall off towards the lower left corner, to the share `least` of it."""

    def light(picture: Picture) -> NDArray[np.float64]:
        height, width = picture.shape[:2]
        y, x = np.mgrid[0:height, 0:width]
        towards = ((1 - x / width) + y / height) / 2
        return np.asarray(picture * (1 - (1 - least) * towards)[:, :, None])

    return _lit(light)


def blurred(sigma: float) -> Disturb:
    """Put the lens out of focus."""
    return _lit(lambda picture: cv2.GaussianBlur(picture, (0, 0), sigma))


def noisy(sigma: float, seed: int = 1) -> Disturb:
    """Add the grain of a dim room."""

    def grain(picture: Picture) -> NDArray[np.float64]:
        chance = np.random.default_rng(seed)
        return np.asarray(np.clip(picture + chance.normal(0, sigma, picture.shape), 0, 255))

    return _lit(grain)


def packed(quality: int) -> Disturb:
    """Save it as a JPEG of low quality."""

    def save(picture: Picture) -> Picture:
        _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)

    return _lit(save)


def after(*steps: Disturb) -> Disturb:
    """Disturb several times, one after the other."""

    def disturb(scene: Scene) -> Scene:
        for step in steps:
            scene = step(scene)
        return scene

    return disturb


def _lit(change: Callable[[Picture], NDArray[np.generic]]) -> Disturb:
    return lambda scene: replace(scene, picture=np.asarray(change(scene.picture), dtype=np.uint8))


def _bounds(matrix: Map, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    seen = project(matrix, points)
    return seen.min(axis=0) + 0.5, seen.max(axis=0) + 0.5


DISTURBANCES: Mapping[str, Disturb] = {
    "turned 17 degrees": turned(17),
    "turned 33 degrees": turned(33),
    "turned 45 degrees": turned(45),
    "turned 61 degrees": turned(61),
    "half the size": resized(0.5),
    "0.7 of the size": resized(0.7),
    "1.4 times the size": resized(1.4),
    "brighter (gamma 0.6)": gamma(0.6),
    "darker (gamma 1.6)": gamma(1.6),
    "half the light": cast(0.5, 0.5, 0.5),
    "warm lamp": cast(0.72, 0.95, 1.12),
    "cold lamp": cast(1.15, 1.0, 0.78),
    "light from one side": one_sided(0.35),
    "blurred by 1 pixel": blurred(1.0),
    "blurred by 1.5 pixels": blurred(1.5),
    "noise of 8 levels": noisy(8),
    "JPEG quality 40": packed(40),
    "leaning away": leaning(0.15),
    "leaning to the side": leaning(0.15, 1),
    "cropped": cropped(0.06, 0.1, 0.09, 0.05),
    "a poor phone": after(turned(23), leaning(0.1), resized(0.8), blurred(0.7), noisy(5), packed(55)),
}
"""By name; the last one does several at once."""
