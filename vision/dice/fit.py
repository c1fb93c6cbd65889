"""Laying an enrolled face over a seen one: how each is described, and the place at which they fit best.

A face is compared as a whole, marks and colours together: lightness and colour of a grid of cells, freed
from their means and brought to one length, so that a lamp's strength does not matter; a face without
any mark stays near zero. Its mean colour counts separately.

Where the face lies in the picture is only roughly known. It is tried at four quarter turns and a grid of
small turns, sizes and shifts on few cells, then moved on more cells by Gauss and Newton's steps, leaning
and stretched as the camera may see it (an affine map, as in Lucas and Kanade's registration).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Rows = NDArray[np.float32]

ROUGH, FINE = 12, 24
"""Cells along a face's edge, for a first look and for the last."""

_BLUR = 0.45
"""Faces are blurred by this share of a cell before they are compared."""
_FAINT = 4.0
"""Length of the contrast vector for each cell of an edge at which a mark counts half; noise stays far below."""
_BRIGHT = 190.0
_COLOUR = 1.4
_CHROMA_SPAN = 95.0
_NOTHING = np.zeros((0, 0), np.float32)
_SHOWN = 0.8
"""The outermost rim of a face is rounded off and not compared."""
_STARTS, _FITS_WELL = 2, 0.9
_ROUNDS = 5
_REACH = np.array((0.04, 0.04, 0.02, 0.04, 0.04, 0.02), np.float32)
"""Steps in which the slope of a pose is taken: its four linear parts, its shifts (third and sixth) in edges."""
_SIZES, _LONGEST, _FURTHEST = (0.7, 1.45), 1.2, 0.22
"""What a pose may be: its size against the face's, one of its axes against the other, its shift."""


@dataclass(frozen=True, eq=False)
class Look:
    """n faces as they are compared: marks (n, 3 * cells^2), of length up to 1, its square (n,), mean colours (n, 3)."""

    marks: Rows
    marked: Rows
    colours: Rows
    cells: int

    def __getitem__(self, which: NDArray[np.intp]) -> Look:
        return Look(self.marks[which], self.marked[which], self.colours[which], self.cells)

    def scores(self, others: Look) -> Rows:
        """Return how well each fits each of the others, (n, others); 1 is a perfect fit."""
        # |a - b|^2 / 2 of vectors of length up to 1; where both are bare it is 0, which is a fit.
        square = self.marked[:, None] + others.marked[None]
        apart = np.maximum(square / 2 - _product(self.marks, others.marks), 0.0)
        chroma = np.linalg.norm(self.colours[:, None, :] - others.colours[None], axis=2) / _CHROMA_SPAN
        return np.asarray(1 - apart - np.minimum(chroma, 1.0), np.float32)


def look_at(faces: Sequence[Picture], cells: int) -> Look:
    """Describe square faces, each from edge to edge."""
    upright = np.array([(1, 0, 0, 0, 1, 0)], np.float32)
    looks = [_seen(face, 0.0, upright, cells) for face in faces]
    parts = ([each.marks for each in looks], [each.marked for each in looks], [each.colours for each in looks])
    marks, marked, colours = (np.concatenate(part) for part in parts)
    return Look(marks, marked, colours, cells)


def fit(patch: Picture, margin: float, rough: Look, fine: Look, finalists: int, may_win: float) -> Rows:
    """Return how well each face described in `rough` and `fine` fits the one in a square patch, (faces,).

    The patch shows the seen face with `margin` of its edge around it. So many finalists, and none that is
    further behind than `may_win` at the first look, are compared with care; the others stay behind them.
    """
    first = _seen(patch, margin, _COARSE, rough.cells).scores(rough)
    best = first.max(axis=0)
    kept = np.argsort(-best)[:finalists]
    kept = kept[best[kept] > best[kept[0]] - may_win]
    quarters = first[:, kept].reshape(4, -1, len(kept))
    likely, poses = np.argsort(-quarters.max(axis=1), axis=0), quarters.argmax(axis=1)
    last = np.full(len(kept), -2.0, np.float32)
    for quarter in likely[:_STARTS]:
        # Seen leaning, a face may look likeliest in a wrong quarter: where nothing fits well, all begin once more.
        if last.max() < _FITS_WELL:
            start = quarter * quarters.shape[1] + poses[quarter, np.arange(len(kept))]
            last = np.maximum(last, _refined(patch, margin, _COARSE[start], fine, kept))
    scores = np.minimum(best, last.min()) - may_win
    scores[kept] = last
    return np.asarray(scores, np.float32)


def _refined(patch: Picture, margin: float, poses: Rows, faces: Look, which: NDArray[np.intp]) -> Rows:
    """Move each of the faces `which` from its pose to where it fits best; return how well it does there."""
    steps = np.concatenate((np.zeros((1, 6)), np.diag(_REACH), -np.diag(_REACH))).astype(np.float32)
    best = np.full(len(which), -2.0, np.float32)
    free = np.arange(len(which))
    wanted = faces[which]
    for turn in range(_ROUNDS):
        last = turn == _ROUNDS - 1
        tried = poses[free, None] + (steps[:1] if last else steps)[None]
        seen = _seen(patch, margin, tried.reshape(-1, 6), faces.cells)
        scores = seen.scores(wanted).reshape(len(free), -1, len(which))
        own = scores[np.arange(len(free)), 0, free]
        gained = own > best[free] + 1e-3
        best[free] = np.maximum(best[free], own)
        if last:
            break
        marks = seen.marks.reshape(len(free), len(steps), -1)
        moved = [_step(marks[k], wanted.marks[face]) for k, face in enumerate(free)]
        poses[free] += np.array(moved, np.float32)
        free = free[gained & _may_be(poses[free])]
        if not len(free):
            break
    return best


def _step(marks: Rows, wanted: Rows) -> Rows:
    """Return by how much to move a pose: `marks` (13, d) are seen there, and a step to and fro along each part."""
    slope = (marks[1:7] - marks[7:13]) / (2 * _REACH[:, None])
    hessian = slope @ slope.T
    hessian += np.diag(0.02 * np.diag(hessian) + 1e-3)
    step = np.linalg.solve(hessian, slope @ (wanted - marks[0]))
    return np.asarray(np.clip(step, -3 * _REACH, 3 * _REACH), np.float32)


def _may_be(poses: Rows) -> NDArray[np.bool_]:
    linear = poses[:, (0, 1, 3, 4)].reshape(-1, 2, 2)
    long, short = np.moveaxis(np.linalg.svd(linear, compute_uv=False), -1, 0)
    size = np.sqrt(long * short)
    shift = np.hypot(poses[:, 2], poses[:, 5])
    fits = (_SIZES[0] < size) & (size < _SIZES[1]) & (long < _LONGEST * short) & (shift < _FURTHEST)
    return np.asarray(fits)


def _poses(angles: Sequence[float], scales: Sequence[float], shifts: Sequence[float]) -> Rows:
    """Return all combinations at four quarter turns as affine maps by rows, shifts in edges."""
    turns = np.radians([90.0 * quarter + angle for quarter in range(4) for angle in angles])
    rows = [
        (scale * np.cos(t), -scale * np.sin(t), x, scale * np.sin(t), scale * np.cos(t), y)
        for t in turns
        for scale in scales
        for x in shifts
        for y in shifts
    ]
    return np.array(rows, np.float32)


_COARSE = _poses((-11.0, 0.0, 11.0), (0.86, 1.0, 1.17), (-0.08, 0.0, 0.08))


def _seen(patch: Picture, margin: float, poses: Rows, cells: int) -> Look:
    """Describe the patch's face as it is seen in each pose."""
    side = patch.shape[0]
    edge = side / (1 + 2 * margin)
    soft = cv2.GaussianBlur(patch, (0, 0), max(0.3, _BLUR * _SHOWN * edge / cells))
    x, y = _cells(cells)
    columns = (poses[:, 0:1] * x + poses[:, 1:2] * y + poses[:, 2:3]) * edge + (side - 1) / 2
    rows = (poses[:, 3:4] * x + poses[:, 4:5] * y + poses[:, 5:6]) * edge + (side - 1) / 2
    seen = cv2.remap(
        soft, columns.astype(np.float32), rows.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return _described(np.asarray(seen, np.float32).reshape(len(poses), -1, 3), cells)


@lru_cache
def _cells(count: int) -> tuple[Rows, Rows]:
    """Return where the cells of an upright face lie, in edges from its middle."""
    steps = ((np.arange(count) + 0.5) / count - 0.5) * _SHOWN
    x, y = np.meshgrid(steps, steps)
    return np.asarray(x.ravel(), np.float32), np.asarray(y.ravel(), np.float32)


def _described(faces: Rows, cells: int) -> Look:
    """Describe faces (n, cells^2, 3) in BGR."""
    # A dim lamp weakens marks and colours alike: every face is brought to one brightness first.
    most = np.maximum(np.maximum(faces[:, :, 0], faces[:, :, 1]), faces[:, :, 2])
    level = np.percentile(most, 70, axis=1).astype(np.float32)
    lit = np.clip(faces * (_BRIGHT / np.maximum(level, 20.0))[:, None, None], 0, 255)
    lab = cv2.cvtColor(lit.astype(np.uint8), cv2.COLOR_BGR2LAB).astype(np.float32)
    square = lab.reshape(len(faces), cells, cells, 3)
    means = square.sum(axis=1).sum(axis=1) / np.float32(cells**2)
    square = (square - means[:, None, None]) * np.array((1.0, _COLOUR, _COLOUR), np.float32)
    # A lamp at the side makes one edge lighter than the other: what falls evenly across a face is no mark.
    steps = (np.arange(cells, dtype=np.float32) - (cells - 1) / 2) / np.float32(_length(cells))
    along = (square.sum(axis=1) * steps[:, None]).sum(axis=1)
    down = (square.sum(axis=2) * steps[:, None]).sum(axis=1)
    square -= along[:, None, None] * steps[:, None] + down[:, None, None] * steps[:, None, None]
    rows = square.reshape(len(faces), -1)
    length = cv2.reduce(cv2.multiply(rows, rows), 1, cv2.REDUCE_SUM)
    # The lamp changes how light a face is much more than its colour.
    colours = means * np.array((0.35, 1.0, 1.0), np.float32)
    marked = np.asarray(length / (length + (_FAINT * cells) ** 2), np.float32)
    return Look(rows * np.sqrt(marked / np.maximum(length, 1e-6)), marked[:, 0], colours, cells)


def _product(one: Rows, other: Rows) -> Rows:
    """Return one @ other.T; OpenCV's stays on this thread."""
    return np.asarray(cv2.gemm(one, other, 1.0, _NOTHING, 0.0, flags=cv2.GEMM_2_T), np.float32)


@lru_cache
def _length(cells: int) -> float:
    """Return the length of a slope across the cells that rises by 1 from one to the next."""
    steps = np.arange(cells) - (cells - 1) / 2
    return float(np.sqrt(cells * (steps**2).sum()))
