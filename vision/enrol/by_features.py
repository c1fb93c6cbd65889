"""Reading cards of a deck pack: features alone decide, and what they cannot tell apart stays unsure.

Method: votes of ORB features for a pose of a face, as in `vision.votes`; the best face must have clearly
more features in agreement than the second (ratio test over faces), and of faces that share a drawing
those features decide that only one of them has.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.canvas import Canvas, whole_patch
from vision.deck import Deck
from vision.detections import CardReading, angle_of, quadrant_of
from vision.enrol.pack import has_prints
from vision.features import Features, orb_features
from vision.geometry import is_upright_quad, overlap, project, rectangle
from vision.match import read_patch
from vision.photo import read_photo
from vision.search import FeatureSearch
from vision.votes import Pose, patch_poses

Picture = NDArray[np.uint8]

_FEATURES = 500
_POSES = 8
FEWEST, LIKELY = 16, 9
"""Features that agree from which a card is known, and from which it is guessed."""
RATIO = 1.5
_NEAR, _BITS, _DISTINCT_BITS = 4.0, 64, 72
"""A feature is seen again within so many pixels and differing bits; one that differs in more has no counterpart."""
_FEWEST_DISTINCT = 5
_SAME_PLACE = 0.3


def read_any(patch: Picture, deck: Deck) -> CardReading | None:
    """Read the card in the middle of a patch, by its print or, of a deck pack, by its features."""
    return read_patch(patch, deck) if has_prints(deck) else read_by_features(patch, deck)


@dataclass(frozen=True, eq=False)
class _Case:
    """What speaks for one face."""

    label: str
    pose: Pose
    corners: NDArray[np.float64]


def read_by_features(patch: Picture, deck: Deck) -> CardReading | None:
    """Read the one card in the middle of a patch, BGR; None if the patch is too small to hold one."""
    if min(patch.shape[:2]) < 16:
        return None
    canvas = whole_patch(patch)
    features = orb_features(canvas.grey, _FEATURES)
    names = dict(zip(deck.rows.tolist(), deck.labels, strict=True))
    cases = [
        _Case(names[pose.row], pose, project(pose.matrix, rectangle(*deck.faces.sizes[pose.row])))
        for pose in patch_poses(features, deck, canvas.centre, _POSES)
    ]
    cases = [case for case in cases if is_upright_quad(case.corners)]
    if not cases or cases[0].pose.inliers < LIKELY:
        return _unknown(canvas, cases)
    best = cases[0]
    rivals = [case for case in cases[1:] if case.label != best.label]
    if rivals and best.pose.inliers < RATIO * rivals[0].pose.inliers:
        best, sure = _told_apart(features, deck, cases)
    else:
        sure = best.pose.inliers >= FEWEST
    share = best.pose.inliers / (best.pose.inliers + (rivals[0].pose.inliers if rivals and not sure else 0) + 2.0)
    corners = project(canvas.to_patch, best.corners)
    angle = angle_of(corners)
    ranked = _ranked(cases, best)
    state = "known" if sure else "unsure"
    return CardReading(best.label, state, share, angle, quadrant_of(angle), corners, ranked)  # type: ignore[arg-type]


def _told_apart(features: Features, deck: Deck, cases: list[_Case]) -> tuple[_Case, bool]:
    """Return the likeliest of faces that fit almost equally well, and whether what they do not share says so."""
    best = cases[0]
    near = [case for case in cases if best.pose.inliers < RATIO * case.pose.inliers]
    wins = {case.label: 0 for case in near}
    decided = True
    for index, one in enumerate(near):
        for other in near[index + 1 :]:
            if one.label == other.label:
                continue
            for_one, of_one = _seen_again(features, deck, one, other)
            for_other, of_other = _seen_again(features, deck, other, one)
            share_one, share_other = for_one / max(1, of_one), for_other / max(1, of_other)
            winner = one if share_one >= share_other else other
            wins[winner.label] += 1
            enough = max(of_one, of_other) >= _FEWEST_DISTINCT
            if winner is best or other is best or one is best:
                decided = decided and enough and abs(share_one - share_other) > 0.25
    best = max(near, key=lambda case: (wins[case.label], case.pose.inliers))
    return best, decided and wins[best.label] == len(near) - 1 and best.pose.inliers >= FEWEST


def _seen_again(features: Features, deck: Deck, one: _Case, other: _Case) -> tuple[int, int]:
    """Return how many of the features that only `one` has are seen in the picture, and how many it has."""
    own, theirs = _of(deck, one.pose.row), _of(deck, other.pose.row)
    apart = _differing(own, theirs, own.points, _NEAR)
    distinct = own.only(np.flatnonzero(apart > _DISTINCT_BITS))
    if not len(distinct):
        return 0, 0
    places = project(one.pose.matrix, distinct.points.astype(np.float64)).astype(np.float32)
    return int((_differing(distinct, features, places, 1.5 * _NEAR) <= _BITS).sum()), len(distinct)


def _of(deck: Deck, row: int) -> Features:
    return deck.faces.index.features.only(deck.faces.index.owner == row)


def _differing(one: Features, other: Features, places: NDArray[np.float32], within: float) -> NDArray[np.int32]:
    """Return for each feature in how many bits the most similar one of `other` near its place differs."""
    if not len(other):
        return np.full(len(one), 256, np.int32)
    far = np.linalg.norm(places[:, None] - other.points[None], axis=2) > within
    bits = np.bitwise_count(one.descriptors[:, None] ^ other.descriptors[None]).sum(axis=2, dtype=np.int32)
    bits[far] = 256
    return np.asarray(bits.min(axis=1), np.int32)


def _ranked(cases: list[_Case], best: _Case) -> tuple[tuple[str, float], ...]:
    most = max(case.pose.inliers for case in cases)
    scores = {best.label: 1.0}
    for case in cases:
        scores.setdefault(case.label, round(0.99 * case.pose.inliers / most, 3))
    return tuple(sorted(scores.items(), key=lambda item: -item[1]))[:5]


def _unknown(canvas: Canvas, cases: list[_Case]) -> CardReading:
    corners = project(canvas.to_patch, canvas.expected)
    angle = angle_of(corners)
    candidates = tuple((case.label, round(case.pose.inliers / 100, 3)) for case in cases[:1])
    return CardReading(None, "unknown", 0.5, angle, quadrant_of(angle), corners, candidates)


def read_photo_any(picture: Picture, deck: Deck) -> tuple[CardReading, ...]:
    """Find and read the cards of a whole photograph, by their print or, of a deck pack, by their features."""
    return read_photo(picture, deck) if has_prints(deck) else read_photo_by_features(picture, deck)


def read_slot_any(picture: Picture, deck: Deck, corners: NDArray[np.float64]) -> CardReading | None:
    """Read the card that lies roughly at corners (4, 2) of a picture, by its print or by its features."""
    return read_patch(picture, deck, corners=corners) if has_prints(deck) else _read_at(picture, deck, corners)


def read_photo_by_features(picture: Picture, deck: Deck) -> tuple[CardReading, ...]:
    """Find and read the cards of a deck pack in a whole photograph, BGR; cards of others are not found."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    search = FeatureSearch(grey, deck)
    read: list[CardReading] = []
    for proposal in search.proposals(lambda centre, side: False):
        if any(overlap(proposal.corners, other.corners) > _SAME_PLACE for other in read):
            continue
        reading = _read_at(picture, deck, proposal.corners)
        if reading is not None and reading.state != "unknown":
            read.append(reading)
            search.explain(reading.corners)
    return tuple(sorted(read, key=lambda reading: (reading.centre[1], reading.centre[0])))


def _read_at(picture: Picture, deck: Deck, corners: NDArray[np.float64]) -> CardReading | None:
    """Read the card that lies at corners (4, 2) of a picture."""
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    edge = 0.14 * max(right - left, bottom - top)
    x0, y0 = max(0, int(left - edge)), max(0, int(top - edge))
    patch = picture[y0 : int(bottom + edge) + 1, x0 : int(right + edge) + 1]
    reading = read_by_features(np.ascontiguousarray(patch), deck)
    return None if reading is None else reading.moved(x0, y0)
