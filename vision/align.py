"""From a patch to the best fits of faces: places proposed, ranked against the deck, aligned."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.canvas import Canvas
from vision.deck import FEATURE_SIDE, Deck
from vision.features import orb_features
from vision.geometry import is_upright_quad, project, quarter, rectangle, scaled
from vision.outline import find_quads
from vision.texture import COARSE, FINE, TEXTURE_STEPS, THUMB, thumbnail
from vision.votes import patch_poses

_FEATURES = 300
_POSES = 3
_QUADS = 4
_UNDECIDED = (0.4, 0.85)
"""Correlations between which an alignment may still become one or the other."""

_HOPELESS = 0.25
"""Correlation below which, after one round, another one is not worth its time."""

_CLEAR = 0.6
"""Correlation of the thumbnails from which a place found by features needs no other proposals, and from which
an alignment starts so near that perspective can be aligned at once."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A face (row in the deck's arrays) at a place.

    `matrix` (3, 3) maps pixels of the upright view (FINE) to canvas pixels; `score` is a correlation,
    `inliers` the number of features that agree (0 for a place found by its outline).
    """

    row: int
    matrix: NDArray[np.float64]
    score: float
    inliers: int


def find_fits(canvas: Canvas, deck: Deck) -> list[Fit]:
    """Propose places of the card and rank the deck's faces at each, best first.

    Features come first; the outlines are only looked for when those leave a doubt.
    """
    features = orb_features(canvas.grey, _FEATURES)
    places = []
    for pose in patch_poses(features, deck, canvas.centre, _POSES):
        stretch = _stretch(deck, pose.row)
        places.append(_Place(pose.matrix @ stretch, pose.inliers, pose.row))
        if pose.matrix is not pose.plain:
            places.append(_Place(pose.plain @ stretch, pose.inliers, pose.row))
    fits = _ranked(canvas, deck, places)
    if fits and fits[0].score > _CLEAR and fits[0].inliers >= 8:
        return fits
    more = [_Place(square_to(quad), 0, None) for quad in _outlines(canvas)]
    return sorted(fits + _ranked(canvas, deck, more), key=promise, reverse=True)


def fits_of_outline(canvas: Canvas, deck: Deck, least: float) -> list[Fit]:
    """Rank the deck's faces in the hinted quad alone: the best two that correlate at `least`."""
    fits = _ranked(canvas, deck, [_Place(square_to(canvas.expected), 0, None)])
    return [fit for fit in fits if fit.score >= least]


def fits_of_covered(canvas: Canvas, deck: Deck, count: int) -> list[Fit]:
    """Rank the deck's faces in the hinted quad by what is not covered of it: the best `count`, either way up."""
    place = square_to(canvas.expected)
    view = cv2.resize(canvas.coarse(place), (THUMB, THUMB), interpolation=cv2.INTER_AREA)
    shown = cv2.resize(canvas.coarse_visible(place), (THUMB, THUMB), interpolation=cv2.INTER_NEAREST)
    fits = []
    for turn in (0, 2):
        seen = np.ascontiguousarray(np.rot90(view, turn)).ravel()
        weight = np.ascontiguousarray(np.rot90(shown, turn)).ravel().astype(np.float32)
        seen = (seen - float(seen @ weight) / max(1.0, float(weight.sum()))) * weight
        faces = deck.faces.thumbs[deck.rows]
        mean = faces @ weight / max(1.0, float(weight.sum()))
        spread = np.sqrt(np.maximum(np.square(faces) @ weight - mean * mean * weight.sum(), 1e-9))
        scores = faces @ seen / (spread * (np.linalg.norm(seen) + 1e-6))
        fits += [Fit(int(deck.rows[k]), place @ quarter(turn, FINE), float(scores[k]), 0) for k in range(len(deck))]
    return sorted(fits, key=lambda fit: -fit.score)[:count]


def align(canvas: Canvas, deck: Deck, fit: Fit) -> Fit:
    """Align a fit to its face by the enhanced correlation coefficient (Evangelidis & Psarakis, 2008)."""
    face = deck.faces.fine[fit.row].astype(np.float32) * np.float32(1 / TEXTURE_STEPS)
    template = np.asarray(cv2.resize(face, (COARSE, COARSE), interpolation=cv2.INTER_AREA), dtype=np.float32)
    up = scaled(FINE / COARSE)
    down = np.linalg.inv(up)
    matrix, score, best = fit.matrix, -1.0, fit.matrix
    is_near = fit.inliers >= 12 or fit.score > _CLEAR
    motions = [cv2.MOTION_HOMOGRAPHY] if is_near else [cv2.MOTION_AFFINE, cv2.MOTION_HOMOGRAPHY]
    for motion in (*motions, None):
        if motion is None:
            # What is neither good nor hopeless yet gets another round.
            if not _UNDECIDED[0] < score < _UNDECIDED[1]:
                break
            motion = cv2.MOTION_HOMOGRAPHY
        elif motion is not motions[0] and score < _HOPELESS:
            break
        start = np.eye(3 if motion == cv2.MOTION_HOMOGRAPHY else 2, 3, dtype=np.float32)
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 15, 1e-3)
        try:
            reached, warp = cv2.findTransformECC(
                template, canvas.coarse(matrix), start, motion, stop, canvas.coarse_visible(matrix), 3
            )
        except cv2.error:
            # It found no way at all from here; what was reached before stands.
            break
        whole = np.eye(3)
        whole[: warp.shape[0]] = warp
        moved = matrix @ up @ whole @ down
        if not is_upright_quad(project(moved, rectangle(FINE, FINE))):
            break
        matrix = moved
        if reached > score:
            score, best = float(reached), moved
    return replace(fit, matrix=best, score=score)


def thumb_score(coarse: NDArray[np.float32], deck: Deck, row: int) -> float:
    """Correlate an upright view with one face."""
    return float(deck.faces.thumbs[row] @ thumbnail(coarse))


def thumb_scores(coarse: list[NDArray[np.float32]], deck: Deck) -> NDArray[np.float32]:
    """Correlate views with every face at four quarter turns: shape (views, faces, 4)."""
    turned = []
    for view in coarse:
        seen = thumbnail(view).reshape(THUMB, THUMB)
        turned += [np.rot90(seen, turn).ravel() for turn in range(4)]
    thumbs = deck.faces.thumbs
    rows = thumbs if len(deck) == len(thumbs) else thumbs[deck.rows]
    # This product stays on this thread; a matrix product would wake others for a tenth of a millisecond of work.
    scores = np.einsum("ik,jk->ij", rows, np.stack(turned))
    return np.asarray(scores.reshape(len(deck), len(coarse), 4).transpose(1, 0, 2), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class _Place:
    """`matrix` maps view pixels to canvas pixels; `row` is the face that led here, if one did."""

    matrix: NDArray[np.float64]
    inliers: int
    row: int | None


def _ranked(canvas: Canvas, deck: Deck, places: list[_Place]) -> list[Fit]:
    if not places:
        return []
    scores = thumb_scores([canvas.coarse(place.matrix) for place in places], deck)
    position = {int(row): k for k, row in enumerate(deck.rows)}
    fits = []
    for place, table in zip(places, scores, strict=True):
        best = [divmod(int(flat), 4) for flat in np.argsort(-table, axis=None)[:2]]
        if place.row is not None and (position[place.row], 0) not in best:
            best[1] = (position[place.row], 0)
        for k, turn in best:
            row = int(deck.rows[k])
            backed = place.inliers if row == place.row and turn == 0 else 0
            fits.append(Fit(row, place.matrix @ quarter(turn, FINE), float(table[k, turn]), backed))
    return sorted(fits, key=promise, reverse=True)


def promise(fit: Fit) -> float:
    """Return what speaks for a fit, correlation and features together."""
    # Thirty features that agree weigh as much as 0.3 of correlation.
    return fit.score + 0.01 * min(fit.inliers, 30)


def _outlines(canvas: Canvas) -> list[NDArray[np.float64]]:
    area = float(FEATURE_SIDE**2)
    near = [
        quad
        for quad in find_quads(canvas.grey, 0.4 * area, 1.8 * area)
        if np.hypot(*(quad.mean(axis=0) - canvas.centre)) < 0.35 * FEATURE_SIDE
    ]
    near.sort(key=lambda quad: -float(cv2.contourArea(quad.astype(np.float32))))
    hint = [canvas.quad] if canvas.quad is not None else []
    return hint + near[:_QUADS]


def square_to(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the map (3, 3) of view pixels to those of a quadrilateral (4, 2), first corner to first."""
    square = rectangle(FINE, FINE).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(square, quad.astype(np.float32)), dtype=np.float64)


def _stretch(deck: Deck, row: int) -> NDArray[np.float64]:
    width, height = deck.faces.sizes[row]
    return scaled(float(width) / FINE, float(height) / FINE)
