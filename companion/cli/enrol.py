"""`companion enrol`: the faces of an owner's cards, cut upright out of one photograph each."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path

import click
import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.cli import BadInput
from companion.sets.owner import SetError, load_set
from vision.deck import Deck, DeckError
from vision.geometry import area, inside, is_upright_quad, project
from vision.outline import quad_of
from vision.picture import SUFFIXES, PictureError, read_picture, save_picture
from vision.search import find_outlines, is_printed

Picture = NDArray[np.uint8]
Quad = NDArray[np.float64]

LONG_SIDE = 600
"""Pixels of a kept face's longer side; the reader compares at a third of it."""
SMALLEST_SHARE = 0.04
"""A card smaller than this share of its photograph is too far away."""
ANOTHER = 0.4
"""Something beside the card with at least this share of its area is another card."""
AROUND = 0.15
"""Ground kept round a roughly found card while its edges are found exactly, as a share of its sides."""


class Report(msgspec.Struct, frozen=True):
    """What `--json` prints. `missing` are cards of the set that have no picture yet."""

    deck: str
    enrolled: tuple[str, ...]
    missing: tuple[str, ...]
    look_alikes: tuple[tuple[str, str], ...]
    """Pairs that differ in a small place only; the camera may have to ask about them."""


@click.command("enrol")
@click.argument("deck", type=click.Path(path_type=Path))
@click.option("--from", "photos", type=click.Path(path_type=Path), required=True, help="Folder, a photo per card.")
@click.option("--whole", is_flag=True, help="Each picture shows the card from edge to edge, as a scan does.")
@click.option("--force", is_flag=True, help="Replace pictures that the deck has already.")
@click.option("--json", "as_json", is_flag=True, help="Print what was enrolled as JSON.")
def command(deck: Path, photos: Path, whole: bool, force: bool, as_json: bool) -> None:
    """Put the face of each photographed card into the folder DECK.

    A photograph is called like its card's key (yeti-07.jpg), shows the card alone on a plain ground,
    printed top upwards. If DECK holds a set.toml, the keys are those of the set. Nothing is written
    unless every photograph can be used.
    """
    files = _photographs(photos)
    known = _keys_of(deck)
    faces: dict[str, Picture] = {}
    for file in files:
        if known is not None and file.stem not in known:
            near = get_close_matches(file.stem, known, 1)
            hint = f"; did you mean {near[0]}?" if near else "; name the photograph like the card's key in set.toml"
            raise BadInput(f"{file}: the set in {deck} has no card {file.stem!r}{hint}")
        if not force and (deck / f"{file.stem}.jpg").exists():
            raise BadInput(f"{deck} has a picture of {file.stem} already; add --force to replace it")
        if sys.stderr.isatty():
            click.echo(f"looking at {file.name} ...", err=True)
        faces[file.stem] = _face(file, whole)
    learned = _learn({**dict(_kept(deck, faces)), **faces})
    _write(deck, faces)
    missing = () if known is None else tuple(key for key in known if not (deck / f"{key}.jpg").is_file())
    _say(Report(str(deck), tuple(faces), missing, tuple((p.first, p.second) for p in learned.lookalikes)), as_json)


def cut_out(picture: Picture) -> Picture:
    """Return the upright face of the one card in a photograph.

    :raises ValueError: with what was found instead, and what to do.
    """
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    least = SMALLEST_SHARE * grey.size
    found = [
        quad for quad in find_outlines(grey) if area(quad) >= least and is_upright_quad(quad) and is_printed(grey, quad)
    ]
    if not found:
        raise ValueError(
            "no card was found; lay it alone on a plain ground of another brightness and go nearer, or add --whole if "
            "the picture shows the card from edge to edge"
        )
    card = max(found, key=area)
    for quad in found:
        x, y = quad.mean(axis=0)
        if not inside(card, (float(x), float(y))) and area(quad) >= ANOTHER * area(card):
            raise ValueError("more than one card was found; photograph each card alone")
    return _upright(picture, _exact(picture, card))


def _exact(picture: Picture, quad: Quad) -> Quad:
    """Return the outline of what differs in colour from the ground round a roughly found card.

    Outlines found by brightness run up to a tenth of a side outside the card where the light falls off.
    """
    width, height = _extent(quad)
    matrix = _onto(quad, width, height)
    edge_x, edge_y = round(AROUND * width), round(AROUND * height)
    shift = np.array([(1, 0, edge_x), (0, 1, edge_y), (0, 0, 1)], np.float64)
    size = (round(width) + 2 * edge_x, round(height) + 2 * edge_y)
    view = cv2.warpPerspective(picture, shift @ matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    colours = cv2.cvtColor(view, cv2.COLOR_BGR2LAB).astype(np.float32)
    outside = np.ones(view.shape[:2], bool)
    outside[edge_y // 3 : -(edge_y // 3), edge_x // 3 : -(edge_x // 3)] = False
    apart = np.linalg.norm(colours - np.median(colours[outside], axis=0), axis=2)
    _, mask = cv2.threshold(np.clip(apart, 0, 255).astype(np.uint8), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return quad
    card = np.asarray(max(contours, key=cv2.contourArea), np.int32)
    found = quad_of(card, 0.5 * width * height, 1.1 * width * height)
    return quad if found is None else project(np.asarray(np.linalg.inv(shift @ matrix), np.float64), found)


def _extent(quad: Quad) -> tuple[float, float]:
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def _onto(quad: Quad, width: float, height: float) -> NDArray[np.float64]:
    """Return the matrix from a picture's pixels to those of an upright picture of what the outline holds."""
    own = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), own), np.float64)


def _upright(picture: Picture, quad: Quad) -> Picture:
    """Return what lies in a clockwise outline, the edge that is highest in the picture on top."""
    top = min(range(4), key=lambda k: float(quad[k, 1] + quad[(k + 1) % 4, 1]))
    corners = np.roll(quad, -top, axis=0)
    width, height = _extent(corners)
    scale = LONG_SIDE / max(width, height)
    size = (round(width * scale), round(height * scale))
    return np.asarray(cv2.warpPerspective(picture, _onto(corners, *size), size, flags=cv2.INTER_AREA), np.uint8)


def _face(file: Path, whole: bool) -> Picture:
    try:
        picture = read_picture(file)
        return picture if whole else cut_out(picture)
    except PictureError as error:
        raise BadInput(str(error)) from None
    except ValueError as error:
        raise BadInput(f"{file}: {error}") from None


def _photographs(folder: Path) -> list[Path]:
    files = sorted(f for f in folder.iterdir() if f.suffix.lower() in SUFFIXES) if folder.is_dir() else []
    if not files:
        raise BadInput(f"{folder} holds no photograph; name a folder with one JPEG or PNG per card")
    twice = next((one for one, next_ in pairwise(files) if one.stem == next_.stem), None)
    if twice is not None:
        raise BadInput(f"{folder} holds two photographs called {twice.stem}; keep one of them")
    return files


def _keys_of(deck: Path) -> tuple[str, ...] | None:
    if not (deck / "set.toml").is_file():
        return None
    try:
        return load_set(deck).keys
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
    try:
        deck.mkdir(parents=True, exist_ok=True)
        for key, face in faces.items():
            save_picture(deck / f"{key}.jpg", face)
    except (OSError, PictureError) as error:
        raise BadInput(f"{deck} cannot be written ({error}); choose another folder") from None


def _say(report: Report, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
        return
    count = len(report.enrolled)
    click.echo(f"{report.deck}: {count} card{'' if count == 1 else 's'} enrolled")
    if report.missing:
        click.echo(f"  without a picture yet: {len(report.missing)}, first {report.missing[0]}")
    for first, second in report.look_alikes:
        click.echo(f"  look alike: {first} and {second}; the camera may have to ask which of them it sees")
