"""The camera's picture with the mat's corners, which a finger may drag."""

from __future__ import annotations

from kivy.graphics import Color, SmoothEllipse, SmoothLine
from kivy.properties import ObjectProperty

from ui.widgets.camera import CameraView


class CornersView(CameraView):
    """The picture with the mat's four corners; a drag moves the nearest one by as much as the finger moves.

    The finger need not lie on the corner, so it does not hide it. `on_dragged` brings all four.
    """

    corners = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: object) -> None:
        self.register_event_type("on_dragged")
        self._held: tuple[int, float, float] | None = None
        super().__init__(**kwargs)
        self.fbind("corners", self._draw_soon)

    @property
    def held(self) -> bool:
        """Tell whether a finger moves a corner right now."""
        return self._held is not None

    def on_dragged(self, *_: object) -> None:
        """Default handler of the event."""

    def draw_front(self) -> None:
        super().draw_front()
        if self.corners is None:
            return
        pixels = [self.to_pixels(point) for point in self.corners]
        theme = self.theme
        self.front.add(Color(*theme.doubt))
        self.front.add(
            SmoothLine(points=[part for point in pixels for part in point], close=True, width=0.25 * self.mm)
        )
        for index, (x, y) in enumerate(pixels):
            held = self._held is not None and self._held[0] == index
            across = (7.5 if held else 5.5) * self.mm
            self.front.add(Color(0, 0, 0, 0.45))
            self.front.add(SmoothEllipse(pos=(x - across / 2, y - across / 2), size=(across, across)))
            self.front.add(Color(*theme.doubt))
            self.front.add(SmoothLine(circle=(x, y, across / 2), width=0.4 * self.mm))
            self.front.add(
                SmoothEllipse(pos=(x - 0.6 * self.mm, y - 0.6 * self.mm), size=(1.2 * self.mm, 1.2 * self.mm))
            )

    def on_touch_down(self, touch: object) -> bool:
        if self.corners is None or not self.collide_point(*touch.pos):
            return False
        pixels = [self.to_pixels(point) for point in self.corners]
        nearest = min(range(4), key=lambda i: (pixels[i][0] - touch.x) ** 2 + (pixels[i][1] - touch.y) ** 2)
        self._held = (nearest, pixels[nearest][0] - touch.x, pixels[nearest][1] - touch.y)
        touch.grab(self)
        self._draw_soon()
        return True

    def on_touch_move(self, touch: object) -> bool:
        if touch.grab_current is not self or self._held is None:
            return False
        index, dx, dy = self._held
        moved = list(self.corners)
        moved[index] = self.to_picture(touch.x + dx, touch.y + dy)
        self.corners = tuple(moved)
        return True

    def on_touch_up(self, touch: object) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self._held = None
        self._draw_soon()
        if abs(touch.x - touch.ox) + abs(touch.y - touch.oy) > 2:
            self.dispatch("on_dragged", self.corners)
        return True
