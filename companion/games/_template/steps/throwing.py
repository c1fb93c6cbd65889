"""Chapter 2, the throws: what a face means, again or hold, and where the die goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games._template.effects import DiePassed, StakeGrew, StakeLost
from companion.games._template.pieces import FACES, SEATS
from companion.games._template.state import Pig
from companion.games._template.steps.holding import DRAW, DrawBonus, hold, may_turn_up, refuse_turn_up, turn_up
from companion.kernel import (
    Chosen,
    Effect,
    OneOf,
    Question,
    Refusal,
    Reply,
    Revealed,
    Rolled,
    Rolls,
    Ruled,
    Step,
    Text,
    cite,
    refuse,
    rule,
    then,
)

THROW = cite("PIG-2.1")
DECIDE = cite("PIG-2.4")
PASS = cite("PIG-2.6")
_ONE_DIE = cite("PIG-1.2")
_TOO_FEW = cite("PIG-2.5")

_DIE = Rolls((FACES,))
_LEAST_TO_HOLD = 5
_AGAIN, _HOLD = Chosen(("again",)), Chosen(("hold",))


class Throw(Step[Pig], frozen=True):
    """PIG-2.1 The player whose turn it is throws the die."""

    def questions(self, state: Pig) -> tuple[Question, ...]:
        return (Question("throw", "roll", state.seat, _DIE, THROW, Text("ask.throw", (("seat", state.letter),))),)

    def offers(self, state: Pig) -> tuple[Question, ...]:
        return may_turn_up(state)

    def refuse(self, state: Pig, to: str, reply: Reply) -> Refusal | None:
        if isinstance(reply, Revealed):
            return refuse_turn_up(state, reply)
        assert isinstance(reply, Rolled)  # noqa: S101  the kernel checked the kind
        return None if reply in _DIE else refuse(_ONE_DIE, "throw.one_die", faces=" ".join(reply.faces) or "-")

    def resolve(self, state: Pig, to: str, reply: Reply | None) -> Iterable[Ruled]:
        if isinstance(reply, Revealed):
            return (*turn_up(state, reply.pieces[0]), Ruled(then(Throw()), THROW))
        assert isinstance(reply, Rolled)  # noqa: S101  the kernel checked the kind
        face = int(reply.faces[0])
        return one(state) if face == 1 else (*pips(state, face), Ruled(then(Decide()), DECIDE))


@rule("PIG-2.2")
def pips(state: Pig, face: int) -> Iterator[Effect]:
    yield StakeGrew(state.seat, face)


@rule("PIG-2.3")
def one(state: Pig) -> Iterator[Effect]:
    yield StakeLost(state.seat, state.stake)
    yield then(PassDie())


class Decide(Step[Pig], frozen=True):
    """PIG-2.4 After each throw that is no one the player throws again or holds.

    PIG-2.5 Holding needs at least five at stake.
    """

    def questions(self, state: Pig) -> tuple[Question, ...]:
        replies = OneOf((_AGAIN, _HOLD) if state.stake >= _LEAST_TO_HOLD else (_AGAIN,))
        values = (("seat", state.letter), ("stake", state.stake))
        return (Question("decide", "choose", state.seat, replies, DECIDE, Text("ask.decide", values)),)

    def refuse(self, state: Pig, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Chosen)  # noqa: S101  the kernel checked the kind
        if reply not in (_AGAIN, _HOLD):
            return refuse(DECIDE, "decide.which", found=" + ".join(reply.picks) or "-")
        if reply == _HOLD and state.stake < _LEAST_TO_HOLD:
            return refuse(_TOO_FEW, "decide.too_few", least=_LEAST_TO_HOLD, stake=state.stake)
        return None

    def resolve(self, state: Pig, to: str, reply: Reply | None) -> Iterable[Ruled]:
        if reply == _AGAIN:
            return (Ruled(then(Throw()), THROW),)
        return (*hold(state), Ruled(then(DrawBonus()), DRAW), Ruled(then(PassDie()), PASS))


class PassDie(Step[Pig], frozen=True):
    """PIG-2.6 At the end of a turn the die goes to the next player on the left."""

    def resolve(self, state: Pig, to: str, reply: Reply | None) -> Iterator[Ruled]:
        yield Ruled(DiePassed(state.next_seat), PASS)
        yield Ruled(then(Throw()), THROW)

    def forecast(self, state: Pig) -> tuple[Text, ...]:
        return (Text("forecast.pass", (("seat", SEATS[state.next_seat]),)),)
