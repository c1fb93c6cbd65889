"""Menu: what is not part of every turn. Nothing here needs a keyboard."""

from __future__ import annotations

from kivy.properties import StringProperty
from msgspec.structs import replace

from companion.presenters.desk import KeepRecord
from ui.screens.sheet import Sheet
from ui.theme import THEME_TITLES
from ui.widgets import load_rules
from ui.widgets.buttons import ActionTile

TEXT_SIZES = (1.0, 1.3, 1.6)
DIAGONALS = (5.0, 7.0, 8.0, 10.1, 13.3, 15.6, 24.0)


class PreviewTile(ActionTile):
    """The way to what is foretold; there only in games that foretell something."""


class MenuSheet(Sheet):
    in_play = True
    theme_words = StringProperty("")
    text_words = StringProperty("")
    diagonal_words = StringProperty("")

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._preview = PreviewTile()

    def on_pre_enter(self, *_: object) -> None:
        self._say()
        live = self.app.live
        tiles = self.ids.tiles
        tiles.remove_widget(self._preview)
        if live is not None and live.preview is not None:
            tiles.add_widget(self._preview)
        tiles.cols = -(-len(tiles.children) // 2)

    def next_theme(self) -> None:
        names = list(THEME_TITLES)
        at = names.index(self.app.look.theme)
        self._change(theme=names[(at + 1) % len(names)])

    def next_text(self) -> None:
        at = TEXT_SIZES.index(self.app.look.text) if self.app.look.text in TEXT_SIZES else 0
        self._change(text=TEXT_SIZES[(at + 1) % len(TEXT_SIZES)])

    def next_diagonal(self) -> None:
        larger = [size for size in DIAGONALS if size > self.app.look.diagonal]
        self._change(diagonal=larger[0] if larger else DIAGONALS[0])

    def keep_record(self) -> None:
        self.submit(KeepRecord())

    def _change(self, **changes: object) -> None:
        self.app.change_look(replace(self.app.look, **changes))
        self._say()

    def _say(self) -> None:
        look = self.app.look
        self.theme_words = THEME_TITLES[look.theme]
        self.text_words = f"{round(look.text * 100)} %"
        self.diagonal_words = f"{look.diagonal:g} inches corner to corner"


load_rules(__file__)
