"""When the table may be read: nothing moves, no hand is in the way.

Rest is measured in seconds of frame time, never in frames, so a slow camera waits no longer than a
fast one.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.mat import Mat, Rect
from vision.plane import Plane
from vision.slots import BORDER_MM, Mask, MatView, bare_paper, bounds, changed_share, changes, cut, darkened

REST_S = 0.4
"""The table is at rest when nothing has moved for this long."""

HAND_STAYS_S = 10.0
MOVED_MM2 = 40.0
HAND_MM2 = 250.0
SLOT_MOVED_SHARE = 0.012
SLOT_CHANGED_SHARE = 0.05
ANCHOR_S = 1.0
RIM_MM = 5.0
ARM_MM = 14.0


@dataclass(frozen=True)
class Stillness:
    """What the gate says about one frame.

    `rest` is for how many seconds nothing has moved, `hand_for` for how many a hand has been in view,
    `covered` names the slots that it hides, `disturbed` those in which something moved in this
    frame, `changed` those that differ from how they looked at `settled_at`, the last rest.
    """

    rest: float
    hand: bool = False
    hand_for: float = 0.0
    covered: frozenset[str] = frozenset()
    disturbed: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    settled_at: float = float("-inf")

    @property
    def is_steady(self) -> bool:
        return not self.hand and self.rest >= REST_S - 1e-6  # times are sums of tenths

    @property
    def hand_stays(self) -> bool:
        """A hand that never leaves: it is time to say so."""
        return self.hand and self.hand_for >= HAND_STAYS_S


class RestGate:
    """Watches the views of one mat go by."""

    def __init__(self, mat: Mat) -> None:
        self.mat = mat
        self._anchor: MatView | None = None
        self._settled: MatView | None = None
        self._anchor_at = self._moved_at = 0.0
        self._settled_at = float("-inf")
        self._hand_since: float | None = None
        self._free = bare_paper(mat)

    def step(self, view: MatView, at: float, plane: Plane) -> Stillness:
        """Judge the next view, taken at `at` seconds."""
        if self._anchor is None:
            self._anchor, self._anchor_at, self._moved_at = view, at, at
            return Stillness(0.0, disturbed=frozenset(slot.key for slot in self.mat.slots))
        moved = changes(self._anchor, view)
        disturbed = {s.key for s in self.mat.slots if changed_share(moved, s.rect, -1.0) > SLOT_MOVED_SHARE}
        if cv2.countNonZero(moved) > MOVED_MM2 or disturbed:
            self._anchor, self._anchor_at, self._moved_at = view, at, at
        elif at - self._anchor_at > ANCHOR_S:
            self._anchor, self._anchor_at = view, at
        since = None if self._settled is None else changes(self._settled, view)
        arm = None if self._settled is None or since is None else self._arm(self._settled, since, view, plane)
        if arm is not None:
            self._hand_since = at if self._hand_since is None else self._hand_since
        else:
            self._hand_since = None
        covered = (
            frozenset()
            if arm is None
            else frozenset(s.key for s in self.mat.slots if changed_share(arm, s.rect, 2.0) > 0.02)
        )
        stillness = Stillness(
            at - self._moved_at,
            arm is not None,
            0.0 if self._hand_since is None else at - self._hand_since,
            covered,
            frozenset(disturbed),
            self._changed(since),
            self._settled_at,
        )
        if stillness.is_steady:
            self._settled, self._settled_at = view, at
        return stillness

    def _changed(self, since: Mask | None) -> frozenset[str]:
        if since is None:
            return frozenset()
        return frozenset(s.key for s in self.mat.slots if changed_share(since, s.rect, 3.0) > SLOT_CHANGED_SHARE)

    def _arm(self, settled: MatView, since: Mask, view: MatView, plane: Plane) -> Mask | None:
        """Return where something reaches over the mat from outside, or None.

        Cards and dice lie inside the mat; an arm crosses its rim. Beyond the rim the table may have
        the arm's own colour, so nothing more is asked there.
        """
        differs = cv2.bitwise_or(since, darkened(settled, view))
        if cv2.countNonZero(differs) < HAND_MM2:
            return None
        mask = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
        number, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        mat_part = Rect(4.0, 4.0, self.mat.width - 8.0, self.mat.height - 8.0)
        edge = _edge_zone(self.mat, plane, mask.shape)
        arm = np.zeros_like(mask)
        for label in range(1, number):
            if stats[label, cv2.CC_STAT_AREA] < HAND_MM2:
                continue
            part = (labels == label).astype(np.uint8)
            if np.count_nonzero(cut(part, mat_part)) < HAND_MM2 or not np.any(part[edge > 0]):
                continue
            # The edge of a shadow is a line; an arm has a body.
            if float(cv2.distanceTransform(part, cv2.DIST_L2, 3).max()) < ARM_MM / 2:
                continue
            if self._has_left(part, settled, view):
                continue
            outline, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
            cv2.fillConvexPoly(arm, cv2.convexHull(np.concatenate(outline)), 255)
        return np.asarray(arm, np.uint8) if np.any(arm) else None

    def _has_left(self, part: Mask, before: MatView, now: MatView) -> bool:
        """Tell a thing that has come from one that has gone: which of the two views shows bare paper there?"""
        where = (part > 0) & self._free
        if np.count_nonzero(where) < 30:
            return False
        return _from_paper(now, where, self._free) < 1.25 * _from_paper(before, where, self._free)


def _from_paper(view: MatView, where: NDArray[np.bool_], free: NDArray[np.bool_]) -> float:
    paper = np.median(view.colour[free][::23], axis=0)
    return float(np.mean(np.abs(view.colour[where].astype(np.float32) - paper)))


def _edge_zone(mat: Mat, plane: Plane, shape: tuple[int, ...]) -> Mask:
    """Return where hands come from: the mat's rim and all beyond it, and the rim of what the camera sees."""
    width, height = plane.size
    seen = plane.to_mat([(1, 1), (width - 2, 1), (width - 2, height - 2), (1, height - 2)]) + BORDER_MM
    inner = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(inner, np.round(seen).astype(np.int32), 255)
    seen_inside = cv2.erode(inner, np.ones((9, 9), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    left, top, right, bottom = bounds(Rect(0, 0, mat.width, mat.height), RIM_MM)
    inside = np.zeros_like(inner)
    inside[top:bottom, left:right] = seen_inside[top:bottom, left:right]
    return np.asarray(cv2.bitwise_not(inside), np.uint8)
