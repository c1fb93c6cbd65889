"""The board as a picture anyone can draw: what a game projects its position onto.

Frame: the mat seen from above, row 0 at the top edge, column 0 at the left. Directions are quarter
turns clockwise: 0 towards the top edge, 1 right, 2 bottom, 3 left. The picture knows no game; a
game decides which of its things is a cell, a value, a mark or a pile.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Symbol = Literal["crown", "diamond", "strengthen", "weaken", "castle", "lock", "star", "heart", "dot"]
"""What the screen can draw as a small mark; anything else goes into `Mark.text`."""

CellState = Literal["plain", "fresh", "asked", "unsure", "wrong", "missing"]
"""plain: as it was; fresh: changed by the last ruling; asked: the due question is about it; unsure:
read with doubt; wrong: what lies there does not fit; missing: it should lie there and is not seen."""

CellKind = Literal["card", "tile", "empty"]
"""card: belongs to a seat, drawn with a value; tile: belongs to the table, drawn with its arrow;
empty: a place where something may come to lie."""


class Mark(msgspec.Struct, frozen=True):
    """A small sign on a cell. `symbol` is drawn, `text` stands beside it (a count, a letter)."""

    symbol: Symbol
    text: str = ""


class Cell(msgspec.Struct, frozen=True):
    """One place of the board and what lies there.

    `key` is the slot's key on the mat (`A3`), `row` and `column` its place in the grid, fractions
    allowed. `value` is the largest thing on the cell, normally the value that counts now, and
    `faces` the direction that it faces. `sides` are the values on the four sides as the piece lies
    now (top, right, bottom, left; empty strings where nothing is printed). `arrow` is the direction
    of the printed arrow. `seam` names the corner that a barrier runs into (0 = top right, 1 =
    bottom right, 2 = bottom left, 3 = top left). `owner` is the seat whose card it is or whom the
    tile points at; `tone` is a number from 0 that tints pieces of one family alike.
    """

    key: str
    row: float
    column: float
    kind: CellKind = "empty"
    title: str = ""
    value: str = ""
    faces: int | None = None
    sides: tuple[str, str, str, str] = ("", "", "", "")
    arrow: int | None = None
    seam: int | None = None
    marks: tuple[Mark, ...] = ()
    owner: int | None = None
    tone: int | None = None
    state: CellState = "plain"
    note: str = ""
    """A few words under the title, such as `3 against 2`."""


class Pile(msgspec.Struct, frozen=True):
    """Cards that are counted and not laid out: a deck, a hand, what was won.

    `count` is None while the number is not known.
    """

    key: str
    title: str
    count: int | None
    owner: int | None = None
    note: str = ""
    symbol: Symbol | None = None


class BoardModel(msgspec.Struct, frozen=True):
    """The whole picture: a grid of `rows` x `columns` cells and the piles beside it.

    `row_owners` names the seat of each row from the top (None for the table's own row).
    """

    rows: int
    columns: int
    cells: tuple[Cell, ...]
    piles: tuple[Pile, ...] = ()
    row_owners: tuple[int | None, ...] = ()

    def cell(self, key: str) -> Cell:
        """Return the cell called `key`.

        :raises KeyError: if the board has no such cell.
        """
        for cell in self.cells:
            if cell.key == key:
                return cell
        raise KeyError(key)
