"""The reducer: one answer carries one position to the next, or is refused and changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

import pytest
from msgspec.structs import replace

from companion.kernel import (
    Answer,
    Confirmed,
    Counted,
    Effect,
    End,
    Finish,
    Group,
    Numbers,
    OneOf,
    Position,
    Question,
    Refusal,
    Reply,
    Ruled,
    State,
    Step,
    Text,
    advance,
    cite,
    open_position,
    refuse,
    replay,
    rule,
    then,
)


class Sum(State, frozen=True):
    total: int = 0


class Added(Effect, frozen=True):
    number: int

    def apply(self, state: Sum) -> Sum:
        return replace(state, total=state.total + self.number)


class Ask(Step[Sum], frozen=True):
    """X-1 A number up to nine is added; thirteen is unlucky."""

    key: str = "number"
    then_: tuple[Step[Sum], ...] = ()

    def questions(self, state: Sum) -> tuple[Question, ...]:
        return (Question(self.key, "count", 0, Numbers(0, 9), cite("X-1"), Text("ask.number")),)

    def refuse(self, state: Sum, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Counted)
        return refuse(cite("X-2"), "unlucky", number=reply.number) if state.total + reply.number == 13 else None

    def resolve(self, state: Sum, to: str, reply: Reply | None) -> Iterable[Ruled]:
        assert isinstance(reply, Counted)
        yield Ruled(Added(reply.number), cite("X-1"))
        yield Ruled(then(*self.then_), cite("X-1"))


class Offer(Step[Sum], frozen=True):
    """X-3 One more may be added, and need not."""

    def offers(self, state: Sum) -> tuple[Question, ...]:
        return (Question("more", "confirm", 0, OneOf([Confirmed()]), cite("X-3"), Text("offer.more")),)

    def resolve(self, state: Sum, to: str, reply: Reply | None) -> Iterable[Ruled]:
        yield Ruled(Added(1 if reply else 100), cite("X-3"))


class Stop(Step[Sum], frozen=True):
    """X-4 A part of the game is over."""

    frame: str

    def resolve(self, state: Sum, to: str, reply: Reply | None) -> Iterable[Ruled]:
        yield Ruled(End(self.frame), cite("X-4"))


def begun(*steps: Step[Sum], state: Sum | None = None) -> Position:
    return open_position(state or Sum(), [(step, cite("X-0")) for step in steps])


def went(at: Position | Refusal) -> Position:
    assert isinstance(at, Position), at
    return at


def add(number: int, key: str = "number") -> Answer:
    return Answer(key, Counted(number))


def test_an_answer_carries_on_and_the_old_position_stays() -> None:
    at = begun(Ask(), Ask())
    after = went(advance(at, add(4)))
    assert (at.state.total, after.state.total) == (0, 4)
    assert after.told == (Ruled(Added(4), cite("X-1")),)
    assert not after.is_over
    assert went(advance(after, add(5))).is_over


@pytest.mark.parametrize(
    ("answer", "key", "values"),
    [
        (Answer("number", Confirmed()), "table.wrong_kind", {"question": "number", "kind": "count"}),
        (Answer("letter", Counted(1)), "table.not_asked", {"question": "letter", "open": "number"}),
    ],
)
def test_an_answer_that_is_none_is_refused_by_the_tables_own_protocol(
    answer: Answer, key: str, values: dict[str, str]
) -> None:
    refused = advance(begun(Ask()), answer)
    assert isinstance(refused, Refusal)
    assert (refused.text.key, dict(refused.text.values)) == (key, values)
    assert refused.cites == cite("table/question")


def test_an_answer_after_the_end_is_refused() -> None:
    refused = advance(went(advance(begun(Ask()), add(1))), add(1))
    assert isinstance(refused, Refusal)
    assert refused.text.key == "table.over"


def test_a_rule_says_no_with_its_article() -> None:
    refused = advance(begun(Ask(), state=Sum(9)), add(4))
    assert refused == Refusal(cite("X-2"), Text("unlucky", (("number", 4),)))


def test_an_offer_stands_beside_the_due_question_and_lapses_with_its_answer() -> None:
    at = begun(Offer(), Ask())
    assert [each.key for each in at.questions] == ["number", "more"]
    assert at.question is not None
    assert at.question.key == "number"
    taken = went(advance(at, Answer("more", Confirmed())))
    assert [each.key for each in taken.questions] == ["number"]
    assert went(advance(taken, add(1))).state.total == 2
    left = went(advance(at, add(1)))
    assert left.state.total == 1
    assert left.is_over


def test_steps_put_on_the_agenda_come_before_what_was_due() -> None:
    at = went(advance(begun(Ask("a", (Ask("b"), Ask("c"))), Ask("d")), add(1, "a")))
    assert [due.step for due in at.agenda] == [Ask("b"), Ask("c"), Ask("d")]


class Open(Step[Sum], frozen=True):
    """X-5 A round begins, and in it a battle."""

    def resolve(self, state: Sum, to: str, reply: Reply | None) -> Iterator[Ruled]:
        yield Ruled(then(Ask("fight"), Stop("battle"), Ask("dropped"), frame="battle"), cite("X-5"))
        yield Ruled(then(Ask("later"), frame="round"), cite("X-5"))


def test_the_end_of_a_part_drops_what_is_due_in_it_and_nothing_else() -> None:
    at = begun(Open(), Ask("after"))
    assert [due.frame for due in at.agenda][:2] == [("game", "battle"), ("game", "battle")]
    after = went(advance(at, add(1, "fight")))
    assert [due.step for due in after.agenda] == [Ask("later"), Ask("after")]
    assert after.told[-1] == Ruled(End("battle"), cite("X-4"))


@rule("X-6")
def ten_wins(state: Sum) -> Iterable[Effect]:
    if state.total >= 10:
        yield Finish(0, (state.total,))


@rule("X-7")
def never_three(state: Sum) -> Iterable[Effect]:
    if state.total == 3:
        yield Added(1)


@rule("X-8")
def for_ever(state: Sum) -> Iterable[Effect]:
    if state.total == 7:
        yield Added(0)


class Guarded(Sum, frozen=True):
    standing: ClassVar = (ten_wins, never_three, for_ever)


def test_standing_rules_run_after_every_step_to_a_fixed_point() -> None:
    at = went(advance(begun(Ask(), Ask(), Ask(), state=Guarded(1)), add(2)))
    assert at.state.total == 4
    assert at.told[-1] == Ruled(Added(1), cite("X-7"))
    won = went(advance(at, add(6)))
    assert won.told[-1] == Ruled(Finish(0, (10,)), cite("X-6"))


def test_a_standing_rule_may_end_the_game_while_steps_are_due() -> None:
    at = went(advance(begun(Ask(), Ask(), Ask(), state=Guarded(5)), add(5)))
    assert at.is_over
    assert at.question is None


def test_a_standing_rule_without_rest_is_an_error_and_no_endless_loop() -> None:
    with pytest.raises(RuntimeError, match="did not come to rest"):
        advance(begun(Ask(), Ask(), state=Guarded(5)), add(2))


def test_a_standing_rule_ends_the_game_also_when_nothing_is_due_any_more() -> None:
    won = went(advance(begun(Ask(), state=Guarded(5)), add(5)))
    assert [ruled.effect for ruled in won.told] == [Added(5), Finish(0, (10,))]
    assert won.is_over


def test_offers_with_nothing_due_after_them_are_left_by_going_on() -> None:
    at = begun(Offer())
    assert at.question is not None
    assert [each.key for each in at.questions] == ["go on", "more"]
    assert not at.is_over
    left = went(advance(at, Answer("go on", Confirmed())))
    assert left.is_over
    assert left.state.total == 0
    assert went(advance(at, Answer("more", Confirmed()))).state.total == 1
    assert isinstance(advance(begun(Offer(), Ask()), Answer("go on", Confirmed())), Refusal)


class Always(Step[Sum], frozen=True):
    """X-10 Ten are added; nobody is asked."""

    def resolve(self, state: Sum, to: str, reply: Reply | None) -> Iterable[Ruled]:
        yield Ruled(Added(10), cite("X-10"))


def test_members_of_a_group_that_ask_nobody_act_when_the_others_are_answered() -> None:
    at = begun(Group((Ask("a"), Always()), cite("X-9")), Ask("c"))
    assert [each.key for each in at.questions] == ["a"]
    after = went(advance(at, add(1, "a")))
    assert after.state.total == 11
    assert [each.key for each in after.questions] == ["c"]


def test_replaying_stops_at_the_first_answer_that_does_not_fit() -> None:
    at = begun(Ask(), Ask(), Ask())
    assert went(replay(at, [add(1), add(2)])) == replay(went(advance(at, add(1))), [add(2)])  # type: ignore[arg-type]
    stopped = replay(at, [add(9), add(4), add(1)])
    assert isinstance(stopped, tuple)
    assert stopped[0] == 1
    assert stopped[1].cites == cite("X-2")


def test_members_of_a_group_are_answered_in_any_order_and_each_once() -> None:
    at = begun(Group((Ask("a"), Ask("b")), cite("X-9")), Ask("c"))
    assert [each.key for each in at.questions] == ["a", "b"]
    one = went(advance(at, add(2, "b")))
    assert [each.key for each in one.questions] == ["a"]
    both = went(advance(one, add(3, "a")))
    other = went(advance(went(advance(at, add(3, "a"))), add(2, "b")))
    assert both.same_table(other)
    assert both.state.total == 5


def test_citations_of_options_and_of_our_own_protocol_are_told_apart() -> None:
    assert [each.level for each in cite("AL-63", "AL-Q01", "AL-E19", "table/undo")] == [
        "rule",
        "option",
        "option",
        "table",
    ]
