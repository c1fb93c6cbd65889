"""Trackers: tracks for a few tokens that say where in the game the table is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fpdf import FPDF

from companion.print.page import PAPERS, NoSheetError, Paper, Printed, draw_scaled, finish, new_document
from companion.print.sheets import allies, king_of_the_dice, realm_of_wonder, vaalbara

TRACKERS: Mapping[str, Callable[[FPDF], None]] = {
    "allies": allies.tracker,
    "king_of_the_dice": king_of_the_dice.tracker,
    "realm_of_wonder": realm_of_wonder.tracker,
    "vaalbara": vaalbara.tracker,
}


def tracker_pdf(game: str, paper: Paper) -> Printed:
    """Print a game's tracker, lying on the paper.

    :raises NoSheetError: if no tracker is drawn for the game.
    """
    if game not in TRACKERS:
        raise NoSheetError(f"there is no tracker for {game}; there is one for {', '.join(TRACKERS)}")
    document = new_document(f"Tracker for {game}")
    draw_scaled(document, PAPERS["a4"][::-1], PAPERS[paper][::-1], TRACKERS[game])
    return finish(document)
