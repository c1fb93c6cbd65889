"""The card reader on labelled real photographs, with OpenCV's plain matchers beside it."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.match import read_patch
from vision.peers import Kind, PlainMatcher
from vision.photo import read_photo
from vision.photo_truth import Named, Score, TrueCard, TruePhoto, enrol, load_faces, load_photos
from vision.picture import read_picture

CORNER_ERRORS = (0.03, 0.08, 0.15)
_QUICK_PHOTOS = 5
_QUICK_STEP = 5

Read = Callable[[NDArray[np.uint8], str], tuple[Sequence[Named], Sequence[str]]]


def measure_photos(folder: Path, quick: bool) -> dict[str, Any]:
    """Return all figures about photographs; with `quick` on a handful of them, upright only."""
    photos = load_photos(folder)
    faces = load_faces(folder)
    decks = enrol(faces)
    turns = (0,) if quick else (0, 1, 2, 3)
    if quick:
        photos = photos[::_QUICK_STEP][:_QUICK_PHOTOS]

    def ours(picture: NDArray[np.uint8], deck: str) -> tuple[Sequence[Named], Sequence[str]]:
        readings = read_photo(picture, decks[deck])
        return readings, [reading.state for reading in readings]

    return {
        "photos": len(photos),
        "quarter turns": len(turns),
        "slot known": {f"corner error {error:.0%}": _slots(photos, decks, turns, error) for error in CORNER_ERRORS},
        "whole photo": _whole(photos, turns, ours),
        "cards not in the deck": _strangers(photos, decks),
        "plain matchers, upright photos only": {
            "ours": _whole(photos, (0,), ours, per_source=False),
            "ORB 4000 + RANSAC": _whole(photos, (0,), _plain("orb", faces), per_source=False),
            "SIFT 4000 + RANSAC": _whole(photos, (0,), _plain("sift", faces), per_source=False),
        },
    }


def _plain(kind: Kind, faces: Mapping[str, Mapping[str, NDArray[np.uint8]]]) -> Read:
    matchers = {name: PlainMatcher(kind, deck) for name, deck in faces.items()}

    def read(picture: NDArray[np.uint8], deck: str) -> tuple[Sequence[Named], Sequence[str]]:
        readings = matchers[deck].read(picture)
        return readings, ["known"] * len(readings)

    return read


def _turned(photo: TruePhoto, turns: int, picture: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], list[TrueCard]]:
    size = (picture.shape[1], picture.shape[0])
    cards = [card.turned(turns, size) for card in photo.cards]
    return np.ascontiguousarray(np.rot90(picture, -turns)), cards


def _slots(photos: list[TruePhoto], decks: Mapping[str, Deck], turns: Sequence[int], error: float) -> dict[str, Any]:
    """Read each card from corners that are wrong by up to `error` of its width, from any first corner."""
    chance = np.random.default_rng(round(1000 * error))
    counts: Counter[str] = Counter()
    sources: dict[str, Counter[str]] = defaultdict(Counter)
    angles: list[float] = []
    spent: list[float] = []
    for photo in photos:
        upright = read_picture(photo.path)
        for turn in turns:
            picture, cards = _turned(photo, turn, upright)
            for card in cards:
                if card.deck is None:
                    continue
                off = chance.uniform(-error, error, (4, 2)) * card.width
                hint = np.roll(card.corners, int(chance.integers(4)), axis=0) + off
                start = time.process_time()
                reading = read_patch(picture, decks[card.deck], corners=hint)
                spent.append(time.process_time() - start)
                right = reading is not None and reading.label == card.label
                turned_right = right and reading is not None and card.angle_error(reading.angle) < 45
                kind = "occluded" if "occluded" in card.flags else "visible"
                counts[f"{kind}, of"] += 1
                counts[f"{kind}, name and quadrant right"] += turned_right
                counts[f"{kind}, name right"] += right
                counts[f"{kind}, known and wrong"] += (
                    reading is not None and reading.state == "known" and not turned_right
                )
                counts[f"{kind}, unsure"] += reading is not None and reading.state == "unsure"
                if right and reading is not None:
                    angles.append(card.angle_error(reading.angle))
                if kind == "visible":
                    sources[photo.source]["of"] += 1
                    sources[photo.source]["right"] += turned_right
    return {
        **dict(counts),
        "angle error": _spread(angles, "degrees"),
        "CPU time a card": _spread([1000 * s for s in spent], "ms"),
        "visible, by source": {name: f"{c['right']} of {c['of']}" for name, c in sources.items()},
    }


def _whole(photos: list[TruePhoto], turns: Sequence[int], read: Read, per_source: bool = True) -> dict[str, Any]:
    score = Score()
    sources: dict[str, Score] = defaultdict(Score)
    spent = []
    for photo in photos:
        upright = read_picture(photo.path)
        for turn in turns:
            picture, cards = _turned(photo, turn, upright)
            start = time.process_time()
            readings, states = read(picture, photo.deck)
            spent.append(1000 * (time.process_time() - start))
            score.add(cards, readings, states)
            sources[photo.source].add(cards, readings, states)
    figures: dict[str, Any] = {**_shares(score), "CPU time a photo": _spread(spent, "ms")}
    if per_source:
        figures["by source"] = {name: _line(each) for name, each in sources.items()}
    return figures


def _shares(score: Score) -> dict[str, Any]:
    counts = score.counts
    enrolled = counts["right, visible, of"] + counts["right, occluded, of"]
    right = counts["right, visible"] + counts["right, occluded"]
    return {
        "enrolled cards named and placed right": _of(right, enrolled),
        "of these known (the others unsure)": _of(counts["right and known"], right),
        "occluded cards named": _of(counts["right, occluded"], counts["right, occluded, of"]),
        "quadrant right, of those named": _of(counts["quadrant right"], right),
        "angle error": _spread(score.angles, "degrees"),
        "wrong names, known": counts["wrong, known"],
        "wrong names, unsure": counts["wrong, unsure"],
        "visible cards located (IoU 0.75), with or without reference": _of(
            counts["located, visible"], counts["located, visible, of"]
        ),
        "false places a photo": round(counts["false places"] / max(1, counts["photos"]), 2),
    }


def _line(score: Score) -> str:
    counts = score.counts
    right = counts["right, visible"] + counts["right, occluded"]
    enrolled = counts["right, visible, of"] + counts["right, occluded, of"]
    wrong = counts["wrong, known"] + counts["wrong, unsure"]
    located = f"{counts['located, visible']} of {counts['located, visible, of']}"
    return f"right {right} of {enrolled}, wrong {wrong}, located {located}, false places {counts['false places']}"


def _strangers(photos: list[TruePhoto], decks: Mapping[str, Deck]) -> dict[str, Any]:
    """Read visible cards with decks that do not hold them, from corners 8 % off, single upright photos."""
    chance = np.random.default_rng(4)
    without: Counter[str] = Counter()
    taken_out: Counter[str] = Counter()
    for photo in photos:
        picture = read_picture(photo.path)
        for card in photo.cards:
            if "occluded" in card.flags:
                continue
            deck = decks[photo.deck]
            others = [label for label in deck.labels if label != card.label]
            if not others:
                continue
            hint = card.corners + chance.uniform(-0.08, 0.08, (4, 2)) * card.width
            reading = read_patch(picture, deck, among=others, corners=hint)
            counts = without if card.deck is None else taken_out
            counts["of"] += 1
            counts[reading.state if reading is not None else "unknown"] += 1
    return {
        name: {
            "given a name": _of(counts["known"], counts["of"]),
            "unsure": _of(counts["unsure"], counts["of"]),
        }
        for name, counts in (("cards of other decks", without), ("the card's own face taken out", taken_out))
    }


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole}" + (f" ({part / whole:.1%})" if whole else "")


def _spread(values: list[float], unit: str) -> str:
    if not values:
        return "none"
    return f"median {median(values):.2f}, 95th percentile {float(np.percentile(values, 95)):.2f} {unit}"
