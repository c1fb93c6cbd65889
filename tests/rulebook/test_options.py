"""An explicit option beats the edition, the edition beats the default."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rulebook.load import load_rulebook
from companion.rulebook.options import OptionError, resolve

ALLIES = load_rulebook("allies")
PRINTED = ("fi", "sv", "no", "da", "fr", "nl", "en", "de", "pl")


def test_without_a_choice_every_option_has_its_default() -> None:
    assert resolve(ALLIES) == {name: option.default for name, option in ALLIES.options.items()}


def test_an_edition_beats_the_default_and_a_choice_beats_the_edition() -> None:
    assert resolve(ALLIES, "en")["crown_counts"] == "always"
    assert resolve(ALLIES, "en", {"crown_counts": "ties"})["crown_counts"] == "ties"


def test_an_option_may_be_called_by_its_id() -> None:
    assert resolve(ALLIES, "reconciled", {"AL-Q03": "all_or_nothing"})["rotation_by_two"] == "all_or_nothing"
    assert resolve(ALLIES, "reconciled", {"AL-E27": "opponents"})["gnome_moves"] == "opponents"


@given(st.data())
def test_any_choice_sets_its_option_and_no_other(data: st.DataObject) -> None:
    edition = data.draw(st.sampled_from(list(ALLIES.editions)))
    option = data.draw(st.sampled_from(list(ALLIES.options.values())))
    value = data.draw(st.sampled_from(option.values)).value
    called = data.draw(st.sampled_from([option.name, option.id]))
    assert resolve(ALLIES, edition, {called: value}) == {**resolve(ALLIES, edition), option.name: value}


def test_an_unknown_option_is_answered_with_the_nearest_and_all_known() -> None:
    with pytest.raises(OptionError) as fault:
        resolve(ALLIES, "reconciled", {"crown_count": "ties"})
    assert str(fault.value).startswith("allies has no option 'crown_count'. Did you mean crown_counts? Known are ")
    assert "castle_facing (AL-Q14)" in str(fault.value)


def test_an_unknown_value_is_answered_with_the_values_allowed() -> None:
    with pytest.raises(OptionError) as fault:
        resolve(ALLIES, "reconciled", {"AL-Q14": "plus_two"})
    assert str(fault.value) == (
        "Option castle_facing (AL-Q14) has no value 'plus_two'; allowed are nothing, minus_one, plus_one."
    )


def test_an_unknown_edition_is_answered_with_the_editions_there_are() -> None:
    with pytest.raises(OptionError) as fault:
        resolve(ALLIES, "it")
    assert str(fault.value) == ("allies has no edition 'it'; known are reconciled, fi, sv, no, da, fr, nl, en, de, pl.")


def test_one_option_called_by_name_and_by_id_is_refused() -> None:
    with pytest.raises(OptionError, match=r"crown_counts \(AL-Q01\) is set twice"):
        resolve(ALLIES, "reconciled", {"crown_counts": "ties", "AL-Q01": "always"})


def editions_with(option: str, *values: str) -> set[str]:
    return {edition for edition in PRINTED if resolve(ALLIES, edition)[option] in values}


def test_what_may_cover_a_card_differs_by_edition() -> None:
    """Case duel-45: (a) a card with a diamond, (b) a card without one."""
    assert editions_with("cyclops_covers", "diamond_card", "any_card") == {"sv", "no", "da", "nl", "en", "de", "pl"}
    assert editions_with("cyclops_covers", "any_card") == {"de"}


def test_only_the_finnish_golem_turns_a_region_card() -> None:
    """Case duel-58."""
    assert editions_with("golem_turns", "any_card") == {"fi"}
    assert resolve(ALLIES)["golem_turns"] == "any_tribe_card"


def test_won_cards_are_turned_at_four_different_times() -> None:
    """Case duel-85."""
    assert editions_with("won_cards_turned", "next_stage_3") == {"fi", "en"}
    assert editions_with("won_cards_turned", "next_round") == {"sv", "no", "da", "nl", "fr"}
    assert editions_with("won_cards_turned", "same_round_after_drawing") == {"de"}
    assert editions_with("won_cards_turned", "after_round") == {"pl"}


def test_two_rotations_on_one_card_are_one_too_many_in_french_and_danish() -> None:
    """Case duel-92."""
    assert editions_with("rotations_per_card", "one") == {"fr", "da"}
    assert resolve(ALLIES)["rotations_per_card"] == "all"


def test_four_editions_say_that_a_crown_only_breaks_ties() -> None:
    """Case duel-96."""
    assert editions_with("crown_counts", "ties") == {"fi", "fr", "de", "pl"}


def test_the_second_card_of_a_cyclops_may_be_left_in_five_editions() -> None:
    """Case duel-104."""
    assert editions_with("cyclops_second_card", "may") == {"sv", "no", "da", "nl", "en"}
    assert resolve(ALLIES)["cyclops_second_card"] == "must"


def test_a_danish_or_german_gnome_moves_the_opponents_cards_only() -> None:
    """Case duel-107."""
    assert editions_with("gnome_moves", "opponents") == {"da", "de"}
    assert resolve(ALLIES)["gnome_moves"] == "either"


def test_no_option_touches_the_hand_that_own_regions_bring() -> None:
    """Case duel-122: the Swedish and Danish "tribe cards" are a slip."""
    assert ALLIES.articles["AL-74"].options == ()
