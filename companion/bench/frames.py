"""How long a camera picture takes to read: a table at rest, one card changed, a whole table at once.

The pictures are a simulated camera's, 1280 x 720, 30 a second, with fifteen proxy cards, read with one
thread. `own` times are processor times, so that a busy machine does not count.
"""

from __future__ import annotations

import statistics
import time
from functools import partial
from typing import Any

import cv2

from companion.print.mat import draw_mat
from companion.sets.owner import proxy_set
from companion.simulated.lying import Laid
from companion.simulated.optics import Camera
from companion.simulated.rig import Rig
from companion.simulated.table import GAME, ProxyFaces
from companion.table.mat import grid_mat
from vision.deck import Deck
from vision.frame import Frame
from vision.table_reader import TableReader

FACE_PIXELS = 400
PER_SECOND = 30
STEADY, CHANGES = 90, 12


def measure(seed: int = 1, quick: bool = False) -> dict[str, Any]:
    """Return milliseconds per picture at rest, for one changed card, and for all fifteen at once."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return _Stage(seed).figures(*((30, 4) if quick else (STEADY, CHANGES)))
    finally:
        cv2.setNumThreads(threads)


class _Stage:
    """Fifteen cards under a simulated camera, and a reader that sees every picture."""

    def __init__(self, seed: int) -> None:
        self.mat, cards, rig = grid_mat(GAME, ("B", "R", "A"), 5), proxy_set(GAME), Rig()
        faces = ProxyFaces(cards, FACE_PIXELS)
        self.deck = Deck.from_faces(faces)
        self.keys = sorted(cards.cards)[::7]
        self.slots: dict[str, Laid | None] = {
            slot.key: Laid(self.keys[number], number % 4, 1.0, -1.5, 2.0) for number, slot in enumerate(self.mat.slots)
        }
        self.camera = Camera(self.mat, draw_mat(self.mat, 2 * rig.canvas_pixels_per_mm), faces, seed, rig)
        self.reader = TableReader(self.mat, self.deck)
        self.number = 0

    def figures(self, rests: int, changed: int) -> dict[str, Any]:
        while not self.read()[1]:
            continue
        steady = [self.read()[0] for _ in range(rests)]
        changes = [self.change(number) for number in range(changed)]
        frame = self.frame()
        whole = [_timed(partial(TableReader(self.mat, self.deck).read_still, frame)) for _ in range(3)]
        return {
            "enrolled faces": len(self.deck),
            "steady picture, ms": _summary(steady),
            "one changed card, from rest to its state, ms": _summary(changes),
            "all fifteen cards read, ms": _summary(whole),
        }

    def frame(self) -> Frame:
        """Return the next picture."""
        self.number += 1
        at = self.number / PER_SECOND
        return Frame(self.camera.picture(self.slots, at), "simulated", at, self.number)

    def read(self) -> tuple[tuple[float, float], bool]:
        """Read the next picture; return its times, and whether the table is known and at rest."""
        frame = self.frame()
        times = _timed(partial(self.reader.read, frame))
        scene = self.reader.last.scene if self.reader.last else None
        done = scene is not None and scene.steady and all(sighting.seen == "known" for sighting in scene.sightings)
        return times, done

    def change(self, number: int) -> tuple[float, float]:
        """Exchange a card; return the time of all pictures from the first reading to the new state."""
        slot = self.mat.slots[number % len(self.mat.slots)].key
        card = self.keys[len(self.mat.slots) + number % (len(self.keys) - len(self.mat.slots))]
        self.slots[slot] = Laid(card, number % 4, -1.0, 2.0, -3.0)
        wall = own = 0.0
        known = False
        while not known:
            times, _ = self.read()
            memory = self.reader.memory(slot)
            known = not memory.stale and not memory.votes and memory.belief.piece == card
            if known or memory.votes:
                wall, own = wall + times[0], own + times[1]
        while not self.read()[1]:
            continue
        return wall, own


def _timed(work: partial[Any]) -> tuple[float, float]:
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
        "own time, worst": round(max(own), 1),
    }
