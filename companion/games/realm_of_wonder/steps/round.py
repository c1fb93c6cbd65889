"""The four steps of a round, and step 1: the magic point payoff."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder.effects.points import PaidOut, PayoffSkipped, RoundBegun
from companion.games.realm_of_wonder.payoff import payoff
from companion.games.realm_of_wonder.state import Realm
from companion.games.realm_of_wonder.steps.asking import ROUND, Asking
from companion.games.realm_of_wonder.steps.cards import DrawMovement, PlayCards, SetMarkers, Specials
from companion.games.realm_of_wonder.steps.moves import Moves
from companion.games.realm_of_wonder.steps.spells import Spells
from companion.kernel import Reply, Ruled, Step, Text, cite, then

PAYOFF = cite("RW-28", "RW-31")
_NOT_YET = cite("RW-29", "RW-30")


class Payoff(Asking, frozen=True):
    """RW-28 Step 1: each player gets the payoff that the counter shows.

    RW-29 The step is skipped in the first round. RW-38 Whoever stands on the castle island gets nothing.
    """

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if state.round == 1:
            yield Ruled(PayoffSkipped(), _NOT_YET)
        for seat in state.seats if state.round > 1 else ():
            term = payoff(state, seat)
            cites = [cited for part in term.parts for cited in part.cites]
            yield Ruled(PaidOut(seat, term.points), tuple(dict.fromkeys((*PAYOFF, *cites))))

    def forecast(self, state: Realm) -> tuple[Text, ...]:
        return (Text("forecast.payoff", (("round", state.round),)),)


class NextRound(Asking, frozen=True):
    """RW-28 After step 4 a new round begins with step 1."""

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        yield Ruled(RoundBegun(state.round + 1), ROUND)
        yield Ruled(then(*FOUR_STEPS), ROUND)


FOUR_STEPS: tuple[Step[Realm], ...] = (
    Payoff(),
    DrawMovement(),
    PlayCards(),
    SetMarkers(),
    Specials(),
    Spells(),
    Moves(),
    NextRound(),
)
"""RW-28 The four steps of a round in their fixed order; step 2 is playing cards, markers and special cards."""
