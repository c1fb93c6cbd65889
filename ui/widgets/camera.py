"""The camera's picture with what was read drawn over it."""

from __future__ import annotations

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothLine, SmoothRoundedRectangle
from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.widget import Widget

from companion.presenters.desk import Frame
from companion.presenters.models import OverlayModel, Point
from ui.glyphs import icon_texture, text_texture
from ui.widgets.cell_picture import short_title

Crop = tuple[float, float, float, float]
"""The part of the picture that is shown: left, top, width, height, as shares of the picture."""

WHOLE: Crop = (0.0, 0.0, 1.0, 1.0)


class CameraView(Widget):
    """Shows the newest picture of `source` while `running`; `on_piece` tells which outline was tapped.

    Overlay points are shares of the picture, origin top left; they are turned into window pixels here.
    """

    overlays = ObjectProperty(())
    running = BooleanProperty(False)
    says = StringProperty("")
    source = ObjectProperty(None, allownone=True)
    theme = ObjectProperty(None, allownone=True)
    mm = NumericProperty(5.0)
    pictures_per_second = NumericProperty(12)
    small = BooleanProperty(False)
    """A thumbnail: outlines without names, shadows and the mark of the printed top."""
    zoomed = BooleanProperty(False)
    """Show only the part of the picture with outlines in it, and a little more."""

    def __init__(self, **kwargs: object) -> None:
        self.register_event_type("on_piece")
        self.register_event_type("on_picture")
        self._draw_soon = Clock.create_trigger(self._draw, -1)
        self._serial = -1
        self._texture: Texture | None = None
        self._beat: object | None = None
        self.back, self.front = InstructionGroup(), InstructionGroup()
        self.frame_box = (0.0, 0.0, 1.0, 1.0)
        self.crop: Crop = WHOLE
        super().__init__(**kwargs)
        self.canvas.add(self.back)
        self.canvas.add(self.front)
        for name in ("pos", "size", "overlays", "theme", "mm", "says", "small"):
            self.fbind(name, self._draw_soon)

    def on_theme(self, _view: object, theme: object) -> None:
        theme.fbind("name", self._draw_soon)

    def on_running(self, _view: object, running: bool) -> None:
        if self._beat is not None:
            Clock.unschedule(self._beat)
            self._beat = None
        if running:
            self._look()
            self._beat = Clock.schedule_interval(self._look, 1 / self.pictures_per_second)

    def on_piece(self, key: str) -> None:
        """Default handler of the event."""

    def on_picture(self) -> None:
        """Default handler of the event: the picture itself was tapped, beside every outline."""

    def _look(self, *_: object) -> None:
        frame: Frame | None = self.source() if self.source else None
        if frame is None:
            if self._texture is not None:
                self._texture = None
                self._draw_soon()
            return
        if frame.serial == self._serial and self._texture is not None:
            return
        height, width = frame.rgba.shape[:2]
        if self._texture is None or self._texture.size != (width, height):
            self._texture = Texture.create(size=(width, height), colorfmt="rgba")
            self._texture.flip_vertical()
            self._draw_soon()
        # Kivy reads past the end of a buffer that is too short: the shape was checked by Frame.
        self._texture.blit_buffer(frame.rgba.reshape(-1), colorfmt="rgba", bufferfmt="ubyte")
        self._serial = frame.serial
        self.canvas.ask_update()

    def to_pixels(self, point: Point) -> tuple[float, float]:
        """Return the window position of a point of the picture."""
        x, y, width, height = self.frame_box
        left, top, wide, high = self.crop
        return x + (point[0] - left) / wide * width, y + (1 - (point[1] - top) / high) * height

    def to_picture(self, x: float, y: float) -> Point:
        """Return the point of the picture at a window position, kept inside the picture."""
        left, bottom, width, height = self.frame_box
        crop_x, crop_y, wide, high = self.crop
        across, down = crop_x + (x - left) / width * wide, crop_y + (1 - (y - bottom) / height) * high
        return min(1.0, max(0.0, across)), min(1.0, max(0.0, down))

    def _fit(self) -> None:
        shape = self._texture.size if self._texture is not None else (16, 9)
        self.crop = _around(self.overlays, self.crop) if self.zoomed and self._texture is not None else WHOLE
        shape = (shape[0] * self.crop[2], shape[1] * self.crop[3])
        scale = min(self.width / shape[0], self.height / shape[1])
        width, height = max(1.0, shape[0] * scale), max(1.0, shape[1] * scale)
        self.frame_box = (self.center_x - width / 2, self.center_y - height / 2, width, height)

    def _draw(self, *_: object) -> None:
        self.back.clear()
        self.front.clear()
        if self.theme is None or self.width < 2 or self.height < 2:
            return
        self._fit()
        x, y, width, height = self.frame_box
        if self._texture is None:
            self._draw_nothing()
        else:
            self.back.add(Color(1, 1, 1, 1))
            left, top, wide, high = self.crop
            # The texture is stored upside down: its rows run with the picture's, from the top.
            right, bottom = left + wide, top + high
            corners = (left, bottom, right, bottom, right, top, left, top)
            self.back.add(Rectangle(texture=self._texture, pos=(x, y), size=(width, height), tex_coords=corners))
        self.draw_front()

    def _draw_nothing(self) -> None:
        x, y, width, height = self.frame_box
        theme = self.theme
        self.back.add(Color(*theme.panel))
        self.back.add(SmoothRoundedRectangle(pos=(x, y), size=(width, height), radius=[2 * self.mm]))
        sign = icon_texture("no-camera", min(12 * self.mm, height * 0.4))
        self.back.add(Color(*theme.soft))
        pos = (x + (width - sign.width) / 2, y + height / 2 - sign.height * 0.25)
        self.back.add(Rectangle(texture=sign, pos=pos, size=sign.size))
        words = text_texture(self.says or "No picture", 3.4 * self.mm)
        shown = min(1.0, (width - 2 * self.mm) / words.width)
        size = (words.width * shown, words.height * shown)
        self.back.add(Rectangle(texture=words, pos=(x + (width - size[0]) / 2, pos[1] - size[1] * 1.2), size=size))

    def draw_front(self) -> None:
        """Draw what lies over the picture."""
        for overlay in self.overlays:
            self._outline(overlay)

    def _outline(self, overlay: OverlayModel) -> None:
        theme = self.theme
        inks = {
            "sure": [1, 1, 1, 0.95],
            "unsure": theme.doubt,
            "unknown": theme.doubt,
            "wrong": theme.alarm,
            "empty": [1, 1, 1, 0.28],
        }
        corners = [self.to_pixels(point) for point in overlay.corners]
        flat = [part for point in corners for part in point]
        bold = overlay.state in ("unsure", "unknown", "wrong")
        if not self.small:
            self.front.add(Color(0, 0, 0, 0.5))
            self.front.add(SmoothLine(points=flat, close=True, width=(0.55 if bold else 0.4) * self.mm))
        self.front.add(Color(*inks[overlay.state]))
        self.front.add(SmoothLine(points=flat, close=True, width=(0.35 if bold else 0.2) * self.mm))
        if overlay.state == "empty" or self.small:
            return
        # A short bar outside the printed top shows how the piece lies.
        (ax, ay), (bx, by) = corners[0], corners[1]
        self.front.add(
            SmoothLine(
                points=[ax * 0.7 + bx * 0.3, ay * 0.7 + by * 0.3, ax * 0.3 + bx * 0.7, ay * 0.3 + by * 0.7],
                width=0.65 * self.mm,
            )
        )
        if overlay.label:
            self._label(overlay, corners)

    def _label(self, overlay: OverlayModel, corners: list[tuple[float, float]]) -> None:
        theme = self.theme
        unsure = overlay.state in ("unsure", "unknown")
        xs = [corner[0] for corner in corners]
        label, size = short_title(overlay.label), 3.0 * self.mm
        words = text_texture(label, size, bold=unsure)
        if (share := (max(xs) - min(xs)) / words.width) < 1:
            words = text_texture(label, max(1.8 * self.mm, size * share), bold=unsure)
        x = sum(corner[0] for corner in corners) / 4 - words.width / 2
        y = min(corner[1] for corner in corners) + 0.3 * self.mm
        pad = 0.7 * self.mm
        self.front.add(Color(*(theme.doubt if unsure else [0, 0, 0, 0.72])))
        self.front.add(
            SmoothRoundedRectangle(pos=(x - pad, y), size=(words.width + 2 * pad, words.height), radius=[0.8 * self.mm])
        )
        self.front.add(Color(*(theme.over_doubt if unsure else [1, 1, 1, 1])))
        self.front.add(Rectangle(texture=words, pos=(x, y), size=words.size))

    def on_touch_down(self, touch: object) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        return True

    def on_touch_up(self, touch: object) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if not self.collide_point(*touch.pos):
            return True
        point = self.to_picture(*touch.pos)
        for overlay in self.overlays:
            if _inside(point, overlay.corners):
                self.dispatch("on_piece", overlay.key)
                return True
        self.dispatch("on_picture")
        return True


def _around(overlays: tuple[OverlayModel, ...], before: Crop) -> Crop:
    """Return the part of the picture around all outlines; the one before if it still does, so that nothing jitters."""
    points = [point for overlay in overlays for point in overlay.corners]
    if not points:
        return before
    xs, ys = [x for x, _ in points], [y for _, y in points]
    margin = 0.04
    left, top = max(0.0, min(xs) - margin), max(0.0, min(ys) - margin)
    crop = (left, top, min(1.0, max(xs) + margin) - left, min(1.0, max(ys) + margin) - top)
    near = all(abs(new - old) < margin for new, old in zip(crop, before, strict=True))
    return before if near and before != WHOLE else crop


def _inside(point: Point, corners: tuple[Point, ...]) -> bool:
    """Tell whether a point lies in a convex four-cornered outline, whichever way round it runs."""
    signs = set()
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        cross = (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)
        if cross:
            signs.add(cross > 0)
    return len(signs) < 2
