"""Keep the plane of a board of discs: it is found by what is printed on the disc that does not turn.

No markers and no taps are needed: features of the enrolled fixed ring are looked for in the picture
(ORB: Rublee et al., ICCV 2011), which also tells how the board lies turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.mat import Mat, Rect
from vision.discs import DiscBoard
from vision.features import orb_features
from vision.frame import Frame, Picture
from vision.geometry import area, is_upright_quad, project
from vision.lens import LensMemory
from vision.plane import MatNotFoundError, Plane, Points, plane_from_corners
from vision.plane_tracker import PlaneTracker

ENROLLED_PX, ENROLLED_FEATURES = (720, 400), 500
"""The board is learned large and small, as it may fill a picture."""
LOOKED_AT_PX, FEATURES = 1280, 2500
"""A wider picture is looked at smaller: the board fills much of it."""
DISTINCT = 0.85
"""The nearest descriptor must be so much nearer than the second nearest (Lowe, IJCV 2004)."""
REACH_PX = 4.0
LEAST_PAIRS = 14
LEAST_SIDE = 120.0
"""A board smaller than this many pixels cannot be read."""
AGAIN_S = 1.0
"""A board that is not in the picture is looked for so often."""
LANDMARKS = 8


class BoardTracker(PlaneTracker):
    """Follows a board from frame to frame as `PlaneTracker` does a mat; also a larger bump needs no new taps."""

    def __init__(self, board: DiscBoard, mat: Mat, lens: LensMemory | None = None) -> None:
        """Prepare to follow; `mat` is the square round the board."""
        super().__init__(mat, lens)
        self._board, self._ring = board, board.rings[0]
        self._enrolled = [self._learned(board.picture, side) for side in ENROLLED_PX]
        self._missed: tuple[float, str] | None = None

    def _learned(self, picture: Picture, side: int) -> tuple[NDArray[np.uint64], Points]:
        """Return descriptors of the fixed ring in a picture of the board `side` pixels wide, and their places (mm)."""
        grey = cv2.cvtColor(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        features = orb_features(np.asarray(grey, np.uint8), 4 * ENROLLED_FEATURES)
        away = np.hypot(*(features.points - (side - 1) / 2).T) / (side / 2)
        fixed = np.flatnonzero((away > self._ring.inner) & (away < self._ring.outer))[:ENROLLED_FEATURES]
        places = (features.points[fixed].astype(np.float64) + 0.5) * (self.mat.width / side)
        return features.descriptors[fixed], places

    def follow(self, frame: Frame) -> Plane:
        """Return the plane for `frame`.

        :raises MatNotFoundError: if the board is not in the picture.
        """
        missed = self._missed
        if self.plane is None and missed is not None and 0.0 <= frame.at - missed[0] < AGAIN_S:
            raise MatNotFoundError(missed[1])
        return super().follow(frame)

    def _find_again(self, frame: Frame) -> Plane:
        self._tapped = False
        return self._estimate(frame)

    def _found(self, frame: Frame) -> Plane:
        corners = self.corners_in(frame.picture)
        if corners is None:
            says = (
                "the board was not found: what is printed on its fixed ring is not in the picture; lay it whole under "
                "the camera and switch on the light, or drag the four corners onto the square round it"
            )
            self._missed = (frame.at, says)
            raise MatNotFoundError(says)
        return plane_from_corners(self.mat, corners, frame.size, self.lens.k1)

    def corners_in(self, picture: Picture) -> NDArray[np.float64] | None:
        """Return the corners (4, 2) of the square round the board, its own top left first, or None."""
        scale = min(1.0, LOOKED_AT_PX / picture.shape[1])
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        if scale < 1.0:
            grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        seen = orb_features(np.asarray(grey, np.uint8), FEATURES)
        places, points = [], []
        for descriptors, at in self._enrolled:
            if min(len(seen), len(descriptors)) >= LEAST_PAIRS:
                rows = _pairs(seen.descriptors, descriptors)
                places.append(at[rows[:, 1]])
                points.append(seen.points[rows[:, 0]])
        if sum(map(len, points)) < LEAST_PAIRS:
            return None
        matrix, agree = cv2.findHomography(np.concatenate(places), np.concatenate(points), cv2.USAC_MAGSAC, REACH_PX)
        if matrix is None or int(np.sum(agree)) < LEAST_PAIRS:
            return None
        square = np.array(Rect(0, 0, self.mat.width, self.mat.height).corners)
        corners: NDArray[np.float64] = (project(np.asarray(matrix, np.float64), square) + 0.5) / scale - 0.5
        if not is_upright_quad(corners) or area(corners) < LEAST_SIDE**2:
            return None
        # Few features may agree by chance; the whole ring does not.
        return corners if self._board.lies_in(self._board.seen_squarely(picture, corners)) else None

    def _moved_along(self, before: Plane, shifts: Points) -> Plane | None:
        if len(shifts) < LANDMARKS // 2:
            return None
        square = before.to_picture(Rect(0, 0, self.mat.width, self.mat.height).corners)
        return plane_from_corners(self.mat, square + np.median(shifts, axis=0), before.size, self.lens.k1)

    def _landmarks(self, plane: Plane) -> Sequence[tuple[float, float]]:
        """Return places along the fixed ring: the corners of the square round it may be bare table."""
        middle = self.mat.width / 2
        radius = middle * (self._ring.inner + self._ring.outer) / 2
        turns = [2 * pi * number / LANDMARKS for number in range(LANDMARKS)]
        return [(middle + radius * cos(turn), middle + radius * sin(turn)) for turn in turns]


def _pairs(seen: NDArray[np.uint64], enrolled: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Return (row seen, row enrolled) of descriptors that fit each other clearly better than any other."""
    packed = [np.ascontiguousarray(each).view(np.uint8).reshape(len(each), 32) for each in (seen, enrolled)]
    bits, rows = cv2.batchDistance(packed[0], packed[1], cv2.CV_32S, normType=cv2.NORM_HAMMING, K=2)
    clear = np.flatnonzero(bits[:, 0] < DISTINCT * bits[:, 1])
    return np.stack((clear, rows[clear, 0]), axis=1).astype(np.intp)
