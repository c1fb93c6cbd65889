"""What the camera read, as outlines on its picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, radians, sin
from typing import Literal

from companion.presenters.models import OverlayModel, Point
from companion.table.mat import Mat, Slot
from companion.table.observation import Scene, Sighting

ToPicture = Callable[[Sequence[Point]], Sequence[Point]]
"""Mat millimetres to shares of the picture's width and height, origin top left."""

_STATES: dict[str, Literal["sure", "unsure", "unknown", "empty", "wrong"]] = {
    "known": "sure",
    "unsure": "unsure",
    "unknown": "unknown",
    "empty": "empty",
}


def present_overlays(
    scene: Scene, mat: Mat, to_picture: ToPicture, wrong: frozenset[str] = frozenset()
) -> tuple[OverlayModel, ...]:
    """Return an outline for every slot that is not hidden; `wrong` names slots that do not fit.

    The first two corners of an outline are the piece's printed top edge.
    """
    slots = mat.slots_by_key
    return tuple(
        _outline(sighting, slots[sighting.slot], mat, to_picture, sighting.slot in wrong)
        for sighting in scene.sightings
        if sighting.seen in _STATES and sighting.slot in slots
    )


def _outline(seen: Sighting, slot: Slot, mat: Mat, to_picture: ToPicture, wrong: bool) -> OverlayModel:
    angle = seen.angle if seen.angle is not None else 90.0 * (seen.turn or 0)
    size = mat.card_size if seen.seen != "empty" else (slot.rect.width, slot.rect.height)
    corners = [(float(x), float(y)) for x, y in to_picture(_turned(slot.rect.centre, size, angle))]
    label = seen.piece or ""
    if mat.discs:
        turns = seen.between or (() if seen.turn is None else (seen.turn,))
        label = " / ".join(mat.disc_positions[turn] for turn in turns)
    elif seen.seen == "unsure" and seen.piece:
        label = f"{seen.piece} {round(100 * seen.confidence)} %"
    elif seen.seen == "unknown":
        label = "not in the set"
    state = "wrong" if wrong else _STATES[seen.seen]
    return OverlayModel(seen.slot, (corners[0], corners[1], corners[2], corners[3]), label, state)


def _turned(centre: Point, size: tuple[float, float], degrees: float) -> list[Point]:
    """Return the corners of a rectangle turned clockwise about its centre, printed top left first."""
    (cx, cy), (width, height) = centre, size
    c, s = cos(radians(degrees)), sin(radians(degrees))
    half = ((-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2))
    return [(cx + x * c - y * s, cy + x * s + y * c) for x, y in half]
