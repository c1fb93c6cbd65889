"""Coverage says of each article whether the engine enforces it, and why not if it does not."""

from __future__ import annotations

import pytest

from companion.rulebook.coverage import CoverageEntry, compare_coverage
from companion.rulebook.load import load_coverage, load_rulebook

ALLIES = load_rulebook("allies")


def test_the_coverage_of_allies_has_no_faults() -> None:
    assert compare_coverage(ALLIES, load_coverage("allies")).faults == ()


def test_the_states_are_a_partition_of_all_articles() -> None:
    coverage = compare_coverage(ALLIES, load_coverage("allies"))
    articles = [each for each in (*coverage.done, *coverage.exempt, *coverage.todo) if each.startswith("AL-")]
    assert sorted(articles) == sorted(each.id for each in ALLIES.articles.values() if each.level == "rule")


@pytest.mark.parametrize(
    ("key", "entry", "fault"),
    [
        ("AL-65", None, "AL-65 has no entry; write its state."),
        ("AL-101", CoverageEntry("todo"), "AL-101 is no article of allies; remove the entry or correct its id."),
        ("E14", CoverageEntry("exempt", reason="."), "E14 is covered by the option crown_counts; remove the entry."),
        ("AL-65", CoverageEntry("done"), "AL-65 is done but names no test; name the test that fails without it."),
        ("AL-65", CoverageEntry("exempt"), "AL-65 is exempt but gives no reason; write why."),
    ],
)
def test_a_fault_is_told_with_what_to_do(key: str, entry: CoverageEntry | None, fault: str) -> None:
    entries = load_coverage("allies")
    entries.pop(key, None)
    if entry:
        entries[key] = entry
    assert compare_coverage(ALLIES, entries).faults == (fault,)
