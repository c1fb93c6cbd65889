"""Doubts: one short question, asked once, in words; and readings that no rule may bend."""

from __future__ import annotations

from msgspec.structs import replace

from companion.kernel import Placed
from companion.table.observation import DiceSeen

from .evenings import LONG, Table, card, dealt, full, plain, table, unsure, with_symbols, without_diamond


def two_ways() -> Table:
    """Ada's card in A1 was turned by Bo's card or by Ada's second one: nobody can see by which."""
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti")))
    evening.see(
        B1=card("B1", with_symbols("golem", -1)),
        A1=card("A1", plain("yeti"), 1),
        A2=card("A2", with_symbols("yeti", -1)),
        B2=card("B2", plain("golem")),
    )
    return evening


def test_an_unsure_card_is_asked_about_by_name() -> None:
    evening = dealt()
    first, second = plain("yeti", 0), plain("yeti", 1)
    evening.see(A3=unsure("A3", (first, 0.5), (second, 0.45)))
    doubt = evening.session.doubt
    assert doubt is not None
    assert doubt.says == "Which card lies in A3?"
    assert [choice.says for choice in doubt.choices] == [f"Ada laid {first} into A3", f"Ada laid {second} into A3"]
    assert doubt.slots == ("A3",)


def test_a_choice_is_written_down_with_the_evidence_and_the_hand_that_chose() -> None:
    evening = dealt()
    first, second = plain("yeti", 0), plain("yeti", 1)
    seen = unsure("A3", (first, 0.5), (second, 0.45))
    evening.see(A3=replace(seen, digest="d"))
    evening.choose(1)
    entry = evening.store.entries[-1]
    assert (entry.source, entry.evidence) == ("touch", "d")
    assert evening.session.done[-1].answer.reply == Placed(second, "A3", None)
    assert evening.session.doubt is None
    evening.linger()
    assert evening.session.doubt is None
    assert evening.session.alarm == ""


def test_a_doubt_is_one_question_however_long_the_camera_looks_at_it() -> None:
    evening = dealt()
    for _ in range(20):
        evening.see(A3=unsure("A3", (plain("yeti", 0), 0.5), (plain("yeti", 1), 0.45)))
    assert evening.session.tally.questions == 1


def test_a_doubt_keeps_its_choices_in_their_order_while_the_picture_flickers() -> None:
    evening = dealt()
    first, second = plain("yeti", 0), plain("yeti", 1)
    evening.see(A3=unsure("A3", (first, 0.5), (second, 0.45)))
    before = evening.session.doubt
    evening.see(A3=unsure("A3", (second, 0.5), (first, 0.45)))
    assert evening.session.doubt is before
    assert evening.session.tally.questions == 1


def test_a_doubt_vanishes_when_the_picture_becomes_clear() -> None:
    evening = dealt()
    evening.see(A3=unsure("A3", (plain("yeti", 0), 0.5), (plain("yeti", 1), 0.45)))
    evening.see(A3=card("A3", plain("yeti", 1)))
    assert evening.session.doubt is None
    assert evening.session.done[-1].answer.reply == Placed(plain("yeti", 1), "A3", None)


def test_a_doubt_vanishes_when_the_card_is_taken_away() -> None:
    evening = dealt()
    before = evening.state
    evening.see(A3=unsure("A3", (plain("yeti", 0), 0.5), (plain("yeti", 1), 0.45)))
    evening.see(A3=None)
    assert evening.session.doubt is None
    assert evening.state == before


def test_no_to_a_doubt_asks_for_the_answer_by_hand_and_not_again_for_the_same() -> None:
    evening = dealt()
    before = evening.state
    evening.see(A3=unsure("A3", (plain("yeti", 0), 0.5), (plain("yeti", 1), 0.45)))
    evening.press("no")
    evening.see()
    assert evening.session.doubt is None
    assert evening.session.alarm == "Then enter by hand what happened in A3, or lay it back as it was."
    assert evening.state == before
    evening.see(A3=None)
    assert evening.session.alarm == ""
    evening.see(A3=unsure("A3", (plain("yeti", 0), 0.5), (plain("yeti", 1), 0.45)))
    assert evening.session.doubt is not None


def test_yes_takes_the_likeliest_choice() -> None:
    evening = dealt()
    evening.see(A3=unsure("A3", (plain("yeti", 0), 0.5), (plain("yeti", 1), 0.45)))
    evening.press("yes", seat=None)
    assert evening.session.done[-1].answer.reply == Placed(plain("yeti", 0), "A3", None)


def test_a_choice_that_is_not_there_changes_nothing_and_is_said() -> None:
    evening = dealt()
    evening.see(A3=unsure("A3", (plain("yeti", 0), 0.5), (plain("yeti", 1), 0.45)))
    before = evening.state
    evening.choose(7)
    assert evening.session.alarm == "There is no choice 8 any more; there are 2 now. Nothing was changed."
    assert evening.state == before


def test_rules_decide_among_cards_that_the_picture_holds_for_equal_only_for_its_favourite() -> None:
    """yeti is Ada's, the other card cannot be hers: the favourite of the picture is believed."""
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti")))
    evening.see(B1=card("B1", plain("golem")))
    evening.see(A2=unsure("A2", (plain("yeti", 1), 0.5), (plain("golem", 1), 0.45)))
    assert evening.session.doubt is None
    assert evening.session.done[-1].answer.reply == Placed(plain("yeti", 1), "A2", None)


def test_where_the_rules_would_overrule_the_pictures_favourite_people_are_asked() -> None:
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti")))
    evening.see(B1=card("B1", plain("golem")))
    before = evening.state
    evening.see(A2=unsure("A2", (plain("golem", 1), 0.5), (plain("yeti", 1), 0.45)))
    assert evening.state == before
    assert evening.session.doubt is not None
    assert [choice.says for choice in evening.session.doubt.choices] == [f"Ada laid {plain('yeti', 1)} into A2"]


def test_a_candidate_outside_the_margin_of_doubt_is_never_taken() -> None:
    evening = dealt()
    evening.see(A1=card("A1", plain("yeti")))
    evening.see(B1=card("B1", plain("golem")))
    before = evening.state
    evening.see(A2=unsure("A2", (plain("golem", 1), 0.5), (plain("yeti", 1), 0.2)))
    evening.see(LONG)
    assert evening.state == before
    assert evening.session.doubt is None
    assert "tribe is played by Bo" in evening.session.alarm


def test_a_clear_reading_that_the_rules_forbid_is_shown_and_never_bent() -> None:
    evening = dealt()
    before = evening.state
    evening.see(B1=card("B1", plain("golem")))
    evening.see(LONG)
    assert evening.state == before
    assert evening.session.alarm.startswith("B1 is in row B, but it is the turn of Ada")
    assert evening.session.refusal is not None
    assert [cited.article for cited in evening.session.refusal[0].cites] == ["AL-19", "AL-38"]


def test_two_courses_that_come_to_the_same_are_not_asked_about() -> None:
    evening = two_ways()
    assert evening.session.doubt is None
    assert evening.session.alarm == ""
    assert evening.session.held
    assert evening.session.question is not None
    assert evening.session.question.seat == 0


def test_the_next_act_settles_what_was_held_open() -> None:
    evening = two_ways()
    evening.see(A3=card("A3", plain("yeti", 1)))
    assert not evening.session.held
    assert [done.answer.to for done in evening.session.done].count("weaken 1") == 1
    assert evening.session.position.state.rows[0][2] is not None


def test_a_refused_touch_leaves_open_what_was_held_open() -> None:
    evening = two_ways()
    before, held = evening.state, evening.session.held
    evening.touch("play", "no-such-card @ A3")
    assert "no card 'no-such-card'" in evening.session.alarm
    assert evening.state == before
    assert evening.session.held == held


def test_undo_takes_back_what_was_done_last_even_while_it_is_held_open() -> None:
    evening = two_ways()
    named = evening.session.undoes
    laid = evening.session.apparent
    evening.press("undo")
    assert named.startswith(("Ada ", "Bo "))
    assert not evening.session.held
    assert evening.session.position.state != laid.state
    assert type(evening.store.entries[-1]).__name__ == "UndoEntry"


def test_dice_that_are_hard_to_read_are_asked_about_before_they_count() -> None:
    fresh = table(starter=None)
    before = fresh.state
    fresh.session.observe(DiceSeen("tray", 0.0, ("2", "5"), confidence=0.3, evidence="e"))
    fresh.session.observe(DiceSeen("tray", 1.0, ("2", "5"), confidence=0.3, evidence="e"))
    assert fresh.state == before
    assert fresh.session.doubt is not None
    assert fresh.session.doubt.says == "Do the dice show 2 5?"
    assert fresh.session.tally.questions == 1
    fresh.press("yes")
    assert fresh.session.position.state.starter == 1
    assert fresh.session.doubt is None


def test_a_press_that_comes_while_a_doubt_is_open_counts_once_it_is_settled() -> None:
    evening = dealt()
    ada, bo = without_diamond("yeti"), without_diamond("golem")
    for column in range(1, 6):
        evening.see(**{f"A{column}": card(f"A{column}", ada[column - 1])})
        if column < 5:
            evening.see(**{f"B{column}": card(f"B{column}", bo[column - 1])})
    evening.see(B5=unsure("B5", (bo[4], 0.5), (bo[5], 0.45)))
    evening.press("done", seat=1)
    assert evening.session.doubt is not None
    evening.choose(0)
    assert evening.session.done[-1].answer.to == "fight"


def test_a_card_lifted_before_the_battle_does_not_begin_it_but_asks_after_a_while() -> None:
    evening = full()
    before = evening.state
    evening.see(A1=None)
    assert evening.state == before
    assert evening.session.doubt is None
    evening.see(LONG)
    assert evening.session.doubt is not None
    assert evening.session.doubt.choices[0].says == "The region cards were turned"
    assert evening.state == before
    evening.see(A1=card("A1", without_diamond("yeti")[0]))
    assert evening.session.doubt is None
    assert evening.state == before


def test_a_region_card_turned_as_the_rules_say_begins_the_battle_without_a_press() -> None:
    evening = full()
    fought = full()
    fought.press("done", None)
    turned = next(
        slot
        for slot, lying in fought.session.game.scene(fought.session.position.state).items()
        if slot[0] == "R" and lying.turns != frozenset((1, 3))
    )
    lying = fought.session.game.scene(fought.session.position.state)[turned]
    evening.see(**{turned: card(turned, lying.piece, min(lying.turns))})
    assert evening.session.done[-1].answer.to == "fight"
    assert evening.session.alarm == ""


def test_a_press_that_waited_for_a_doubt_lapses_when_people_say_no() -> None:
    evening = full()
    evening.press("undo")
    last = evening.lies.pop("B5")
    evening.see()
    evening.see(B5=unsure("B5", (without_diamond("golem")[4], 0.5), (without_diamond("golem")[5], 0.45)))
    assert evening.session.doubt is not None
    evening.press("done", None)
    evening.press("no")
    evening.see(B5=last)
    assert evening.session.done[-1].answer.to == "play"
    assert evening.session.question is not None
    assert evening.session.question.key == "fight"
