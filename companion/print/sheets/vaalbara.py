"""The score sheet and the tracker of Vaalbara."""

from __future__ import annotations

from fpdf import FPDF

from companion.print.form import (
    LEFT,
    LEFT_LYING,
    columns,
    field,
    grid,
    heading,
    in_cell,
    label,
    lying_heading,
    remarks,
    signed,
)
from companion.print.page import write

LANDS: tuple[tuple[str, str, str], ...] = (
    ("VB-37", "meadow", "1 for each meadow of yours and your neighbours'"),
    ("VB-38", "forest", "what the card says"),
    ("VB-39, VB-40", "mountain", "10 for your second, 20 for your fourth"),
    ("VB-41", "field", "2 for each field of yours"),
    ("VB-42", "village", "2 for each type of land that you have"),
    ("VB-43", "river", "your rivers times the character's initiative"),
)
"""Articles, type of land, what it brings when it is taken (itself included)."""
SCORING: tuple[tuple[str, str], ...] = (
    ("VB-28", "Victory points on the tokens"),
    ("VB-33", "Exactly five types of land: 5"),
    ("VB-34", "All six types of land: 10"),
    ("VB-35", "Total: the most points win"),
)
"""Article, what is counted."""


def scoresheet(document: FPDF) -> None:
    """Draw everybody's kingdom by types of land, and what counts in the end."""
    heading(document, "Vaalbara")
    edges = columns((LEFT, 38.0, 108.0), 5)
    write(document, "Lands of each kingdom", LEFT, 46, 5, bold=True)
    tops = [52.0, 60.0, 72.0, *(72.0 + 12 * line for line in range(1, len(LANDS) + 1))]
    for index, head in enumerate(("article", "land and reward", *"ABCDE")):
        in_cell(document, head, edges, index, 56, 3.5, bold=index > 1)
    write(document, "name and clan", edges[1] + 2, 66, 3.2)
    for (articles, land, text), top in zip(LANDS, tops[2:], strict=False):
        in_cell(document, articles, edges, 0, top + 6, 2.9)
        write(document, land, edges[1] + 2, top + 4, 3.4, bold=True)
        write(document, text, edges[1] + 2, top + 8.6, 2.9, grey=60)
    grid(document, edges, tops, heavy=(0, 2, 7))
    says = (
        "Make a stroke for each land when it is taken; its reward is paid at once, in tokens that lie face down "
        "(VB-28, VB-29).",
        "Neighbours sit to the left and to the right. A kingdom has nine lands in the end (VB-19).",
    )
    remarks(document, says, LEFT, tops[-1] + 6)

    top = tops[-1] + 24
    write(document, "After the ninth round", LEFT, top, 5, bold=True)
    lines = [top + 6 + 12 * line for line in range(len(SCORING) + 1)]
    for (article, text), y in zip(SCORING, lines, strict=False):
        in_cell(document, article, edges, 0, y + 6, 3.2)
        write(document, text, edges[1] + 2, y + 6, 3.2, bold=article == "VB-35")
    grid(document, edges, lines, heavy=(0, 2, 7))
    level = "Level? The clan whose sign stands further left on the top card of the land deck wins (VB-36)."
    remarks(document, (level,), LEFT, lines[-1] + 6)
    signed(document, 264)


def tracker(document: FPDF) -> None:
    """Draw tracks for the round, its phases, and the order in which people act."""
    lying_heading(document, "Vaalbara", "a token on each of the first two tracks, one of each player below")
    label(document, "Round (VB-19)", LEFT_LYING, 34)
    for number in range(1, 10):
        field(document, LEFT_LYING + (number - 1) * 23, 39, str(number))
    label(document, "Phase (VB-20)", LEFT_LYING, 70)
    for index, phase in enumerate(
        ("1 everybody plays a character", "2 act, one after the other", "3 end of the round")
    ):
        field(document, LEFT_LYING + index * 90, 75, phase, width=85, size=4.6)
    label(
        document,
        "Order of this round: lowest initiative first (VB-22), level ones by the clans' signs (VB-23)",
        16,
        106,
    )
    for number in range(1, 6):
        field(document, LEFT_LYING + (number - 1) * 36, 111, str(number), width=32)
    label(document, "Whoever acts", LEFT_LYING, 144)
    for line, (text, articles) in enumerate(
        (
            ("first the character, whether it helps or harms", "VB-24, VB-25"),
            ("then one land of the first row, and its reward at once", "VB-27, VB-28"),
            ("the character goes face up to the own discard", "VB-26"),
        )
    ):
        write(document, text, LEFT_LYING, 152 + 8 * line, 5)
        write(document, articles, 160, 152 + 8 * line, 4, grey=90)
    label(document, "End of the round", LEFT_LYING, 180)
    write(document, "second row becomes the first, a new second row is laid", LEFT_LYING, 188, 5)
    write(document, "VB-31", 160, 188, 4, grey=90)
    write(document, "everybody draws up to five characters", LEFT_LYING, 196, 5)
    write(document, "VB-32", 160, 196, 4, grey=90)
