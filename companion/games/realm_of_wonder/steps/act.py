"""What a player may do in a turn of step 4, each act an offer of its own beside the end of the turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from companion.games.realm_of_wonder.state import Realm, Walk
from companion.kernel import UNKNOWN, Citation, Question, Refusal, Reply, Ruled, refuse


class Act:
    """One act: what hinders it, when it is offered, what speaks against a reply, and what it does.

    An act is offered only where it is possible and can be paid for; its domain holds what is.
    """

    key: ClassVar[str]

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        """Return why the act cannot be done here and now, whatever the reply; None if it can."""
        return None

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        """Return the offer, None where it is not possible."""
        raise NotImplementedError

    def reason(self, state: Realm, walk: Walk, reply: Reply) -> Refusal | None:
        """Return why a reply outside the offer's domain is not allowed."""
        return None

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        """Yield what the act does."""
        raise NotImplementedError


def can_pay(state: Realm, seat: int, points: int) -> bool:
    mp = state.players[seat].mp
    return mp is not UNKNOWN and mp >= points


def too_dear(state: Realm, seat: int, points: int, why: tuple[Citation, ...]) -> Refusal | None:
    """Return the refusal of what a player cannot pay for, None if the points are there."""
    if can_pay(state, seat, points):
        return None
    mp = state.players[seat].mp
    return refuse(why, "act.points", points=points, mp="?" if mp is UNKNOWN else mp)
