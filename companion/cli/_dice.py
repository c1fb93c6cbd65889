"""What `companion read --dice` and `companion enrol --dice` say about dice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli import BadInput
from vision.dice.enrol import enrol_faces
from vision.dice.faces import DieFaces, FacesError
from vision.dice.read import DiceReader
from vision.dice.reading import DieReading


def dice_reader(faces: Path | None) -> DiceReader:
    """Return the reader of dice, which knows the enrolled faces in a folder, if one is named.

    :raises BadInput: if the folder holds no faces that can be used.
    """
    try:
        return DiceReader(None if faces is None else DieFaces.from_folder(faces))
    except FacesError as error:
        raise BadInput(str(error)) from None


def enrol_dice(target: Path, photos: Path | None, whole: bool, force: bool, as_json: bool) -> None:
    """Enrol the upper face on each photograph and say what came of it.

    :raises BadInput: if no folder of photographs is named, or one of them cannot be used.
    """
    if photos is None:
        raise BadInput("no photographs are named; name the folder with one for each face (--from)")
    try:
        enrolled = enrol_faces(photos, target, whole, force)
    except FacesError as error:
        raise BadInput(str(error)) from None
    if as_json:
        told = {"faces": str(target), "enrolled": enrolled.labels, "warnings": enrolled.warnings}
        click.echo(msgspec.json.encode(told).decode())
        return
    click.echo(f"{target}: {len(enrolled.labels)} face{'' if len(enrolled.labels) == 1 else 's'} enrolled")
    for warning in enrolled.warnings:
        click.echo(f"  {warning}")


def die_entry(die: DieReading) -> dict[str, Any]:
    """Return what `--json` prints for a die: pips as a number, other faces by their label, null if unreadable."""
    return {
        "value": int(die.value) if die.kind == "pip" and die.value is not None else die.value,
        "colour": die.colour,
        "kind": die.kind,
        "state": die.state,
        "confidence": round(die.confidence, 3),
        "centre": [round(v, 1) for v in die.centre],
        "size": round(die.size, 1),
    }


def die_line(die: dict[str, Any]) -> str:
    """Return the line that a person reads for a die."""
    x, y = die["centre"]
    value = "-" if die["value"] is None else str(die["value"])
    return (
        f"  {die['state']:17}{value:15}{100 * die['confidence']:4.0f} %   {die['colour']:13} "
        f"{die['size']:.0f} pixels   at {x:.0f}, {y:.0f}"
    )


def no_dice(photo: Path) -> str:
    """Return the sentence for a photograph without dice."""
    return (
        f"no die was found on {photo}; expected dice seen from above, their upper faces at least 12 pixels wide and "
        f"at most a third of the picture"
    )
