"""From spots to upper faces: each is looked at again where the last look said that it is, until it is clear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.dice.face import Face, Picture, Points
from vision.dice.nets import CLASSES, CONTEXT, CROP, Glimpses, Nets, Spot, cut

_NONE = CLASSES.index("none")
_NO_FACE = 0.9
"""Nobody looks twice at what shows no upper face with this probability."""
_LEAST = 0.25
_CLEAR = 0.93
"""A face that is hardly one, or shows something with the second probability, is not looked at a third time."""
_SAME = 0.85
"""Middles nearer to each other than this share of an edge belong to one die, as a rule."""
_STACKED_FROM = 0.6


def settle(nets: Nets, picture: Picture, spots: Sequence[Spot]) -> list[Face]:
    """Look at each spot, then again where the face was said to be, upright and from its left side; surest first.

    What is not clear then is looked at once more, also in a mirror, where a die shows the same number.
    """
    pyramid = _Pyramid(picture)
    first = nets.glimpse([pyramid.cut(spot.x, spot.y, spot.edge, 0.0) for spot in spots])
    chosen = []
    for k, spot in enumerate(spots):
        if first.shares[k, _NONE] > _NO_FACE:
            continue
        x, y = (spot.x, spot.y) + first.offset[k] * spot.edge
        edge = spot.edge * float(first.scale[k])
        chosen.append((Spot(float(x), float(y), edge, spot.score), float(first.turn[k])))
    faces = _again(nets, pyramid, chosen)
    unclear = [k for k, face in enumerate(faces) if face.is_die > _LEAST and face.shares.max() < _CLEAR]
    if unclear:
        third = _again(nets, pyramid, [(_spot(faces[k]), _turn(faces[k])) for k in unclear], mirrored=True)
        for k, face in zip(unclear, third, strict=True):
            faces[k] = replace(face, shares=(faces[k].shares + 2 * face.shares) / 3)
    return _single(faces)


def _again(nets: Nets, pyramid: _Pyramid, spots: Sequence[tuple[Spot, float]], mirrored: bool = False) -> list[Face]:
    if not spots:
        return []
    crops = [pyramid.cut(s.x, s.y, s.edge, quarter - turn) for s, turn in spots for quarter in (0.0, 90.0)]
    seen = nets.glimpse(crops)
    faces = [_face(spot, turn, seen, 2 * k) for k, (spot, turn) in enumerate(spots)]
    if not mirrored:
        return faces
    other = nets.glimpse([np.ascontiguousarray(crop[:, ::-1]) for crop in crops])
    return [
        replace(face, shares=(face.shares + other.shares[2 * k : 2 * k + 2].mean(axis=0)) / 2)
        for k, face in enumerate(faces)
    ]


def _spot(face: Face) -> Spot:
    x, y = face.centre
    return Spot(float(x), float(y), face.edge, face.score)


def _turn(face: Face) -> float:
    across, down = face.top[1] - face.top[0]
    return float(np.degrees(np.arctan2(down, across)))


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
