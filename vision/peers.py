"""OpenCV's plain matchers, run beside ours on the same photographs so that the ratio can be seen.

The usual recipe: features of the photo against each face, the ratio test, a homography by RANSAC,
the best face first, its area emptied, and again until nothing has enough inliers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import angle_of
from vision.geometry import is_upright_quad, project, rectangle

Kind = Literal["orb", "sift"]

_RATIO = {"orb": 0.8, "sift": 0.75}
_FEWEST = 12
_FACE_FEATURES = 800


@dataclass(frozen=True, eq=False)
class PlainReading:
    """A face that a plain matcher places: its own corners (4, 2) in pixels."""

    label: str
    corners: NDArray[np.float64]
    inliers: int

    @property
    def angle(self) -> float:
        return angle_of(self.corners)


@dataclass(frozen=True, eq=False)
class _Described:
    points: NDArray[np.float32]
    descriptors: NDArray[Any]
    size: tuple[int, int]


class PlainMatcher:
    """ORB or SIFT with RANSAC over a whole photograph, `features` of them in the photo."""

    def __init__(self, kind: Kind, faces: Mapping[str, NDArray[np.uint8]], features: int = 4000) -> None:
        self._ratio = _RATIO[kind]
        self._finder = _finder(kind, features)
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING if kind == "orb" else cv2.NORM_L2)
        finder = _finder(kind, _FACE_FEATURES)
        self._faces = {label: _described(finder, face) for label, face in faces.items()}

    def read_slot(
        self, picture: NDArray[np.uint8], corners: NDArray[np.float64], without: str | None = None
    ) -> PlainReading | None:
        """Return the best face in the place with about these corners (4, 2), a fifth of it added all round."""
        low, high = corners.min(axis=0), corners.max(axis=0)
        edge = 0.2 * (high - low)
        left, top = np.maximum(low - edge, 0).astype(int).tolist()
        right, bottom = (high + edge).astype(int).tolist()
        found = self.read(picture[top:bottom, left:right], without, most=1)
        return (
            PlainReading(found[0].label, found[0].corners + np.array((left, top)), found[0].inliers) if found else None
        )

    def read(
        self, picture: NDArray[np.uint8], without: str | None = None, most: int | None = None
    ) -> list[PlainReading]:
        """Return what is found in a BGR photograph, best first; the face `without` is not looked for."""
        photo = _described(self._finder, picture)
        free = np.ones(len(photo.points), bool)
        matches = {label: self._pairs(face, photo) for label, face in self._faces.items() if label != without}
        found: list[PlainReading] = []
        while True:
            best: PlainReading | None = None
            counts = {label: int(np.count_nonzero(free[seen])) for label, (_, seen) in matches.items()}
            for label in sorted(matches, key=counts.__getitem__, reverse=True):
                if best is not None and counts[label] <= best.inliers:
                    break  # no more inliers than pairs: nothing that follows can be better
                own, seen = matches[label]
                kept = free[seen]
                reading = self._placed(label, own[kept], photo.points[seen[kept]])
                if reading is not None and (best is None or reading.inliers > best.inliers):
                    best = reading
            if best is not None:
                found.append(best)
            if best is None or len(found) == most:
                return found
            outline = best.corners.astype(np.float32)
            within = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in photo.points]
            free &= ~np.array(within, bool)

    def _pairs(self, face: _Described, photo: _Described) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        if len(face.points) < 2 or len(photo.points) < 2:
            return np.zeros((0, 2), np.float32), np.zeros(0, np.intp)
        # Each feature of the photo looks for its face, so that copies of a card do not spoil the ratio.
        near = self._matcher.knnMatch(photo.descriptors, face.descriptors, k=2)
        good = [pair[0] for pair in near if len(pair) == 2 and pair[0].distance < self._ratio * pair[1].distance]
        own = np.array([face.points[m.trainIdx] for m in good], np.float32).reshape(-1, 2)
        return own, np.array([m.queryIdx for m in good], np.intp)

    def _placed(self, label: str, own: NDArray[np.float32], seen: NDArray[np.float32]) -> PlainReading | None:
        if len(own) < _FEWEST:
            return None
        matrix, mask = cv2.findHomography(own, seen, cv2.RANSAC, 5.0)
        if matrix is None or int(mask.sum()) < _FEWEST:
            return None
        corners = project(np.asarray(matrix, np.float64), rectangle(*self._faces[label].size))
        return PlainReading(label, corners, int(mask.sum())) if is_upright_quad(corners) else None


def _finder(kind: Kind, features: int) -> cv2.Feature2D:
    return cv2.ORB.create(nfeatures=features) if kind == "orb" else cv2.SIFT.create(nfeatures=features)


def _described(finder: cv2.Feature2D, picture: NDArray[np.uint8]) -> _Described:
    keypoints, descriptors = finder.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
    points = np.array([k.pt for k in keypoints], np.float32).reshape(-1, 2)
    size = (picture.shape[1], picture.shape[0])
    return _Described(points, np.zeros((0, 32), np.uint8) if descriptors is None else descriptors, size)
