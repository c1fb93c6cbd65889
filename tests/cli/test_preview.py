"""`companion preview`: of a written position, of a journal, and where nothing is foretold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.bootstrap import find_set, new_header, resume
from companion.games import load_game
from companion.journal.file import Journal
from companion.kernel import UNKNOWN
from companion.notation.playthrough import read_playthrough

from .journals import answer, begin, run

PLAYED = Path(__file__).parents[2] / "companion" / "games" / "vaalbara" / "playthroughs" / "two-players.txt"
POSITION = """
game: vaalbara
seats: [Ann, Bo]
position:
  due: land
  played: {A: bard, B: farmer}
  order: [A, B]
  kingdoms: {A: [river-1], B: [river-2, mountain-1]}
  first: [river-3, mountain-2]
"""


def written(tmp_path: Path, text: str = POSITION) -> Path:
    file = tmp_path / "table.yaml"
    file.write_text(text, "utf-8")
    return file


def test_what_each_land_of_the_first_row_brings_each_player_is_printed_with_every_term(tmp_path: Path) -> None:
    result = run("preview", written(tmp_path))
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "Ann",
        "    4  river-3 in F1 (VB-43, VB-Q19)",
        "          4  own rivers: 2, the initiative 2 for each (VB-43, VB-Q19)",
        "    0  mountain-2 in F2 (VB-39, VB-40, VB-Q03)",
        "          0  mountain number 1 of the kingdom (VB-39, VB-40, VB-Q03)",
        "Bo",
        "   48  river-3 in F1 (VB-43, VB-Q19, VB-55)",
        "         24  own rivers: 2, the initiative 12 for each (VB-43, VB-Q19)",
        "         24  doubled by the Farmer (VB-55)",
        "   20  mountain-2 in F2 (VB-39, VB-Q03, VB-55)",
        "         10  mountain number 2 of the kingdom (VB-39, VB-Q03)",
        "         10  doubled by the Farmer (VB-55)",
    ]
    first, second = json.loads(run("preview", written(tmp_path), "--json").stdout)
    assert (first["seat"], second["seat"]) == ("Ann", "Bo")
    assert [each["points"] for each in second["choices"]] == [48, 20]
    assert [part["points"] for part in second["choices"][0]["parts"]] == [24, 24]


def test_a_river_before_the_characters_are_open_is_foretold_from_the_lowest_to_the_highest(tmp_path: Path) -> None:
    text = POSITION.replace("due: land", "due: assign").replace("played: {A: bard, B: farmer}", "round: 2")
    text = text.replace("order: [A, B]", "discards: {A: [fighter, bard], B: [farmer]}")
    first, second = json.loads(run("preview", written(tmp_path, text), "--json").stdout)
    assert first["choices"][0]["points"] == 6
    assert first["choices"][0]["parts"][0]["says"] == "own rivers: 2, the initiative 3 to 12 for each, so up to 24"
    assert second["choices"][0]["parts"][0]["says"] == "own rivers: 2, the initiative 1 to 11 for each, so up to 22"


def test_a_journal_foretells_as_it_stood_after_an_entry(tmp_path: Path) -> None:
    path, cards = tmp_path / "evening.journal", find_set("vaalbara", None)
    journal = Journal.create(path, new_header(load_game("vaalbara"), ("Ada", "Bo"), cards))
    session = resume(journal, cards)
    _, answers = read_playthrough(PLAYED.read_text(encoding="utf-8"))
    answer(session, answers[:12])
    lands = [key for key in session.position.state.first if key is not None]
    assert session.position.state.clans is not UNKNOWN
    for seat in json.loads(run("preview", path, "--json").stdout):
        assert [choice["says"].split(" in ")[0] for choice in seat["choices"]] == lands
        assert all(part["cites"] for choice in seat["choices"] for part in choice["parts"])
    early = run("preview", path, "--at", "1")
    assert early.exit_code == 2
    assert "nothing is foretold at this table of Vaalbara" in early.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (POSITION.replace("mountain-2]", "desert-2]"), "found 'desert-2', expected a land of the set"),
        (POSITION.replace("first:", "frist:"), "unknown field `frist`"),
        (POSITION.replace("game: vaalbara", "game: chess"), "found 'chess', expected one of"),
    ],
)
def test_a_position_that_does_not_fit_is_refused_in_one_sentence(tmp_path: Path, text: str, says: str) -> None:
    result = run("preview", written(tmp_path, text))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_game_that_foretells_nothing_is_named(tmp_path: Path) -> None:
    begin(tmp_path / "duel.journal")
    result = run("preview", tmp_path / "duel.journal")
    assert result.exit_code == 2
    assert "nothing is foretold at this table of" in result.stderr
    assert "a position has no entries" in run("preview", written(tmp_path), "--at", "3").stderr
