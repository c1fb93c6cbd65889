"""Telling look-alikes apart: a picture of a card, squarely warped, against the likely faces.

Every hypothesis is a face at a quarter turn. The winner must not only correlate best: for each rival
it is asked, in the places where the two differ, whose print lies there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.canvas import View
from vision.deck import Deck
from vision.prints import Print, correlation, distance, hue_correlation, margin
from vision.texture import FINE

_GLARE = 250
_HARDLY_UNLIKE = 1e-4
_BRIGHT = 215
_BLOCK = 24
_PRINTED, _BLANK = 0.15, 0.02
"""Variance of a block's texture from which a face has print there, and up to which it has none."""

_BARE, _FEWEST_BARE, _FEWEST_BLANK = 0.06, 2, 4
"""Strength of the print, as a share of the card's usual one, below which there is none; blocks that show it
(they overlap, so it is more than one), and blocks of bare paper to compare with."""

_SAME_LIGHT, _SAME_TINT = 0.15, 8.0
"""Share of the paper's brightness, and levels of a and b of Lab, by which bare paper may differ on one card."""

_HUE_SHARE = 0.1
_RIVALS = 4
_DIFFER_WIDELY = 0.6
"""Correlation of two faces below which half the size and no shift is enough to part them."""

_FITS, _FAR_BEHIND = 0.8, 0.4
"""Where a face correlates so well, rivals so far behind it cannot come near it in a direct comparison."""


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

    The view is cut into blocks; `agree` is the share of those with print that correlate, `worst` the
    lowest correlation of a block. `own` is the correlation where the best face is unlike its rivals: cards
    of one series share a frame, and a card that is not enrolled agrees with that alone. `bare` says that
    the card shows its bare paper where the best face has print: one pip more makes another card.
    """

    verdicts: tuple[Verdict, ...]
    agree: float
    worst: float
    own: float
    bare: bool = False


def judge(
    view: View, deck: Deck, hypotheses: list[tuple[int, int]], hopeful: Callable[[float, float], bool] | None = None
) -> Judgement | None:
    """Rank the hypotheses (row, turn) for a view.

    Returns None, before the costly direct comparisons, if `hopeful(score, agree)` says of the face
    that correlates best that it cannot win anyhow.
    """
    faces = [Print.of_face(deck.faces.fine[row], deck.faces.colours[row], turn) for row, turn in hypotheses]
    raw = Print.of_view(view.texture, view.colours)
    clear = _clear(view, np.rot90(deck.faces.lights[hypotheses[0][0]], -hypotheses[0][1]))
    scores = [correlation(raw.texture, face.texture, clear) for face in faces]
    hues = [hue_correlation(raw, face) for face in faces]
    order = sorted(range(len(hypotheses)), key=lambda k: -(scores[k] + _HUE_SHARE * hues[k]))
    best = order[0]
    agree, worst = _blocks(raw.texture, faces[best].texture, clear)
    if hopeful is not None and not hopeful(scores[best], agree):
        return None
    seen = raw.lit_like(faces[best])
    near = [k for k in order if scores[best] < _FITS or scores[k] > scores[best] - _FAR_BEHIND or k in order[1:2]]
    margins = _margins(seen, faces, best, near, clear)
    # The best correlation need not win the direct comparisons; then the one that beats it leads.
    for rival in order[1:]:
        if margins.get(rival, 0) < 0:
            best = rival
            seen = raw.lit_like(faces[best])
            margins = _margins(seen, faces, best, near, clear)
            agree, worst = _blocks(seen.texture, faces[best].texture, clear)
            break
    verdicts = [
        Verdict(*hypotheses[best], scores[best], hues[best], min(margins.values(), default=1.0)),
        *(Verdict(*hypotheses[k], scores[k], hues[k], -margins.get(k, 1.0)) for k in order if k != best),
    ]
    rivals = [faces[k] for k in order if k != best][:_RIVALS]
    own = _own(raw, faces[best], rivals, clear, scores[best])
    bare = agree < 1.0 and _is_bare(view, raw, faces[best], clear)
    return Judgement(tuple(verdicts), agree, worst, own, bare)


def _own(seen: Print, face: Print, rivals: list[Print], clear: NDArray[np.float32], otherwise: float) -> float:
    unlike = np.zeros_like(clear)
    for rival in rivals:
        unlike += distance(face, rival)
    unlike *= clear
    return correlation(seen.texture, face.texture, unlike) if float(unlike.mean()) > _HARDLY_UNLIKE else otherwise


def _margins(
    seen: Print, faces: list[Print], best: int, order: list[int], clear: NDArray[np.float32]
) -> dict[int, float]:
    # Those that correlate less are further away; comparing them too would only cost time.
    rivals = [k for k in order if k != best][:_RIVALS]
    small = seen.halved(), faces[best].halved(), np.ascontiguousarray(clear[::2, ::2])
    margins = {}
    for k in rivals:
        other = faces[k].halved()
        if correlation(small[1].texture, other.texture, small[2]) < _DIFFER_WIDELY:
            margins[k] = margin(small[0], small[1], other, small[2], shift=False)
        else:
            margins[k] = margin(seen, faces[best], faces[k], clear)
    return margins


def _clear(view: View, lights: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return 1 where the view says something, 0 in covered or blown-out places that the face prints darker."""
    seen = np.ones((FINE, FINE), np.float32) if view.visible is None else view.visible.astype(np.float32)
    white = (view.grey >= _GLARE).astype(np.uint8)
    if not white.any():
        return seen
    blown = np.asarray(cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), dtype=bool)
    bright = np.asarray(cv2.resize(np.ascontiguousarray(lights), (FINE, FINE))) > _BRIGHT
    glare = cv2.dilate((blown & ~bright).astype(np.uint8), np.ones((7, 7), np.uint8))
    return np.asarray((1 - glare) * seen, dtype=np.float32)


def _blocks(seen: NDArray[np.float32], face: NDArray[np.float32], clear: NDArray[np.float32]) -> tuple[float, float]:
    a, b = _block_means(seen), _block_means(face)
    cross = _block_means(seen * face) - a * b
    own, other = _block_means(seen * seen) - a * a, _block_means(face * face) - b * b
    told = (other > _PRINTED) & (_block_means(clear) > 0.9)
    if not told.any():
        return 0.0, 0.0
    local = cross / np.sqrt(np.maximum(own, 0.05) * np.maximum(other, 0.05))
    return float((local[told] > 0.5).mean()), float(local[told].min())


def _is_bare(view: View, seen: Print, face: Print, clear: NDArray[np.float32]) -> bool:
    """Say whether the card shows its bare paper in a block where the face has print.

    A finger or a die there has another colour than the paper, and glare another brightness.
    """
    a, b = _block_means(seen.texture), _block_means(face.texture)
    own, other = _block_means(np.square(seen.texture)) - a * a, _block_means(np.square(face.texture)) - b * b
    in_sight = _block_means(clear) > 0.9
    if view.shown is not None:
        in_sight &= _block_means(view.shown.astype(np.float32)) > 0.99
    printed, blank = in_sight & (other > _PRINTED), in_sight & (other < _BLANK)
    if np.count_nonzero(blank) < _FEWEST_BLANK or not printed.any():
        return False
    # Bare paper has the camera's noise.
    noise = float(np.median(own[blank]))
    blank &= own < noise + _BLANK
    strength = (own - noise) / np.maximum(other, _BLANK)
    flat = printed & (strength < _BARE * float(np.median(strength[printed])))
    if not flat.any():
        return False
    light = _block_means(view.grey.astype(np.float32))
    looks = [(light, _SAME_LIGHT * float(np.median(light[blank])))]
    looks += [(_block_means(view.colours[..., k].astype(np.float32)), _SAME_TINT) for k in range(2)]
    for values, reach in looks:
        flat &= np.abs(values - float(np.median(values[blank]))) < reach
    return bool(np.count_nonzero(flat) >= _FEWEST_BARE)


def _block_means(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the means of blocks of a card's view that overlap by half, each of four cells."""
    cells = 2 * FINE // _BLOCK
    cell = cv2.resize(values, (cells, cells), interpolation=cv2.INTER_AREA)
    across = cell[:, 1:] + cell[:, :-1]
    return np.asarray((across[1:] + across[:-1]) * np.float32(0.25), dtype=np.float32)
