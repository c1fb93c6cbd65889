"""What reading rendered cards does, and what decks of some sizes cost: parts of `companion bench vision`.

Times are CPU time of this process, so that other work on the machine does not count; they are this
machine's, never a Pi's.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from vision.deck import Deck
from vision.detections import CardReading, angle_of
from vision.figures import Told, share, silent, spread
from vision.match import read_patch
from vision.rendered import Rendered, drawn_face, render_card

DECK_SIZES = (50, 150, 600)
_CARDS = 165
_BANDS = (0.0, 0.1, 0.5, 0.8, 0.95, 0.99, 1.0)


def measure_rendered(count: int, told: Told = silent) -> dict[str, Any]:
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
        told("rendered cards", turn, count)
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
        "angle error": spread(angles, "degrees"),
        "CPU time a card": spread(spent, "ms"),
        "right, by confidence": {
            f"{low:.2f} to {high:.2f}": share(sum(held), len(held)) for (low, high), held in bands.items() if held
        },
    }


def measure_decks(sizes: Sequence[int] = DECK_SIZES, reads: int = 60, told: Told = silent) -> dict[str, Any]:
    """Enrol decks of drawn faces and read cards with each."""
    figures = {}
    for number, size in enumerate(sizes):
        told(f"a deck of {size} faces", number, len(sizes))
        figures[f"{size} faces"] = _deck(size, reads)
    return figures


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
        "memory, MB": round(deck.nbytes / 1e6, 1),
        "enrolment, s CPU": round(enrolment, 1),
        "CPU time a card": spread(spent, "ms"),
    }


def _is_right(reading: CardReading, label: str, seen: Rendered) -> bool:
    return reading.label == label and _apart(reading.angle, angle_of(seen.corners)) < 45


def _apart(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)
