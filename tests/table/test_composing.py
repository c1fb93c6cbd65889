"""A reply said part by part is the reply that the domain holds, whatever the kind of question."""

from __future__ import annotations

import random

import pytest

from companion.kernel import (
    Assignments,
    Chosen,
    Citation,
    Confirmed,
    Counted,
    Domain,
    Kind,
    Moved,
    Numbers,
    OneOf,
    Orders,
    Placed,
    Question,
    Revealed,
    Rolled,
    Rolls,
    Subsets,
    Text,
    Turned,
    cite,
)
from companion.table.composing import ALL, Said, next_parts, whole_reply

BEGUN = Said("asked")
DIE = ("red-1", "red-2", "blue-3")
QUESTIONS: dict[str, tuple[Kind, Domain]] = {
    "dice": ("roll", Rolls((DIE, DIE, ("1", "1", "2")))),
    "an order": ("order", Orders(("a", "b", "c"))),
    "who gets what": ("assign", Assignments(("orb", "tile"), ("A", "B"))),
    "some of five": ("choose", Subsets(("v", "w", "x", "y", "z"), 0, 3)),
    "exactly two": ("choose", Subsets(("v", "w", "x"), 2, 2)),
    "places": ("place", OneOf((Placed("yeti", "A1"), Placed("yeti", "A2", 1), Placed("elf", "A1", -1)))),
    "ways": ("move", OneOf((Moved("A1", "A2"), Moved("A1", "A3"), Moved("B1", "A2")))),
    "turns": ("turn", OneOf((Turned("A1", 1), Turned("A1", -1), Turned("A2", 2)))),
    "faces": ("reveal", OneOf((Revealed(("?",)), Revealed(("sun",)), Revealed(("sun", "moon"))))),
    "a number": ("count", Numbers(2, 4)),
    "a list": ("choose", OneOf((Chosen(()), Chosen(("a",)), Chosen(("a", "b"))))),
    "yes or no": ("confirm", OneOf((Confirmed(), Confirmed(False)))),
}


def asked(name: str) -> Question:
    kind, domain = QUESTIONS[name]
    return Question("asked", kind, 0, domain, (Citation("X-1"),), Text("ask.x"))


def every_reply_said(question: Question, said: Said = BEGUN) -> list[object]:
    """Go every way that is offered, to its end."""
    reply = whole_reply(question, said)
    if reply is not None:
        return [reply]
    return [reply for part in next_parts(question, said) for reply in every_reply_said(question, said.and_then(part))]


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_way_of_saying_ends_in_a_permitted_reply_and_every_reply_can_be_said(name: str) -> None:
    question = asked(name)
    said = every_reply_said(question)
    assert all(reply in question.domain for reply in said)
    assert {repr(reply) for reply in said} == {repr(reply) for reply in question.domain}


def test_that_is_all_is_offered_only_where_the_reply_may_end() -> None:
    question = asked("some of five")
    assert next_parts(question, Said("asked")) == (ALL, "v", "w", "x", "y", "z")
    assert ALL not in next_parts(asked("exactly two"), Said("asked", ("v",)))
    assert whole_reply(question, Said("asked", ("w", "v", ALL))) == Chosen(("v", "w"))


def test_six_dice_of_six_faces_are_said_without_walking_through_their_throws() -> None:
    question = Question("asked", "roll", 0, Rolls((tuple("123456"),) * 12), (), Text("ask.x"))
    chance, said = random.Random(3), Said("asked")
    while (reply := whole_reply(question, said)) is None:
        said = said.and_then(chance.choice(next_parts(question, said)))
    assert reply in question.domain


def test_a_number_is_said_at_once() -> None:
    assert whole_reply(asked("a number"), Said("asked", ("3",))) == Counted(3)


def test_dice_that_are_alike_may_be_named_in_any_order() -> None:
    dice = Rolls([("red-1", "blue-2"), ("red-1", "blue-3"), ("green-4",)], alike=True)
    question = Question("roll", "roll", 0, dice, cite("KD-14"), Text("ask.roll"))
    said = Said("roll")
    for part in ("green-4", "blue-3"):
        assert part in next_parts(question, said)
        said = said.and_then(part)
    assert next_parts(question, said) == ("red-1", "blue-2")
    assert whole_reply(question, said) is None
    assert whole_reply(question, said.and_then("blue-2")) == Rolled(("blue-2", "blue-3", "green-4"))
