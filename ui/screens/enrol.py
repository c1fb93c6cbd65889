"""My cards: photograph them, show one example of each sign, look through pages of twelve, save the set."""

from __future__ import annotations

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.presenters.desk import Frame
from companion.presenters.enrol import (
    PER_PAGE,
    EnrolCard,
    EnrolChoose,
    EnrolCorners,
    EnrolFrame,
    EnrolModel,
    EnrolOpen,
    EnrolRow,
    EnrolSet,
    Photograph,
    ReadPhotographs,
)
from companion.presenters.models import ChoiceModel
from ui.screens.sheet import Sheet
from ui.screens.table import _line
from ui.widgets import load_rules
from ui.widgets.buttons import ActionTile
from ui.widgets.enrol_card import EnrolCardTile, frame_of

WIDE = 6
"""A row with more values than this takes more room."""
PANES = {
    "photograph": "view",
    "corners": "view",
    "frame": "view",
    "ask": "view",
    "page": "page",
    "card": "card",
    "finish": "finish",
}


class ValueRow(BoxLayout):
    """One value of the open card, with everything it may be."""

    title = StringProperty("")
    doubtful = BooleanProperty(False)


class EnrolSheet(Sheet):
    """`pane` is what is shown: `view` (a picture and buttons), `page`, `card` or `finish`."""

    model = ObjectProperty(None, allownone=True, force_dispatch=True)
    pane = StringProperty("")
    says = StringProperty("")
    detail = StringProperty("")
    progress = StringProperty("")
    asks_frame = BooleanProperty(False)
    live = BooleanProperty(False)
    drags = BooleanProperty(False)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._serial = 0
        self._still: Frame | None = None

    def on_kv_post(self, base_widget: object) -> None:
        self.ids.picture.source = self._newest
        self.ids.picture.bind(on_framed=lambda _view, frame: self._send(EnrolFrame(self.model.key, frame)))
        self.ids.corners.source = self._newest
        self.ids.corners.bind(on_dragged=lambda _view, corners: self._send(EnrolCorners(self.model.key, corners)))
        self.on_model(self, self.model)

    def on_pre_enter(self, *_: object) -> None:
        self.ids.picture.running = self.ids.corners.running = True

    def on_leave(self, *_: object) -> None:
        self.ids.picture.running = self.ids.corners.running = False

    def _newest(self) -> Frame | None:
        return self._still if self._still is not None else self.app.bridge.frame()

    def _send(self, intent: object) -> None:
        self.submit(intent)

    def on_model(self, _sheet: object, model: EnrolModel | None) -> None:
        if model is None or not self.ids:
            self.says, self.pane = "One moment ...", ""
            return
        self.pane, self.says, self.detail = PANES[model.step], model.says, model.detail
        self.progress = f"{model.done} of {model.of}" if model.of and model.step in ("page", "card", "ask") else ""
        self.live = model.step == "photograph"
        self.drags = model.step == "corners"
        self.asks_frame = model.step == "frame" and not model.choices
        fill = {"view": self._fill_view, "page": self._fill_page, "card": self._fill_card, "finish": self._fill_finish}
        fill[self.pane](model)

    # -- a picture and buttons -------------------------------------------------------------------------

    def _fill_view(self, model: EnrolModel) -> None:
        picture = self.ids.picture
        self._serial += 1
        self._still = None if model.picture is None else frame_of(model.picture, -self._serial - 1)
        picture.overlays, picture.frames = model.outlines, list(model.frames)
        if not self.ids.corners.held:
            self.ids.corners.corners = model.corners
        box = self.ids.buttons
        box.clear_widgets()
        if model.step == "photograph":
            take = ActionTile(icon="camera", text="Photograph", look="primary", across=True)
            take.bind(on_release=lambda _tile: self._send(Photograph(model.key)))
            box.add_widget(take)
            folder = ActionTile(icon="file", text="From the folder", detail="photographs", across=True)
            folder.bind(on_release=lambda _tile: self._send(ReadPhotographs(model.key)))
            box.add_widget(folder)
        if len(model.choices) > 4:
            grid = GridLayout(cols=2, spacing=1.5 * self.app.mm)
            for choice in model.choices:
                grid.add_widget(self._tile(model, choice))
            box.add_widget(grid)
            return
        for choice in model.choices:
            box.add_widget(self._tile(model, choice))

    def _tile(self, model: EnrolModel, choice: ChoiceModel) -> ActionTile:
        likely = choice.style == "likely" and model.step != "photograph"
        tile = ActionTile(text=choice.says, detail=choice.detail, look="primary" if likely else "plain", across=True)
        tile.text_size_mm = 6.4 if len(choice.says) < 4 else 4.6
        tile.bind(on_release=lambda _tile: self._send(EnrolChoose(model.key, choice.number)))
        return tile

    # -- pages -----------------------------------------------------------------------------------------

    def _fill_page(self, model: EnrolModel) -> None:
        grid = self.ids.cards
        grid.clear_widgets()
        for card in model.cards:
            tile = EnrolCardTile(card, theme=self.app.theme, mm=self.app.mm)
            tile.bind(on_release=lambda _tile, card=card: self._open(model, card))
            grid.add_widget(tile)
        for _ in range(PER_PAGE - len(model.cards)):
            grid.add_widget(Widget())
        self._fill_bar(model)

    def _open(self, model: EnrolModel, card: EnrolCard) -> None:
        self._send(EnrolOpen(model.key, card.card))

    def _fill_bar(self, model: EnrolModel) -> None:
        bar = self.ids.bar
        bar.clear_widgets()
        for choice in model.choices:
            bar.add_widget(self._tile(model, choice))

    # -- one card --------------------------------------------------------------------------------------

    def _fill_card(self, model: EnrolModel) -> None:
        self._serial += 1
        still = None if model.picture is None else frame_of(model.picture, -self._serial - 1)
        self.ids.face.source = lambda: still
        self.ids.face.running = False
        self.ids.face.running = True
        self._fill_bar(model)
        numbers, others, below = self.ids.numbers, self.ids.others, self.ids.below
        for box in (numbers, others, below):
            box.clear_widgets()
        places = {row.field for row in model.rows if row.place == 1 and row.values}
        marks: dict[str, BoxLayout] = {}
        for row in model.rows:
            if not row.values:  # a mark that is there already: all of them share a line
                if row.field not in marks:
                    line = ValueRow(title=f"{row.field}: tap to take out")
                    marks[row.field] = line.ids.grid
                    marks[row.field].cols = 4
                    others.add_widget(line)
                marks[row.field].add_widget(self._value(model, row, row.value))
                continue
            # Without numbers on every side their column is free for what has many values.
            is_wide = row.field in places or (not places and len(row.values) > WIDE)
            line = ValueRow(title=row.title + (" ?" if row.doubtful else ""), doubtful=row.doubtful)
            across = 5 if is_wide else 3
            line.ids.grid.cols = across
            line.size_hint_y = -(-len(row.values) // across)
            for value in row.values:
                line.ids.grid.add_widget(self._value(model, row, value))
            (numbers if is_wide else below if "" in row.values else others).add_widget(line)

    def _value(self, model: EnrolModel, row: EnrolRow, value: str) -> ActionTile:
        chosen = bool(row.values) and value == row.value
        words = value.replace("-", "\u2212").capitalize() or "None"
        tile = ActionTile(text=words, look="chosen" if chosen else "plain")
        tile.bind(on_release=lambda _tile: self._send(EnrolSet(model.key, row.field, row.place, value)))
        return tile

    # -- the end ---------------------------------------------------------------------------------------

    def _fill_finish(self, model: EnrolModel) -> None:
        counts = self.ids.counts
        counts.clear_widgets()
        for meter in model.counts:
            counts.add_widget(_line(meter))
        self.ids.warnings.text = "\n".join(model.warnings) or "No two cards look alike."
        self._fill_bar(model)


load_rules(__file__)
