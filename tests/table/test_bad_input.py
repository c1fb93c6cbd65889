"""Bad input: a plain sentence says what was found, and nothing is changed or half applied."""

from __future__ import annotations

import pytest

from companion.table.observation import Scene, Sighting
from companion.table.session import Provenance

from .evenings import LONG, SLOTS, Table, card, dealt, full, plain, table, with_symbols, without_diamond


def duel() -> Table:
    """Ada's card lies in A1, Bo's in B1; it is Ada's turn."""
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti")))
    evening.see(B1=card("B1", plain("golem")))
    assert evening.session.alarm == ""
    return evening


def says(evening: Table, **changes: Sighting | None) -> str:
    """What is said once `changes` have lain on the table for a while; nothing may be written for them."""
    before = evening.state
    evening.see(**changes)
    evening.see(LONG)
    assert evening.state == before
    assert evening.session.doubt is None
    return evening.session.alarm


def test_an_unknown_card_is_said_with_what_to_do() -> None:
    assert says(duel(), A2=Sighting("A2", "unknown", confidence=0.9)) == (
        "The card in A2 is not one of the set on this table. Take it away, or choose by hand which card it is."
        " (AL-21, table/inventory)"
    )


def test_an_unknown_card_that_was_named_by_hand_is_believed_from_then_on() -> None:
    evening = duel()
    evening.see(A2=Sighting("A2", "unknown", confidence=0.9))
    evening.touch("play", f"{plain('yeti', 1)} @ A2")
    assert evening.session.todo[-1] == (
        f"The camera sees a card it does not know in A2, and {plain('yeti', 1)} was entered by hand."
        " What was entered counts; undo it if it was a slip."
        " The camera cannot tell how it lies: enter by hand when it is turned, too."
    )
    evening.linger()
    assert evening.session.alarm == ""
    evening.see(B2=card("B2", plain("golem", 1)))
    assert evening.session.done[-1].answer.to == "play"
    assert evening.session.alarm == ""


def test_a_second_copy_of_a_card_that_lies_there_is_said_with_both_places() -> None:
    twin = plain("yeti")
    assert says(duel(), A2=card("A2", twin)) == (
        f"{twin} is seen in A1 and in A2, and every card exists once."
        " Take one away, or enter by hand which card the other is. (table/inventory)"
    )


def test_two_new_copies_of_one_card_are_said_and_neither_is_taken() -> None:
    twin = plain("yeti", 1)
    alarm = says(duel(), A2=card("A2", twin), A3=card("A3", twin))
    assert alarm.startswith(f"{twin} is seen in A3 and in A2")


def test_a_card_laid_upside_down_is_refused_with_the_article() -> None:
    alarm = says(duel(), A2=card("A2", plain("yeti", 1), 2))
    assert alarm.endswith("(AL-39, AL-06)")
    assert "a card is laid with its arrow" in alarm


def test_a_card_far_askew_waits_until_it_is_laid_straight() -> None:
    evening = duel()
    assert says(evening, A2=card("A2", plain("yeti", 1), angle=40.0)) == (
        "The card in A2 lies too far askew to tell which way it points. Lay it straight."
    )
    evening.see(A2=card("A2", plain("yeti", 1), angle=3.0))
    assert evening.session.alarm == ""
    assert evening.session.position.state.rows[0][1] is not None


def test_a_card_only_a_little_askew_is_read() -> None:
    evening = duel()
    evening.see(A2=card("A2", plain("yeti", 1), angle=348.0))
    assert evening.session.position.state.rows[0][1] is not None


def test_a_card_between_two_slots_is_said_while_it_lies_so() -> None:
    evening = duel()
    before = evening.state
    evening.lies |= {slot: Sighting(slot, "hidden") for slot in ("A2", "A3")}
    problem = "the card at A2 lies 30 mm beside its place; push it into one slot"
    evening.session.observe(evening.scene(problem=problem))
    assert evening.session.alarm == problem
    assert evening.state == before
    evening.see(A2=card("A2", plain("yeti", 1)), A3=None)
    assert evening.session.alarm == ""
    assert evening.session.position.state.rows[0][1] is not None


def test_a_hand_that_never_leaves_is_said_and_nothing_is_read_under_it() -> None:
    evening = duel()
    before = evening.state
    evening.lies["A2"] = card("A2", plain("yeti", 1))
    problem = "something has been reaching over the table for 12 s; take it away so that the cards can be read"
    for _ in range(30):
        evening.at += 1.0
        evening.session.observe(evening.scene(steady=False, hand=True, problem=problem))
    assert not evening.session.watching
    assert evening.session.alarm == problem
    assert evening.state == before


def test_a_picture_that_is_no_table_is_said_and_changes_nothing() -> None:
    evening = duel()
    before = evening.state
    blind = tuple(Sighting(slot, "hidden") for slot in SLOTS)
    problem = "the mat's markers are not in the picture; move the camera or the mat"
    evening.session.observe(Scene("camera", evening.at + 1, blind, steady=False, problem=problem))
    assert evening.session.alarm == problem
    assert evening.state == before
    evening.see()
    assert evening.session.alarm == ""


def test_a_card_that_went_away_is_missed_after_a_while() -> None:
    assert says(duel(), A1=None) == (
        f"{plain('yeti')} is missing from A1, and nothing took it away. Lay it back, or undo. (AL-72)"
    )


def test_a_card_turned_by_nobody_is_missed_after_a_while() -> None:
    assert says(duel(), B1=card("B1", plain("golem"), 1)) == (
        f"{plain('golem')} in B1 was turned, and nothing turns it now. Turn it back, or undo. (AL-40, AL-42, AL-52)"
    )


def test_a_card_on_top_of_another_names_both() -> None:
    under, over = plain("yeti"), with_symbols("yeti", 1)
    assert says(duel(), A1=card("A1", over)) == (
        f"{under} lies in A1; {over} may go only into an empty slot. (AL-38, AL-39, AL-80, AL-81)"
    )


def test_a_card_exchanged_when_no_card_is_played_names_both() -> None:
    evening = full()
    under, over = without_diamond("yeti")[0], plain("troll")
    assert says(evening, A1=card("A1", over)) == (
        f"{over} lies in A1 where {under} should lie, and nothing changes that now."
        f" Lay {under} back, or undo. (AL-36, AL-38)"
    )


def test_busy_hands_are_not_objected_to() -> None:
    evening = duel()
    evening.see(A1=None)
    assert evening.session.alarm == ""
    evening.see(3.0, B1=card("B1", plain("golem"), 1))
    evening.see(5.0)
    assert evening.session.alarm == ""
    evening.see(5.0)
    assert evening.session.alarm != ""


def test_the_alarm_ends_when_the_table_is_put_right() -> None:
    evening = duel()
    says(evening, A1=None)
    evening.see(A1=card("A1", plain("yeti")))
    assert evening.session.alarm == ""
    assert evening.session.refusal is None


def test_too_much_at_once_is_said_and_nothing_is_guessed() -> None:
    evening = duel()
    evening.session.policy = type(evening.session.policy)(search_nodes=1, deep_nodes=1)
    alarm = says(
        evening,
        A2=card("A2", plain("yeti", 1)),
        B2=card("B2", plain("golem", 1)),
        A3=card("A3", with_symbols("yeti", 1)),
    )
    assert alarm.startswith("Too much has changed at once in B2, A2, A3 to tell how.")
    assert alarm.endswith("(table/camera)")


def test_a_table_that_changed_much_is_thought_about_longer_before_anyone_is_asked() -> None:
    evening = duel()
    evening.session.policy = type(evening.session.policy)(search_nodes=1)
    before = len(evening.session.done)
    evening.see(A2=card("A2", plain("yeti", 1)))
    evening.see(A2=card("A2", plain("yeti", 1)), B2=card("B2", plain("golem", 1)))
    assert evening.session.alarm == ""
    assert len(evening.session.done) == before + 2


@pytest.mark.parametrize(
    ("to", "reply", "expected"),
    [
        ("play", "yeti-99 @ A2", "The set on this table has no card 'yeti-99'."),
        ("play", "A2", "reply: found 'A2', expected a place such as 'yeti-07 @ A3'. Nothing was changed."),
        ("fight", "yes", "'fight' is not asked now; open are: play. Nothing was changed."),
        ("play", "castle-1 @ A2", "The set on this table has no card 'castle-1'."),
    ],
)
def test_a_wrong_touch_is_said_and_changes_nothing(to: str, reply: str, expected: str) -> None:
    evening = duel()
    before = evening.state
    evening.touch(to, reply)
    assert evening.session.alarm.startswith(expected)
    assert evening.state == before


def test_what_is_said_about_a_wrong_touch_outlasts_the_next_picture() -> None:
    evening = duel()
    evening.touch("fight", "yes")
    evening.see()
    assert evening.session.alarm.startswith("'fight' is not asked now")
    evening.see(A2=card("A2", plain("yeti", 1)))
    assert evening.session.alarm == ""


def test_a_change_that_has_to_wait_for_an_answer_names_the_question() -> None:
    evening = table(starter="A")
    session = evening.session
    for column, region in enumerate(("region-yeti-1", "region-golem-1", "castle-1", "region-troll-1", "castle-2"), 1):
        evening.touch("deal", f"{region} @ R{column}")
    document = session.game.write(session.position) | {
        "due": "stage 4", "asked": ("region-wizard-1",), "tribes": {"A": ("yeti",)},
    }  # fmt: skip
    assert session.declare(document, "a test", Provenance("touch", "screen")) == ""
    assert session.question is not None
    assert session.question.kind == "choose"
    evening.as_believed()
    alarm = says(evening, A2=card("A2", plain("yeti", 1)))
    assert alarm.startswith("Something has changed in A2, but one answer comes first. Ada: which tribes do you play?")
