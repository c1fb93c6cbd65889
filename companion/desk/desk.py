"""The machine behind the screens: takes intents, keeps one game open, publishes what changes.

One thread does what may take time (files, sets, cameras), so that the screen's thread never waits.
A game has a thread of its own (`Table`).
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from importlib.metadata import version
from pathlib import Path

from companion.bootstrap import PROXIES, OpeningError, find_set, new_header, resume
from companion.desk.decks import Decks
from companion.desk.eye import Eye
from companion.desk.home import present_games, present_home, with_devices
from companion.desk.room import Room
from companion.desk.settings import SCREEN_FILE, keep_look
from companion.desk.table import GameIntent, Table
from companion.games import game_keys, load_game
from companion.journal.errors import JournalError
from companion.journal.file import Journal
from companion.journal.shelf import Shelf
from companion.kernel import Game
from companion.presenters.choosing import present_set_up
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
from companion.presenters.models import HomeModel, NoticeModel, TableModel
from companion.rulebook.entries import RulebookError
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import OptionError
from companion.sets.owner import CardSet, SetError
from companion.table.mat import Mat, grid_mat
from companion.table.observation import Observation
from companion.table.ports import Health, Marker, Witness
from companion.table.session import Session
from hardware.assembly import Electronics

LOOK_EVERY_S = 0.4
"""How often devices and the set-up of the camera are looked at."""
SEATS = "ABCDEF"
EXPECTED = (JournalError, OpeningError, OptionError, RulebookError, SetError, LookupError)
"""What may be wrong with a wish; each says so in a sentence."""

_STOP = object()
_log = logging.getLogger(__name__)


class TableDesk:
    """The desk of a `Room`, as the screen sees it (`companion.presenters.desk.Desk`)."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._shelf = Shelf(room.home)
        self._queue: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)
        self._publish: Publish = lambda model: None
        self._table: Table | None = None
        self._eye: Eye | None = None
        self._electronics = Electronics()
        self._wiring_says = ""
        self._at_home, self._setting_up = False, False
        self._home: HomeModel | None = None
        self._set_up: TableModel | None = None
        self._health: dict[str, Health] = {}
        self._closed = False

    # -- the screen's side -----------------------------------------------------------------------------

    def open(self, publish: Publish) -> None:
        """Start what runs behind the screen."""
        self._publish = publish
        self._thread.start()

    def submit(self, intent: Intent) -> None:
        """Take an intent; what belongs to the open game goes straight to its thread."""
        if isinstance(intent, Answer | Undo | ShowCorrection | Correct | ShowFinal):
            self._to_table(intent)
            return
        if isinstance(intent, Leave) and (table := self._table) is not None and table.key == intent.game:
            table.mute()
        self._queue.put(intent)

    def _to_table(self, intent: GameIntent) -> None:
        table = self._table
        if table is None or table.key != intent.game:
            self._publish(NoticeModel("That game is not open any more; nothing was changed.", "refused"))
            return
        table.submit(intent)

    def frame(self) -> Frame | None:
        """Return the newest camera picture, None while there is none."""
        return None if self._eye is None else self._eye.frame()

    def close(self) -> None:
        """Stop everything, with the journal on disk."""
        if not self._closed:
            self._closed = True
            self._queue.put(_STOP)
            if self._thread.is_alive():
                self._thread.join()

    # -- the desk's own thread -------------------------------------------------------------------------

    def _run(self) -> None:
        self._start_devices()
        looked_at = 0.0
        while True:
            try:
                intent = self._queue.get(timeout=LOOK_EVERY_S)
            except queue.Empty:
                intent = None
            if intent is _STOP:
                break
            try:
                if intent is not None:
                    self._take(intent)
                if time.monotonic() - looked_at >= LOOK_EVERY_S:
                    looked_at = time.monotonic()
                    self._look()
            except EXPECTED as error:
                self._say(str(error), "refused")
            except Exception as error:  # noqa: BLE001  the desk must not fall silent by a mistake in one wish
                _log.exception("a wish could not be met")
                self._say(f"The companion made a mistake ({type(error).__name__}). What was played is on disk.")
        self._close_table()
        self._stop_devices()

    def _start_devices(self) -> None:
        source, says = self._room.source()
        eye = Eye(source, Decks(self._room.cache), says, self._room.clock)
        eye.start()
        self._eye = eye
        self._electronics, self._wiring_says = self._room.electronics()
        for witness in self._electronics.witnesses:
            witness.start(self._observe)

    def _stop_devices(self) -> None:
        for witness in self._electronics.witnesses:
            witness.stop()
        for marker in self._electronics.markers:
            marker.stop()
        self._room.stop()
        if self._eye is not None:
            self._eye.stop()

    def _observe(self, observation: Observation) -> None:
        """Hand on what a device saw; while no game is open nobody is concerned."""
        table = self._table
        if table is not None:
            table.observe(observation)

    def _take(self, intent: object) -> None:
        match intent:
            case ShowHome():
                self._at_home = True
                self._home = present_home(self._shelf, self._devices(), version("table-companion"))
                self._publish(self._home)
            case ShowGames():
                self._at_home = False
                self._publish(present_games(self._room))
            case ShowSetUp(game=key):
                names = self._room.names
                self._publish(present_set_up(load_game(key), load_rulebook(key), names))
            case Begin():
                self._begin(intent)
            case Resume(journal=name):
                self._resume(name)
            case ShowTable():
                self._setting_up, self._set_up = True, None
                self._room.hold(True)
                self._look()
            case LeaveTable(camera=camera):
                self._leave_table(camera)
            case SetCorners(corners=corners):
                self._set_corners(corners)
            case Leave(game=game):
                if self._table is not None and self._table.key == game:
                    self._close_table()
            case KeepLook(look=look):
                if says := keep_look(self._room.home / SCREEN_FILE, look):
                    self._say(says)

    def _say(self, says: str, tone: str = "failed") -> None:
        self._publish(NoticeModel(says, "refused" if tone == "refused" else "failed"))

    # -- games -----------------------------------------------------------------------------------------

    def _begin(self, wish: Begin) -> None:
        game = load_game(wish.game)
        cards, folder = self._room.cards(wish.game)
        stated = {} if wish.starter is None else {"starter": SEATS[wish.starter]}
        header = new_header(game, wish.names, cards, wish.edition, dict(wish.options), stated, folder)
        self._seat(self._shelf.begin(header), cards)
        self._room.begin()

    def _resume(self, name: str) -> None:
        if self._table is not None and self._table.key == name:
            self._close_table()  # the file belongs to one writer
        journal = Journal.open(self._shelf.folder / name)
        cards, _ = self._room.cards(journal.header.game)
        self._seat(journal, cards if cards.digest == journal.header.set_digest else None)
        if journal.recovered:
            self._say(journal.recovered)
        self._room.hold(False)

    def _seat(self, journal: Journal, cards: CardSet | None) -> None:
        """Open a journal's game in place of the one that is open."""
        try:
            session, cards = self._session(journal, cards)
        except BaseException:
            journal.close()
            raise
        self._close_table()
        self._at_home = False
        mat = mat_for(session.game)
        assert self._eye is not None  # noqa: S101  made before the first intent is taken
        table = Table(journal, session, cards, mat, self._eye, self._electronics.markers)
        self._table = table
        table.start(self._publish)
        self._eye.watch(mat, cards, table.observe)

    def _session(self, journal: Journal, cards: CardSet | None) -> tuple[Session, CardSet]:
        if cards is None:
            cards = set_of(journal)
        return resume(journal, cards), cards

    def _close_table(self) -> None:
        table, self._table = self._table, None
        if table is not None:
            self._room.hold(True)
            if self._eye is not None:
                self._eye.rest()
            table.close()

    # -- devices ---------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Publish what changed by itself: how the devices do, what the camera sees of the mat."""
        health = self._devices()
        if self._at_home and self._home is not None and health != self._health:
            self._home = with_devices(self._home, health)
            self._publish(self._home)
        if self._setting_up and self._eye is not None:
            set_up = self._eye.table(self._mat())
            if set_up != self._set_up:
                self._set_up = set_up
                self._publish(set_up)
        if self._table is not None and health != self._health:
            self._table.refresh()
        self._health = health

    def _devices(self) -> dict[str, Health]:
        devices: dict[str, Health] = {} if self._eye is None else {"camera": self._eye.health()}
        wired: tuple[Witness | Marker, ...] = (*self._electronics.witnesses, *self._electronics.markers)
        devices |= {each.name: each.health() for each in wired}
        if self._wiring_says:
            devices["wiring"] = Health("failed", self._wiring_says)
        return devices

    def _mat(self) -> Mat:
        return self._table.mat if self._table is not None else mat_for(load_game(game_keys()[0]))

    def _leave_table(self, camera: bool) -> None:
        self._setting_up = False
        self._room.hold(False)
        table, eye = self._table, self._eye
        if table is None or eye is None or table.blind is not camera:
            return  # it is as it was
        table.look_away(not camera)
        if camera:
            eye.watch(table.mat, table.cards, table.observe)
        else:
            eye.rest()

    def _set_corners(self, corners: tuple[tuple[float, float], ...] | None) -> None:
        if self._eye is None:
            return
        four = None if corners is None else (corners[0], corners[1], corners[2], corners[3])
        if says := self._eye.set_corners(self._mat(), four):
            self._say(says, "refused")
        self._set_up = None
        self._look()


def mat_for(game: Game) -> Mat:
    """Return the mat on which a game is played."""
    return grid_mat(game.key, game.rows, game.columns)


def set_of(journal: Journal) -> CardSet:
    """Return the cards that a journal was played with.

    :raises SetError: if they cannot be read.
    """
    named = journal.header.card_set
    return find_set(journal.header.game, None if named in ("", PROXIES) else Path(named))
