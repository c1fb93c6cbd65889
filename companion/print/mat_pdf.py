"""The mat and the loose markers on paper, at true size."""

from __future__ import annotations

import math
from itertools import pairwise

from companion.print.mat import Words, marker_shapes, mat_shapes, ruler_rect
from companion.print.page import (
    MARGIN,
    PAPERS,
    Paper,
    Printed,
    add_page,
    crop_marks,
    finish,
    new_document,
    place_shapes,
    rule,
    write,
)
from companion.table.mat import Mat, Rect

QUIET = 4.0
"""White border that a loose marker needs to be found on a dark table, in millimetres."""


def mat_pdf(mat: Mat, paper: Paper) -> Printed:
    """Print a mat: on one sheet if the paper is large enough, else tiled with crop marks.

    Seams run between slots and markers wherever that is possible, because a marker cut in two is
    measured wrongly.
    """
    shapes = mat_shapes(mat)
    document = new_document(f"Mat for {mat.name}")
    tiles = mat_tiles(mat, paper)
    if len(tiles) == 1:
        add_page(document, *_page_for(mat.width, mat.height, paper, 0.0))
        place_shapes(document, shapes, 0, 0)
        return finish(document)
    width, height = _page_for(max(tile.width for tile in tiles), max(tile.height for tile in tiles), paper, MARGIN)
    for number, tile in enumerate(tiles, 1):
        add_page(document, width, height)
        x, y = (width - tile.width) / 2, (height - tile.height) / 2
        with document.rect_clip(x, y, tile.width, tile.height):
            place_shapes(document, shapes, x - tile.x, y - tile.y)
        crop_marks(document, x, y, tile.width, tile.height)
        side = f"{'top' if tile.y == 0 else 'bottom'} {'left' if tile.x == 0 else 'right'}"
        says = (
            f"{mat.name} mat, sheet {number} of {len(tiles)}, {side}: cut at the marks, tape edge to edge on the back"
        )
        write(document, says, width / 2, height - 4, 3, align="centre")
    return finish(document)


def mat_tiles(mat: Mat, paper: Paper) -> tuple[Rect, ...]:
    """Divide the mat into pieces that fit the paper, row by row; one piece if no cut is needed."""
    short, long = PAPERS[paper]
    if (mat.width <= long and mat.height <= short) or (mat.width <= short and mat.height <= long):
        return (Rect(0, 0, mat.width, mat.height),)
    pieces = [*(slot.rect for slot in mat.slots), *(marker.rect for marker in mat.markers), mat.patch, ruler_rect(mat)]
    pieces += [] if mat.tray is None else [mat.tray]
    ways: list[list[Rect]] = []
    for wide, high in ((long, short), (short, long)):
        columns = _cuts(mat.width, wide - 2 * MARGIN, [(rect.x, rect.x + rect.width) for rect in pieces])
        rows = _cuts(mat.height, high - 2 * MARGIN, [(rect.y, rect.y + rect.height) for rect in pieces])
        ways.append([
            Rect(left, top, right - left, bottom - top)
            for top, bottom in pairwise(rows)
            for left, right in pairwise(columns)
        ])  # fmt: skip
    fewest = min(ways, key=len)
    return tuple(fewest)


def _cuts(length: float, longest: float, spans: list[tuple[float, float]]) -> list[float]:
    """Where to cut one side, ends included: in the widest gap within reach, else as late as possible."""
    cuts = [0.0]
    while length - cuts[-1] > longest:
        first = cuts[-1] + 1
        last = cuts[-1] + longest
        left_over = math.ceil((length - cuts[-1]) / longest) - 1
        earliest = max(first, length - left_over * longest)
        gaps = [gap for gap in _gaps(spans, length) if earliest <= sum(gap) / 2 <= last]
        middle = (cuts[-1] + length) / 2
        best = min(gaps, key=lambda gap: abs(sum(gap) / 2 - middle), default=None)
        cuts.append(sum(best) / 2 if best else last)
    return [*cuts, length]


def _gaps(spans: list[tuple[float, float]], length: float) -> list[tuple[float, float]]:
    """The stretches that no span covers."""
    gaps, reached = [], 0.0
    for start, end in sorted(spans):
        if start > reached:
            gaps.append((reached, start))
        reached = max(reached, end)
    return [*gaps, (reached, length)]


def _page_for(width: float, height: float, paper: Paper, margin: float) -> tuple[float, float]:
    """The paper's size, turned so that a piece of this size fits."""
    short, long = PAPERS[paper]
    upright = width <= short - 2 * margin and height <= long - 2 * margin
    return (short, long) if upright else (long, short)


def markers_pdf(mat: Mat, paper: Paper) -> Printed:
    """Print the mat's markers to cut out, for a table that has no printed mat, and where each belongs."""
    document = new_document(f"Markers for {mat.name}")
    width, height = PAPERS[paper]
    add_page(document, width, height)
    write(document, f"Markers for {mat.name}", MARGIN + 5, MARGIN + 8, 7, bold=True)
    says = (
        "Print without scaling. Cut along the lines and leave the white border on. Lay every marker flat, upright,",
        "its number towards the near edge of the table, with the middle of its black square at the place given",
        f"in the list, measured from the top left corner of a {mat.width:.0f} x {mat.height:.0f} mm field.",
    )
    for line, text in enumerate(says):
        write(document, text, MARGIN + 5, MARGIN + 17 + 5 * line, 3.5)
    side = mat.markers[0].rect.width
    cell = side + 2 * QUIET
    across = int((width - 2 * MARGIN) // (cell + 8))
    top = MARGIN + 40.0
    for index, marker in enumerate(mat.markers):
        x = MARGIN + 5 + index % across * (cell + 8)
        y = top + index // across * (cell + 14)
        place_shapes(document, tuple(marker_shapes(marker.id, Rect(QUIET, QUIET, side, side))), x, y)
        for x1, y1, x2, y2 in ((0, 0, cell, 0), (cell, 0, cell, cell), (cell, cell, 0, cell), (0, cell, 0, 0)):
            rule(document, x + x1, y + y1, x + x2, y + y2, 0.15, 150)
        place_shapes(document, (Words(str(marker.id), (cell / 2, cell - QUIET / 2), 2.2, 90),), x, y)
    below = top + math.ceil(len(mat.markers) / across) * (cell + 14) + 6
    for index, marker in enumerate(mat.markers):
        cx, cy = marker.rect.centre
        where = f"marker {marker.id}: {cx:.0f} mm from the left, {cy:.0f} mm from the top"
        write(document, where, MARGIN + 5, below + 6 * index, 3.5)
    return finish(document)
