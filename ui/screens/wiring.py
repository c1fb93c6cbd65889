"""Wire the table: one question after the other, answered by pressing the table's own buttons."""

from __future__ import annotations

from math import ceil

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.presenters.wiring import ChooseWiring, PlaceModel, StepBack, TrackPlaceModel, WiringModel
from ui.screens.sheet import Sheet
from ui.widgets import load_rules
from ui.widgets.buttons import ActionTile
from ui.widgets.player_chip import seat_icon

PRIMARY = ("Save", "Done")
MOST_IN_ROW = 5


class WiredPlace(BoxLayout):
    """A place at the table: its shape, its button and lamp; lit while the button is pressed."""

    icon = StringProperty("")
    number = NumericProperty(1)
    button = StringProperty("")
    lamp = StringProperty("")
    now = BooleanProperty(False)
    pressed = BooleanProperty(False)


class TrackPlace(BoxLayout):
    """A place of the dock's track: the marker that lies there, and what the sensor says."""

    number = NumericProperty(1)
    marker = StringProperty("")
    says = StringProperty("")


class WiringSheet(Sheet):
    model = ObjectProperty(None, allownone=True, force_dispatch=True)
    title = StringProperty("")
    says = StringProperty("")
    detail = StringProperty("")
    problem = StringProperty("")
    can_go_back = BooleanProperty(False)
    columns = NumericProperty(1)
    _filled: WiringModel | None = None

    def on_kv_post(self, base_widget: object) -> None:
        self.on_model(self, self.model)

    def on_model(self, _sheet: object, model: WiringModel | None) -> None:
        if model is None or not self.ids:
            return
        self.title, self.says, self.detail, self.problem = model.title, model.says, model.detail, model.problem
        self.can_go_back = model.can_go_back
        self._fill_choices(model)
        self.ids.places.clear_widgets()
        for place in model.places:
            self.ids.places.add_widget(_place(place))
        self.ids.track.clear_widgets()
        for place in model.track:
            self.ids.track.add_widget(_track_place(place))

    def step_back(self) -> None:
        if self.model is not None:
            self.submit(StepBack(self.model.key))

    def _fill_choices(self, model: WiringModel) -> None:
        """Lay out the tiles, unless they are there: a tile that is replaced under a finger never hears it let go."""
        before, self._filled = self._filled, model
        if before is not None and (before.key, before.choices) == (model.key, model.choices):
            return
        choices = self.ids.choices
        choices.clear_widgets()
        rows = ceil(len(model.choices) / MOST_IN_ROW)
        self.columns = ceil(len(model.choices) / rows) if rows else 1
        for choice in model.choices:
            tile = ActionTile(text=choice.says, look="primary" if choice.says in PRIMARY else "plain")
            tile.bind(on_release=lambda _tile, number=choice.number: self._choose(model, number))
            choices.add_widget(tile)

    def _choose(self, model: WiringModel, number: int) -> None:
        if model.step == "saved":
            self.app.leave_wiring()
        else:
            self.submit(ChooseWiring(model.key, number))


def _place(place: PlaceModel) -> WiredPlace:
    return WiredPlace(
        icon=seat_icon(place.seat),
        number=place.seat + 1,
        button=place.button,
        lamp=place.lamp,
        now=place.now,
        pressed=place.pressed,
    )


def _track_place(place: TrackPlaceModel) -> TrackPlace:
    return TrackPlace(number=place.number, marker=place.marker or "-", says=place.says)


load_rules(__file__)
