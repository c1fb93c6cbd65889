"""Where a face could lie in a picture, from its features.

A feature pair fixes a turn, a scale and with them the place of the card's centre. Pairs that agree
vote for one pose of one face (Hough voting as in Lowe, IJCV 2004, section 7.4); the best poses are
then fitted by RANSAC.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import FEATURE_SIDE, Deck
from vision.features import Features
from vision.geometry import is_upright_quad, project, rectangle

FARTHEST_BITS = 64
_BINS = 12
_WORDS = 2
_SIMILARITY_PIXELS = 9.0
_HOMOGRAPHY_PIXELS = 4.5


@dataclass(frozen=True, eq=False)
class Pose:
    """One face at one place.

    `row` is its row in the deck's arrays, `matrix` (3, 3) maps the face's feature pixels to picture
    pixels, `inliers` is the number of feature pairs that agree with it. `plain` is the similarity
    from which `matrix` was refined.
    """

    row: int
    matrix: NDArray[np.float64]
    inliers: int
    plain: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Feature pairs between a picture and a deck, with what each says about the card's pose.

    `turn` degrees clockwise, `scale` picture pixels per feature pixel, `centre` (n, 2) of the card.
    """

    query: NDArray[np.intp]
    entry: NDArray[np.int32]
    row: NDArray[np.int32]
    turn: NDArray[np.float32]
    scale: NDArray[np.float32]
    centre: NDArray[np.float32]

    def only(self, kept: NDArray[np.bool_] | NDArray[np.intp]) -> Pairs:
        return Pairs(
            self.query[kept], self.entry[kept], self.row[kept], self.turn[kept], self.scale[kept], self.centre[kept]
        )

    def __len__(self) -> int:
        return len(self.query)


def find_pairs(picture: Features, deck: Deck, words: int = _WORDS, farthest: int = FARTHEST_BITS) -> Pairs:
    """Return the likely feature pairs between a picture and the faces of a deck."""
    index = deck.faces.index
    query, entry = index.pairs(picture, words, farthest)
    row = index.owner[entry]
    if len(deck) < len(deck.faces.sizes):
        wanted = np.zeros(len(deck.faces.sizes), bool)
        wanted[deck.rows] = True
        kept = wanted[row]
        query, entry, row = query[kept], entry[kept], row[kept]
    found = index.features
    turn = (picture.angles[query] - found.angles[entry]) % 360.0
    scale = picture.sizes[query] / found.sizes[entry]
    away = deck.faces.sizes[row] * np.float32(0.5) - found.points[entry]
    cosine, sine = np.cos(np.radians(turn)) * scale, np.sin(np.radians(turn)) * scale
    centre = picture.points[query] + np.stack(
        (cosine * away[:, 0] - sine * away[:, 1], sine * away[:, 0] + cosine * away[:, 1]), axis=1
    ).astype(np.float32)
    return Pairs(query, entry, row, turn, scale, centre)


def patch_poses(picture: Features, deck: Deck, centre: tuple[float, float], count: int) -> list[Pose]:
    """Return up to `count` poses of faces whose centre lies near `centre`, most inliers first.

    The picture must be scaled so that the card is about as large as the enrolled faces.
    """
    pairs = find_pairs(picture, deck)
    off = np.hypot(pairs.centre[:, 0] - centre[0], pairs.centre[:, 1] - centre[1])
    near = (off < 0.45 * FEATURE_SIDE) & (np.abs(np.log(pairs.scale)) < 0.65)
    pairs, off = pairs.only(near), off[near]
    if not len(pairs):
        return []
    weight = 1.0 - off / (0.5 * FEATURE_SIDE)
    part = (pairs.turn / (360 / _BINS)).astype(np.intp) % _BINS
    faces = len(deck.faces.sizes)
    votes = np.bincount(pairs.row * _BINS + part, weights=weight, minlength=faces * _BINS).reshape(faces, _BINS)
    votes = votes + np.roll(votes, -1, axis=1)
    best = votes.max(axis=1)
    poses = []
    for row in np.argsort(-best)[:count]:
        if best[row] <= 0:
            break
        middle = (int(votes[row].argmax()) + 1) * (360 / _BINS)
        apart = np.abs((pairs.turn - middle + 180) % 360 - 180)
        pose = fit_pose(picture, deck, pairs.only((pairs.row == row) & (apart < 360 / _BINS)))
        if pose is not None:
            poses.append(pose)
    return sorted(poses, key=lambda pose: -pose.inliers)


def fit_pose(
    picture: Features, deck: Deck, pairs: Pairs, fewest: int = 5, pixels: float = _SIMILARITY_PIXELS
) -> Pose | None:
    """Fit one pose to the pairs of one face: a similarity, then a homography where there are enough.

    `pixels` is how far a pair may lie off the similarity, in picture pixels.
    """
    if len(pairs) < fewest:
        return None
    source = deck.faces.index.features.points[pairs.entry]
    target = picture.points[pairs.query]
    similarity, mask = cv2.estimateAffinePartial2D(
        source, target, method=cv2.RANSAC, ransacReprojThreshold=pixels, maxIters=400, confidence=0.995
    )
    if similarity is None:
        return None
    inside = mask.ravel().astype(bool)
    inliers = len(np.unique(pairs.query[inside]))
    if inliers < fewest:
        return None
    plain = np.asarray(np.vstack((similarity, (0.0, 0.0, 1.0))), dtype=np.float64)
    matrix = plain
    if inliers >= 12:
        reach = source @ similarity[:, :2].T + similarity[:, 2]
        wide = np.hypot(*(reach - target).T) < 2 * pixels
        exact, mask = cv2.findHomography(
            source[wide], target[wide], cv2.RANSAC, pixels * _HOMOGRAPHY_PIXELS / _SIMILARITY_PIXELS
        )
        if exact is not None and is_upright_quad(project(exact, rectangle(*deck.faces.sizes[pairs.row[0]]))):
            agreed = len(np.unique(pairs.query[wide][mask.ravel().astype(bool)]))
            if agreed >= 0.8 * inliers:
                matrix, inliers = np.asarray(exact, dtype=np.float64), agreed
    return Pose(int(pairs.row[0]), matrix, inliers, plain)
