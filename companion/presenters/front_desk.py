"""The desk of one companion: takes the screen's intents, runs a table, publishes what it shows.

It decides nothing about a game. What builds tables and knows the camera is the `House` above; the
session is only touched in its own loop's thread.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Protocol

from companion.presenters.correct import SCREEN, Plan, carry_out, plan_correction
from companion.presenters.desk import (
    Answer,
    Begin,
    Correct,
    Frame,
    Intent,
    KeepLook,
    Leave,
    LeaveTable,
    Publish,
    Resume,
    SetCorners,
    ShowCorrection,
    ShowFinal,
    ShowGames,
    ShowHome,
    ShowSetUp,
    ShowTable,
    Undo,
)
from companion.presenters.final import present_final
from companion.presenters.live import present, prompt_key
from companion.presenters.models import (
    GamesModel,
    HomeModel,
    LiveModel,
    LookModel,
    NoticeModel,
    OverlayModel,
    Point,
    SetUpModel,
    State,
    TableModel,
)
from companion.presenters.wording import without_stop
from companion.table.loop import Loop
from companion.table.observation import Touch
from companion.table.session import Provenance, Session

TABLE_EVERY_S = 0.5
CHANGED = "The table has changed meanwhile; look again. Nothing was done."


class CannotOpenError(Exception):
    """A game that cannot be begun or resumed; the message says what was found and what to do."""


class Eye(Protocol):
    """The camera as the screen needs it. Called from several threads; never blocks."""

    def frame(self) -> Frame | None:
        """Return the newest picture."""

    def overlays(self, session: Session) -> tuple[OverlayModel, ...]:
        """Return what was read, as outlines on the picture."""

    def state(self) -> tuple[State, str]:
        """Return how the camera is doing, and what to do about it."""

    def table(self) -> TableModel:
        """Return the corners found, the meters and what is missing, for the set-up screen."""

    def set_corners(self, corners: tuple[Point, Point, Point, Point] | None) -> None:
        """Take the mat's corners as dragged, or find them by the markers again (None)."""


class OpenTable(Protocol):
    """A table in play: the journal's key, the loop that runs the session, the camera if there is one."""

    journal: str
    loop: Loop
    eye: Eye | None

    def blind(self) -> None:
        """Go on without the camera."""

    def close(self) -> None:
        """Stop loop and camera; the journal is on disk."""


class House(Protocol):
    """What lies above presenters: shelf, games, devices. Called from the desk's own thread."""

    def home(self) -> HomeModel: ...
    def games(self) -> GamesModel: ...
    def set_up(self, game: str) -> SetUpModel: ...
    def begin(self, wish: Begin, changed: Callable[[Session], None]) -> OpenTable:
        """Begin a game; the loop calls `changed` and is not started yet.

        :raises CannotOpenError: with the reason.
        """

    def resume(self, journal: str, changed: Callable[[Session], None]) -> OpenTable:
        """Go on with a game, like `begin`.

        :raises CannotOpenError: with the reason.
        """

    def keep_look(self, look: LookModel) -> None: ...


class FrontDesk:
    """A `Desk` on a `House`. `clock` gives the time of touches, in seconds."""

    def __init__(self, house: House, clock: Callable[[], float] = time.monotonic) -> None:
        self._house, self._clock = house, clock
        self._publish: Publish = lambda model: None
        self._table: OpenTable | None = None
        self._shown: LiveModel | None = None
        self._plan: tuple[str, int, Plan] | None = None
        self._setting_up = False
        self._intents: queue.SimpleQueue[Intent | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)

    # -- Desk --------------------------------------------------------------------------------------

    def open(self, publish: Publish) -> None:
        self._publish = publish
        self._thread.start()

    def submit(self, intent: Intent) -> None:
        self._intents.put(intent)

    def frame(self) -> Frame | None:
        table = self._table
        return table.eye.frame() if table is not None and table.eye is not None else None

    def close(self) -> None:
        self._intents.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)
        self._leave()

    # -- the desk's thread -------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            try:
                intent = self._intents.get(timeout=TABLE_EVERY_S if self._setting_up else None)
            except queue.Empty:
                self._show_table()
                continue
            if intent is None:
                return
            try:
                self._do(intent)
            except CannotOpenError as error:
                self._publish(NoticeModel(str(error), "refused"))

    def _do(self, intent: Intent) -> None:
        match intent:
            case ShowHome():
                self._publish(self._house.home())
            case ShowGames():
                self._publish(self._house.games())
            case ShowSetUp(game=game):
                self._publish(self._house.set_up(game))
            case Begin():
                self._leave()
                self._sit_down(self._house.begin(intent, self._changed))
            case Resume(journal=journal):
                self._leave()
                self._sit_down(self._house.resume(journal, self._changed))
            case ShowTable():
                self._setting_up = True
                self._show_table()
            case LeaveTable(camera=camera):
                self._setting_up = False
                if not camera and self._table is not None:
                    self._table.blind()
                    self._table.loop.ask(lambda session: None)
            case SetCorners(corners=corners):
                if self._table is not None and self._table.eye is not None:
                    self._table.eye.set_corners(corners)
                self._show_table()
            case Leave():
                self._leave()
            case KeepLook(look=look):
                self._house.keep_look(look)
            case _:
                self._ask_session(intent)

    def _sit_down(self, table: OpenTable) -> None:
        self._table, self._shown = table, None
        table.loop.start()

    def _leave(self) -> None:
        table, self._table = self._table, None
        self._setting_up, self._plan = False, None
        if table is not None:
            table.close()

    def _show_table(self) -> None:
        table = self._table
        if table is not None and table.eye is not None:
            self._publish(table.eye.table())

    def _ask_session(self, intent: Intent) -> None:
        table = self._table
        if table is not None and getattr(intent, "game", "") == table.journal:
            table.loop.ask(lambda session: self._with_session(session, table.journal, intent))

    # -- the table's thread ------------------------------------------------------------------------

    def _changed(self, session: Session) -> None:
        table = self._table
        if table is None or table.loop.session is not session:
            return
        eye = table.eye
        camera, says = eye.state() if eye is not None else ("off", "")
        overlays = eye.overlays(session) if eye is not None else ()
        model = present(session, table.journal, overlays, camera, says)
        if model != self._shown:
            self._shown = model
            self._publish(model)

    def _with_session(self, session: Session, journal: str, intent: Intent) -> None:
        match intent:
            case Answer(question=question, choice=choice):
                if question == prompt_key(session):
                    session.observe(Touch(SCREEN, self._clock(), choice=choice))
                else:
                    self._publish(NoticeModel(CHANGED, "refused"))
            case Undo(says=says):
                self._undo(session, says)
            case ShowCorrection(cell=cell):
                self._show_correction(session, cell)
            case Correct(cell=cell, option=option):
                self._correct(session, cell, option)
            case ShowFinal():
                self._publish(present_final(session, journal))
            case _:
                raise TypeError(f"the desk knows no intent {type(intent).__name__}")

    def _undo(self, session: Session, says: str) -> None:
        if without_stop(session.undoes) != says:
            self._publish(NoticeModel(CHANGED, "refused"))
        elif session.undo(Provenance("touch", SCREEN)):
            self._publish(NoticeModel(f"Undone: {says}"))
        else:
            self._publish(NoticeModel(session.alarm or "There is nothing to undo.", "failed"))

    def _show_correction(self, session: Session, cell: str) -> None:
        plan = plan_correction(session, cell)
        if plan is None:
            self._plan = None
            self._publish(NoticeModel(f"Nothing was read in {cell}, and no open question is about it.", "refused"))
        else:
            self._plan = (cell, _mark(session), plan)
            self._publish(plan.model)

    def _correct(self, session: Session, cell: str, option: int) -> None:
        planned, self._plan = self._plan, None
        if planned is None or planned[:2] != (cell, _mark(session)) or not 0 <= option < len(planned[2].remedies):
            self._publish(NoticeModel(CHANGED, "refused"))
            return
        if objection := carry_out(session, planned[2].remedies[option], self._clock()):
            self._publish(NoticeModel(objection, "refused"))


def _mark(session: Session) -> int:
    """Return what changes with every act, so that a plan made before it is not carried out after it."""
    return session.done[-1].sequence if session.done else 0
