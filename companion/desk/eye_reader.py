"""The readers of a desk's camera: what people set by hand reaches them from another thread."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple, Protocol

import numpy as np

from companion.desk.calibration import Corners
from companion.table.mat import Mat
from companion.table.observation import Scene
from vision.anchors import Anchor
from vision.board_tracker import BoardTracker
from vision.deck import Deck
from vision.disc_reader import DiscReader
from vision.discs import DiscBoard
from vision.enrol.by_features import read_any
from vision.frame import Frame
from vision.lens import LensMemory
from vision.plane import MatNotFoundError
from vision.plane_tracker import PlaneTracker
from vision.table_reader import Look, TableReader

WITNESS = "camera"


class ByHand(NamedTuple):
    """The mat's corners as somebody set them.

    `anchors` is None if it was just now; else it was on another evening, and they are what the corners looked like:
    whether the camera still stands there is to be looked at.
    """

    corners: Corners
    anchors: tuple[Anchor, ...] | None = None


class EyeReader(Protocol):
    """A reader whose corners may be set from another thread; they hold from the next picture on."""

    witness: str
    last: Look | None
    tracker: PlaneTracker

    @property
    def mat(self) -> Mat: ...

    def want(self, by_hand: ByHand | None) -> None: ...

    def read(self, frame: Frame) -> Scene: ...


class CardReader(TableReader):
    """The cards on a mat."""

    def __init__(self, mat: Mat, deck: Deck, by_hand: ByHand | None, lens: LensMemory) -> None:
        super().__init__(mat, deck, WITNESS, read=read_any)
        self._lens = lens
        self.tracker = PlaneTracker(mat, lens)
        self._wanted = _Wanted(by_hand)

    def want(self, by_hand: ByHand | None) -> None:
        self._wanted.append(by_hand)

    def read(self, frame: Frame) -> Scene:
        while self._wanted:
            self.tracker = with_corners(PlaneTracker(self.mat, self._lens), self._wanted.pop(0), frame)
            self.forget()
        return super().read(frame)


class BoardReader(DiscReader):
    """The discs of a board."""

    def __init__(
        self, mat: Mat, board: DiscBoard, order: Sequence[int], by_hand: ByHand | None, lens: LensMemory
    ) -> None:
        super().__init__(mat, board, order, WITNESS)
        self._lens = lens
        self.tracker = BoardTracker(board, mat, lens)
        self._wanted = _Wanted(by_hand)

    def want(self, by_hand: ByHand | None) -> None:
        self._wanted.append(by_hand)

    def read(self, frame: Frame) -> Scene:
        while self._wanted:
            self.tracker = with_corners(BoardTracker(self.board, self.mat, self._lens), self._wanted.pop(0), frame)
            self.forget()
        return super().read(frame)


class _Wanted(list[ByHand | None]):
    """Corners that were set and not taken up yet."""

    def __init__(self, by_hand: ByHand | None) -> None:
        super().__init__([] if by_hand is None else [by_hand])


def with_corners(tracker: PlaneTracker, by_hand: ByHand | None, frame: Frame) -> PlaneTracker:
    """Let a tracker begin at `frame` with corners set by hand; None: it finds them itself."""
    if by_hand is None:
        return tracker
    corners = np.array(by_hand.corners) * frame.size
    if by_hand.anchors is not None:
        tracker.recall_corners(corners, by_hand.anchors)
    else:
        with suppress(MatNotFoundError):  # checked when they were set; a picture of another shape has other corners
            tracker.use_corners(corners, frame)
    return tracker
