"""From camera frames to scenes of a board of concentric discs: how each disc lies, once nothing moves."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike

from companion.table.observation import Scene, Sighting
from vision.discs import DiscBoard, DiscReading
from vision.frame import Frame

SAME_FRAMES = 2
"""So many frames must agree before a reading counts."""


class DiscReader:
    """Reads one board whose corners in the picture are known. Not safe to share between threads."""

    def __init__(
        self, board: DiscBoard, corners: ArrayLike, places: Mapping[str, tuple[str, str]], witness: str = "board"
    ) -> None:
        """Prepare to read.

        :param corners: (4, 2) pixels, the board's own top left first, clockwise.
        :param places: the table's slot and piece for each ring that turns, such as
            `{"disc-middle": ("D1", "disc-middle")}`.
        """
        self.witness = witness
        self._board, self._corners, self._places = board, np.asarray(corners, np.float64), dict(places)
        self._before: tuple[DiscReading, ...] = ()
        self._agreed = 0

    def read(self, frame: Frame) -> Scene:
        """Return the scene after `frame`, the next one of a stream."""
        readings = tuple(r for r in self._board.read_frame(frame.picture, self._corners) if r.slot in self._places)
        same = [(r.state, r.turn) for r in readings] == [(r.state, r.turn) for r in self._before]
        self._agreed, self._before = (self._agreed + 1 if same else 1), readings
        hidden = any(reading.state == "hidden" for reading in readings)
        digest = hashlib.sha256(np.ascontiguousarray(frame.picture).tobytes()).hexdigest()
        sightings = tuple(self._sighting(reading, digest) for reading in readings)
        problem = next((reading.says for reading in readings if reading.state == "unsure"), "")
        steady = self._agreed >= SAME_FRAMES and not hidden
        return Scene(self.witness, frame.at, sightings, steady, hidden, problem if steady else "")

    def _sighting(self, reading: DiscReading, digest: str) -> Sighting:
        """Discs have six positions: the free angle means nothing to a table that thinks in quarters."""
        slot, piece = self._places[reading.slot]
        seen = reading.sighting()
        named = None if seen.piece is None else piece
        return replace(seen, slot=slot, piece=named, angle=None, candidates=(), digest=digest)
