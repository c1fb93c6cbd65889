"""`companion watch`: what hands do on a mat, as it happens, from any camera, film or folder of pictures."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from companion.cli import BadInput, GameName
from companion.cli._changes import in_words
from companion.cli.read import own_deck
from companion.desk.boards import DISCS, board_of
from companion.desk.room import SETS
from companion.games import load_game
from companion.journal.shelf import Shelf
from companion.table.mat import Mat, Rect, game_mat
from vision.arrow_watch import ArrowWatch
from vision.arrows import ArrowError, ArrowMarker, ArrowReading
from vision.deck import DeckError
from vision.disc_reader import DiscReader
from vision.discs import DiscsError
from vision.enrol.by_features import read_any
from vision.enrol.pack import load_deck
from vision.frame import Frame
from vision.picture import PictureError, read_picture, save_picture
from vision.sources import Playback, Source, SourceError, open_source
from vision.table_reader import TableReader

LOOK_EVERY_S = 0.01
WAYS = ("up", "to the right", "down", "to the left")
"""Where an arrow points by its quarter turns, as seen with the mat's top edge above."""


class Trouble(msgspec.Struct, frozen=True, tag_field="kind", tag="trouble"):
    """What keeps the mat from being read, in words; empty when nothing does any more."""

    says: str


class ArrowTurned(msgspec.Struct, frozen=True, tag_field="kind", tag="arrow"):
    """A loose marker lies another way: `turn` in quarters clockwise from the mat's top, or none if it is gone or
    lies `between` two of them; `angle` in degrees clockwise, `at` in seconds of the source.
    """

    at: float
    turn: int | None
    angle: float | None
    between: tuple[int, ...] = ()


@click.command("watch")
@click.argument("source")
@click.option("--game", type=GameName(), default="allies", help="The game whose mat it is.")
@click.option("--deck", "folder", type=click.Path(path_type=Path), help="Folder of <label>.jpg files, or a deck pack.")
@click.option("--marker", type=click.Path(path_type=Path), help="Square picture of a marker, its arrow upwards.")
@click.option("--marker-mm", type=click.FloatRange(5, 120), default=25.0, show_default=True, help="Its width.")
@click.option("--place", help="Where the marker belongs: a slot, or X,Y,WIDTH,HEIGHT in mm from the mat's top left.")
@click.option("--evidence", type=click.Path(path_type=Path), help="Folder for the picture behind each change.")
@click.option("--for", "seconds", type=click.FloatRange(min=0, min_open=True), help="Stop after so many seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print each change as a line of JSON.")
def command(
    source: str,
    game: str,
    folder: Path | None,
    marker: Path | None,
    marker_mm: float,
    place: str | None,
    evidence: Path | None,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Say what hands do on a mat: cards placed, turned, moved, swapped, covered, removed; discs of a board turned.

    SOURCE is usb:0, pi:0, http://ADDRESS, rtsp://ADDRESS, video:PATH or folder:PATH (a picture every 0.2 s).
    Each change is told once the table has come to rest, with the first digits of the SHA-256 of the
    picture that shows it. Without --deck the cards are the project's own proxies; for a board of discs it names
    the folder of an enrolled board. With --marker and --place it is also told which way the arrow of a loose
    marker points; its place has to be empty in the first picture. A camera is watched until Ctrl-C. Exit 1 if
    nothing was seen to change, not even a card to lie there.
    """
    mat = game_mat(load_game(game))
    if not mat.slots:
        raise BadInput(f"the mat of {game} has no places for cards; name another game")
    if evidence is not None and not evidence.is_dir():
        raise BadInput(f"{evidence} is no folder; --evidence names the folder to write to")
    try:
        camera = open_source(source)
        reader = _board_reader(mat, folder) if mat.discs else _card_reader(mat, folder)
        arrow = _arrow(mat, marker, marker_mm, place)
    except (SourceError, DeckError, DiscsError, PictureError, ArrowError) as error:
        raise BadInput(str(error)) from None
    told, trouble = 0, ""
    for frame, says in frames(camera, seconds):
        problem = "" if frame is None else reader.read(frame).problem
        if (says or problem) != trouble:
            trouble = says or problem
            _say_trouble(trouble, as_json)
        for change in reader.last.changes if frame is not None and reader.last is not None else ():
            told += 1
            click.echo(msgspec.json.encode(change).decode() if as_json else f"{change.at:8.1f} s  {in_words(change)}")
            picture = reader.evidence(change.digest)
            if evidence is not None and picture is not None:
                try:
                    save_picture(evidence / f"{change.digest}.png", picture)
                except PictureError as error:
                    raise BadInput(str(error)) from None
        if frame is not None and arrow is not None and reader.last is not None and reader.last.plane is not None:
            lies = arrow.look(frame, reader.last.plane)
            if lies is not None:
                told += 1
                _say_arrow(frame.at, lies, as_json)
    if not told:
        click.echo(f"nothing was seen to lie or to change on the mat of {game}", err=True)
        sys.exit(1)


def _card_reader(mat: Mat, folder: Path | None) -> TableReader:
    return TableReader(mat, own_deck(mat.name) if folder is None else load_deck(folder), read=read_any)


def _board_reader(mat: Mat, folder: Path | None) -> DiscReader:
    """Return a reader of the board in `folder`, else of the one that the app would read."""
    if folder is not None and not folder.is_dir():
        raise DiscsError(f"{folder} is no folder; name the one that `companion enrol --board` has made")
    board, order = board_of(folder or Shelf().home / SETS / mat.name / DISCS, mat.disc_positions)
    return DiscReader(mat, board, order)


def _arrow(mat: Mat, marker: Path | None, width: float, place: str | None) -> ArrowWatch | None:
    """Return a watch over the marker's place, None if no marker is to be watched.

    :raises BadInput: if the place is not on the mat.
    """
    if (marker is None) != (place is None):
        raise BadInput("--marker and --place belong together: its picture, and where on the mat it belongs")
    if marker is None or place is None:
        return None
    return ArrowWatch(ArrowMarker(read_picture(marker), width), _place(mat, place))


def _place(mat: Mat, says: str) -> Rect:
    if says in mat.slots_by_key:
        return mat.slot(says).rect
    expected = f"a slot of the mat ({', '.join(mat.slots_by_key)}) or X,Y,WIDTH,HEIGHT in mm"
    try:
        x, y, width, height = (float(part) for part in says.split(","))
    except ValueError:
        raise BadInput(f"place: found {says!r}, expected {expected}") from None
    if not (x >= 0 and y >= 0 and width > 0 and height > 0 and x + width <= mat.width and y + height <= mat.height):
        raise BadInput(f"place: {says} is not on the mat, which is {mat.width:g} x {mat.height:g} mm")
    return Rect(x, y, width, height)


def _say_arrow(at: float, lies: ArrowReading, as_json: bool) -> None:
    between = tuple(turn for turn, _ in lies.candidates[:2]) if lies.state == "unsure" else ()
    if as_json:
        turned = ArrowTurned(at, lies.turn if lies.state == "known" else None, lies.angle, between)
        click.echo(msgspec.json.encode(turned).decode())
        return
    if lies.state == "empty":
        says = "is gone"
    elif lies.turn is None or lies.state != "known":
        says = f"points between {' and '.join(WAYS[turn] for turn in between)}"
    else:
        says = f"points {WAYS[lies.turn]}"
    click.echo(f"{at:8.1f} s  the marker {says}")


def frames(camera: Source, seconds: float | None) -> Iterator[tuple[Frame | None, str]]:
    """Yield the pictures of a source, and with each (or without one) what is wrong with the source in words.

    A recording ends, a camera goes on until Ctrl-C or for some seconds.

    :raises BadInput: if a recording cannot be read to its end.
    """
    camera.start()
    began, number = time.monotonic(), -1
    try:
        while seconds is None or time.monotonic() - began < seconds:
            if isinstance(camera, Playback):
                frame = camera.next()
                if frame is None:
                    break
                yield frame, ""
                continue
            frame, state = camera.latest(), camera.state()
            if frame is not None and frame.number != number:
                number = frame.number
                yield frame, state.says
            elif frame is None:
                yield None, state.says
            time.sleep(LOOK_EVERY_S)
    except KeyboardInterrupt:
        return  # this is how people end it
    finally:
        state = camera.state()
        camera.stop()
    if isinstance(camera, Playback) and state.named in ("failed", "unplugged"):
        raise BadInput(state.says)


def _say_trouble(says: str, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(Trouble(says)).decode())
    else:
        click.echo(says or "The mat can be read again.", err=True)
