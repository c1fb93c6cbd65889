from __future__ import annotations

from companion.kernel import Turned
from companion.notation.reply import format_reply
from companion.presenters.correct import carry_out, plan_correction
from companion.presenters.live import present
from tests.presenters.table import dealt, first_turn, lay, scene_of, unsure


def title_at(session: object, cell: str) -> str:
    return session.game.board(session.position).cell(cell).title


def test_a_cell_that_no_rule_touches_has_no_correction() -> None:
    assert plan_correction(dealt(), "B3") is None


def test_the_likeliest_readings_of_the_picture_come_first_with_their_share() -> None:
    session = dealt()
    read = lay(session, "A3")
    others = [reply.piece for reply in session.done[-1].asked.domain if reply.slot == "A3" and reply.piece != read]
    likely = others[-2:]
    session.observe(scene_of(session, A3=unsure("A3", 0, read, *likely)))
    plan = plan_correction(session, "A3")
    pieces = [option for option in plan.model.options if option.kind == "piece"]
    assert [option.title for option in pieces[:2]] == likely
    assert [option.share for option in pieces[:2]] == [32, 31]
    assert read not in [option.title for option in pieces]


def test_an_option_says_its_effect_before_it_is_carried_out_and_then_has_it() -> None:
    session = dealt()
    lay(session, "A3")
    plan = plan_correction(session, "A3")
    option = next(option for option in plan.model.options if "instead of" in option.effect)
    promised = option.effect.split()[1]
    assert carry_out(session, plan.remedies[option.number]) == ""
    cell = session.game.board(session.position).cell("A3")
    assert (cell.title, cell.value) == (option.title, promised)
    assert session.tally.corrections == 1


def test_every_card_on_a_shelf_is_one_that_the_rules_allow_there() -> None:
    session = dealt()
    lay(session, "A3")
    plan = plan_correction(session, "A3")
    options = [option for shelf in plan.model.shelves for option in shelf.options]
    assert len(options) > 50
    option = options[-1]
    assert option.cell is not None
    assert option.cell.title == option.title
    assert carry_out(session, plan.remedies[option.number]) == ""
    assert title_at(session, "A3") == option.title


def test_what_the_camera_did_not_see_is_entered_by_hand_in_an_empty_place() -> None:
    session = dealt()
    plan = plan_correction(session, "A2")
    assert plan.model.says == "What lies in A2?"
    option = plan.model.shelves[0].options[0]
    assert carry_out(session, plan.remedies[option.number]) == ""
    assert title_at(session, "A2") == option.title


def test_a_rotation_that_was_not_seen_is_entered_by_hand() -> None:
    session = dealt()
    lay(session, "A3")
    lay(session, "B3", without_symbols=False)
    while not any(offer.kind == "turn" for offer in session.offers):
        lay(session, next(f"{session.question.text.values[0][1]}{n}" for n in (1, 2, 4, 5) if free(session, n)), False)
    _, turned = first_turn(session)
    plan = plan_correction(session, turned.slot)
    option = next(option for option in plan.model.options if option.kind == "turn")
    before = session.game.board(session.position).cell(turned.slot).sides
    assert carry_out(session, plan.remedies[option.number]) == ""
    assert session.game.board(session.position).cell(turned.slot).sides != before
    assert isinstance(session.done[-1].answer.reply, Turned)
    assert format_reply(session.done[-1].answer.reply).startswith(turned.slot)


def free(session: object, column: int) -> bool:
    row = "AB"[session.question.seat]
    return session.game.board(session.position).cell(f"{row}{column}").kind == "empty"


def test_not_so_takes_the_last_act_back_at_once_and_asks_before_it_takes_back_more() -> None:
    session = dealt()
    lay(session, "A3")
    last = plan_correction(session, "A3").model.options[-1]
    assert (last.kind, last.breaks) == ("gone", "")
    lay(session, "B3")
    plan = plan_correction(session, "A3")
    option = plan.model.options[-1]
    assert "last 2 acts" in option.breaks
    assert carry_out(session, plan.remedies[option.number]) == ""
    assert session.game.board(session.position).cell("A3").kind == "empty"
    assert session.game.board(session.position).cell("B3").kind == "empty"


def test_a_correction_that_breaks_a_later_entry_names_it_and_takes_it_back_when_told() -> None:
    session = dealt()
    lay(session, "A3")
    lay(session, "B3")
    third = lay(session, "A1")
    # What lies in A3 now looks like the card that Ania laid into A1 afterwards; every card exists once.
    session.observe(scene_of(session, A3=unsure("A3", 0, third, title_at(session, "A3"))))
    plan = plan_correction(session, "A3")
    option = next(option for option in plan.model.options if option.title == third)
    assert third in option.breaks
    assert carry_out(session, plan.remedies[option.number]) == ""
    assert title_at(session, "A3") == third
    assert title_at(session, "B3") != ""
    assert session.game.board(session.position).cell("A1").kind == "empty"


def test_after_a_correction_undo_names_the_act_as_it_is_now() -> None:
    session = dealt()
    lay(session, "A3")
    plan = plan_correction(session, "A3")
    option = next(option for option in plan.model.options if option.kind == "piece")
    carry_out(session, plan.remedies[option.number])
    assert option.title in present(session, "0001").undo
