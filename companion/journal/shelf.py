"""The shelf: the folder in which this table's games lie, and which of them wait to be continued.

Games are numbered in the order in which they were begun, and the number begins the file's name:
`0007-allies.journal`. A clock that was set back does not change the order.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import platformdirs

from companion.journal.entry import Header
from companion.journal.errors import JournalError
from companion.journal.file import Journal, read_journal
from companion.journal.read import is_finished

HOME_VARIABLE = "COMPANION_HOME"
"""The environment variable that names the companion's folder instead of the user's data folder."""

_NAME = re.compile(r"(\d{1,9})-.*\.journal")


class Shelved(msgspec.Struct, frozen=True):
    """One game on the shelf.

    `number` is 0 for a file that the shelf did not name. `touched` is the file's time of change in
    seconds since 1970, for display only. `problem` says why the game cannot be read; `header` is then
    None and nothing else is known.
    """

    path: Path
    number: int
    touched: float
    header: Header | None = None
    entries: int = 0
    finished: bool = False
    problem: str = ""


class Shelf:
    """The folder of journals under the companion's home.

    The home is the argument, else the environment variable `COMPANION_HOME`, else the user's data
    folder as the system names it.
    """

    def __init__(self, home: Path | None = None) -> None:
        named = os.environ.get(HOME_VARIABLE, "")
        self.home = home or (Path(named) if named else platformdirs.user_data_path("table-companion", appauthor=False))
        self.folder = self.home / "games"

    def begin(self, header: Header) -> Journal:
        """Create the journal of a new game under the next number.

        :raises JournalError: if it cannot be written.
        """
        number = max((number for number, _ in self._files()), default=0) + 1
        while (path := self.folder / f"{number:04d}-{_plain(header.game)}.journal").exists():
            number += 1
        return Journal.create(path, header)

    def games(self) -> Iterator[Shelved]:
        """Yield the games, the latest begun first; unreadable ones with their problem."""
        for number, path in sorted(self._files(), reverse=True):
            try:
                touched = path.stat().st_mtime
                reading = read_journal(path)
            except FileNotFoundError:
                continue
            except JournalError as error:
                yield Shelved(path, number, touched, problem=str(error))
            else:
                yield Shelved(path, number, touched, reading.header, len(reading.entries), is_finished(reading.entries))

    def unfinished(self) -> Iterator[Shelved]:
        """Yield the games that can be continued, the latest begun first."""
        return (game for game in self.games() if game.header is not None and not game.finished)

    def _files(self) -> Iterator[tuple[int, Path]]:
        for path in self.folder.glob("*.journal"):
            name = _NAME.fullmatch(path.name)
            yield (int(name[1]) if name else 0), path


def _plain(game: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", game.lower()).strip("-") or "game"
