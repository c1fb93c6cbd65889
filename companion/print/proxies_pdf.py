"""The proxy deck on paper: every face at true size with cut lines."""

from __future__ import annotations

import io
from collections.abc import Callable

from fpdf import FPDF
from PIL import Image

from companion.print.page import MARGIN, PAPERS, Paper, Printed, add_page, finish, new_document, rule, write
from companion.sets.faces import CARD_MM, proxies, proxy_face

FACE_PIXELS = 620
"""250 dots per inch on a 63 mm card: finer than the thinnest line drawn."""


def proxies_pdf(game: str, paper: Paper, when_drawn: Callable[[int, int], None] | None = None) -> Printed:
    """Print the proxy deck, as many cards on a sheet as fit, edge to edge.

    `when_drawn` is called after every card with the number drawn and the number of all.
    """
    document = new_document(f"Proxy cards for {game}")
    keys = proxies(game).keys
    width, height = max((PAPERS[paper], PAPERS[paper][::-1]), key=_cards_on)
    columns, rows = _fit(width), _fit(height)
    left, top = (width - columns * CARD_MM) / 2, (height - rows * CARD_MM) / 2
    for index, key in enumerate(keys):
        place = index % (columns * rows)
        if place == 0:
            add_page(document, width, height)
            says = (
                f"proxy cards for {game}, sheet {index // (columns * rows) + 1}: own drawings, not the published cards"
            )
            write(document, says, width / 2, height - 5, 3, align="centre")
        x, y = left + place % columns * CARD_MM, top + place // columns * CARD_MM
        document.image(_jpeg(key, game), x, y, CARD_MM, CARD_MM)
        if place == columns * rows - 1 or index == len(keys) - 1:
            _cut_lines(document, left, top, columns, place // columns + 1)
        if when_drawn is not None:
            when_drawn(index + 1, len(keys))
    return finish(document)


def _fit(length: float) -> int:
    return int((length - 2 * MARGIN) // CARD_MM)


def _cards_on(size: tuple[float, float]) -> int:
    return _fit(size[0]) * _fit(size[1])


def _jpeg(key: str, game: str) -> io.BytesIO:
    picture = io.BytesIO()
    rgb = proxy_face.__wrapped__(key, FACE_PIXELS, game)[:, :, ::-1]
    Image.fromarray(rgb.copy()).save(picture, "JPEG", quality=90, subsampling=0)
    picture.seek(0)
    return picture


def _cut_lines(document: FPDF, left: float, top: float, columns: int, rows: int) -> None:
    """Lines between the cards and 5 mm beyond the block."""
    beyond = 5.0
    for column in range(columns + 1):
        x = left + column * CARD_MM
        rule(document, x, top - beyond, x, top + rows * CARD_MM + beyond, 0.1)
    for row in range(rows + 1):
        y = top + row * CARD_MM
        rule(document, left - beyond, y, left + columns * CARD_MM + beyond, y, 0.1)
