"""What each choice would bring a seat now: a card for each, with every term and its articles."""

from __future__ import annotations

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presenters.models import LiveModel, ScoreNode
from ui.screens.final import LeafLine, words_of
from ui.screens.sheet import Sheet
from ui.widgets import load_rules
from ui.widgets.buttons import ActionTile
from ui.widgets.player_chip import seat_icon, signed

MOST = 6
"""So many choices fit on the screen; of more, those that bring most are shown."""

BESIDE = 3
"""For so many seats the name has room beside its shape."""


class ForetoldCard(BoxLayout):
    """One choice: what it would bring, and of what that is made."""

    title = StringProperty("")
    points = StringProperty("")

    def __init__(self, node: ScoreNode, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.title, self.points = node.title, signed(node.points)
        for leaf in node.children:
            self.ids.terms.add_widget(LeafLine(says=words_of(leaf), points=signed(leaf.points)))


class PreviewSheet(Sheet):
    in_play = True
    model = ObjectProperty(None, allownone=True)
    seat = NumericProperty(0)
    says = StringProperty("")

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.app.fbind("live", self._take)
        self._take(self.app, self.app.live)

    def on_pre_enter(self, *_: object) -> None:
        """Begin with the seat that is asked."""
        live = self.app.live
        if live is not None and live.prompt.seat is not None:
            self.show_seat(live.prompt.seat)

    def show_seat(self, seat: int) -> None:
        self.seat = seat
        self._fill()

    def _take(self, _app: object, live: LiveModel | None) -> None:
        if self.ids:
            self.model = live.preview if live is not None else None
            self._fill()

    def _fill(self) -> None:
        trees = self.model.trees if self.model is not None else ()
        self.says = self.model.says if self.model is not None else "Nothing is foretold now"
        seats, cards = self.ids.seats, self.ids.cards
        seats.clear_widgets()
        cards.clear_widgets()
        for number, tree in enumerate(trees):
            seats.add_widget(self._seat_tile(number, tree))
        nodes = trees[self.seat].children if self.seat < len(trees) else ()
        shown = nodes if len(nodes) <= MOST else sorted(nodes, key=lambda node: node.points or 0, reverse=True)[:MOST]
        for node in shown:
            cards.add_widget(ForetoldCard(node))
        for _ in range(4 - len(shown)):
            cards.add_widget(Widget())

    def _seat_tile(self, number: int, tree: ScoreNode) -> ActionTile:
        tile = ActionTile(
            icon=seat_icon(number),
            text=tree.title,
            across=len(self.model.trees) <= BESIDE,
            look="chosen" if number == self.seat else "plain",
        )
        tile.bind(on_release=lambda _tile: self.show_seat(number))
        return tile


load_rules(__file__)
