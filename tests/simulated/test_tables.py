"""Games played by chance at a simulated table, followed by pictures, edges, bytes and touches alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.bootstrap import new_header, resume
from companion.games import load_game
from companion.journal.file import Journal
from companion.sets.owner import standard_set
from companion.simulated.beats import Frame
from companion.simulated.playing import Playing
from companion.simulated.tables import dock_of, eyes_for, games_with_tables, simulated_table
from companion.table.session import Session


def follow(game: str, seed: int, folder: Path, acts: int) -> tuple[Session, Any, int]:
    """Follow an evening until `acts` are understood, or to its end; return the session, the table and its pictures."""
    table = simulated_table(game, seed)
    cards = standard_set(game)
    header = new_header(load_game(game), table.evening.names, cards, table.evening.edition)
    pictures = 0
    with Journal.create(folder / "evening.journal", header) as journal:
        session = resume(journal, cards)
        looks = lambda seen: table.look(len(seen.done))  # noqa: E731
        with Playing(session, eyes_for(table.evening), looks, dock_of(table.evening)) as playing:
            for beat in table.beats():
                playing.take(beat)
                pictures += isinstance(beat, Frame)
                if len(session.done) >= acts:
                    break
    return session, table, pictures


def test_a_whole_evening_of_discs_markers_and_dice_comes_to_the_same_end(tmp_path: Path) -> None:
    session, table, _ = follow("realm_of_wonder", 2, tmp_path, acts=10_000)
    assert session.is_over
    assert session.game.outcome(session.position.state) == table.truth()
    sources = {entry.source for entry in session.entries}
    assert {"dice", "markers", "button", "touch"} <= sources


@pytest.mark.parametrize(("game", "acts"), [("vaalbara", 9), ("king_of_the_dice", 9)])
def test_cards_and_dice_are_read_from_one_picture(game: str, acts: int, tmp_path: Path) -> None:
    session, _, pictures = follow(game, 1, tmp_path, acts)
    assert len(session.done) >= acts
    assert not session.alarm
    seen = [entry.source for entry in session.entries]
    assert seen.count("camera") >= acts // 2
    assert ("dice" in seen) is (game == "king_of_the_dice")
    assert pictures > acts


def test_a_game_without_a_table_is_named() -> None:
    with pytest.raises(LookupError, match="there is one for allies, king_of_the_dice, vaalbara, realm_of_wonder"):
        simulated_table("_template", 1)
    assert games_with_tables()[0] == "allies"
