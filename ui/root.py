"""The frame that never moves: the stage with its screens, the bottom bar, the toast, the dark of sleep."""

from __future__ import annotations

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.screenmanager import NoTransition, ScreenManager

from ui.screens.camera import CameraSheet
from ui.screens.correct import CorrectSheet
from ui.screens.enrol import EnrolSheet
from ui.screens.final import FinalSheet
from ui.screens.games import GamesSheet
from ui.screens.home import HomeSheet
from ui.screens.live import LiveSheet
from ui.screens.menu import MenuSheet
from ui.screens.odds import OddsSheet
from ui.screens.outage import OutageSheet
from ui.screens.players import PlayersSheet
from ui.screens.preview import PreviewSheet
from ui.screens.sheet import Sheet
from ui.screens.table import TableSheet
from ui.screens.why import WhySheet
from ui.screens.wiring import WiringSheet
from ui.widgets import load_rules

SHEETS: dict[str, type[Sheet]] = {
    "home": HomeSheet,
    "games": GamesSheet,
    "players": PlayersSheet,
    "table": TableSheet,
    "live": LiveSheet,
    "camera": CameraSheet,
    "why": WhySheet,
    "odds": OddsSheet,
    "outage": OutageSheet,
    "preview": PreviewSheet,
    "correct": CorrectSheet,
    "enrol": EnrolSheet,
    "final": FinalSheet,
    "menu": MenuSheet,
    "wiring": WiringSheet,
}


class BottomBar(BoxLayout):
    """Undo, Why, Correct, Menu: always there in play, always in the same place."""


class Root(FloatLayout):
    """Screens are made when they are first shown: the first picture does not wait for the last screen."""

    stage = ObjectProperty(None)
    bar = ObjectProperty(None)
    toast = ObjectProperty(None)
    night = ObjectProperty(None)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._sheets: dict[str, Sheet] = {}

    @property
    def here(self) -> str:
        """The name of the screen shown, empty before the first."""
        return self.stage.current or ""

    def sheet(self, name: str) -> Sheet:
        """Return the screen called `name`.

        :raises KeyError: if there is no such screen.
        """
        if name not in self._sheets:
            self._sheets[name] = SHEETS[name](name=name)
        return self._sheets[name]

    def go(self, name: str) -> bool:
        """Show a screen and tell whether it is part of play."""
        sheet = self.sheet(name)
        if not self.stage.has_screen(name):
            self.stage.add_widget(sheet)
        self.stage.current = name
        return sheet.in_play

    def shade(self, asleep: bool) -> None:
        """Go dark, or light again."""
        self.night.opacity = 1 if asleep else 0

    def silence(self) -> None:
        """Stop every camera picture."""
        for sheet in self._sheets.values():
            sheet.dispatch("on_leave")


class Stage(ScreenManager):
    """The screen manager, without animation: a tap is answered at once."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(transition=NoTransition(), **kwargs)


load_rules(__file__)
