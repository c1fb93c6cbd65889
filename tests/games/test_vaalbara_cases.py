"""Structured cases of Vaalbara that leave out what decides them: refused in one sentence, never guessed."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli.judge import command


@pytest.mark.parametrize(
    ("kind", "position", "says"),
    [
        ("land", "{seating: [A, B], active: A, take: {type: forest}}", "value: the number on the forest is missing"),
        ("land", "{seating: [A, B], active: A, take: {type: river}}", "initiative: it is missing"),
        ("land", "{seating: [A, A], active: A, take: {type: field}}", "expected two to five different seats"),
        ("order", "{initiatives: {A: 3, C: 2}}", "initiatives: B is missing"),
        (
            "order",
            "{initiatives: {A: 3, B: 3}, clans: {A: bear, B: wolf}, signs: [wolf]}",
            "signs: the clan bear is missing",
        ),
        ("order", "{initiatives: {A: 3, B: 3}, clans: {A: bear}, signs: [wolf, bear]}", "clans: B is missing"),
        (
            "order",
            "{initiatives: {A: 3, B: 4}, clans: {A: bear, B: bear}, signs: [wolf, bear]}",
            "clans: found bear twice",
        ),
        ("final", "{vp: {A: 9, B: 9}, kingdoms: {}, clans: {A: bear, B: wolf}, signs: [wolf]}", "signs: the clan bear"),
        (
            "effect",
            "{seating: [A, B, C], initiatives: {A: 3, B: 5}, active: A, character: hunter}",
            "initiatives: C is missing; the hunter needs to know",
        ),
        ("vp", "{active: A, character: falconer, vp: {A: 3, B: 5}}", "initiatives: B is missing; the falconer"),
        (
            "vp",
            "{active: A, character: fighter, fighter_in_hand: [B], shown: [C], vp: {A: 1, B: 2, C: 3}}",
            "fighters: found C, expected B (VB-44 VB-25)",
        ),
    ],
)
def test_what_decides_a_case_is_asked_for_in_one_sentence(tmp_path: Path, kind: str, position: str, says: str) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(f"game: vaalbara\ncases:\n- {{id: x, kind: {kind}, position: {position}}}\n", encoding="utf-8")
    result = CliRunner().invoke(command, [str(file)])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert says in result.stderr
    assert "case.yaml, line 3: cases[0].position" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
