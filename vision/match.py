"""Reading one card: which face, how it lies, where its corners are, and how sure that is.

Method: ORB features against the deck's packed index and four-sided outlines propose poses; each pose
is compared with the whole deck at four quarter turns by small pictures; the best are aligned to the
face (ECC: Evangelidis & Psarakis, PAMI 2008) and judged where the likely faces differ.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.compare import Verdict, View, judge
from vision.deck import FEATURE_SIDE, Deck, feature_size, orb_features
from vision.detections import CardReading, State, angle_of, quadrant_of
from vision.outline import find_quads
from vision.texture import FINE, THUMB, thumbnail
from vision.votes import is_upright_quad, patch_poses, project, rectangle

_MARGIN = 0.32
"""Paper around the expected card in the canvas, as a share of its side."""

_PATCH_SHARE = 0.78
"""Share of the patch's shorter side that a card takes when no corners are given."""

_POSES = 5
_QUADS = 4
_ALIGNED = 3
_RIVALS = 8
_ALIGN_SIDE = 96

KNOWN_SCORE = 0.45
UNKNOWN_SCORE = 0.25
KNOWN_MARGIN = 0.25


@dataclass(frozen=True, eq=False)
class _Canvas:
    """The patch redrawn so that the card is about as large as the enrolled faces.

    `to_patch` (3, 3) maps canvas pixels to patch pixels; `quad` is the hinted card or None.
    """

    colour: NDArray[np.uint8]
    grey: NDArray[np.uint8]
    to_patch: NDArray[np.float64]
    centre: tuple[float, float]
    quad: NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class _Fit:
    row: int
    turn: int
    score: float
    matrix: NDArray[np.float64]
    inliers: int


def read_patch(
    patch: NDArray[np.uint8],
    deck: Deck,
    *,
    among: Collection[str] | None = None,
    corners: NDArray[np.float64] | None = None,
) -> CardReading | None:
    """Read the one card that lies roughly in the middle of a patch, at any rotation.

    `patch` is BGR uint8 (height, width, 3). `among` limits the faces that are considered. `corners`
    (4, 2) says roughly where the card lies, clockwise from any corner; errors of 15 % of its width
    are taken. Returns None only for a patch in which nothing can lie (smaller than 16 pixels a side);
    a card that is none of the deck's is `unknown`, two that cannot be told apart are `unsure`.

    :raises ValueError: if the patch is not such a picture or the corners not a quadrilateral.
    :raises vision.deck.DeckError: if `among` names a face that the deck does not have.
    """
    if patch.dtype != np.uint8 or patch.ndim != 3 or patch.shape[2] != 3:
        raise ValueError(f"a patch is BGR uint8 of shape (height, width, 3), not {patch.dtype} {patch.shape}")
    if min(patch.shape[:2]) < 16:
        return None
    faces = deck if among is None else deck.subset(among)
    canvas = _canvas(patch, faces, corners)
    fits = _fits(canvas, faces)
    if not fits:
        return _unknown(canvas, None)
    aligned = [_aligned(canvas, faces, fit) for fit in fits[:_ALIGNED]]
    best = max(aligned, key=lambda fit: fit.score)
    view = View.of(canvas.colour, best.matrix)
    verdicts = judge(view, faces, _rivals(view, faces, [best, *aligned]))
    return _reading(canvas, faces, best, verdicts)


def _canvas(patch: NDArray[np.uint8], deck: Deck, corners: NDArray[np.float64] | None) -> _Canvas:
    if corners is None:
        height, width = patch.shape[:2]
        scale = FEATURE_SIDE / (_PATCH_SHARE * min(height, width))
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        colour = cv2.resize(patch, size, interpolation=how)
        back = np.array([(1 / scale, 0, 0.5 / scale - 0.5), (0, 1 / scale, 0.5 / scale - 0.5), (0, 0, 1)])
        centre = ((size[0] - 1) / 2, (size[1] - 1) / 2)
        quad = None
    else:
        hint = np.asarray(corners, dtype=np.float64)
        if hint.shape != (4, 2) or not np.isfinite(hint).all():
            raise ValueError(f"corners must be four points of shape (4, 2), not {hint.shape}")
        if not is_upright_quad(hint):
            hint = hint[::-1]
        if not is_upright_quad(hint):
            raise ValueError("corners must go round the card, clockwise from any corner")
        edges = np.hypot(*(np.roll(hint, -1, axis=0) - hint).T)
        sizes = deck.faces.sizes[deck.rows]
        aspect = float(np.median(sizes[:, 0] / sizes[:, 1]))
        wide = edges[0] + edges[2] > edges[1] + edges[3]
        width, height = feature_size(*((max(aspect, 1 / aspect), 1) if wide else (min(aspect, 1 / aspect), 1)))
        edge = round(_MARGIN * FEATURE_SIDE)
        quad = rectangle(width, height) + edge
        size = (width + 2 * edge, height + 2 * edge)
        back = cv2.getPerspectiveTransform(quad.astype(np.float32), hint.astype(np.float32))
        shrink = edges.mean() / FEATURE_SIDE
        if shrink > 1.6:
            # A warp samples single pixels; without blur a large card would shimmer.
            patch = np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.4 * shrink), dtype=np.uint8)
        colour = cv2.warpPerspective(
            patch, back, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        centre = (edge + width / 2, edge + height / 2)
    picture = np.asarray(colour, dtype=np.uint8)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return _Canvas(picture, grey, np.asarray(back, dtype=np.float64), centre, quad)


def _fits(canvas: _Canvas, deck: Deck) -> list[_Fit]:
    """Propose places of the card and rank the deck's faces at each, best first."""
    places: list[tuple[NDArray[np.float64], int]] = []
    features = orb_features(canvas.grey, 400)
    for pose in patch_poses(features, deck, canvas.centre, _POSES):
        places.append((pose.matrix @ _stretch(*deck.faces.sizes[pose.row]), pose.inliers))
    quads = [canvas.quad] if canvas.quad is not None else []
    area = float(FEATURE_SIDE**2)
    near = [
        quad
        for quad in find_quads(canvas.grey, 0.4 * area, 1.8 * area)
        if np.hypot(*(quad.mean(axis=0) - canvas.centre)) < 0.35 * FEATURE_SIDE
    ]
    near.sort(key=lambda quad: -float(cv2.contourArea(quad.astype(np.float32))))
    square = rectangle(FINE, FINE).astype(np.float32)
    for quad in quads + near[:_QUADS]:
        places.append((np.asarray(cv2.getPerspectiveTransform(square, quad.astype(np.float32)), np.float64), 0))
    fits: list[_Fit] = []
    for matrix, inliers in places:
        view = View.of(canvas.colour, matrix)
        scores = _thumb_scores(view, deck)
        for place in np.argsort(-scores, axis=None)[:2]:
            row, turn = divmod(int(place), 4)
            fits.append(
                _Fit(int(deck.rows[row]), turn, float(scores[row, turn]) + min(inliers, 30) * 0.005, matrix, inliers)
            )
    fits.sort(key=lambda fit: -fit.score)
    return fits


def _thumb_scores(view: View, deck: Deck) -> NDArray[np.float32]:
    """Correlate a view with every face at four quarter turns: shape (faces, 4)."""
    seen = thumbnail(view.texture).reshape(THUMB, THUMB)
    turned = np.stack([np.rot90(seen, turn).ravel() for turn in range(4)], axis=1)
    thumbs = deck.faces.thumbs
    return (thumbs if len(deck) == len(thumbs) else thumbs[deck.rows]) @ turned


def _aligned(canvas: _Canvas, deck: Deck, fit: _Fit) -> _Fit:
    """Turn the pose so that the face is upright in the view, and align it to the face by ECC."""
    matrix = fit.matrix @ _quarter(fit.turn)
    face = deck.faces.fine[fit.row].astype(np.float32)
    template = cv2.resize(face, (_ALIGN_SIDE, _ALIGN_SIDE), interpolation=cv2.INTER_AREA)
    template = np.asarray(cv2.GaussianBlur(template, (0, 0), 1.5))
    score = -1.0
    best = matrix
    for motion in (cv2.MOTION_AFFINE, cv2.MOTION_HOMOGRAPHY):
        seen = cv2.resize(View.of(canvas.colour, matrix).texture, (_ALIGN_SIDE, _ALIGN_SIDE), interpolation=cv2.INTER_AREA)
        start = np.eye(3, dtype=np.float32) if motion == cv2.MOTION_HOMOGRAPHY else np.eye(2, 3, dtype=np.float32)
        try:
            reached, warp = cv2.findTransformECC(
                template, seen, start, motion, (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 12, 1e-3), None, 5
            )
        except cv2.error:
            break
        whole = np.vstack((warp, (0, 0, 1))) if warp.shape[0] == 2 else warp
        moved = matrix @ _scaled(np.asarray(whole, np.float64), FINE / _ALIGN_SIDE)
        if not is_upright_quad(project(moved, rectangle(FINE, FINE))):
            break
        matrix = moved
        if reached > score:
            score, best = float(reached), moved
    return _Fit(fit.row, 0, score, best, fit.inliers)


def _rivals(view: View, deck: Deck, fits: list[_Fit]) -> list[tuple[int, int]]:
    scores = _thumb_scores(view, deck)
    rivals = [(fits[0].row, 0)]
    for place in np.argsort(-scores, axis=None)[:_RIVALS]:
        row, turn = divmod(int(place), 4)
        rivals.append((int(deck.rows[row]), turn))
    rivals += [(fit.row, 0) for fit in fits]
    rivals += [(fits[0].row, turn) for turn in (1, 2, 3)]
    return list(dict.fromkeys(rivals))


def _reading(canvas: _Canvas, deck: Deck, fit: _Fit, verdicts: list[Verdict]) -> CardReading:
    best = verdicts[0]
    square = project(fit.matrix @ _quarter(best.turn), rectangle(FINE, FINE))
    corners = project(canvas.to_patch, square)
    names = dict(zip(deck.rows.tolist(), deck.labels, strict=True))
    candidates: dict[str, float] = {}
    for verdict in sorted(verdicts, key=lambda v: -v.score):
        candidates.setdefault(names[verdict.row], round(verdict.score, 3))
    state: State
    if best.score < UNKNOWN_SCORE:
        return _unknown(canvas, corners, tuple(candidates.items())[:5])
    state = "known" if best.score >= KNOWN_SCORE and best.margin >= KNOWN_MARGIN else "unsure"
    confidence = float(np.clip(best.score, 0, 1) * np.clip(best.margin + 0.3, 0, 1))
    angle = angle_of(corners)
    return CardReading(
        names[best.row], state, confidence, angle, quadrant_of(angle), corners, tuple(candidates.items())[:5]
    )


def _unknown(
    canvas: _Canvas, corners: NDArray[np.float64] | None, candidates: tuple[tuple[str, float], ...] = ()
) -> CardReading:
    if corners is None:
        quad = canvas.quad
        if quad is None:
            half = FEATURE_SIDE / 2
            quad = np.array(canvas.centre) + np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        corners = project(canvas.to_patch, quad)
    angle = angle_of(corners)
    return CardReading(None, "unknown", 0.5, angle, quadrant_of(angle), corners, candidates)


def _stretch(width: int, height: int) -> NDArray[np.float64]:
    """Map view pixels to feature pixels of a face (half a pixel in, half a pixel out)."""
    x, y = float(width) / FINE, float(height) / FINE
    return np.array([(x, 0, 0.5 * x - 0.5), (0, y, 0.5 * y - 0.5), (0, 0, 1)])


def _quarter(turn: int) -> NDArray[np.float64]:
    """Map pixels of an upright view to those of the view turned clockwise by quarter turns."""
    once = np.array([(0.0, -1.0, FINE - 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
    return np.linalg.matrix_power(once, turn % 4)


def _scaled(matrix: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
    """Express a homography of small pixels in pixels `factor` times finer."""
    shift = 0.5 * factor - 0.5
    grow = np.array([(factor, 0, shift), (0, factor, shift), (0, 0, 1.0)])
    return np.asarray(grow @ matrix @ np.linalg.inv(grow), dtype=np.float64)
