from __future__ import annotations

import random

from hypothesis import assume, given
from hypothesis import strategies as st

from hardware.encoder import REORDER, Encoder, Line

CLOCKWISE: tuple[tuple[Line, bool], ...] = (("a", True), ("b", True), ("a", False), ("b", False))
COUNTER: tuple[tuple[Line, bool], ...] = (("b", True), ("a", True), ("b", False), ("a", False))
QUARTER = 0.004
"""Seconds between two edges of a knob that is turned fast."""

turns = st.lists(st.sampled_from([1, -1]), max_size=12)


def edges_of(steps: list[int]) -> list[tuple[float, Line, bool]]:
    clean = [edge for step in steps for edge in (CLOCKWISE if step > 0 else COUNTER)]
    return [(QUARTER * (number + 1), line, closed) for number, (line, closed) in enumerate(clean)]


def heard(edges: list[tuple[float, Line, bool]], encoder: Encoder | None = None) -> list[int]:
    """The steps told, asking after every edge and at the end."""
    encoder = encoder or Encoder()
    told = []
    for at, line, closed in edges:
        encoder.edge(line, closed, at)
        told.append(encoder.settle(at))
    told.append(encoder.settle(float("inf")))
    return [step for step in told if step]


@given(turns)
def test_every_detent_is_one_step_in_its_direction(steps: list[int]) -> None:
    assert sum(heard(edges_of(steps))) == sum(steps)
    assert [abs(step) for step in heard(edges_of(steps))] == [1] * len(steps)


@given(turns, st.randoms(use_true_random=False), st.integers(0, 4))
def test_chatter_of_a_contact_counts_nothing(steps: list[int], rng: random.Random, most: int) -> None:
    chattering: list[tuple[float, Line, bool]] = []
    for at, line, closed in edges_of(steps):
        times = 2 * rng.randint(0, most) + 1
        chattering += [(at + number * 0.0001, line, closed == (number % 2 == 0)) for number in range(times)]
    assert heard(chattering) == heard(edges_of(steps))


@given(turns, st.randoms(use_true_random=False))
def test_edges_that_arrive_out_of_order_count_by_their_time(steps: list[int], rng: random.Random) -> None:
    edges = edges_of(steps)
    encoder = Encoder()
    arriving = sorted(edges, key=lambda edge: edge[0] + rng.uniform(0, 1.9 * QUARTER))
    for at, line, closed in arriving:
        encoder.edge(line, closed, at)
    assert encoder.settle(float("inf")) == sum(steps)


def test_a_swapped_pair_within_the_window_is_put_in_order_while_the_knob_turns() -> None:
    encoder = Encoder()
    encoder.edge("b", True, 0.0011)
    encoder.edge("a", True, 0.0010)
    assert encoder.settle(0.0012) == 0
    assert encoder.wake_at() == 0.0010 + REORDER
    encoder.edge("a", False, 0.006)
    encoder.edge("b", False, 0.010)
    assert encoder.settle(0.010 + REORDER) == 1
    assert encoder.wake_at() is None


@given(st.sampled_from([CLOCKWISE, COUNTER]), st.integers(0, 4))
def test_a_knob_turned_part_of_the_way_and_back_counts_nothing(way: tuple[tuple[Line, bool], ...], far: int) -> None:
    assume(far < len(way))
    forth = way[:far]
    back = [(line, not closed) for line, closed in reversed(forth)]
    edges = [(QUARTER * number, line, closed) for number, (line, closed) in enumerate([*forth, *back])]
    assert heard(edges) == []


@given(turns.filter(bool), st.data())
def test_a_lost_edge_costs_one_step_at_most_once_the_levels_are_read_again(
    steps: list[int], data: st.DataObject
) -> None:
    edges = edges_of(steps)
    lost = data.draw(st.integers(0, len(edges) - 1))
    detent = QUARTER * (4 * (lost // 4 + 1) + 0.5)
    levels: list[tuple[float, Line, bool]] = [(detent, "a", False), (detent, "b", False)]
    told = heard(sorted([*edges[:lost], *edges[lost + 1 :], *levels]))
    without = [*steps[: lost // 4], *steps[lost // 4 + 1 :]]
    assert told in (steps, without)


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.booleans(), st.floats(0, 1)), max_size=80))
def test_whatever_the_contacts_do_there_is_never_more_than_a_step_for_two_edges(
    edges: list[tuple[Line, bool, float]],
) -> None:
    encoder = Encoder()
    for line, closed, at in edges:
        encoder.edge(line, closed, at)
    assert 2 * abs(encoder.settle(2.0)) <= len(edges)
    assert set(encoder.levels) == {"a", "b"}


def test_a_knob_with_two_edges_for_a_detent_rests_with_both_contacts_closed_too() -> None:
    encoder = Encoder(per_step=2)
    told = []
    for at, line, closed in edges_of([1, 1]):
        encoder.edge(line, closed, at)
        told.append(encoder.settle(at + REORDER))
    assert told == [0, 1, 0, 1, 0, 1, 0, 1]


def test_a_knob_that_stands_between_detents_at_the_start_counts_nothing_until_it_has_rested() -> None:
    encoder = Encoder(state=3)
    assert encoder.levels == {"a": True, "b": True}
    assert heard([(0.1, "a", False), (0.2, "b", False)], encoder) == [1]
