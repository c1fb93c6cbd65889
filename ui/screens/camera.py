"""The camera's picture as large as it gets; a tapped outline opens its correction."""

from __future__ import annotations

from kivy.properties import StringProperty

from companion.presenters.models import LiveModel
from ui.screens.sheet import Sheet
from ui.widgets import load_rules


class CameraSheet(Sheet):
    in_play = True
    says = StringProperty("")

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.app.fbind("live", self._take)
        self._take(self.app, self.app.live)

    def on_pre_enter(self, *_: object) -> None:
        self.ids.picture.source = self.app.bridge.frame
        self.ids.picture.running = True

    def on_leave(self, *_: object) -> None:
        self.ids.picture.running = False

    def _take(self, _app: object, model: LiveModel | None) -> None:
        if model is not None and self.ids:
            self.ids.picture.overlays = model.overlays
            self.ids.picture.says = model.camera_says
            self.says = model.camera_says or "Tap a card that was read wrong."


load_rules(__file__)
