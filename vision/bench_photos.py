"""The card reader on labelled real photographs, with OpenCV's plain matchers beside it."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.detections import CardReading
from vision.disturbed import DISTURBANCES, Scene
from vision.figures import Told, share, silent, spread
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


class PhotoBench:
    """The labelled photographs and their decks, measured part by part."""

    def __init__(self, folder: Path, quick: bool = False, told: Told = silent) -> None:
        """Load photographs and faces, and enrol the faces.

        :param quick: a handful of photographs, upright only
        :param told: is told after each photograph
        """
        photos = load_photos(folder)
        self.photos = photos[::_QUICK_STEP][:_QUICK_PHOTOS] if quick else photos
        self.turns = (0,) if quick else (0, 1, 2, 3)
        self._told = told
        self._faces = load_faces(folder)
        self._decks = enrol(self._faces)

    @property
    def measured(self) -> dict[str, int]:
        """What is measured: photographs, cards, quarter turns."""
        cards = sum(len(photo.cards) for photo in self.photos)
        return {"photos": len(self.photos), "cards": cards, "quarter turns": len(self.turns)}

    def slots(self) -> dict[str, Any]:
        """Read each card where it is known to lie, with three errors of its corners."""
        return {
            f"corner error {error:.0%}": slots(
                self._walk(f"slots known to {error:.0%}"), self.turns, error, self._our_slot
            )
            for error in CORNER_ERRORS
        }

    def whole(self) -> dict[str, Any]:
        """Read the photographs of which nothing is known."""
        return whole(self._walk("whole photographs"), self.turns, self._ours)

    def disturbed(self) -> dict[str, Any]:
        """Read the photographs as if they had been taken a little otherwise, upright."""
        return disturbed(self._walk("disturbed photographs"), self._ours)

    def strangers(self) -> dict[str, Any]:
        """Read cards with decks that do not hold them."""
        return strangers(self._walk("cards not in the deck"), self._decks, self._our_slot)

    def matchers(self) -> dict[str, Any]:
        """Run OpenCV's plain matchers on the upright photographs, and ours beside them."""
        beside = {"ours": self._all_upright("ours beside", self._ours, self._our_slot)}
        for name, kind in _PEERS.items():
            beside[name] = self._all_upright(name, *_plain(kind, self._faces))
        return beside

    def _all_upright(self, who: str, read: Read, read_slot: ReadSlot) -> dict[str, Any]:
        return {
            "corner error 8%": slots(self._walk(f"{who}, slots"), (0,), 0.08, read_slot, per_source=False),
            "whole photo": whole(self._walk(f"{who}, whole photographs"), (0,), read, per_source=False),
            "cards not in the deck": strangers(self._walk(f"{who}, not in the deck"), self._decks, read_slot),
        }

    def _walk(self, what: str) -> Iterator[TruePhoto]:
        for number, photo in enumerate(self.photos):
            self._told(what, number, len(self.photos))
            yield photo

    def _ours(self, picture: Picture, deck: str) -> tuple[Sequence[Named], Sequence[str]]:
        readings = read_photo(picture, self._decks[deck])
        return readings, [reading.state for reading in readings]

    def _our_slot(self, picture: Picture, deck: str, corners: Corners, without: str | None) -> CardReading | None:
        among = None if without is None else [label for label in self._decks[deck].labels if label != without]
        return read_patch(picture, self._decks[deck], among=among, corners=corners)


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
    photos: Iterable[TruePhoto], turns: Sequence[int], error: float, read: ReadSlot, per_source: bool = True
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
        f"visible, {right}": share(counts[f"visible, {right}"], counts["visible, of"]),
        f"occluded, {right}": share(counts[f"occluded, {right}"], counts["occluded, of"]),
        "visible, unsure": counts["visible, unsure"],
        "known and wrong": counts["visible, known and wrong"] + counts["occluded, known and wrong"],
        "angle error": spread(angles, "degrees"),
        "CPU time a card": spread(spent, "ms"),
    }
    if per_source:
        figures["visible, by source"] = {name: share(c[right], c[of]) for name, c in sources.items()}
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


def whole(photos: Iterable[TruePhoto], turns: Sequence[int], read: Read, per_source: bool = True) -> dict[str, Any]:
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
        "CPU time a photo": spread(spent, "ms"),
        "time a photo, other work on the machine included": spread(waited, "ms"),
    }
    if per_source:
        figures["by source"] = {name: _line(each) for name, each in sources.items()}
    return figures


def disturbed(photos: Iterable[TruePhoto], read: Read) -> dict[str, Any]:
    """Read whole photographs, each disturbed in every way of `vision.disturbed`."""
    in_all = Score()
    scores: dict[str, Score] = defaultdict(Score)
    spent: dict[str, list[float]] = defaultdict(list)
    for photo in photos:
        scene = Scene(read_picture(photo.path), photo.cards)
        for name, disturb in DISTURBANCES.items():
            seen = disturb(scene)
            start = time.process_time()
            readings, states = read(seen.picture, photo.deck)
            spent[name].append(1000 * (time.process_time() - start))
            kept = [k for k, reading in enumerate(readings) if seen.keeps(reading)]
            for score in (in_all, scores[name]):
                score.add(seen.cards, [readings[k] for k in kept], [states[k] for k in kept])
    return {
        **_shares(in_all),
        "CPU time a photo": spread([each for times in spent.values() for each in times], "ms"),
        "by disturbance": {
            name: {**_line(score), "CPU time a photo": spread(spent[name], "ms")} for name, score in scores.items()
        },
    }


def _shares(score: Score) -> dict[str, Any]:
    counts = score.counts
    enrolled = counts["right, visible, of"] + counts["right, occluded, of"]
    right = counts["right, visible"] + counts["right, occluded"]
    return {
        "enrolled cards named and placed right": share(right, enrolled),
        "of these known (the others unsure)": share(counts["right and known"], right),
        "occluded cards named": share(counts["right, occluded"], counts["right, occluded, of"]),
        "quadrant right, of those named": share(counts["quadrant right"], right),
        "angle error": spread(score.angles, "degrees"),
        "wrong names, known": counts["wrong, known"],
        "wrong names, unsure": counts["wrong, unsure"],
        "visible cards located (IoU 0.75), with or without reference": share(
            counts["located, visible"], counts["located, visible, of"]
        ),
        "false places a photo": round(counts["false places"] / max(1, counts["photos"]), 2),
    }


def _line(score: Score) -> dict[str, Any]:
    counts = score.counts
    enrolled = counts["right, visible, of"] + counts["right, occluded, of"]
    return {
        "right": share(counts["right, visible"] + counts["right, occluded"], enrolled),
        "wrong": counts["wrong, known"] + counts["wrong, unsure"],
        "located": share(counts["located, visible"], counts["located, visible, of"]),
        "false places": counts["false places"],
    }


def strangers(photos: Iterable[TruePhoto], decks: Mapping[str, Deck], read: ReadSlot) -> dict[str, Any]:
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
            "given a name": share(counts["known"], counts["of"]),
            "unsure": share(counts["unsure"], counts["of"]),
        }
        for name, counts in kinds.items()
    }
