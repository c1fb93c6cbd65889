"""The application: routes models to screens, owns the bottom bar, the toast, the theme and the sleep.

The screen decides nothing about a game. It shows what was published and sends what was tapped.
"""

from __future__ import annotations

from collections.abc import Callable

from ui import window

window.prepare()

from kivy.app import App  # noqa: E402  (Kivy reads its settings when it is first imported)
from kivy.base import EventLoop, ExceptionHandler, ExceptionManager  # noqa: E402
from kivy.logger import Logger  # noqa: E402
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty  # noqa: E402

from companion.presenters import models  # noqa: E402
from companion.presenters.desk import (  # noqa: E402
    Answer,
    Begin,
    Correct,
    Desk,
    Intent,
    KeepLook,
    Leave,
    LeaveTable,
    Published,
    ShowCorrection,
    ShowFinal,
    ShowHome,
    ShowTable,
    Undo,
)
from companion.presenters.enrol import EnrolModel, LeaveEnrolment, ShowEnrolment  # noqa: E402
from companion.presenters.wiring import LeaveWiring, ShowWiring, WiringModel  # noqa: E402
from ui.bridge import Bridge  # noqa: E402
from ui.metrics import pixels_per_millimetre  # noqa: E402
from ui.root import Root  # noqa: E402
from ui.sleep import Doze  # noqa: E402
from ui.theme import Theme  # noqa: E402
from ui.touch import DuplicateFilter, WakeGuard  # noqa: E402


class _Survive(ExceptionHandler):
    """A mistake in the screen must not end a game: it is logged and said, and the app goes on."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def handle_exception(self, inst: BaseException) -> int:
        if not isinstance(inst, Exception):
            return ExceptionManager.RAISE
        Logger.exception("Companion: the screen made a mistake")
        self._say(f"The screen made a mistake ({type(inst).__name__}). The game is safe on disk; go on or start again.")
        return ExceptionManager.PASS


class CompanionApp(App):
    """The screen of the companion on one `Desk`.

    `size` is the window's size in pixels (ignored when full screen); `look` what was chosen last.
    """

    title = "Table Companion"
    theme = ObjectProperty(None, rebind=True)
    mm = NumericProperty(5.0)
    em = NumericProperty(5.0)
    live = ObjectProperty(None, allownone=True)
    bar_shown = BooleanProperty(False)

    def __init__(self, desk: Desk, look: models.LookModel | None = None, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.look = look or models.LookModel()
        self.theme = Theme(self.look.theme)
        self.bridge = Bridge(desk, self.show)
        self._waiting_for_game = ""
        self._trail: list[str] = []
        self._known_end = ""
        self._first: Intent | None = None

    def begin_when_started(self, intent: Intent) -> None:
        """Begin with a game (`Resume` or `Begin`) instead of the home screen."""
        self._first = intent

    # -- start and stop ---------------------------------------------------------------------

    def build(self) -> Root:
        from kivy.core.window import Window

        self._window = Window
        Window.clearcolor = self.theme.ground
        self.theme.bind(ground=lambda _theme, colour: setattr(Window, "clearcolor", colour))
        Window.bind(size=self._measure)
        self._measure()
        self.doze = Doze(may_sleep=self._may_sleep)
        self._filters = (WakeGuard(lambda: self.doze.asleep, self.doze.wake), DuplicateFilter())
        for module in self._filters:
            EventLoop.add_postproc_module(module)
        self._survive = _Survive(lambda says: self.show(models.NoticeModel(says, "failed")))
        ExceptionManager.add_handler(self._survive)
        return Root()

    def on_start(self) -> None:
        self.doze.bind(asleep=lambda _doze, asleep: self.root.shade(asleep))
        self.doze.start()
        self.go("home")
        self.bridge.start()
        if self._first is None:
            self.submit(ShowHome())
        else:
            self.begin_with(self._first, "table" if isinstance(self._first, Begin) else "live")

    def on_stop(self) -> None:
        for module in self._filters:
            EventLoop.remove_postproc_module(module)
        ExceptionManager.remove_handler(self._survive)
        self._window.unbind(size=self._measure)
        self.doze.stop()
        self.root.silence()
        self.bridge.stop()

    def _measure(self, *_: object) -> None:
        self.mm = pixels_per_millimetre(*self._window.size, self.look.diagonal)
        self.em = self.mm * self.look.text

    def _may_sleep(self) -> bool:
        return self.live is None or self.live.finished or not self.bar_shown

    # -- models in --------------------------------------------------------------------------

    def show(self, model: Published) -> None:
        """Hand a model to its screen; runs on the screen's thread only."""
        match model:
            case models.LiveModel():
                self._show_live(model)
            case models.HomeModel():
                self.root.sheet("home").model = model
            case models.GamesModel():
                self.root.sheet("games").model = model
            case models.SetUpModel():
                self.root.sheet("players").model = model
            case models.TableModel():
                self.root.sheet("table").model = model
            case models.CorrectModel():
                self.root.sheet("correct").model = model
            case models.FinalModel():
                self.root.sheet("final").model = model
            case EnrolModel():
                self.root.sheet("enrol").model = model
                if model.in_play and self.live is not None:
                    self.go("enrol" if model.rows else "live")
            case WiringModel():
                self._show_wiring(model)
            case models.NoticeModel():
                self._waiting_for_game = ""
                self.root.toast.show(model, self.theme)

    def _show_wiring(self, model: WiringModel) -> None:
        self.root.sheet("wiring").model = model
        if self.root.here == "menu":
            self.go("wiring")

    def _show_live(self, model: models.LiveModel) -> None:
        self.live = model
        if self._waiting_for_game:
            target, self._waiting_for_game = self._waiting_for_game, ""
            if target == "table":
                self.submit(ShowTable())
            self.go(target)
        if model.outage is not None and self.root.here == "live":
            self.go("outage")
        elif model.outage is None and self.root.here == "outage":
            self.go("live")
        if model.finished and self._known_end != model.game:
            self._known_end = model.game
            self.submit(ShowFinal(model.game))
            self.go("final")
        elif not model.finished and self._known_end == model.game:
            self._known_end = ""
            if self.root.here == "final":
                self.go("live")

    # -- navigation -------------------------------------------------------------------------

    def go(self, name: str) -> None:
        """Show a screen; the live table is the end of every way back during play."""
        here = self.root.here
        if name in ("home", "live"):
            self._trail = []
        elif here and here != name:
            self._trail.append(here)
        self.bar_shown = self.root.go(name) and self.live is not None

    def back(self) -> None:
        """Go where this screen was opened from."""
        target = self._trail.pop() if self._trail else "home"
        trail = self._trail
        self.go(target)
        self._trail = trail if target not in ("home", "live") else []

    def begin_with(self, intent: Intent, then: str) -> None:
        """Ask for a game; the screen called `then` follows when its first model arrives."""
        self._waiting_for_game = then
        self.submit(intent)

    # -- intents out ------------------------------------------------------------------------

    def submit(self, intent: Intent) -> None:
        self.bridge.submit(intent)

    def answer(self, question: str, choice: int) -> None:
        self.submit(Answer(self.live.game, question, choice))

    def undo(self) -> None:
        if self.live is not None and self.live.undo:
            self.submit(Undo(self.live.game, self.live.undo))

    def toggle(self, name: str) -> None:
        """Open a screen from the bottom bar, or close it if it is open."""
        if self.root.here == name:
            self.go("live")
        else:
            self.go(name)

    def open_correction(self, cell: str = "") -> None:
        """Show what a cell may be; without a cell, ask which one."""
        sheet = self.root.sheet("correct")
        if not cell:
            if self.root.here == "correct":
                self.go("live")
                return
            sheet.ask_which()
        else:
            sheet.wait_for(cell)
            self.submit(ShowCorrection(self.live.game, cell))
        if self.root.here != "correct":
            self.go("correct")

    def correct(self, cell: str, option: int) -> None:
        self.submit(Correct(self.live.game, cell, option))
        self.go("live")

    def leave_table(self, camera: bool) -> None:
        self.submit(LeaveTable(camera))
        self.go("live" if self.live is not None else "home")

    def open_table(self) -> None:
        self.submit(ShowTable())
        self.go("table")

    def open_enrolment(self, game: str) -> None:
        """Go on with the owner's cards of a game."""
        self.root.sheet("enrol").model = None
        self.submit(ShowEnrolment(game))
        self.go("enrol")

    def leave_enrolment(self) -> None:
        """Leave the owner's cards; what was done so far is on disk."""
        model = self.root.sheet("enrol").model
        if model is not None and model.in_play and self.live is not None:
            self.go("live")
            return
        self.submit(LeaveEnrolment())
        self.submit(ShowHome())
        self.go("home")

    def open_wiring(self) -> None:
        """Wire the table: its first question follows, unless the desk says why not."""
        self.submit(ShowWiring())

    def leave_wiring(self) -> None:
        """Leave the wiring; what was not saved is as it was."""
        self.submit(LeaveWiring())
        self.submit(ShowHome())
        self.go("home")

    def open_final(self) -> None:
        self.submit(ShowFinal(self.live.game))
        self.go("final")

    def leave_game(self) -> None:
        if self.live is not None:
            self.submit(Leave(self.live.game))
        self.live = None
        self._known_end = ""
        self.submit(ShowHome())
        self.go("home")

    def change_look(self, look: models.LookModel) -> None:
        """Use another theme, text size or screen size, and have it kept."""
        self.look = look
        self.theme.use(look.theme)
        self._measure()
        self.submit(KeepLook(look))
