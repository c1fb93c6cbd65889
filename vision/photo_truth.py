"""Labelled photographs: what lies on them, at any quarter turn, and how readings compare with it.

The folder holds `truth.json` (photo -> kind, objects with label, deck, corners, centre, angle, sym180,
flags) and `refs/index.json` with the enrolled faces of each deck.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.geometry import inside, overlap
from vision.picture import read_picture

LOCATED = 0.75
_FALSE = 0.5
_CENTRE_ERROR = 0.35
_SPARE_DECK = "rdpong"


@dataclass(frozen=True, eq=False)
class TrueCard:
    """A card that lies on a photograph; `deck` is None if it has no reference face."""

    label: str | None
    deck: str | None
    corners: NDArray[np.float64]
    centre: tuple[float, float]
    angle: float
    symmetric: bool
    flags: frozenset[str]

    @property
    def width(self) -> float:
        return float(np.hypot(*(self.corners[1] - self.corners[0])))

    def turned(self, turns: int, size: tuple[int, int]) -> TrueCard:
        """Return the card on the photograph (width, height = `size`) turned clockwise by quarter turns."""
        corners, centre, (width, height) = self.corners, np.array([self.centre]), size
        for _ in range(turns % 4):
            corners = np.stack((height - 1 - corners[:, 1], corners[:, 0]), axis=1)
            centre = np.stack((height - 1 - centre[:, 1], centre[:, 0]), axis=1)
            width, height = height, width
        middle = (float(centre[0, 0]), float(centre[0, 1]))
        return replace(self, corners=corners, centre=middle, angle=(self.angle + 90 * turns) % 360)

    def angle_error(self, angle: float) -> float:
        """Return the distance of an angle to the true one; a card alike from both ends is taken modulo 180."""
        period = 180 if self.symmetric else 360
        return abs((angle - self.angle + period / 2) % period - period / 2)


@dataclass(frozen=True, eq=False)
class TruePhoto:
    """A photograph and the cards on it; `deck` names the enrolled deck it is read with."""

    path: Path
    source: str
    deck: str
    cards: tuple[TrueCard, ...]


class Named(Protocol):
    """What every matcher returns."""

    @property
    def label(self) -> str | None: ...
    @property
    def angle(self) -> float: ...
    @property
    def corners(self) -> NDArray[np.float64]: ...


@dataclass
class Score:
    """Counts over photographs: `right` of `cards`, `wrong` labels that lie on no such card, ..."""

    counts: Counter[str] = field(default_factory=Counter)
    angles: list[float] = field(default_factory=list)

    def add(self, cards: Sequence[TrueCard], readings: Sequence[Named], states: Sequence[str]) -> None:
        """Compare the readings of one photograph with the truth."""
        used: set[int] = set()
        for card in cards:
            occluded = "occluded" in card.flags
            located = any(overlap(reading.corners, card.corners) >= LOCATED for reading in readings)
            self._count("located", located, occluded)
            if card.deck is None:
                continue
            match = next((k for k, r in enumerate(readings) if k not in used and _is_right(r, card)), None)
            self._count("right", match is not None, occluded)
            if match is not None:
                used.add(match)
                self.counts["right and known"] += states[match] == "known"
                error = card.angle_error(readings[match].angle)
                self.counts["quadrant right"] += error < 45
                self.angles.append(error)
        for k, reading in enumerate(readings):
            if k not in used and reading.label is not None:
                self.counts[f"wrong, {states[k]}"] += 1
            if all(overlap(reading.corners, card.corners) < _FALSE for card in cards):
                self.counts["false places"] += 1
        self.counts["photos"] += 1

    def _count(self, what: str, yes: bool, occluded: bool) -> None:
        kind = "occluded" if occluded else "visible"
        self.counts[f"{what}, {kind}"] += yes
        self.counts[f"{what}, {kind}, of"] += 1


def load_photos(folder: Path) -> list[TruePhoto]:
    """Return the photographs with cards, in the order of the truth file."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    entries = {name: entry for name, entry in truth.items() if entry["kind"] == "cards"}
    by_source: dict[str, str] = {}
    for name, entry in entries.items():
        for thing in entry["objects"]:
            if thing["deck"]:
                by_source.setdefault(name.split("/")[0], thing["deck"])
    photos = []
    for name, entry in entries.items():
        source = name.split("/")[0]
        cards = tuple(_card(thing) for thing in entry["objects"])
        deck = next((card.deck for card in cards if card.deck), by_source.get(source, _SPARE_DECK))
        photos.append(TruePhoto(folder / name, source, deck, cards))
    return photos


def load_faces(folder: Path) -> dict[str, dict[str, NDArray[np.uint8]]]:
    """Return the reference faces by deck and label."""
    index = json.loads((folder / "refs" / "index.json").read_text(encoding="utf-8"))
    faces: dict[str, dict[str, NDArray[np.uint8]]] = {}
    for name, entry in index.items():
        faces.setdefault(entry["deck"], {})[entry["label"]] = read_picture(folder / name)
    return faces


def enrol(faces: dict[str, dict[str, NDArray[np.uint8]]]) -> dict[str, Deck]:
    """Enrol each deck of reference faces."""
    return {name: Deck.from_faces(deck) for name, deck in faces.items()}


def _card(thing: dict[str, object]) -> TrueCard:
    corners = np.array(thing["corners"], dtype=np.float64)
    x, y = np.array(thing["centre"], dtype=np.float64)
    label, deck, flags = thing["label"], thing["deck"], thing["flags"]
    return TrueCard(
        None if label is None else str(label),
        None if deck is None else str(deck),
        corners,
        (float(x), float(y)),
        float(str(thing["angle"])),
        bool(thing["sym180"]),
        frozenset(str(flag) for flag in flags) if isinstance(flags, list) else frozenset(),
    )


def _is_right(reading: Named, card: TrueCard) -> bool:
    if reading.label != card.label:
        return False
    middle = reading.corners.mean(axis=0)
    away = float(np.hypot(middle[0] - card.centre[0], middle[1] - card.centre[1]))
    return away < _CENTRE_ERROR * card.width and inside(card.corners, (float(middle[0]), float(middle[1])))
