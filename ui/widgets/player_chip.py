"""A player at a glance: shape, name, points; lit while it is their turn."""

from __future__ import annotations

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.presenters.models import SEAT_SHAPES, PlayerModel

SHAPE_ICONS = {
    "triangle": "triangle",
    "square": "square",
    "circle": "circle",
    "diamond": "rhombus",
    "star": "star",
    "hexagon": "hexagon",
}


def seat_icon(seat: int | None) -> str:
    """Return the icon of a seat's shape, empty for nobody."""
    return "" if seat is None else SHAPE_ICONS[SEAT_SHAPES[seat % len(SEAT_SHAPES)]]


def signed(points: int | None) -> str:
    """Return points with a real minus sign, a dash where nobody is to know them."""
    return "\u2013" if points is None else str(points).replace("-", "\u2212")


class PlayerChip(BoxLayout):
    """Shows a `PlayerModel`; colour is never the only thing that tells two chips apart."""

    model = ObjectProperty(PlayerModel(0, ""))
    seat = NumericProperty(0)
    turn = BooleanProperty(False)
    name = StringProperty("")
    note = StringProperty("")
    score = StringProperty("")
    shape = StringProperty("triangle")

    def on_model(self, _chip: object, model: PlayerModel) -> None:
        self.seat, self.turn, self.name, self.note = model.seat, model.turn, model.name, model.note
        self.score = signed(model.score)
        self.shape = seat_icon(model.seat)
