"""Opening a journal to read it: for the commands that tell what is in it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.bootstrap import PROXIES, OpeningError, find_set, opener
from companion.cli import BadInput
from companion.games import load_game
from companion.journal.entry import Entry, Header
from companion.journal.errors import JournalError, JournalUnavailableError
from companion.journal.file import read_journal
from companion.kernel import Game
from companion.rulebook.article import Rulebook
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import OptionError, resolve
from companion.rulebook.strings import load_strings
from companion.sets.owner import SetError
from companion.table.book import Book
from companion.table.chronicle import Told, tell_all
from companion.table.voice import Voice


class Opened(msgspec.Struct, frozen=True):
    """A journal that was read, with everything needed to tell it. `remark` says what a crash cut off."""

    header: Header
    told: tuple[Told, ...]
    remark: str
    game: Game
    voice: Voice
    book: Book
    rulebook: Rulebook
    options: dict[str, str]


class _ReadOnly:
    def append(self, entry: Entry) -> int:
        raise JournalUnavailableError(f"this journal is only read; nothing is written to it ({entry})")


def open_journal(path: Path, folder: Path | None, upto: int | None = None) -> Opened:
    """Return a journal's entries in words, up to number `upto`.

    :param folder: the set of cards it was played with, None for the one that it names.
    :raises BadInput: if it is no journal, damaged, has no such entry, or its game cannot be opened.
    """
    try:
        reading = read_journal(path)
        header, entries = reading.header, reading.entries
        game = load_game(header.game)
        named = None if header.card_set in ("", PROXIES) else Path(header.card_set)
        cards = find_set(header.game, folder or named)
        rulebook = load_rulebook(header.game)
        options = dict(resolve(rulebook, header.edition, header.options))
        voice = Voice(game, load_strings(header.game), header.seats)
        book = Book(header, opener(game, cards), _ReadOnly(), voice)
    except (JournalError, OpeningError, SetError, OptionError, LookupError) as error:
        raise BadInput(str(error)) from None
    if upto is not None and not 0 <= upto <= len(entries):
        raise BadInput(f"{path.name} has entries 1 to {len(entries)}, and no entry {upto}; 0 is the beginning.")
    told = tuple(tell_all(book, voice, entries[:upto]))
    return Opened(header, told, reading.remark, game, voice, book, rulebook, options)
