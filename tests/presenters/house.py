"""A house with one shelf in a folder and no camera: what the bootstrap does, for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.bootstrap import find_set, new_header, resume
from companion.games import load_game
from companion.journal.file import Journal
from companion.journal.shelf import Shelf
from companion.presenters.choosing import present_game, present_set_up
from companion.presenters.desk import Begin, Frame
from companion.presenters.front_desk import CannotOpenError, Eye
from companion.presenters.models import (
    GamesModel,
    HomeModel,
    LookModel,
    OverlayModel,
    ResumeModel,
    SetUpModel,
    TableModel,
)
from companion.rulebook.load import load_rulebook
from companion.table.loop import Loop
from companion.table.session import Session


class Table:
    def __init__(self, journal: Journal, changed: Callable[[Session], None], eye: Eye | None) -> None:
        self.journal, self._file, self.eye = journal.path.name, journal, eye
        self.loop = Loop(resume(journal), changed=changed)

    def blind(self) -> None:
        self.eye = None

    def close(self) -> None:
        self.loop.stop()
        self._file.close()


class StillEye:
    """A camera that always sees the same."""

    def __init__(self) -> None:
        self.corners: object = None
        self.shown = TableModel(ready=True)

    def frame(self) -> Frame | None:
        return None

    def overlays(self, session: Session) -> tuple[OverlayModel, ...]:
        return ()

    def state(self) -> tuple[str, str]:
        return "ok", ""

    def table(self) -> TableModel:
        return self.shown

    def set_corners(self, corners: object) -> None:
        self.corners = corners


class House:
    def __init__(self, home: Path, eye: Eye | None = None) -> None:
        self.shelf, self.eye, self.look = Shelf(home), eye, LookModel()

    def home(self) -> HomeModel:
        return HomeModel(
            tuple(
                ResumeModel(game.path.name, game.header.game, " and ".join(game.header.seats))
                for game in self.shelf.unfinished()
            )
        )

    def games(self) -> GamesModel:
        return GamesModel((present_game(load_game("allies"), load_rulebook("allies")),))

    def set_up(self, game: str) -> SetUpModel:
        return present_set_up(load_game(game), load_rulebook(game))

    def begin(self, wish: Begin, changed: Callable[[Session], None]) -> Table:
        stated = {} if wish.starter is None else {"starter": "AB"[wish.starter]}
        try:
            header = new_header(
                load_game(wish.game), wish.names, find_set(wish.game, None), wish.edition, dict(wish.options), stated
            )
        except ValueError as error:
            raise CannotOpenError(str(error)) from None
        return Table(self.shelf.begin(header), changed, self.eye)

    def resume(self, journal: str, changed: Callable[[Session], None]) -> Table:
        path = self.shelf.folder / journal
        if not path.exists():
            raise CannotOpenError(f"There is no game {journal} on the shelf; begin a new one.")
        return Table(Journal.open(path), changed, self.eye)

    def keep_look(self, look: LookModel) -> None:
        self.look = look
