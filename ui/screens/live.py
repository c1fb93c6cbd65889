"""The live table: whose turn, what is asked (the largest thing), the board as understood, the camera."""

from __future__ import annotations

from kivy.clock import Clock
from kivy.properties import (
    BooleanProperty,
    ColorProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.boxlayout import BoxLayout

from companion.presenters.models import ChoiceModel, LiveModel, OddsModel, PromptModel
from ui.screens.sheet import Sheet
from ui.widgets import load_rules
from ui.widgets.board import CellView
from ui.widgets.buttons import ActionTile
from ui.widgets.fit_label import lines_needed
from ui.widgets.player_chip import PlayerChip, seat_icon

PROMPT_ICONS = {"ask": "", "doubt": "doubt", "todo": "hand", "alarm": "alert", "wait": "see"}
SOURCE_ICONS = {
    "camera": "camera",
    "button": "button",
    "touch": "touch",
    "dice": "dice",
    "markers": "swap",
    "file": "file",
    "act": "history",
}
PER_PAGE = 6
BESIDE_ODDS = 4
"""So many choices leave room for the odds."""
IN_ONE_COLUMN = 3
FEW = 2
"""So few choices leave room for what was understood."""
CHIPS_BEFORE_PROGRESS = 1
SETTLE_SECONDS = 0.35
"""A tap that comes sooner after a change of the choices was meant for what stood there before."""


class PromptBand(BoxLayout):
    """The prompt across the whole screen, with the asked seat's shape and colour."""

    says = StringProperty("")
    detail = StringProperty("")
    icon = StringProperty("")
    kind = StringProperty("wait")
    seat = NumericProperty(None, allownone=True)
    ink = ColorProperty([1, 1, 1, 1])
    detail_shown = BooleanProperty(False)

    def show(self, prompt: PromptModel) -> None:
        self.says, self.kind, self.seat = prompt.says, prompt.kind, prompt.seat
        cites = ", ".join(prompt.cites)
        self.detail = "  ".join(part for part in (prompt.detail, f"({cites})" if cites else "") if part)
        self.icon = PROMPT_ICONS[prompt.kind] or seat_icon(prompt.seat) or "see"

    def is_one_line(self, width: float, size: float) -> bool:
        """Tell whether the prompt leaves room for the detail: it must not have to shrink for it."""
        return lines_needed(self.says, width, round(size), True, "Roboto") == (1, True)


class ChoiceButton(ActionTile):
    """One choice of the prompt, with a picture where that says more."""

    number = NumericProperty(0)


class OddsTile(ActionTile):
    """The likeliest thing that the dice can still win."""


class FeedLine(BoxLayout):
    icon = StringProperty("")
    says = StringProperty("")
    strong = BooleanProperty(False)


class LiveSheet(Sheet):
    in_play = True
    model = ObjectProperty(None, allownone=True, force_dispatch=True)
    choosing = BooleanProperty(False)
    odds_shown = BooleanProperty(False)
    feed = ListProperty([])

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._choices: tuple[ChoiceModel, ...] = ()
        self._question = ""
        self._blind: bool | None = None
        self._page = 0
        self._settled_at = 0.0
        # What leaves the window for a while must be held on to: ids are weak references.
        ids = self.ids
        self._progress, self._grid = ids.progress.__self__, ids.choices.__self__
        self._odds = OddsTile()
        self._picture, self._feed = ids.picture.__self__, ids.feed.__self__
        self.app.fbind("live", self._take)
        self._take(self.app, self.app.live)

    def on_pre_enter(self, *_: object) -> None:
        self._picture.source = self.app.bridge.frame
        self._run_camera()

    def on_leave(self, *_: object) -> None:
        self._picture.running = False

    def _run_camera(self) -> None:
        here = self.manager is not None and self.manager.current_screen is self
        self._picture.running = here and not self.choosing

    def _take(self, _app: object, model: LiveModel | None) -> None:
        if model is None or not self.ids:
            return
        self.model = model
        self._fill_players(model)
        self.ids.prompt.show(model.prompt)
        self.ids.board.model = model.board
        self._picture.overlays = model.overlays
        self._picture.says = model.camera_says
        self._fill_odds(model.odds)
        self._fill_choices(model.prompt)
        self._fill_feed(model)
        self._run_camera()

    def _fill_players(self, model: LiveModel) -> None:
        chips = self.ids.chips
        shown = [chip for chip in chips.children if isinstance(chip, PlayerChip)][::-1]
        if len(shown) != len(model.players):
            chips.clear_widgets()
            shown = [PlayerChip() for _ in model.players]
            for index, chip in enumerate(shown):
                if index == CHIPS_BEFORE_PROGRESS:
                    chips.add_widget(self._progress)
                chips.add_widget(chip)
            if len(shown) <= CHIPS_BEFORE_PROGRESS:
                chips.add_widget(self._progress)
        for chip, player in zip(shown, model.players, strict=True):
            chip.model = player
        self._progress.text = model.progress

    def _fill_odds(self, odds: OddsModel | None) -> None:
        """Show the likeliest thing that the dice can still win; a tap shows the others."""
        if odds is not None:
            best = odds.cards[0]
            self._odds.text, self._odds.detail = f"{best.piece} {best.chance}", best.keep
        if self.odds_shown != (odds is not None):
            self.odds_shown, self._page = odds is not None, 0
            self._fill_page()
            self._fill_side()

    def _fill_choices(self, prompt: PromptModel) -> None:
        blind = self.model.camera == "off"
        if (prompt.key, prompt.choices, blind) == (self._question, self._choices, self._blind):
            return
        self._blind = blind
        self._question, self._choices, self._page = prompt.key, prompt.choices, 0
        self._settled_at = Clock.get_time() + SETTLE_SECONDS
        self.choosing = bool(prompt.choices)
        self._fill_page()
        self._fill_side()

    def _fill_side(self) -> None:
        """Beside the board: the odds, and the choices while there are some, else the camera and what was understood."""
        self.ids.side.clear_widgets()
        few = len(self._choices) <= FEW and not self.odds_shown
        self._grid.size_hint_y = 2.2 if few else 1
        beside = (self._grid, self._feed) if few else (self._grid,)
        watching = (self._feed,) if self._blind else (self._picture, self._feed)
        odds = (self._odds,) if self.odds_shown else ()
        for widget in (*odds, *(beside if self.choosing else watching)):
            self.ids.side.add_widget(widget)

    def _fill_page(self) -> None:
        grid = self._grid
        grid.clear_widgets()
        most, in_one_column = (BESIDE_ODDS, FEW) if self.odds_shown else (PER_PAGE, IN_ONE_COLUMN)
        paged = len(self._choices) > most
        size = most - 1 if paged else most
        shown = self._choices[self._page * size : (self._page + 1) * size]
        grid.cols = 1 if len(self._choices) <= in_one_column else 2
        for choice in shown:
            grid.add_widget(self._button(choice))
        if paged:
            pages = -(-len(self._choices) // size)
            more = ActionTile(icon="next", text=f"More ({self._page + 1} of {pages})", across=True, text_size_mm=3.6)
            more.bind(on_release=lambda _button: self._turn_page(pages))
            grid.add_widget(more)

    def _button(self, choice: ChoiceModel) -> ChoiceButton:
        doubt = self.model.prompt.kind == "doubt"
        looks = {"likely": "doubt" if doubt else "primary", "no": "plain", "plain": "plain"}
        button = ChoiceButton(
            number=choice.number,
            text=choice.says,
            detail=choice.detail,
            icon="no" if choice.style == "no" else "",
            look=looks[choice.style],
            across=True,
            halign="left",
            text_size_mm=4.4 if len(self._choices) <= IN_ONE_COLUMN else 3.6,
        )
        if choice.cell is not None:
            view = CellView(cell=choice.cell, theme=self.app.theme, mm=self.app.mm, size_hint_x=None, title_share=0)
            button.bind(height=lambda _button, height: setattr(view, "width", height - 2 * self.app.mm))
            button.add_widget(view, index=len(button.children))
        button.bind(on_release=self._tapped)
        return button

    def _turn_page(self, pages: int) -> None:
        self._page = (self._page + 1) % pages
        self._fill_page()

    def _tapped(self, button: ChoiceButton) -> None:
        if Clock.get_time() >= self._settled_at:
            self.app.answer(self._question, int(button.number))

    def _fill_feed(self, model: LiveModel) -> None:
        box = self._feed
        box.clear_widgets()
        room = 5 if self._blind and not self.choosing else 3
        for says in model.reminders[: room - 1]:
            box.add_widget(FeedLine(icon="hand", says=says, strong=True, size_hint_y=0.8))
        for line in model.feed[: max(1, room - 1 - len(model.reminders))]:
            box.add_widget(FeedLine(icon=SOURCE_ICONS[line.source], says=line.says))


load_rules(__file__)
