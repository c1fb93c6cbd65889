"""Steps: one paragraph of the rulebook each, waiting on the agenda or acting at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import msgspec

from companion.kernel.effects import then
from companion.kernel.questions import Question, Reply
from companion.kernel.rules import Citation, Refusal, Ruled, Text

S = TypeVar("S")


class Step(msgspec.Struct, Generic[S], frozen=True):
    """One paragraph of the rulebook. Subclasses are frozen structs; the laws for them:

    The docstring begins with the article and says it in one sentence. `refuse` holds every reason
    against a reply, `resolve` never fails. All effects of one answer are computed from the state as
    it was asked; to look again, put another step on the agenda. A step holds only what the agenda
    needs to know, never a copy of the state. Orders are derived from the state, never queued.

    A step that asks nothing and offers nothing resolves at once, with no reply.
    """

    def questions(self, state: S) -> tuple[Question, ...]:
        """Return what must be answered before the game goes on; the first is the due question."""
        return ()

    def offers(self, state: S) -> tuple[Question, ...]:
        """Return what a seat may do now but need not; it lapses when the due question is answered."""
        return ()

    def refuse(self, state: S, to: str, reply: Reply) -> Refusal | None:
        """Return the reason against `reply` to the question or offer `to`, or None."""
        return None

    def unasked(self, state: S, to: str, reply: Reply) -> Refusal | None:
        """Return why `to` is neither asked nor offered here, None if this step has no word for it."""
        return None

    def resolve(self, state: S, to: str, reply: Reply | None) -> Iterable[Ruled]:
        """Yield the effects of `reply`; of the step itself when it asks nothing (`to` is empty)."""
        raise NotImplementedError

    def forecast(self, state: S) -> tuple[Text, ...]:
        """Return what the table can expect of this step as things stand, in sentences."""
        return ()


class Group(Step[Any], frozen=True):
    """Several steps asked at once; the table answers them in any order."""

    members: tuple[Step[Any], ...]
    cites: tuple[Citation, ...]

    def questions(self, state: Any) -> tuple[Question, ...]:
        return tuple(question for member in self.members for question in member.questions(state))

    def refuse(self, state: Any, to: str, reply: Reply) -> Refusal | None:
        return self._member(state, to).refuse(state, to, reply)

    def unasked(self, state: Any, to: str, reply: Reply) -> Refusal | None:
        return next((no for member in self.members if (no := member.unasked(state, to, reply))), None)

    def resolve(self, state: Any, to: str, reply: Reply | None) -> Iterable[Ruled]:
        if not to:
            yield Ruled(then(*self.members), self.cites)
            return
        answered = self._member(state, to)
        yield from answered.resolve(state, to, reply)
        if rest := tuple(member for member in self.members if member is not answered):
            yield Ruled(then(Group(rest, self.cites)), self.cites)

    def _member(self, state: Any, to: str) -> Step[Any]:
        return next(m for m in self.members if any(q.key == to for q in m.questions(state)))
