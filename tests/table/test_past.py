"""The past: undo, correction, declaration, resuming; and a store that fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.bootstrap import OpeningError, resume, seat_session
from companion.journal.entry import AnswerEntry, CorrectionEntry, DeclarationEntry, NoteEntry, UndoEntry
from companion.journal.file import Journal
from companion.journal.read import Divergence, is_finished
from companion.kernel import Placed, Position
from companion.table.session import Provenance, Refused

from .evenings import CARDS, LONG, Table, card, dealt, full, header, plain, spend, table, with_symbols

HAND = Provenance("touch", "screen")
WEAKENER = with_symbols("golem", -1)


def turned() -> Table:
    """Ada laid into A1, Bo laid a card that turned hers."""
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti")))
    evening.see(B1=card("B1", WEAKENER), A1=card("A1", plain("yeti"), 1))
    assert [done.answer.to for done in evening.session.done[-2:]] == ["play", "weaken 1"]
    return evening


def test_undo_names_what_it_takes_back_and_takes_it_back() -> None:
    evening = turned()
    before = evening.session.done[-2].position
    assert "turns by 1" in evening.session.undoes
    assert evening.session.undo(HAND)
    assert evening.session.position.same_table(before)
    assert evening.store.entries[-1] == UndoEntry(of=len(evening.store.entries) - 1, source="touch", witness="screen")


def test_undo_by_a_seats_button_is_written_with_the_seat() -> None:
    evening = turned()
    evening.press("undo", seat=1)
    entry = evening.store.entries[-1]
    assert isinstance(entry, UndoEntry)
    assert (entry.source, entry.seat) == ("button", 1)


def test_after_undo_hands_are_told_what_to_put_right_and_given_time() -> None:
    evening = turned()
    evening.session.undo(HAND)
    assert evening.session.todo[-1] == f"Put the table right too: turn {plain('yeti')} in A1 back."
    assert set(evening.session.awaited) == {"A1"}
    evening.see(LONG)
    evening.see(LONG)
    assert evening.session.alarm == ""
    assert len(evening.session.done) == 7
    evening.see(A1=card("A1", plain("yeti")))
    assert evening.session.awaited == {}
    assert not any(says.startswith("Put") for says in evening.session.todo)


def test_undo_of_a_laid_card_waits_until_it_is_taken_away() -> None:
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti")))
    evening.press("undo")
    assert f"take {plain('yeti')} away from A1" in evening.session.todo[-1]
    evening.linger()
    assert evening.session.position.state.rows[0][0] is None
    evening.see(A1=None)
    assert evening.session.awaited == {}
    evening.see(A1=card("A1", plain("yeti")))
    assert evening.session.position.state.rows[0][0] is not None


def test_everything_can_be_undone_and_then_nothing_more() -> None:
    evening = turned()
    count = len(evening.session.done)
    assert evening.session.undo(HAND, count)
    assert evening.session.position.same_table(table().session.position)
    assert evening.session.undoes == ""
    before = evening.state
    assert not evening.session.undo(HAND)
    assert evening.session.alarm == "There is nothing to undo: the game stands at its beginning."
    assert evening.state == before


def test_several_acts_undone_at_once_are_one_touch() -> None:
    evening = turned()
    assert evening.session.undo(HAND, 2)
    assert evening.session.tally.touches == 1


def test_a_corrected_card_keeps_what_came_after() -> None:
    evening = turned()
    laid = evening.session.done[-3]
    other = plain("yeti", 1)
    preview = evening.session.preview(laid.sequence, f"{other} @ A1")
    assert isinstance(preview, Position)
    assert evening.session.correct(laid.sequence, f"{other} @ A1", HAND) == ""
    assert evening.session.position.same_table(preview)
    assert evening.session.position.state.rows[0][0].card.key == other
    assert evening.session.position.state.rows[1][0].card.key == WEAKENER
    assert isinstance(evening.store.entries[-1], CorrectionEntry)
    assert evening.session.tally.corrections == 1


def test_a_corrected_card_that_the_camera_still_takes_for_the_old_one_is_said_and_believed() -> None:
    evening = turned()
    other = plain("yeti", 1)
    evening.session.correct(evening.session.done[-3].sequence, f"{other} @ A1", HAND)
    assert evening.session.todo[-1].startswith(f"The camera sees {plain('yeti')} in A1, and {other} was entered")
    evening.linger()
    assert evening.session.alarm == ""
    assert evening.session.doubt is None


def test_a_card_corrected_to_another_place_is_asked_to_be_taken_away_from_the_first() -> None:
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti")))
    evening.session.correct(evening.session.done[-1].sequence, f"{plain('yeti')} @ A2", HAND)
    todo = evening.session.todo
    assert f"Put the table right too: take {plain('yeti')} away from A1." in todo
    assert any(says.startswith(f"The camera sees an empty place in A2, and {plain('yeti')} was") for says in todo)
    evening.see(A1=None, A2=card("A2", plain("yeti")))
    assert evening.session.alarm == ""
    assert evening.session.awaited == {}
    assert evening.session.todo == ()


def test_a_correction_that_the_rules_forbid_is_refused_with_the_article() -> None:
    evening = turned()
    before = evening.state
    outcome = evening.session.preview(evening.session.done[-3].sequence, f"{plain('yeti')} @ B1")
    assert isinstance(outcome, Refused)
    assert "AL-38" in outcome.says
    assert evening.session.correct(evening.session.done[-3].sequence, f"{plain('yeti')} @ B1", HAND) == outcome.says
    assert evening.state == before


def test_a_correction_that_breaks_a_later_act_names_it_and_changes_nothing() -> None:
    evening = turned()
    before = evening.state
    laid = evening.session.done[-2]
    outcome = evening.session.preview(laid.sequence, f"{plain('golem')} @ B1")
    assert isinstance(outcome, Divergence)
    assert outcome.sequence == evening.session.done[-1].sequence
    assert outcome.says.startswith(f"Then entry {outcome.sequence} (The card of Ada in column 1 turns by 1")
    assert outcome.says.endswith("'weaken 1' is not asked now; open are: play. Nothing was changed.")
    assert evening.session.correct(laid.sequence, f"{plain('golem')} @ B1", HAND) == outcome.says
    assert evening.state == before


def test_a_correction_may_take_back_what_no_longer_fits() -> None:
    evening = turned()
    laid = evening.session.done[-2]
    assert evening.session.correct(laid.sequence, f"{plain('golem')} @ B1", HAND, take_back=True) == ""
    assert evening.session.done[-1].answer.reply == Placed(plain("golem"), "B1", None)
    assert [type(entry) for entry in evening.store.entries[-2:]] == [UndoEntry, CorrectionEntry]


def test_only_an_answer_in_force_can_be_corrected() -> None:
    evening = turned()
    assert evening.session.correct(99, "yes", HAND) == (
        "Entry 99 is no answer in force, so it cannot be corrected. Nothing was changed."
    )


def test_the_table_can_be_declared_to_lie_otherwise_and_play_goes_on_from_there() -> None:
    evening = turned()
    session = evening.session
    document = session.game.write(session.position)
    document["rows"] = {"A": {3: {"card": plain("yeti", 1)}}}
    assert session.declare(document, "we played on while it was off", HAND) == ""
    entry = evening.store.entries[-1]
    assert isinstance(entry, DeclarationEntry)
    assert entry.reason == "we played on while it was off"
    assert session.position.state.rows[0][2].card.key == plain("yeti", 1)
    assert session.describe(session.done[-1]) == "The table was declared to lie so."
    evening.as_believed()
    evening.linger()
    assert session.alarm == ""
    assert session.undo(HAND)
    assert session.position.state.rows[0][0].card.key == plain("yeti")


def test_a_declaration_that_is_no_position_is_refused_by_field() -> None:
    evening = turned()
    before = evening.state
    says = evening.session.declare({"rows": {"C": {}}}, "a slip", HAND)
    assert "C" in says
    assert evening.state == before


def test_a_remark_is_kept_and_changes_nothing() -> None:
    evening = turned()
    position = evening.session.position
    assert evening.session.note("the dog ate a card", HAND)
    assert evening.store.entries[-1] == NoteEntry(text="the dog ate a card", source="touch", witness="screen")
    assert evening.session.position is position


@pytest.mark.parametrize("written", [0, 1])
def test_what_the_store_cannot_keep_has_not_happened(written: int) -> None:
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti")))
    evening.store.fails_after = written
    evening.see(B1=card("B1", WEAKENER), A1=card("A1", plain("yeti"), 1))
    assert evening.session.alarm == "The disk is full; free some space and try again"
    assert len(evening.store.entries) == 6 + written
    assert [done.sequence for done in evening.session.done] == list(range(1, 7 + written))
    evening.store.fails_after = None
    evening.see()
    assert evening.session.alarm == ""
    assert len(evening.session.done) == 8


def test_undo_correction_declaration_and_remark_change_nothing_when_the_disk_is_full() -> None:
    evening = turned()
    evening.store.fails_after = 0
    before = evening.state
    session = evening.session
    assert not session.undo(HAND)
    assert session.alarm.startswith("The disk is full")
    assert session.correct(session.done[-3].sequence, f"{plain('yeti', 1)} @ A1", HAND).startswith("The disk is full")
    assert session.declare(session.game.write(session.position), "x", HAND).startswith("The disk is full")
    assert not session.note("x", HAND)
    assert evening.state == before
    assert session.tally.corrections == 0


def test_a_correction_half_written_is_in_force_as_far_as_it_was_written() -> None:
    evening = turned()
    laid = evening.session.done[-2]
    evening.store.fails_after = 1
    assert evening.session.correct(laid.sequence, f"{plain('golem')} @ B1", HAND, take_back=True).startswith("The disk")
    again = table(tuple(evening.store.entries))
    assert evening.session.position.same_table(again.session.position)


def test_a_game_is_marked_as_ended_once() -> None:
    evening = spend(1).table
    assert is_finished(evening.store.entries)
    assert sum(isinstance(entry, NoteEntry) for entry in evening.store.entries) == 1


def test_a_session_opened_again_stands_where_it_stood_whatever_was_the_last_entry() -> None:
    evening = spend(3).table
    live: dict[int, Position] = {done.sequence: done.position for done in evening.session.done}
    for cut in range(0, len(evening.store.entries), 7):
        again = table(tuple(evening.store.entries[:cut]), starter=None).session
        if cut:
            assert again.position.same_table(live[cut])
            assert again.question == live[cut].question
        assert again.alarm == ""


def test_a_killed_companion_goes_on_from_the_file(tmp_path: Path) -> None:
    evening = full()
    journal = Journal.create(tmp_path / "evening.journal", header(starter="A"))
    for entry in evening.store.entries:
        assert isinstance(entry, AnswerEntry)
        journal.append(entry)
    journal.close()
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[:-20])
    with Journal.open(journal.path) as opened:
        session = resume(opened, CARDS)
        again = Table(session, evening.store, lies=dict(evening.lies))
        assert len(session.done) == len(evening.session.done) - 1
        again.see()
        assert session.position.same_table(evening.session.position)
        assert session.question == evening.session.question


def test_hands_owe_only_what_the_last_act_caused_when_the_game_is_opened_again() -> None:
    evening = full()
    evening.press("done", None)
    owed = evening.session.todo
    assert owed
    again = table(tuple(evening.store.entries))
    assert again.session.todo == owed
    assert again.session.awaited == evening.session.awaited


def test_after_undo_nobody_is_told_again_to_do_what_was_done_long_ago() -> None:
    evening = full()
    evening.press("done", None)
    while evening.session.question is not None and evening.session.question.kind == "choose":
        evening.choose(0)
    evening.as_believed()
    evening.see()
    before = evening.session.position.state
    free = next(f"R{column + 1}" for column, region in enumerate(before.regions) if region is None)
    evening.see(**{free: card(free, "region-wizard-1")})
    evening.session.undo(HAND)
    assert evening.session.todo == (f"Put the table right too: take region-wizard-1 away from {free}.",)


def test_entries_that_do_not_fit_are_said_when_the_game_is_opened_and_play_goes_on_before_them() -> None:
    evening = dealt()
    odd = AnswerEntry(to="play", reply=f"{plain('golem')} @ B1", source="touch")
    again = table((*evening.store.entries, odd))
    assert again.session.alarm.startswith("Entry 6 no longer fits: B1 is in row B, but it is the turn of Ada")
    assert again.session.position.same_table(evening.session.position)


def test_a_game_whose_set_is_another_one_is_not_opened() -> None:
    evening = dealt()
    other = replace(evening.session.header, set_digest="0" * 64)
    with pytest.raises(OpeningError, match="another set of cards"):
        seat_session(other, evening.store, tuple(evening.store.entries), CARDS)


def test_after_undoing_a_battle_the_whole_table_is_named_at_once() -> None:
    evening = full()
    evening.press("done", None)
    evening.as_believed()
    evening.see()
    evening.press("undo", None)
    assert evening.session.todo[-1].startswith("Put the table right too: lay everything in A1, A2, A3, A4, A5, B1,")
    assert evening.session.todo[-1].endswith(" back as it was.")
