"""A table without a camera: everything can be answered by touch."""

from __future__ import annotations

import random

from companion.kernel import Refusal, advance
from companion.notation.reply import format_reply
from companion.table.session import Provenance

from .evenings import LONG, Table, card, dealt, plain, table, with_symbols

HAND = Provenance("touch", "screen")


def test_a_whole_game_can_be_entered_by_touch() -> None:
    evening = table(starter=None)
    session = evening.session
    rng = random.Random(7)
    while not session.is_over:
        question = rng.choice(session.position.questions)
        evening.touch(question.key, format_reply(rng.choice(list(question.domain))))
        assert session.alarm == ""
    assert session.question is None
    assert session.doubt is None
    assert len(session.entries) == len(session.done) + 1
    assert session.tally.touches == len(session.done)


def test_what_hands_owe_is_said_until_the_next_answer_and_then_taken_for_done() -> None:
    evening = table(starter=None)
    session = evening.session
    rng = random.Random(3)
    most = 0
    while not session.is_over:
        before = set(session.todo)
        question = session.position.questions[0]
        evening.touch(question.key, format_reply(rng.choice(list(question.domain))))
        owed = [session.voice.owed(r.effect) for r in session.ruling if session.game.owed(r.effect) is not None]
        assert set(session.todo) <= set(owed), before
        most = max(most, len(session.todo))
    assert most > 3


def test_choices_that_need_no_piece_are_offered_for_one_touch() -> None:
    evening = table(starter=None)
    rng = random.Random(11)
    session = evening.session
    chosen = 0
    while not session.is_over:
        question = session.question
        assert question is not None
        if question.kind in ("confirm", "choose", "count"):
            says = [choice.says for choice in session.choices]
            assert len(set(says)) == len(says)
            evening.choose(0)
            chosen += 1
        else:
            evening.touch(question.key, format_reply(rng.choice(list(question.domain))))
        assert session.alarm == ""
    assert chosen >= 4


def test_a_card_entered_before_it_is_laid_is_awaited() -> None:
    evening = dealt()
    evening.touch("play", f"{plain('yeti')} @ A1")
    evening.see(LONG)
    evening.see(LONG)
    assert evening.session.alarm == ""
    assert "A1" in evening.session.awaited
    evening.see(A1=card("A1", plain("yeti")))
    assert evening.session.awaited == {}


def test_a_card_entered_while_the_camera_sees_another_counts_and_is_said() -> None:
    evening = dealt()
    evening.lies["A1"] = card("A1", plain("yeti", 1))
    evening.session.policy = type(evening.session.policy)(camera_sure=0.99)
    evening.session.observe(evening.scene(steady=False))
    evening.see(A2=card("A2", plain("golem")))
    evening.touch("play", f"{plain('yeti')} @ A1")
    assert evening.session.position.state.rows[0][0].card.key == plain("yeti")
    assert evening.session.todo[-1] == (
        f"The camera sees {plain('yeti', 1)} in A1, and {plain('yeti')} was entered by hand."
        " What was entered counts; undo it if it was a slip."
    )


def test_what_the_camera_contradicts_is_said_until_the_next_act_only() -> None:
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti", 1)))
    assert evening.session.correct(evening.session.done[-1].sequence, f"{plain('yeti')} @ A1", HAND) == ""
    evening.see()
    assert evening.session.todo[-1].startswith("The camera sees")
    evening.see(B1=card("B1", plain("golem")))
    assert not any(says.startswith("The camera sees") for says in evening.session.todo)
    assert evening.session.alarm == ""


def misread() -> Table:
    """Ada's card in A1 is taken for another one, and it has been put right; it is Bo's turn."""
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti", 1)))
    evening.session.correct(evening.session.done[-1].sequence, f"{plain('yeti')} @ A1", HAND)
    evening.see()
    return evening


def test_a_card_that_the_camera_goes_on_misreading_is_still_seen_to_be_turned() -> None:
    evening = misread()
    evening.see(B1=card("B1", with_symbols("golem", -1)), A1=card("A1", plain("yeti", 1), 1))
    assert [done.answer.to for done in evening.session.done[-2:]] == ["play", "weaken 1"]
    assert evening.session.alarm == ""


def test_a_misread_card_that_is_turned_against_the_rules_is_objected_to_by_its_real_name() -> None:
    evening = misread()
    evening.see(A1=card("A1", plain("yeti", 1), 1))
    evening.see(LONG)
    assert evening.session.alarm.startswith(f"{plain('yeti')} in A1 was turned, and nothing turns it now.")


def test_what_people_said_about_a_misread_card_ends_with_the_card() -> None:
    evening = misread()
    evening.session.undo(HAND, 2)
    evening.see(A1=None)
    evening.see(A1=card("A1", plain("yeti", 1)))
    assert evening.session.position.state.rows[0][0].card.key == plain("yeti", 1)


def test_what_people_said_about_a_misread_card_holds_when_the_game_is_opened_again() -> None:
    evening = misread()
    again = table(tuple(evening.store.entries))
    again.lies = dict(evening.lies)
    again.linger()
    assert again.session.alarm == ""
    assert again.session.todo[-1].startswith(f"The camera sees {plain('yeti', 1)} in A1, and {plain('yeti')} was")
    again.see(B1=card("B1", plain("golem")))
    assert again.session.done[-1].answer.to == "play"


def test_a_rotation_entered_by_touch_before_the_hands_do_it_is_not_taken_for_another() -> None:
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti")))
    evening.see(B1=card("B1", with_symbols("golem", -1)))
    evening.touch("weaken 1", "A1")
    before = evening.state
    evening.see(LONG)
    evening.see(LONG)
    assert evening.state == before
    assert evening.session.alarm == ""
    evening.see(A1=card("A1", plain("yeti"), 1))
    assert evening.state == before
    assert evening.session.awaited == {}


def test_every_choice_of_every_question_is_accepted_when_touched() -> None:
    evening = table(starter=None)
    rng = random.Random(5)
    session = evening.session
    tried = 0
    while not session.is_over:
        for choice in session.choices:
            for answer in choice.answers:
                assert not isinstance(advance(session.position, answer), Refusal)
                tried += 1
        question = session.position.questions[0]
        evening.touch(question.key, format_reply(rng.choice(list(question.domain))))
    assert tried > 3
