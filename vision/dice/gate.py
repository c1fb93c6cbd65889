"""When the dice in a tray may be read: nothing moves, no hand is in the way.

Frame: the tray's own, a square of VIEW pixels for the tray and a margin round it. Rest is measured in
seconds of frame time.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture

Points = NDArray[np.float64]
View = NDArray[np.int16]

REST_S = 0.4
HAND_LEFT_S = 4.0
"""Something that reaches in from outside and has not moved for so long is taken for part of the table."""

VIEW = 112
_MARGIN = 0.14
_CHANGED = 16
_MOVED_SHARE = 0.0012
_ARM_SHARE = 0.02


@dataclass(frozen=True)
class Stillness:
    """`rest`: seconds for which nothing has moved; `hand`: something reaches in, for `hand_for` seconds."""

    rest: float
    hand: bool
    hand_for: float = 0.0

    @property
    def may_read(self) -> bool:
        return not self.hand and self.rest >= REST_S - 1e-6  # times are sums of tenths


class TrayGate:
    """Watches one tray go by."""

    def __init__(self) -> None:
        self._anchor: View | None = None
        self._settled: View | None = None
        self._moved_at = 0.0
        self._hand_since: float | None = None
        self._hand_still: View | None = None
        self._hand_still_at = 0.0

    def step(self, picture: Picture, tray: Points, at: float) -> Stillness:
        """Judge the next picture; `tray` (4, 2) are the tray's corners in it, its own top left first."""
        view = _view(picture, tray)
        if self._anchor is None:
            self._anchor, self._settled, self._moved_at = view, view, at
            return Stillness(0.0, False)
        if float(np.mean(_differs(self._anchor, view))) > _MOVED_SHARE:
            self._anchor, self._moved_at = view, at
        rest = at - self._moved_at
        hand = self._settled is not None and _reaches_in(_differs(self._settled, view))
        if hand and rest > HAND_LEFT_S:
            hand = False
        self._hand_since = (at if self._hand_since is None else self._hand_since) if hand else None
        if not hand and rest >= REST_S:
            self._settled = view
        return Stillness(rest, hand, 0.0 if self._hand_since is None else at - self._hand_since)


def _view(picture: Picture, tray: Points) -> View:
    low, high = _MARGIN * VIEW / (1 + 2 * _MARGIN), VIEW - _MARGIN * VIEW / (1 + 2 * _MARGIN)
    own = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32) - 0.5
    shrink = max(1.0, float(np.hypot(*(tray[1] - tray[0]))) / VIEW)
    if shrink >= 2:
        small = cv2.resize(picture, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    else:
        small, shrink = picture, 1.0
    matrix = cv2.getPerspectiveTransform(((tray + 0.5) / shrink - 0.5).astype(np.float32), own)
    seen = cv2.warpPerspective(small, matrix, (VIEW, VIEW), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(seen, (3, 3), 0), np.int16)


def _differs(before: View, now: View) -> NDArray[np.bool_]:
    """Return where two views differ by more than light and noise."""
    step = now - before
    # A lamp that flickers changes all pixels alike.
    step = step - np.median(step.reshape(-1, 3), axis=0).astype(np.int16)
    return np.asarray(np.abs(step).max(axis=2) > _CHANGED)


def _reaches_in(differs: NDArray[np.bool_]) -> bool:
    """Tell whether something large touches both the tray and the view's rim: an arm, and no die."""
    mask = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    inner = round(_MARGIN * VIEW / (1 + 2 * _MARGIN))
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] < _ARM_SHARE * VIEW * VIEW:
            continue
        part = labels == label
        rim = part[0].any() or part[-1].any() or part[:, 0].any() or part[:, -1].any()
        if rim and part[inner:-inner, inner:-inner].any():
            return True
    return False
