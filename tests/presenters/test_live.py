from __future__ import annotations

from companion.presenters.live import present
from companion.table.observation import DiceSeen, Sighting, Touch
from companion.table.session import Provenance
from tests.presenters.table import answer, dealt, duel, first_placement, lay, scene_of, unsure


def test_before_the_first_answer_nothing_can_be_undone_and_nobody_is_asked_why() -> None:
    model = present(duel(), "0001")
    assert (model.undo, model.why, model.feed) == ("", None, ())
    assert model.prompt.kind == "ask"
    assert "region card" in model.prompt.says
    assert model.prompt.cites


def test_the_due_question_names_its_seat_and_its_articles() -> None:
    model = present(dealt(), "0001")
    assert model.prompt.kind == "ask"
    assert model.prompt.seat == 0
    assert model.prompt.says.startswith("Ania")
    assert "AL-38" in model.prompt.cites
    assert [(player.name, player.turn) for player in model.players] == [("Ania", True), ("J\u00f6rg", False)]


def test_undo_names_the_last_act_and_the_feed_begins_with_it() -> None:
    session = dealt()
    card = lay(session, "A3")
    model = present(session, "0001")
    assert card in model.undo
    assert "Ania" in model.undo
    assert model.feed[0].says == model.undo
    assert model.board.cell("A3").state == "fresh"
    assert model.board.cell("A3").title == card


def test_the_turn_passes_and_the_hand_to_refill_is_remembered() -> None:
    session = dealt()
    lay(session, "A3")
    lay(session, "B3")
    model = present(session, "0001")
    assert model.players[0].turn
    assert any("draw" in says for says in model.reminders)


def test_rotations_that_may_be_used_are_said_but_not_asked() -> None:
    session = dealt()
    lay(session, "A3")
    box = session.position.state.box
    turning = next(
        reply
        for reply in session.question.domain
        if reply.slot == "B3" and box.cards[reply.piece].symbols and not box.cards[reply.piece].diamond
    )
    answer(session, session.question.key, f"{turning.piece} @ B3")
    model = present(session, "0001")
    assert model.prompt.seat == 0
    assert any(says.startswith("If you like") for says in model.reminders)


def test_a_doubt_becomes_a_question_with_the_pictures_of_its_candidates() -> None:
    session = dealt()
    pieces = [reply.piece for reply in session.question.domain if reply.slot == "A3"][:2]
    session.observe(scene_of(session, A3=unsure("A3", 0, *pieces)))
    assert session.doubt is not None
    model = present(session, "0001")
    assert model.prompt.kind == "doubt"
    assert [choice.cell.title for choice in model.prompt.choices] == pieces
    assert model.prompt.choices[0].style == "likely"
    assert model.prompt.choices[0].detail == "50 %"
    assert model.board.cell("A3").state == "unsure"

    session.observe(Touch("screen", 2.0, choice=model.prompt.choices[1].number))
    assert present(session, "0001").board.cell("A3").title == pieces[1]


def test_a_refused_answer_is_an_alarm_with_its_article_and_why_explains_it() -> None:
    session = dealt()
    card = lay(session, "A3")
    session.observe(Touch("screen", 0.0, to=session.question.key, reply=f"{card} @ B1"))
    model = present(session, "0001")
    assert model.prompt.kind == "alarm"
    assert model.prompt.cites
    assert not model.prompt.says.endswith(")")
    assert model.why is not None
    assert model.why.verdict == "refused"
    assert [cite.article for cite in model.why.links[0].cites] == list(model.prompt.cites)
    assert model.board.cell("A3").title == card


def test_why_explains_each_effect_with_title_wording_and_section() -> None:
    session = dealt()
    lay(session, "A3")
    why = present(session, "0001").why
    assert why is not None
    cites = [cite for link in why.links for cite in link.cites]
    assert {"AL-38", "AL-39"} <= {cite.article for cite in cites}
    assert all(cite.title and cite.text and cite.section for cite in cites)


def test_hands_that_have_to_follow_come_before_the_next_question_while_a_camera_watches() -> None:
    session = dealt()
    for column in range(1, 6):
        lay(session, f"A{column}")
        lay(session, f"B{column}")
        answers_until_play(session)
        if any("region" in says for says in session.todo):
            break
    watched, blind = present(session, "0001"), present(session, "0001", camera="off")
    assert session.awaited
    assert watched.prompt.kind == "todo"
    assert watched.prompt.says in {says.removesuffix(".") for says in session.todo}
    assert any(cell.state == "missing" for cell in watched.board.cells)
    assert blind.prompt.kind == "ask"
    assert set(session.todo) <= set(blind.reminders)


def test_a_card_that_the_camera_takes_for_another_is_mentioned_beside_the_next_question() -> None:
    session = dealt()
    seen = first_placement(session, "A1", without_symbols=True)
    session.observe(scene_of(session, A1=Sighting("A1", "known", seen.piece, 0, confidence=0.95)))
    other = next(r.piece for r in session.done[-1].asked.domain if r.slot == "A1" and r.piece != seen.piece)
    assert session.correct(session.done[-1].sequence, f"{other} @ A1", Provenance("touch", "screen")) == ""
    model = present(session, "0001")
    assert model.prompt.kind == "ask"
    assert any(says.startswith(f"The camera sees {seen.piece} in A1") for says in model.reminders)


def answers_until_play(session: object) -> None:
    """Say yes to what only waits for a nod."""
    while session.question is not None and session.question.kind == "confirm":
        answer(session, session.question.key, "yes")


def test_what_keeps_dice_from_counting_stands_below_the_question() -> None:
    session = duel(starter=None)
    session.observe(DiceSeen("dock", 1.0, ("3",), problem="A die leans; roll it again."))
    prompt = present(session, "0001").prompt
    assert (prompt.kind, prompt.detail) == ("ask", "A die leans; roll it again")
    answer(session, "lot", "3 5")
    assert present(session, "0001").prompt.detail == ""
