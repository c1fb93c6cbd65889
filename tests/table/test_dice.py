"""Dice at the table: which throw counts, which does not and why."""

from __future__ import annotations

import logging

import pytest

from companion.journal.entry import AnswerEntry, CorrectionEntry
from companion.table.observation import DiceSeen, Press, Touch
from companion.table.session import Provenance, Session
from tests.table.parade import parade


def racing() -> Session:
    return parade(tuple("ABCD"))


def see(session: Session, faces: str, witness: str = "tray", at: float = 2.0, **more: object) -> None:
    session.observe(DiceSeen(witness, at, tuple(faces.split()), **more))  # type: ignore[arg-type]


def rolls(session: Session) -> list[str]:
    return [" ".join(faces) for _, faces in session.position.state.rolls]


def test_a_throw_that_is_asked_for_counts_at_once() -> None:
    session = racing()
    see(session, "3 5", evidence="event 1")
    (entry,) = session.entries
    assert isinstance(entry, AnswerEntry)
    assert (entry.reply, entry.source, entry.witness, entry.evidence) == ("3 5", "dice", "tray", "event 1")


def test_a_throw_that_nobody_asked_for_is_worded_and_logged_and_changes_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = racing()
    see(session, "3 5")
    with caplog.at_level(logging.WARNING):
        see(session, "1 1", at=9.0, evidence="event 2")
    assert session.notice == "Nobody is asked to roll now: 1 1 does not count."
    assert "1 1 does not count. (event 2)" in caplog.text
    assert len(session.entries) == 1
    assert (session.alarm, session.signal.alarm) == ("", False)
    session.observe(Press("buttons", 10.0, 0, "done"))
    assert session.notice == ""


@pytest.mark.parametrize(
    "says", ["A die leans; roll it again.", "A hand holds a die.", "The dice are moving.", "Two dice are stacked."]
)
def test_dice_with_a_problem_never_count_and_it_is_said_while_a_roll_is_asked_for(says: str) -> None:
    session = racing()
    see(session, "3 5", problem=says)
    assert session.entries == ()
    assert session.notice == says
    see(session, "3 6", at=4.0)
    assert rolls(session) == ["3 6"]
    assert session.notice == ""
    see(session, "3 6", at=8.0, problem=says)  # nobody is asked to roll: nothing to be said
    assert session.notice == ""


def test_a_problem_is_over_when_its_witness_says_so() -> None:
    session = racing()
    see(session, "", problem="A hand holds a die.")
    see(session, "", witness="camera", problem="Two dice are stacked.")
    see(session, "")
    assert session.notice == "Two dice are stacked."
    see(session, "", witness="camera")
    assert session.notice == ""


def test_a_face_that_the_die_lacks_is_refused_in_words_and_nothing_changes() -> None:
    session = racing()
    see(session, "3 9")
    assert session.alarm == "Two dice with the faces 1 to 6 are thrown. (P-2)"
    assert session.entries == ()
    see(session, "3 5")
    assert rolls(session) == ["3 5"]
    assert session.alarm == ""


def test_two_witnesses_that_agree_are_one_throw_in_whatever_order_they_name_the_dice() -> None:
    session = racing()
    see(session, "3 5")
    session.observe(Press("buttons", 2.5, 0, "done"))
    see(session, "5 3", witness="camera", at=3.0)  # Ben is asked by now
    assert rolls(session) == ["3 5"]
    assert (session.doubt, session.alarm, session.notice) == (None, "", "")


def test_two_witnesses_that_disagree_are_both_shown_and_people_are_asked() -> None:
    session = racing()
    see(session, "3 5")
    session.observe(Press("buttons", 2.5, 0, "done"))
    see(session, "3 6", witness="camera", at=3.0, evidence="picture")
    assert rolls(session) == ["3 5"]
    assert session.doubt is not None
    assert session.doubt.says == "The tray saw 3 5, the camera saw 3 6. Which is right?"
    assert [choice.says for choice in session.choices] == ["3 5 (tray)", "3 6 (camera)"]
    assert session.signal.alarm
    session.observe(Touch("screen", 5.0, choice=1))
    assert isinstance(session.entries[-1], CorrectionEntry)
    assert rolls(session) == ["3 6"]
    assert session.doubt is None


def test_the_first_reading_stays_when_people_say_so() -> None:
    session = racing()
    see(session, "3 5")
    see(session, "3 6", witness="camera", at=3.0)
    written = session.entries
    session.observe(Press("buttons", 5.0, 0, "yes"))
    assert session.entries == written
    assert session.doubt is None


def test_a_disagreement_stays_asked_while_the_game_goes_on() -> None:
    session = racing()
    see(session, "3 5")
    see(session, "3 6", witness="camera", at=3.0)
    session.observe(Touch("screen", 5.0, to="again", reply="yes"))
    assert session.question is not None
    assert session.question.key == "race"
    assert session.doubt is not None
    assert session.doubt.says.startswith("The tray saw 3 5")
    session.observe(Press("buttons", 6.0, 0, "no"))
    assert rolls(session) == ["3 6"]


def test_a_disagreement_about_an_act_that_was_undone_is_over() -> None:
    session = racing()
    see(session, "3 5")
    see(session, "3 6", witness="camera", at=3.0)
    session.undo(Provenance("touch", "screen"))
    assert session.doubt is None
    see(session, "2 2", at=9.0)
    assert rolls(session) == ["2 2"]


def test_an_unsure_reading_and_a_sure_one_that_differ_are_asked_about_before_anything_is_written() -> None:
    session = racing()
    see(session, "3 6", witness="camera", confidence=0.3)
    assert session.doubt is not None
    see(session, "3 5", at=2.5)
    assert session.entries == ()
    assert [choice.says for choice in session.choices] == ["3 6 (camera)", "3 5 (tray)"]
    session.observe(Touch("screen", 5.0, choice=1))
    assert rolls(session) == ["3 5"]


def test_a_second_reading_that_the_dice_cannot_show_is_only_said() -> None:
    session = racing()
    see(session, "3 5")
    see(session, "3 9", witness="camera", at=3.0)
    assert session.doubt is None
    assert session.notice == "The camera saw 3 9, which these dice cannot show; 3 5 of the tray counts."
    assert rolls(session) == ["3 5"]


def test_the_same_witness_twice_or_a_long_time_after_is_another_throw() -> None:
    session = racing()
    see(session, "3 5")
    session.observe(Press("buttons", 2.1, 0, "done"))
    see(session, "1 2", at=2.2)
    session.observe(Press("buttons", 2.3, 0, "done"))
    see(session, "6 6", witness="camera", at=9.0)
    assert rolls(session) == ["3 5", "1 2", "6 6"]
    assert session.doubt is None
