"""`companion read`: the cards and dice in a photograph, with names, angles and corners."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np
import platformdirs
from numpy.typing import NDArray

from companion.cli import BadInput
from companion.cli._dice import dice_reader, die_entry, die_line, no_dice
from companion.desk.decks import Decks
from companion.sets.faces import proxies
from vision.annotate import annotate_dice, annotate_readings
from vision.deck import Deck, DeckError
from vision.detections import CardReading
from vision.dice.read import DiceReader
from vision.enrol.by_features import read_photo_any, read_slot_any
from vision.enrol.pack import load_deck
from vision.geometry import inside, is_upright_quad, rectangle
from vision.picture import PictureError, pictures_in, read_picture, save_picture
from vision.search import is_printed

Picture = NDArray[np.uint8]
Quads = Sequence[NDArray[np.float64]]


@click.command("read")
@click.argument("photo", type=click.Path(path_type=Path))
@click.option("--deck", "folder", type=click.Path(path_type=Path), help="Folder of <label>.jpg files, or a deck pack.")
@click.option("--slots", "slots_file", type=click.Path(path_type=Path), help="JSON list of approximate corners.")
@click.option("--dice", is_flag=True, help="Read dice; cards only if --deck names them.")
@click.option("--faces", type=click.Path(path_type=Path), help="Folder with the enrolled faces of your dice.")
@click.option("--annotate", type=click.Path(path_type=Path), help="Write the picture with the readings drawn over it.")
@click.option("--json", "as_json", is_flag=True, help="Print the readings as JSON.")
def command(
    photo: Path,
    folder: Path | None,
    slots_file: Path | None,
    dice: bool,
    faces: Path | None,
    annotate: Path | None,
    as_json: bool,
) -> None:
    """Read the cards in PHOTO, or in every picture of a folder; with --dice its dice.

    Without --deck the cards are the project's own proxies. With --slots, a JSON list of four corners
    [[x, y], ...] for each card, in pixels, only these places are read. Exit 1 if nothing is found.
    """
    photos = _photos(photo)
    targets = _targets(annotate, photo, photos)
    slots = None if slots_file is None else load_slots(slots_file)
    try:
        with_cards = folder is not None or slots is not None or not dice
        deck = (own_deck("allies") if folder is None else load_deck(folder)) if with_cards else None
        reader = dice_reader(faces) if dice or faces is not None else None
        found = []
        for each, target in zip(photos, targets, strict=True):
            if len(photos) > 1 and sys.stderr.isatty():
                click.echo(f"reading {each.name} ...", err=True)
            found.append(read_file(each, deck, slots, target, reader))
    except (DeckError, PictureError) as error:
        raise BadInput(str(error)) from None
    _report(found, as_json, single=not photo.is_dir())
    if not any(sheet["cards"] or sheet["dice"] for sheet in found):
        click.echo(no_dice(photo) if deck is None else _nothing(photo, deck, slots), err=True)
        sys.exit(1)


def read_file(
    photo: Path,
    deck: Deck | None,
    slots: Quads | None = None,
    annotate: Path | None = None,
    reader: DiceReader | None = None,
) -> dict[str, Any]:
    """Read one photograph and return what `companion read --json` prints for it.

    Without `deck` no cards are read, without `reader` no dice.

    :raises PictureError: if it is no picture that can be read, or `annotate` cannot be written.
    :raises BadInput: if a slot lies outside the photograph.
    """
    picture = read_picture(photo)
    height, width = picture.shape[:2]
    start = time.perf_counter()
    readings: tuple[CardReading, ...] = ()
    if deck is not None:
        readings = read_photo_any(picture, deck) if slots is None else _read_slots(photo, picture, deck, slots)
    dice = reader.read(picture) if reader is not None else ()
    spent = 1000 * (time.perf_counter() - start)
    if annotate is not None:
        save_picture(annotate, annotate_dice(annotate_readings(picture, readings), dice))
    return {
        "photo": str(photo),
        "size": [width, height],
        "ms": round(spent, 1),
        "cards": [_entry(reading) for reading in readings],
        "dice": [die_entry(die) for die in dice],
    }


def load_slots(file: Path) -> list[NDArray[np.float64]]:
    """Return the quadrilaterals of a slots file.

    :raises BadInput: if it is not a JSON list of four corners each.
    """
    wanted = "expected a JSON list with four corners [[x, y], ...] for each card"
    try:
        listed = msgspec.json.decode(file.read_bytes(), type=list[list[tuple[float, float]]])
    except OSError as error:
        raise BadInput(f"the slots file {file} cannot be read ({error.strerror}); {wanted}") from None
    except msgspec.MsgspecError as error:
        raise BadInput(f"the slots file {file} does not fit ({error}); {wanted}") from None
    if not listed:
        raise BadInput(f"the slots file {file} names no slot; {wanted}")
    slots = []
    for number, corners in enumerate(listed, 1):
        quad = np.array(corners, dtype=np.float64)
        if quad.shape != (4, 2) or not (is_upright_quad(quad) or is_upright_quad(quad[::-1])):
            raise BadInput(f"slot {number} of {file} is no quadrilateral; {wanted}, going round it")
        slots.append(quad)
    return slots


def _read_slots(photo: Path, picture: Picture, deck: Deck, slots: Quads) -> tuple[CardReading, ...]:
    height, width = picture.shape[:2]
    frame = rectangle(width, height)
    for number, quad in enumerate(slots, 1):
        middle = quad.mean(axis=0)
        if not inside(frame, (float(middle[0]), float(middle[1]))):
            raise BadInput(
                f"slot {number} lies outside {photo}, which is {width} x {height} pixels; "
                "give its corners in pixels of this photo"
            )
    grey = np.asarray(picture.mean(axis=2), dtype=np.uint8)
    readings = [read_slot_any(picture, deck, quad) for quad in slots if is_printed(grey, quad)]
    return tuple(reading for reading in readings if reading is not None)


def _photos(photo: Path) -> list[Path]:
    if not photo.is_dir():
        return [photo]
    try:
        photos = pictures_in(photo)
    except PictureError as error:
        raise BadInput(str(error)) from None
    if not photos:
        raise BadInput(f"the folder {photo} holds no picture; name a photo, or a folder with JPEG or PNG files")
    return photos


def _targets(annotate: Path | None, photo: Path, photos: list[Path]) -> list[Path | None]:
    if annotate is None:
        return [None] * len(photos)
    if photo.is_dir():
        if not annotate.is_dir():
            raise BadInput(f"{annotate} is no folder; for a folder of photos --annotate names the folder to write to")
        if annotate.resolve() == photo.resolve():
            raise BadInput(f"--annotate {annotate} is the folder of the photos themselves; name another one")
        return [annotate / f"{each.stem}.png" for each in photos]
    if annotate.suffix.lower() not in (".png", ".jpg"):
        raise BadInput(f"--annotate {annotate} must end in .png or .jpg")
    if annotate.resolve() == photo.resolve():
        raise BadInput(f"--annotate {annotate} is the photo itself; name another file")
    return [annotate]


def own_deck(game: str) -> Deck:
    """Return the deck of the project's own proxies of a game.

    :raises DeckError: if it cannot be used.
    """
    return Decks(platformdirs.user_cache_path("table-companion")).learn(proxies(game))


def _entry(reading: CardReading) -> dict[str, Any]:
    return {
        "label": reading.label,
        "state": reading.state,
        "confidence": round(reading.confidence, 3),
        "angle": round(reading.angle, 2) % 360,
        "quadrant": reading.quadrant,
        "corners": np.round(reading.corners, 1).tolist(),
        "candidates": [[label, round(score, 3)] for label, score in reading.candidates],
    }


def _report(found: list[dict[str, Any]], as_json: bool, single: bool) -> None:
    if as_json:
        click.echo(json.dumps(found[0] if single else found, ensure_ascii=False))
        return
    for sheet in found:
        counts = [_count(len(sheet["cards"]), "card", "cards")] if sheet["cards"] or not sheet["dice"] else []
        counts += [_count(len(sheet["dice"]), "die", "dice")] if sheet["dice"] else []
        click.echo(f"{sheet['photo']}: {', '.join(counts)} in {sheet['ms']:.0f} ms")
        for card in sheet["cards"]:
            middle = np.mean(card["corners"], axis=0)
            click.echo(
                f"  {card['state']:8}{card['label'] or '-':24}{100 * card['confidence']:4.0f} %"
                f"{round(card['angle'], 1) % 360:8.1f} degrees   at {middle[0]:.0f}, {middle[1]:.0f}"
            )
        for die in sheet["dice"]:
            click.echo(die_line(die))


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _nothing(photo: Path, deck: Deck, slots: Quads | None) -> str:
    place = "in its slots" if slots is not None else "anywhere"
    return (
        f"no card was found on {photo} ({place}); expected cards of a deck of {len(deck)}, seen from above: "
        "take the photo nearer, with more light and without glare, or name another --deck"
    )
