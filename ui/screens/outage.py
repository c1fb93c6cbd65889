"""A device that does not fit this app: what each side is, what to do, and how to play on meanwhile."""

from __future__ import annotations

from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.presenters.models import LiveModel, OutageModel
from ui.screens.sheet import Sheet
from ui.widgets import load_rules


class OutageSide(BoxLayout):
    """One of the two parts, and what it is."""

    title = StringProperty("")
    says = StringProperty("")


class OutageSheet(Sheet):
    in_play = True
    model = ObjectProperty(None, allownone=True, rebind=True)
    says = StringProperty("")
    remedy = StringProperty("")
    go_on = StringProperty("")

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.app.fbind("live", self._take)
        self._take(self.app, self.app.live)

    def play_on(self) -> None:
        if self.model is not None:
            self.app.answer(self.model.key, self.model.choice.number)

    def _take(self, _app: object, live: LiveModel | None) -> None:
        model: OutageModel | None = live.outage if live is not None else None
        if model is None or model == self.model or not self.ids:
            return
        self.model = model
        self.says, self.remedy, self.go_on = model.says, model.remedy, model.choice.says
        sides = self.ids.sides
        sides.clear_widgets()
        for title, says in model.sides:
            sides.add_widget(OutageSide(title=title, says=says))


load_rules(__file__)
