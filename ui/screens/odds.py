"""Chances: what the dice can still win, how likely that is, and which dice to keep for it."""

from __future__ import annotations

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presenters.models import ChanceModel, LiveModel
from ui.screens.sheet import Sheet
from ui.widgets import load_rules

MOST = 5
"""So many lines fit on the screen; the likeliest come first."""


class ChanceLine(BoxLayout):
    """One thing that the dice can still win."""

    chance = StringProperty("")
    wins = StringProperty("")
    keep = StringProperty("")
    met = BooleanProperty(False)


class OddsSheet(Sheet):
    in_play = True
    model = ObjectProperty(None, allownone=True)
    says = StringProperty("")

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.app.fbind("live", self._take)
        self._take(self.app, self.app.live)

    def _take(self, _app: object, live: LiveModel | None) -> None:
        if not self.ids:
            return
        self.model = live.odds if live is not None else None
        self.says = self.model.says if self.model is not None else "No dice are rolled now"
        cards = self.model.cards[:MOST] if self.model is not None else ()
        box = self.ids.cards
        box.clear_widgets()
        for card in cards:
            box.add_widget(_line(card))
        for _ in range(MOST - len(cards)):
            box.add_widget(Widget())


def _line(card: ChanceModel) -> ChanceLine:
    cites = f"   ({', '.join(card.cites)})" if card.cites else ""
    return ChanceLine(chance=card.chance, wins=f"{card.piece}: {card.asks}", keep=f"{card.keep}{cites}", met=card.met)


load_rules(__file__)
