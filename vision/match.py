"""Reading one card: which face, how it lies, where its corners are, and how sure that is.

Method: ORB features against the deck's packed index and four-sided outlines propose places; each is
compared with the whole deck at four quarter turns by small pictures; the best are aligned to the
face and judged where the likely faces differ.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.align import (
    Fit,
    align,
    find_fits,
    fits_of_covered,
    fits_of_outline,
    promise,
    square_to,
    thumb_score,
    thumb_scores,
)
from vision.canvas import CLOSE, Canvas, hinted, slant, whole_patch
from vision.compare import Judgement, judge
from vision.confidence import UNKNOWN, confidence, could_be_worth_a_guess, is_known, is_worth_a_guess
from vision.deck import FEATURE_SIDE, Deck
from vision.detections import CardReading, State, angle_of, crossing, quadrant_of
from vision.geometry import is_upright_quad, project, quarter, rectangle, standing
from vision.texture import FINE

_MIN_PATCH = 16
_RIVALS, _LEAST_RIVALS, _FAR_BEHIND = 6, 2, 0.4
_TRIES = 3
_CANDIDATES = 5
_WORTH_A_SECOND_LOOK = 0.3
_STRAY = 0.42 * FEATURE_SIDE
_AMBIGUOUS = 0.6
_MANY_INLIERS, _SOME_INLIERS = 15, 8
_HARDLY = 0.25
_ALIGNED, _ALIGNED_BY_CHANCE = 0.4, 0.45
"""Correlation of an aligned face below which it is not looked at closely: where a card is known to lie, and
where one was only proposed. No card of the labelled photographs was known from less than 0.6."""

_PROMISING = 0.6
"""Correlation and features together (`vision.align.promise`) from which a covered card is looked at closely."""

_WINNERS = 3
"""Faces that are judged one after the other at one place, each the winner where the last was aligned."""

_BEHIND = 0.15
"""How far behind the best correlation of an outline's thumbnail another one is still tried."""

_WELL_ALIGNED = 0.88
_LIKELY, _FITS = 0.3, 0.9
_LEAST_VISIBLE = 0.2


_Turned = tuple[int, int]
"""A face's row and the quarter turn at which it lies on a canvas."""


@dataclass(frozen=True, eq=False)
class _Found:
    fit: Fit
    judgement: Judgement


def read_patch(
    patch: NDArray[np.uint8],
    deck: Deck,
    *,
    among: Collection[str] | None = None,
    corners: NDArray[np.float64] | None = None,
) -> CardReading | None:
    """Read the one card that lies roughly in the middle of a patch, at any rotation.

    `patch` is BGR uint8 (height, width, 3); the card fills about half to all of its shorter side.
    `among` limits the faces that are considered. `corners` (4, 2) says roughly where the card lies,
    going round it from any corner; errors of 15 % of its width are taken. Returns None only for a
    patch in which nothing can lie (smaller than 16 pixels a side). A card that is none of the deck's
    is `unknown`, two that cannot be told apart are `unsure`.

    :raises ValueError: if the patch is not such a picture or the corners do not go round an area.
    :raises vision.deck.DeckError: if `among` names a face that the deck does not have.
    """
    if patch.dtype != np.uint8 or patch.ndim != 3 or patch.shape[2] != 3:
        raise ValueError(f"a patch is BGR uint8 of shape (height, width, 3), not {patch.dtype} {patch.shape}")
    if min(patch.shape[:2]) < _MIN_PATCH:
        return None
    faces = deck if among is None else deck.subset(among)
    canvas, best = _first_look(patch, faces, corners)
    if best is not None and not is_known(best.judgement) and _merit(best) > _WORTH_A_SECOND_LOOK:
        # Seen squarely where the first look placed it, a tilted card shows more features.
        aspect = _aspect(faces, best.fit.row)
        second = hinted(patch, _corners(canvas, best), aspect, wide=aspect > 1)
        again = _search(second, faces)
        if again is not None and _merit(again) > _merit(best) and _lies_here(canvas, _corners(second, again)):
            canvas, best = second, again
    return _reading(canvas, faces, best)


def confirm(
    picture: NDArray[np.uint8],
    deck: Deck,
    label: str,
    corners: NDArray[np.float64],
    inliers: int,
    on_top: Sequence[NDArray[np.float64]] = (),
) -> CardReading | None:
    """Check one proposal: that the face `label` lies at `corners` (its own, from its top left).

    `inliers` is the number of features that led here. Cheaper than `read_patch`, since neither place
    nor face is searched for; another face than the one proposed may win. What the cards `on_top`
    (corners of each) hide is left out. Returns None at once if hardly anything speaks for a card of
    the deck here, or too little of it shows.

    :raises ValueError: if the corners do not go round an area.
    """
    row = deck.row(label)
    aspect = _aspect(deck, row)
    canvas = hinted(picture, corners, aspect, wide=aspect > 1, margin=CLOSE)
    start = Fit(row, square_to(canvas.expected), 0.0, inliers)
    if on_top:
        canvas = canvas.covered_by(on_top)
        if float(canvas.coarse_visible(start.matrix).mean()) < _LEAST_VISIBLE:
            return None
    if not on_top and inliers < _MANY_INLIERS and thumb_score(canvas.coarse(start.matrix), deck, row) < _HARDLY:
        return None
    found = _best_of(canvas, deck, start, _ALIGNED_BY_CHANCE)
    return None if found is None else _reading(canvas, deck, found)


def read_outline(picture: NDArray[np.uint8], deck: Deck, corners: NDArray[np.float64]) -> CardReading:
    """Read a card whose outline is known to a few pixels; much cheaper than `read_patch`.

    `corners` (4, 2) go round it from any corner. An `unknown` card keeps them as they are, from the
    one that is at the top left when the card stands on a short side.

    :raises ValueError: if the corners do not go round an area.
    """
    sizes = deck.faces.sizes[deck.rows]
    aspect = float(np.median(sizes[:, 0] / sizes[:, 1]))
    best: tuple[Canvas, _Found] | None = None
    lean = slant(np.asarray(corners, dtype=np.float64))
    shapes = [lean > 0, lean <= 0] if abs(lean) < _AMBIGUOUS * abs(np.log(aspect)) else [lean > 0]
    canvases = [hinted(picture, corners, aspect, wide=wide, margin=CLOSE) for wide in shapes]
    fits = [(canvas, fit) for canvas in canvases for fit in fits_of_outline(canvas, deck, least=_HARDLY)]
    fits.sort(key=lambda tried: -tried[1].score)
    tried: dict[int, set[_Turned]] = {id(canvas): set() for canvas in canvases}
    for canvas, fit in fits:
        if fit.score < fits[0][1].score - _BEHIND:
            break
        found = _best_of(canvas, deck, fit, _ALIGNED_BY_CHANCE, tried[id(canvas)])
        if found is not None and (best is None or _merit(found) > _merit(best[1])):
            best = canvas, found
        if best is not None and is_known(best[1].judgement):
            break
    if best is not None:
        reading = _reading(best[0], deck, best[1])
        is_fit = reading.confidence >= _LIKELY or best[1].judgement.verdicts[0].score >= _FITS
        if reading.state == "known" or (reading.state == "unsure" and is_fit):
            return reading
        # Where the guess is poor, the outline says better where the card lies.
        sure = reading.confidence if reading.state == "unknown" else 1.0 - reading.confidence
        return _unknown(standing(np.asarray(corners, dtype=np.float64)), reading.candidates, sure)
    return unnamed(np.asarray(corners, dtype=np.float64))


def read_covered(
    picture: NDArray[np.uint8], deck: Deck, corners: NDArray[np.float64], on_top: Sequence[NDArray[np.float64]]
) -> CardReading | None:
    """Read a card by what the cards `on_top` (corners of each) leave in sight of it.

    `corners` (4, 2) say to a few pixels where it lies, a short side first. Returns None if hardly anything
    speaks for a card of the deck here, or too little of it shows.

    :raises ValueError: if the corners do not go round an area.
    """
    sizes = deck.faces.sizes[deck.rows]
    aspect = float(np.median(sizes[:, 0] / sizes[:, 1]))
    standing_ = corners if aspect <= 1 else np.roll(corners, -1, axis=0)
    canvas = hinted(picture, standing_, aspect, wide=aspect > 1, margin=CLOSE)
    canvas = canvas.covered_by(on_top)
    if float(canvas.coarse_visible(square_to(canvas.expected)).mean()) < _LEAST_VISIBLE:
        return None
    best: _Found | None = None
    for fit in fits_of_covered(canvas, deck, _TRIES):
        found = _best_of(canvas, deck, fit, _ALIGNED_BY_CHANCE) if fit.score > _HARDLY else None
        if found is not None and (best is None or _merit(found) > _merit(best)):
            best = found
    return None if best is None else _reading(canvas, deck, best)


def unnamed(outline: NDArray[np.float64]) -> CardReading:
    """Return the reading of an outline (4, 2) that shows none of the deck's cards."""
    return _unknown(standing(outline), (), 1.0 - UNKNOWN)


def _first_look(
    patch: NDArray[np.uint8], deck: Deck, corners: NDArray[np.float64] | None
) -> tuple[Canvas, _Found | None]:
    if corners is None:
        canvas = whole_patch(patch)
        return canvas, _search(canvas, deck)
    sizes = deck.faces.sizes[deck.rows]
    aspect = float(np.median(sizes[:, 0] / sizes[:, 1]))
    canvas = hinted(patch, corners, aspect)
    best = _search(canvas, deck)
    if best is not None and is_known(best.judgement):
        return canvas, best
    lean = slant(np.asarray(corners, dtype=np.float64))
    if abs(lean) < _AMBIGUOUS * abs(np.log(aspect)):
        # Seen from the side, the long sides of a card may look as short as the others.
        other = hinted(patch, corners, aspect, wide=lean <= 0)
        found = _search(other, deck)
        if found is not None and (best is None or _merit(found) > _merit(best)):
            return other, found
    return canvas, best


def _search(canvas: Canvas, deck: Deck) -> _Found | None:
    best: _Found | None = None
    fits = find_fits(canvas, deck)
    for fit in fits[:_TRIES]:
        if fit.score < _HARDLY and fit.inliers < _SOME_INLIERS:
            continue
        found = _best_of(canvas, deck, fit)
        if found is None:
            continue
        if best is None or _merit(found) > _merit(best):
            best = found
        if is_known(best.judgement):
            break
    if best is None:
        return None
    # The features that speak for a face do so however it was placed best.
    row = best.judgement.verdicts[0].row
    inliers = max([best.fit.inliers, *(fit.inliers for fit in fits if fit.row == row)])
    return replace(best, fit=replace(best.fit, inliers=inliers))


def _best_of(
    canvas: Canvas, deck: Deck, fit: Fit, least: float = _ALIGNED, tried: set[_Turned] | None = None
) -> _Found | None:
    """Align a fit and judge it, and the face that wins there; None if hardly anything speaks for either.

    Faces that were `tried` on this canvas before are left out, and those that are tried now are added.
    """
    known = set[_Turned]() if tried is None else tried
    if _lying(fit) in known:
        return None
    known.add(_lying(fit))
    aligned = align(canvas, deck, fit)
    if aligned.score < least and not _is_backed(aligned):
        return None
    found = _winner(canvas, deck, aligned, known)
    return found if found is not None and _lies_here(canvas, _corners(canvas, found)) else None


def _is_backed(fit: Fit) -> bool:
    """Say whether features speak for a face of which too little is in sight to correlate well."""
    return fit.inliers >= _MANY_INLIERS and fit.score >= _HARDLY and promise(fit) >= _PROMISING


def _winner(canvas: Canvas, deck: Deck, aligned: Fit, tried: set[_Turned]) -> _Found | None:
    """Judge an aligned face, then the one that wins where it lies, and so on: aligned to itself it may fit by far."""
    best: _Found | None = None
    for _ in range(_WINNERS):
        ranks = _ranks(canvas, deck, aligned)
        row, turn = divmod(int(ranks.argmax()), 4)
        if _is_new(int(deck.rows[row]), turn, aligned, tried) and aligned.score < _WELL_ALIGNED:
            other = align(canvas, deck, _turned(aligned, int(deck.rows[row]), turn))
            if other.score > aligned.score:
                aligned, ranks = other, _ranks(canvas, deck, other)
        found = _judged(canvas, deck, aligned, ranks)
        if found is None:
            break
        best = found if best is None else max(best, found, key=_merit)
        top = found.judgement.verdicts[0]
        if top.score >= _WELL_ALIGNED or not _is_new(top.row, top.turn, found.fit, tried):
            break
        aligned = align(canvas, deck, _turned(found.fit, top.row, top.turn))
    return best


def _is_new(row: int, turn: int, fit: Fit, tried: set[_Turned]) -> bool:
    """Say whether a face at a turn is another than that of a fit and was not tried; from now on it is."""
    if row == fit.row and turn == 0:
        return False
    other = (row, (_lying(fit)[1] + turn) % 4)
    if other in tried:
        return False
    tried.add(other)
    return True


def _lying(fit: Fit) -> _Turned:
    return fit.row, quadrant_of(angle_of(project(fit.matrix, rectangle(FINE, FINE))))


def _turned(fit: Fit, row: int, turn: int) -> Fit:
    return replace(fit, row=row, matrix=fit.matrix @ quarter(turn, FINE), inliers=0)


def _ranks(canvas: Canvas, deck: Deck, fit: Fit) -> NDArray[np.float32]:
    """Return how well each face of the deck, at four quarter turns, fits the place of a fit, (faces, 4)."""
    return np.asarray(thumb_scores([canvas.coarse(fit.matrix)], deck)[0], dtype=np.float32)


def _lies_here(canvas: Canvas, corners: NDArray[np.float64]) -> bool:
    """Say whether corners in the patch are a card's and have the middle of the canvas inside them."""
    if not is_upright_quad(corners):
        return False
    seen = project(np.asarray(np.linalg.inv(canvas.to_patch), dtype=np.float64), corners)
    return is_upright_quad(seen) and float(np.hypot(*(np.array(crossing(seen)) - canvas.centre))) < _STRAY


def _judged(canvas: Canvas, deck: Deck, fit: Fit, scores: NDArray[np.float32]) -> _Found | None:
    rivals = [(fit.row, 0)]
    order = np.argsort(-scores, axis=None)[:_RIVALS]
    for count, place in enumerate(order.tolist()):
        row, turn = divmod(place, 4)
        if count > _LEAST_RIVALS and scores[row, turn] < scores.max() - _FAR_BEHIND:
            break
        rivals.append((int(deck.rows[row]), turn))
    hopeful = None if fit.inliers >= _MANY_INLIERS else could_be_worth_a_guess
    judgement = judge(canvas.fine(fit.matrix), deck, list(dict.fromkeys(rivals)), hopeful)
    return None if judgement is None else _Found(fit, judgement)


def _merit(found: _Found) -> float:
    best = found.judgement.verdicts[0]
    return best.score + 0.3 * min(best.margin, 0.5)


def _reading(canvas: Canvas, deck: Deck, found: _Found | None) -> CardReading:
    if found is None:
        return _unknown(project(canvas.to_patch, canvas.expected), (), 0.5)
    best = found.judgement.verdicts[0]
    corners = _corners(canvas, found)
    names = dict(zip(deck.rows.tolist(), deck.labels, strict=True))
    scores: dict[str, float] = {}
    for verdict in sorted(found.judgement.verdicts, key=lambda v: -v.score):
        scores.setdefault(names[verdict.row], round(verdict.score, 3))
    candidates = tuple(scores.items())[:_CANDIDATES]
    sure = confidence(found.judgement)
    if not is_worth_a_guess(found.judgement, found.fit.inliers):
        return _unknown(corners, candidates, 1 - sure)
    state: State = "known" if is_known(found.judgement) else "unsure"
    angle = angle_of(corners)
    return CardReading(names[best.row], state, sure, angle, quadrant_of(angle), corners, candidates)


def _corners(canvas: Canvas, found: _Found) -> NDArray[np.float64]:
    turn = found.judgement.verdicts[0].turn
    square = project(found.fit.matrix @ quarter(turn, FINE), rectangle(FINE, FINE))
    return project(canvas.to_patch, square)


def _aspect(deck: Deck, row: int) -> float:
    width, height = deck.faces.sizes[row]
    return float(width) / float(height)


def _unknown(corners: NDArray[np.float64], candidates: tuple[tuple[str, float], ...], sure: float) -> CardReading:
    angle = angle_of(corners)
    return CardReading(None, "unknown", sure, angle, quadrant_of(angle), corners, candidates)
