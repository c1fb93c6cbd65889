"""A track of markers against the order that the rules know."""

from __future__ import annotations

import pytest

from companion.journal.entry import AnswerEntry, CorrectionEntry
from companion.table.observation import DiceSeen, MarkersSeen, Press, Touch
from companion.table.session import Provenance, Session
from companion.table.track import agrees
from tests.table.parade import parade


def lie(session: Session, order: str, **more: object) -> None:
    """Markers by letter, `-` for an empty place."""
    places = tuple("" if letter == "-" else letter for letter in order)
    session.observe(MarkersSeen("dock", 1.0, places, evidence=f"dock {order}", **more))  # type: ignore[arg-type]


def roll(session: Session, faces: str = "3 5", at: float = 2.0) -> None:
    session.observe(DiceSeen("tray", at, tuple(faces.split())))


def racing() -> Session:
    """Ann, Ben, Cleo, Dan lie on the track in this order, and Ann is to roll."""
    session = parade(tuple("ABCD"))
    lie(session, "ABCD")
    return session


def test_settled_markers_answer_the_question_for_their_order() -> None:
    session = parade()
    lie(session, "BADC")
    (entry,) = session.entries
    assert isinstance(entry, AnswerEntry)
    assert (entry.to, entry.reply, entry.source, entry.witness) == ("line_up", "B, A, D, C", "markers", "dock")
    assert entry.evidence == "dock BADC"
    assert session.position.state.order == tuple("BADC")
    assert session.alarm == ""


def test_markers_on_the_move_answer_nothing() -> None:
    session = parade()
    lie(session, "BADC", settled=False)
    lie(session, "BA-C")
    assert session.entries == ()
    assert session.alarm == ""


def test_markers_that_lay_there_before_they_were_asked_for_are_offered_and_one_press_takes_them() -> None:
    session = racing()
    for letter in "ABCD":
        roll(session)
        lie(session, "BCDA"["ABCD".index(letter) :] + "BCDA"[: "ABCD".index(letter)])
        session.observe(Press("buttons", 3.0, 0, "done"))
    assert session.question is not None
    assert session.question.key == "line_up"
    written = len(session.entries)
    lie(session, "ABCD")  # reported once more, but not moved
    assert len(session.entries) == written
    assert [choice.says for choice in session.choices] == ["As the markers lie: Ann, Ben, Cleo, Dan"]
    session.observe(Press("buttons", 4.0, 2, "done"))
    assert session.entries[-1].reply == "A, B, C, D"  # type: ignore[union-attr]
    assert session.entries[-1].source == "button"


def test_two_swapped_markers_are_named_and_raise_the_alarm() -> None:
    session = racing()
    lie(session, "ABDC")
    assert session.alarm == "Markers 3 and 4 are swapped: Cleo comes before Dan."
    assert session.signal.alarm
    assert session.entries == ()
    lie(session, "ABCD")
    assert session.alarm == ""
    assert not session.signal.alarm


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (
            "BCAD",
            "The markers lie Ben, Cleo, Ann, Dan; the game says Ann, Ben, Cleo, Dan.",
        ),
        ("AB-D", "On the track is missing: Cleo. Put it back."),
        ("----", "On the track is missing: Ann, Ben, Cleo, Dan. Put it back."),
        ("ABCX", "X lies in place 4 of the track and does not belong to this game. Take it away."),
    ],
)
def test_what_is_wrong_on_the_track_is_named(order: str, says: str) -> None:
    session = racing()
    lie(session, order)
    assert session.alarm == says


def test_empty_places_between_markers_are_no_fault_where_only_the_order_counts() -> None:
    session = racing()
    lie(session, "-AB--CD-")
    assert session.alarm == ""


def test_when_the_rules_change_the_order_hands_are_told_and_no_alarm_is_raised() -> None:
    session = racing()
    roll(session)
    assert session.todo == ("Put the markers into this order: Ben, Cleo, Dan, Ann.",)
    lie(session, "-BCD")  # Ann's marker is in a hand
    assert session.alarm == ""
    assert session.todo
    lie(session, "BCDA")
    assert session.todo == ()
    lie(session, "CBDA")
    assert session.alarm.startswith("Markers 1 and 2 are swapped")


def test_undo_asks_for_the_markers_to_be_put_back() -> None:
    session = racing()
    roll(session)
    lie(session, "BCDA")
    session.undo(Provenance("touch", "screen"))
    assert session.todo == ("Put the markers into this order: Ann, Ben, Cleo, Dan.",)
    assert session.alarm == ""


def test_after_a_gap_equal_goes_on() -> None:
    session = racing()
    lie(session, "ABCD", after_gap=True)
    assert (session.doubt, session.alarm, session.todo) == (None, "", ())


def test_after_a_gap_a_different_order_is_shown_with_the_game_s_and_asked_about() -> None:
    session = racing()
    lie(session, "BACD", after_gap=True)
    assert session.doubt is not None
    assert session.doubt.says == "The markers lie otherwise than the game says. Which is right?"
    assert [choice.says for choice in session.choices] == [
        "The game: Ann, Ben, Cleo, Dan",
        "The markers: Ben, Ann, Cleo, Dan",
    ]
    session.observe(Press("buttons", 3.0, 0, "yes"))
    assert session.doubt is None
    assert session.todo == ("Put the markers into this order: Ann, Ben, Cleo, Dan.",)
    assert session.entries == ()
    lie(session, "ABCD")
    assert session.todo == ()


def test_markers_that_are_right_although_no_answer_explains_them_send_people_to_undo_or_correct() -> None:
    session = racing()
    lie(session, "BACD", after_gap=True)
    session.observe(Touch("screen", 3.0, choice=1))
    assert session.alarm == (
        "Then something before was entered wrongly: correct it, or undo. Until then Ann, Ben, Cleo, Dan holds."
    )
    assert session.entries == ()
    session.observe(Press("buttons", 4.0, 0, "yes"))
    assert session.alarm.startswith("Markers 1 and 2 are swapped")


def test_a_doubt_about_the_markers_goes_by_itself_when_they_are_put_right() -> None:
    session = racing()
    lie(session, "BACD", after_gap=True)
    lie(session, "ABCD")
    assert session.doubt is None


def test_an_order_that_was_changed_once_more_at_once_is_asked_about_and_corrected() -> None:
    session = parade()
    lie(session, "BADC")
    lie(session, "BACD")
    assert session.doubt is not None
    session.observe(Press("buttons", 3.0, 0, "no"))
    assert isinstance(session.entries[-1], CorrectionEntry)
    assert session.position.state.order == tuple("BACD")
    assert (session.doubt, session.alarm, session.todo) == (None, "", ())


def test_markers_from_before_a_gap_do_not_answer_but_are_offered() -> None:
    session = parade()
    lie(session, "BADC", after_gap=True)
    assert session.entries == ()
    assert [choice.says for choice in session.choices] == ["As the markers lie: Ben, Ann, Dan, Cleo"]


def test_a_game_opened_again_compares_before_it_goes_on() -> None:
    session = parade()
    lie(session, "BADC")
    again = parade(entries=session.entries)
    lie(again, "ABCD", after_gap=True)
    assert again.doubt is not None
    assert [choice.says for choice in again.choices] == [
        "The game: Ben, Ann, Dan, Cleo",
        "The markers: Ann, Ben, Cleo, Dan",
    ]
    assert [bool(choice.answers) for choice in again.choices] == [False, True]


def test_a_new_game_asks_for_its_markers_and_makes_no_alarm_of_the_empty_track() -> None:
    session = parade(tuple("ABCD"))
    assert session.todo == ()  # no witness, no word
    lie(session, "----", after_gap=True)
    assert (session.doubt, session.alarm) == (None, "")
    assert session.todo == ("Put the markers into this order: Ann, Ben, Cleo, Dan.",)


def test_a_track_that_cannot_be_read_says_why_and_changes_nothing() -> None:
    session = parade()
    lie(session, "AABC", problem="Marker A lies in places 1 and 2; there is one of it.")
    assert session.alarm == ""  # an order is asked for; the sentence is the notice then
    assert session.notice == "Marker A lies in places 1 and 2; there is one of it."
    assert session.entries == ()
    racer = racing()
    lie(racer, "AABC", problem="Marker A lies in places 1 and 2; there is one of it.")
    assert racer.alarm == "Marker A lies in places 1 and 2; there is one of it."


def test_where_the_places_count_an_empty_one_does_too() -> None:
    assert agrees(("A", "", "B", ""), ("A", "", "B"))
    assert not agrees(("A", "B", ""), ("A", "", "B"))
    assert agrees(("", "A", "B"), ("A", "B"))
