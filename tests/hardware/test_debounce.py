from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import CLOSED_FOR, DOUBLE_WITHIN, LONG_AFTER, OPEN_FOR, Change, Debounce, Gestures, GestureSeen

chatter = st.lists(st.integers(1, 3999), max_size=7, unique=True).map(sorted)
"""Moments (in microseconds after the first touch) at which the contact changes while it bounces."""
press = st.tuples(st.integers(10_000, 900_000), st.integers(28_000, 900_000), chatter, chatter)
"""How long it is held, how long it then rests, the chatter of closing and of opening."""


def trace(presses: list[tuple[int, int, list[int], list[int]]]) -> tuple[list[tuple[bool, int]], list[int]]:
    """Edges (level, microseconds) of a bouncing contact, and when each press began."""
    edges: list[tuple[bool, int]] = []
    begun: list[int] = []
    now = 100_000
    for held, rest, closing, opening in presses:
        begun.append(now)
        for start, bounces, end in ((now, closing, True), (now + held - 4000, opening, False)):
            level = end
            edges.append((level, start))
            for bounce in bounces:
                level = not level
                edges.append((level, start + bounce))
            if level != end:
                edges.append((end, start + 4000))
        now += held + rest
    return edges, begun


def heard(edges: list[tuple[bool, int]], settles: list[int]) -> list[Change]:
    debounce, changes = Debounce(), []
    moments = sorted([(at, 0, level) for level, at in edges] + [(at, 1, False) for at in settles])
    for at, kind, level in moments:
        changes += debounce.settle(at / 1e6) if kind else debounce.edge(level, at / 1e6)
    return changes + debounce.settle(edges[-1][1] / 1e6 + 1 if edges else 1.0)


@given(st.lists(press, max_size=6), st.lists(st.integers(0, 5_000_000), max_size=20))
def test_a_press_of_ten_milliseconds_is_never_lost_and_a_bounce_never_counts_twice(
    presses: list[tuple[int, int, list[int], list[int]]], settles: list[int]
) -> None:
    edges, begun = trace(presses)
    changes = heard(edges, settles)
    closed = [change.at * 1e6 for change in changes if change.closed]
    assert len(closed) == len(begun)
    assert all(-1 <= at - began <= 4001 for at, began in zip(closed, begun, strict=True))
    assert [change.closed for change in changes] == [True, False] * len(begun)


@given(st.lists(press, max_size=4), st.lists(st.integers(0, 3_000_000), max_size=30))
def test_it_does_not_matter_when_or_whether_time_is_told(
    presses: list[tuple[int, int, list[int], list[int]]], settles: list[int]
) -> None:
    edges, _ = trace(presses)
    assert heard(edges, settles) == heard(edges, [])


@given(st.lists(st.tuples(st.integers(1, 1400), st.integers(1, 100_000)), max_size=30))
def test_a_spike_below_one_and_a_half_milliseconds_is_no_press(spikes: list[tuple[int, int]]) -> None:
    edges, now = [], 0
    for length, rest in spikes:
        edges += [(True, now), (False, now + length)]
        now += length + rest
    assert heard(edges, []) == []


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 10)), max_size=40))
def test_edges_in_any_order_give_alternating_changes_in_order(edges: list[tuple[bool, float]]) -> None:
    debounce = Debounce()
    changes = [change for level, at in edges for change in debounce.edge(level, at)]
    assert [change.closed for change in changes] == [n % 2 == 0 for n in range(len(changes))]
    assert [change.at for change in changes] == sorted(change.at for change in changes)


def test_a_button_that_is_held_while_watching_begins_is_no_press() -> None:
    debounce = Debounce(closed=True)
    assert debounce.edge(False, 1.0) == []
    assert debounce.settle(1.0 + OPEN_FOR) == [Change(False, 1.0)]


def test_a_press_is_told_one_and_a_half_milliseconds_after_the_contact_closed() -> None:
    debounce = Debounce()
    assert debounce.edge(True, 5.0) == []
    assert debounce.wake_at() == 5.0 + CLOSED_FOR
    assert debounce.settle(5.0014) == []
    assert debounce.settle(5.0 + CLOSED_FOR) == [Change(True, 5.0)]
    assert debounce.wake_at() is None


def gestures(*changes: tuple[bool, float], wanted: set[str], until: float = 100.0) -> list[tuple[str, float]]:
    told = Gestures(frozenset(wanted))  # type: ignore[arg-type]
    seen: list[GestureSeen] = []
    for closed, at in changes:
        seen += told.change(Change(closed, at))
    seen += told.settle(until)
    return [(one.gesture, one.at) for one in seen]


def test_a_lone_short_press_is_told_at_once() -> None:
    assert gestures((True, 1.0), wanted={"short"}, until=1.0) == [("short", 1.0)]


def test_a_held_press_is_long_and_not_short() -> None:
    held = [(True, 1.0), (False, 1.0 + LONG_AFTER + 0.1)]
    assert gestures(*held, wanted={"short", "long"}) == [("long", 1.0)]
    assert gestures(*held, wanted={"short"}) == [("short", 1.0)]


def test_a_long_press_is_told_while_it_is_still_held() -> None:
    assert gestures((True, 1.0), wanted={"short", "long"}, until=1.0 + LONG_AFTER) == [("long", 1.0)]


def test_a_press_let_go_in_time_is_short_where_a_long_one_is_wanted_too() -> None:
    assert gestures((True, 1.0), (False, 1.2), wanted={"short", "long"}, until=1.2) == [("short", 1.0)]


def test_two_quick_presses_are_one_double() -> None:
    quick = [(True, 1.0), (False, 1.1), (True, 1.2), (False, 1.3)]
    assert gestures(*quick, wanted={"short", "double"}) == [("double", 1.0)]
    assert gestures(*quick, wanted={"short", "long"}) == [("short", 1.0), ("short", 1.2)]


def test_two_slow_presses_are_two_shorts() -> None:
    slow = [(True, 1.0), (False, 1.1), (True, 1.0 + DOUBLE_WITHIN + 0.1), (False, 2.0)]
    assert gestures(*slow, wanted={"short", "double"}) == [("short", 1.0), ("short", 1.0 + DOUBLE_WITHIN + 0.1)]


def test_a_gesture_that_nobody_wants_is_not_told() -> None:
    assert gestures((True, 1.0), (False, 1.1), wanted={"long"}) == []
