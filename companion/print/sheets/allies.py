"""The score sheet and the tracker of Allies."""

from __future__ import annotations

from fpdf import FPDF

from companion.print.form import (
    CELL,
    LEFT,
    LEFT_LYING,
    RIGHT,
    field,
    grid,
    heading,
    in_cell,
    label,
    lying_heading,
    remarks,
    signed,
)
from companion.print.page import rule, write

SCORING: tuple[tuple[str, str, str], ...] = (
    ("AL-93", "Region cards in the winning pile", "x 2"),
    ("AL-94", "Castles in the winning pile (nothing else for them)", "x -1"),
    ("AL-95", "Regions left in the row, arrow at this player", "x 1"),
    ("AL-96", "Regions left lying sideways", "x 0"),
)
"""Article, what is counted, what each is worth."""


def scoresheet(document: FPDF) -> None:
    """Draw the regions won round by round, and what counts in the end."""
    heading(document, "Allies")
    for seat, y in (("A", 41), ("B", 50)):
        write(document, f"Player {seat}", LEFT, y, 4, bold=True)
        rule(document, 38, y + 2, 96, y + 2)
        write(document, "tribes", 102, y, 3.5)
        rule(document, 114, y + 2, RIGHT, y + 2)

    write(document, "Round by round", LEFT, 64, 5, bold=True)
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
        in_cell(document, head, edges, index, 79, 3)
    tops = [76.0, 82.0, *(82.0 + 11 * line for line in range(1, 5))]
    for number in range(1, 5):
        write(document, str(number), (edges[0] + edges[1]) / 2, tops[number] + 5.5, 5, bold=True, align="centre")
    write(document, "-", (edges[5] + edges[6]) / 2, tops[4] + 5.5, 5, align="centre")
    write(document, "-", (edges[9] + edges[10]) / 2, tops[4] + 5.5, 5, align="centre")
    grid(document, edges, tops, heavy=(0, 2, 6, 10))
    says = (
        "Next hand: 5, plus 1 for each region of your own two tribes that you won this round (AL-74), minus 1 for each",
        "of them that the other player won (AL-75). It is counted from 5 anew every round (AL-76); castles and other",
        "tribes change nothing (AL-77). There is no new hand after the fourth round (AL-92).",
    )
    remarks(document, says, LEFT, 132)

    write(document, "After the fourth round", LEFT, 154, 5, bold=True)
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
    grid(document, edges, tops, heavy=(0, 3, 5))
    castle = "A castle left in the row scores nothing for anybody unless the table agreed otherwise (AL-Q14)."
    remarks(document, (castle,), LEFT, 250)
    signed(document, 264)


def tracker(document: FPDF) -> None:
    """Draw tracks for round, stage, turn and hand maximums."""
    lying_heading(document, "Allies", "one token on each track")

    label(document, "Round (AL-30)", LEFT_LYING, 31)
    for number in range(1, 5):
        field(document, LEFT_LYING + (number - 1) * (CELL + 4), 36, str(number))
    label(document, "Starts this round (AL-32)", 130, 31)
    for index, seat in enumerate(("A", "B", "A", "B")):
        field(document, 130 + index * (CELL + 4), 36, seat)
    says = ("Lay the token on the first field", "if A starts round 1, else on the", "second; move it every round.")
    remarks(document, says, 226, 40, 3.6)

    label(document, "Stage (AL-31)", LEFT_LYING, 66)
    stages = ("1 refill regions", "2 five turns each", "3 rotate regions", "4 new hands")
    for index, stage in enumerate(stages):
        field(document, LEFT_LYING + index * 67, 71, stage, width=62, size=5)
    label(document, "Turn (AL-36): the one who starts takes the first of each pair", LEFT_LYING, 101)
    for turn in range(10):
        gap = turn // 2 * 3
        field(document, LEFT_LYING + turn * (CELL + 4) + gap, 106, str(turn // 2 + 1), size=8, dark=turn % 2 == 1)

    for seat, y in (("A", 136.0), ("B", 171.0)):
        label(document, f"Hand maximum of {seat} (AL-27, AL-74, AL-75, AL-88)", LEFT_LYING, y)
        for number in range(11):
            field(document, LEFT_LYING + number * (CELL + 4.6), y + 5, str(number), size=8, ringed=number == 5)
