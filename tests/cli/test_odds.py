"""`companion odds`: of a written position, of a journal, and what cannot be reckoned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.bootstrap import find_set, new_header, resume
from companion.games import load_game
from companion.journal.file import Journal

from .journals import answer, begin, run

KEY = "king_of_the_dice"
POSITION = """
game: king-of-the-dice
position:
  row: [rich-1, gnome-1, dragon-2]
  dice: [green-2, blue-4, red-4, red-4, blue-1, red-2]
  rolls: 1
"""


def written(tmp_path: Path, text: str = POSITION) -> Path:
    dice = find_set(KEY, None).of_kind("die").values()
    shown = [next(face for face in die["net"] if face.endswith(pip)) for die, pip in zip(dice, "244412", strict=True)]
    file = tmp_path / "table.yaml"
    file.write_text(text.replace("[green-2, blue-4, red-4, red-4, blue-1, red-2]", f"[{', '.join(shown)}]"), "utf-8")
    return file


def test_the_odds_of_a_written_position_are_printed_and_exact(tmp_path: Path) -> None:
    result = run("odds", written(tmp_path), "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["rolls_left"] == 2
    rich = document["goals"][0]
    assert rich["piece"] == "rich-1"
    assert rich["chance"] == pytest.approx(0.75, abs=1e-9)
    assert rich["keep"] == [1, 2, 3, 4, 6]
    assert not rich["met"]
    said = run("odds", written(tmp_path)).stdout
    assert "rolls left: 2" in said
    assert "75 % (0.750000)" in said


def test_the_odds_of_a_journal_are_those_of_its_last_entry_or_of_an_earlier_one(tmp_path: Path) -> None:
    path, cards = tmp_path / "evening.journal", find_set(KEY, None)
    journal = Journal.create(path, new_header(load_game(KEY), ("Ada", "Bo"), cards, stated={"starter": "A"}))
    session = resume(journal, cards)
    dealt = [
        ("deal", f"{card} @ V{column}") for column, card in enumerate(("rich-1", "gnome-1", "elves-3", "orc-1"), 1)
    ]
    answer(session, [*dealt, ("deal", "dragon-2 @ V5"), ("penalty", "penalty-1 @ S2")])
    assert json.loads(run("odds", path, "--json").stdout)["rolls_left"] == 3
    early = run("odds", path, "--at", "2")
    assert early.exit_code == 2
    assert "no roll is open, 'deal' is asked" in early.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (POSITION.replace("rolls: 1", "rolls: 3"), "no roll is open, 'penalty' is asked; name a table"),
        (POSITION.replace("king-of-the-dice", "chess"), "game: found 'chess', expected one of"),
        (POSITION.replace("gnome-1", "gnome-77"), "row: found 'gnome-77', expected a villager"),
        (POSITION.replace("red-2]", "red-7]").replace("244412", ""), "dice: die"),
        (POSITION.replace("rolls:", "rollz:"), "unknown field `rollz`"),
        ("game: allies\nposition: {}\n", "has no dice in this set, or nothing to roll them for"),
    ],
)
def test_what_has_no_odds_is_refused_in_one_sentence(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "other.yaml"
    file.write_text(written(tmp_path, text).read_text("utf-8"), "utf-8")
    result = run("odds", file)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_duel_has_no_odds_and_a_position_no_entries(tmp_path: Path) -> None:
    begin(tmp_path / "duel.journal")
    assert "nothing to roll them for" in run("odds", tmp_path / "duel.journal").stderr
    assert "a position has no entries" in run("odds", written(tmp_path), "--at", "3").stderr
