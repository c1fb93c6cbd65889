"""The card reader on labelled real photographs, with OpenCV's plain matchers beside it."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.detections import CardReading
from vision.match import read_patch
from vision.peers import Kind, PlainMatcher, PlainReading
from vision.photo import read_photo
from vision.photo_truth import Named, Score, TrueCard, TruePhoto, enrol, load_faces, load_photos
from vision.picture import read_picture

CORNER_ERRORS = (0.03, 0.08, 0.15)
_PEERS: Mapping[str, Kind] = {"ORB 4000 + RANSAC": "orb", "SIFT 4000 + RANSAC": "sift"}
_QUICK_PHOTOS = 5
_QUICK_STEP = 5

Picture = NDArray[np.uint8]
Corners = NDArray[np.float64]
Read = Callable[[Picture, str], tuple[Sequence[Named], Sequence[str]]]
ReadSlot = Callable[[Picture, str, Corners, str | None], CardReading | PlainReading | None]
"""Reads the card about these corners with a deck, without one of its faces if a label is given."""


def measure_photos(folder: Path, quick: bool) -> dict[str, Any]:
    """Return all figures about photographs; with `quick` on a handful of them, upright only.

    The plain matchers read each photograph upright only; beside them stand our figures for the same.
    """
    photos = load_photos(folder)
    faces = load_faces(folder)
    decks = enrol(faces)
    turns = (0,) if quick else (0, 1, 2, 3)
    if quick:
        photos = photos[::_QUICK_STEP][:_QUICK_PHOTOS]

    def ours(picture: Picture, deck: str) -> tuple[Sequence[Named], Sequence[str]]:
        readings = read_photo(picture, decks[deck])
        return readings, [reading.state for reading in readings]

    def our_slot(picture: Picture, deck: str, corners: Corners, without: str | None) -> CardReading | None:
        among = None if without is None else [label for label in decks[deck].labels if label != without]
        return read_patch(picture, decks[deck], among=among, corners=corners)

    beside = {"ours": _all_upright(photos, decks, ours, our_slot)}
    for name, kind in _PEERS.items():
        beside[name] = _all_upright(photos, decks, *_plain(kind, faces))
    return {
        "photos": len(photos),
        "cards": sum(len(photo.cards) for photo in photos),
        "quarter turns": len(turns),
        "slot known": {f"corner error {error:.0%}": slots(photos, turns, error, our_slot) for error in CORNER_ERRORS},
        "whole photo": whole(photos, turns, ours),
        "cards not in the deck": strangers(photos, decks, our_slot),
        "plain matchers, upright photos only": beside,
    }


def _all_upright(photos: list[TruePhoto], decks: Mapping[str, Deck], read: Read, read_slot: ReadSlot) -> dict[str, Any]:
    return {
        "slot known, corner error 8%": slots(photos, (0,), 0.08, read_slot, per_source=False),
        "whole photo": whole(photos, (0,), read, per_source=False),
        "cards not in the deck": strangers(photos, decks, read_slot),
    }


def _plain(kind: Kind, faces: Mapping[str, Mapping[str, Picture]]) -> tuple[Read, ReadSlot]:
    matchers = {name: PlainMatcher(kind, deck) for name, deck in faces.items()}

    def read(picture: Picture, deck: str) -> tuple[Sequence[Named], Sequence[str]]:
        readings = matchers[deck].read(picture)
        return readings, ["known"] * len(readings)

    def read_slot(picture: Picture, deck: str, corners: Corners, without: str | None) -> PlainReading | None:
        return matchers[deck].read_slot(picture, corners, without)

    return read, read_slot


def _turned(photo: TruePhoto, turns: int, picture: Picture) -> tuple[Picture, list[TrueCard]]:
    size = (picture.shape[1], picture.shape[0])
    cards = [card.turned(turns, size) for card in photo.cards]
    return np.ascontiguousarray(np.rot90(picture, -turns)), cards


def slots(
    photos: list[TruePhoto], turns: Sequence[int], error: float, read: ReadSlot, per_source: bool = True
) -> dict[str, Any]:
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
                reading = read(picture, card.deck, hint, None)
                spent.append(1000 * (time.process_time() - start))
                kind = "occluded" if "occluded" in card.flags else "visible"
                seen = _seen(reading, card)
                counts.update(f"{kind}, {what}" for what in seen)
                if "name right" in seen and reading is not None:
                    angles.append(card.angle_error(reading.angle))
                if kind == "visible":
                    sources[photo.source].update(seen)
    right, of = "name and quadrant right", "of"
    figures: dict[str, Any] = {
        f"visible, {right}": _of(counts[f"visible, {right}"], counts["visible, of"]),
        f"occluded, {right}": _of(counts[f"occluded, {right}"], counts["occluded, of"]),
        "visible, unsure": counts["visible, unsure"],
        "known and wrong": counts["visible, known and wrong"] + counts["occluded, known and wrong"],
        "angle error": _spread(angles, "degrees"),
        "CPU time a card": _spread(spent, "ms"),
    }
    if per_source:
        figures["visible, by source"] = {name: _of(c[right], c[of]) for name, c in sources.items()}
    return figures


def _seen(reading: CardReading | PlainReading | None, card: TrueCard) -> list[str]:
    seen = ["of"]
    if reading is None:
        return seen
    state = _state(reading)
    right = reading.label == card.label
    turned_right = right and card.angle_error(reading.angle) < 45
    seen += ["name right"] if right else []
    seen += ["name and quadrant right"] if turned_right else []
    seen += ["known and wrong"] if state == "known" and not turned_right else []
    return seen + (["unsure"] if state == "unsure" else [])


def _state(reading: CardReading | PlainReading | None) -> str:
    if reading is None:
        return "unknown"
    return reading.state if isinstance(reading, CardReading) else "known"


def whole(photos: list[TruePhoto], turns: Sequence[int], read: Read, per_source: bool = True) -> dict[str, Any]:
    """Read whole photographs of which nothing is known."""
    score = Score()
    sources: dict[str, Score] = defaultdict(Score)
    spent, waited = [], []
    for photo in photos:
        upright = read_picture(photo.path)
        for turn in turns:
            picture, cards = _turned(photo, turn, upright)
            start, begun = time.process_time(), time.perf_counter()
            readings, states = read(picture, photo.deck)
            spent.append(1000 * (time.process_time() - start))
            waited.append(1000 * (time.perf_counter() - begun))
            score.add(cards, readings, states)
            sources[photo.source].add(cards, readings, states)
    figures = {
        **_shares(score),
        "CPU time a photo": f"mean {mean(spent):.0f}, {_spread(spent, 'ms')}",
        "time a photo, other work on the machine included": f"mean {mean(waited):.0f}, {_spread(waited, 'ms')}",
    }
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


def strangers(photos: list[TruePhoto], decks: Mapping[str, Deck], read: ReadSlot) -> dict[str, Any]:
    """Read visible cards with decks that do not hold them, from corners 8 % off, single upright photos."""
    chance = np.random.default_rng(4)
    without: Counter[str] = Counter()
    taken_out: Counter[str] = Counter()
    for photo in photos:
        picture = read_picture(photo.path)
        for card in photo.cards:
            if "occluded" in card.flags or len(decks[photo.deck]) - (card.deck is not None) < 1:
                continue
            hint = card.corners + chance.uniform(-0.08, 0.08, (4, 2)) * card.width
            reading = read(picture, photo.deck, hint, card.label)
            (without if card.deck is None else taken_out).update(("of", _state(reading)))
    kinds = {"all": without + taken_out, "cards of other decks": without, "the card's own face taken out": taken_out}
    return {
        name: {
            "given a name": _of(counts["known"], counts["of"]),
            "unsure": _of(counts["unsure"], counts["of"]),
        }
        for name, counts in kinds.items()
    }


def _of(part: int, of: int) -> str:
    return f"{part} of {of}" + (f" ({part / of:.1%})" if of else "")


def _spread(values: list[float], unit: str) -> str:
    if not values:
        return "none"
    return f"median {median(values):.2f}, 95th percentile {float(np.percentile(values, 95)):.2f} {unit}"
