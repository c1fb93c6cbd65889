"""Telling look-alikes apart: a picture of a card, squarely warped, against the likely faces.

Every hypothesis is a face at a quarter turn. The winner must not only correlate best: for each rival
it is asked, in the places where the two differ, whose print lies there.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.canvas import View
from vision.deck import TEXTURE_STEPS, Deck
from vision.texture import FINE

_SMOOTH = 1.2
_SHIFTS = (-2, 0, 2)
_GLARE = 250
_BRIGHT = 215
_BLOCK = 24
_HUE_SHARE = 0.1


@dataclass(frozen=True)
class Verdict:
    """How one face at one turn fits.

    `row` in the deck, `turn` quarter turns clockwise in the view, `score` the correlation (-1 to 1),
    `hue` that of the colours, `margin` to its nearest rival (1: exactly this print where they
    differ, 0: half way, -1: exactly the rival's).
    """

    row: int
    turn: int
    score: float
    hue: float
    margin: float


@dataclass(frozen=True)
class Judgement:
    """`verdicts` best first; `worst` and `agree` tell whether the best face fits everywhere.

    The view is cut into 8 x 8 blocks; `agree` is the share of those with print that correlate,
    `worst` the lowest correlation of a block that prints something in both.
    """

    verdicts: tuple[Verdict, ...]
    agree: float
    worst: float


def judge(view: View, deck: Deck, hypotheses: list[tuple[int, int]]) -> Judgement:
    """Rank the hypotheses (row, turn) for a view."""
    textures = [_face(deck, row, turn) for row, turn in hypotheses]
    sheets = [np.rot90(deck.faces.colours[row], -turn) for row, turn in hypotheses]
    seen = np.asarray(cv2.GaussianBlur(view.texture, (0, 0), _SMOOTH), dtype=np.float32)
    clear = _clear(view, sheets[0])
    scores = [_correlation(seen, face, clear) for face in textures]
    hues = [_hue_correlation(view.lab, sheet) for sheet in sheets]
    order = sorted(range(len(hypotheses)), key=lambda k: -(scores[k] + _HUE_SHARE * hues[k]))
    best = order[0]
    margins = {k: _margin(seen, textures[best], textures[k], clear) for k in order[1:]}
    # The best correlation need not win the direct comparisons; then the one that beats it leads.
    for rival in order[1:4]:
        if margins[rival] < 0:
            best = rival
            margins = {k: _margin(seen, textures[best], textures[k], clear) for k in order if k != best}
            break
    verdicts = [
        Verdict(*hypotheses[best], scores[best], hues[best], min(margins.values(), default=1.0)),
        *(Verdict(*hypotheses[k], scores[k], hues[k], -margins[k]) for k in order if k != best),
    ]
    agree, worst = _blocks(seen, textures[best], clear)
    return Judgement(tuple(verdicts), agree, worst)


def _face(deck: Deck, row: int, turn: int) -> NDArray[np.float32]:
    texture = np.rot90(deck.faces.fine[row], -turn).astype(np.float32) * np.float32(1 / TEXTURE_STEPS)
    return np.asarray(cv2.GaussianBlur(np.ascontiguousarray(texture), (0, 0), _SMOOTH), dtype=np.float32)


def _clear(view: View, sheet: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return 1 where the view says something, 0 in blown-out places that the face prints darker."""
    white = (view.grey >= _GLARE).astype(np.uint8)
    if not white.any():
        return np.ones((FINE, FINE), np.float32)
    blown = np.asarray(cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), dtype=bool)
    bright = np.asarray(cv2.resize(np.ascontiguousarray(sheet[:, :, 0]), (FINE, FINE))) > _BRIGHT
    glare = cv2.dilate((blown & ~bright).astype(np.uint8), np.ones((7, 7), np.uint8))
    return np.asarray(1 - glare, dtype=np.float32)


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32], weight: NDArray[np.float32]) -> float:
    total = float(weight.sum()) + 1e-6
    a = one - float(np.vdot(one, weight)) / total
    b = other - float(np.vdot(other, weight)) / total
    aw = a * weight
    return float(np.vdot(aw, b) / (np.sqrt(np.vdot(aw, a) * np.vdot(b * weight, b)) + 1e-6))


def _hue_correlation(seen: NDArray[np.uint8], sheet: NDArray[np.uint8]) -> float:
    a = seen[:, :, 1:].reshape(-1, 2).astype(np.float32)
    b = sheet[:, :, 1:].reshape(-1, 2).astype(np.float32)
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    # 3 levels of colour noise on every pixel keep a grey card from being all noise.
    noise = 9.0 * a.size
    return float(np.vdot(a, b) / np.sqrt((np.vdot(a, a) + noise) * (np.vdot(b, b) + noise)))


def _blocks(seen: NDArray[np.float32], face: NDArray[np.float32], clear: NDArray[np.float32]) -> tuple[float, float]:
    step = _BLOCK // 2
    size = (_BLOCK, _BLOCK)

    def mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.boxFilter(values, -1, size)[step::step, step::step], dtype=np.float32)

    a, b = mean(seen), mean(face)
    cross = mean(seen * face) - a * b
    own, other = mean(seen * seen) - a * a, mean(face * face) - b * b
    told = (other > 0.15) & (mean(clear) > 0.9)
    if not told.any():
        return 0.0, 0.0
    local = cross / np.sqrt(np.maximum(own, 0.05) * np.maximum(other, 0.05))
    return float((local[told] > 0.5).mean()), float(local[told].min())


def _margin(
    seen: NDArray[np.float32], one: NDArray[np.float32], other: NDArray[np.float32], clear: NDArray[np.float32]
) -> float:
    """Say where between two prints the view lies, in the places where they differ (1 one, -1 other).

    Each print may shift by two pixels, since no fit is exact to the pixel.
    """
    apart = one - other
    energy = apart * apart * clear
    total = float(energy.sum())
    if total < 1.0:
        return 0.0
    square = float(np.vdot(apart * apart, energy))
    lean = float(np.vdot((2 * seen - one - other) * apart, energy)) / (square + 1e-6)
    if abs(lean) > 0.7:
        return float(np.clip(lean, -1.0, 1.0))
    rows = np.flatnonzero(energy.sum(axis=1) > 0.02 * total / FINE)
    columns = np.flatnonzero(energy.sum(axis=0) > 0.02 * total / FINE)
    top, bottom = max(2, rows[0]), min(FINE - 2, rows[-1] + 1)
    left, right = max(2, columns[0]), min(FINE - 2, columns[-1] + 1)
    weight = energy[top:bottom, left:right]
    costs = []
    for face in (one, other):
        still = face[top:bottom, left:right]
        cost = np.inf
        for dy in _SHIFTS:
            for dx in _SHIFTS:
                moved = seen[top + dy : bottom + dy, left + dx : right + dx] - still
                cost = min(cost, float(np.vdot(moved * moved, weight)))
        costs.append(cost)
    return float(np.clip((costs[1] - costs[0]) / (square + 1e-6), -1.0, 1.0))
