"""The position that a single look at the table shows, and what no look can show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from companion.games.allies.inventory import box_from
from companion.games.allies.state import SEATS, SLOTS, facing_of
from companion.kernel import UNKNOWN, NotationError, Setup

UNSEEN = ("winning piles",)
"""What counts for the score and lies outside the mat; counted as empty."""

_ARROWS: dict[int, Literal["A", "B", "neutral"]] = {0: "B", 1: "neutral", 2: "A", 3: "neutral"}
"""Where a region card's arrow points, by its quarter turns clockwise in the mat frame."""


def position_of(seen: Mapping[str, tuple[str, int]], setup: Setup) -> dict[str, Any]:
    """Return the document of a position from the card and quarter turn seen in each slot.

    :raises NotationError: for a card that cannot lie in its slot.
    """
    box = box_from(setup.faces)
    rows: dict[str, dict[int, dict[str, Any]]] = {letter: {} for letter in SEATS}
    regions: dict[int, dict[str, str]] = {}
    for slot, (piece, turn) in seen.items():
        row, column = SLOTS[slot]
        if row == "R":
            if piece not in box.regions:
                raise NotationError(f"{slot}: found {piece}, expected a region card; tribe cards lie in rows A and B")
            regions[column + 1] = {"card": piece, "arrow": _ARROWS[turn % 4]}
            continue
        if piece not in box.cards:
            raise NotationError(f"{slot}: found {piece}, expected a tribe card; region cards lie in the middle row")
        card = box.cards[piece]
        facing = facing_of(SEATS.index(row), card, turn)
        rows[row][column + 1] = {"card": piece} | ({} if facing is UNKNOWN else {"facing": facing})
    return {"rows": {letter: row for letter, row in rows.items() if row}, "regions": regions}
