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
from companion.desk.calibration import Corners
from companion.desk.devices import Devices
from companion.desk.enrol_desk import EnrolmentDesk
from companion.desk.eye import Eye
from companion.desk.home import present_games, present_home, with_devices
from companion.desk.newcomers import IN_PLAY
from companion.desk.room import SETS, Room
from companion.desk.settings import SCREEN_FILE, keep_look
from companion.desk.table import GameIntent, Table
from companion.desk.wiring_desk import Wirer
from companion.games import game_keys, load_game
from companion.journal.errors import JournalError
from companion.journal.file import Journal
from companion.journal.shelf import Shelf
from companion.presenters.choosing import present_set_up
from companion.presenters.desk import (
    Answer,
    Begin,
    Correct,
    Frame,
    Intent,
    KeepLook,
    KeepRecord,
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
from companion.presenters.enrol import EnrolChoose, EnrolIntent, EnrolSet
from companion.presenters.models import HomeModel, NoticeModel, TableModel
from companion.presenters.wiring import ShowWiring, WiringIntent
from companion.rulebook.entries import RulebookError
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import OptionError
from companion.sets.owner import CardSet, SetError
from companion.table.mat import Mat, game_mat
from companion.table.observation import Observation
from companion.table.ports import Health

LOOK_EVERY_S = 0.4
"""How often devices and the set-up of the camera are looked at."""
SEATS = "ABCDEF"
EXPECTED = (JournalError, OpeningError, OptionError, RulebookError, SetError, LookupError)
"""What may be wrong with a wish; each says so in a sentence."""

_STOP = object()
_LOOK = object()
"""Nothing is wished; something is to be looked at now."""
_log = logging.getLogger(__name__)


class TableDesk:
    """The desk of a `Room`, as the screen sees it (`companion.presenters.desk.Desk`)."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._shelf = Shelf(room.home)
        self._enrolment = EnrolmentDesk(room.home, room.home / SETS)
        self._wirer: Wirer | None = None
        self._queue: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)
        self._publish: Publish = lambda model: None
        self._table: Table | None = None
        self._eye: Eye | None = None
        self._at_home, self._setting_up = False, False
        self._home: HomeModel | None = None
        self._set_up: TableModel | None = None
        self._health: dict[str, Health] = {}
        self._told: Table | None = None
        """The game that knows how the devices do."""
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
        devices = Devices(self._room, self._observe)
        self._eye = devices.eye
        try:
            self._meet_wishes(devices)
        finally:
            self._stop_wiring(devices)
            self._close_table(devices.eye)
            devices.stop()

    def _meet_wishes(self, devices: Devices) -> None:
        looked_at = 0.0
        while True:
            try:
                intent = self._queue.get(timeout=LOOK_EVERY_S)
            except queue.Empty:
                intent = None
            if intent is _STOP:
                return
            try:
                if intent is not None and intent is not _LOOK:
                    self._take(intent, devices)
                if self._wirer is not None:
                    self._wirer.look()
                if time.monotonic() - looked_at >= LOOK_EVERY_S:
                    looked_at = time.monotonic()
                    self._look(devices)
            except EXPECTED as error:
                self._say(str(error), "refused")
            except Exception as error:  # noqa: BLE001  the desk must not fall silent by a mistake in one wish
                _log.exception("a wish could not be met")
                self._say(f"The companion made a mistake ({type(error).__name__}). What was played is on disk.")

    def _observe(self, observation: Observation) -> bool:
        """Hand on what a device saw; while no game is open nobody is concerned."""
        table = self._table
        if table is not None:
            table.observe(observation)
        return table is not None

    def _take(self, intent: object, devices: Devices) -> None:
        table = self._table
        if table is not None and isinstance(intent, EnrolSet | EnrolChoose) and intent.key.startswith(IN_PLAY):
            table.submit_newcomer(intent)
            return
        if isinstance(intent, EnrolIntent):
            self._enrolment.take(intent, devices.eye.frame(), self._publish)
            return
        if isinstance(intent, WiringIntent):
            self._wire(intent, devices)
            return
        match intent:
            case ShowHome():
                self._at_home = True
                self._home = present_home(self._shelf, devices.health(), version("table-companion"))
                self._publish(self._home)
            case ShowGames():
                self._at_home = False
                self._publish(present_games(self._room))
            case ShowSetUp(game=key):
                names = self._room.names
                self._publish(present_set_up(load_game(key), load_rulebook(key), names))
            case Begin():
                self._begin(intent, devices)
            case Resume(journal=name):
                self._resume(name, devices)
            case ShowTable():
                self._setting_up, self._set_up = True, None
                self._room.hold(True)
                self._look(devices)
            case LeaveTable(camera=camera):
                self._leave_table(camera, devices.eye)
            case SetCorners(corners=corners):
                self._set_corners(corners, devices)
            case Leave(game=game):
                if self._table is not None and self._table.key == game:
                    self._close_table(devices.eye)
            case KeepLook(look=look):
                if says := keep_look(self._room.home / SCREEN_FILE, look):
                    self._say(says)
            case KeepRecord():
                self._publish(devices.keep_record())

    def _wire(self, intent: WiringIntent, devices: Devices) -> None:
        """Wire the table; meanwhile nobody else has its pins and ports."""
        if self._table is not None:
            self._say("Leave the game first: its buttons and lamps are in use.", "refused")
            return
        if self._wirer is None:
            if not isinstance(intent, ShowWiring):
                return
            devices.let_go()
            self._wirer = Wirer(self._room, self._publish, lambda: self._queue.put(_LOOK))
        if self._wirer.take(intent):
            self._stop_wiring(devices)

    def _stop_wiring(self, devices: Devices) -> None:
        wirer, self._wirer = self._wirer, None
        if wirer is not None:
            wirer.close()
            devices.take_up()

    def _say(self, says: str, tone: str = "failed") -> None:
        self._publish(NoticeModel(says, "refused" if tone == "refused" else "failed"))

    # -- games -----------------------------------------------------------------------------------------

    def _begin(self, wish: Begin, devices: Devices) -> None:
        game = load_game(wish.game)
        cards, folder = self._room.cards(wish.game)
        stated = {} if wish.starter is None else {"starter": SEATS[wish.starter]}
        header = new_header(game, wish.names, cards, wish.edition, dict(wish.options), stated, folder)
        self._seat(self._shelf.begin(header), cards, devices)
        self._room.begin()

    def _resume(self, name: str, devices: Devices) -> None:
        if self._table is not None and self._table.key == name:
            self._close_table(devices.eye)  # the file belongs to one writer
        journal = Journal.open(self._shelf.folder / name)
        self._seat(journal, None, devices)
        if journal.recovered:
            self._say(journal.recovered)
        self._room.hold(False)

    def _seat(self, journal: Journal, cards: CardSet | None, devices: Devices) -> None:
        """Open a journal's game in place of the one that is open; `cards` are those it was played with."""
        try:
            cards = cards or self._cards_of(journal)
            session = resume(journal, cards)
        except BaseException:
            journal.close()
            raise
        self._close_table(devices.eye)
        self._at_home = False
        mat = game_mat(session.game)
        table = Table(journal, session, cards, mat, devices.eye, devices.markers, devices.keepers, self._room.look)
        self._table = table
        table.start(self._publish)
        if mat.slots or mat.tray:
            devices.eye.watch(mat, cards, table.observe)
        for seen in devices.lying():
            table.observe(seen)

    def _cards_of(self, journal: Journal) -> CardSet:
        """Return the cards that a journal was played with: the room's, if they have the same values.

        :raises SetError: if they cannot be read.
        """
        header = journal.header
        try:
            cards, _ = self._room.cards(header.game)
            if cards.digest == header.set_digest:
                return cards
        except SetError as error:
            _log.info("%s", error)
        return find_set(header.game, None if header.card_set in ("", PROXIES) else Path(header.card_set))

    def _close_table(self, eye: Eye) -> None:
        table, self._table = self._table, None
        if table is not None:
            self._room.hold(True)
            eye.rest()
            table.close()

    # -- devices ---------------------------------------------------------------------------------------

    def _look(self, devices: Devices) -> None:
        """Publish what changed by itself: how the devices do, what the camera sees of the mat."""
        health = devices.health()
        if self._at_home and self._home is not None and health != self._health:
            self._home = with_devices(self._home, health)
            self._publish(self._home)
        if self._setting_up:
            set_up = devices.eye.table(self._mat())
            if set_up != self._set_up:
                self._set_up = set_up
                self._publish(set_up)
        if self._table is not None and (health != self._health or self._table is not self._told):
            self._told = self._table
            self._table.tell_devices(devices.electronics_health())
        self._health = health

    def _mat(self) -> Mat:
        return self._table.mat if self._table is not None else game_mat(load_game(game_keys()[0]))

    def _leave_table(self, camera: bool, eye: Eye) -> None:
        self._setting_up = False
        self._room.hold(False)
        table = self._table
        if table is None or table.blind is not camera:
            return  # it is as it was
        table.look_away(not camera)
        if camera:
            eye.watch(table.mat, table.cards, table.observe)
        else:
            eye.rest()

    def _set_corners(self, corners: Corners | None, devices: Devices) -> None:
        if says := devices.eye.set_corners(self._mat(), corners):
            self._say(says, "refused")
        self._set_up = None
        self._look(devices)
