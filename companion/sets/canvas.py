"""A small vector surface for drawing cards: everything in hundredths of a card, smooth at any size.

Frame: origin in the card's middle, x to the right, y down, a square card reaches from -50 to 50.
Shapes are drawn several times larger than asked and reduced at the end, which smooths every edge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

Point = tuple[float, float]

INK: Colour = (38, 32, 48)
CREAM: Colour = (252, 246, 228)
WHITE: Colour = (255, 255, 255)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Blend two colours; `share` is the part of `other`, 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Points on a circle from `start` to `end` degrees, clockwise, 0 = to the right."""
    steps = max(3, int(abs(end - start) / 6))
    angles = (math.radians(start + (end - start) * step / steps) for step in range(steps + 1))
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]


class Canvas:
    """Draws in card units on a picture; `moved` gives the same picture under another frame.

    `pixels` is its width; its height is `tall` times that, and y reaches from -50 to 50 times `tall`.
    """

    def __init__(self, pixels: int, background: Colour, oversampling: int = 3, tall: float = 1.0) -> None:
        self.pixels = pixels
        self.size = (pixels, round(pixels * tall))
        self.image = Image.new("RGB", (self.size[0] * oversampling, self.size[1] * oversampling), background)
        self._draw = ImageDraw.Draw(self.image)
        unit = pixels * oversampling / 100
        self._frame = (unit, 0.0, 50 * unit, 0.0, unit, self.image.height / 2)
        self._unit = unit

    def moved(self, x: float, y: float, zoom: float = 1.0, degrees: float = 0.0) -> Canvas:
        """The same picture with the origin at (x, y), turned clockwise by `degrees` and scaled."""
        a, b, c, d, e, f = self._frame
        cosine, sine = math.cos(math.radians(degrees)) * zoom, math.sin(math.radians(degrees)) * zoom
        other = object.__new__(Canvas)
        other.pixels, other.size, other.image, other._draw = self.pixels, self.size, self.image, self._draw
        other._unit = self._unit * zoom
        other._frame = (
            a * cosine + b * sine, b * cosine - a * sine, a * x + b * y + c,
            d * cosine + e * sine, e * cosine - d * sine, d * x + e * y + f,
        )  # fmt: skip
        return other

    def _place(self, points: Sequence[Point]) -> list[Point]:
        a, b, c, d, e, f = self._frame
        return [(a * x + b * y + c, d * x + e * y + f) for x, y in points]

    def polygon(self, points: Sequence[Point], fill: Colour, edge: Colour | None = None, width: float = 0.9) -> None:
        self._draw.polygon(self._place(points), fill=fill)
        if edge is not None:
            self.line([*points, points[0]], edge, width)

    def oval(
        self,
        x: float,
        y: float,
        across: float,
        down: float,
        fill: Colour,
        edge: Colour | None = None,
        width: float = 0.9,
    ) -> None:
        """An ellipse with half axes `across` and `down`."""
        points = [(x + px * across, y + py * down) for px, py in arc(0, 0, 1, 0, 354)]
        self.polygon(points, fill, edge, width)

    def disc(
        self, x: float, y: float, radius: float, fill: Colour, edge: Colour | None = None, width: float = 0.9
    ) -> None:
        self.oval(x, y, radius, radius, fill, edge, width)

    def line(self, points: Sequence[Point], fill: Colour, width: float) -> None:
        """A line with round joints and ends."""
        placed, thick = self._place(points), max(1, round(width * self._unit))
        # Pillow's round joints are slow; along a long thin curve nobody can see them.
        joint = "curve" if len(points) < 12 or width > 1.6 else None
        self._draw.line(placed, fill=fill, width=thick, joint=joint)
        half = thick / 2
        if half > 1:
            for x, y in (placed[0], placed[-1]):
                self._draw.ellipse((x - half, y - half, x + half, y + half), fill=fill)

    def text(self, words: str, x: float, y: float, height: float, fill: Colour) -> None:
        """Upright small print, centred on (x, y); turned frames do not turn it."""
        font = ImageFont.load_default(size=max(6.0, height * self._unit))
        (place,) = self._place([(x, y)])
        self._draw.text(place, words, fill=fill, font=font, anchor="mm")

    def tint(self, colour: Colour, strength: float, draw: Callable[[Canvas], None]) -> None:
        """Lay what `draw` draws over the picture in one colour, `strength` 0 to 1 opaque.

        `draw` gets a canvas of the same frame on which everything white counts.
        """
        layer = object.__new__(Canvas)
        layer.pixels, layer.size, layer._frame, layer._unit = self.pixels, self.size, self._frame, self._unit
        layer.image = Image.new("RGB", self.image.size, (0, 0, 0))
        layer._draw = ImageDraw.Draw(layer.image)
        draw(layer)
        mask = layer.image.convert("L").point([round(level * strength) for level in range(256)])
        self.image.paste(colour, (0, 0), mask)

    def finished(self) -> NDArray[np.uint8]:
        """The picture at the size asked for, (height, width, 3), BGR."""
        small = self.image.resize(self.size, Image.Resampling.BOX)
        return np.ascontiguousarray(np.asarray(small, dtype=np.uint8)[:, :, ::-1])
