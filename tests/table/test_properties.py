"""Laws over random games: what undo, correction, cutting and looking must never change."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.journal.read import Divergence
from companion.kernel import Position
from companion.notation.reply import format_reply
from companion.table.session import Provenance, Refused

from .evenings import Table, table

HAND = Provenance("touch", "screen")
LAW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 10_000)
lengths = st.integers(0, 60)


def play(seed: int, length: int) -> tuple[Table, list[Position]]:
    """A random game entered by touch, up to `length` answers; the positions before and after each."""
    rng = random.Random(seed)
    evening = table(starter=None)
    positions = [evening.session.position]
    while len(positions) <= length and not evening.session.is_over:
        question = rng.choice(evening.session.position.questions)
        replies = list(question.domain)
        evening.touch(question.key, format_reply(rng.choice(replies)))
        assert evening.session.alarm == ""
        positions.append(evening.session.position)
    return evening, positions


@LAW
@given(seeds, lengths, st.data())
def test_undo_leads_to_the_earlier_position_and_playing_on_from_there_to_the_later(
    seed: int, length: int, data: st.DataObject
) -> None:
    evening, positions = play(seed, length)
    back = data.draw(st.integers(0, len(positions) - 1))
    answers = [done.answer for done in evening.session.done]
    assert evening.session.undo(HAND, back) or back == 0
    assert evening.session.position.same_table(positions[len(positions) - 1 - back])
    for answer in answers[len(answers) - back :]:
        evening.touch(answer.to, format_reply(answer.reply))
    assert evening.session.position.same_table(positions[-1])


@LAW
@given(seeds, lengths, st.data())
def test_a_journal_cut_anywhere_is_the_game_up_to_there(seed: int, length: int, data: st.DataObject) -> None:
    evening, positions = play(seed, length)
    cut = data.draw(st.integers(0, len(positions) - 1))
    again = table(tuple(evening.store.entries[:cut]), starter=None)
    assert again.session.position.same_table(positions[cut])
    assert again.session.question == positions[cut].question
    assert again.session.offers == positions[cut].offers
    assert again.session.alarm == ""


@LAW
@given(seeds, lengths, st.data())
def test_a_correction_previewed_is_the_correction_made(seed: int, length: int, data: st.DataObject) -> None:
    evening, _ = play(seed, max(1, length))
    session = evening.session
    act = data.draw(st.sampled_from(session.done))
    replies = list(act.asked.domain)
    reply = format_reply(replies[data.draw(st.integers(0, len(replies) - 1))])
    before = evening.state
    preview = session.preview(act.sequence, reply)
    assert evening.state == before
    says = session.correct(act.sequence, reply, HAND)
    if isinstance(preview, Position):
        assert says == ""
        assert session.position.same_table(preview)
        again = table(tuple(evening.store.entries), starter=None)
        assert again.session.position.same_table(session.position)
        assert again.session.alarm == ""
    else:
        assert says == preview.says
        assert evening.state == before
        assert isinstance(preview, Divergence | Refused)


@LAW
@given(seeds, lengths)
def test_a_table_that_lies_as_it_should_says_nothing_and_changes_nothing(seed: int, length: int) -> None:
    evening, _ = play(seed, length)
    before = evening.state
    evening.as_believed()
    evening.linger()
    assert evening.state == before
    assert evening.session.alarm == ""
    assert evening.session.doubt is None
    assert evening.session.awaited == {}


@LAW
@given(seeds, lengths)
def test_any_position_can_be_declared_and_the_declaration_undone(seed: int, length: int) -> None:
    evening, _ = play(seed, length)
    session = evening.session
    before = session.position
    assert session.declare(session.game.write(before), "the same again", HAND) == ""
    assert session.position.same_table(before)
    assert session.undo(HAND)
    assert session.position.same_table(before)


@LAW
@given(seeds, lengths, st.text(max_size=12), st.text(max_size=12))
def test_nonsense_by_touch_is_said_and_changes_nothing(seed: int, length: int, to: str, reply: str) -> None:
    evening, _ = play(seed, length)
    if any(question.key == to for question in evening.session.position.questions):
        return
    before = evening.state
    evening.touch(to, reply)
    assert evening.session.alarm != ""
    assert evening.state == before
