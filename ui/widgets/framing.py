"""A picture on which a finger draws a frame."""

from __future__ import annotations

from kivy.graphics import Color, SmoothLine
from kivy.properties import BooleanProperty, ListProperty

from ui.widgets.camera import CameraView


class FramingView(CameraView):
    """`frames` are shown; while `asks`, a drag draws a new one and `on_framed` brings left, top, right, bottom."""

    frames = ListProperty([])
    asks = BooleanProperty(False)

    def __init__(self, **kwargs: object) -> None:
        self.register_event_type("on_framed")
        self._from: tuple[float, float] | None = None
        self._to: tuple[float, float] | None = None
        super().__init__(**kwargs)
        self.fbind("frames", self._draw_soon)

    def on_framed(self, *_: object) -> None:
        """Default handler of the event."""

    def draw_front(self) -> None:
        super().draw_front()
        self.front.add(Color(*self.theme.doubt))
        for corners in self.frames:
            points = [part for point in corners for part in self.to_pixels(point)]
            self.front.add(SmoothLine(points=points, close=True, width=0.35 * self.mm))
        if self._from is not None and self._to is not None:
            (left, top), (right, bottom) = self.to_pixels(self._from), self.to_pixels(self._to)
            self.front.add(SmoothLine(points=[left, top, right, top, right, bottom, left, bottom], close=True,
                                      width=0.5 * self.mm))  # fmt: skip

    def on_touch_down(self, touch: object) -> bool:
        if not self.asks:
            return super().on_touch_down(touch)
        if not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self._from = self._to = self.to_picture(touch.x, touch.y)
        return True

    def on_touch_move(self, touch: object) -> bool:
        if touch.grab_current is not self or self._from is None:
            return False
        self._to = self.to_picture(touch.x, touch.y)
        self._draw_soon()
        return True

    def on_touch_up(self, touch: object) -> bool:
        if touch.grab_current is not self or self._from is None:
            return super().on_touch_up(touch)
        touch.ungrab(self)
        (x0, y0), (x1, y1) = self._from, self.to_picture(touch.x, touch.y)
        self._from = self._to = None
        self._draw_soon()
        self.dispatch("on_framed", (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
        return True
