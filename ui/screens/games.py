"""Choose game: six tiles a page, no scrolling."""

from __future__ import annotations

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presenters.desk import ShowSetUp
from companion.presenters.models import GameModel, GamesModel
from ui.screens.sheet import Sheet
from ui.widgets import load_rules

PER_PAGE = 6
EMBLEMS = {"duel": "duel", "dice": "dice", "map": "map", "cards": "cards"}


class GameTile(ButtonBehavior, BoxLayout):
    """A game: emblem, title, players and minutes, what the camera knows, or why it cannot be played."""

    model = ObjectProperty(GameModel("", ""), force_dispatch=True)
    icon = StringProperty("cards")
    facts = StringProperty("")
    note = StringProperty("")

    def on_model(self, _tile: object, model: GameModel) -> None:
        self.icon = EMBLEMS[model.emblem]
        self.facts = "  \u00b7  ".join(part for part in (model.players, model.minutes) if part)
        self.note = model.problem or "\n".join(part for part in (model.cards, model.rules) if part)
        self.disabled = bool(model.problem)


class GamesSheet(Sheet):
    model = ObjectProperty(GamesModel(()), force_dispatch=True)
    enrolling = BooleanProperty(False)
    """The next game tapped is the one whose cards are to be enrolled."""
    page = NumericProperty(0)
    pages = NumericProperty(1)

    def on_kv_post(self, base_widget: object) -> None:
        self._fill()

    def on_model(self, *_: object) -> None:
        self.pages = max(1, -(-len(self.model.games) // PER_PAGE))
        self.page = min(self.page, self.pages - 1)
        self._fill()

    def on_page(self, *_: object) -> None:
        self._fill()

    def turn(self, step: int) -> None:
        self.page = (self.page + step) % self.pages

    def _fill(self) -> None:
        if not self.ids:
            return
        tiles = self.ids.tiles
        games = self.model.games[self.page * PER_PAGE : (self.page + 1) * PER_PAGE]
        shown = tuple(tile.model for tile in reversed(tiles.children) if isinstance(tile, GameTile))
        if shown == games:
            return  # the desk says so again: no tile is taken away under a finger
        tiles.clear_widgets()
        for game in games:
            tile = GameTile(model=game)
            tile.bind(on_release=lambda tile: self._chosen(tile.model.key))
            tiles.add_widget(tile)
        for _ in range(PER_PAGE - len(tiles.children)):
            tiles.add_widget(Widget())

    def on_pre_enter(self, *_: object) -> None:
        self.enrolling = False

    def _chosen(self, key: str) -> None:
        if self.enrolling:
            self.app.open_enrolment(key)
            return
        self.submit(ShowSetUp(key))
        self.app.go("players")


load_rules(__file__)
