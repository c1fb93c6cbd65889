"""How one cell of the board is drawn: a card with its four sectors, a tile with its arrow, an empty place.

Pixels of the window, origin bottom left, y up; directions are quarter turns clockwise from the top.
"""

from __future__ import annotations

from kivy.graphics import (
    Color,
    InstructionGroup,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Rotate,
    SmoothEllipse,
    SmoothLine,
    SmoothRoundedRectangle,
    SmoothTriangle,
)
from kivy.graphics.texture import Texture

from companion.presenters.board import Cell, Mark
from ui.glyphs import icon_texture, text_texture
from ui.theme import Theme

Box = tuple[float, float, float, float]
"""x, y, width, height."""

_OUTWARD = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))
_CORNERS = ((1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0))
SYMBOL_ICONS = {
    "crown": "crown",
    "diamond": "diamond",
    "strengthen": "strengthen",
    "weaken": "weaken",
    "castle": "castle",
    "lock": "lock",
    "star": "star",
    "heart": "heart",
    "dot": "circle",
}
_BADGES = {"unsure": "unknown", "wrong": "alert", "missing": "see"}


class CellPicture:
    """Draws cells into a group; `title_share` is the share of the height kept for the title below.

    `brief` leaves out the marks with a number: what a card did when it was laid no longer matters.
    """

    def __init__(self, group: InstructionGroup, theme: Theme, title_share: float = 0.2, brief: bool = False) -> None:
        self._group, self._theme, self._title_share, self._brief = group, theme, title_share, brief

    def draw(self, cell: Cell, box: Box) -> None:
        x, y, width, height = box
        strip = height * self._title_share
        side = min(width, height - strip)
        left, bottom = x + (width - side) / 2, y + strip + (height - strip - side)
        square = (left, bottom, side, side)
        if cell.kind == "empty":
            self._empty(cell, square)
        elif cell.kind == "card":
            self._card(cell, square)
        else:
            self._tile(cell, square)
        if strip >= 9 and cell.kind != "empty":
            self._title(cell, (x, bottom - strip, width, strip))
        self._state(cell, square)

    def _empty(self, cell: Cell, square: Box) -> None:
        x, y, side, _ = square
        theme = self._theme
        self._ink(theme.line, 0.28)
        self._group.add(SmoothRoundedRectangle(pos=(x, y), size=(side, side), radius=[side * 0.1]))
        self._ink(theme.line, 0.9)
        self._frame(square, max(1.0, side * 0.008))
        self._text(cell.key, side * 0.2, (x + side / 2, y + side / 2), theme.soft, 0.55)

    def _card(self, cell: Cell, square: Box) -> None:
        x, y, side, _ = square
        theme, half = self._theme, side / 2
        cx, cy = x + half, y + half
        self._ink(theme.tint(cell.tone))
        self._group.add(SmoothRoundedRectangle(pos=(x, y), size=(side, side), radius=[side * 0.1]))
        if not any(cell.sides):
            self._text(cell.value, side * 0.5, (cx, cy), theme.text, bold=True)
            self._marks(cell, (cx, y + side * 0.16), side * 0.2, side * 0.86)
            return
        reach = half * 0.94
        if cell.faces is not None:
            self._ink(theme.seat(cell.owner))
            one, other = _CORNERS[cell.faces - 1], _CORNERS[cell.faces]
            points = [cx, cy, cx + one[0] * reach, cy + one[1] * reach, cx + other[0] * reach, cy + other[1] * reach]
            self._group.add(SmoothTriangle(points=points))
        self._ink(theme.text, 0.28)
        for sx, sy in _CORNERS[:2]:
            points = [cx - sx * reach, cy - sy * reach, cx + sx * reach, cy + sy * reach]
            self._group.add(SmoothLine(points=points, width=max(1.0, side * 0.006)))
        if cell.seam is not None:
            sx, sy = _CORNERS[cell.seam]
            self._ink(theme.text)
            points = [cx + sx * reach * 0.3, cy + sy * reach * 0.3, cx + sx * reach * 0.96, cy + sy * reach * 0.96]
            self._group.add(SmoothLine(points=points, width=max(1.4, side * 0.022), cap="round"))
        for direction, value in enumerate(cell.sides):
            ox, oy = _OUTWARD[direction]
            faces = direction == cell.faces
            away = half * (0.53 if faces else 0.64)
            ink = theme.on_seat(cell.owner) if faces else theme.text
            size = side * (0.37 if faces else 0.24)
            self._text(value, size, (cx + ox * away, cy + oy * away), ink, 1 if faces else 0.72, bold=faces)
        if cell.arrow is not None:
            ox, oy = _OUTWARD[cell.arrow]
            ink = theme.on_seat(cell.owner) if cell.arrow == cell.faces else theme.text
            self._turned(
                icon_texture("triangle", side * 0.12), (cx + ox * half * 0.86, cy + oy * half * 0.86), cell.arrow, ink
            )
        self._marks(cell, (cx, cy), side * 0.17, side * 0.4)

    def _tile(self, cell: Cell, square: Box) -> None:
        x, y, side, _ = square
        theme = self._theme
        self._ink(theme.tint(cell.tone))
        self._group.add(SmoothRoundedRectangle(pos=(x, y), size=(side, side), radius=[side * 0.1]))
        cx, cy = x + side / 2, y + side / 2
        if cell.arrow is not None:
            ink = theme.text if cell.owner is None else theme.seat(cell.owner)
            texture = icon_texture("arrow", side * 0.82)
            self._turned(texture, (cx, cy), cell.arrow, [*ink[:3], 0.4 if cell.owner is None else 1])
        if cell.value:
            self._text(cell.value, side * 0.42, (cx, cy), theme.text, bold=True)
        self._marks(cell, (x + side * 0.2, y + side * 0.8), side * 0.26, side * 0.4)

    def _marks(self, cell: Cell, centre: tuple[float, float], size: float, most: float) -> None:
        """Draw the marks in a row on a dark pill, so that they are read on any colour."""
        marks = tuple(mark for mark in cell.marks if not (self._brief and mark.text))
        if not marks:
            return
        theme = self._theme
        textures = _mark_textures(marks, size)
        if (wide := sum(texture.width for texture in textures)) > most:
            size *= most / wide
            textures = _mark_textures(marks, size)
        width = sum(texture.width for texture in textures)
        pad, tall = size * 0.22, size * 1.25
        x = centre[0] - width / 2
        self._ink(theme.ground, 0.88)
        if len(textures) == 1:
            across = tall * 1.08
            self._group.add(SmoothEllipse(pos=(centre[0] - across / 2, centre[1] - across / 2), size=(across, across)))
        else:
            self._group.add(
                SmoothRoundedRectangle(
                    pos=(x - pad, centre[1] - tall / 2), size=(width + 2 * pad, tall), radius=[tall / 2]
                )
            )
        self._ink(theme.text)
        for texture in textures:
            self._group.add(Rectangle(texture=texture, pos=(x, centre[1] - texture.height / 2), size=texture.size))
            x += texture.width

    def _title(self, cell: Cell, strip: Box) -> None:
        x, y, width, height = strip
        size, text = height * 0.84, short_title(cell.title)
        texture = text_texture(text, size)
        while texture.width > width and size > 8:
            size *= 0.92
            texture = text_texture(text, size)
        self._ink(self._theme.text, 0.92)
        self._group.add(
            Rectangle(
                texture=texture,
                pos=(x + (width - texture.width) / 2, y + (height - texture.height) / 2),
                size=texture.size,
            )
        )

    def _state(self, cell: Cell, square: Box) -> None:
        if cell.state == "plain":
            return
        x, y, side, _ = square
        theme = self._theme
        inks = {
            "fresh": theme.text,
            "asked": theme.primary,
            "unsure": theme.doubt,
            "wrong": theme.alarm,
            "missing": theme.doubt,
        }
        ink = inks[cell.state]
        self._ink(ink)
        self._frame(square, max(1.2, side * (0.014 if cell.state == "fresh" else 0.028)))
        badge = _BADGES.get(cell.state)
        if badge:
            across = side * 0.3
            cx, cy = x + side - across * 0.42, y + side - across * 0.42
            self._group.add(SmoothEllipse(pos=(cx - across / 2, cy - across / 2), size=(across, across)))
            over = theme.over_alarm if cell.state == "wrong" else theme.over_doubt
            texture = icon_texture(badge, across * 0.72)
            self._ink(over)
            self._group.add(
                Rectangle(texture=texture, pos=(cx - texture.width / 2, cy - texture.height / 2), size=texture.size)
            )

    def _frame(self, square: Box, width: float) -> None:
        x, y, side, _ = square
        line = SmoothLine(rounded_rectangle=(x, y, side, side, side * 0.1), width=width)
        self._group.add(line)

    def _ink(self, colour: list[float], alpha: float = 1.0) -> None:
        self._group.add(Color(*colour[:3], (colour[3] if len(colour) > 3 else 1) * alpha))

    def _text(
        self,
        text: str,
        size: float,
        centre: tuple[float, float],
        ink: list[float],
        alpha: float = 1,
        bold: bool = False,
    ) -> None:
        if not text:
            return
        texture = text_texture(text, size, bold=bold)
        self._ink(ink, alpha)
        pos = (round(centre[0] - texture.width / 2), round(centre[1] - texture.height / 2))
        self._group.add(Rectangle(texture=texture, pos=pos, size=texture.size))

    def _turned(self, texture: Texture, centre: tuple[float, float], direction: int, ink: list[float]) -> None:
        self._ink(ink)
        self._group.add(PushMatrix())
        self._group.add(Rotate(angle=-90 * direction, origin=centre))
        pos = (centre[0] - texture.width / 2, centre[1] - texture.height / 2)
        self._group.add(Rectangle(texture=texture, pos=pos, size=texture.size))
        self._group.add(PopMatrix())


def _mark_textures(marks: tuple[Mark, ...], size: float) -> list[Texture]:
    textures: list[Texture] = []
    for mark in marks:
        textures.append(icon_texture(SYMBOL_ICONS[mark.symbol], size))
        if mark.text:
            textures.append(text_texture(mark.text, size, bold=True))
    return textures


def short_title(title: str) -> str:
    """Return the last two parts of a piece's key: under a picture its kind is plain to see."""
    return "-".join(title.split("-")[-2:])
