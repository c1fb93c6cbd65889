"""Domains: what they contain is what they list, and counting needs no list."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kernel import (
    Assigned,
    Assignments,
    Chosen,
    Confirmed,
    Counted,
    Domain,
    Moved,
    Numbers,
    OneOf,
    Ordered,
    Orders,
    Placed,
    Reply,
    Rolled,
    Rolls,
    Subsets,
)

NAMES = st.lists(st.sampled_from("abcde"), unique=True, max_size=4).map(tuple)
ANY_NAMES = st.lists(st.sampled_from("abcdef"), max_size=4).map(tuple)
DOMAINS: st.SearchStrategy[Domain] = st.one_of(
    st.builds(Subsets, NAMES, st.integers(0, 2), st.integers(0, 4)),
    st.builds(Numbers, st.integers(-2, 2), st.integers(-2, 6)),
    st.builds(Orders, NAMES),
    st.builds(Rolls, st.lists(st.sampled_from([("1", "2"), ("a", "b", "c")]), max_size=3)),
    st.builds(Assignments, NAMES, st.lists(st.sampled_from("AB"), unique=True).map(tuple)),
    st.lists(st.booleans(), unique=True).map(lambda answers: OneOf(Confirmed(yes) for yes in answers)),
)
REPLIES: st.SearchStrategy[Reply] = st.one_of(
    ANY_NAMES.map(Chosen),
    st.integers(-4, 8).map(Counted),
    ANY_NAMES.map(Ordered),
    st.lists(st.sampled_from(["1", "2", "a", "c", "x"]), max_size=3).map(lambda faces: Rolled(tuple(faces))),
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("ABC")), max_size=3).map(lambda p: Assigned(tuple(p))),
    st.booleans().map(Confirmed),
)


@given(DOMAINS)
def test_counting_needs_no_list(domain: Domain) -> None:
    assert domain.count() == len(list(domain))


@given(DOMAINS)
def test_a_domain_contains_what_it_lists_each_once_and_in_the_same_order(domain: Domain) -> None:
    listed = list(domain)
    assert all(reply in domain for reply in listed)
    assert len(set(listed)) == len(listed)
    assert listed == list(domain)
    assert [domain.at(index) for index in range(len(listed))] == listed


@given(DOMAINS, REPLIES)
def test_a_domain_contains_nothing_that_means_something_else_than_what_it_lists(domain: Domain, reply: Reply) -> None:
    def meaning(each: Reply) -> Reply:
        # Picks are a set; the order in which they are named says nothing.
        return Chosen(tuple(sorted(each.picks))) if isinstance(each, Chosen) else each

    assert (reply in domain) == (meaning(reply) in [meaning(each) for each in domain])


def test_a_huge_domain_answers_without_being_written_down() -> None:
    many = Rolls([[str(face) for face in range(20)]] * 30)
    assert many.count() == 20**30
    assert Rolled(("7",) * 30) in many
    assert many.at(1) == Rolled((*("0",) * 29, "1"))


DICE = st.lists(st.lists(st.sampled_from("abcd"), unique=True, min_size=1), min_size=1, max_size=5)


@given(DICE, st.data())
def test_faces_seen_in_any_order_are_arranged_just_when_the_dice_can_show_them(
    dice: list[list[str]], data: st.DataObject
) -> None:
    faces = data.draw(st.lists(st.sampled_from("abcd"), min_size=len(dice), max_size=len(dice)))
    domain = Rolls(dice)
    possible = [order for order in permutations(faces) if Rolled(order) in domain]
    found = domain.arranged(faces)
    assert (found is not None) == bool(possible)
    assert found is None or found.faces in possible
    if Rolled(tuple(faces)) in domain:
        assert found == Rolled(tuple(faces))
    assert domain.arranged([*faces, "a"]) is None
    few = faces[1:]
    completed = (order for face in "abcd" for order in permutations([face, *few]))
    assert domain.can_show(few) == any(Rolled(order) in domain for order in completed)
    assert not domain.can_show([*faces, "a"])


def test_two_rolls_of_the_same_dice_are_equal_without_being_written_down() -> None:
    dice = [[str(face) for face in range(20)]] * 30
    assert Rolls(dice) == Rolls(dice)
    assert Rolls(dice) != Rolls(dice[1:])
    assert hash(Rolls(dice)) == hash(Rolls(dice))
    with pytest.raises(IndexError):
        Rolls([("1", "2")]).at(2)


def test_replies_that_touch_only_what_was_seen_are_found() -> None:
    places = OneOf([*(Placed(piece, slot) for piece in "xy" for slot in ("A1", "A2")), Moved("A1", "B1"), Counted(3)])
    found = list(places.within({"A1", "B1"}, {"A1": {"x"}}))
    assert found == [Placed("x", "A1"), Moved("A1", "B1"), Counted(3)]


def test_ranking_keeps_the_order_of_the_domain_among_equals() -> None:
    numbers = Numbers(1, 5)
    assert numbers.rank(lambda reply: -abs(getattr(reply, "number", 0) - 3), 3) == [Counted(3), Counted(2), Counted(4)]


def test_domains_are_compared_by_what_they_list() -> None:
    assert Numbers(1, 3) == Numbers(1, 3)
    assert Numbers(1, 3) != Numbers(1, 4)
    assert hash(Numbers(1, 3)) == hash(Numbers(1, 3))
    assert Subsets("ab", 1, 1) != OneOf([Chosen(("a",)), Chosen(("b",))])
