"""A label that makes its text as large as the box allows and breaks only between words."""

from __future__ import annotations

from functools import lru_cache

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.properties import NumericProperty
from kivy.uix.label import Label

_STEP = 0.93
_SLACK = 1.02  # Kivy's own line breaking rounds up


@lru_cache(maxsize=4000)
def _extents(word: str, size: int, bold: bool, font: str) -> tuple[int, int]:
    width, height = CoreLabel(font_size=size, bold=bold, font_name=font).get_extents(word)
    return int(width), int(height)


def lines_needed(text: str, width: float, size: int, bold: bool, font: str) -> tuple[int, bool]:
    """Return how many lines `text` takes in `width` pixels, and whether its longest word fits at all."""
    space = _extents(" ", size, bold, font)[0]
    lines, fits = 0, True
    for paragraph in text.split("\n"):
        lines, room = lines + 1, width
        for word in paragraph.split():
            need = _extents(word, size, bold, font)[0] * _SLACK
            fits = fits and need <= width
            if need > room and room < width:
                lines, room = lines + 1, width
            room -= need + space
    return lines, fits


class FitLabel(Label):
    """`largest` and `smallest` are font sizes in pixels; `overflows` tells that even the smallest is too large.

    Text that overflows ends in an ellipsis.
    """

    largest = NumericProperty(24)
    smallest = NumericProperty(10)
    overflows = NumericProperty(0)

    def __init__(self, **kwargs: object) -> None:
        self._fit_soon = Clock.create_trigger(self._fit, -1)
        super().__init__(**kwargs)
        for name in ("text", "size", "padding", "largest", "smallest", "bold", "font_name", "line_height"):
            self.fbind(name, self._fit_soon)
        self._fit_soon()

    def _fit(self, *_: object) -> None:
        left, top, right, bottom = self.padding
        width, height = self.width - left - right, self.height - top - bottom
        if width <= 1 or height <= 1:
            return
        size, floor = max(1, round(self.largest)), max(1, round(self.smallest))
        while True:
            lines, fits = lines_needed(self.text, width, size, self.bold, self.font_name)
            needed = lines * _extents("Ág", size, self.bold, self.font_name)[1] * self.line_height
            if (fits and needed <= height) or size <= floor:
                break
            size = max(floor, int(size * _STEP))
        self.overflows = 0 if fits and needed <= height else 1
        self.font_size = size
        self.shorten = bool(self.overflows)
        # Kivy shortens to one line; the ellipsis is better than words that run out of the box.
        self.text_size = (self.width, self.height)
