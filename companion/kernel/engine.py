"""Positions and how answers move them.

A position is the state of a table and the agenda of what the rules still want done. It shows one
due question and, beside it, standing offers: things a seat may do now but need not. Offers lapse
when the due question is answered; nobody is asked to say no.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import msgspec

from companion.kernel.domains import OneOf
from companion.kernel.effects import Cancel, End, Finish, State, Then
from companion.kernel.questions import REPLY_OF, Answer, Confirmed, Question, Reply
from companion.kernel.rules import Citation, Refusal, Ruled, Text, cite, refuse
from companion.kernel.steps import Step

_QUESTION = cite("table/question")
_GO_ON = Question("go on", "confirm", None, OneOf((Confirmed(True),)), _QUESTION, Text("table.go_on"))
"""Asked where offers stand and nothing is due after them: somebody must say that they are left."""


class Due(msgspec.Struct, frozen=True):
    """An entry of the agenda: a step, the articles that put it there and the part of the game it
    belongs to (`frame`). `pending` names something announced that can still be cancelled.
    """

    step: Step[Any]
    cites: tuple[Citation, ...]
    frame: tuple[str, ...] = ()
    pending: str = ""


class Position(msgspec.Struct, frozen=True, dict=True):
    """State and agenda together, with what the last answer caused (`told`, in order)."""

    state: Any
    agenda: tuple[Due, ...]
    told: tuple[Ruled, ...] = ()

    @cached_property
    def here(self) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
        """The questions and the offers of the step that stands first on the agenda."""
        if not self.agenda:
            return (), ()
        step = self.agenda[0].step
        return step.questions(self.state), step.offers(self.state)

    @cached_property
    def lapsed(self) -> Position | None:
        """The position after the standing offers were left, or None while a question is due."""
        questions, offers = self.here
        if questions or not offers:
            return None
        return settle(self.state, self.agenda[1:])

    @property
    def question(self) -> Question | None:
        """The one due question, None when the game is over."""
        at = self
        while (later := at.lapsed) is not None:
            at = later
        questions = at.here[0]
        if questions:
            return questions[0]
        return None if at is self else _GO_ON

    @property
    def questions(self) -> tuple[Question, ...]:
        """Everything that can be answered now: first the due question with those asked at the same
        time, then the standing offers.
        """
        offers: list[Question] = []
        at = self
        while True:
            questions, standing = at.here
            offers += standing
            if (later := at.lapsed) is None:
                return (*(questions or ((_GO_ON,) if offers else ())), *offers)
            at = later

    @property
    def offers(self) -> tuple[Question, ...]:
        """What a seat may do now but need not."""
        offers: list[Question] = []
        at: Position | None = self
        while at is not None:
            offers += at.here[1]
            at = at.lapsed
        return tuple(offers)

    @property
    def is_over(self) -> bool:
        return not self.agenda

    @property
    def forecast(self) -> tuple[Text, ...]:
        """What the agenda will do next as things stand, in sentences."""
        return tuple(text for due in self.agenda for text in due.step.forecast(self.state))

    def same_table(self, other: Position) -> bool:
        """Return whether state and agenda are equal, whatever was told on the way there."""
        return self.agenda == other.agenda and bool(self.state == other.state)


def open_position(
    state: State, agenda: Iterable[tuple[Step[Any], tuple[Citation, ...]]], frame: str = "game"
) -> Position:
    """Return the position that begins with `agenda`; steps with nobody to ask settle at once."""
    return settle(state, tuple(Due(step, cites, (frame,)) for step, cites in agenda))


def advance(at: Position, answer: Answer) -> Position | Refusal:
    """Carry `answer` into the position and let the rules run until the next question.

    The position given never changes. `told` of the new one lists every effect with its articles,
    those of lapsed offers first.
    """
    told: list[Ruled] = []
    node = at
    while True:
        questions, offers = node.here
        for question in (*questions, *offers):
            if question.key == answer.to:
                return _answered(node, question, answer.reply, told)
        later = node.lapsed
        if later is None:
            if node is not at and not questions and answer.to == _GO_ON.key:
                return node if not told else msgspec.structs.replace(node, told=tuple(told))
            return _no_such_question(at, answer)
        told += later.told
        node = later


def _answered(at: Position, question: Question, reply: Reply, told: list[Ruled]) -> Position | Refusal:
    due = at.agenda[0]
    if type(reply) is not REPLY_OF[question.kind]:
        return refuse(_QUESTION, "table.wrong_kind", question=question.key, kind=question.kind)
    if no := due.step.refuse(at.state, question.key, reply):
        return no
    state, agenda = _resolve(at.state, due, at.agenda[1:], question.key, reply, told)
    return settle(state, agenda, told)


def _no_such_question(at: Position, answer: Answer) -> Refusal:
    open_keys = ", ".join(question.key for question in at.questions)
    if not open_keys:
        return refuse(_QUESTION, "table.over", question=answer.to)
    node: Position | None = at
    while node is not None:
        if node.agenda and (no := node.agenda[0].step.unasked(node.state, answer.to, answer.reply)):
            return msgspec.structs.replace(no, cites=tuple(dict.fromkeys((*no.cites, *_QUESTION))))
        node = node.lapsed
    return refuse(_QUESTION, "table.not_asked", question=answer.to, open=open_keys)


def settle(state: Any, agenda: tuple[Due, ...], told: list[Ruled] | None = None) -> Position:
    """Run the standing rules and every step that asks nobody, until someone is asked."""
    told = [] if told is None else told
    while True:
        if state.standing:
            state, agenda = _stand(state, agenda, told)
        if not agenda:
            return Position(state, agenda, tuple(told))
        due = agenda[0]
        questions, offers = due.step.questions(state), due.step.offers(state)
        if questions or offers:
            position = Position(state, agenda, tuple(told))
            # What was just computed is what `here` would compute again.
            position.__dict__["here"] = (questions, offers)
            if questions:
                position.__dict__["lapsed"] = None
            return position
        state, agenda = _resolve(state, due, agenda[1:], "", None, told)


def _stand(state: Any, agenda: tuple[Due, ...], told: list[Ruled]) -> tuple[Any, tuple[Due, ...]]:
    """Apply the standing rules, each with all its effects, until none of them fires any more.

    A rule that fires must change what it watches, or end what is due.

    :raises RuntimeError: if the rules have not come to rest after a thousand firings.
    """
    for _ in range(1000):
        if told and isinstance(told[-1].effect, Finish):
            return state, agenda
        fired = next((effects for watch in state.standing if (effects := tuple(watch(state)))), ())
        if not fired:
            return state, agenda
        frame = agenda[0].frame if agenda else ("game",)
        first: tuple[Due, ...] = ()
        for ruled in fired:
            state, agenda, first = _apply(state, agenda, first, ruled, told, frame)
        agenda = first + agenda
    raise RuntimeError("the standing rules did not come to rest after 1000 firings")


def _resolve(
    state: Any, due: Due, rest: tuple[Due, ...], to: str, reply: Reply | None, told: list[Ruled]
) -> tuple[Any, tuple[Due, ...]]:
    first: tuple[Due, ...] = ()
    for ruled in due.step.resolve(state, to, reply):
        if type(ruled.effect) in _OF_THE_AGENDA:
            state, rest, first = _apply(state, rest, first, ruled, told, due.frame)
        else:
            state = ruled.effect.apply(state)
            told.append(ruled)
    return state, first + rest


_OF_THE_AGENDA = frozenset((Then, End, Cancel, Finish))


def _apply(
    state: Any,
    rest: tuple[Due, ...],
    first: tuple[Due, ...],
    ruled: Ruled,
    told: list[Ruled],
    frame: tuple[str, ...],
) -> tuple[Any, tuple[Due, ...], tuple[Due, ...]]:
    """Apply one effect: to the agenda (`first` comes before `rest`), or to the state."""
    effect = ruled.effect
    if type(effect) is Then:
        inner = (*frame, effect.frame) if effect.frame else frame
        return state, rest, first + tuple([Due(step, ruled.cites, inner, effect.pending) for step in effect.steps])
    told.append(ruled)
    match effect:
        case End(frame=ended):
            rest, first = (tuple(due for due in dues if ended not in due.frame) for dues in (rest, first))
        case Cancel(pending=pending):
            rest, first = (tuple(due for due in dues if due.pending != pending) for dues in (rest, first))
        case Finish():
            return effect.apply(state), (), ()
        case _:
            state = effect.apply(state)
    return state, rest, first


def replay(at: Position, answers: Iterable[Answer]) -> Position | tuple[int, Refusal]:
    """Carry all answers in; on the first that is refused return its index and the refusal."""
    for index, answer in enumerate(answers):
        after = advance(at, answer)
        if isinstance(after, Refusal):
            return index, after
        at = after
    return at
