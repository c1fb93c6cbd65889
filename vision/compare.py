"""Telling look-alikes apart: a picture of a card, squarely warped, against the likely faces.

Every hypothesis is a face at a quarter turn. The winner must not only correlate best: for each rival
it is asked, in the places where the two differ, whose print lies there.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.texture import COLOURS, FINE, fine_texture

_SMOOTH = 1.2
_SHIFTS = (-2, 0, 2)
_GLARE = 250
_BRIGHT = 215


@dataclass(frozen=True)
class Verdict:
    """How one face at one turn fits: `row` in the deck, `turn` quarter turns clockwise in the view,
    `score` the correlation (-1 to 1), `hue` that of the colours, `margin` to its nearest rival
    (1: exactly this print where they differ, 0: half way, -1: exactly the rival's)."""

    row: int
    turn: int
    score: float
    hue: float
    margin: float


@dataclass(frozen=True, eq=False)
class View:
    """A card warped to a square of FINE pixels: `grey` uint8, `texture` float32 and `lab` uint8
    (COLOURS, COLOURS, 3)."""

    grey: NDArray[np.uint8]
    texture: NDArray[np.float32]
    lab: NDArray[np.uint8]

    @classmethod
    def of(cls, canvas: NDArray[np.uint8], matrix: NDArray[np.float64]) -> View:
        """Warp a BGR canvas; `matrix` (3, 3) maps view pixels to canvas pixels."""
        colour = cv2.warpPerspective(
            canvas, matrix, (FINE, FINE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        small = cv2.resize(colour, (COLOURS, COLOURS), interpolation=cv2.INTER_AREA)
        return cls(grey, fine_texture(grey), np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), dtype=np.uint8))


def judge(view: View, deck: Deck, hypotheses: list[tuple[int, int]]) -> list[Verdict]:
    """Rank the hypotheses (row, turn) for a view; the first is the best, with its margin."""
    textures = [_face(deck, row, turn) for row, turn in hypotheses]
    sheets = [np.rot90(deck.faces.colours[row], -turn) for row, turn in hypotheses]
    seen = np.asarray(cv2.GaussianBlur(view.texture, (0, 0), _SMOOTH))
    clear = _clear(view, sheets[0])
    scores = np.array([_correlation(seen, face, clear) for face in textures])
    hues = np.array([_hue_correlation(view.lab, sheet) for sheet in sheets])
    order = np.argsort(-(scores + 0.1 * hues), kind="stable")
    best = int(order[0])
    # The best correlation need not win the direct comparisons; then the one that beats it leads.
    for rival in order[1:4]:
        if _margin(seen, textures[best], textures[int(rival)], clear) < 0:
            best = int(rival)
    margins = [
        _margin(seen, textures[best], textures[other], clear) if other != best else np.inf
        for other in range(len(hypotheses))
    ]
    ranked = [best, *(int(k) for k in order if k != best)]
    return [
        Verdict(
            *hypotheses[k],
            score=float(scores[k]),
            hue=float(hues[k]),
            margin=float(min(margins)) if k == best else -float(margins[k]),
        )
        for k in ranked
    ]


def _face(deck: Deck, row: int, turn: int) -> NDArray[np.float32]:
    texture = deck.faces.fine[row].astype(np.float32) * np.float32(1 / 32)
    return np.asarray(cv2.GaussianBlur(np.ascontiguousarray(np.rot90(texture, -turn)), (0, 0), _SMOOTH))


def _clear(view: View, sheet: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return 1 where the view says something, 0 in blown-out places that the face prints darker."""
    blown = cv2.morphologyEx((view.grey >= _GLARE).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    if not blown.any():
        return np.ones((FINE, FINE), np.float32)
    bright = cv2.resize(np.ascontiguousarray(sheet[:, :, 0]), (FINE, FINE)) > _BRIGHT
    glare = cv2.dilate(blown & ~bright, np.ones((7, 7), np.uint8))
    return np.asarray(1 - glare, dtype=np.float32)


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32], weight: NDArray[np.float32]) -> float:
    total = float(weight.sum()) + 1e-6
    a = one - float((one * weight).sum()) / total
    b = other - float((other * weight).sum()) / total
    aw = a * weight
    return float(np.vdot(aw, b) / (np.sqrt(np.vdot(aw, a) * np.vdot(b * weight, b)) + 1e-6))


def _hue_correlation(seen: NDArray[np.uint8], sheet: NDArray[np.uint8]) -> float:
    a = seen[:, :, 1:].astype(np.float32).reshape(-1, 2) - 128
    b = sheet[:, :, 1:].astype(np.float32).reshape(-1, 2) - 128
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    # 3 levels of colour noise on every pixel keep a grey card from being all noise.
    noise = 9.0 * a.size
    return float((a * b).sum() / np.sqrt(((a * a).sum() + noise) * ((b * b).sum() + noise)))


def _margin(
    seen: NDArray[np.float32], one: NDArray[np.float32], other: NDArray[np.float32], clear: NDArray[np.float32]
) -> float:
    """Say where between two prints the view lies, in the places where they differ (1 one, -1 other).

    Each print may shift by two pixels, since no fit is exact to the pixel.
    """
    apart = one - other
    energy = apart * apart * clear
    rows = np.flatnonzero(energy.sum(axis=1) > 0.02 * energy.sum() / FINE)
    columns = np.flatnonzero(energy.sum(axis=0) > 0.02 * energy.sum() / FINE)
    total = float(energy.sum())
    if total < 1.0 or not len(rows) or not len(columns):
        return 0.0
    top, bottom = max(2, rows[0]), min(FINE - 2, rows[-1] + 1)
    left, right = max(2, columns[0]), min(FINE - 2, columns[-1] + 1)
    weight = energy[top:bottom, left:right]
    reach = float(weight.sum())
    if reach <= 0:
        return 0.0
    costs = []
    for face in (one, other):
        still = face[top:bottom, left:right]
        cost = np.inf
        for dy in _SHIFTS:
            for dx in _SHIFTS:
                moved = seen[top + dy : bottom + dy, left + dx : right + dx] - still
                cost = min(cost, float((moved * moved * weight).sum()))
        costs.append(cost)
    square = float((apart[top:bottom, left:right] ** 2 * weight).sum())
    return float(np.clip((costs[1] - costs[0]) / (square + 1e-6), -1.0, 1.0))
