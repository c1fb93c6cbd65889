"""The printed mat: what is on it, and its picture.

`mat_shapes` lists everything on the mat once, in mat millimetres; the PDF writer and the simulated
table draw the same list.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.table.mat import MARKER_DICTIONARY, Mat, Rect

PAPER = 250
BLACK = 0
PATCH_GREY = 128
"""8-bit value of the reference patch; it tells drift of the light from change on the table."""

FRAME_GREY = 150
KEY_GREY = 205
RULER_MM = 100.0
CLEARANCE = 3.0
"""White kept round markers and patch, in millimetres."""


class Box(msgspec.Struct, frozen=True):
    """A filled rectangle."""

    rect: Rect
    grey: int


class Stroke(msgspec.Struct, frozen=True):
    """A straight line with its width in millimetres."""

    start: tuple[float, float]
    end: tuple[float, float]
    width: float
    grey: int


class Words(msgspec.Struct, frozen=True):
    """Text centred on a point; `height` is the size of its capitals' line in millimetres."""

    text: str
    centre: tuple[float, float]
    height: float
    grey: int


Shape = Box | Stroke | Words


@lru_cache(maxsize=64)
def marker_bits(marker_id: int) -> NDArray[np.uint8]:
    """The printed modules of a marker with its black border, 6 x 6, 0 = black, 255 = white."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
    side = dictionary.markerSize + 2
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, marker_id, side), dtype=np.uint8)


def marker_shapes(marker_id: int, rect: Rect) -> list[Shape]:
    """A marker as one black square and white boxes on it.

    White modules are joined along rows and along columns, so that no hairline shows between them.
    """
    bits = marker_bits(marker_id)
    step = rect.width / bits.shape[0]
    along = [(row, start, end) for row, line in enumerate(bits) for start, end in _white_runs(line)]
    down = [(column, start, end) for column, line in enumerate(bits.T) for start, end in _white_runs(line)]
    rects = [Rect(rect.x + a * step, rect.y + row * step, (b - a) * step, step) for row, a, b in along]
    rects += [Rect(rect.x + column * step, rect.y + a * step, step, (b - a) * step) for column, a, b in down]
    return [Box(rect, BLACK), *(Box(place, PAPER) for place in rects)]


def _white_runs(line: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """Start and end of each run of white modules."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], (line > 0).astype(np.int8), [0]))))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def ruler_rect(mat: Mat) -> Rect:
    """Where the 100 mm ruler fits beside the markers: the bottom edge first, then the top edge.

    :raises ValueError: if the mat is too small for it.
    """
    taken = [*(marker.rect for marker in mat.markers), mat.patch, *(slot.rect for slot in mat.slots)]
    for marker in sorted(mat.markers, key=lambda marker: -marker.rect.y):
        place = Rect(marker.rect.x + marker.rect.width + 14, marker.rect.centre[1] - 7, RULER_MM, 14)
        if place.x + place.width + 8 <= mat.width and not any(_touch(place, rect) for rect in taken):
            return place
    raise ValueError(f'the mat "{mat.name}" has no room for a {RULER_MM:.0f} mm ruler; use a larger sheet')


def _touch(one: Rect, other: Rect) -> bool:
    return (
        one.x < other.x + other.width + CLEARANCE
        and other.x < one.x + one.width + CLEARANCE
        and one.y < other.y + other.height + CLEARANCE
        and other.y < one.y + one.height + CLEARANCE
    )


def mat_shapes(mat: Mat) -> tuple[Shape, ...]:
    """Everything printed on the mat, in drawing order, in mat millimetres."""
    shapes: list[Shape] = []
    for slot in mat.slots:
        shapes += _frame(slot.rect, 0.5, FRAME_GREY)
        shapes.append(Words(slot.key, slot.rect.centre, 16, KEY_GREY))
    for marker in mat.markers:
        shapes += marker_shapes(marker.id, marker.rect)
    shapes.append(Box(mat.patch, PATCH_GREY))
    if mat.tray is not None:
        shapes += _frame(mat.tray, 0.8, FRAME_GREY)
    return (*shapes, *_ruler(ruler_rect(mat)))


def _frame(rect: Rect, width: float, grey: int) -> list[Shape]:
    corners = rect.corners
    return [Stroke(start, end, width, grey) for start, end in zip(corners, (*corners[1:], corners[0]), strict=True)]


def _ruler(place: Rect) -> list[Shape]:
    y = place.y + 5
    shapes: list[Shape] = [Stroke((place.x, y), (place.x + RULER_MM, y), 0.3, BLACK)]
    for step in range(int(RULER_MM) // 5 + 1):
        x, length = place.x + step * 5, 4.0 if step % 10 == 0 else 2.5 if step % 2 == 0 else 1.5
        shapes.append(Stroke((x, y), (x, y - length), 0.3, BLACK))
    says = "must measure 100 mm; if it does not, print again without scaling"
    return [*shapes, Words(says, (place.x + RULER_MM / 2, place.y + 9), 3, BLACK)]


def draw_mat(mat: Mat, pixels_per_mm: float) -> NDArray[np.uint8]:
    """Draw the mat as it lies on the table.

    The picture has (height, width, 3) = the mat's size times `pixels_per_mm`, rounded, BGR; the
    mat point (x, y) is the pixel coordinate (x, y) * pixels_per_mm measured from the picture's
    corner, so that pixel centres lie at halves.

    :raises ValueError: for a scale that is not above zero.
    """
    if not pixels_per_mm > 0:
        raise ValueError(f"expected a scale above zero, found {pixels_per_mm}")
    size = (round(mat.width * pixels_per_mm), round(mat.height * pixels_per_mm))
    picture = np.full((size[1], size[0]), PAPER, dtype=np.uint8)
    for shape in mat_shapes(mat):
        if isinstance(shape, Box):
            _fill(picture, shape.rect, shape.grey, pixels_per_mm)
        elif isinstance(shape, Stroke):
            _fill(picture, _stroke_rect(shape), shape.grey, pixels_per_mm)
        else:
            _write(picture, shape, pixels_per_mm)
    return cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR).astype(np.uint8, copy=False)


def _stroke_rect(stroke: Stroke) -> Rect:
    """The rectangle an axis-parallel line fills, its ends square."""
    (x1, y1), (x2, y2) = stroke.start, stroke.end
    half = stroke.width / 2
    return Rect(min(x1, x2) - half, min(y1, y2) - half, abs(x2 - x1) + stroke.width, abs(y2 - y1) + stroke.width)


def _fill(picture: NDArray[np.uint8], rect: Rect, grey: int, scale: float) -> None:
    """Fill a rectangle; border pixels are mixed by the share that is covered."""
    rows = _cover(rect.y * scale, (rect.y + rect.height) * scale, picture.shape[0])
    columns = _cover(rect.x * scale, (rect.x + rect.width) * scale, picture.shape[1])
    (top, down), (left, across) = rows, columns
    view = picture[top : top + len(down), left : left + len(across)]
    share = down[:, None] * across[None, :]
    view[:] = np.rint(view + (grey - view.astype(np.float64)) * share).astype(np.uint8)


def _cover(start: float, end: float, length: int) -> tuple[int, NDArray[np.float64]]:
    """First pixel touched by the span and the share of each pixel that it covers."""
    first, last = max(0, int(np.floor(start))), min(length, int(np.ceil(end)))
    edges = np.arange(first, max(first, last) + 1, dtype=np.float64)
    return first, np.clip(np.minimum(edges[1:], end) - np.maximum(edges[:-1], start), 0.0, 1.0)


def _write(picture: NDArray[np.uint8], words: Words, scale: float) -> None:
    height = words.height * scale
    if height < 4:
        return  # smaller than any letter can be drawn; on paper it would be dust as well
    font = ImageFont.load_default(size=height * 1.3)
    left, top, right, bottom = font.getbbox(words.text)
    layer = Image.new("L", (round(right - left) + 4, round(bottom - top) + 4), 0)
    ImageDraw.Draw(layer).text((2 - left, 2 - top), words.text, fill=255, font=font)
    x = round(words.centre[0] * scale - layer.width / 2)
    y = round(words.centre[1] * scale - layer.height / 2)
    view = picture[max(0, y) : y + layer.height, max(0, x) : x + layer.width]
    ink = np.asarray(layer, dtype=np.float64)[max(0, -y) :, max(0, -x) :][: view.shape[0], : view.shape[1]] / 255
    view[:] = np.rint(view + (words.grey - view.astype(np.float64)) * ink).astype(np.uint8)
