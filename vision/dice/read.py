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
_LEAST_DIE = 0.3
"""A spot is taken for a die if both networks together say so with this probability."""
_LEAST_SHOWN, _SHOWN, _FITS_WELL = 0.2, 0.3, 0.6
"""Nobody needs to hear of a blur that may be a die and may show anything; below the second probability of a value
its layout has to fit well."""
_LEAST_SIGN = 0.75
"""What bears neither pips nor an enrolled face is likelier a print on a card than a die, below this probability."""
_LEAST_FIT, _SURE_FIT = 0.3, 0.5
"""Marks that fit the layout of their value worse than this are no pips, or not for sure."""
_SURE = 0.8
_FITS = 0.25
"""A value is not sure if its layout fits worse than the best one by more than this."""
_FACE_FITS, _FACE_LEAD = 0.6, 0.15
"""An enrolled face is sure if it fits so well, and leads the next one by this share of how far they are apart."""
_MAY_BE_DIE, _IS_DIE, _FACE_FITS_WELL = 0.15, 0.5, 0.75
"""What is a die with the first probability but not the second is one all the same if an enrolled face fits so well."""
_ROUND_SIGN, _LIKELY = 1.7, 0.4
"""The finder may take a large sign on a face for a die, with at least such a score; the face is so much larger."""
_STRANGER = 0.25
"""The most confidence in pips that no enrolled face shows: a spotted cloth is likelier than another die."""
_MARGIN = 0.28
_STACKED = 0.85
"""Of two dice whose middles are nearer than this share of an edge one lies on the other."""
_IN_PICTURE, _IN_TRAY = 0.85, 0.6
"""A die is half out of view if less than this share of its upper face lies in the picture, or in the tray."""
_ENOUGH, _COCKED, _MAY_LEAN, _COCKED_ALONE = 4, 0.32, 0.3, 0.62
"""A die is cocked if its face points elsewhere than it should by this sine; with fewer than `_ENOUGH` other
dice to compare with, only if it leans so much that another face may be meant. Between the two it may lean,
or the camera may look from the side: it is unsure."""


class DiceReader:
    """Reads dice of any colour; needs no setting. Not safe to share between threads.

    With `enrolled` faces a die is named by the face that fits best, and by its pips only if none fits.
    """

    def __init__(self, enrolled: DieFaces | None = None) -> None:
        self.enrolled = enrolled
        self._nets = Nets()

    def read(self, picture: Picture, region: Points | None = None) -> tuple[DieReading, ...]:
        """Return the dice in a BGR picture, row by row from its top; with `region` only those inside that polygon."""
        faces = self.faces(picture, region, _LEAST_DIE if self.enrolled is None else _MAY_BE_DIE)
        dice = [face for face in faces if face.is_die > _LEAST_DIE]
        judged = [self._judge(picture, face, dice, region) for face in in_rows(faces)]
        return tuple(reading for reading in judged if reading is not None)

    def faces(self, picture: Picture, region: Points | None = None, least: float = _LEAST_DIE) -> list[Face]:
        """Return the upper faces in a BGR picture that are dice with the probability `least`, surest first."""
        if region is not None:
            return self._within(picture, region, least)
        spots = find_spots(self._nets, picture)
        if not spots:
            return []
        named = self.enrolled is not None or least < _LEAST_DIE
        if named:  # a large sign may have been taken for a die
            spots += [replace(spot, edge=_ROUND_SIGN * spot.edge) for spot in spots if spot.score > _LIKELY]
        found = settle(self._nets, picture, spots)
        return [face for face in found if face.is_die > least and (named or face.shows > _LEAST_SHOWN)]

    def _within(self, picture: Picture, region: Points, least: float) -> list[Face]:
        low, high = np.floor(region.min(axis=0)).astype(int), np.ceil(region.max(axis=0)).astype(int)
        pad = int(0.08 * float((high - low).max()))
        left, top = np.maximum(low - pad, 0)
        right, bottom = np.minimum(high + pad, (picture.shape[1], picture.shape[0]))
        if right - left < 16 or bottom - top < 16:
            return []
        outline = region.astype(np.float32)
        inside = self.faces(picture[top:bottom, left:right], least=least)
        moved = [_moved(face, (int(left), int(top))) for face in inside]
        return [f for f in moved if cv2.pointPolygonTest(outline, (float(f.centre[0]), float(f.centre[1])), False) >= 0]

    def _judge(self, picture: Picture, face: Face, among: Sequence[Face], region: Points | None) -> DieReading | None:
        """Return what a face shows; None if what it bears is no sign of a die."""
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
        if named is not None and face.is_die <= _IS_DIE and named.score < _FACE_FITS_WELL:
            return None
        if named is not None and not (named.score < _FACE_FITS and pips[best] * (1 - sign) > _SURE):
            sure = named.score >= _FACE_FITS and named.lead >= _FACE_LEAD
            confidence = float(
                np.clip(0.55 + (named.lead - _FACE_LEAD) / 0.6, 0.3, 0.99) * np.clip(named.score + 0.2, 0, 1)
            )
            kind: DieKind = "pip" if named.label in CLASSES[:6] else "face"
            judged = state or ("known" if sure else "unsure")
            return DieReading(named.label, colour, kind, judged, confidence, face.top, named.ranked[:3])
        if sign > float(pips[best]):
            if face.is_die < _LEAST_SIGN:
                return None
            return DieReading(None, colour, "symbol", state or "unsure", 0.0, face.top, candidates)
        if fits[best] < (_LEAST_FIT if face.shows > _SHOWN else _FITS_WELL):
            return None
        agreed = float(fits.max() - fits[best]) < _FITS and float(fits[best]) > _SURE_FIT
        # Whoever enrolled the faces of their dice plays with those: pips that are on none of them are asked about.
        stranger = named is not None
        sure = float(pips[best]) >= _SURE and face.is_die > _IS_DIE and agreed and not stranger
        confidence = float(pips[best]) * (1 - float(face.shares[_NONE])) * (1.0 if agreed else 0.6)
        confidence = min(confidence, _STRANGER) if stranger else confidence
        return DieReading(
            CLASSES[best], colour, "pip", state or ("known" if sure else "unsure"), confidence, face.top, candidates
        )

    def _named(self, picture: Picture, face: Face, enrolled: DieFaces) -> Match:
        side = round(FACE * (1 + 2 * _MARGIN))
        return enrolled.match(rectified(picture, face.top, side, _MARGIN), _MARGIN)


def _unfit(picture: Picture, face: Face, among: Sequence[Face], region: Points | None) -> DieState | None:
    """Return why a die cannot count or may not, or None."""
    height, width = picture.shape[:2]
    if _share_inside(face.top, rectangle(width, height)) < _IN_PICTURE:
        return "half out of view"
    if region is not None and _share_inside(face.top, region) < _IN_TRAY:
        return "half out of view"
    others = [other for other in among if other is not face]
    if any(np.hypot(*(face.centre - other.centre)) < _STACKED * min(face.edge, other.edge) for other in others):
        return "stacked"
    usual = _usual_normal(face.centre, others, (width, height), in_tray=region is not None)
    leans = float(np.hypot(*(np.array(face.normal) - usual)))
    if leans > (_COCKED if len(others) >= _ENOUGH else _COCKED_ALONE):
        return "cocked"
    return "unsure" if leans > _MAY_LEAN else None


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
