"""From camera frames to rolls: the dice of one tray, read once for each throw after they came to rest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.mat import Mat, Rect
from companion.table.observation import DiceSeen
from vision.dice.gate import Stillness, TrayGate
from vision.dice.read import DiceReader
from vision.dice.reading import DieReading
from vision.frame import Frame
from vision.plane import MatNotFoundError
from vision.plane_tracker import PlaneTracker

Points = NDArray[np.float64]
FindTray = Callable[[Frame], Points]
"""Where the tray lies in a frame: its corners (4, 2) in pixels, its own top left first, clockwise.

May raise `MatNotFoundError` with a sentence."""

READ_EVERY_S = 0.1
PATIENCE_S = 2.0
"""For so long too few dice are taken for an unfinished throw."""
HAND_STAYS_S = 10.0
TOSSED_S = 6.0
"""Dice that have been moving for longer than this are worth a word."""

_MOVED = 0.35
"""A die was thrown if it lies further from where it was than this share of its edge."""

_WHY = {
    "cocked": "lies cocked on its edge or leans; roll it again or lay it flat",
    "stacked": "lies on another die or against it; roll it again",
    "moving": "is still moving",
    "half out of view": "lies half out of the tray; roll it again",
}


def fixed_tray(corners: Points) -> FindTray:
    """Return a tray that never moves, from its corners in pixels."""
    corners = np.array(corners, np.float64).reshape(4, 2)
    return lambda frame: corners


def tray_on(mat: Mat, tracker: PlaneTracker | None = None, rect: Rect | None = None) -> FindTray:
    """Return the tray printed on a mat; `tracker` may be shared with the table's reader, `rect` be another place.

    :raises ValueError: if the mat has no tray and no other place is named.
    """
    place = rect or mat.tray
    if place is None:
        raise ValueError(f"the mat {mat.name!r} has no tray; name a rectangle of it, in millimetres")
    follow = tracker or PlaneTracker(mat)
    corners = np.array(place.corners)
    return lambda frame: follow.follow(frame).to_picture(corners)


@dataclass(frozen=True, eq=False)
class TrayLook:
    """What was made of the last frame, for the screen: the tray's corners, the dice, what is said about them."""

    tray: Points | None
    dice: tuple[DieReading, ...]
    says: str = ""


class TrayReader:
    """Reads the dice of one tray. Not safe to share between threads."""

    def __init__(
        self, find_tray: FindTray, reader: DiceReader, witness: str = "tray", expected: int | None = None
    ) -> None:
        """Prepare to read.

        :param expected: how many dice are thrown; None for any number.
        """
        self.witness, self.expected = witness, expected
        self.last = TrayLook(None, ())
        self._find_tray, self._reader = find_tray, reader
        self.forget()

    def forget(self) -> None:
        """Start afresh; what lies in the tray already is no throw."""
        self._gate = TrayGate()
        self._thrown: tuple[DieReading, ...] | None = None
        self._vote: tuple[DieReading, ...] | None = None
        self._read_at = self._done_at = float("-inf")
        self._moving_since: float | None = None
        self._problem = ""

    def read(self, frame: Frame) -> DiceSeen | None:
        """Return what is to be reported after `frame`, the next one of a stream; None if nothing new."""
        try:
            tray = self._find_tray(frame)
        except MatNotFoundError as error:
            self.last = TrayLook(None, (), str(error))
            return self._say(frame.at, str(error))
        still = self._gate.step(frame.picture, tray, frame.at)
        if not still.may_read:
            self._vote = None
            self._done_at = float("-inf")
            self.last = TrayLook(tray, (), self.last.says)
            return self._say(frame.at, self._impatient(still, frame.at))
        self._moving_since = None
        if self._done_at > float("-inf") and not self._wants_patience(frame.at):
            return None
        if frame.at - self._read_at < READ_EVERY_S - 1e-6:
            return None
        self._read_at = frame.at
        dice = in_tray_order(self._reader.read(frame.picture, tray), tray)
        self.last = TrayLook(tray, dice, self.last.says)
        before, self._vote = self._vote, dice
        if before is None or [die.value for die in before] != [die.value for die in dice]:
            return None
        if self._done_at == float("-inf"):
            self._done_at = frame.at
        return self._settled(dice, frame, tray)

    def _wants_patience(self, at: float) -> bool:
        """Tell whether too few dice lie in the tray, and nothing was said about it yet."""
        if self.expected is None or self._vote is None or self._problem:
            return False
        return 0 < len(self._vote) != self.expected and at - self._done_at >= PATIENCE_S

    def _settled(self, dice: tuple[DieReading, ...], frame: Frame, tray: Points) -> DiceSeen | None:
        first = self._thrown is None
        if not dice:
            self._thrown = ()
            return self._say(frame.at, "")
        if first:
            # What lay there when the camera was switched on was thrown before anybody asked.
            self._thrown = dice
            return None
        if self.expected is not None and len(dice) != self.expected:
            if frame.at - self._done_at < PATIENCE_S:
                return None
            return self._say(frame.at, self._miscounted(len(dice)))
        if not _thrown_anew(self._thrown or (), dice):
            return self._say(frame.at, "")
        unfit = self._unfit(dice)
        if unfit:
            return self._say(frame.at, unfit)
        self._thrown, self._problem = dice, ""
        faces = tuple(str(die.value) for die in dice)
        sure = min(die.confidence if die.state == "known" else min(die.confidence, 0.45) for die in dice)
        self.last = TrayLook(tray, dice, "")
        return DiceSeen(self.witness, frame.at, faces, sure, digest(frame, tray))

    def _unfit(self, dice: Sequence[DieReading]) -> str:
        for number, die in enumerate(dice, 1):
            which = "the die" if len(dice) == 1 else f"die {number} of {len(dice)} ({die.colour})"
            if die.state in _WHY:
                return f"{which} {_WHY[die.state]}"
            if die.value is None:
                return f"{which} shows a face that is not enrolled; enrol it, or say what it shows"
        return ""

    def _miscounted(self, count: int) -> str:
        return (
            f"{count} {'die lies' if count == 1 else 'dice lie'} in the tray and {self.expected} were expected: "
            f"look for one beside the tray or on top of another, or take out what does not belong"
        )

    def _impatient(self, still: Stillness, at: float) -> str:
        if still.hand:
            self._moving_since = None
            stays = still.hand_for >= HAND_STAYS_S
            return (
                "a hand has been over the tray for a while; take it away so that the dice can be read" if stays else ""
            )
        self._moving_since = at if self._moving_since is None else self._moving_since
        if at - self._moving_since >= TOSSED_S:
            return "something in the tray keeps moving; let the dice come to rest"
        return self._problem

    def _say(self, at: float, problem: str) -> DiceSeen | None:
        """Report a problem once, and once that it is over."""
        if problem == self._problem:
            return None
        self._problem = problem
        self.last = TrayLook(self.last.tray, self.last.dice, problem)
        return DiceSeen(self.witness, at, (), problem=problem)


def in_tray_order(dice: Sequence[DieReading], tray: Points) -> tuple[DieReading, ...]:
    """Return dice in rows from the tray's own top edge, each from its left, however the camera is turned."""
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(tray.astype(np.float32), unit)
    edge = float(np.hypot(*(tray[3] - tray[0])))
    placed = []
    for die in dice:
        x, y = cv2.perspectiveTransform(np.array([[die.centre]], np.float64), matrix)[0, 0]
        placed.append((float(y), float(x), die))
    placed.sort(key=lambda each: each[0])
    ordered: list[DieReading] = []
    while placed:
        height = placed[0][0] + 0.5 * placed[0][2].size / edge
        row = [each for each in placed if each[0] <= height]
        ordered += [die for _, _, die in sorted(row, key=lambda each: each[1])]
        placed = [each for each in placed if each[0] > height]
    return tuple(ordered)


def digest(frame: Frame, tray: Points) -> str:
    """Return the SHA-256 of the tray's part of a frame."""
    left, top = np.maximum(np.floor(tray.min(axis=0)).astype(int), 0)
    right, bottom = np.ceil(tray.max(axis=0)).astype(int)
    crop = np.ascontiguousarray(frame.picture[top:bottom, left:right])
    return hashlib.sha256(repr(crop.shape).encode() + crop.tobytes()).hexdigest()


def _thrown_anew(before: Sequence[DieReading], now: Sequence[DieReading]) -> bool:
    """Tell whether any die lies where none lay, or shows another face: what stayed put was not thrown."""
    free = list(before)
    for die in now:
        near = [
            k for k in free if np.hypot(*(np.array(die.centre) - k.centre)) < _MOVED * die.size and k.value == die.value
        ]
        if not near:
            return True
        free.remove(near[0])
    return False
