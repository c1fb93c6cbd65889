"""Score sheets: the book-keeping of a game on one page, for a table that plays without the companion."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fpdf import FPDF

from companion.print.page import PAPERS, NoSheetError, Paper, Printed, draw_scaled, finish, new_document
from companion.print.sheets import allies, king_of_the_dice, realm_of_wonder, vaalbara

SCORESHEETS: Mapping[str, Callable[[FPDF], None]] = {
    "allies": allies.scoresheet,
    "king_of_the_dice": king_of_the_dice.scoresheet,
    "realm_of_wonder": realm_of_wonder.scoresheet,
    "vaalbara": vaalbara.scoresheet,
}


def scoresheet_pdf(game: str, paper: Paper) -> Printed:
    """Print a game's score sheet, upright on the paper.

    :raises NoSheetError: if no score sheet is drawn for the game.
    """
    if game not in SCORESHEETS:
        raise NoSheetError(f"there is no score sheet for {game}; there is one for {', '.join(SCORESHEETS)}")
    document = new_document(f"Score sheet for {game}")
    draw_scaled(document, PAPERS["a4"], PAPERS[paper], SCORESHEETS[game])
    return finish(document)
