"""A table to look at: a position in notation, or a journal after one of its entries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from companion.bootstrap import find_set, setup_for
from companion.cli import BadInput
from companion.cli._journals import open_journal
from companion.games import game_keys, load_game
from companion.kernel import Game, NotationError, Position, game_key
from companion.notation.document import DocumentError, convert, read_document
from companion.rulebook.article import RECONCILED
from companion.rulebook.options import OptionError
from companion.rulebook.strings import load_strings
from companion.sets.owner import SetError
from companion.table.voice import SEATS, Voice


class Written(msgspec.Struct, forbid_unknown_fields=True):
    """A table in a file: the position, and what was agreed around it."""

    game: str
    position: dict[str, Any]
    edition: str = RECONCILED
    options: dict[str, str] = {}
    seats: tuple[str, ...] = ()


class Table(msgspec.Struct, frozen=True):
    """A table as it stands, with the voice that names its players."""

    game: Game
    position: Position
    voice: Voice


def read_table(source: Path, number: int | None, folder: Path | None) -> Table:
    """Return the table of a position in notation (YAML), or of a journal after entry `number`.

    :param folder: the owner's set, None for the one the journal names, or the proxies.
    :raises BadInput: if it is neither, or does not fit.
    """
    if source.suffix in (".yaml", ".yml"):
        if number is not None:
            raise BadInput("--at: a position has no entries; leave it out, or name a journal")
        return _written(source, folder)
    opened = open_journal(source, folder, number)
    position = opened.told[-1].position if opened.told else opened.book.position
    return Table(opened.game, position, opened.voice)


def _written(file: Path, folder: Path | None) -> Table:
    try:
        document = read_document(file)
        doc = convert(document, "", document.root, Written)
        key = game_key(doc.game)
        if key not in game_keys():
            raise document.fault("game", f"found {doc.game!r}, expected one of {', '.join(game_keys())}")
        game = load_game(key)
        seats = doc.seats or tuple(SEATS[: game.seats[0]])
        setup = setup_for(key, doc.edition, doc.options, seats, find_set(key, folder))
        return Table(game, game.open(doc.position, setup), Voice(game, load_strings(key), seats))
    except (DocumentError, SetError, OptionError) as error:
        raise BadInput(str(error)) from None
    except NotationError as error:
        raise BadInput(f"{file}: {error}") from None
