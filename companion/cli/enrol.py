"""`companion enrol`: the faces of an owner's cards out of photographs, and deck packs to give away."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path

import click
import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.cli import BadInput
from companion.cli._board import BoardWords, enrol_board
from companion.cli._dice import enrol_dice
from companion.desk.decks import is_back
from companion.sets.owner import CardSet, SetError, load_set
from companion.sets.publish import replace_folder
from vision.deck import Deck, DeckError
from vision.enrol.cut import CutError, cut_cards
from vision.enrol.pack import FILE as PACK_FILE
from vision.enrol.pack import PackError, pack_deck, read_pack, write_pack
from vision.picture import PictureError, pictures_in, read_picture

Picture = NDArray[np.uint8]

JOINT = "+"
"""Stands between the keys in the name of a photograph of several cards."""
QUALITY = 95


class Report(msgspec.Struct, frozen=True):
    """What `--json` prints. `missing` are cards of the set that have no picture yet."""

    deck: str
    enrolled: tuple[str, ...]
    missing: tuple[str, ...]
    look_alikes: tuple[tuple[str, str], ...]
    """Pairs that differ in a small place only; the camera may have to ask about them."""
    twins: tuple[tuple[str, str], ...] = ()
    """Pairs that nothing tells apart; the camera will always ask."""
    symmetric: tuple[str, ...] = ()
    """Cards that look the same upside down or sideways; how they lie is asked."""
    taken_for: tuple[tuple[str, str], ...] = ()
    """Cards without a picture, each with an enrolled one of the same drawing (the set says so): taken for it, maybe."""
    exported: str = ""


@click.command("enrol")
@click.argument("deck", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "photos",
    type=click.Path(path_type=Path),
    help="Folder with photographs of the cards; with --board one file.",
)
@click.option("--dice", is_flag=True, help="The photographs show a die each: enrol its upper face.")
@click.option("--board", is_flag=True, help="The photograph shows a board of discs, all in position 0: enrol it.")
@click.option("--corners", help="For --board: the square round it in pixels, 'x,y x,y x,y x,y' from its top left.")
@click.option("--radii", help="For --board: of the middle and the inner disc, in shares of half its side; 0.7,0.4.")
@click.option(
    "--paths", help="For --board: the paths clockwise from the one that the discs stand at, 'wizard,golem,...'."
)
@click.option("--whole", is_flag=True, help="Each picture shows the card from edge to edge, as a scan does.")
@click.option("--spread", is_flag=True, help="A photograph may show many cards; they are numbered after its name.")
@click.option("--force", is_flag=True, help="Replace pictures that the deck has already.")
@click.option("--export", "target", type=click.Path(path_type=Path), help="Write a deck pack: no pictures in it.")
@click.option("--import", "pack", type=click.Path(path_type=Path), help="Begin the deck with somebody's deck pack.")
@click.option("--json", "as_json", is_flag=True, help="Print what was enrolled as JSON.")
def command(
    deck: Path,
    photos: Path | None,
    dice: bool,
    board: bool,
    corners: str | None,
    radii: str | None,
    paths: str | None,
    whole: bool,
    spread: bool,
    force: bool,
    target: Path | None,
    pack: Path | None,
    as_json: bool,
) -> None:
    """Put the face of each photographed card into the folder DECK.

    A photograph is called like its card's key (yeti-07.jpg) and shows the card alone on a plain ground,
    printed top upwards. A photograph of many cards that lie apart is called by all their keys as one
    reads them, row by row (yeti-07+yeti-08.jpg); with --spread its cards are numbered instead. If DECK
    holds a set.toml, the keys are those of the set. Nothing is written unless every photograph can be
    used. A deck pack (--export) holds features and values, but no picture. With --dice each photograph
    shows one die and is called like the face on top (red-3.jpg); `companion read --faces DECK` reads them.
    With --board one photograph shows a board of concentric discs.
    """
    if deck.exists() and not deck.is_dir():
        raise BadInput(f"{deck} is a file; name the folder that holds the faces, or one that is to be made")
    words = BoardWords(corners, radii, paths)
    if any(words) and not board:
        raise BadInput("--corners, --radii and --paths are those of a board; add --board, or leave them out")
    if board:
        if dice or whole or spread or target is not None or pack is not None:
            raise BadInput(
                "--dice, --whole, --spread, --export and --import are not for a board; enrol it without them"
            )
        enrol_board(deck, photos, words, force, as_json)
        return
    if dice:
        if spread or target is not None or pack is not None:
            raise BadInput("--spread, --export and --import are for cards; enrol dice (--dice) without them")
        enrol_dice(deck, photos, whole, force, as_json)
        return
    if photos is None and target is None and pack is None:
        raise BadInput("nothing is to be done; name photographs (--from), or a deck pack (--export or --import)")
    if pack is not None and target is not None:
        raise BadInput("a deck pack is not exported by whoever imports it; name --import or --export")
    with _begun_with(deck, pack):
        known = _set_of(deck)
        faces = {} if photos is None else _faces(deck, photos, known, whole, spread, force)
        kept = dict(_kept(deck, faces))
        learned = None if pack is not None and not faces else _learn({**kept, **faces})
        if target is not None and learned is not None:
            _export(deck, target, learned, known)
        if faces:
            _write(deck, faces)
    _say(_report(deck, known, tuple(faces), learned, target), as_json)


def _faces(
    deck: Path, photos: Path, known: CardSet | None, whole: bool, spread: bool, force: bool
) -> dict[str, Picture]:
    """Return the faces in all photographs by key."""
    faces: dict[str, Picture] = {}
    for file in _photographs(photos):
        if sys.stderr.isatty():
            click.echo(f"looking at {file.name} ...", err=True)
        if not spread:
            _check_names(file, known)
        for key, face in _named(file, whole, spread):
            _check_key(file, key, known)
            if key in faces:
                raise BadInput(f"{file}: {key} was photographed twice; keep one of the photographs")
            if not force and (deck / f"{key}.jpg").exists():
                raise BadInput(f"{deck} has a picture of {key} already; add --force to replace it")
            faces[key] = face
    return faces


def _check_names(file: Path, known: CardSet | None) -> None:
    for key in file.stem.split(JOINT):
        _check_key(file, key, known)


def _check_key(file: Path, key: str, known: CardSet | None) -> None:
    if not key:
        raise BadInput(f"{file}: a key is missing in the photograph's name; call it KEY{JOINT}KEY{JOINT}KEY")
    if not key.isprintable():
        raise BadInput(f"{str(file)!r}: {key!r} is no name for a card; use letters and digits, no line breaks")
    if is_back(key):
        return
    if known is not None and key not in known.cards:
        near = get_close_matches(key, known.keys, 1)
        hint = f"; did you mean {near[0]}?" if near else "; name the photograph like the card's key in set.toml"
        raise BadInput(f"{file}: the set {known.name} has no card {key!r}{hint}")


def _named(file: Path, whole: bool, spread: bool) -> Iterator[tuple[str, Picture]]:
    """Yield the cards of a photograph with their keys."""
    keys = file.stem.split(JOINT)
    try:
        picture = read_picture(file)
        if whole:
            yield file.stem, picture
            return
        cuts = cut_cards(picture)
    except PictureError as error:
        raise BadInput(str(error)) from None
    except CutError as error:
        hint = "" if spread or len(keys) > 1 else ", or add --whole if the picture shows the card from edge to edge"
        raise BadInput(f"{file}: {error}{hint}") from None
    if spread and len(keys) == 1:
        keys = [f"{file.stem}-{number:02d}" for number in range(1, len(cuts) + 1)]
    if len(keys) == 1 and len(cuts) > 1:
        raise BadInput(
            f"{file}: more than one card was found ({len(cuts)}); photograph each card alone, call the photograph by "
            f"all their keys (KEY{JOINT}KEY{JOINT}KEY, row by row), or add --spread to number them"
        )
    if len(cuts) != len(keys):
        raise BadInput(
            f"{file}: its name lists {len(keys)} cards, {len(cuts)} were found; lay them apart from each other on a "
            "plain ground and photograph them again"
        )
    yield from zip(keys, (cut.face for cut in cuts), strict=True)


def _photographs(folder: Path) -> list[Path]:
    try:
        files = pictures_in(folder)
    except PictureError as error:
        raise BadInput(str(error)) from None
    if not files:
        raise BadInput(f"{folder} holds no photograph; name a folder with one JPEG or PNG per card")
    twice = next((one for one, next_ in pairwise(files) if one.stem == next_.stem), None)
    if twice is not None:
        raise BadInput(f"{folder} holds two photographs called {twice.stem}; keep one of them")
    return files


def _set_of(deck: Path) -> CardSet | None:
    if not (deck / "set.toml").is_file():
        return None
    try:
        return load_set(deck)
    except SetError as error:
        raise BadInput(str(error)) from None


def _kept(deck: Path, fresh: Mapping[str, Picture]) -> Iterator[tuple[str, Picture]]:
    """Yield the faces that the deck has already and keeps."""
    for file in sorted(deck.glob("*.jpg")):
        if file.stem not in fresh:
            try:
                yield file.stem, read_picture(file)
            except PictureError as error:
                raise BadInput(str(error)) from None


def _learn(faces: Mapping[str, Picture]) -> Deck:
    try:
        return Deck.from_faces(faces)
    except DeckError as error:
        raise BadInput(str(error)) from None


def _write(deck: Path, faces: Mapping[str, Picture]) -> None:
    files: dict[str, Path | bytes] = {}
    if deck.is_dir():
        files = {file.name: file for file in deck.iterdir() if file.is_file()}
    for key, face in faces.items():
        _, encoded = cv2.imencode(".jpg", face, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        files[f"{key}.jpg"] = encoded.tobytes()
    _replace(deck, files)


def _replace(deck: Path, files: Mapping[str, Path | bytes]) -> None:
    try:
        replace_folder(deck, files)
    except OSError as error:
        raise BadInput(f"{deck} cannot be written ({error}); choose another folder") from None


@contextmanager
def _begun_with(deck: Path, pack: Path | None) -> Iterator[None]:
    """Make the folder of a set out of a deck pack, if one is named; what then goes wrong takes it away again."""
    if pack is not None:
        _begin_with(deck, pack)
    try:
        yield
    except BaseException:
        if pack is not None:
            shutil.rmtree(deck, ignore_errors=True)
        raise


def _begin_with(deck: Path, file: Path) -> None:
    """Make the folder of a set out of a deck pack."""
    if deck.exists():
        raise BadInput(f"{deck} is there already; a deck pack begins a new folder, name another one")
    try:
        pack = read_pack(file)
    except PackError as error:
        raise BadInput(str(error)) from None
    files: dict[str, Path | bytes] = {PACK_FILE: file}
    if pack.set_text:
        files["set.toml"] = pack.set_text.encode()
    try:
        replace_folder(deck, files, lambda fresh: load_set(fresh) if pack.set_text else None)
    except SetError as error:
        raise BadInput(f"{file}: the values in the pack do not fit its game, {error}") from None
    except OSError as error:
        raise BadInput(f"{deck} cannot be written ({error}); choose another folder") from None


def _export(deck: Path, target: Path, learned: Deck, known: CardSet | None) -> None:
    text = "" if known is None else (deck / "set.toml").read_text(encoding="utf-8")
    try:
        write_pack(target, pack_deck(learned, "" if known is None else known.game, text))
    except PackError as error:
        raise BadInput(str(error)) from None


def _report(
    deck: Path, known: CardSet | None, enrolled: tuple[str, ...], learned: Deck | None, target: Path | None
) -> Report:
    seen = () if learned is None else learned.labels
    missing = () if known is None else tuple(key for key in known.keys if key not in seen)
    pairs = () if learned is None else learned.lookalikes
    return Report(
        str(deck),
        enrolled,
        missing,
        tuple((pair.first, pair.second) for pair in pairs if not pair.twins),
        tuple((pair.first, pair.second) for pair in pairs if pair.twins),
        () if learned is None else tuple(dict.fromkeys(each.label for each in learned.symmetric if each.exact)),
        () if known is None else tuple(_taken_for(known, missing)),
        "" if target is None else str(target),
    )


def _taken_for(known: CardSet, missing: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the missing cards that share their drawing with an enrolled one, as far as the set says so."""
    drawing = {key: str(fields.get("look_alike") or key) for key, fields in known.cards.items()}
    for key in missing:
        for other in known.keys:
            if other not in missing and drawing[other] == drawing[key]:
                yield key, other


def _say(report: Report, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
        return
    count = len(report.enrolled)
    click.echo(f"{report.deck}: {count} card{'' if count == 1 else 's'} enrolled")
    if report.missing:
        click.echo(f"  without a picture yet: {len(report.missing)}, first {report.missing[0]}")
    for key, other in report.taken_for:
        click.echo(f"  {key} has no picture yet; where it lies, the camera may take it for {other}")
    for first, second in report.look_alikes:
        click.echo(f"  look alike: {first} and {second}; the camera may have to ask which of them it sees")
    for first, second in report.twins:
        click.echo(f"  twins: {first} and {second}; nothing tells them apart, the camera will always ask")
    for key in report.symmetric:
        click.echo(f"  {key} looks the same when it is turned; the camera will ask how it lies")
    if report.exported:
        click.echo(f"  {report.exported}: a deck pack without pictures, to be given to other owners")
