"""Every table option of the duel is a switch of the rules: each value changes what some case is ruled."""

from __future__ import annotations

import msgspec
import pytest

from companion.cli.judge import judge_cases
from companion.notation.case import Case
from companion.notation.document import DocumentError
from companion.rulebook.load import load_rulebook

from .test_cases import cases_of

OPTIONS = load_rulebook("allies").options
BEFORE_THE_TABLE = "tribe_picking"
"""The order of picking is over before anything lies on the table; it changes what is told, nothing else."""
CASES = cases_of("allies")
VALUES = [
    (option.name, value.value)
    for option in OPTIONS.values()
    for value in option.values
    if value.value != option.default and option.name != BEFORE_THE_TABLE
]


def outcome(case: Case, **options: str) -> object:
    doc = msgspec.structs.replace(case.doc, options=case.doc.options | options, expected=msgspec.UNSET)
    try:
        ruling = judge_cases("allies", [Case(case.document, case.path, doc)])[0]
    except DocumentError as error:
        return str(error)
    return ruling.state, ruling.ruling


@pytest.mark.parametrize(("name", "value"), VALUES, ids=[f"{name}={value}" for name, value in VALUES])
def test_the_value_changes_a_ruling(name: str, value: str) -> None:
    assert any(outcome(case, **{name: value}) != outcome(case) for case in CASES)


def test_the_order_of_picking_is_text_alone() -> None:
    values = OPTIONS[BEFORE_THE_TABLE].values
    assert all(outcome(case, **{BEFORE_THE_TABLE: each.value}) == outcome(case) for case in CASES for each in values)
