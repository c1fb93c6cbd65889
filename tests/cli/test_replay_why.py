"""`companion replay` and `companion why`: what is in a journal, in words, with the articles."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.bootstrap import find_set, new_header
from companion.games import load_game
from companion.journal.entry import AnswerEntry, UndoEntry
from companion.journal.file import Journal

from ..table.evenings import plain, with_symbols
from .journals import HAND, answer, begin, run

YETI, WEAKENER = plain("yeti"), with_symbols("golem", -1)


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """Entries 6 to 11: a card each, a rotation, its undo, a correction, a remark."""
    path = tmp_path / "evening.journal"
    journal, session = begin(path)
    with journal:
        answer(session, [("play", f"{YETI} @ A1"), ("play", f"{WEAKENER} @ B1"), ("weaken 1", "A1")])
        assert session.undo(HAND)
        assert session.correct(6, f"{plain('yeti', 1)} @ A1", HAND) == ""
        assert session.note("tea is ready", HAND)
    return path


def test_replay_tells_every_entry_with_its_rulings_and_articles(evening: Path) -> None:
    said = run("replay", evening)
    assert said.exit_code == 0, said.output
    lines = said.stdout.splitlines()
    assert lines[0].startswith("Allies: Realm of Wonder: Ada against Bo, edition reconciled, begun ")
    assert "   1  region-yeti-1 was dealt into R1.  [touch]" in lines
    assert f"   6  Ada laid {YETI} into A1.  [touch, Ada]" in lines
    assert any(line.strip().startswith(f"Ada lays {YETI} into column 1; it shows") for line in lines)
    assert "   8  Bo weakened A1 by 1.  [touch, Bo, taken back by entry 9]" in lines
    assert "   9  Entry 8 was taken back (Bo weakened A1 by 1).  [touch]" in lines
    assert f"  10  Entry 6 was really: Ada laid {plain('yeti', 1)} into A1.  [touch]" in lines
    assert "  11  Note: tea is ready.  [touch]" in lines
    assert lines[-1] == "Asked next: Ada: lay a card into your row, its arrow at the middle."


def test_replay_at_an_entry_shows_the_table_as_it_lay_then(evening: Path) -> None:
    then = json.loads(run("replay", evening, "--at", "8", "--json").stdout)
    now = json.loads(run("replay", evening, "--json").stdout)
    assert then["position"]["rows"]["A"]["1"]["card"] == YETI
    assert now["position"]["rows"]["A"]["1"]["card"] == plain("yeti", 1)
    assert then["entries"][7]["rulings"][0]["cites"][0] == "AL-50"
    assert then["entries"][7]["undone_by"] is None
    assert now["entries"][7]["undone_by"] == 9
    assert len(then["entries"]) == 8


def test_the_position_that_replay_prints_can_be_scored(evening: Path, tmp_path: Path) -> None:
    said = run("replay", evening, "--at", "8").stdout
    file = tmp_path / "position.yaml"
    file.write_text(said.partition("The position in notation:\n")[2])
    scored = run("score", "allies", "--table", file, "--json")
    assert scored.exit_code == 0, scored.output
    assert json.loads(scored.stdout)["score"] == {"A": 0, "B": 0}


def test_why_reads_the_ruling_out_with_each_article_once(evening: Path) -> None:
    said = run("why", evening, "--entry", "8")
    assert said.exit_code == 0, said.output
    assert said.stdout.startswith("Entry 8: Bo weakened A1 by 1.\n  Said by: touch, Bo (screen).\n")
    assert said.stdout.count("  AL-50 ") == 1
    assert "This depends on what the table agreed: " in said.stdout


def test_why_without_a_number_explains_the_last_entry_that_is_no_remark(evening: Path) -> None:
    assert run("why", evening).stdout.startswith(f"Entry 10: Entry 6 was really: Ada laid {plain('yeti', 1)} into A1.")
    assert run("why", evening, "--entry", "11").stdout.endswith("It changed nothing that the rules look at.\n")


def test_why_gives_the_evidence_and_the_options_as_json(tmp_path: Path) -> None:
    path = tmp_path / "seen.journal"
    journal, _ = begin(path)
    with journal:
        journal.append(
            AnswerEntry(
                to="play",
                reply=f"{YETI} @ A1",
                seat=0,
                source="camera",
                witness="camera",
                confidence=0.875,
                evidence="ab12",
            )
        )
    told = json.loads(run("why", path, "--json").stdout)
    assert (told["source"], told["confidence"], told["evidence"], told["seat"]) == ("camera", 0.875, "ab12", 0)
    assert told["articles"][0]["id"] == told["effects"][0]["cites"][0]
    assert all(article["text"] for article in told["articles"])
    words = run("why", path).stdout
    assert "Said by: camera, 88 % sure." in words
    assert "Evidence: the picture with the digest ab12." in words


@pytest.mark.parametrize("name", ["replay", "why"])
@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda raw: raw[:40], "breaks off in its first line"),
        (lambda raw: raw.replace(b"@ A1", b"@ A2", 1), "is not as it was written"),
        (lambda raw: b"", "is empty"),
        (lambda raw: b"Dear diary\n", "is not a journal"),
    ],
)
def test_a_damaged_journal_or_another_file_is_one_sentence_and_exit_2(
    evening: Path, name: str, damage: Callable[[bytes], bytes], says: str
) -> None:
    raw = damage(evening.read_bytes())
    evening.write_bytes(raw)
    said = run(name, evening)
    assert said.exit_code == 2
    assert said.stdout == ""
    assert says in said.stderr
    assert len(said.stderr.strip().splitlines()) == 1
    assert evening.read_bytes() == raw


def test_a_journal_cut_off_in_its_last_line_is_told_without_it(evening: Path) -> None:
    evening.write_bytes(evening.read_bytes()[:-10])
    said = run("replay", evening)
    assert said.exit_code == 0
    assert "Entry 11 of evening.journal is incomplete and was left out." in said.stderr
    assert "tea is ready" not in said.stdout


@pytest.mark.parametrize("arguments", [("replay", "--at", "99"), ("why", "--entry", "99"), ("why", "--entry", "0")])
def test_an_entry_that_is_not_there_is_bad_input(evening: Path, arguments: tuple[str, ...]) -> None:
    said = run(arguments[0], evening, *arguments[1:])
    assert said.exit_code == 2
    assert "entr" in said.stderr


def test_a_missing_file_and_a_missing_set_are_bad_input(evening: Path, tmp_path: Path) -> None:
    assert run("replay", tmp_path / "nothing.journal").exit_code == 2
    said = run("replay", evening, "--deck", tmp_path / "no set")
    assert said.exit_code == 2
    assert "owner's set" in said.stderr


def test_a_game_that_was_not_begun_has_nothing_to_explain(tmp_path: Path) -> None:
    path = tmp_path / "new.journal"
    Journal.create(path, new_header(load_game("allies"), ("Ada", "Bo"), find_set("allies", None))).close()
    said = run("why", path)
    assert said.exit_code == 2
    assert said.stderr == "new.journal has no entry yet that could be explained; play a card first.\n"
    assert run("replay", path).exit_code == 0


def test_an_entry_that_does_not_fit_is_told_with_the_reason_and_exit_1(tmp_path: Path) -> None:
    path = tmp_path / "odd.journal"
    journal, _ = begin(path)
    with journal:
        journal.append(AnswerEntry(to="play", reply=f"{WEAKENER} @ B1", source="touch"))
        journal.append(UndoEntry(of=5, source="touch"))
    said = run("replay", path)
    assert said.exit_code == 1
    assert "it is the turn of Ada" in said.stdout
    why = run("why", path, "--entry", "6")
    assert why.exit_code == 1
    assert "it is the turn of Ada" in why.stdout
