"""The proxy pieces on paper: every face at true size with cut lines, pieces of one size together."""

from __future__ import annotations

import io
from collections.abc import Callable

from fpdf import FPDF
from PIL import Image

from companion.print.page import MARGIN, PAPERS, Paper, Printed, add_page, finish, new_document, rule, write
from companion.sets.faces import face_size_mm, proxies, proxy_face

DOTS_PER_MM = 620 / 63
"""250 dots per inch: finer than the thinnest line drawn."""

Size = tuple[float, float]


def proxies_pdf(game: str, paper: Paper, when_drawn: Callable[[int, int], None] | None = None) -> Printed:
    """Print the proxies of a game, as many pieces on a sheet as fit, edge to edge.

    `when_drawn` is called after every piece with the number drawn and the number of all.

    :raises SetError: if the game has no proxies.
    """
    document = new_document(f"Proxy cards for {game}")
    keys = proxies(game).keys
    by_size: dict[Size, list[str]] = {}
    for key in keys:
        by_size.setdefault(face_size_mm(key, game), []).append(key)
    drawn = 0
    for size, alike in by_size.items():
        sheet = _Sheet(paper, size)
        for first in range(0, len(alike), sheet.room):
            on_sheet = alike[first : first + sheet.room]
            add_page(document, *sheet.paper)
            says = f"proxy cards for {game}, sheet {document.page_no()}: own drawings, not the published cards"
            write(document, says, sheet.paper[0] / 2, sheet.paper[1] - 5, 3, align="centre")
            for index, key in enumerate(on_sheet):
                document.image(_jpeg(key, game, size[0]), *sheet.place(index), *size)
                drawn += 1
                if when_drawn is not None:
                    when_drawn(drawn, len(keys))
            sheet.cut_lines(document, len(on_sheet))
    return finish(document)


class _Sheet:
    """How pieces of one size lie on one paper, upright or sideways, whichever holds more."""

    def __init__(self, paper: Paper, size: Size) -> None:
        def fit(length: float, side: float) -> int:
            return int((length - 2 * MARGIN) // side)

        def room(page: Size) -> int:
            return fit(page[0], size[0]) * fit(page[1], size[1])

        self.size = size
        self.paper = max((PAPERS[paper], PAPERS[paper][::-1]), key=room)
        self.columns, self.rows = fit(self.paper[0], size[0]), fit(self.paper[1], size[1])
        self.room = self.columns * self.rows
        self._left = (self.paper[0] - self.columns * size[0]) / 2
        self._top = (self.paper[1] - self.rows * size[1]) / 2

    def place(self, index: int) -> tuple[float, float]:
        """Return the top left corner of a piece, in mm."""
        return self._left + index % self.columns * self.size[0], self._top + index // self.columns * self.size[1]

    def cut_lines(self, document: FPDF, pieces: int) -> None:
        """Lines between the pieces and 5 mm beyond the block."""
        beyond, rows = 5.0, -(-pieces // self.columns)
        left, top = self._left, self._top
        right, bottom = left + self.columns * self.size[0], top + rows * self.size[1]
        for column in range(self.columns + 1):
            x = left + column * self.size[0]
            rule(document, x, top - beyond, x, bottom + beyond, 0.1)
        for row in range(rows + 1):
            y = top + row * self.size[1]
            rule(document, left - beyond, y, right + beyond, y, 0.1)


def _jpeg(key: str, game: str, width_mm: float) -> io.BytesIO:
    picture = io.BytesIO()
    # Drawn once for the paper: not worth a place among the faces that are looked at again.
    rgb = proxy_face.__wrapped__(key, round(width_mm * DOTS_PER_MM), game)[:, :, ::-1]
    Image.fromarray(rgb.copy()).save(picture, "JPEG", quality=90, subsampling=0)
    picture.seek(0)
    return picture
