"""Effects: changes as data. Most change the state of one game; three change the agenda.

Effects are named after what people at the table would see, in the past tense.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

if TYPE_CHECKING:
    from companion.kernel.rules import Ruled
    from companion.kernel.steps import Step


class State(msgspec.Struct, frozen=True):
    """What a game remembers of its table. Subclasses are frozen structs.

    `standing` holds the rules that are watched all the time (game end, payoff counters): each is
    called after every step until none of them yields an effect any more.
    """

    standing: ClassVar[tuple[Callable[[Any], Iterable[Ruled]], ...]] = ()


class Effect(msgspec.Struct, frozen=True):
    """One change of the state, as data that knows how to apply itself."""

    def apply(self, state: Any) -> Any:
        """Return the state after this change; the one given stays as it is."""
        raise NotImplementedError


class Then(Effect, frozen=True):
    """Put steps on the agenda, in this order, before whatever is due already.

    `frame` opens a named part of the game (round, turn, battle) in which the steps are due.
    `pending` names them as announced but not yet carried out, so that `Cancel` can strike them.
    """

    steps: tuple[Step[Any], ...]
    frame: str = ""
    pending: str = ""


def then(*steps: Step[Any], frame: str = "", pending: str = "") -> Then:
    """Return the effect that puts `steps` on the agenda, next first."""
    return Then(steps, frame, pending)


class End(Effect, frozen=True):
    """A part of the game is over: everything still due in `frame` is dropped."""

    frame: str


class Cancel(Effect, frozen=True):
    """What was announced as `pending` does not happen."""

    pending: str


class Finish(Effect, frozen=True):
    """The game is over. `winner` is a seat, or None for a draw; nothing is due any more."""

    winner: int | None
    scores: tuple[int, ...]

    def apply(self, state: Any) -> Any:
        return state
