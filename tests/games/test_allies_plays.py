"""The cases whose moves were sentences: each a play in notation, ruled through the engine."""

import copy
from importlib import resources
from typing import Any

import pytest

from companion.cli.judge import judge_cases, open_file
from companion.notation.case import Ruling
from companion.notation.document import Document, DocumentError, parse_document
from companion.rulebook.load import load_rulebook

FOLDER = resources.files("companion.games.allies") / "cases"
CASES: list[dict[str, Any]] = [
    case
    for file in ("plays.yaml", "options.yaml")
    for case in parse_document((FOLDER / file).read_text(encoding="utf-8")).root["cases"]
    if case["form"] == "play"
]
BY_ID = {case["id"]: case for case in CASES}


def ruled(case: dict[str, Any], **changed: Any) -> Ruling:
    root = {"game": "allies", "cases": [copy.deepcopy(case) | changed]}
    return judge_cases(*open_file(Document("play.yaml", root, {})))[0]


@pytest.mark.parametrize("case_id", BY_ID)
def test_a_false_expectation_changes_no_ruling_and_is_told(case_id: str) -> None:
    case = BY_ID[case_id]
    false = ruled(case, expected=dict.fromkeys(case["expected"], "falsified"), ruling="falsified", rules=[])
    assert false.cites
    assert false.ruling == ruled(case).ruling
    assert false.agrees is False


def test_a_troll_may_stay_in_its_slot_while_a_card_of_the_hand_covers() -> None:
    case = copy.deepcopy(BY_ID["duel-59"])
    case["position"]["cards"]["wizard-d"] = {"tribe": "wizard", "diamond": True, "sectors": [1, 3, 4, 5], "arrow": 2}
    case["moves"] = ["play: troll-d @ A2", "cover: wizard-d @ A1"]
    ruling = ruled(case, options={"AL-Q11": "hand_card_covers", "AL-Q06": "diamond_card"}, expected={})
    assert ruling.ruling["value_column_1"] == 3
    assert ruling.ruling["filled_columns_A"] == [1, 2]
    assert ruling.ruling["covered_card"] == "removed from the game"


UNDER_ONE_EDITION = [
    case_id
    for case_id, case in BY_ID.items()
    if not set(case["asks"]) & set(load_rulebook("allies").editions) and "b" not in case["asks"]
]
"""An explicit option would beat the editions that the other plays compare."""


@pytest.mark.parametrize("case_id", UNDER_ONE_EDITION)
def test_an_option_that_changes_the_ruling_is_named_by_it(case_id: str) -> None:
    case = BY_ID[case_id]
    before = ruled(case)
    for name, option in load_rulebook("allies").options.items():
        for value in option.values:
            if {name, option.id} & set(case.get("options", {})):
                continue
            says = ""
            try:
                after = ruled(case, options=case.get("options", {}) | {name: value.value})
            except DocumentError as error:
                # With this option the play itself is not possible; the refusal must say why.
                after, says = before, str(error)
            assert not says or option.id in says or "is not asked now" in says
            assert after.ruling == before.ruling or {name} & (set(before.options) | set(after.options))
