"""Draw over a picture what was made of it: outlines, names, arrows; white is sure, amber is not."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from companion.table.mat import Mat
from companion.table.observation import Sighting
from vision.detections import CardReading
from vision.dice.reading import DieReading
from vision.frame import Picture
from vision.plane import Points
from vision.table_reader import Look

Colour = tuple[int, int, int]
"""Red, green, blue."""

WHITE: Colour = (255, 255, 255)
AMBER: Colour = (255, 176, 32)
SHADE: Colour = (16, 16, 16)
FAINT: Colour = (170, 170, 170)


def annotate_scene(picture: Picture, look: Look, mat: Mat) -> Picture:
    """Return a copy of `picture` (the frame that `look` was made of) with the scene drawn over it.

    Known cards are white, unsure and unknown ones amber (unsure with the percentage), slots without a
    card have a faint frame, hidden slots none. A problem is written along the top edge.
    """
    pen = _Pen(picture)
    if look.plane is not None:
        for sighting in look.scene.sightings:
            corners = look.plane.to_picture(mat.slot(sighting.slot).rect.corners)
            if sighting.seen == "empty":
                pen.outline(corners, FAINT, 1)
            elif sighting.seen == "unknown":
                pen.outline(corners, AMBER, 3)
                pen.label(corners.mean(axis=0), "unknown card", AMBER)
            elif sighting.seen != "hidden":
                outline = look.outlines.get(sighting.slot)
                card = corners if outline is None else look.plane.to_picture(outline)
                pen.card(card, *_caption(sighting), arrow=outline is not None)
    if look.scene.problem:
        pen.banner(look.scene.problem)
    elif look.scene.hand:
        pen.banner("a hand is over the table")
    return pen.done()


def annotate_readings(picture: Picture, readings: Iterable[CardReading]) -> Picture:
    """Return a copy of `picture` with free readings drawn over it (corners in its pixels)."""
    pen = _Pen(picture)
    for reading in readings:
        if reading.label is None:
            pen.card(reading.corners, "unknown card", AMBER, arrow=False)
        elif reading.state == "known":
            pen.card(reading.corners, reading.label, WHITE)
        else:
            pen.card(reading.corners, f"{reading.label}? {reading.confidence:.0%}", AMBER)
    return pen.done()


def annotate_dice(picture: Picture, dice: Iterable[DieReading]) -> Picture:
    """Return a copy of `picture` with the upper faces of dice drawn over it and what they show beside them."""
    pen = _Pen(picture)
    for die in dice:
        words = die.value or "?"
        known = die.state == "known"
        caption = (
            words if known else f"{words}? {die.confidence:.0%}" if die.state == "unsure" else f"{words}: {die.state}"
        )
        pen.outline(die.top, WHITE if known else AMBER, pen.thick)
        x, y = die.centre
        pen.label(np.array((x, y - 0.85 * die.size)), caption, WHITE if known else AMBER)
    return pen.done()


def _caption(sighting: Sighting) -> tuple[str, Colour]:
    name = sighting.piece or "card"
    if sighting.seen == "known":
        return name, WHITE
    return f"{name}? {sighting.confidence:.0%}", AMBER


class _Pen:
    """Draws shapes with OpenCV at once and all words at the end with one change of library."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture.copy()
        self.thick = max(1, round(picture.shape[0] / 360))
        self._size = max(11, round(picture.shape[0] / 48))
        self._words: list[tuple[float, float, str, Colour]] = []
        self._banner = ""

    def outline(self, corners: Points, colour: Colour, thick: int) -> None:
        points = np.round(corners * 16).astype(np.int32)
        if thick > 1:
            cv2.polylines(self._picture, [points], True, SHADE[::-1], thick + 2, cv2.LINE_AA, shift=4)
        cv2.polylines(self._picture, [points], True, colour[::-1], thick, cv2.LINE_AA, shift=4)

    def card(self, corners: Points, words: str, colour: Colour, arrow: bool = True) -> None:
        self.outline(corners, colour, self.thick)
        centre = corners.mean(axis=0)
        if arrow:
            top = corners[:2].mean(axis=0)
            start, tip = centre + 0.42 * (top - centre), centre + 0.94 * (top - centre)
            for shade, thick in ((SHADE[::-1], 3 * self.thick + 2), (colour[::-1], 2 * self.thick)):
                cv2.arrowedLine(self._picture, _pixel(start), _pixel(tip), shade, thick, cv2.LINE_AA, tipLength=0.55)
        self.label(centre, words, colour)

    def label(self, centre: Points, words: str, colour: Colour) -> None:
        self._words.append((float(centre[0]), float(centre[1]), words, colour))

    def banner(self, words: str) -> None:
        self._banner = words

    def done(self) -> Picture:
        font = _font(self._size)
        for x, y, words, _ in self._words:
            left, top, right, bottom = font.getbbox(words, anchor="mm")
            self._darken(x + left - 4, y + top - 3, x + right + 4, y + bottom + 3)
        if self._banner:
            self._darken(0, 0, self._picture.shape[1], 2 * self._size)
        image = Image.fromarray(self._picture[:, :, ::-1])
        draw = ImageDraw.Draw(image)
        for x, y, words, colour in self._words:
            draw.text((x, y), words, fill=colour, font=font, anchor="mm")
        if self._banner:
            draw.text((self._size // 2, self._size), self._banner, fill=AMBER, font=font, anchor="lm")
        return np.ascontiguousarray(np.asarray(image)[:, :, ::-1])

    def _darken(self, left: float, top: float, right: float, bottom: float) -> None:
        area = self._picture[max(0, int(top)) : max(0, int(bottom)), max(0, int(left)) : max(0, int(right))]
        area[:] = area // 4


def _pixel(point: Points) -> tuple[int, int]:
    return (round(float(point[0])), round(float(point[1])))


@lru_cache(maxsize=4)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType; install the pillow wheel from the package index")
    return font
