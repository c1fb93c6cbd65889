"""The payoff sheet and the tracker of Realm of Wonder, in which nobody counts points at the end."""

from __future__ import annotations

from fpdf import FPDF

from companion.print.form import (
    LEFT,
    LEFT_LYING,
    RIGHT,
    columns,
    field,
    grid,
    heading,
    in_cell,
    label,
    lying_heading,
    remarks,
)
from companion.print.page import rule, write

PAYOFF: tuple[tuple[str, str], ...] = (
    ("RW-31", "house: 3"),
    ("RW-32", "fortified wells: 1 each"),
    ("RW-33", "magic orbs: 1 each"),
    ("RW-34", "cursed orbs: -1 each"),
    ("RW-35, RW-36", "whirlpools in line: 1 each"),
    ("RW-38", "payoff (0 on the castle island)"),
)
"""Articles, term of the payoff."""
PATHS = ("wizard", "golem", "troll", "yeti", "gnome", "cyclops")
"""The six paths, called by whose house stands there (RW-02)."""
_ROUNDS = range(2, 14)


def scoresheet(document: FPDF) -> None:
    """Draw every player's payoff, term by term, for twelve rounds."""
    heading(document, "Realm of Wonder")
    first = "There is no payoff in the first round (RW-29). A fort counts once, however high it is (RW-32)."
    remarks(document, (first,), LEFT, 39)
    edges = columns((LEFT, 38.0, 80.0), len(_ROUNDS))
    for seat, letter in enumerate("ABCDEF"):
        top = 45.0 + 40 * seat
        write(document, letter, LEFT, top + 2, 4.4, bold=True)
        rule(document, 24, top + 3.6, 104, top + 3.6)
        tops = [top + 5 + 4.6 * line for line in range(len(PAYOFF) + 2)]
        write(document, "round", edges[1] + 2, tops[0] + 2.3, 2.8)
        for column, number in enumerate(_ROUNDS):
            in_cell(document, str(number), edges, column + 2, tops[0] + 2.3, 2.8, bold=True)
        for (articles, text), y in zip(PAYOFF, tops[1:], strict=False):
            in_cell(document, articles, edges, 0, y + 2.3, 2.6)
            write(document, text, edges[1] + 2, y + 2.3, 2.6, bold=articles == "RW-38")
        grid(document, edges, tops, heavy=(0, 2, len(edges) - 1))
    write(document, "Entered the castle", LEFT, 288, 4, bold=True)
    rule(document, 58, 290, 122, 290)
    write(document, "Date", 130, 288, 4)
    rule(document, 142, 290, RIGHT, 290)


def tracker(document: FPDF) -> None:
    """Draw tracks for the step of the round, the turn order, both whirlpools and everybody's payoff."""
    lying_heading(document, "Realm of Wonder", "one token on each track")
    label(document, "Step of the round (RW-28)", LEFT_LYING, 30)
    for index, step in enumerate(("1 payoff", "2 movement cards", "3 spells", "4 moving")):
        field(document, LEFT_LYING + index * 67, 34, step, width=62, height=14, size=5)
    label(document, "Turn grid (RW-43): the slowest left, the fastest right", LEFT_LYING, 58)
    for index in range(6):
        text = {0: "casts first", 5: "moves first"}.get(index, "")
        field(document, LEFT_LYING + index * 44.6, 62, text, width=42, size=4)
    for disc, articles, y in (("Middle", "RW-35", 90.0), ("Innermost", "RW-36", 90.0)):
        left = LEFT_LYING if disc == "Middle" else 150.5
        label(document, f"{disc} whirlpool at the path of ({articles})", left, y)
        for index, path in enumerate(PATHS):
            field(document, left + index * 22, y + 4, path, height=14, size=3.6)
    label(document, "Payoff of each player (RW-37), from 3 for the house (RW-31)", LEFT_LYING, 118)
    for seat, letter in enumerate("ABCDEF"):
        y = 122.0 + 13.6 * seat
        write(document, letter, LEFT_LYING + 3, y + 6, 6, bold=True, align="centre")
        for number in range(16):
            field(
                document, LEFT_LYING + 9 + number * 16, y, str(number),
                width=15, height=12, size=6, ringed=number == 3, dark=seat % 2 == 1,
            )  # fmt: skip
