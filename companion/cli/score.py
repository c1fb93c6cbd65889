"""`companion score`: the score of a table, written down or photographed, with the articles behind each point."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
import platformdirs

from companion.bootstrap import find_set, setup_for
from companion.cli import BadInput, GameName
from companion.games import load_game
from companion.kernel import Game, NotationError, Position, Setup, Term, game_key
from companion.notation.document import Document, DocumentError, convert, read_document
from companion.rulebook.article import RECONCILED
from companion.rulebook.options import OptionError
from companion.rulebook.strings import load_strings
from companion.sets.owner import CardSet, SetError
from companion.table.mat import game_mat
from companion.table.observation import Scene, Sighting
from companion.table.voice import SEATS, Voice

if TYPE_CHECKING:
    from vision.deck import Deck

SURE = 0.5
"""Confidence from which a reading of a photograph counts."""


class Written(msgspec.Struct, forbid_unknown_fields=True):
    """A table in a file: the position alone, or with what was agreed around it."""

    position: dict[str, Any]
    game: str = ""
    edition: str = RECONCILED
    options: dict[str, str] = {}
    seats: tuple[str, ...] = ()


class NotScorable(Exception):  # noqa: N818  it is an answer: no
    """The table can be seen and not be scored; the sentence says why."""


@click.command("score")
@click.argument("game", type=GameName())
@click.option("--table", "file", type=click.Path(path_type=Path), help="A position in notation (YAML).")
@click.option("--photo", type=click.Path(path_type=Path), help="A photograph of the table on its printed mat.")
@click.option("--deck", "folder", type=click.Path(path_type=Path), help="The owner's set; the proxies if left out.")
@click.option("--edition", help="Score by this edition; an edition in the file comes first if left out.")
@click.option("--json", "as_json", is_flag=True, help="Print the score as JSON.")
def command(
    game: str, file: Path | None, photo: Path | None, folder: Path | None, edition: str | None, as_json: bool
) -> None:
    """Score a table of GAME as it lies: from a file (--table) or from a photograph (--photo).

    Exit 1 if the table cannot be scored, for example because one card is seen twice.
    """
    if (file is None) == (photo is None):
        raise BadInput("name the table to score: --table with a position in notation, or --photo with a picture.")
    try:
        played = load_game(game)
        cards = find_set(game, folder)
        if file is not None:
            setup, position = read_table(played, cards, file, edition)
            unseen: tuple[str, ...] = ()
        else:
            setup = setup_for(game, edition or RECONCILED, {}, tuple(SEATS[: played.seats[0]]), cards)
            position, unseen = read_table_photo(played, cards, setup, Path(str(photo)))
    except NotScorable as no:
        click.echo(str(no), err=True)
        sys.exit(1)
    except (LookupError, SetError, OptionError, DocumentError) as error:
        raise BadInput(str(error)) from None
    voice = Voice(played, load_strings(game), setup.seats)
    terms = played.score(position.state)
    if as_json:
        found = {
            "game": game,
            "score": {SEATS[seat]: term.points for seat, term in enumerate(terms)},
            "terms": [as_document(voice, term) for term in terms],
            "not_seen": unseen,
            "position": played.write(position),
        }
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=1).decode())
        return
    for term in terms:
        for line in as_lines(voice, term):
            click.echo(line)
    if unseen:
        click.echo(f"Not in the picture and counted as empty: {', '.join(unseen)}.")


def as_lines(voice: Voice, term: Term, depth: int = 0) -> list[str]:
    """Return the term and its parts as a tree; parts that stand for no card are left out."""
    articles = ", ".join(cited.article for cited in term.cites)
    lines = [f"{'      ' * depth}{term.points:>3}  {voice.say(term.text)} ({articles})"]
    for part in term.parts:
        if part.parts or not _is_sum(part):
            lines += as_lines(voice, part, depth + 1)
    return lines


def _is_sum(term: Term) -> bool:
    return any(name == "cards" for name, _ in term.text.values)


def as_document(voice: Voice, term: Term) -> dict[str, Any]:
    """Return the term and its parts as `--json` prints them."""
    return {
        "says": voice.say(term.text),
        "points": term.points,
        "cites": [cited.article for cited in term.cites],
        "parts": [as_document(voice, part) for part in term.parts],
    }


def read_table(game: Game, cards: CardSet, file: Path, edition: str | None) -> tuple[Setup, Position]:
    """Return the position that a file states, and what was agreed.

    :raises DocumentError: naming line and field of what does not fit.
    """
    document: Document = read_document(file)
    root = document.root
    if not isinstance(root, dict):
        raise document.fault("", f"found {root!r}, expected a position: keys and values such as 'regions:'")
    wrapped = "position" in root
    written = convert(document, "", root, Written) if wrapped else Written(root)
    if written.game and game_key(written.game) != game.key:
        raise document.fault("game", f"found {written.game!r}, expected {game.key}; name the game that the file is of")
    seats = written.seats or tuple(SEATS[: game.seats[0]])
    if not game.seats[0] <= len(seats) <= game.seats[1]:
        raise document.fault("seats", f"found {len(seats)} players, expected {game.seats[0]} to {game.seats[1]}")
    setup = setup_for(game.key, edition or written.edition, written.options, seats, cards)
    try:
        return setup, game.open(written.position, setup)
    except NotationError as error:
        raise document.fault("position" if wrapped else "", str(error).removeprefix("position: ")) from None


def read_table_photo(game: Game, cards: CardSet, setup: Setup, photo: Path) -> tuple[Position, tuple[str, ...]]:
    """Return the position that a photograph shows, and what of the score it cannot show.

    :raises NotScorable: if something on the mat cannot be read for sure.
    :raises BadInput: if it is no photograph of the game's mat, or the game cannot be read from one.
    """
    if find_spec(f"companion.games.{game.key}.photograph") is None:
        raise BadInput(f"a table of {game.title} cannot be scored from a photograph yet; write it down (--table).")
    shown = import_module(f"companion.games.{game.key}.photograph")
    scene = look_at_photo(game, photo, lambda: learn(cards))
    seen, hidden = what_lies(scene)
    try:
        position = game.open(shown.position_of(seen, setup), setup)
    except NotationError as error:
        raise NotScorable(f"{photo.name}: {error}. Put it right and take the picture again.") from None
    return position, (*shown.UNSEEN, *(f"place {slot}" for slot in hidden))


def look_at_photo(game: Game, photo: Path, deck: Callable[[], Deck]) -> Scene:
    """Return what lies on the mat in a photograph; `deck` is fetched once there is a picture.

    :raises BadInput: if there is no picture, or no mat in it.
    """
    from vision.frame import Frame
    from vision.picture import PictureError, read_picture
    from vision.table_reader import TableReader

    try:
        picture = read_picture(photo)
    except PictureError as error:
        raise BadInput(f"{error}.") from None
    reader = TableReader(game_mat(game), deck(), least_confidence=SURE)
    scene = reader.read_still(Frame(picture, photo.name, 0.0, 0))
    if all(each.seen == "hidden" for each in scene.sightings):
        raise BadInput(f"{photo.name}: {scene.problem or 'nothing of the mat can be seen'}.")
    return scene


def learn(cards: CardSet) -> Deck:
    """Return the enrolled faces of a set.

    :raises BadInput: if it has no pictures that can be used.
    """
    from companion.desk.decks import Decks
    from vision.deck import DeckError

    try:
        return Decks(platformdirs.user_cache_path("table-companion")).learn(cards)
    except DeckError as error:
        raise BadInput(f"{error}.") from None


def what_lies(scene: Scene) -> tuple[Mapping[str, tuple[str, int]], tuple[str, ...]]:
    """Return the card and quarter turn of each slot, and the slots that are not in view.

    :raises NotScorable: naming a card that cannot be read for sure, or is seen twice.
    """
    if scene.problem:
        raise NotScorable(f"{scene.problem}; put it right and take the picture again.")
    seen: dict[str, tuple[str, int]] = {}
    for each in scene.sightings:
        if each.seen in ("unknown", "unsure"):
            raise NotScorable(_unread(each))
        if each.seen == "known" and each.piece is not None:
            seen[each.slot] = (each.piece, each.turn or 0)
    count = Counter(piece for piece, _ in seen.values())
    for piece, times in count.items():
        if times > 1:
            places = " and ".join(slot for slot, (found, _) in seen.items() if found == piece)
            raise NotScorable(f"{piece} is seen in {places}, and every card exists once; see which was misread.")
    return seen, tuple(each.slot for each in scene.sightings if each.seen == "hidden")


def _unread(sighting: Sighting) -> str:
    likely = " or ".join(candidate.piece for candidate in sighting.candidates[:2])
    guess = f" (perhaps {likely})" if likely else ""
    return (
        f"the card in {sighting.slot} cannot be read for sure{guess};"
        " lay it straight and take the picture again, or write the table down (--table)."
    )
