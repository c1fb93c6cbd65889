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
from companion.rulebook.load import load_rulebook

KEY = "vaalbara"
FOLDER = resources.files("companion.games") / KEY / "cases"
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for file in ("structured.yaml", "plays.yaml", "ours.yaml", "by_hand.yaml")
    for case in parse_document((FOLDER / file).read_text(encoding="utf-8")).root["cases"]
}
STRUCTURED = [key for key, case in CASES.items() if case["form"] == "structured"]
PEOPLE = ("title", "question", "ruling", "rules", "alternatives", "expected")
OPTIONS_OF_THE_ALTERNATIVES: dict[str, dict[str, str]] = {
    "vaal-05": {"mountain_counts": "any_land"},
    "vaal-14": {"river_initiative": "at_most_six"},
    "vaal-20": {"VB-Q19": "at_most_six"},
    "vaal-29": {"fighter_own": "gets_one"},
    "vaal-33": {"neighbours_meant": "either"},
    "vaal-39": {"carpenter_counts": "new_forest_too"},
    "vaal-42": {"falconer_poor": "nothing"},
    "vaal-53": {"type_bonus": "only_six"},
    "vaal-60": {"two_players": "opponent_twice"},
    "vaal-62": {"mountain_counts": "any_land"},
    "vaal-70": {"order_after_pathfinder": "new_signs"},
    "vaal-78": {"neighbours_meant": "either"},
    "vaal-81": {"two_players": "opponent_twice"},
    "vaal-94": {"type_bonus": "only_six"},
}


def ruled(case: dict[str, Any], **changed: Any) -> Ruling:
    root = {"game": "vaalbara", "cases": [copy.deepcopy(case) | changed]}
    return judge_cases(*open_file(Document("case.yaml", root, {})))[0]


def structured(kind: str, position: dict[str, Any], **more: Any) -> Ruling:
    return ruled({"id": "one", "kind": kind, "form": "structured", "position": position, **more})


def test_all_sourced_cases_are_here() -> None:
    assert len([key for key in CASES if key.startswith("vaal-")]) == 55
    assert len([key for key in STRUCTURED if key.startswith("vaal-")]) == 45


@pytest.mark.parametrize("case_id", CASES)
def test_the_ruling_cites_articles_and_what_is_for_people_changes_nothing(case_id: str) -> None:
    case = CASES[case_id]
    false = {key: value for key, value in case.items() if key not in PEOPLE} | dict.fromkeys(PEOPLE[:-1], "falsified")
    first, second = ruled(case), ruled(false)
    assert first.agrees
    assert (first.ruling, first.cites) == (second.ruling, second.cites)
    known = load_rulebook(KEY)
    ids = {*known.articles, *(option.id for option in known.options.values())}
    assert set(first.cites) <= ids


@pytest.mark.parametrize("case_id", [key for key, case in CASES.items() if "alternatives" in case])
def test_each_alternative_is_reached_by_setting_an_option(case_id: str) -> None:
    (alternative,) = CASES[case_id]["alternatives"]
    ruling = ruled(CASES[case_id], options=OPTIONS_OF_THE_ALTERNATIVES[case_id], expected=alternative["expected"])
    assert ruling.agrees, ruling


@pytest.mark.parametrize("case_id", STRUCTURED)
def test_an_option_that_changes_the_ruling_is_named_by_it(case_id: str) -> None:
    case = CASES[case_id]
    before, stated = ruled(case), case.get("options", {})
    for name, option in load_rulebook(KEY).options.items():
        for value in option.values:
            if name in stated:
                continue
            try:
                after = ruled(case, options=stated | {name: value.value})
            except DocumentError as error:
                assert option.id in str(error), (name, value.value)  # noqa: PT017  refused under this reading
                continue
            if (after.state, after.ruling) != (before.state, before.ruling):
                assert name in before.options, (name, value.value)
                assert after.options[name] == value.value


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
