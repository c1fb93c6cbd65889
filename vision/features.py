"""ORB features (Rublee et al., ICCV 2011) and the one packed index that holds those of a whole deck."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

_WORDS_PER_ROOT = 2.3
_SLACK = 8


@dataclass(frozen=True, eq=False)
class Features:
    """ORB features of a picture.

    `points` (n, 2) float32 in pixels, `angles` (n,) degrees clockwise in the image, `sizes` (n,)
    diameters in pixels, `descriptors` (n, 4) uint64 (256 bits).
    """

    points: NDArray[np.float32]
    angles: NDArray[np.float32]
    sizes: NDArray[np.float32]
    descriptors: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.points)

    def only(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Features:
        return Features(self.points[rows], self.angles[rows], self.sizes[rows], self.descriptors[rows])


def orb_features(grey: NDArray[np.uint8], count: int, where: NDArray[np.uint8] | None = None) -> Features:
    """Return up to `count` ORB features of a grey picture, or of the part `where` a mask is not 0.

    The corner threshold is low because pips on a white card have few strong corners; the response
    ranking keeps the strong ones where there are many.
    """
    orb = cv2.ORB.create(nfeatures=count, scaleFactor=1.2, nlevels=6, edgeThreshold=12, patchSize=31, fastThreshold=7)
    keypoints, descriptors = orb.detectAndCompute(grey, where)
    if descriptors is None:
        return Features(
            np.zeros((0, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32), np.zeros((0, 4), np.uint64)
        )
    table = np.array([(*k.pt, k.angle, k.size) for k in keypoints], dtype=np.float32)
    return Features(
        table[:, :2].copy(), table[:, 2].copy(), table[:, 3].copy(), np.ascontiguousarray(descriptors).view(np.uint64)
    )


@dataclass(frozen=True, eq=False)
class Index:
    """All features of a deck, grouped by visual word, so that a look-up compares only likely pairs.

    `owner` is the face of each feature. The words are features of the deck itself, chosen evenly,
    about 2.3 times the square root of their number: the cost of a look-up then grows with the square
    root of the deck (inverted file: Sivic & Zisserman, ICCV 2003).
    """

    features: Features
    owner: NDArray[np.int32]
    words: NDArray[np.uint8]
    starts: NDArray[np.int64]
    entries: NDArray[np.int32]

    @classmethod
    def of(cls, faces: list[Features]) -> Index:
        features = Features(
            np.concatenate([f.points for f in faces]),
            np.concatenate([f.angles for f in faces]),
            np.concatenate([f.sizes for f in faces]),
            np.concatenate([f.descriptors for f in faces]),
        )
        owner = np.repeat(np.arange(len(faces), dtype=np.int32), [len(f) for f in faces])
        total = len(features)
        packed = np.ascontiguousarray(features.descriptors).view(np.uint8).reshape(total, 32)
        count = max(1, min(total, round(_WORDS_PER_ROOT * total**0.5)))
        words = packed[np.linspace(0, total - 1, count).astype(np.intp)] if total else np.zeros((1, 32), np.uint8)
        word = nearest_words(packed, words, 1)[:, 0] if total else np.zeros(0, np.intp)
        entries = np.argsort(word, kind="stable").astype(np.int32)
        starts = np.zeros(len(words) + 1, np.int64)
        np.cumsum(np.bincount(word, minlength=len(words)), out=starts[1:])
        return cls(features, owner, np.ascontiguousarray(words), starts, entries)

    def pairs(self, query: Features, words: int, farthest: int) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
        """Return (query rows, index rows) of features whose descriptors differ in at most `farthest` bits.

        Only features that share one of the query's `words` nearest words are looked at.
        """
        if not len(query) or not len(self.owner):
            return np.zeros(0, np.intp), np.zeros(0, np.int32)
        packed = np.ascontiguousarray(query.descriptors).view(np.uint8).reshape(len(query), 32)
        words = min(words, len(self.words))
        near = nearest_words(packed, self.words, words).ravel()
        begin, length = self.starts[near], self.starts[near + 1] - self.starts[near]
        ends = np.cumsum(length)
        rows = np.repeat(np.arange(len(near)) // words, length)
        found = np.take(self.entries, np.arange(ends[-1]) + np.repeat(begin + length - ends, length))
        # A quarter of the bits rules most pairs out; of those within reach it loses one in a hundred.
        own, other = (
            np.ascontiguousarray(query.descriptors[:, 0]),
            np.ascontiguousarray(self.features.descriptors[:, 0]),
        )
        kept = np.flatnonzero(np.bitwise_count(own[rows] ^ other[found]) <= farthest / 4 + _SLACK)
        rows, found = rows[kept], found[kept]
        bits = np.bitwise_count(query.descriptors[rows] ^ self.features.descriptors[found])
        close = bits.sum(axis=1, dtype=np.int32) <= farthest
        return rows[close], found[close]


def nearest_words(packed: NDArray[np.uint8], words: NDArray[np.uint8], count: int) -> NDArray[np.intp]:
    """Return for each descriptor (n, 32) the rows of its `count` nearest words, shape (n, count)."""
    _, rows = cv2.batchDistance(packed, words, cv2.CV_32S, normType=cv2.NORM_HAMMING, K=min(count, len(words)))
    return np.asarray(rows, dtype=np.intp).reshape(len(packed), -1)
