"""How long a camera picture of a full table takes to read.

The pictures are the simulated table's, 1280 x 720 with fifteen proxy cards, read with one thread.
`own time` is processor time, so that a busy machine does not count.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import cv2

from companion.sets.owner import proxy_set
from companion.simulated.beats import Frame as Shot
from companion.simulated.table import ProxyFaces, SimulatedTable
from vision.deck import Deck
from vision.frame import Frame
from vision.table_reader import TableReader

FACE_PIXELS = 400
REPEATS = 60


def measure(seed: int = 1) -> dict[str, Any]:
    """Return the milliseconds per picture in the steady state and for reading all fifteen cards.

    :raises LookupError: if no moment of that evening shows fifteen cards at rest.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        table = SimulatedTable(seed)
        cards = proxy_set(table.evening.game)
        deck = Deck.from_faces(ProxyFaces(cards, FACE_PIXELS))
        reader = TableReader(table.evening.mat, deck)
        frame = _full_table(table, reader)
        still = [Frame(frame.picture, frame.source, frame.at + (n + 1) / 30, frame.number) for n in range(REPEATS)]
        steady = [_timed(partial(reader.read, one)) for one in still]
        whole = [_timed(lambda: TableReader(table.evening.mat, deck).read_still(frame)) for _ in range(3)]
    finally:
        cv2.setNumThreads(threads)
    return {
        "enrolled faces": len(deck),
        "steady picture, ms": _summary(steady),
        "all fifteen cards read, ms": _summary(whole),
    }


def _full_table(table: SimulatedTable, reader: TableReader) -> Frame:
    for number, beat in enumerate(table.beats()):
        if isinstance(beat, Shot):
            frame = Frame(beat.picture(), "simulated", beat.at, number)
            scene = reader.read(frame)
            if scene.steady and all(sighting.seen == "known" for sighting in scene.sightings):
                return frame
    raise LookupError("no moment of this evening shows fifteen cards at rest; measure another seed")


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return wall-clock and processor milliseconds."""
    wall, own = time.perf_counter(), time.thread_time()
    work()
    return 1e3 * (time.perf_counter() - wall), 1e3 * (time.thread_time() - own)


def _summary(times: list[tuple[float, float]]) -> dict[str, float]:
    walls, own = [wall for wall, _ in times], [own for _, own in times]
    return {
        "median": round(statistics.median(walls), 1),
        "worst": round(max(walls), 1),
        "own time, median": round(statistics.median(own), 1),
    }
