"""The final score as a tree: total, sources, cards with their articles; how a tie was broken."""

from __future__ import annotations

from kivy.app import App
from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.presenters.models import FinalModel, PlayerModel, ScoreNode
from ui.metrics import SMALLEST_TARGET
from ui.screens.sheet import Sheet
from ui.widgets import load_rules
from ui.widgets.buttons import ActionTile
from ui.widgets.player_chip import seat_icon, signed

MOST_LEAVES = 12
MOST_SOURCES = 3


class SourceTile(ActionTile):
    """A source of points; a tap shows its cards."""

    points = StringProperty("")


class LeafGrid(GridLayout):
    """The cards of a source, in two columns."""


class LeafLine(BoxLayout):
    says = StringProperty("")
    points = StringProperty("")


class SeatTree(BoxLayout):
    """One seat's tree: the total, then its sources, or the cards of the source that was tapped."""

    player = ObjectProperty(PlayerModel(0, ""))
    tree = ObjectProperty(ScoreNode("", 0))
    name = StringProperty("")
    seat = NumericProperty(0)
    shape = StringProperty("triangle")
    total = StringProperty("")
    winner = NumericProperty(0)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._open: int | None = None

    def show(self, player: PlayerModel, tree: ScoreNode, is_winner: bool) -> None:
        self.player, self.tree = player, tree
        self.name, self.seat, self.shape = player.name, player.seat, seat_icon(player.seat)
        self.total, self.winner = signed(tree.points), int(is_winner)
        self._open = None
        self._fill()

    def toggle(self, index: int) -> None:
        """Open a source, or close it again."""
        self._open = None if self._open == index else index
        self._fill()

    def _fill(self) -> None:
        box = self.ids.branches
        box.clear_widgets()
        sources = fold(self.tree.children)
        for index, source in enumerate(sources):
            if self._open in (None, index):
                box.add_widget(self._source(index, source))
        if self._open is None:
            for _ in range(MOST_SOURCES - len(box.children)):
                box.add_widget(BoxLayout())
            return
        leaves = sources[self._open].children
        grid = LeafGrid()
        for leaf in leaves[:MOST_LEAVES]:
            grid.add_widget(LeafLine(says=words_of(leaf), points=signed(leaf.points)))
        if len(leaves) > MOST_LEAVES:
            grid.add_widget(LeafLine(says=f"and {len(leaves) - MOST_LEAVES} more", points=""))
        box.add_widget(grid)

    def _source(self, index: int, source: ScoreNode) -> SourceTile:
        tile = SourceTile(
            text=source.title,
            detail="  ".join(part for part in (source.note, ", ".join(source.cites)) if part),
            points=signed(source.points),
            look="chosen" if self._open == index else "plain",
            size_hint_y=None if self._open == index else 1,
            height=SMALLEST_TARGET * App.get_running_app().mm,
            disabled=not source.children,
        )
        tile.bind(on_release=lambda _tile: self.toggle(index))
        return tile


class FinalSheet(Sheet):
    in_play = True
    model = ObjectProperty(None, allownone=True, force_dispatch=True)
    says = StringProperty("")
    reason = StringProperty("")
    """Why a tie was broken as it was, or why no points are shown."""
    corrected = StringProperty("")

    def on_model(self, _sheet: object, model: FinalModel) -> None:
        self.says = model.says
        reason, cites = (model.hidden, model.hidden_cites) if model.hidden else (model.tie_break, model.tie_cites)
        self.reason = f"{reason}  ({', '.join(cites)})" if reason and cites else reason
        self.corrected = model.corrected
        trees = self.ids.trees
        trees.clear_widgets()
        for player, tree in zip(model.players, model.trees, strict=True):
            view = SeatTree()
            view.show(player, tree, model.winner == player.seat)
            trees.add_widget(view)


def fold(sources: tuple[ScoreNode, ...], most: int = MOST_SOURCES) -> tuple[ScoreNode, ...]:
    """Return at most `most` sources; what is over becomes the leaves of a last one, so that no point is lost."""
    if len(sources) <= most:
        return sources
    rest = sources[most - 1 :]
    return (*sources[: most - 1], ScoreNode("Other sources", sum(node.points or 0 for node in rest), (), rest))


def words_of(leaf: ScoreNode) -> str:
    """Return the words of a line of points, with its articles."""
    cites = f" ({', '.join(leaf.cites)})" if leaf.cites else ""
    note = f", {leaf.note}" if leaf.note else ""
    return f"{leaf.title}{note}{cites}"


load_rules(__file__)
