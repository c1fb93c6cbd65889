"""The cases of Vaalbara: every alternative by an option, every option that matters named, nothing guessed."""

from __future__ import annotations

import copy
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli.judge import command, judge_cases, open_file
from companion.notation.case import Ruling
from companion.notation.document import Document, DocumentError, parse_document

KEY = "vaalbara"
FOLDER = resources.files("companion.games") / KEY / "cases"
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for file in ("structured.yaml", "plays.yaml", "ours.yaml", "by_hand.yaml")
    for case in parse_document((FOLDER / file).read_text(encoding="utf-8")).root["cases"]
}
STRUCTURED = [key for key, case in CASES.items() if case["form"] == "structured"]
PEOPLE = ("title", "question", "ruling", "rules", "alternatives", "expected")


def ruled(case: dict[str, Any], **changed: Any) -> Ruling:
    root = {"game": "vaalbara", "cases": [copy.deepcopy(case) | changed]}
    return judge_cases(*open_file(Document("case.yaml", root, {})))[0]


def structured(kind: str, position: dict[str, Any], **more: Any) -> Ruling:
    return ruled({"id": "one", "kind": kind, "form": "structured", "position": position, **more})


def test_all_sourced_cases_are_here() -> None:
    assert len([key for key in CASES if key.startswith("vaal-")]) == 55
    assert len([key for key in STRUCTURED if key.startswith("vaal-")]) == 45


def test_a_character_that_only_its_number_tells_is_said_to_be_assumed() -> None:
    position = {"seating": ["A", "B"], "active": "A", "initiative": 12, "kingdoms": {}, "take": {"type": "field"}}
    guessed = structured("land", position)
    assert guessed.ruling == {"reward": 4}
    assert guessed.assumed == ("the initiative 12 is that of the farmer (VB-Q15)",)
    assert structured("land", position | {"character": "farmer"}).assumed == ()


def test_two_initiatives_for_one_player_are_refused() -> None:
    position = {"active": "A", "character": "oracle", "initiative": 4, "initiatives": {"A": 3, "B": 10}}
    with pytest.raises(DocumentError, match="initiative: found 4, and 3 for A among the initiatives"):
        structured("turn", position)


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
            "fighters: found C, expected B (VB-44 VB-25 VB-Q04)",
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
