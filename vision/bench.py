"""What the readers of cards and dice do, measured here and now: `companion bench vision`.

Times are CPU time of this process on one thread of OpenCV, so that other work on the machine does not
count; they are this machine's, never a Pi's.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from pathlib import Path
from statistics import mean, median
from typing import Any

import cv2
import numpy as np

from vision.bench_photos import measure_photos
from vision.deck import Deck
from vision.detections import CardReading, angle_of
from vision.dice.bench_dice import measure_dice
from vision.match import read_patch
from vision.rendered import Rendered, drawn_face, render_card

DECK_SIZES = (50, 150, 600)
_CARDS = 165
_BANDS = (0.0, 0.1, 0.5, 0.8, 0.95, 0.99, 1.0)


def measure(photos: Path | None = None, quick: bool = False) -> dict[str, object]:
    """Return the figures of the card and dice readers; `photos` is the folder of labelled photographs.

    With `quick` a handful of cards and photographs, for a first look.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        photographs = _photographs(photos, quick)
        decks = {f"{size} faces": _deck(size, 10 if quick else 60) for size in DECK_SIZES}
        figures: dict[str, object] = {
            "in short": in_short(photographs, decks),
            "photographs": photographs,
            "decks": decks,
            "rendered cards": _rendered(40 if quick else 300),
            "dice": measure_dice(photos, quick),
        }
    finally:
        cv2.setNumThreads(threads)
    return figures


def in_short(photographs: dict[str, Any] | str, decks: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what is wanted of reading cards, with what was measured and what the plain matchers do.

    Ours is measured at all quarter turns; the plain matchers, and ours beside them, on upright photographs.
    """
    memory = {"faces": {name: f"{deck['memory']}, {deck['reading a card']}" for name, deck in decks.items()}}
    growth = {"memory and look-up for a deck": {"wanted": "<= 60 MB for 600 faces; sub-linear", **memory}}
    if isinstance(photographs, str):
        return {**{name: photographs for name, *_ in _WANTED}, **growth}
    beside = photographs["plain matchers, upright photos only"]
    return {
        **{
            name: {
                "wanted": wanted,
                "measured": _at(photographs, path),
                "upright only": {who: _at(figures, upright) for who, figures in beside.items()} if upright else None,
            }
            for name, wanted, path, upright in _WANTED
        },
        **growth,
    }


_LOCATED = "visible cards located (IoU 0.75), with or without reference"
_SLOT = ("slot known, corner error 8%", "visible, name and quadrant right")
_WANTED: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("slot known to 8 %", "100 %", ("slot known", "corner error 8%", "visible, name and quadrant right"), _SLOT),
    ("slot known to 15 %", ">= 97 %", ("slot known", "corner error 15%", "visible, name and quadrant right"), ()),
    *(
        (name, wanted, ("whole photo", figure), ("whole photo", figure))
        for name, wanted, figure in (
            ("whole photo: named and placed right", ">= 92 %", "enrolled cards named and placed right"),
            ("whole photo: time", "<= 150 ms on one core", "CPU time a photo"),
            ("wrong names, taken for known", "0", "wrong names, known"),
            ("visible cards located", ">= 95 %", _LOCATED),
            ("places where no card is", "<= 0.2 a photo", "false places a photo"),
            ("occluded cards named", "15 of 16", "occluded cards named"),
            ("quadrant, of those named", "100 %", "quadrant right, of those named"),
            ("angle", "median <= 0.5, 95th percentile <= 2 degrees", "angle error"),
        )
    ),
    *(
        (name, wanted, ("cards not in the deck", "all", figure), ("cards not in the deck", "all", figure))
        for name, wanted, figure in (
            ("a card not in the deck given a name", "<= 1 %", "given a name"),
            ("a card not in the deck unsure", "<= 3 %", "unsure"),
        )
    ),
)


def _at(figures: dict[str, Any], path: tuple[str, ...]) -> Any:
    value: Any = figures
    for name in path:
        value = value[name]
    return value


def _photographs(photos: Path | None, quick: bool) -> dict[str, Any] | str:
    if photos is None:
        return "not run: name the folder of labelled photographs with --photos"
    if not (photos / "truth.json").is_file():
        return f"not run: there is no truth.json in {photos}"
    return measure_photos(photos, quick)


def _rendered(count: int) -> dict[str, Any]:
    """Read rendered cards of a deck of look-alikes at 2.9 pixels a millimetre, a third not enrolled.

    No two faces of a family are enrolled without each other, since one picture cannot tell that a
    look-alike is missing: a card that is taken out takes its whole family with it.
    """
    deck = Deck.from_faces({f"{k:03}": drawn_face(k) for k in range(_CARDS)})
    chance = np.random.default_rng(7)
    counts: Counter[str] = Counter()
    angles: list[float] = []
    spent: list[float] = []
    bands: dict[tuple[float, float], list[bool]] = {band: [] for band in itertools.pairwise(_BANDS)}
    for turn in range(count):
        number = int(chance.integers(_CARDS))
        seen = render_card(drawn_face(number), chance, float(chance.uniform(0, 360)))
        enrolled = turn % 3 != 0
        among = None if enrolled else [label for label in deck.labels if int(label) // 10 != number // 10]
        start = time.process_time()
        reading = read_patch(seen.patch, deck, among=among)
        if enrolled:
            spent.append(1000 * (time.process_time() - start))
        right = enrolled and reading is not None and _is_right(reading, f"{number:03}", seen)
        state = reading.state if reading is not None else "none"
        counts[f"{'enrolled' if enrolled else 'not enrolled'}, {state}"] += 1
        counts["known and wrong"] += state == "known" and not right
        if reading is not None and reading.label is not None:
            for low, high in bands:
                if low <= reading.confidence < high or (high == 1.0 and reading.confidence == high):
                    bands[low, high].append(right)
        if right and reading is not None:
            angles.append(_apart(reading.angle, angle_of(seen.corners)))
    return {
        "cards": count,
        "pixels a side": 180,
        **dict(sorted(counts.items())),
        "angle error": f"median {median(angles):.2f}, 95th percentile {np.percentile(angles, 95):.2f} degrees",
        "CPU time a card": f"mean {mean(spent):.1f}, 95th percentile {np.percentile(spent, 95):.1f} ms",
        "right, by confidence": {
            f"{low:.2f} to {high:.2f}": f"{sum(held)} of {len(held)}" for (low, high), held in bands.items() if held
        },
    }


def _deck(size: int, reads: int) -> dict[str, Any]:
    start = time.process_time()
    deck = Deck.from_faces({f"{k:03}": drawn_face(k) for k in range(size)})
    enrolment = time.process_time() - start
    chance = np.random.default_rng(size)
    spent = []
    for _ in range(reads):
        seen = render_card(drawn_face(int(chance.integers(size))), chance, float(chance.uniform(0, 360)), hard=0)
        start = time.process_time()
        read_patch(seen.patch, deck)
        spent.append(1000 * (time.process_time() - start))
    return {
        "memory": f"{deck.nbytes / 1e6:.1f} MB",
        "enrolment": f"{enrolment:.1f} s CPU",
        "reading a card": f"median {median(spent):.1f}, 95th percentile {np.percentile(spent, 95):.1f} ms CPU",
    }


def _is_right(reading: CardReading, label: str, seen: Rendered) -> bool:
    return reading.label == label and _apart(reading.angle, angle_of(seen.corners)) < 45


def _apart(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)
