"""The bench of the table measures what it says."""

from __future__ import annotations

from companion.bench.table import CHANGES, measure


def test_every_scene_with_several_changes_is_explained_by_what_really_happened() -> None:
    figures = measure(games=2, scenes=20)
    assert figures["changed_slots"] == CHANGES
    assert figures["scenes"] >= 20
    assert figures["truth_among_explanations"] == figures["scenes"]
    assert figures["out_of_budget"] == 0
    assert figures["people_would_be_asked"] < figures["scenes"]
    assert 0 < figures["reconcile_p50_ms"] <= figures["reconcile_p95_ms"] <= figures["reconcile_longest_ms"]
    assert figures["journal_entries"] > 50
