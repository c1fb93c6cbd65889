"""A card beside what was read of it, so that one look compares both; a touch says that something differs."""

from __future__ import annotations

import numpy as np
from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothLine, SmoothRoundedRectangle
from kivy.graphics.texture import Texture
from kivy.properties import NumericProperty, ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.presenters.desk import Frame
from companion.presenters.enrol import EnrolCard, PictureModel
from ui.glyphs import text_texture

_WORDS = 0.2
"""Share of the height that the words below take."""


def texture_of(picture: PictureModel) -> Texture:
    """Return a picture as a texture that stands upright."""
    texture = Texture.create(size=(picture.width, picture.height), colorfmt="rgba")
    texture.flip_vertical()
    texture.blit_buffer(picture.rgba, colorfmt="rgba", bufferfmt="ubyte")
    return texture


def frame_of(picture: PictureModel, serial: int) -> Frame:
    """Return a picture as a camera's frame."""
    pixels = np.frombuffer(picture.rgba, np.uint8).reshape(picture.height, picture.width, 4)
    return Frame(serial, pixels.copy())


class EnrolCardTile(ButtonBehavior, Widget):
    """Shows an `EnrolCard`: the photograph on the left, the values where they are printed on the right."""

    model = ObjectProperty(None)
    theme = ObjectProperty(None)
    mm = NumericProperty(5.0)

    def __init__(self, model: EnrolCard, **kwargs: object) -> None:
        self._texture = texture_of(model.picture)
        self._group = InstructionGroup()
        self._draw_soon = Clock.create_trigger(self._draw, -1)
        super().__init__(model=model, **kwargs)
        self.canvas.add(self._group)
        for name in ("pos", "size", "state", "theme", "mm"):
            self.fbind(name, self._draw_soon)
        self._draw_soon()

    def _draw(self, *_: object) -> None:
        group, theme, mm = self._group, self.theme, self.mm
        group.clear()
        group.add(Color(*(theme.pressed if self.state == "down" else theme.raised)))
        group.add(SmoothRoundedRectangle(pos=self.pos, size=self.size, radius=[1.5 * mm]))
        edge = 0.8 * mm
        words = _WORDS * self.height
        side = min((self.width - 3 * edge) / 2, self.height - words - 2 * edge)
        bottom = self.top - edge - side
        left = self.center_x - side - edge / 2
        group.add(Color(1, 1, 1, 1))
        group.add(Rectangle(texture=self._texture, pos=(left, bottom), size=(side, side)))
        right = self.center_x + edge / 2
        group.add(Color(*theme.panel))
        group.add(SmoothRoundedRectangle(pos=(right, bottom), size=(side, side), radius=[1 * mm]))
        for mark in self.model.marks:
            self._value(mark.says, (right + mark.x * side, bottom + (1 - mark.y) * side), 0.2 * side, mark.doubtful)
        ink = theme.doubt if self.model.changed else theme.text
        self._text(self.model.says, (self.center_x, self.y + words / 2 + edge / 2), 0.8 * words, ink)

    def _value(self, says: str, centre: tuple[float, float], size: float, confirmed: bool) -> None:
        if confirmed:
            self._group.add(Color(*self.theme.doubt))
            self._group.add(SmoothLine(circle=(*centre, 0.62 * size), width=0.2 * self.mm))
        self._text(says, centre, size if len(says) < 3 else 0.55 * size, self.theme.text)

    def _text(self, says: str, centre: tuple[float, float], size: float, ink: list[float]) -> None:
        if not says:
            return
        texture = text_texture(says, max(8, size), bold=True)
        share = min(1.0, (self.width - self.mm) / texture.width)
        width, height = texture.width * share, texture.height * share
        self._group.add(Color(*ink))
        self._group.add(
            Rectangle(texture=texture, pos=(centre[0] - width / 2, centre[1] - height / 2), size=(width, height))
        )
