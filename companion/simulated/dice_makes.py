"""The dice of the simulated table: what is on their faces, and what colour that has. Our own drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.simulated.light import Picture
from vision.dice.marks import Mask, bar_mask, blank_mask, pip_mask, polygon_mask, text_mask
from vision.dice.paint import Colour, Paint

COLOURS: dict[str, Colour] = {
    "red": (42.0, 38.0, 200.0),
    "green": (64.0, 150.0, 52.0),
    "blue": (176.0, 84.0, 30.0),
    "yellow": (40.0, 205.0, 240.0),
    "purple": (150.0, 40.0, 120.0),
    "white": (232.0, 238.0, 240.0),
    "black": (34.0, 32.0, 30.0),
}
_INK: Colour = (30.0, 28.0, 26.0)
_PAPER: Colour = (236.0, 242.0, 244.0)
_WOOD: Colour = (150.0, 196.0, 222.0)


@dataclass(frozen=True, eq=False)
class DieMake:
    """A kind of die: six labels, their marks and colours. Faces 0 and 1, 2 and 3, 4 and 5 lie opposite each other."""

    labels: tuple[str, ...]
    masks: tuple[Mask, ...]
    paint: Paint

    def shown(self, label: str) -> tuple[list[Mask], Paint]:
        """Return marks and colours with the face `label` on top, in the order that `vision.dice.solid` wants.

        :raises ValueError: if the die has no such face.
        """
        if label not in self.labels:
            raise ValueError(f"this die has the faces {', '.join(self.labels)}, not {label!r}")
        up = self.labels.index(label)
        pair = up // 2 * 2
        order = [up, pair + 1 - (up - pair), *(k for k in range(6) if k // 2 != up // 2)]
        faces = tuple(self.paint.faces[k] for k in order) if self.paint.faces else ()
        marks = tuple(self.paint.marks[k] for k in order) if self.paint.marks else ()
        return [self.masks[k] for k in order], replace(self.paint, faces=faces, marks=marks)


def flat_face(make: DieMake, label: str) -> Picture:
    """Return one face of a die seen squarely, (96, 96, 3) BGR, as it is enrolled.

    :raises ValueError: if the die has no such face.
    """
    masks, paint = make.shown(label)
    body = np.array(paint.faces[0] if paint.faces else paint.body)
    mark = np.array(paint.marks[0] if paint.marks else paint.mark)
    share = masks[0][..., None]
    return np.asarray(np.clip(body * (1 - share) + mark * share, 0, 255), np.uint8)


def pip_die(body: Colour = _PAPER, mark: Colour = _INK) -> DieMake:
    """Return an ordinary die; labels `1` to `6`."""
    values = (1, 6, 2, 5, 3, 4)
    return DieMake(tuple(map(str, values)), tuple(pip_mask(v) for v in values), Paint(body, mark, gloss=0.2))


def battle_die() -> DieMake:
    """Return a die of pips whose 2 is purple; labels `1`, `purple-2`, `3` to `6`."""
    values = (1, 6, 2, 5, 3, 4)
    marks = tuple(COLOURS["purple"] if value == 2 else _INK for value in values)
    labels = tuple("purple-2" if value == 2 else str(value) for value in values)
    return DieMake(labels, tuple(pip_mask(v) for v in values), Paint(_PAPER, marks=marks, gloss=0.2))


def coloured_die(net: Sequence[str], painted: bool = False) -> DieMake:
    """Return a wooden die of coloured digits; `net` are six labels such as `red-3`, opposite faces in pairs.

    With `painted` the faces have the colour and the digits are white. A digit 6 has a line below it.

    :raises ValueError: if a label is not a known colour, a hyphen and a digit of 1 to 6.
    """
    masks, colours = [], []
    for label in net:
        colour, _, digit = label.partition("-")
        if colour not in COLOURS or digit not in tuple("123456"):
            raise ValueError(f"a face is called like red-3, in {', '.join(COLOURS)} with 1 to 6; found {label!r}")
        masks.append(_digit(digit))
        colours.append(COLOURS[colour])
    if painted:
        return DieMake(tuple(net), tuple(masks), Paint(_PAPER, _PAPER, faces=tuple(colours), gloss=0.15))
    return DieMake(tuple(net), tuple(masks), Paint(_WOOD, marks=tuple(colours), gloss=0.05))


def fate_die(body: Colour) -> DieMake:
    """Return a Fate die; its labels `+`, `-` and `blank` stand twice."""
    masks = (bar_mask(True), bar_mask(True), bar_mask(False), bar_mask(False), blank_mask(), blank_mask())
    return DieMake(("plus", "plus", "minus", "minus", "blank", "blank"), masks, Paint(body, _PAPER, gloss=0.3))


def spinning_die(labels: Sequence[str], body: Colour = COLOURS["yellow"]) -> DieMake:
    """Return a die with six signs of ours, called `labels`."""
    masks = (
        polygon_mask(3, 0.5),
        polygon_mask(4, 0.45),
        polygon_mask(5, 0.4),
        polygon_mask(8, 0.72),
        bar_mask(False, 0.6, 0.2),
        polygon_mask(2, 0.45, 0.4),
    )
    return DieMake(tuple(labels), masks, Paint(body, _INK, gloss=0.2))


def _digit(digit: str) -> Mask:
    mask = text_mask(digit, 0.66, 0.11)
    if digit == "6":
        mask = mask.copy()
        rows = slice(round(0.84 * mask.shape[0]), round(0.9 * mask.shape[0]))
        mask[rows, round(0.3 * mask.shape[1]) : round(0.7 * mask.shape[1])] = 1
    return mask
