"""Whole simulated evenings with perfect sight, followed by the session."""

from __future__ import annotations

import pytest

from companion.simulated.turns import Habits
from companion.table.observation import DiceSeen

from .evenings import Evening, same_piles, spend, table


@pytest.mark.parametrize("seed", [1, 2, 5, 8, 14])
def test_an_evening_that_the_camera_follows_ends_as_it_really_did_and_nobody_is_asked(seed: int) -> None:
    evening = spend(seed)
    assert evening.troubles == []
    assert evening.table.session.tally.questions == 0
    assert evening.table.session.tally.touches == 0
    assert_true(evening)


@pytest.mark.parametrize("seed", [1, 3, 4, 5, 6, 11])
def test_several_turns_between_two_looks_are_explained_together(seed: int) -> None:
    evening = spend(seed, look_every=2)
    assert evening.troubles == []
    assert_true(evening)


@pytest.mark.parametrize("seed", [2, 3, 4, 6])
def test_with_only_every_third_look_what_was_accepted_is_right_or_somebody_is_asked(seed: int) -> None:
    evening = spend(seed, look_every=3, habits=Habits(look_within_turn=0.0, look_after_column=0.0))
    assert same_piles(evening.won, dict(evening.truth.won))
    if evening.troubles:
        assert evening.table.session.doubt is not None or evening.table.session.alarm
    else:
        assert_true(evening)


def test_what_hands_still_do_after_a_battle_is_said_and_not_objected_to() -> None:
    evening = spend(1, habits=Habits(look_after_column=1.0))
    assert evening.troubles == []
    assert evening.table.session.awaited == {}
    assert_true(evening)


def test_after_the_end_the_table_is_cleared_and_nothing_is_missed() -> None:
    evening = spend(1).table
    before = evening.state
    evening.lies.clear()
    evening.linger()
    assert evening.session.alarm == ""
    assert evening.session.doubt is None
    assert evening.state == before


def test_dice_say_who_starts_and_equal_dice_are_thrown_again() -> None:
    fresh = table(starter=None)
    fresh.session.observe(DiceSeen("tray", 0.0, ("4", "4")))
    assert [offer.key for offer in fresh.session.offers] == ["lot"]
    fresh.session.observe(DiceSeen("tray", 1.0, ("2", "5")))
    assert fresh.session.offers == ()
    assert fresh.session.position.state.starter == 1


def assert_true(evening: Evening) -> None:
    assert evening.table.session.is_over
    assert evening.score == evening.truth.score
    assert same_piles(evening.won, dict(evening.truth.won))
