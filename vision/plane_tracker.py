"""Keep the table plane while the game goes on: a cheap check per frame, a new estimate after a bump."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.table.mat import Mat, Rect
from vision.frame import Frame
from vision.lens import LensMemory
from vision.plane import MatNotFoundError, Plane, Points, plane_from_corners, plane_from_markers

REACH_PX = 9
"""A bump smaller than this is measured, a larger one is noticed by the anchors looking wrong."""

MOVED_PX = 0.8
LIKE = 0.75
"""Normalised correlation from which an anchor is taken to be in view and itself."""

PATIENCE_S = 2.0
RETRY_S = 0.25
BETTER_S = 2.0
BETTER = 0.8
"""A plane from few markers is replaced when more are in view and its expected error falls to this share."""


@dataclass(frozen=True, eq=False)
class _Anchor:
    """A landmark of the mat: its place, its grey template and the template's top left pixel."""

    template: NDArray[np.uint8]
    corner: tuple[int, int]


class PlaneTracker:
    """Follows the mat from frame to frame.

    Between bumps only small windows around the markers (or tapped corners) are compared with how they
    looked at the last estimate. Hands over some of them do no harm. With tapped corners there is
    nothing to detect again, so a larger bump asks for new taps.
    """

    def __init__(self, mat: Mat, lens: LensMemory | None = None) -> None:
        """Prepare to follow.

        :param lens: what is known of the lens; it is learned on from every estimate
        """
        self.mat = mat
        self.plane: Plane | None = None
        self.lens = lens or LensMemory()
        self.bumps = 0
        """How often the plane was estimated anew since the first time."""
        self._anchors: tuple[_Anchor, ...] = ()
        self._tapped = False
        self._certain = False
        self._seen_at = 0.0
        self._tried_at = float("-inf")

    @property
    def is_certain(self) -> bool:
        """False while the anchors look wrong and no new estimate could be made yet."""
        return self._certain

    def use_corners(self, corners: ArrayLike, frame: Frame) -> Plane:
        """Take four tapped corners (pixels of `frame`, clockwise from the mat's top left).

        :raises MatNotFoundError: if they cannot be the corners of a mat; the former plane is kept.
        """
        plane = plane_from_corners(self.mat, corners, frame.size, self.lens.k1)
        self._tapped = True
        self._adopt(plane, frame)
        return plane

    def find(self, frame: Frame) -> Plane:
        """Return the plane of a single photograph: nothing is taken over from an earlier frame but tapped corners.

        :raises MatNotFoundError: if the mat is not in the picture.
        """
        if self.plane is not None and self._tapped and self.plane.size == frame.size:
            return self.plane
        self.plane, self._tapped = None, False
        return self._estimate(frame)

    def follow(self, frame: Frame) -> Plane:
        """Return the plane for `frame`.

        :raises MatNotFoundError: if the mat is not in the picture, or has been out of sight or moved for
            more than two seconds.
        """
        if self.plane is not None and self.plane.size != frame.size:
            self.plane, self._tapped, self.lens = None, False, LensMemory()  # another resolution is another camera
        if self.plane is None:
            return self._estimate(frame)
        if frame.at < self._tried_at:  # another recording, or the same one again
            self._seen_at = self._tried_at = frame.at
        shifts = self._shifts(frame)
        self._certain = len(shifts) >= 2 and float(np.median(np.hypot(*shifts.T))) < MOVED_PX
        if self._certain:
            self._seen_at = frame.at
            return self._improved(self.plane, frame)
        if self._tapped and len(shifts) >= 4:
            return self._shift_corners(self.plane, shifts, frame)
        if frame.at - self._tried_at < RETRY_S:
            return self.plane
        self._tried_at = frame.at
        try:
            if self._tapped:
                raise MatNotFoundError(
                    "the mat or the camera was moved: put it back or tap the mat's four corners again"
                )
            return self._estimate(frame)
        except MatNotFoundError:
            if frame.at - self._seen_at > PATIENCE_S:
                raise
            return self.plane

    def _improved(self, plane: Plane, frame: Frame) -> Plane:
        if self._tapped or len(plane.markers) == len(self.mat.markers) or frame.at - self._tried_at < BETTER_S:
            return plane
        self._tried_at = frame.at
        try:
            better = self._from_markers(frame)
        except MatNotFoundError:
            return plane
        if better.spread_mm > BETTER * plane.spread_mm:
            return plane
        self._adopt(better, frame)
        return better

    def _estimate(self, frame: Frame) -> Plane:
        plane = self._from_markers(frame)
        if self.plane is not None:
            self.bumps += 1
        self._adopt(plane, frame)
        return plane

    def _from_markers(self, frame: Frame) -> Plane:
        plane = plane_from_markers(self.mat, frame.picture, self.lens.k1)
        if plane.view is not None:
            self.lens.learn(plane.view, frame.size)
        return plane

    def _shift_corners(self, before: Plane, shifts: Points, frame: Frame) -> Plane:
        corners = before.to_picture(Rect(0, 0, self.mat.width, self.mat.height).corners) + shifts
        plane = plane_from_corners(self.mat, corners, frame.size, self.lens.k1)
        self.bumps += 1
        self._adopt(plane, frame)
        return plane

    def _adopt(self, plane: Plane, frame: Frame) -> None:
        self.plane = plane
        self._seen_at = self._tried_at = frame.at
        self._certain = True
        grey = cv2.cvtColor(frame.picture, cv2.COLOR_BGR2GRAY)
        places = (
            Rect(0, 0, self.mat.width, self.mat.height).corners
            if self._tapped
            else [marker.rect.centre for marker in self.mat.markers if marker.id in plane.markers]
        )
        half = int(np.clip(plane.px_per_mm(self.mat) * self.mat.markers[0].rect.width * 0.45, 6, 40))
        anchors = []
        for x, y in plane.to_picture(places):
            left, top = round(x) - half, round(y) - half
            template = grey[max(top, 0) : top + 2 * half + 1, max(left, 0) : left + 2 * half + 1]
            if min(template.shape) > half:
                anchors.append(_Anchor(np.asarray(template, np.uint8).copy(), (max(left, 0), max(top, 0))))
        self._anchors = tuple(anchors)

    def _shifts(self, frame: Frame) -> Points:
        """Return how far each anchor that is in view has moved, n x 2 pixels."""
        width, height = frame.size
        found = []
        for anchor in self._anchors:
            left, top = anchor.corner
            tall, wide = anchor.template.shape
            x0, y0 = max(left - REACH_PX, 0), max(top - REACH_PX, 0)
            window = frame.picture[y0 : min(top + tall + REACH_PX, height), x0 : min(left + wide + REACH_PX, width)]
            grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)
            likeness = np.asarray(cv2.matchTemplate(grey, anchor.template, cv2.TM_CCOEFF_NORMED), np.float32)
            _, best, _, (x, y) = cv2.minMaxLoc(likeness)
            if best >= LIKE:
                dx, dy = _peak(likeness, x, y)
                found.append((x0 + x + dx - left, y0 + y + dy - top))
        return np.array(found, np.float64).reshape(-1, 2)


def _peak(likeness: NDArray[np.float32], x: int, y: int) -> tuple[float, float]:
    """Refine a maximum by a parabola through its neighbours, in pixels."""

    def vertex(before: float, at: float, after: float) -> float:
        bend = before - 2 * at + after
        return 0.0 if bend >= 0 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))

    height, width = likeness.shape
    across = vertex(*map(float, likeness[y, x - 1 : x + 2])) if 0 < x < width - 1 else 0.0
    down = vertex(*map(float, likeness[y - 1 : y + 2, x])) if 0 < y < height - 1 else 0.0
    return across, down
