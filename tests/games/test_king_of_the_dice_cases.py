"""The cases of King of the Dice: every alternative by an option, every option that matters named."""

from __future__ import annotations

import copy
from importlib import resources
from typing import Any

import pytest

from companion.cli.judge import judge_cases, open_file
from companion.notation.case import Ruling
from companion.notation.document import Document, DocumentError, parse_document

KEY = "king_of_the_dice"
FOLDER = resources.files("companion.games") / KEY / "cases"
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for file in ("structured.yaml", "plays.yaml", "ours.yaml", "by_hand.yaml")
    for case in parse_document((FOLDER / file).read_text(encoding="utf-8")).root["cases"]
}
STRUCTURED = [key for key, case in CASES.items() if case["form"] == "structured"]
PEOPLE = ("title", "question", "ruling", "rules", "alternatives", "expected")

ONES = [{"number": 1, "colour": "red"}] * 6


def ruled(case: dict[str, Any], **changed: Any) -> Ruling:
    root = {"game": "king-of-the-dice", "cases": [copy.deepcopy(case) | changed]}
    return judge_cases(*open_file(Document("case.yaml", root, {})))[0]


def structured(kind: str, position: dict[str, Any], **more: Any) -> Ruling:
    return ruled({"id": "one", "kind": kind, "form": "structured", "position": position, **more})


def test_all_sourced_cases_are_here() -> None:
    assert len([key for key in CASES if key.startswith("dice-")]) == 60
    assert len([key for key in STRUCTURED if key.startswith("dice-")]) == 38


@pytest.mark.parametrize("value", ["fourteen", "twenty_one"])
def test_the_lost_digit_of_the_hypnotist_is_an_option(value: str) -> None:
    assert ruled(CASES["dice-86"], options={"hypnotist_limit": value}).ruling["met"] is True


def test_a_limit_that_the_card_shows_counts() -> None:
    dice = [{"number": 2, "colour": "red"}] * 5 + [{"number": 3, "colour": "red"}]
    assert structured("condition", {"condition": {"type": "hypnotist", "max_sum": 13}, "dice": dice}).ruling["met"]
    assert not structured("condition", {"condition": {"type": "hypnotist", "max_sum": 12}, "dice": dice}).ruling["met"]


def test_a_row_tells_which_place_card_is_won_where_the_stacks_are_stated() -> None:
    position = {
        "row": ["dwarf/brown", "mushroom/violet", "dwarf/brown", "orc/green", "fairy/violet"],
        "places": ["yellow", "brown", "blue", "green", "violet"],
        "draw_pile": ["elves/yellow", "gnome/blue"],
        "take": [5],
    }
    assert structured("row", position).ruling["gets"] == ["fairy", "top place card of violet"]
    for left in ([3, 3, 3, 3, 2], [3, 3, 3, 3, [3, 4]], {"violet": [3, 4]}, {"violet": 2}):
        assert structured("row", position | {"places_left": left}).ruling["gets"] == ["fairy", "place 3 of violet"]
    reverse = structured("row", position | {"places_left": {"violet": 2}}, options={"place_order": "two_at_the_bottom"})
    assert reverse.ruling["gets"] == ["fairy", "place 3 of violet"]


def test_a_villager_that_is_taken_lies_on_its_place() -> None:
    position = {
        "row": ["dwarf/brown", "gnome/blue", "hypnotist/blue", "orc/green", "fairy/violet"],
        "places": ["yellow", "brown", "blue", "green", "violet"],
        "take": 3,
    }
    assert structured("take", position).ruling == {
        "gets": ["hypnotist", "top place card of blue", "orc", "top place card of green"],
        "order_bottom_to_top": ["place", "hypnotist", "place", "orc"],
    }
    assert structured("take", position | {"take": 2}).ruling == {"gets": ["gnome"], "order_bottom_to_top": ["gnome"]}


def test_a_chain_of_hypnotists_leaves_three_gaps() -> None:
    position = {
        "row": ["dwarf/brown", "hypnotist/violet", "hypnotist/violet", "orc/green", "fairy/violet"],
        "draw_pile": ["elves/yellow", "gnome/blue", "rich/yellow", "rich/yellow"],
        "take": [2, 3, 4],
    }
    ruling = structured("row", position).ruling
    assert ruling["gets"] == ["hypnotist", "hypnotist", "orc"]
    assert ruling["row"] == ["rich/yellow", "gnome/blue", "elves/yellow", "dwarf/brown", "fairy/violet"]


@pytest.mark.parametrize(
    ("kind", "position", "says"),
    [
        ("row", {"row": ["dwarf/brown"] * 5, "take": [1, 3]}, "take: V3 is not won"),
        ("row", {"row": ["dwarf/brown"] * 5}, "take: state either the villagers taken or the penalty"),
        ("row", {"row": ["witch/brown"] * 5, "take": [1]}, "row: found 'witch/brown', expected a villager such as"),
        ("row", {"row": ["dwarf/brown"] * 4, "take": [1]}, "row: found a list of 4, expected 5 at least"),
        ("condition", {"condition": {"type": "goblin"}, "dice": ONES}, "type: found 'goblin', expected one of apprent"),
        ("row", {"row": ["dwarf/brown"] * 5, "take": [1], "draw_pile": []}, "draw_pile: found no card"),
        (
            "end",
            {
                "villagers_left": 5, "penalties_left": 4, "places_left": [3] * 5, "penalty": False,
                "villagers_taken": 0,
            },
            "villagers_taken: found 0 with penalty false",
        ),
        ("condition", {"condition": {"type": "elves", "length": 7}, "dice": ONES}, "length: found 7"),
        (
            "condition",
            {"condition": {"type": "orc", "groups": {"star": 4, "moon": 4}}, "dice": ONES},
            "groups: found 4 \\+ 4 dice for the orc; there are six",
        ),
        (
            "end",
            {
                "villagers_left": 5, "penalties_left": 4, "places_left": [3] * 5, "penalty": False,
                "villagers_taken": 2, "places_taken": [1, 5],
            },
            "a hypnotist and its bonus lie side by side",
        ),
    ],
)  # fmt: skip
def test_a_case_that_contradicts_itself_is_refused_in_one_sentence(
    kind: str, position: dict[str, Any], says: str
) -> None:
    with pytest.raises(DocumentError, match=says):
        structured(kind, position)


def test_a_pile_that_is_not_stated_has_no_points() -> None:
    assert set(structured("score", {"A": {"points": [3]}, "B": {}}).ruling) == {
        "A",
        "B",
        "minus_A",
        "minus_B",
        "winner",
    }
