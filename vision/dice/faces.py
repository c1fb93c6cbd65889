"""The faces of an owner's dice: enrolled from one picture each, recognised at any turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.fit import FINE, ROUGH, fit, look_at
from vision.picture import SUFFIXES, PictureError, read_picture

Picture = NDArray[np.uint8]

SIDE = 96
"""Pixels of a kept face."""

TWIN = 0.93
"""Faces that score so high against each other cannot be told apart for sure."""

_FINALISTS, _MAY_WIN = 5, 0.2
"""So many faces, and none that is so far behind at a first look, are compared with care."""
_LEAST_APART = 0.02
_RIM = 0.25


class FacesError(ValueError):
    """Faces that cannot be enrolled or loaded; the message is a sentence for the person."""


@dataclass(frozen=True)
class Match:
    """Enrolled faces that fit a seen one, best first: (label, score); a score of 1 is a perfect fit.

    `apart` is by how much a perfect picture of the best face would fit it better than the next one.
    """

    ranked: tuple[tuple[str, float], ...]
    apart: float = 1.0

    @property
    def label(self) -> str:
        return self.ranked[0][0]

    @property
    def score(self) -> float:
        return self.ranked[0][1]

    @property
    def lead(self) -> float:
        """How far the best face is ahead of the next one: 1 if as far as these two can be, 0 if not at all."""
        if len(self.ranked) == 1:
            return 1.0
        return min(1.0, (self.score - self.ranked[1][1]) / self.apart)


@dataclass(frozen=True)
class Alike:
    """Two enrolled faces that look alike, the second turned clockwise by `turn` quarters."""

    first: str
    second: str
    turn: int

    @property
    def says(self) -> str:
        """What is wrong, and what to do."""
        if self.turn == 0:
            return f"{self.first} and {self.second} look the same; photograph them again or give them one label"
        how = "upside down" if self.turn == 2 else "turned by a quarter"
        return (
            f"{self.second} looks like {self.first} {how}: a die may lie at any turn, so mark one of them with a dot "
            f"or a line under the digit and photograph it again"
        )


class DieFaces:
    """All faces that the dice of one owner may show, by label."""

    def __init__(self, faces: Mapping[str, Picture]) -> None:
        """Learn the faces, each a picture of the upper face from edge to edge.

        :raises FacesError: if there is none.
        """
        if not faces:
            raise FacesError("no face was given; photograph each face of the die once")
        self.labels = tuple(faces)
        self._kept = [_kept(face) for face in faces.values()]
        self._rough, self._fine = look_at(self._kept, ROUGH), look_at(self._kept, FINE)
        self._apart: dict[int, NDArray[np.float32]] = {}

    @classmethod
    def from_folder(cls, folder: Path) -> DieFaces:
        """Load `<label>.png` or `.jpg` for each face.

        :raises FacesError: if there is no picture, two have one label, or one cannot be read.
        """
        files = sorted(f for f in folder.iterdir() if f.suffix.lower() in SUFFIXES) if folder.is_dir() else []
        if not files:
            raise FacesError(f"{folder} holds no faces of dice; enrol them with `companion enrol {folder} --dice`")
        twice = next((f for f in files if sum(f.stem == other.stem for other in files) > 1), None)
        if twice is not None:
            raise FacesError(f"{folder} holds two pictures called {twice.stem}; keep one of them")
        try:
            return cls({file.stem: read_picture(file) for file in files})
        except PictureError as error:
            raise FacesError(str(error)) from None

    def __len__(self) -> int:
        return len(self.labels)

    def match(self, patch: Picture, margin: float) -> Match:
        """Rank the enrolled faces for a square patch that shows a face with `margin` of its edge around it."""
        scores = self._scores(patch, margin)
        order = np.argsort(-scores)
        apart = self._from_others(int(order[0]))[order[1]] if len(order) > 1 else 1.0
        return Match(tuple((self.labels[k], float(scores[k])) for k in order[:5]), float(apart))

    def _scores(self, patch: Picture, margin: float) -> NDArray[np.float32]:
        return fit(patch, margin, self._rough, self._fine, _FINALISTS, _MAY_WIN)

    def _from_others(self, one: int) -> NDArray[np.float32]:
        """Return by how much a perfect picture of `one` fits it better than it fits each face."""
        if one not in self._apart:
            rim = round(_RIM * SIDE)
            face = cv2.copyMakeBorder(self._kept[one], rim, rim, rim, rim, cv2.BORDER_REPLICATE)
            scores = self._scores(np.asarray(face, np.uint8), rim / SIDE)
            self._apart[one] = np.maximum(scores[one] - scores, _LEAST_APART)
        return self._apart[one]

    def alike(self) -> tuple[Alike, ...]:
        """Return pairs of faces that a camera cannot tell apart, at the turn at which they are most alike."""
        found = []
        for turn in range(4):
            turned = look_at([np.ascontiguousarray(np.rot90(face, -turn)) for face in self._kept], FINE)
            scores = turned.scores(self._fine)
            found += [
                (float(scores[k, other]), k, other, turn)
                for k in range(len(self))
                for other in range(k)
                if scores[k, other] > TWIN
            ]
        best: dict[tuple[int, int], tuple[float, int]] = {}
        for score, k, other, turn in found:
            if score > best.get((other, k), (0.0, 0))[0]:
                best[other, k] = (score, turn)
        return tuple(Alike(self.labels[one], self.labels[two], turn) for (one, two), (_, turn) in best.items())


def _kept(face: Picture) -> Picture:
    height, width = face.shape[:2]
    if min(height, width) < 12:
        raise FacesError(f"a face of at least 12 x 12 pixels was expected, found {width} x {height}; go nearer")
    return np.asarray(cv2.resize(face, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)
