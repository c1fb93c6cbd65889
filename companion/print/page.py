"""Pages of paper: sizes, margins and the few marks that every printed sheet shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
from fpdf import FPDF
from fpdf.drawing_primitives import Transform

from companion.print.mat import PAPER, Box, Shape, Stroke

Paper = Literal["a4", "a3"]

PAPERS: Mapping[Paper, tuple[float, float]] = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}
"""Width and height in millimetres, upright (ISO 216)."""

MARGIN = 10.0
"""Most home printers leave about 5 mm blank at each edge; twice that is safe."""

POINT_MM = 25.4 / 72
CAPITAL = 0.718
"""Height of a capital letter of Helvetica as a share of the font's size."""

Align = Literal["left", "centre", "right"]


class Printed(msgspec.Struct, frozen=True):
    """A finished document: the bytes of the PDF and how many pages it has."""

    pdf: bytes
    pages: int


class NoSheetError(ValueError):
    """A sheet that is not drawn for a game: says for which it is."""


def new_document(title: str) -> FPDF:
    """An empty PDF in millimetres with no page yet."""
    document = FPDF(unit="mm")
    document.set_auto_page_break(False)
    document.set_margin(0)
    document.set_title(title)
    document.set_creator("companion print")
    document.set_compression(True)
    return document


def add_page(document: FPDF, width: float, height: float) -> None:
    """Add a page of exactly this size in millimetres."""
    document.add_page(orientation="portrait", format=(width, height))


def draw_scaled(
    document: FPDF, drawn_for: tuple[float, float], size: tuple[float, float], draw: Callable[[FPDF], None]
) -> None:
    """Add a page of `size` and let `draw` fill it as if it were a page of `drawn_for` (same proportions)."""
    add_page(document, *size)
    with document.transform(Transform.scaling(size[0] / drawn_for[0])):
        draw(document)


def finish(document: FPDF) -> Printed:
    """Close the document."""
    return Printed(bytes(document.output()), document.pages_count)


def write(
    document: FPDF,
    text: str,
    x: float,
    y: float,
    size: float = 3.5,
    *,
    bold: bool = False,
    align: Align = "left",
    grey: int = 0,
) -> None:
    """Write one line, `size` millimetres high from line to line, centred on the height `y`."""
    document.set_font("helvetica", "B" if bold else "", size / POINT_MM)
    document.set_text_color(grey)
    length = document.get_string_width(text)
    start = {"left": x, "centre": x - length / 2, "right": x - length}[align]
    document.text(start, y + size * CAPITAL / 2, text)


def rule(document: FPDF, x1: float, y1: float, x2: float, y2: float, width: float = 0.2, grey: int = 0) -> None:
    """Draw a straight line, its ends square."""
    document.set_draw_color(grey)
    document.set_line_width(width)
    document.line(x1, y1, x2, y2)


def crop_marks(document: FPDF, x: float, y: float, width: float, height: float, length: float = 6.0) -> None:
    """Draw the eight marks round a rectangle along which it is cut out."""
    gap = 1.5
    for cut in (x, x + width):
        rule(document, cut, y - gap - length, cut, y - gap)
        rule(document, cut, y + height + gap, cut, y + height + gap + length)
    for cut in (y, y + height):
        rule(document, x - gap - length, cut, x - gap, cut)
        rule(document, x + width + gap, cut, x + width + gap + length, cut)


def place_shapes(document: FPDF, shapes: tuple[Shape, ...], x: float, y: float) -> None:
    """Draw a mat's shapes with the mat's origin at (x, y) on the page; paper stays unprinted."""
    for shape in shapes:
        if isinstance(shape, Box):
            document.set_fill_color(255 if shape.grey == PAPER else shape.grey)
            rect = shape.rect
            document.rect(x + rect.x, y + rect.y, rect.width, rect.height, style="F")
        elif isinstance(shape, Stroke):
            (x1, y1), (x2, y2) = shape.start, shape.end
            rule(document, x + x1, y + y1, x + x2, y + y2, shape.width, shape.grey)
        else:
            size, (cx, cy) = shape.height * 1.3, shape.centre
            write(document, shape.text, x + cx, y + cy, size, align="centre", grey=shape.grey)
