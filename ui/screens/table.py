"""Set up the table: live picture, the mat's corners, how good the picture is in words."""

from __future__ import annotations

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.presenters.desk import SetCorners
from companion.presenters.models import MeterModel, TableModel
from ui.screens.sheet import Sheet
from ui.widgets import load_rules

ICONS = {"ok": "yes", "waiting": "time", "unsure": "alert", "failed": "no", "off": "power"}


class MeterLine(BoxLayout):
    """One meter: what is measured, a word, and what to do when it is not good."""

    name = StringProperty("")
    word = StringProperty("")
    hint = StringProperty("")
    icon = StringProperty("yes")
    state = StringProperty("ok")


class TableSheet(Sheet):
    model = ObjectProperty(TableModel(), force_dispatch=True)
    ready = BooleanProperty(False)
    manual = BooleanProperty(False)
    missing = StringProperty("")

    def on_kv_post(self, base_widget: object) -> None:
        self.ids.picture.bind(on_dragged=lambda _view, corners: self.submit(SetCorners(corners)))
        self.on_model(self, self.model)

    def on_model(self, _sheet: object, model: TableModel) -> None:
        if not self.ids:
            return
        self.ready, self.manual = model.ready, model.manual
        self.missing = "\n".join(model.missing)
        self.ids.picture.overlays = model.slots
        if not self.ids.picture.held:
            self.ids.picture.corners = model.corners
        meters = self.ids.meters
        meters.clear_widgets()
        for meter in model.meters:
            meters.add_widget(_line(meter))

    def on_pre_enter(self, *_: object) -> None:
        self.ids.picture.source = self.app.bridge.frame
        self.ids.picture.running = True

    def on_leave(self, *_: object) -> None:
        self.ids.picture.running = False

    def find_corners(self) -> None:
        self.submit(SetCorners(None))


def _line(meter: MeterModel) -> MeterLine:
    return MeterLine(name=meter.name, word=meter.word, hint=meter.hint, icon=ICONS[meter.state], state=meter.state)


load_rules(__file__)
