"""From camera frames to scenes of a board of concentric discs: how each disc lies, once nothing moves."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from companion.table.mat import Mat, Rect
from companion.table.observation import Scene, Sighting
from vision.board_tracker import BoardTracker
from vision.changes import Change, Kind
from vision.discs import POSITIONS, DiscBoard, DiscReading
from vision.frame import Frame, Picture
from vision.plane import MatNotFoundError, Plane, Points
from vision.plane_tracker import PlaneTracker
from vision.table_reader import Look

SAME_FRAMES = 2
REST_S = 0.8
"""So many frames must agree for so long before a reading counts: hands let go of a disc and turn it on."""
STILL = 2.0
"""Degrees by which a disc at rest seems to turn at most."""
COVERED_S = 3.0
"""What covers a disc for longer is no hand; the other disc is read all the same."""
SAID_AFTER_S = 3.0
"""A disc that lies between two positions for so long is said to."""
EVIDENCE_KEPT = 8


class DiscReader:
    """Reads one board. Not safe to share between threads."""

    def __init__(self, mat: Mat, board: DiscBoard, order: Sequence[int] = (), witness: str = "camera") -> None:
        """Prepare to read.

        :param mat: the square round the board; its discs are read by the board's turning rings, from the outside in
        :param order: for each position clockwise from the enrolled one the number by which the table knows it;
            as they are counted if left out
        :raises ValueError: if the board has another number of turning discs, or `order` is none of six positions.
        """
        self.mat, self.board, self.witness = mat, board, witness
        self.order = tuple(order) or tuple(range(POSITIONS))
        if len(mat.discs) != len(board.rings) - 1 or sorted(self.order) != list(range(POSITIONS)):
            raise ValueError(
                f"expected {len(mat.discs)} turning discs and an order of {POSITIONS} positions, found "
                f"{len(board.rings) - 1} and {self.order}"
            )
        self.tracker: PlaneTracker = BoardTracker(board, mat)
        self.last: Look | None = None
        self._evidence: OrderedDict[str, Picture] = OrderedDict()
        self.forget()

    def forget(self) -> None:
        """Start afresh: every disc is to be read again."""
        self._readings: tuple[DiscReading, ...] = ()
        self._since, self._agreed = float("-inf"), 0
        self._digest = ""
        self._stood: dict[str, DiscReading] = {}

    def use_corners(self, corners: ArrayLike, frame: Frame) -> None:
        """Take four tapped corners of the square round the board (pixels, clockwise from its own top left).

        :raises MatNotFoundError: if they cannot be its corners; nothing is changed then.
        """
        self.tracker.use_corners(corners, frame)
        self.forget()

    def evidence(self, digest: str) -> Picture | None:
        """Return the view of the board with this SHA-256, or None if it is no longer (or never was) kept."""
        return self._evidence.get(digest)

    def read(self, frame: Frame) -> Scene:
        """Return the scene after `frame`, the next one of a stream."""
        if self.last is not None and frame.at < self.last.scene.at:
            self.forget()  # another recording, or the same one again
        try:
            plane = self.tracker.follow(frame)
        except MatNotFoundError as error:
            self.forget()
            hidden = tuple(Sighting(slot, "hidden") for slot, _ in self.mat.discs)
            scene = Scene(self.witness, frame.at, hidden, steady=False, problem=str(error))
            self.last = Look(scene, None, {})
            return scene
        corners = plane.to_picture(Rect(0.0, 0.0, self.mat.width, self.mat.height).corners)
        view = self.board.seen_squarely(frame.picture, corners)
        scene = self._scene(frame.at, view)
        self.last = Look(scene, plane, dict(self._outlines(plane)), tuple(self._changes(scene)))
        return scene

    def _changes(self, scene: Scene) -> Iterator[Change]:
        """Yield which discs stand otherwise than when they last stood somewhere for sure."""
        for reading, (slot, piece) in zip(self._readings, self.mat.discs, strict=True):
            before = self._stood.get(slot)
            if not scene.steady or reading.state != "known" or reading.turn is None:
                continue
            self._stood[slot] = reading
            if before is None or before.turn != reading.turn:
                names, turn = self.mat.disc_positions, self.order[reading.turn]
                by = 0.0 if before is None else (reading.angle - before.angle + 180.0) % 360.0 - 180.0
                kind: Kind = "found" if before is None else "rotated"
                position = names[turn] if names else str(turn)
                yield Change(kind, slot, piece, scene.at, self._digest, degrees=round(by, 1), position=position)

    def _scene(self, at: float, view: Picture) -> Scene:
        readings = self.board.read(view)
        if not _alike(readings, self._readings):
            self._readings, self._since, self._agreed, self._digest = readings, at, 0, ""
        self._agreed += 1
        lain = at - self._since
        hand = any(reading.state == "hidden" for reading in readings) and lain < COVERED_S
        steady = self._agreed >= SAME_FRAMES and lain >= REST_S and not hand and self.tracker.is_certain
        if steady and not self._digest:
            self._keep(view)
        sightings = tuple(
            self._sighting(reading, slot, piece)
            for reading, (slot, piece) in zip(readings, self.mat.discs, strict=True)
        )
        return Scene(self.witness, at, sightings, steady, hand, self._problem(readings, lain))

    def _problem(self, readings: Sequence[DiscReading], lain: float) -> str:
        if lain >= COVERED_S and all(reading.state == "hidden" for reading in readings):
            return "the discs of the board cannot be made out; clear them, and look whether its outline lies on it"
        said = (reading.says for reading in readings if reading.state == "unsure")
        return next(said, "") if lain >= SAID_AFTER_S else ""

    def _keep(self, view: Picture) -> None:
        self._digest = hashlib.sha256(np.ascontiguousarray(view).tobytes()).hexdigest()
        self._evidence[self._digest] = view
        while len(self._evidence) > EVIDENCE_KEPT:
            self._evidence.popitem(last=False)

    def _sighting(self, reading: DiscReading, slot: str, piece: str) -> Sighting:
        """Discs have six positions: the free angle means nothing to a table that thinks in quarters."""
        if reading.state == "hidden" or reading.turn is None:
            return Sighting(slot, "hidden")
        between = tuple(self.order[turn] for turn in reading.between)
        return Sighting(
            slot,
            reading.state,
            piece,
            self.order[reading.turn],
            confidence=reading.confidence,
            digest=self._digest,
            between=between,
        )

    def _outlines(self, plane: Plane) -> Sequence[tuple[str, Points]]:
        """Return for each disc that is seen a square in it, turned as it lies, in millimetres of the mat."""
        middle = self.mat.width / 2
        found = []
        for ring, reading, (slot, _) in zip(self.board.rings[1:], self._readings, self.mat.discs, strict=True):
            if reading.state != "hidden":
                turns = np.radians(reading.angle + np.array((225.0, 315.0, 45.0, 135.0)))
                found.append((slot, middle + middle * ring.outer * np.stack((np.cos(turns), np.sin(turns)), axis=1)))
        return found


def _alike(readings: Sequence[DiscReading], before: Sequence[DiscReading]) -> bool:
    """Return whether nothing has moved between two looks."""
    return len(readings) == len(before) and all(
        (one.state, one.turn) == (two.state, two.turn)
        and (one.state == "hidden" or abs((one.angle - two.angle + 180.0) % 360.0 - 180.0) <= STILL)
        for one, two in zip(readings, before, strict=True)
    )
