"""Trackers: tracks for a few tokens that say where in the game the table is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fpdf import FPDF

from companion.print.page import PAPERS, Align, NoSheetError, Paper, Printed, draw_scaled, finish, new_document, write

CELL = 19.0
"""Side of a field; a coin or a 16 mm cube lies well on it."""


def tracker_pdf(game: str, paper: Paper) -> Printed:
    """Print a game's tracker, lying on the paper.

    :raises NoSheetError: if no tracker is drawn for the game.
    """
    if game not in TRACKERS:
        raise NoSheetError(f"there is no tracker for {game}; there is one for {', '.join(TRACKERS)}")
    document = new_document(f"Tracker for {game}")
    draw_scaled(document, PAPERS["a4"][::-1], PAPERS[paper][::-1], TRACKERS[game])
    return finish(document)


def _allies(document: FPDF) -> None:
    left = 16.0
    write(document, "Allies - tracker", left, 18, 8, bold=True)
    write(document, "one token on each track", 281, 18, 4, align="right", grey=90)

    _label(document, "Round (AL-30)", left, 31)
    for number in range(1, 5):
        _field(document, left + (number - 1) * (CELL + 4), 36, str(number))
    _label(document, "Starts this round (AL-32)", 130, 31)
    for index, seat in enumerate(("A", "B", "A", "B")):
        _field(document, 130 + index * (CELL + 4), 36, seat)
    says = ("Lay the token on the first field", "if A starts round 1, else on the", "second; move it every round.")
    for line, text in enumerate(says):
        write(document, text, 226, 40 + 5 * line, 3.6, grey=90)

    _label(document, "Stage (AL-31)", left, 66)
    stages = ("1 refill regions", "2 five turns each", "3 rotate regions", "4 new hands")
    for index, stage in enumerate(stages):
        _field(document, left + index * 67, 71, stage, width=62, size=5)
    _label(document, "Turn (AL-36): the one who starts takes the first of each pair", left, 101)
    for turn in range(10):
        gap = turn // 2 * 3
        _field(document, left + turn * (CELL + 4) + gap, 106, str(turn // 2 + 1), size=8, dark=turn % 2 == 1)

    for seat, y in (("A", 136.0), ("B", 171.0)):
        _label(document, f"Hand maximum of {seat} (AL-27, AL-74, AL-75, AL-88)", left, y)
        for number in range(11):
            _field(document, left + number * (CELL + 4.6), y + 5, str(number), size=8, ringed=number == 5)


def _label(document: FPDF, text: str, x: float, y: float, align: Align = "left") -> None:
    write(document, text, x, y, 4.4, bold=True, align=align)


def _field(
    document: FPDF,
    x: float,
    y: float,
    text: str,
    *,
    width: float = CELL,
    size: float = 10,
    dark: bool = False,
    ringed: bool = False,
) -> None:
    document.set_draw_color(0)
    document.set_line_width(0.9 if ringed else 0.35)
    document.set_fill_color(226 if dark else 255)
    document.rect(x, y, width, CELL, style="FD", round_corners=True, corner_radius=3)
    write(document, text, x + width / 2, y + CELL / 2, size, bold=True, align="centre")


TRACKERS: Mapping[str, Callable[[FPDF], None]] = {"allies": _allies}
