"""The structured cases of the duel, ruled one by one."""

import copy
from importlib import resources
from typing import Any

import pytest

from companion.cli.judge import judge_cases, open_file
from companion.notation.case import Ruling, matches
from companion.notation.document import Document, DocumentError, parse_document
from companion.rulebook.load import load_rulebook

FOLDER = resources.files("companion.games.allies") / "cases"
CASES: list[dict[str, Any]] = [
    case
    for file in ("structured.yaml", "options.yaml")
    for case in parse_document((FOLDER / file).read_text(encoding="utf-8")).root["cases"]
    if case["form"] == "structured"
]
BY_ID = {case["id"]: case for case in CASES}
PEOPLE = ("title", "question", "ruling", "rules", "alternatives", "expected")


def ruled(case: dict[str, Any], **changed: Any) -> Ruling:
    root = {"game": "allies", "cases": [copy.deepcopy(case) | changed]}
    return judge_cases(*open_file(Document("case.yaml", root, {})))[0]


@pytest.mark.parametrize("case_id", BY_ID)
def test_the_ruling_has_every_key_asked_and_cites_articles(case_id: str) -> None:
    ruling = ruled(BY_ID[case_id])
    assert (ruling.state, ruling.agrees) == ("ruled", True)
    assert set(BY_ID[case_id]["asks"]) <= set(ruling.ruling)
    known = load_rulebook("allies")
    assert ruling.cites
    assert all(cite in known.articles or "-Q" in cite or "-E" in cite for cite in ruling.cites)


@pytest.mark.parametrize("case_id", BY_ID)
def test_what_is_for_people_changes_no_ruling(case_id: str) -> None:
    case = BY_ID[case_id]
    bare = {key: value for key, value in case.items() if key not in PEOPLE}
    false = bare | {key: {"columns": "falsified"} for key in PEOPLE}
    rulings = [ruled(each) for each in (case, bare, false)]
    assert rulings[0].ruling == rulings[1].ruling == rulings[2].ruling
    assert rulings[0].cites == rulings[1].cites == rulings[2].cites
    assert rulings[2].agrees is False


def test_a_card_with_equal_neighbours_exists_only_where_they_are_allowed() -> None:
    assert ruled(BY_ID["duel-136"]).agrees
    with pytest.raises(DocumentError, match=r"found 2, 2, 3, 3; at this table \(AL-Q22\) each is higher"):
        ruled(BY_ID["duel-136"], options={"equal_neighbours": "strictly_rising"})


def test_two_editions_rule_the_same_fight_differently_and_both_say_why() -> None:
    case = {
        "id": "crown",
        "kind": "battle",
        "asks": ["columns"],
        "position": {
            "columns": [
                {
                    "column": 1,
                    "region": {"card": "wizard", "arrow": "neutral"},
                    "A": {"value": 1, "crown": True},
                    "B": {"value": 4, "crown": False},
                }
            ]
        },
    }
    german, english = ruled(case, edition="de"), ruled(case, edition="en")
    assert german.ruling == {"columns": [{"column": 1, "won_by": "B", "steps_used": 2, "steps_lost": 1}]}
    assert english.ruling == {
        "columns": [{"column": 1, "won_by": "none", "arrow": "A", "steps_used": 1, "steps_lost": 0}]
    }
    assert german.options["crown_counts"] == "ties"
    assert english.options["crown_counts"] == "always"
    assert ruled(case, edition="en", options={"AL-Q01": "ties"}).ruling == german.ruling


def test_a_value_nobody_stated_makes_a_fight_undecidable() -> None:
    case = copy.deepcopy(BY_ID["duel-01"])
    del case["position"]["columns"][0]["A"]["value"]
    ruling = ruled(case)
    assert (ruling.state, ruling.ruling, ruling.agrees) == ("undecidable", {}, False)
    assert "value A3" in ruling.reason


def test_a_crown_nobody_stated_is_assumed_to_be_none_and_the_ruling_says_so() -> None:
    case = copy.deepcopy(BY_ID["duel-01"])
    del case["position"]["columns"][0]["B"]["crown"]
    ruling = ruled(case)
    assert ruling.agrees
    assert ruling.assumed == ("column 3: the card of B has no crown",)


def test_tribes_nobody_stated_make_a_hand_undecidable_only_where_they_matter() -> None:
    case = copy.deepcopy(BY_ID["duel-72"])
    case["position"]["A"] = {}
    assert ruled(case).state == "undecidable"
    case["position"] |= {"won_A": ["castle"], "won_B": ["castle"]}
    assert ruled(case).ruling == {"A": 5, "B": 5}


def test_a_hand_maximum_never_falls_below_the_smallest_hand_of_the_table() -> None:
    position = {
        "A": {"tribes": ["yeti", "troll"]},
        "B": {"tribes": ["golem", "wizard"]},
        "won_B": ["yeti", "yeti", "yeti", "troll", "troll", "troll"],
    }
    case = {"id": "small", "kind": "hand", "position": position}
    assert ruled(case).ruling == {"A": 0, "B": 5}
    assert ruled(case).options == {"smallest_hand": "zero"}
    assert ruled(case, options={"AL-Q20": "one"}).ruling == {"A": 1, "B": 5}


def test_a_total_tie_ends_as_the_table_agreed() -> None:
    case = BY_ID["duel-82"]
    assert ruled(case).ruling["winner"] == "draw"
    assert ruled(case, options={"total_tie": "shared_win"}).ruling["winner"] == "both"
    assert ruled(case, options={"total_tie": "play_again"}).ruling["winner"] == "nobody"
    fewer = copy.deepcopy(case)
    fewer["position"]["A"]["pile"] = ["yeti", "gnome", "castle", "castle"]
    fewer["position"]["table"] = [{"card": "cyclops", "arrow": "B"}]
    assert ruled(fewer, options={"total_tie": "fewer_castles"}, expected={"winner": "B"}).agrees


@pytest.mark.parametrize(
    ("expected", "found", "agrees"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": True}, {"a": 1}, False),
        ([1, 2], (1, 2), True),
        ([1, 2], [1, 2, 3], False),
        ([{"a": 1}], [{"a": 1, "b": 2}], True),
        ({"1": "x"}, {1: "x"}, True),
        ("A", "B", False),
        ({"a": {}}, {"a": 3}, False),
    ],
)
def test_an_expectation_is_compared_key_by_key_and_item_by_item(expected: Any, found: Any, agrees: bool) -> None:
    assert matches(expected, found) is agrees
