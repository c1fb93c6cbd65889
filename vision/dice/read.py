"""Reading dice in a picture: where they lie, which face is on top, what it shows, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.dice.colours import body_colour, colour_name
from vision.dice.face import FACE, Face, Picture, Points, in_rows, rectified
from vision.dice.faces import DieFaces, Match
from vision.dice.find import find_spots
from vision.dice.look import settle
from vision.dice.nets import CLASSES, Nets
from vision.dice.pips import layout_scores
from vision.dice.reading import DieKind, DieReading, DieState
from vision.geometry import area, rectangle

_NONE, _SIGN = CLASSES.index("none"), CLASSES.index("symbol")
_LEAST_DIE = 0.5
"""A spot is taken for a die if both networks together say so with this probability."""
_LEAST_SHOWN = 0.43
"""Nobody needs to hear of a blur that may be a die and may show anything."""
_SURE = 0.8
_FITS = 0.25
"""A value is not sure if its layout fits worse than the best one by more than this."""
_FACE_FITS, _FACE_LEAD = 0.6, 0.15
"""An enrolled face is sure if it fits so well, and so much better than the next one."""
_STRANGER = 0.25
"""The most confidence in pips that no enrolled face shows: a spotted cloth is likelier than another die."""
_MARGIN = 0.28
_STACKED = 0.85
"""Of two dice whose middles are nearer than this share of an edge one lies on the other."""
_IN_PICTURE, _IN_TRAY = 0.85, 0.6
"""A die is half out of view if less than this share of its upper face lies in the picture, or in the tray."""
_ENOUGH, _COCKED, _COCKED_ALONE = 4, 0.32, 0.62
"""A die is cocked if its face points elsewhere than it should by this sine; with fewer than `_ENOUGH` other
dice to compare with, only if it leans so much that another face may be meant."""


class DiceReader:
    """Reads dice of any colour; needs no setting. Not safe to share between threads.

    With `enrolled` faces a die is named by the face that fits best, and by its pips only if none fits.
    """

    def __init__(self, enrolled: DieFaces | None = None) -> None:
        self.enrolled = enrolled
        self._nets = Nets()

    def read(self, picture: Picture, region: Points | None = None) -> tuple[DieReading, ...]:
        """Return the dice in a BGR picture, row by row from its top; with `region` only those inside that polygon."""
        faces = self.faces(picture, region)
        return tuple(self._judge(picture, face, faces, region) for face in in_rows(faces))

    def faces(self, picture: Picture, region: Points | None = None, least: float = _LEAST_DIE) -> list[Face]:
        """Return the upper faces in a BGR picture that are dice with the probability `least`, surest first."""
        if region is not None:
            return self._within(picture, region)
        spots = find_spots(self._nets, picture)
        if not spots:
            return []
        found = settle(self._nets, picture, spots)
        named = self.enrolled is not None or least < _LEAST_DIE
        return [face for face in found if face.is_die > least and (named or face.shows > _LEAST_SHOWN)]

    def _within(self, picture: Picture, region: Points) -> list[Face]:
        low, high = np.floor(region.min(axis=0)).astype(int), np.ceil(region.max(axis=0)).astype(int)
        pad = int(0.08 * float((high - low).max()))
        left, top = np.maximum(low - pad, 0)
        right, bottom = np.minimum(high + pad, (picture.shape[1], picture.shape[0]))
        if right - left < 16 or bottom - top < 16:
            return []
        outline = region.astype(np.float32)
        moved = [_moved(face, (int(left), int(top))) for face in self.faces(picture[top:bottom, left:right])]
        return [f for f in moved if cv2.pointPolygonTest(outline, (float(f.centre[0]), float(f.centre[1])), False) >= 0]

    def _judge(self, picture: Picture, face: Face, among: Sequence[Face], region: Points | None) -> DieReading:
        patch = rectified(picture, face.top)
        colour = colour_name(body_colour(patch))
        pips = face.shares[:6] / max(1e-9, float(face.shares[:7].sum()))
        sign = float(face.shares[_SIGN] / max(1e-9, float(face.shares[:7].sum())))
        fits = layout_scores(picture, face.top)
        order = np.argsort(-pips)
        candidates = tuple((CLASSES[k], float(pips[k])) for k in order[:3] if pips[k] > 0.01)
        best = int(order[0])
        state = _unfit(picture, face, among, region)
        named = None if self.enrolled is None else self._named(picture, face, self.enrolled)
        if named is not None and not (named.score < _FACE_FITS and pips[best] * (1 - sign) > _SURE):
            sure = named.score >= _FACE_FITS and named.lead >= _FACE_LEAD
            confidence = float(
                np.clip(0.55 + (named.lead - _FACE_LEAD) / 0.6, 0.3, 0.99) * np.clip(named.score + 0.2, 0, 1)
            )
            kind: DieKind = "pip" if named.label in CLASSES[:6] else "face"
            judged = state or ("known" if sure else "unsure")
            return DieReading(named.label, colour, kind, judged, confidence, face.top, named.ranked[:3])
        if sign > float(pips[best]):
            return DieReading(None, colour, "symbol", state or "unsure", 0.0, face.top, candidates)
        agreed = float(fits.max() - fits[best]) < _FITS
        # Whoever enrolled the faces of their dice plays with those: pips that are on none of them are asked about.
        stranger = named is not None
        sure = float(pips[best]) >= _SURE and agreed and not stranger
        confidence = float(pips[best]) * (1 - float(face.shares[_NONE])) * (1.0 if agreed else 0.6)
        confidence = min(confidence, _STRANGER) if stranger else confidence
        return DieReading(
            CLASSES[best], colour, "pip", state or ("known" if sure else "unsure"), confidence, face.top, candidates
        )

    def _named(self, picture: Picture, face: Face, enrolled: DieFaces) -> Match:
        side = round(FACE * (1 + 2 * _MARGIN))
        return enrolled.match(rectified(picture, face.top, side, _MARGIN), _MARGIN)


def _unfit(picture: Picture, face: Face, among: Sequence[Face], region: Points | None) -> DieState | None:
    """Return why a die cannot count, or None."""
    height, width = picture.shape[:2]
    if _share_inside(face.top, rectangle(width, height)) < _IN_PICTURE:
        return "half out of view"
    if region is not None and _share_inside(face.top, region) < _IN_TRAY:
        return "half out of view"
    others = [other for other in among if other is not face]
    if any(np.hypot(*(face.centre - other.centre)) < _STACKED * min(face.edge, other.edge) for other in others):
        return "stacked"
    usual = _usual_normal(face.centre, others, (width, height), in_tray=region is not None)
    if float(np.hypot(*(np.array(face.normal) - usual))) > (_COCKED if len(others) >= _ENOUGH else _COCKED_ALONE):
        return "cocked"
    return None


def _share_inside(top: Points, outline: Points) -> float:
    part, _ = cv2.intersectConvexConvex(top.astype(np.float32), outline.astype(np.float32))
    return float(part) / max(1e-6, abs(area(top)))


def _usual_normal(place: Points, others: Sequence[Face], size: tuple[int, int], in_tray: bool) -> Points:
    """Return where the upper face of a die that lies flat at `place` points.

    Under a lens, flat faces point away from the foot of the camera, the more the further off they lie:
    a constant and one factor, fitted to the other dice. Where there are too few, a tray is taken to
    lie under the middle of the picture, and of a table nothing is known.
    """
    if len(others) < _ENOUGH:
        return (place - np.array(size) / 2) / max(size) if in_tray else np.zeros(2)
    places, normals = np.array([other.centre for other in others]), np.array([other.normal for other in others])
    middle, span = places.mean(axis=0), float(max(size))
    away = (places - middle) / span
    slope = float(np.clip((away * (normals - normals.mean(axis=0))).sum() / max((away**2).sum(), 1e-3), 0.0, 1.6))
    constant = np.median(normals - slope * away, axis=0)
    return np.asarray(constant + slope * (place - middle) / span, np.float64)


def _moved(face: Face, by: tuple[int, int]) -> Face:
    return replace(face, top=face.top + by)
