"""Correct: tap the card, tap what it is. Every button says what would follow before it is tapped."""

from __future__ import annotations

from kivy.properties import NumericProperty, ObjectProperty, StringProperty

from companion.presenters.models import CorrectModel, CorrectOption, LiveModel, ShelfModel
from ui.screens.sheet import Sheet
from ui.widgets import load_rules
from ui.widgets.board import CellView
from ui.widgets.buttons import ActionTile

LIKELIEST = 3
TILES_PER_PAGE = 15
BREAKS = "later acts would no longer fit"


class OptionTile(ActionTile):
    """One way to put a reading right."""

    number = NumericProperty(0)


class CorrectSheet(Sheet):
    """`mode` is `which` (which card is wrong?), `wait`, `options`, `shelves`, `shelf` or `sure`."""

    in_play = True
    model = ObjectProperty(None, allownone=True, force_dispatch=True)
    mode = StringProperty("which")
    says = StringProperty("")
    warning = StringProperty("")

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._wanted = ""
        self._pending: CorrectOption | None = None
        self.app.fbind("live", self._take_board)
        self._take_board(self.app, self.app.live)

    def _take_board(self, _app: object, live: LiveModel | None) -> None:
        if live is not None and self.ids:
            self.ids.board.model = live.board

    def ask_which(self) -> None:
        self._wanted = ""
        self.mode, self.says = "which", "Tap the card that is wrong."

    def wait_for(self, cell: str) -> None:
        self._wanted = cell
        self.mode, self.says = "wait", "One moment ..."

    def on_model(self, _sheet: object, model: CorrectModel) -> None:
        if model.cell.key != self._wanted:
            return
        self.show_options()

    def show_options(self) -> None:
        model = self.model
        self.mode, self.says = "options", model.says
        self.ids.picture.cell = model.cell
        pieces = [option for option in model.options if option.kind == "piece"][:LIKELIEST]
        turns = [option for option in model.options if option.kind == "turn"]
        gone = [option for option in model.options if option.kind == "gone"]
        box = self.ids.pieces
        box.clear_widgets()
        for index, option in enumerate(pieces):
            box.add_widget(self._tile(option, "doubt" if index == 0 else "plain", picture=True))
        others = self.ids.others
        others.clear_widgets()
        for option in turns:
            others.add_widget(self._tile(option, "plain", icon=_turn_icon(option)))
        for option in gone:
            others.add_widget(self._tile(option, "plain", icon="gone"))
        if model.shelves:
            more = ActionTile(icon="cards", text="Another card", across=True, halign="left")
            more.bind(on_release=lambda _button: self.show_shelves())
            others.add_widget(more)

    def show_shelves(self) -> None:
        self.mode, self.says = "shelves", "Which kind of card is it?"
        box = self.ids.shelves
        box.clear_widgets()
        box.cols = 5 if len(self.model.shelves) > 4 else 2
        for shelf in self.model.shelves:
            tile = ActionTile(text=shelf.title, text_size_mm=4.6)
            tile.bind(on_release=lambda _tile, shelf=shelf: self.show_shelf(shelf))
            box.add_widget(tile)

    def show_shelf(self, shelf: ShelfModel, page: int = 0) -> None:
        self.mode, self.says = "shelf", f"Which {shelf.title}?"
        box = self.ids.shelves
        box.clear_widgets()
        box.cols = 5
        paged = len(shelf.options) > TILES_PER_PAGE
        size = TILES_PER_PAGE - 1 if paged else TILES_PER_PAGE
        for option in shelf.options[page * size : (page + 1) * size]:
            box.add_widget(self._shelf_tile(option))
        if paged:
            pages = -(-len(shelf.options) // size)
            more = ActionTile(icon="next", text="More")
            more.bind(on_release=lambda _button: self.show_shelf(shelf, (page + 1) % pages))
            box.add_widget(more)

    def _shelf_tile(self, option: CorrectOption) -> OptionTile:
        tile = OptionTile(number=option.number, text="" if option.cell else option.title)
        if option.cell is not None:
            tile.add_widget(CellView(cell=option.cell, theme=self.app.theme, mm=self.app.mm, title_share=0.26), index=0)
            tile.children[1].height, tile.children[1].size_hint_y = 0, None
        tile.bind(on_release=lambda _tile: self.take(option))
        return tile

    def _tile(self, option: CorrectOption, look: str, icon: str = "", picture: bool = False) -> OptionTile:
        share = f"  {option.share} %" if option.share is not None else ""
        tile = OptionTile(
            number=option.number,
            text=option.title + share,
            detail=option.effect or (BREAKS if option.breaks else ""),
            look=look,
            icon=icon,
            across=True,
            halign="left",
            detail_share=0.9,
        )
        if picture and option.cell is not None:
            view = CellView(cell=option.cell, theme=self.app.theme, mm=self.app.mm, size_hint_x=None, title_share=0)
            tile.bind(height=lambda _tile, height: setattr(view, "width", height - 2 * self.app.mm))
            tile.add_widget(view, index=len(tile.children))
        tile.bind(on_release=lambda _tile: self.take(option))
        return tile

    def take(self, option: CorrectOption) -> None:
        """Correct at once; only what breaks later entries is asked about once more."""
        if option.breaks and self.mode != "sure":
            self._pending = option
            self.mode = "sure"
            self.says = f"{option.title}: {option.effect}" if option.effect else option.title
            self.warning = option.breaks
            return
        self.app.correct(self.model.cell.key, option.number)

    def confirm(self) -> None:
        if self._pending is not None:
            self.take(self._pending)

    def back(self) -> None:
        """One step back: from a shelf to the shelves, to the options, to the board, to the live table."""
        if self.mode == "shelf":
            self.show_shelves()
        elif self.mode in ("shelves", "sure"):
            self.show_options()
        else:
            self.app.go("live")


def _turn_icon(option: CorrectOption) -> str:
    words = option.title.lower()
    return "turn-left" if "left" in words else "turn-right" if "right" in words else "swap"


load_rules(__file__)
