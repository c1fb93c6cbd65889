"""Cards cut out of photographs: one card or a spread of many, each squarely and upright.

A spread is cards that lie apart from each other on a plain ground, printed tops upwards.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.mat import MARKER_DICTIONARY
from vision.geometry import area, inside, is_upright_quad, project
from vision.search import find_outlines, is_printed

Picture = NDArray[np.uint8]
Quad = NDArray[np.float64]

LONG_SIDE = 600
"""Pixels of a kept face's longer side; the reader compares at a third of it."""
SMALLEST_SIDE = 90
"""Pixels of a card's shorter side in the photograph, below which its print cannot be read."""

_FARTHEST = 0.16
"""How far a corner may move when the edges are found exactly, as a share of the longer side."""
_AROUND = 0.12
"""Ground kept round a roughly found card while its edges are found exactly, as a share of its sides."""
_ALIKE = 1.5
"""Cards of one spread differ in area by less than this factor from the usual one."""
_OVERLAP = 0.7
_LEAN, _OPPOSITE = 0.4, 0.4
"""Cosine of a corner, and logarithm of the ratio of opposite sides, of a card seen nearly from above."""
_GRAIN = 10.0
"""Lab units by which a card differs from the ground at least."""
_PLAIN, _MOSTLY = 4.0, 0.35
"""Grey levels by which print varies within an eighth of the card, and the share of the card where it must."""
_MARKERS, _WHOLE_MAT = 3, 0.3
"""So many markers beside cards are a mat's; an outline of so large a share of the picture may be the mat itself."""
_PRINT, _SPECK = 0.03, 0.004
"""Outlines with a smaller share of an outline's area are print on it, unless they are a crowd; specks never count."""
_CROWD, _FILLED = 6, 0.2
"""So many outlines of one size that fill such a share of another one are cards that lie on a cloth."""


class CutError(ValueError):
    """A photograph in which no card was found; says what to do."""


@dataclass(frozen=True, eq=False)
class Cut:
    """One card of a photograph: its corners (4, 2) in pixels from its top left, and its upright face (BGR)."""

    corners: Quad
    face: Picture


def cut_cards(picture: Picture) -> list[Cut]:
    """Return the cards of a photograph, row by row as one reads.

    :raises CutError: if there is none, or they are too small to be read.
    """
    quads = find_cards(picture)
    if _lies_on_a_mat(picture, quads):
        raise CutError(
            "the printed mat lies under the cards and its frames look like cards; turn it over or cover it with a cloth"
        )
    if not quads:
        raise CutError(
            "no card was found; lay it alone on a plain ground of another brightness (several: apart from each other) "
            "and go nearer"
        )
    small = min(min(_extent(quad)) for quad in quads)
    if small < SMALLEST_SIDE:
        raise CutError(
            f"the cards are only {small:.0f} pixels wide, at least {SMALLEST_SIDE} are needed; go nearer or lay fewer"
        )
    return [Cut(quad, upright_face(picture, quad)) for quad in _in_rows(quads)]


def find_cards(picture: Picture) -> list[Quad]:
    """Return the outlines (4, 2) of the cards of a photograph, each from its upper left corner, clockwise."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    printed = [
        quad
        for quad in (*find_outlines(grey), *find_outlines(_from_ground(picture)))
        if _is_rectangle(quad) and is_printed(grey, quad) and _is_covered_with_print(grey, quad)
    ]
    single = [quad for quad in printed if not _holds_others(quad, printed) and not _touches(quad, grey)]
    outer = _outermost(single)
    if not outer:
        return []
    usual = float(np.median([area(quad) for quad in outer]))
    # Two cards that nearly touch have an outline together, which must not hide their own.
    alike = _outermost([quad for quad in single if usual / _ALIKE < area(quad) < usual * _ALIKE])
    exact = [_from_the_top(exact_outline(picture, quad)) for quad in alike]
    return [quad for quad in exact if is_upright_quad(quad)]


def _from_ground(picture: Picture) -> NDArray[np.uint8]:
    """Return how much each pixel differs in colour from the most frequent one, which a plain ground has."""
    colours = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    small = cv2.resize(colours, (160, 120), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    steps, counts = np.unique(small // 8, axis=0, return_counts=True)
    usual = steps[counts.argmax()].astype(np.float32) * 8 + 4
    apart = np.linalg.norm(colours.astype(np.float32) - usual, axis=2)
    return np.asarray(np.clip(3 * apart, 0, 255), np.uint8)


def exact_outline(picture: Picture, quad: Quad) -> Quad:
    """Return the outline of what differs in colour from the ground round a roughly found card.

    Outlines found by brightness run up to a tenth of a side outside the card where the light falls off,
    or over the corner of a neighbour. So each side is a line through most of the places where the ground begins.
    """
    width, height = _extent(quad)
    matrix = _onto(quad, width, height)
    edge = max(4, round(_AROUND * min(width, height)))
    shift = np.array([(1, 0, edge), (0, 1, edge), (0, 0, 1)], np.float64)
    size = (round(width) + 2 * edge, round(height) + 2 * edge)
    view = cv2.warpPerspective(picture, shift @ matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    clearly, hardly = _apart_from_ground(np.asarray(view, np.uint8), edge)
    lines = []
    for side in range(4):
        # Shadows differ hardly from the ground, but so may the print along one side.
        border = _border(np.rot90(clearly, side), 2 * edge) or _border(np.rot90(hardly, side), 2 * edge)
        if border is None:
            return quad
        lines.append(border)
    corners = _crossings(lines, size)
    found = project(np.asarray(np.linalg.inv(shift @ matrix), np.float64), corners)
    moved = float(np.hypot(*(found - quad).T).max())
    return found if is_upright_quad(found) and moved < _FARTHEST * max(width, height) else quad


def _apart_from_ground(view: Picture, edge: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return which pixels of a card with some ground round it differ in colour from the ground, clearly and at all."""
    colours = cv2.cvtColor(view, cv2.COLOR_BGR2LAB).astype(np.float32)
    outside = np.ones(view.shape[:2], bool)
    outside[edge // 2 : -(edge // 2), edge // 2 : -(edge // 2)] = False
    apart = np.linalg.norm(colours - np.median(colours[outside], axis=0), axis=2)
    split, _ = cv2.threshold(np.clip(apart, 0, 255).astype(np.uint8), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    usual = float(np.median(apart[outside]))
    grain = float(np.median(np.abs(apart[outside] - usual)))
    clearly, hardly = (
        np.asarray(cv2.morphologyEx((apart > least).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)))
        for least in (split, min(split, max(_GRAIN, usual + 6 * grain)))
    )
    return np.asarray(clearly, np.uint8), np.asarray(hardly, np.uint8)


def _border(card: NDArray[np.uint8], depth: int) -> tuple[float, float] | None:
    """Return the line (slope, height at column 0) on which the ground begins above a card, None if it cannot be told.

    `depth` is how many rows below the top of the view the search begins, inside the card.
    """
    columns = np.arange(round(0.14 * card.shape[1]), round(0.86 * card.shape[1]))
    ground = card[: depth + 1, columns] == 0
    deep = ground[:-1] & ground[1:]
    rows = np.where(deep.any(axis=0), deep.shape[0] - np.argmax(deep[::-1], axis=0), -1)
    found = (rows > 1) & ~ground[-1]
    x, y = columns[found].astype(np.float64), rows[found].astype(np.float64)
    if len(x) < 0.25 * len(columns):
        return None
    line = (0.0, float(np.median(y)))
    for reach in (0.5, 0.25, 0.12, 0.06):
        near = np.abs(y - line[0] * x - line[1]) <= max(1.5, reach * depth)
        if near.sum() < 0.2 * len(columns):
            return None
        line = (*np.polyfit(x[near], y[near], 1).tolist(),)
    return line[0], line[1]


def _crossings(lines: list[tuple[float, float]], size: tuple[int, int]) -> Quad:
    """Return the corners of four borders, each as it lies in the view turned counter-clockwise by one quarter more."""
    crossed = []
    straight = [_turned_back(line, side, size) for side, line in enumerate(lines)]
    for side in range(4):
        x, y, w = np.cross(straight[side - 1], straight[side])
        crossed.append((x / w, y / w))
    return np.array(crossed, np.float64)


def _turned_back(line: tuple[float, float], side: int, size: tuple[int, int]) -> NDArray[np.float64]:
    """Return a border of a turned view as a homogeneous line of the view itself."""
    points = np.array([(0.0, line[1] - 0.5), (100.0, 100.0 * line[0] + line[1] - 0.5)])
    for turn in range(side, 0, -1):
        wide = size[(turn + 1) % 2]
        points = np.column_stack([wide - 1 - points[:, 1], points[:, 0]])
    return np.asarray(np.cross((*points[0], 1.0), (*points[1], 1.0)), np.float64)


def upright_face(picture: Picture, corners: Quad) -> Picture:
    """Return the face between corners (4, 2) given from its printed top left, `LONG_SIDE` pixels long."""
    width, height = _extent(corners)
    scale = LONG_SIDE / max(width, height)
    size = (round(width * scale), round(height * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.warpPerspective(picture, _onto(corners, *size), size, flags=way), np.uint8)


def _extent(quad: Quad) -> tuple[float, float]:
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def _onto(quad: Quad, width: float, height: float) -> NDArray[np.float64]:
    """Return the matrix from a picture's pixels to those of an upright picture of what the outline holds."""
    own = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), own), np.float64)


def _from_the_top(quad: Quad) -> Quad:
    """Begin a clockwise outline at the left end of the edge that is highest in the picture."""
    top = min(range(4), key=lambda k: float(quad[k, 1] + quad[(k + 1) % 4, 1]))
    return np.roll(quad, -top, axis=0)


def _middle(quad: Quad) -> tuple[float, float]:
    x, y = quad.mean(axis=0)
    return float(x), float(y)


def _touches(quad: Quad, grey: NDArray[np.uint8]) -> bool:
    height, width = grey.shape
    return bool((quad < 1).any() or (quad[:, 0] > width - 2).any() or (quad[:, 1] > height - 2).any())


def _lies_on_a_mat(picture: Picture, quads: list[Quad]) -> bool:
    """Say whether the mat's own markers are seen beside the cards."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY)))
    found, _, _ = detector.detectMarkers(picture)
    middles = [_middle(np.asarray(marker, np.float64).reshape(4, 2)) for marker in found]
    small = [quad for quad in quads if area(quad) < _WHOLE_MAT * picture.shape[0] * picture.shape[1]]
    return sum(not any(inside(quad, middle) for quad in small) for middle in middles) >= _MARKERS


def _holds_others(quad: Quad, quads: list[Quad]) -> bool:
    """Say whether an outline is a mat's or a table's: several cards lie in it, beside each other."""
    apart: list[Quad] = []
    for other in sorted(quads, key=lambda each: -area(each)):
        fits = _SPECK * area(quad) < area(other) < _OVERLAP * area(quad) and inside(quad, _middle(other))
        if fits and not any(inside(one, _middle(other)) or inside(other, _middle(one)) for one in apart):
            apart.append(other)
    # The print of a single card holds outlines too, but few of them are large, and many are small against it.
    large = [other for other in apart if area(other) > _PRINT * area(quad)]
    least = min(4, len(large))
    if least > 1 and any(_alike(large[first : first + least]) for first in range(len(large) - least + 1)):
        return True
    sizes = [area(other) for other in apart]
    crowds = ([other for other in sizes if size / _ALIKE < other <= size] for size in sizes)
    return any(len(crowd) >= _CROWD and sum(crowd) > _FILLED * area(quad) for crowd in crowds)


def _is_rectangle(quad: Quad) -> bool:
    """Say whether an outline may be a card seen nearly from above; pieces of its print are crooked."""
    if not is_upright_quad(quad):
        return False
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.hypot(*sides.T)
    after = np.roll(sides, -1, axis=0)
    lean = np.abs((sides * after).sum(axis=1)) / (lengths * np.roll(lengths, -1))
    opposite = np.abs(np.log(lengths[:2] / lengths[2:]))
    return bool(lean.max() < _LEAN and opposite.max() < _OPPOSITE)


def _is_covered_with_print(grey: NDArray[np.uint8], quad: Quad) -> bool:
    """Say whether most of an outline is printed; a cloth on which one card lies is not."""
    side, block = 64, 8
    view = cv2.warpPerspective(grey, _onto(quad, side, side), (side, side), flags=cv2.INTER_AREA).astype(np.float32)
    blocks = view.reshape(side // block, block, side // block, block).transpose(0, 2, 1, 3)
    return float((blocks.std(axis=(2, 3)) > _PLAIN).mean()) > _MOSTLY


def _alike(quads: list[Quad]) -> bool:
    areas = [area(quad) for quad in quads]
    return max(areas) < _ALIKE * min(areas)


def _outermost(quads: list[Quad]) -> list[Quad]:
    kept: list[Quad] = []
    for quad in sorted(quads, key=lambda each: -area(each)):
        if not any(inside(one, _middle(quad)) or inside(quad, _middle(one)) for one in kept):
            kept.append(quad)
    return kept


def _in_rows(quads: list[Quad]) -> list[Quad]:
    """Sort outlines into rows, top to bottom, and each row from left to right."""
    rows: list[list[Quad]] = []
    for quad in sorted(quads, key=lambda each: _middle(each)[1]):
        if rows and _middle(quad)[1] - _middle(rows[-1][0])[1] < 0.5 * _extent(quad)[1]:
            rows[-1].append(quad)
        else:
            rows.append([quad])
    return [quad for row in rows for quad in sorted(row, key=lambda each: _middle(each)[0])]
