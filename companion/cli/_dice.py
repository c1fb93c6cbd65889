"""What `companion read --dice` says about dice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.cli import BadInput
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
