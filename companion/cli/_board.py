"""What `companion enrol --board` does: an owner's board of concentric discs out of one photograph."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from companion.cli import BadInput
from companion.sets.publish import replace_folder
from vision.discs import RINGS, DiscsError, Ring, rings_between
from vision.enrol.board import board_in, seen_from_above
from vision.picture import PictureError, read_picture


class BoardWords(NamedTuple):
    """What was typed about a board: its corners, the radii of its discs, what its paths are called."""

    corners: str | None
    radii: str | None
    paths: str | None


def enrol_board(target: Path, photo: Path | None, words: BoardWords, force: bool, as_json: bool) -> None:
    """Cut the board out of a photograph of it, with all discs in position 0, and say what came of it.

    :raises BadInput: if photograph or corners are missing or cannot be used; nothing is written then.
    """
    if photo is None:
        raise BadInput("no photograph is named; name one of the board with all discs in position 0 (--from)")
    try:
        picture = read_picture(photo)
    except PictureError as error:
        raise BadInput(str(error)) from None
    if (target / "board.png").exists() and not force:
        raise BadInput(f"{target} holds a board already; add --force to replace it")
    others = [f.name for f in target.iterdir() if f.name not in ("board.png", "rings.json")] if target.is_dir() else []
    if others:
        raise BadInput(f"{target} holds other things ({others[0]}); name a folder of its own for the board")
    try:
        board = board_in(picture, _corners(words.corners, picture), _rings(words.radii), _paths(words.paths))
        # The board writes itself into the new folder, which takes the place of the old one when it is complete.
        replace_folder(target, {}, board.save)
    except DiscsError as error:
        raise BadInput(f"{photo}: {error}") from None
    except (OSError, PictureError) as error:
        raise BadInput(f"{target} cannot be written ({error}); choose another folder") from None
    discs = [ring.slot for ring in board.rings[1:]]
    if as_json:
        click.echo(json.dumps({"board": str(target), "discs": discs, "paths": board.paths}))
    else:
        click.echo(f"{target}: the board is enrolled, its {len(discs)} turning discs in position 0")
        if not board.paths:
            click.echo("  which path is which is not known, so no game can be played on it yet; name them (--paths)")


def _corners(words: str | None, picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the corners (4, 2) of the square round the board, its own top left first, clockwise."""
    if words is None:
        raise BadInput(
            "the board's corners are not named; give those of the square round it in pixels, from its top left "
            "clockwise (--corners 'x,y x,y x,y x,y')"
        )
    numbers = [each for each in re.split(r"[,\s]+", words.strip()) if each]
    try:
        corners = np.array([float(each) for each in numbers]).reshape(4, 2)
    except ValueError:
        raise BadInput(
            f"--corners: found {words!r}, expected four points such as '10,10 710,12 708,705 8,700'"
        ) from None
    try:
        seen_from_above(picture, corners)
    except DiscsError as error:
        raise BadInput(f"--corners: {error}") from None
    return corners


def _rings(words: str | None) -> tuple[Ring, ...]:
    if words is None:
        return RINGS
    try:
        middle, inner = (float(each) for each in re.split(r"[,\s]+", words.strip()))
    except ValueError:
        raise BadInput(
            f"--radii: found {words!r}, expected those of the middle and of the inner disc: '0.7,0.4'"
        ) from None
    try:
        return rings_between(middle, inner)
    except DiscsError as error:
        raise BadInput(f"--radii: {error}") from None


def _paths(words: str | None) -> tuple[str, ...]:
    return () if words is None else tuple(re.split(r"[,\s]+", words.strip()))
