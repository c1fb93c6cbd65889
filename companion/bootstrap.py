"""Where a table is put together: a game, its rulebook, a set of cards, a journal, a session.

The one place that knows all rooms; everything else meets through ports and plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from companion.games import board_check, load_game
from companion.journal.entry import Entry, Header
from companion.journal.file import Journal
from companion.kernel import Game, NotationError, Position, Setup
from companion.rulebook.article import RECONCILED
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.rulebook.strings import load_strings
from companion.sets.board import BOARD_FILE, board_set, with_board
from companion.sets.owner import SET_FILE, CardSet, SetError, load_set, standard_set
from companion.sets.publish import earlier_set
from companion.table.session import Session, Store
from companion.table.voice import Voice

PROXIES = "proxies"
"""The card set of a header that was played with the project's own cards."""


LEARNED = "learned"
"""The part of a declared position that says what is printed on pieces learned in play, by key."""


class OpeningError(ValueError):
    """A game that cannot be opened: what was found, what was expected, what to do."""

    @property
    def says(self) -> str:
        return str(self)


def find_set(game: str, folder: Path | None) -> CardSet:
    """Return the owner's set in a folder, or the project's own proxies if none is named.

    A game whose pieces carry nothing that differs from copy to copy needs no set; one whose board
    does may have a map of it, with or without a set of pieces beside it.

    :raises SetError: if it cannot be read or does not fit the game.
    """
    if folder is None:
        return standard_set(game)
    check = board_check(game)
    if check is None or ((has_pieces := _has(folder, SET_FILE)) and not _has(folder, BOARD_FILE)):
        return load_set(folder)
    board = board_set(game, folder, check)
    return with_board(load_set(folder), board) if has_pieces else board


def _has(folder: Path, name: str) -> bool:
    return folder.name == name or (folder / name).is_file()


def setup_for(game: str, edition: str, options: Mapping[str, str], seats: tuple[str, ...], cards: CardSet) -> Setup:
    """Return the agreement before the first card; an explicit option beats the edition.

    :raises OptionError: for an edition, option or value that the game's rulebook does not have.
    """
    return Setup(resolve(load_rulebook(game), edition, options), seats, cards.cards)


def new_header(
    game: Game,
    seats: tuple[str, ...],
    cards: CardSet,
    edition: str = RECONCILED,
    options: Mapping[str, str] | None = None,
    stated: Mapping[str, Any] | None = None,
    folder: Path | None = None,
) -> Header:
    """Return the header of a new game; `stated` is what the table says about its start.

    :raises OptionError: for an unknown edition or option.
    :raises OpeningError: if what is stated does not fit the game.
    """
    least, most = game.seats
    if not least <= len(seats) <= most:
        raise OpeningError(f"{game.title} is played by {least} to {most}; found {len(seats)} players")
    setup = setup_for(game.key, edition, options or {}, seats, cards)
    try:
        start = game.start(msgspec.structs.replace(setup, stated=stated or {}))
    except NotationError as error:
        raise OpeningError(str(error)) from None
    return Header(
        game=game.key,
        rules_version=version("table-companion"),
        edition=edition,
        options=dict(options or {}),
        seats=seats,
        card_set=PROXIES if folder is None else str(folder),
        set_digest=cards.digest,
        start=msgspec.json.encode(game.write(start)).decode(),
        made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )


def opener(game: Game, cards: CardSet) -> Callable[[Header], Position]:
    """Return what opens the position of a header with this set of cards, or with what was in its place before.

    It raises OpeningError if the header's set or start cannot be used.
    """

    def open_game(header: Header) -> Position:
        played = cards
        if header.set_digest and header.set_digest != cards.digest:
            played = _earlier(header)
        setup = setup_for(game.key, header.edition, header.options, header.seats, played)
        if not header.start:
            return game.start(setup)
        try:
            document = msgspec.json.decode(header.start)
            learned = document.pop(LEARNED, {}) if isinstance(document, dict) else {}
            if learned:
                setup = msgspec.structs.replace(setup, faces={**setup.faces, **_faces(learned)})
            return game.open(document, setup)
        except (NotationError, msgspec.DecodeError) as error:
            raise OpeningError(f"the journal's start is no position: {error}") from None

    def _earlier(header: Header) -> CardSet:
        try:
            before = earlier_set(cards, header.set_digest)
        except SetError as error:
            raise OpeningError(str(error)) from None
        if before is None:
            raise OpeningError(
                f"the game was played with another set of cards ({header.card_set}, digest {header.set_digest[:12]}); "
                f"this one is {cards.name} ({cards.digest[:12]}); name the folder of the set it was played with"
            )
        # Pieces that were learned since change nothing of what was played, and may be laid from now on.
        only_grown = all(cards.cards.get(key) == fields for key, fields in before.cards.items())
        return cards if only_grown else before

    return open_game


def _faces(learned: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        key: {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
        for key, fields in learned.items()
    }


def with_learned(document: Mapping[str, Any], header: Header, cards: CardSet) -> dict[str, Any]:
    """Return a position of a game with what is printed on all pieces that its set has gained since it began.

    :raises SetError: if the set as it was cannot be read.
    """
    before = cards if cards.digest == header.set_digest else earlier_set(cards, header.set_digest)
    known = before.cards if before is not None else {}
    learned = {key: dict(fields) for key, fields in cards.cards.items() if key not in known}
    return {**document, LEARNED: learned} if learned else dict(document)


def seat_session(
    header: Header, store: Store, entries: tuple[Entry, ...] = (), cards: CardSet | None = None, language: str = "en"
) -> Session:
    """Return the session of a header's game; earlier `entries` are replayed.

    :raises OpeningError: if game, set or start cannot be opened.
    :raises JournalError: if the entries cannot be replayed at all.
    """
    try:
        game = load_game(header.game)
        if cards is None:
            cards = find_set(header.game, None if header.card_set in ("", PROXIES) else Path(header.card_set))
    except (LookupError, SetError) as error:
        raise OpeningError(str(error)) from None
    voice = Voice(game, load_strings(header.game, language), header.seats)
    return Session(game, header, opener(game, cards), store, voice, entries)


def resume(journal: Journal, cards: CardSet | None = None) -> Session:
    """Return the session of an open journal, with everything that was written in it."""
    return seat_session(journal.header, journal, journal.entries, cards)
