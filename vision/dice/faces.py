"""The faces of an owner's dice: enrolled from one picture each, recognised at any turn.

A face is compared as a whole, marks and colours together: lightness and colour of 20 x 20 places, freed
from their means and brought to one length, so that a lamp's strength does not matter; a face without
any mark stays near zero. Its mean colour counts separately. The place of the face in the picture is
only roughly known, so a seen face is tried at four quarter turns and a grid of small turns, sizes and
shifts, and where it fits best once more with finer steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import SUFFIXES, PictureError, read_picture

Picture = NDArray[np.uint8]
Rows = NDArray[np.float32]

SIDE = 96
"""Pixels of a kept face."""

TWIN = 0.93
"""Faces that score so high against each other cannot be told apart for sure."""

_CELLS = 20
_SMOOTH = 2.2
_FAINT = 80.0
"""Length of the contrast vector at which a mark counts half; noise on a bare face stays far below."""
_BRIGHT = 190.0
_COLOUR = 1.4
_CHROMA_SPAN = 95.0
_FINALISTS, _MAY_WIN = 8, 0.15
"""So many faces, and none that is so far behind, are compared once more with finer steps."""
_NOTHING = np.zeros((0, 0), np.float32)
_SHOWN = 0.8
"""The outermost rim of a face is rounded off and not compared."""


class FacesError(ValueError):
    """Faces that cannot be enrolled or loaded; the message is a sentence for the person."""


@dataclass(frozen=True)
class Match:
    """Enrolled faces that fit a seen one, best first: (label, score); a score of 1 is a perfect fit."""

    ranked: tuple[tuple[str, float], ...]

    @property
    def label(self) -> str:
        return self.ranked[0][0]

    @property
    def score(self) -> float:
        return self.ranked[0][1]

    @property
    def lead(self) -> float:
        """How far the best face is ahead of the next one."""
        return self.score - (self.ranked[1][1] if len(self.ranked) > 1 else 0.0)


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
        described = [_described(face[None].astype(np.float32)) for face in map(_middle, self._kept)]
        self._marks = np.concatenate([marks for marks, _ in described])
        self._colours = np.concatenate([colours for _, colours in described])

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
        rough = self._scores(patch, margin, _COARSE)
        best = rough.max(axis=0)
        order = np.argsort(-best)
        kept = [int(k) for k in order[:_FINALISTS] if best[k] > best[order[0]] - _MAY_WIN]
        poses = _COARSE[np.unique(rough[:, kept].argmax(axis=0))]
        near = np.concatenate([_around(pose) for pose in poses])
        fine = self._scores(patch, margin, near).max(axis=0)
        scores = np.maximum(best, np.where(np.isin(np.arange(len(best)), kept), fine, -1.0))
        order = np.argsort(-scores)
        return Match(tuple((self.labels[k], float(scores[k])) for k in order[:5]))

    def _scores(self, patch: Picture, margin: float, poses: Rows) -> Rows:
        """Return how well each enrolled face fits the patch in each pose, (poses, faces)."""
        marks, colours = _described(_seen(patch, margin, poses))
        # |a - b|^2 / 2 of vectors of length up to 1; where both are bare it is 0, which is a fit.
        square = (marks**2).sum(axis=1)[:, None] + (self._marks**2).sum(axis=1)[None]
        product = cv2.gemm(marks, self._marks, 1.0, _NOTHING, 0.0, flags=cv2.GEMM_2_T)
        apart = np.maximum(square / 2 - product, 0.0)
        chroma = np.linalg.norm(colours[:, None, :] - self._colours[None], axis=2) / _CHROMA_SPAN
        return np.asarray(1 - apart - np.minimum(chroma, 1.0), np.float32)

    def alike(self) -> tuple[Alike, ...]:
        """Return pairs of faces that a camera cannot tell apart, at the turn at which they are most alike."""
        found = []
        for k, face in enumerate(self._kept):
            for turn in range(4):
                turned = np.ascontiguousarray(np.rot90(face, -turn))
                marks, colours = _described(_middle(turned)[None].astype(np.float32))
                apart = ((marks - self._marks) ** 2).sum(axis=1) / 2
                scores = 1 - apart - np.linalg.norm(colours - self._colours, axis=1) / _CHROMA_SPAN
                found += [(float(scores[other]), k, other, turn) for other in range(k) if scores[other] > TWIN]
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


def _middle(face: Picture) -> Picture:
    """Return what is compared of a face, at the size at which it is compared."""
    rim = round(SIDE * (1 - _SHOWN) / 2)
    inner = cv2.GaussianBlur(face, (0, 0), _SMOOTH)[rim:-rim, rim:-rim]
    return np.asarray(cv2.resize(inner, (_CELLS, _CELLS), interpolation=cv2.INTER_AREA), np.uint8)


def _poses(quarters: Sequence[int], angles: Sequence[float], scales: Sequence[float], shifts: Sequence[float]) -> Rows:
    """Return all combinations as rows: degrees clockwise, scale, shift right and down in edges."""
    turns = [90.0 * quarter + angle for quarter in quarters for angle in angles]
    rows = [(turn, scale, x, y) for turn in turns for scale in scales for x in shifts for y in shifts]
    return np.array(rows, np.float32)


_COARSE = _poses((0, 1, 2, 3), (-9.0, 0.0, 9.0), (1.0,), (-0.06, 0.0, 0.06))
_FINE = _poses((0,), (-4.5, 0.0, 4.5), (0.0,), (-0.03, 0.0, 0.03))


def _around(pose: Rows) -> Rows:
    return np.concatenate([pose + _FINE + (0.0, scale, 0.0, 0.0) for scale in (-0.07, 0.0, 0.07)]).astype(np.float32)


def _seen(patch: Picture, margin: float, poses: Rows) -> Rows:
    """Return the patch's face as it is seen in each pose, (poses, cells, cells, 3)."""
    side = patch.shape[0]
    edge = side / (1 + 2 * margin)
    soft = cv2.GaussianBlur(patch, (0, 0), max(0.3, _SMOOTH * edge / SIDE))
    turn = np.radians(poses[:, 0])
    across, down = (poses[:, 1] * np.cos(turn))[:, None], (poses[:, 1] * np.sin(turn))[:, None]
    x, y = _cells()
    columns = ((across * x - down * y + poses[:, 2:3]) * edge + (side - 1) / 2).astype(np.float32)
    rows = ((down * x + across * y + poses[:, 3:4]) * edge + (side - 1) / 2).astype(np.float32)
    seen = cv2.remap(soft, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(-1, _CELLS, _CELLS, 3)


@lru_cache(maxsize=1)
def _cells() -> tuple[Rows, Rows]:
    """Return where the cells of an upright face lie, in edges from its middle."""
    steps = ((np.arange(_CELLS) + 0.5) / _CELLS - 0.5) * _SHOWN
    x, y = np.meshgrid(steps, steps)
    return np.asarray(x.ravel(), np.float32), np.asarray(y.ravel(), np.float32)


def _described(faces: Rows) -> tuple[Rows, Rows]:
    """Return the marks (n, 3 * cells^2), of length up to 1, and the mean colours (n, 3).

    `faces` are (n, cells, cells, 3).
    """
    count = len(faces)
    # A dim lamp weakens marks and colours alike: every face is brought to one brightness first.
    level = np.percentile(faces.max(axis=3).reshape(count, -1), 70, axis=1).astype(np.float32)
    faces = faces * (_BRIGHT / np.maximum(level, 20.0))[:, None, None, None]
    flat = np.clip(faces, 0, 255).astype(np.uint8).reshape(count * _CELLS, _CELLS, 3)
    lab = cv2.cvtColor(flat, cv2.COLOR_BGR2LAB).astype(np.float32).reshape(count, -1, 3)
    means = lab.mean(axis=1)
    away = (lab - means[:, None]) * np.array((1.0, _COLOUR, _COLOUR), np.float32)
    slopes = _slopes()
    # A lamp at the side makes one edge lighter than the other: what falls evenly across a face is no mark.
    away -= np.einsum("pk,nkc->npc", slopes, np.einsum("pk,npc->nkc", slopes, away))
    rows = away.reshape(count, -1)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    # The lamp changes how light a face is much more than its colour.
    return rows / np.sqrt(length**2 + _FAINT**2), means * np.array((0.35, 1.0, 1.0), np.float32)


@lru_cache(maxsize=1)
def _slopes() -> Rows:
    """Return the two directions of light falling across the cells, each of length 1, (cells^2, 2)."""
    steps = np.arange(_CELLS) - (_CELLS - 1) / 2
    x, y = np.meshgrid(steps, steps)
    slopes = np.stack((x.ravel(), y.ravel()), axis=1)
    return np.asarray(slopes / np.linalg.norm(slopes, axis=0), np.float32)
