"""The table reader of a desk: what people set by hand reaches it from another thread."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from companion.desk.calibration import Corners
from companion.table.mat import Mat
from companion.table.observation import Scene
from vision.deck import Deck
from vision.enrol.by_features import read_any
from vision.frame import Frame
from vision.lens import LensMemory
from vision.plane import MatNotFoundError
from vision.plane_tracker import PlaneTracker
from vision.table_reader import TableReader

WITNESS = "camera"


class EyeReader(TableReader):
    """A table reader whose corners may be set from another thread; they hold from the next picture on."""

    def __init__(self, mat: Mat, deck: Deck, corners: Corners | None, lens: LensMemory) -> None:
        super().__init__(mat, deck, WITNESS, read=read_any)
        self._lens = lens
        self.tracker = PlaneTracker(mat, lens)
        self._wanted: list[Corners | None] = [corners] if corners is not None else []

    def want(self, corners: Corners | None) -> None:
        self._wanted.append(corners)

    def read(self, frame: Frame) -> Scene:
        while self._wanted:
            self._take(self._wanted.pop(0), frame)
        return super().read(frame)

    def _take(self, corners: Corners | None, frame: Frame) -> None:
        self.tracker = tracker_for(self.mat, self._lens, corners, frame)
        self.forget()


def tracker_for(mat: Mat, lens: LensMemory, corners: Corners | None, frame: Frame) -> PlaneTracker:
    """Return what follows a mat from `frame` on, by its markers or by corners set by hand (shares of the picture)."""
    tracker = PlaneTracker(mat, lens)
    if corners is not None:
        with suppress(MatNotFoundError):  # checked when they were set; a picture of another shape has other corners
            tracker.use_corners(np.array(corners) * frame.size, frame)
    return tracker
