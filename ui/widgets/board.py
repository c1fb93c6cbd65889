"""The board as the companion understands it, and a single cell for buttons and the correction screen."""

from __future__ import annotations

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothRoundedRectangle
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.presenters.board import BoardModel, Pile
from ui.glyphs import icon_texture, text_texture
from ui.widgets.cell_picture import Box, CellPicture
from ui.widgets.player_chip import seat_icon

WIDTH_OF_HEIGHT = 0.98
LONGEST_STACK = 3
"""So many piles are drawn beside a row; a game that has more gives the first three."""


class Redrawn(Widget):
    """A widget that is drawn anew when its model, size, density or theme changes, and only then."""

    mm = NumericProperty(5.0)
    theme = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: object) -> None:
        self._redraw_soon = Clock.create_trigger(self._redraw, -1)
        self.picture = InstructionGroup()
        super().__init__(**kwargs)
        self.canvas.add(self.picture)
        for name in ("pos", "size", "mm", "theme"):
            self.fbind(name, self._redraw_soon)

    def on_theme(self, _widget: object, theme: object) -> None:
        theme.fbind("name", self._redraw_soon)

    def _redraw(self, *_: object) -> None:
        self.picture.clear()
        if self.theme is not None and self.width > 1 and self.height > 1:
            self.draw()

    def draw(self) -> None:
        """Put the instructions into `picture`."""
        raise NotImplementedError


class CellView(Redrawn):
    """One cell, as large as the widget allows."""

    cell = ObjectProperty(None, allownone=True)
    title_share = NumericProperty(0.18)

    def on_cell(self, *_: object) -> None:
        self._redraw_soon()

    def draw(self) -> None:
        if self.cell is not None:
            picture = CellPicture(self.picture, self.theme, self.title_share)
            picture.draw(self.cell, (self.x, self.y, self.width, self.height))


class BoardView(Redrawn):
    """Rows of cells with their seat's colour and shape at the left and their piles at the right.

    `on_piece` tells which cell was tapped, by its key.
    """

    model = ObjectProperty(None, allownone=True)
    narrow = BooleanProperty(False)
    """Leave the piles out, to make room beside the board."""
    wanted_width = NumericProperty(0)
    """The width that shows square cells at the widget's height, pixels."""

    def __init__(self, **kwargs: object) -> None:
        self.register_event_type("on_piece")
        super().__init__(**kwargs)
        self.boxes: dict[str, Box] = {}
        for name in ("model", "narrow", "height", "mm"):
            self.fbind(name, self._measure)
        self.fbind("model", self._redraw_soon)
        self.fbind("narrow", self._redraw_soon)

    def _measure(self, *_: object) -> None:
        model: BoardModel | None = self.model
        if model is not None and model.rows and model.columns:
            self.wanted_width = self._left + model.columns * self.height / model.rows * WIDTH_OF_HEIGHT + self._right

    @property
    def _left(self) -> float:
        return 6.5 * self.mm

    @property
    def _right(self) -> float:
        return 20 * self.mm if self.model.piles and not self.narrow else 0.0

    def on_piece(self, key: str) -> None:
        """Default handler of the event."""

    def on_touch_down(self, touch: object) -> bool:
        if self.model is None or not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        return True

    def on_touch_up(self, touch: object) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        began, ended = self._key_at(touch.opos), self._key_at(touch.pos)
        wobble = max(abs(touch.x - touch.ox), abs(touch.y - touch.oy))
        if began is not None and (began == ended or wobble < 3 * self.mm):
            self.dispatch("on_piece", began)
        return True

    def _key_at(self, point: tuple[float, float]) -> str | None:
        px, py = point
        for key, (x, y, width, height) in self.boxes.items():
            if x <= px <= x + width and y <= py <= y + height:
                return key
        return None

    def draw(self) -> None:
        self.boxes = {}
        model: BoardModel | None = self.model
        if model is None or not model.rows or not model.columns:
            return
        left, right, gap = self._left, self._right, 1.1 * self.mm
        height = self.height / model.rows
        # Square cards with a title below: wider cells than that would only spread the board out.
        width = min((self.width - left - right) / model.columns, height * WIDTH_OF_HEIGHT)
        picture = CellPicture(self.picture, self.theme, 0.18, brief=True)
        for row in range(model.rows):
            top = self.top - row * height
            owner = model.row_owners[row] if row < len(model.row_owners) else None
            self._row_ground(
                owner, (self.x, top - height + gap / 2, left + width * model.columns + right, height - gap)
            )
            piles = [pile for pile in model.piles if pile.owner == owner and right][:LONGEST_STACK]
            self._stack(piles, (self.x + left + width * model.columns + gap, top - height, right - gap, height))
        for cell in model.cells:
            x = self.x + left + cell.column * width
            y = self.top - (cell.row + 1) * height
            self.boxes[cell.key] = (x, y, width, height)
            inset = gap * 0.75
            picture.draw(cell, (x + inset / 2, y + inset, width - inset, height - 2 * inset))

    def _row_ground(self, owner: int | None, box: Box) -> None:
        x, y, width, height = box
        theme = self.theme
        colour = theme.seat(owner)
        self.picture.add(Color(*(theme.panel if owner is None else colour)[:3], 0.6 if owner is None else 0.13))
        self.picture.add(SmoothRoundedRectangle(pos=(x, y), size=(width, height), radius=[1.6 * self.mm]))
        if owner is None:
            return
        self.picture.add(Color(*colour))
        self.picture.add(SmoothRoundedRectangle(pos=(x, y), size=(1.0 * self.mm, height), radius=[0.5 * self.mm]))
        texture = icon_texture(seat_icon(owner), 4.2 * self.mm)
        self.picture.add(
            Rectangle(texture=texture, pos=(x + 1.7 * self.mm, y + (height - texture.height) / 2), size=texture.size)
        )

    def _stack(self, piles: list[Pile], box: Box) -> None:
        x, y, width, height = box
        if not piles or width < 4 * self.mm:
            return
        line = min(height / len(piles), 6.5 * self.mm)
        middle = y + height / 2 + line * len(piles) / 2
        for index, pile in enumerate(piles):
            bottom = middle - (index + 1) * line
            number = text_texture("?" if pile.count is None else str(pile.count), line * 0.78, bold=True)
            room = width - 7 * self.mm
            label = text_texture(f"{pile.title} {pile.note}".strip(), line * 0.5)
            if label.width > room:
                label = text_texture(pile.title, line * 0.5)
            self.picture.add(Color(*self.theme.text))
            pos = (x + 5.2 * self.mm - number.width, bottom + (line - number.height) / 2)
            self.picture.add(Rectangle(texture=number, pos=pos, size=number.size))
            self.picture.add(Color(*self.theme.soft))
            pos = (x + 6.4 * self.mm, bottom + (line - label.height) / 2)
            self.picture.add(Rectangle(texture=label, pos=pos, size=label.size))
