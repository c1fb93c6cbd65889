"""A label that makes its text as large as the box allows and breaks only between words."""

from __future__ import annotations

import re
from functools import lru_cache

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.label import Label

_STEP = 0.94
_SLACK = 1.02  # Kivy's own line breaking rounds up
_WORDS = re.compile(r"(\S+)(\s*)")
ELLIPSIS = "\u2026"


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
        for word, spaces in _WORDS.findall(paragraph):
            need = _extents(word, size, bold, font)[0] * _SLACK
            fits = fits and need <= width
            if need > room and room < width:
                lines, room = lines + 1, width
            room -= need + space * len(spaces)
    return lines, fits


def cut_to_lines(text: str, most: int, width: float, size: int, bold: bool, font: str) -> str:
    """Return as many of the first words of `text` as fit into `most` lines, ended by an ellipsis."""
    words = text.split()
    for count in range(len(words) - 1, 0, -1):
        cut = " ".join(words[:count]) + ELLIPSIS
        lines, fits = lines_needed(cut, width, size, bold, font)
        if lines <= most and fits:
            return cut
    for count in range(len(text) - 1, 0, -1):
        if lines_needed(text[:count] + ELLIPSIS, width, size, bold, font) == (1, True):
            return text[:count] + ELLIPSIS
    return ELLIPSIS


class FitLabel(Label):
    """`largest` and `smallest` are font sizes in pixels; `lines` is how many lines the text takes now.

    Where even the smallest does not fit, `overflows` is set and the text ends in an ellipsis.
    """

    largest = NumericProperty(24)
    smallest = NumericProperty(10)
    overflows = BooleanProperty(False)
    lines = NumericProperty(1)

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
            self.lines, fits = lines_needed(self.text, width, size, self.bold, self.font_name)
            high = _extents("Ág", size, self.bold, self.font_name)[1] * self.line_height
            if (fits and self.lines * high <= height) or size <= floor:
                break
            size = max(floor, int(size * _STEP))
        self.overflows = not fits or self.lines * high > height * 1.03
        self.font_size = size
        self.text_size = (self.width, self.height)
        if self.overflows:
            most = max(1, int(height / high))
            # Only what is drawn is cut; `text` stays whole, it is what was said.
            self._label.text = cut_to_lines(self.text, most, width, size, self.bold, self.font_name)
        else:
            self._label.text = self.text
        self._trigger_texture()
