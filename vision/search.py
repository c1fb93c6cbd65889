"""Where cards could lie in a whole photograph: outlines, and poses that feature pairs vote for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import FEATURE_SIDE, Deck
from vision.features import Features, orb_features
from vision.geometry import area, is_upright_quad, project, rectangle, within
from vision.outline import find_quads, merged
from vision.tilt import laid_out, seen_from_above
from vision.votes import Pairs, find_pairs, fit_pose

Quad = NDArray[np.float64]

_SCALES = ((1400, 2600), (700, 1500), (350, 800))
"""Longer side in pixels and number of features: each scale reaches cards 2.5 times as large."""

_FEW = 0.15
"""Share of the cards for which alone no scale is searched: outlines can be wrong."""

_SHIMMERS = 0.8
"""Scale below which a picture is smoothed before every so many of its pixels are taken."""

_OUTLINE_SIDE = 960
_PER_CARD, _COUNTS = 120, (500, 2600)
"""Features taken for each card that there is room for, and in all."""

_UNIT = rectangle(1, 1)

_SMALLEST, _LARGEST = 0.005, 0.95
"""Area of a card as a share of the photograph."""

_TURN_BIN = 30.0
_SCALE_BIN = 0.4
_CELL = 0.4
"""Cells of the vote: degrees, logarithm of the scale, share of the card's side."""

_WORDS = 2
_FARTHEST = 58
_PIXELS = 7.0
_FEWEST_VOTES = 6
_FEWEST_INLIERS = 6
_LEAST_PRINT = 4.0

_MOST_POSES = 60
_MANY, _BACKS = 20, 5.0


@dataclass(frozen=True, eq=False)
class Proposal:
    """A face that may lie in the photograph: its own corners (4, 2) in pixels, feature pairs that agree.

    `plain` are the corners without perspective, which hold where only a strip of the card shows. `backing`
    is the number of features of the photograph that each agree with one of the face's own, `share` that of
    all features of the place where they lie.
    """

    label: str
    corners: NDArray[np.float64]
    inliers: int
    plain: NDArray[np.float64]
    backing: int
    share: float


def find_outlines(grey: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
    """Return four-sided outlines (4, 2) in pixels of a grey photograph that could be cards, largest first."""
    small, scale = reduced(grey, _OUTLINE_SIDE)
    whole = float(small.shape[0] * small.shape[1])
    quads = find_quads(small, _SMALLEST * whole, _LARGEST * whole)
    quads = merged(sorted(quads, key=lambda quad: -area(quad)))
    return [(quad + 0.5) / scale - 0.5 for quad in quads]


def photo_features(
    grey: NDArray[np.uint8], read: Sequence[NDArray[np.float64]] = (), sizes: Sequence[float] = ()
) -> Features:
    """Return ORB features of a photograph, in its own pixels, outside of cards `read` (corners of each).

    Cards of all sizes are covered, unless `sizes` of cards, in pixels a side, tell how large they are here.
    """
    found = []
    small, scale = grey, 1.0
    for (side, count), is_wanted in zip(_SCALES, _wanted_scales(max(grey.shape), sizes), strict=True):
        small, times = reduced(small, side)
        scale *= times
        if not is_wanted:
            continue
        where = _outside(small.shape, [(quad + 0.5) * scale - 0.5 for quad in read])
        if where is not None:
            count = round(count * cv2.countNonZero(where) / where.size)
        features = orb_features(small, count, where)
        found.append(
            Features(
                ((features.points + 0.5) / scale - 0.5).astype(np.float32),
                features.angles,
                (features.sizes / scale).astype(np.float32),
                features.descriptors,
            )
        )
    return Features(
        np.concatenate([f.points for f in found]),
        np.concatenate([f.angles for f in found]),
        np.concatenate([f.sizes for f in found]),
        np.concatenate([f.descriptors for f in found]),
    )


def _wanted_scales(longest: int, sizes: Sequence[float]) -> NDArray[np.bool_]:
    """Say at which scales features are worth taking: where cards of these sizes are as large as the enrolled faces."""
    if not len(sizes):
        return np.ones(len(_SCALES), bool)
    scales = np.array([min(1.0, side / longest) for side, _ in _SCALES])
    off = np.abs(np.log(np.outer(sizes, scales) / FEATURE_SIDE))
    nearest = np.bincount(off.argmin(axis=1), minlength=len(_SCALES))
    return np.asarray(nearest >= _FEW * len(sizes), dtype=bool)


def _features_from_above(
    grey: NDArray[np.uint8], flat: NDArray[np.float64], size: tuple[int, int], read: Sequence[Quad]
) -> Features:
    """Return ORB features of the table seen from above, drawn in `size` by the map `flat` (3, 3) of a photograph."""
    table = np.asarray(cv2.warpPerspective(grey, flat, size, flags=cv2.INTER_LINEAR), dtype=np.uint8)
    seen = cv2.warpPerspective(np.full(grey.shape, 255, np.uint8), flat, size, flags=cv2.INTER_NEAREST)
    mask = np.asarray(cv2.erode(seen, np.ones((5, 5), np.uint8), borderValue=0), dtype=np.uint8)
    for quad in read:
        cv2.fillConvexPoly(mask, np.round(project(flat, quad)).astype(np.int32), 0)
    free = cv2.countNonZero(mask) / FEATURE_SIDE**2
    return orb_features(table, int(np.clip(_PER_CARD * free, *_COUNTS)), mask)


def _aspect(deck: Deck) -> float:
    sizes = deck.faces.sizes[deck.rows]
    return float(np.median(sizes[:, 0] / sizes[:, 1]))


def _outside(shape: tuple[int, ...], quads: Sequence[NDArray[np.float64]]) -> NDArray[np.uint8] | None:
    if not len(quads):
        return None
    mask = np.full(shape, 255, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 0)
    return mask


class FeatureSearch:
    """Proposals of a photograph one after the other; features of cards already read vote for nothing more."""

    def __init__(
        self, grey: NDArray[np.uint8], deck: Deck, read: Sequence[Quad] = (), like: Sequence[Quad] = ()
    ) -> None:
        """Take the features of a grey photograph that lie in none of the cards `read`, (4, 2) each.

        Cards `like` those that are looked for, on the same table, say how large they are and how the camera leans.
        """
        self._deck = deck
        self._names = dict(zip(deck.rows.tolist(), deck.labels, strict=True))
        size = (grey.shape[1], grey.shape[0])
        above = seen_from_above(like, _aspect(deck), size)
        self._flat = np.eye(3)
        if above is None:
            self._features = photo_features(grey, read, [area(quad) ** 0.5 for quad in like])
        else:
            self._flat, drawn = laid_out(above, size, like, FEATURE_SIDE)
            self._features = _features_from_above(grey, self._flat, drawn, read)
        self._back = np.asarray(np.linalg.inv(self._flat), dtype=np.float64)
        self._free = np.ones(len(self._features), bool)

    def explain(self, corners: Quad) -> None:
        """Take the features inside a card that was read, (4, 2) in pixels, out of the search.

        Else the pips of a card would go on voting for other cards that lie half beside it.
        """
        self._free &= ~within(project(self._flat, corners), self._features.points)

    def proposals(self, is_explained: Callable[[tuple[float, float], float], bool]) -> Iterator[Proposal]:
        """Yield faces that features place somewhere, those with the most votes first.

        Copies of a card vote at different places, so each is a proposal of its own. A place is left
        out if `is_explained(centre, side)` says that a card of about that side was looked for there.
        """
        open_ = np.flatnonzero(self._free)
        pairs = find_pairs(self._features.only(open_), self._deck, words=_WORDS, farthest=_FARTHEST)
        if not len(pairs):
            return
        pairs = replace(pairs, query=open_[pairs.query])
        for members in _clusters(pairs, self._deck):
            own = pairs.only(members[self._free[pairs.query[members]]])
            if len(own) < _FEWEST_VOTES:
                continue
            scale = float(np.median(own.scale))
            size = self._deck.faces.sizes[own.row[0]]
            middle = np.median(own.centre, axis=0)
            if is_explained(*self._in_photograph(middle, scale * float(size.prod()) ** 0.5)):
                continue
            pose = fit_pose(self._features, self._deck, own, fewest=_FEWEST_INLIERS, pixels=_PIXELS * scale)
            if pose is None:
                continue
            plain = project(self._back @ pose.plain, rectangle(*size))
            corners = project(self._back @ pose.matrix, rectangle(*size))
            if not is_upright_quad(corners):
                corners = plain
            if not is_upright_quad(corners):
                continue
            backing = self._backing(own, pose.plain, _BACKS * scale) if pose.inliers >= _MANY else (0, 0.0)
            yield Proposal(self._names[pose.row], corners, pose.inliers, plain, *backing)

    def _in_photograph(self, middle: NDArray[np.floating], side: float) -> tuple[tuple[float, float], float]:
        """Return where in the photograph a place of the search lies, and how long a side is there."""
        quad = project(self._back, middle + side * _UNIT)
        x, y = quad.mean(axis=0).tolist()
        return (x, y), abs(area(quad)) ** 0.5

    def _backing(self, pairs: Pairs, pose: NDArray[np.float64], pixels: float) -> tuple[int, float]:
        """Count features that agree one to one with a pose; the pips of a card agree many to many."""
        seen = self._features.points[pairs.query]
        own = self._deck.faces.index.features.points[pairs.entry].astype(np.float64)
        agree = np.hypot(*(project(pose, own) - seen).T) < pixels
        count = min(len(np.unique(pairs.query[agree])), len(np.unique(pairs.entry[agree])))
        if count < 3:
            return 0, 0.0
        hull = cv2.convexHull(seen[agree], clockwise=False).reshape(-1, 2)
        return count, count / max(count, int((self._free & within(hull, self._features.points)).sum()))


def _clusters(pairs: Pairs, deck: Deck) -> list[NDArray[np.intp]]:
    """Group pairs that agree on face, turn, scale and centre; the fullest groups first."""
    side = np.sqrt(deck.faces.sizes.prod(axis=1))[pairs.row]
    level = np.log(pairs.scale) / _SCALE_BIN
    groups: list[tuple[int, NDArray[np.intp]]] = []
    # Two grids, half a cell apart, so that no cluster is cut by a border in both.
    for shift in (0.0, 0.5):
        step = np.floor(level + shift)
        cell = _CELL * side * np.exp(step * _SCALE_BIN)
        keys = np.stack(
            (
                pairs.row.astype(np.int64),
                np.floor(((pairs.turn / _TURN_BIN) + shift) % (360 / _TURN_BIN)).astype(np.int64),
                step.astype(np.int64),
                np.floor(pairs.centre[:, 0] / cell + shift).astype(np.int64),
                np.floor(pairs.centre[:, 1] / cell + shift).astype(np.int64),
            ),
            axis=1,
        )
        keys -= keys.min(axis=0)
        flat = np.zeros(len(keys), np.int64)
        for column in keys.T:
            flat = flat * (int(column.max()) + 1) + column
        _, place, count = np.unique(flat, return_inverse=True, return_counts=True)
        order = np.argsort(place, kind="stable")
        ends = np.cumsum(count)
        groups += [
            (int(count[group]), order[ends[group] - count[group] : ends[group]])
            for group in np.flatnonzero(count >= _FEWEST_VOTES)
        ]
    groups.sort(key=lambda item: -item[0])
    return [members for _, members in groups[: 2 * _MOST_POSES]]


def is_printed(grey: NDArray[np.uint8], quad: NDArray[np.float64]) -> bool:
    """Say whether there is anything inside an outline; an empty frame is no card."""
    side = 48
    inner = rectangle(side, side).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(inner, quad.astype(np.float32))
    view = cv2.warpPerspective(grey, matrix, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    middle = view[6:-6, 6:-6].astype(np.float32)
    detail = middle - cv2.GaussianBlur(middle, (0, 0), 6)
    return float(detail.std()) > _LEAST_PRINT


def reduced(grey: NDArray[np.uint8], side: int) -> tuple[NDArray[np.uint8], float]:
    """Return a picture whose longer side is `side` pixels, or the picture itself if it is smaller, and its scale."""
    scale = side / max(grey.shape)
    if scale >= 1:
        return grey, 1.0
    # Halving is next to free; other averages over areas are not.
    small, left = grey, scale
    while left <= 0.5:
        even = small[: small.shape[0] // 2 * 2, : small.shape[1] // 2 * 2]
        size = (even.shape[1] // 2, even.shape[0] // 2)
        small, left = np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), 2 * left
    if left < _SHIMMERS:
        small = np.asarray(cv2.GaussianBlur(small, (3, 3), 0), dtype=np.uint8)
    small = np.asarray(cv2.resize(small, None, fx=left, fy=left, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    return small, scale
