"""Keep the table plane while the game goes on: a cheap check per frame, a new estimate after a bump."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from companion.table.mat import Mat, Rect
from vision.anchors import Anchor, cut_anchors, found_again, shifts
from vision.frame import Frame
from vision.lens import LensMemory
from vision.plane import MatNotFoundError, Plane, Points, plane_from_corners, plane_from_markers

ANCHOR_MM = 20.0
"""The side of a landmark's window."""
MOVED_PX = 0.8
PATIENCE_S = 2.0
RETRY_S = 0.25
BETTER_S = 2.0
BETTER = 0.8
"""A plane from few markers is replaced when more are in view and its expected error falls to this share."""


class PlaneTracker:
    """Follows the mat from frame to frame.

    Between bumps only small windows around the markers (or tapped corners) are compared with how they
    looked at the last estimate. Hands over some of them do no harm. Tapped corners are found again after a
    larger bump by how they looked; what looks like nothing before asks for new taps.
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
        self._anchors: tuple[Anchor, ...] = ()
        self._recalled: tuple[Points, tuple[Anchor, ...]] | None = None
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

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """By what tapped corners can be found again, today and another evening; empty while markers serve."""
        return self._anchors if self._tapped else ()

    def recall_corners(self, corners: ArrayLike, anchors: Sequence[Anchor]) -> None:
        """Begin with corners that were tapped on another evening (pixels), where the next pictures show them.

        As long as nothing there looks as it did then, and no marker is seen either, `follow` says so.

        :param anchors: what they looked like then
        """
        self._recalled = (np.asarray(corners, np.float64), tuple(anchors))

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
            return self._begin(frame)
        if frame.at < self._tried_at:  # another recording, or the same one again
            self._seen_at = self._tried_at = frame.at
        moved_by = shifts(self._anchors, frame.picture)
        self._certain = len(moved_by) >= 2 and float(np.median(np.hypot(*moved_by.T))) < MOVED_PX
        if self._certain:
            self._seen_at = frame.at
            return self._improved(self.plane, frame)
        if self._tapped and (moved := self._moved_along(self.plane, moved_by)) is not None:
            self.bumps += 1
            self._adopt(moved, frame)
            return moved
        if frame.at - self._tried_at < RETRY_S:
            return self.plane
        self._tried_at = frame.at
        try:
            return self._find_again(frame)
        except MatNotFoundError:
            if frame.at - self._seen_at > PATIENCE_S:
                raise
            return self.plane

    def _begin(self, frame: Frame) -> Plane:
        if self._recalled is None:
            return self._estimate(frame)
        corners, anchors = self._recalled
        where = found_again(anchors, frame.picture, corners)
        if where is not None:
            return self.use_corners(where, frame)
        try:
            return self._estimate(frame)
        except MatNotFoundError:
            raise MatNotFoundError(
                "the camera may stand elsewhere than when the mat's corners were set: "
                "drag each corner that does not lie on the mat's own, or one a little if all do"
            ) from None

    def _improved(self, plane: Plane, frame: Frame) -> Plane:
        if self._tapped or len(plane.markers) == len(self.mat.markers) or frame.at - self._tried_at < BETTER_S:
            return plane
        self._tried_at = frame.at
        try:
            better = self._found(frame)
        except MatNotFoundError:
            return plane
        if better.spread_mm > BETTER * plane.spread_mm:
            return plane
        self._adopt(better, frame)
        return better

    def _find_again(self, frame: Frame) -> Plane:
        if not self._tapped:
            return self._estimate(frame)
        corners = self._last_corners()
        where = None if corners is None else found_again(self._anchors, frame.picture, corners)
        if where is None:
            raise MatNotFoundError("the mat or the camera was moved: put it back or tap the mat's four corners again")
        self.bumps += 1
        return self.use_corners(where, frame)

    def _last_corners(self) -> Points | None:
        """Return where the mat's corners were last, in pixels."""
        if self.plane is None:
            return None
        return self.plane.to_picture(Rect(0, 0, self.mat.width, self.mat.height).corners)

    def _estimate(self, frame: Frame) -> Plane:
        plane = self._found(frame)
        if self.plane is not None:
            self.bumps += 1
        self._adopt(plane, frame)
        return plane

    def _found(self, frame: Frame) -> Plane:
        """Return the plane that this frame alone shows.

        :raises MatNotFoundError: if it shows none.
        """
        plane = plane_from_markers(self.mat, frame.picture, self.lens.k1)
        if plane.view is not None:
            self.lens.learn(plane.view, frame.size)
        return plane

    def _moved_along(self, before: Plane, shifts: Points) -> Plane | None:
        """Return where tapped corners are after a small bump that moved the landmarks by `shifts`, if they tell."""
        if len(shifts) < 4:
            return None
        corners = before.to_picture(Rect(0, 0, self.mat.width, self.mat.height).corners) + shifts
        return plane_from_corners(self.mat, corners, before.size, self.lens.k1)

    def _adopt(self, plane: Plane, frame: Frame) -> None:
        self.plane = plane
        self._seen_at = self._tried_at = frame.at
        self._certain = True
        half = int(np.clip(plane.px_per_mm(self.mat) * ANCHOR_MM / 2, 6, 40))
        self._anchors = cut_anchors(frame.picture, plane.to_picture(self._landmarks(plane)), half)

    def _landmarks(self, plane: Plane) -> Sequence[tuple[float, float]]:
        """Return where on the mat (mm) something stands by which it is followed."""
        if self._tapped:
            return Rect(0, 0, self.mat.width, self.mat.height).corners
        return [marker.rect.centre for marker in self.mat.markers if marker.id in plane.markers]
