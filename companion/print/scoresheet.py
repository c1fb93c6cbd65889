"""Score sheets: the book-keeping of a game on one page, for a table that plays without the companion."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fpdf import FPDF

from companion.print.page import PAPERS, NoSheetError, Paper, Printed, draw_scaled, finish, new_document, rule, write

SCORING: tuple[tuple[str, str, str], ...] = (
    ("AL-93", "Region cards in the winning pile", "x 2"),
    ("AL-94", "Castles in the winning pile (nothing else for them)", "x -1"),
    ("AL-95", "Regions left in the row, arrow at this player", "x 1"),
    ("AL-96", "Regions left lying sideways", "x 0"),
)
"""Article, what is counted, what each is worth."""


def scoresheet_pdf(game: str, paper: Paper) -> Printed:
    """Print a game's score sheet, upright on the paper.

    :raises NoSheetError: if no score sheet is drawn for the game.
    """
    if game not in SCORESHEETS:
        raise NoSheetError(f"there is no score sheet for {game}; there is one for {', '.join(SCORESHEETS)}")
    document = new_document(f"Score sheet for {game}")
    draw_scaled(document, PAPERS["a4"], PAPERS[paper], SCORESHEETS[game])
    return finish(document)


def _allies(document: FPDF) -> None:
    left, right = 18.0, 192.0
    write(document, "Allies - score sheet", left, 20, 9, bold=True)
    write(document, "edition and options:", left, 31, 3.5)
    rule(document, 52, 33, right, 33)
    for seat, y in (("A", 41), ("B", 50)):
        write(document, f"Player {seat}", left, y, 4, bold=True)
        rule(document, 38, y + 2, 96, y + 2)
        write(document, "tribes", 102, y, 3.5)
        rule(document, 114, y + 2, right, y + 2)

    write(document, "Round by round", left, 64, 5, bold=True)
    heads = (
        "round",
        "starts",
        "regions",
        "of own tribes",
        "castles",
        "next hand",
        "regions",
        "of own tribes",
        "castles",
        "next hand",
    )
    edges: tuple[float, ...] = (18.0, 32, 48, 66, 86, 103, 120, 138, 158, 175, 192)
    write(document, "won by A", (edges[2] + edges[6]) / 2, 72, 4, bold=True, align="centre")
    write(document, "won by B", (edges[6] + edges[10]) / 2, 72, 4, bold=True, align="centre")
    for index, head in enumerate(heads):
        write(document, head, (edges[index] + edges[index + 1]) / 2, 79, 3, align="centre")
    tops = [76.0, 82.0, *(82.0 + 11 * line for line in range(1, 5))]
    for number in range(1, 5):
        write(document, str(number), (edges[0] + edges[1]) / 2, tops[number] + 5.5, 5, bold=True, align="centre")
    write(document, "-", (edges[5] + edges[6]) / 2, tops[4] + 5.5, 5, align="centre")
    write(document, "-", (edges[9] + edges[10]) / 2, tops[4] + 5.5, 5, align="centre")
    _grid(document, edges, tops, heavy=(0, 2, 6, 10))
    says = (
        "Next hand: 5, plus 1 for each region of your own two tribes that you won this round (AL-74), minus 1 for each",
        "of them that the other player won (AL-75). It is counted from 5 anew every round (AL-76); castles and other",
        "tribes change nothing (AL-77). There is no new hand after the fourth round (AL-92).",
    )
    for line, text in enumerate(says):
        write(document, text, left, 132 + 4.6 * line, 3.2, grey=60)

    write(document, "After the fourth round", left, 154, 5, bold=True)
    edges = (18.0, 34, 122, 136, 164, 192)
    tops = [160.0, 167, *(167.0 + 11 * line for line in range(1, 6)), 233.0, 244.0]
    for index, head in enumerate(("article", "what counts", "worth", "A", "B")):
        write(document, head, (edges[index] + edges[index + 1]) / 2, 163.5, 3.2, align="centre", bold=index > 2)
    lines = [
        *SCORING,
        ("AL-97", "Total: the higher one wins", ""),
        ("AL-98", "Level? More regions of one's own two tribes in the pile wins", ""),
    ]
    for (article, text, worth), top in zip(lines, tops[1:], strict=False):
        write(document, article, (edges[0] + edges[1]) / 2, top + 5.5, 3.2, align="centre")
        write(document, text, edges[1] + 2, top + 5.5, 3.2, bold=article == "AL-97")
        write(document, worth, (edges[2] + edges[3]) / 2, top + 5.5, 3.6, align="centre")
    write(document, "AL-99", (edges[0] + edges[1]) / 2, tops[7] + 5.5, 3.2, align="centre")
    write(document, "Level again: the game is drawn", edges[1] + 2, tops[7] + 5.5, 3.2)
    for x in (edges[3], edges[4]):
        for top in tops[1:4]:
            write(document, "x          =", x + 14, top + 5.5, 3.2, align="centre", grey=150)
        write(document, "0", x + 14, tops[4] + 5.5, 3.6, align="centre", grey=150)
    _grid(document, edges, tops, heavy=(0, 3, 5))
    write(
        document,
        "A castle left in the row scores nothing for anybody unless the table agreed otherwise (AL-Q14).",
        left,
        250,
        3.2,
        grey=60,
    )
    write(document, "Winner", left, 264, 5, bold=True)
    rule(document, 40, 267, 122, 267)
    write(document, "Date", 130, 264, 4)
    rule(document, 142, 267, right, 267)


def _grid(document: FPDF, edges: tuple[float, ...], tops: list[float], heavy: tuple[int, ...]) -> None:
    for top in tops:
        rule(document, edges[0], top, edges[-1], top, 0.25)
    for index, edge in enumerate(edges):
        rule(document, edge, tops[0], edge, tops[-1], 0.5 if index in heavy else 0.2)


SCORESHEETS: Mapping[str, Callable[[FPDF], None]] = {"allies": _allies}
