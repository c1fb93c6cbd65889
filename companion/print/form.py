"""What score sheets and trackers are drawn with: headings, remarks, tables, fields for tokens; in millimetres."""

from __future__ import annotations

from collections.abc import Sequence

from fpdf import FPDF

from companion.print.page import Align, rule, write

LEFT, RIGHT = 18.0, 192.0
"""The edges of what is printed on an upright A4 sheet."""
LEFT_LYING, RIGHT_LYING = 16.0, 281.0
"""The same on a lying one."""
CELL = 19.0
"""Side of a field; a coin or a 16 mm cube lies well on it."""


def heading(document: FPDF, game: str) -> None:
    """Write a score sheet's title, and the line on which the table notes what it plays by."""
    write(document, f"{game} - score sheet", LEFT, 20, 9, bold=True)
    write(document, "edition and options:", LEFT, 31, 3.5)
    rule(document, 52, 33, RIGHT, 33)


def signed(document: FPDF, y: float) -> None:
    """Draw the lines for winner and date."""
    write(document, "Winner", LEFT, y, 5, bold=True)
    rule(document, 40, y + 3, 122, y + 3)
    write(document, "Date", 130, y, 4)
    rule(document, 142, y + 3, RIGHT, y + 3)


def lying_heading(document: FPDF, game: str, says: str) -> None:
    """Write a tracker's title, and in the other corner what to lay on it."""
    write(document, f"{game} - tracker", LEFT_LYING, 18, 8, bold=True)
    write(document, says, RIGHT_LYING, 18, 4, align="right", grey=90)


def remarks(document: FPDF, lines: Sequence[str], x: float, y: float, size: float = 3.2) -> None:
    """Write lines in small grey letters, the first at `y`."""
    for number, text in enumerate(lines):
        write(document, text, x, y + 1.44 * size * number, size, grey=60)


def label(document: FPDF, text: str, x: float, y: float, align: Align = "left") -> None:
    """Write what a track is for."""
    write(document, text, x, y, 4.4, bold=True, align=align)


def field(
    document: FPDF,
    x: float,
    y: float,
    text: str,
    *,
    width: float = CELL,
    height: float = CELL,
    size: float = 10,
    dark: bool = False,
    ringed: bool = False,
) -> None:
    """Draw one field of a track with `text` in its middle; `ringed` is where the token starts."""
    document.set_draw_color(0)
    document.set_line_width(0.9 if ringed else 0.35)
    document.set_fill_color(226 if dark else 255)
    document.rect(x, y, width, height, style="FD", round_corners=True, corner_radius=3)
    write(document, text, x + width / 2, y + height / 2, size, bold=True, align="centre")


def grid(document: FPDF, edges: Sequence[float], tops: Sequence[float], heavy: Sequence[int]) -> None:
    """Rule a table: `edges` of its columns and `tops` of its lines; the `heavy` edges are thicker."""
    for top in tops:
        rule(document, edges[0], top, edges[-1], top, 0.25)
    for index, edge in enumerate(edges):
        rule(document, edge, tops[0], edge, tops[-1], 0.5 if index in heavy else 0.2)


def columns(first: Sequence[float], count: int, right: float = RIGHT) -> tuple[float, ...]:
    """Return the edges of a table: the `first` ones, then `count` equal columns up to `right`."""
    start = first[-1]
    return (*first, *(start + (right - start) * number / count for number in range(1, count + 1)))


def in_cell(document: FPDF, text: str, edges: Sequence[float], column: int, y: float, size: float, **how: bool) -> None:
    """Write into the middle of a table's column."""
    write(document, text, (edges[column] + edges[column + 1]) / 2, y, size, align="centre", **how)
