"""The score sheet and the tracker of King of the Dice."""

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

SCORING: tuple[tuple[str, str], ...] = (
    ("KD-28", "Villagers, without fairies and dragons"),
    ("KD-28", "Place cards"),
    ("KD-50", "Fairies: 1 is 1, 2 are 4, 3 are 9, 4 are 16"),
    ("KD-32", "Penalty cards (minus)"),
    ("KD-56", "Dragons (minus)"),
    ("KD-33", "Total: the highest one wins"),
    ("KD-34", "Level? Fewer minus points on the cards win"),
)
"""Article, what is counted."""
FORGOTTEN: tuple[tuple[str, str], ...] = (
    ("Elves on top of your pile: you may roll four times.", "KD-41"),
    ("Apprentice: another turn after this one.", "KD-47"),
    ("Hypnotist: also take the villager to its right, with a matching place.", "KD-52"),
    ("Dragon: give it to another player, on top of that pile.", "KD-55"),
    ("Villager under its own colour: take the top place card, too.", "KD-21"),
    ("Nothing met: a penalty, and the rightmost villager is discarded.", "KD-23, KD-24"),
)
"""What tables overlook, with its articles."""
PLACES = ("city", "mine", "workshops", "orc village", "troll forest")
"""The five stacks of place cards from left to right (KD-07)."""


def scoresheet(document: FPDF) -> None:
    """Draw what every pile is worth, and what has been taken."""
    heading(document, "King of the Dice")
    write(document, "When the game is over", LEFT, 46, 5, bold=True)
    edges = columns((LEFT, 34.0, 107.0), 5)
    tops = [52.0, 60.0, 72.0, *(72.0 + 12 * line for line in range(1, len(SCORING) + 1))]
    for index, head in enumerate(("article", "what counts", *"ABCDE")):
        in_cell(document, head, edges, index, 56, 3.5, bold=index > 1)
    write(document, "name", edges[1] + 2, 66, 3.2)
    for (article, text), top in zip(SCORING, tops[2:], strict=False):
        in_cell(document, article, edges, 0, top + 6, 3.2)
        write(document, text, edges[1] + 2, top + 6, 3.2, bold=article == "KD-33")
    grid(document, edges, tops, heavy=(0, 2, 7))
    minus = "The last line is the sum of both minus lines, without its sign; level again, the win is shared (KD-Q13)."
    remarks(document, (minus,), LEFT, tops[-1] + 6)

    top = tops[-1] + 20
    write(document, "Taken so far: note who took the card", LEFT, top, 5, bold=True)
    edges = columns((LEFT, 48.0), 5)
    lines = [top + 6, top + 14, *(top + 14 + 9 * line for line in range(1, 4))]
    for index, head in enumerate(("place (KD-21)", *PLACES)):
        in_cell(document, head, edges, index, lines[0] + 4, 3.2, bold=index > 0)
    for line, points in enumerate("234"):
        in_cell(document, f"worth {points}", edges, 0, lines[line + 1] + 4.5, 3.2)
    grid(document, edges, lines, heavy=(0, 1, 6))
    edges = columns((LEFT, 48.0), 10)
    lines = [lines[-1] + 6, lines[-1] + 15]
    write(document, "penalties (KD-23)", LEFT + 2, lines[0] + 4.5, 3.2)
    for number in range(10):
        in_cell(document, str(number + 1), edges, number + 1, lines[0] + 4.5, 3.2, bold=True)
    grid(document, edges, lines, heavy=(0, 1, 11))
    ends = (
        "The last villager of the draw pile (KD-29), the last penalty (KD-30) or the last card of one place (KD-31)",
        "ends the game.",
    )
    remarks(document, ends, LEFT, lines[1] + 6)
    signed(document, 276)


def tracker(document: FPDF) -> None:
    """Draw tracks for the player, the step and the roll, and what tables forget."""
    lying_heading(document, "King of the Dice", "one token on each track")
    label(document, "Whose turn (KD-12)", LEFT_LYING, 34)
    for index, seat in enumerate("ABCDE"):
        field(document, LEFT_LYING + index * 23, 39, seat)
    label(document, "Roll (KD-14)", 160, 34)
    for number in range(1, 4):
        field(document, 160 + (number - 1) * 23, 39, str(number))
    field(document, 229, 39, "4 with elves", width=52, size=5, dark=True)
    label(document, "Step (KD-13)", LEFT_LYING, 72)
    for index, step in enumerate(("1 roll", "2 win a villager or take a penalty", "3 fill up the row")):
        field(document, LEFT_LYING + index * 90, 77, step, width=85, size=4.6)
    label(document, "Do not forget", LEFT_LYING, 112)
    for line, (text, articles) in enumerate(FORGOTTEN):
        write(document, text, LEFT_LYING, 121 + 9 * line, 5.2)
        write(document, articles, 230, 121 + 9 * line, 4, grey=90)
    last = "Only what the dice show after your last roll counts (KD-17, KD-42)."
    remarks(document, (last,), LEFT_LYING, 182, 3.8)
