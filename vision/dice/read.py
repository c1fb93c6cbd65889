"""Reading dice in a picture: where they lie, which face is on top, what it shows, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.colours import body_colour, colour_name
from vision.dice.faces import DieFaces, Match
from vision.dice.find import find_spots
from vision.dice.nets import CLASSES, CONTEXT, CROP, Glimpses, Nets, Spot, cut
from vision.dice.pips import layout_scores
from vision.dice.reading import DieKind, DieReading, DieState
from vision.geometry import area, rectangle

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]

FACE = 48
"""A rectified upper face is so many pixels wide."""

_NONE, _SIGN = CLASSES.index("none"), CLASSES.index("symbol")
_LEAST_DIE = 0.5
"""A spot is taken for a die if both networks together say so with this probability."""
_LEAST_SHOWN = 0.43
"""Nobody needs to hear of a blur that may be a die and may show anything."""
_SURE = 0.8
_FITS = 0.25
"""A value is not sure if its layout fits worse than the best one by more than this."""
_FACE_FITS, _FACE_LEAD = 0.6, 0.015
"""An enrolled face is sure if it fits so well, and so much better than the next one."""
_STRANGER = 0.25
"""The most confidence in pips that no enrolled face shows: a spotted cloth is likelier than another die."""
_MARGIN = 0.12
_SAME = 0.85
"""Middles nearer to each other than this share of an edge belong to one die, as a rule."""
_STACKED_FROM, _STACKED = 0.6, 0.85
_IN_PICTURE, _IN_TRAY = 0.85, 0.6
"""A die is half out of view if less than this share of its upper face lies in the picture, or in the tray."""
_ENOUGH, _COCKED, _COCKED_ALONE = 4, 0.32, 0.62
"""A die is cocked if its face points elsewhere than it should by this sine; with fewer than `_ENOUGH` other
dice to compare with, only if it leans so much that another face may be meant."""


@dataclass(frozen=True, eq=False)
class Face:
    """An upper face found in a picture: its corners (4, 2), the reader's shares of CLASSES, where it points."""

    top: Points
    shares: NDArray[np.float64]
    normal: tuple[float, float]
    hidden: float
    score: float

    @property
    def centre(self) -> Points:
        return np.asarray(self.top.mean(axis=0), np.float64)

    @property
    def is_die(self) -> float:
        """The probability that this is an upper face and nothing else."""
        return float((1 - self.shares[_NONE]) * np.sqrt(self.score))

    @property
    def shows(self) -> float:
        """The probability that this is a die and that its face can be read without enrolment."""
        return float(self.is_die * self.shares[:_NONE].max())

    @property
    def is_clear(self) -> bool:
        """Whether nothing but an upper face with pips looks like this."""
        return float(self.shares[:6].max()) > 0.9 and self.hidden < 0.5

    @property
    def edge(self) -> float:
        return float(np.hypot(*(np.roll(self.top, -1, axis=0) - self.top).T).mean())


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
        found = self._settled(picture, spots)
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

    def _settled(self, picture: Picture, spots: Sequence[Spot]) -> list[Face]:
        """Look at each spot, then again where the face was said to be, upright and from its left side."""
        pyramid = _Pyramid(picture)
        first = self._nets.glimpse([pyramid.cut(spot.x, spot.y, spot.edge, 0.0) for spot in spots])
        chosen = []
        for k, spot in enumerate(spots):
            if first.shares[k, _NONE] > 0.9:
                continue
            x, y = (spot.x, spot.y) + first.offset[k] * spot.edge
            edge = spot.edge * float(first.scale[k])
            chosen.append((Spot(float(x), float(y), edge, spot.score), float(first.turn[k])))
        if not chosen:
            return []
        crops = [pyramid.cut(s.x, s.y, s.edge, quarter - turn) for s, turn in chosen for quarter in (0.0, 90.0)]
        second = self._nets.glimpse(crops)
        faces = [_face(spot, turn, second, 2 * k) for k, (spot, turn) in enumerate(chosen)]
        return _single(faces)

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
                np.clip(0.55 + (named.lead - _FACE_LEAD) / 0.06, 0.3, 0.99) * np.clip(named.score + 0.2, 0, 1)
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


def rectified(picture: Picture, top: Points, side: int = FACE, margin: float = 0.0) -> Picture:
    """Return the face with corners `top` (4, 2) seen squarely, `margin` of its edge around it, (side, side, 3)."""
    inner = side / (1 + 2 * margin)
    low = (side - inner) / 2
    own = np.array([(low, low), (low + inner, low), (low + inner, low + inner), (low, low + inner)], np.float32) - 0.5
    smaller = max(1, int(np.hypot(*(top[1] - top[0])) / inner))
    if smaller > 1:  # reduce first, else a large die is sampled between its pixels
        low_x, low_y = np.floor(top.min(axis=0) - 0.5 * np.ptp(top, axis=0)).astype(int)
        high_x, high_y = np.ceil(top.max(axis=0) + 0.5 * np.ptp(top, axis=0)).astype(int)
        low_x, low_y = max(0, low_x), max(0, low_y)
        part = picture[low_y : max(low_y + 1, high_y), low_x : max(low_x + 1, high_x)]
        size = (max(1, part.shape[1] // smaller), max(1, part.shape[0] // smaller))
        ratio = np.array((part.shape[1] / size[0], part.shape[0] / size[1]))
        picture = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        top = (top - (low_x, low_y) + 0.5) / ratio - 0.5
    matrix = cv2.getPerspectiveTransform(top.astype(np.float32), own)
    patch = cv2.warpPerspective(picture, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


def in_rows(faces: Sequence[Face]) -> list[Face]:
    """Return faces as one reads a page: rows from the top, each from its left."""
    rest = sorted(faces, key=lambda face: float(face.centre[1]))
    ordered: list[Face] = []
    while rest:
        height = float(rest[0].centre[1]) + 0.5 * rest[0].edge
        row = [face for face in rest if float(face.centre[1]) <= height]
        ordered += sorted(row, key=lambda face: float(face.centre[0]))
        rest = [face for face in rest if float(face.centre[1]) > height]
    return ordered


class _Pyramid:
    """A picture at its own size, half, a quarter: crops are cut where they are reduced least."""

    def __init__(self, picture: Picture) -> None:
        self._levels = [picture]

    def cut(self, x: float, y: float, edge: float, turn: float) -> Picture:
        level = max(0, int(np.log2(max(1.0, CONTEXT * edge / CROP))))
        while len(self._levels) <= level:
            before = self._levels[-1]
            half = (max(1, before.shape[1] // 2), max(1, before.shape[0] // 2))
            self._levels.append(np.asarray(cv2.resize(before, half, interpolation=cv2.INTER_AREA), np.uint8))
        return cut(self._levels[level], x, y, edge, turn, 2.0**level)


def _face(spot: Spot, turn: float, seen: Glimpses, k: int) -> Face:
    """Put together what two crops, the second a quarter turn on, say of one spot."""
    shares = (seen.shares[k] + seen.shares[k + 1]) / 2
    edge = spot.edge * float(np.sqrt(seen.scale[k] * seen.scale[k + 1]))
    # The crops were turned by -turn and 90 - turn degrees; what they say is turned back.
    backs = (np.radians(turn), np.radians(turn - 90.0))
    offset = np.mean([_rotated(seen.offset[k + j], back) for j, back in enumerate(backs)], axis=0)
    normal = np.mean([_rotated(seen.normal[k + j], back) for j, back in enumerate(backs)], axis=0)
    four = np.exp(4j * np.radians(seen.turn[k : k + 2])).sum()
    angle = np.radians(turn) + float(np.angle(four)) / 4
    centre = np.array((spot.x, spot.y)) + offset * spot.edge
    top = _square(centre, edge, angle, normal)
    hidden = float(seen.hidden[k : k + 2].mean())
    return Face(top, shares, (float(normal[0]), float(normal[1])), hidden, spot.score)


def _square(centre: Points, edge: float, angle: float, normal: Points) -> Points:
    """Return the corners of a square that points to `normal`, one side running along `angle` in the picture."""
    tilt = min(float(np.hypot(*normal)), 0.8)
    flat = np.eye(2)
    if tilt > 1e-3:
        along = normal / np.hypot(*normal)
        flat -= (1 - np.sqrt(1 - tilt**2)) * np.outer(along, along)
    x, y = np.linalg.solve(flat, (np.cos(angle), np.sin(angle)))
    true = np.arctan2(y, x)
    axes = flat @ np.array([(np.cos(true), -np.sin(true)), (np.sin(true), np.cos(true))])
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) @ axes.T
    mean = float(np.hypot(*(np.roll(corners, -1, axis=0) - corners).T).mean())
    return np.asarray(centre + edge / mean * corners, np.float64)


def _rotated(vector: Points, angle: float) -> Points:
    c, s = np.cos(angle), np.sin(angle)
    return np.array((c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]))


def _single(faces: list[Face]) -> list[Face]:
    """Keep one face for each die, surest first."""
    kept: list[Face] = []
    for face in sorted(faces, key=lambda each: -each.is_die):
        if not any(_gives_way(face, other) for other in kept):
            kept = [other for other in kept if not _gives_way_in_size(other, face)] + [face]
    return sorted(kept, key=lambda each: -each.is_die)


def _gives_way(face: Face, other: Face) -> bool:
    """Tell whether `face` is nothing beside `other`, which is surer: its side, a pip of it, the tray round it."""
    if _lies_in(face, other) or _lies_in(other, face):
        return _gives_way_in_size(face, other)
    apart, larger = float(np.hypot(*(face.centre - other.centre))), max(face.edge, other.edge)
    # Two bodies that lie on or against each other are both read well; a side face seldom is.
    both = apart > _STACKED_FROM * larger and face.is_clear and other.is_clear
    return apart <= _SAME * larger and not both


def _gives_way_in_size(face: Face, other: Face) -> bool:
    """Of a small face in a large one: it is a pip of a large die, or a die in a square tray; the clearer one stays."""
    if _lies_in(face, other):
        return face.shows < other.shows
    return _lies_in(other, face) and other.shows >= face.shows


def _lies_in(small: Face, large: Face) -> bool:
    inside = float(np.hypot(*(small.centre - large.centre))) < 0.7 * large.edge
    return inside and small.edge < 0.62 * large.edge


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
