"""A desk for measuring the screen: a full board that stays as it is, and a camera picture that moves."""

from __future__ import annotations

import numpy as np

from companion.presenters.board import BoardModel, Cell, Mark, Pile
from companion.presenters.desk import Frame, Intent, Publish, Resume
from companion.presenters.models import (
    FeedModel,
    HomeModel,
    LiveModel,
    OverlayModel,
    PlayerModel,
    PromptModel,
    ResumeModel,
)

PICTURE = (720, 1280, 4)
FRAMES = 4


class StillDesk:
    """Publishes one live table; `film` makes every frame asked for a new picture."""

    resume = Resume("bench")

    def __init__(self) -> None:
        self._publish: Publish = lambda model: None
        self._pictures = [np.full(PICTURE, 40 + 20 * number, np.uint8) for number in range(FRAMES)]
        self._serial, self._filming = 0, False

    def open(self, publish: Publish) -> None:
        self._publish = publish

    def submit(self, intent: Intent) -> None:
        if isinstance(intent, Resume):
            self._publish(table())
        else:
            self._publish(HomeModel((ResumeModel("bench", "Bench", "Two players"),)))

    def frame(self) -> Frame | None:
        self._serial += self._filming
        return Frame(self._serial, self._pictures[self._serial % FRAMES])

    def film(self) -> None:
        self._filming = True

    def close(self) -> None:
        """Nothing runs behind this desk."""


def table() -> LiveModel:
    """A live table with fifteen cards, as busy as a duel gets."""
    cells = tuple(_cell(row, column) for row in range(3) for column in range(5))
    piles = tuple(Pile(f"{title}{seat}", title, 12, seat) for seat in (0, 1) for title in ("won", "hand", "deck"))
    outlines = tuple(
        OverlayModel(cell.key, _outline(cell.column, cell.row), cell.title) for cell in cells if cell.kind != "empty"
    )
    return LiveModel(
        game="bench",
        title="Bench",
        players=(PlayerModel(0, "Ania", 7, turn=True, note="hand 5"), PlayerModel(1, "Max", 4, note="hand 5")),
        prompt=PromptModel("ask", "Ania: lay a card into your row", key="play", seat=0),
        board=BoardModel(3, 5, cells, piles, (1, None, 0)),
        progress="Round 2 of 4",
        overlays=outlines,
        feed=(FeedModel("Max lays a card"), FeedModel("Ania lays a card")),
        undo="Max lays a card",
    )


def _cell(row: int, column: int) -> Cell:
    key = f"{'BRA'[row]}{column + 1}"
    if row == 1:
        return Cell(key, row, column, "tile", f"region {column}", arrow=column % 4, owner=column % 2, tone=column)
    seat = 0 if row == 2 else 1
    marks = (Mark("crown"), Mark("strengthen", "1"))
    sides = ("1", "2", "3", "4")
    return Cell(key, row, column, "card", f"card {key}", "1", 2 - row, sides, 0, 3, marks, seat, column)


def _outline(column: float, row: float) -> tuple[tuple[float, float], ...]:
    x, y = 0.1 + 0.16 * column, 0.1 + 0.28 * row
    return ((x, y), (x + 0.12, y), (x + 0.12, y + 0.22), (x, y + 0.22))
