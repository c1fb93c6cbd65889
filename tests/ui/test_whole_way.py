"""From the finger to the journal and back: the real application on the real desk, no camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.desk import TableDesk
from companion.journal.file import read_journal
from companion.journal.shelf import Shelf
from companion.presenters.models import LiveModel
from tests.desk.parts import TestRoom
from tests.ui.pilot import Pilot
from ui.screens.games import GameTile


def live(pilot: Pilot) -> LiveModel:
    return pilot.app.live


def enter_by_hand(pilot: Pilot, cell: str) -> str:
    """Tap an empty place, a kind of card, a card; return the card."""
    assert pilot.wait(lambda: pilot.here == "live" and cell in pilot.sheet.ids.board.boxes)
    for _ in range(5):  # a finger that comes amid a change of the screen is not heard; people tap again
        pilot.settle()
        if pilot.here == "correct":
            break
        pilot.tap(pilot.cell(pilot.sheet.ids.board, cell))
    correct = pilot.app.root.sheet("correct")
    assert pilot.wait(
        lambda: correct.mode == "options" and correct.model is not None and correct.model.cell.key == cell
    )
    pilot.tap(pilot.button("Another card"))
    family = correct.model.shelves[0]
    pilot.tap(pilot.button(family.title))
    assert pilot.wait(lambda: correct.mode == "shelf" and correct.ids.shelves.children)
    pilot.tap(correct.ids.shelves.children[-1])
    title = family.options[0].title
    assert pilot.wait(lambda: live(pilot).board.cell(cell).title == title)
    return title


def test_a_duel_is_begun_and_its_first_turn_played_by_touch_alone(fly: Callable[..., Pilot], tmp_path: Path) -> None:
    pilot = fly(desk=TableDesk(TestRoom(tmp_path, electronics=False)))
    pilot.tap(pilot.button("New game"))
    assert pilot.wait(lambda: any(tile.model.key == "allies" for tile in pilot.shown(GameTile)))
    pilot.tap(next(tile for tile in pilot.shown(GameTile) if tile.model.key == "allies"))
    pilot.tap(pilot.button("Ania"))
    pilot.tap(pilot.button("Next"))
    assert pilot.wait(lambda: pilot.here == "table")
    pilot.tap(pilot.button("Play without camera"))

    for column in range(1, 6):
        enter_by_hand(pilot, f"R{column}")
    assert pilot.wait(lambda: live(pilot).prompt.seat == 0)
    card = enter_by_hand(pilot, "A3")
    undo = pilot.button("Undo")
    assert pilot.wait(lambda: card in undo.detail)
    pilot.tap(pilot.button("Why?"))
    assert pilot.wait(lambda: pilot.sheet.model is not None and card in pilot.sheet.says)
    assert pilot.sheet.article.startswith("AL-")
    pilot.tap(undo)
    assert pilot.wait(lambda: live(pilot).board.cell("A3").kind == "empty")
    assert live(pilot).board.cell("R5").title in undo.detail

    (game,) = Shelf(tmp_path).unfinished()
    kinds = [type(entry).__name__ for entry in read_journal(game.path).entries]
    assert kinds == ["AnswerEntry"] * 6 + ["UndoEntry"]
