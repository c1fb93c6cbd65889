"""Rounds, and magic points that come and go."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.realm_of_wonder.effects.counts import less, more
from companion.games.realm_of_wonder.state import Going, Realm, with_going, with_player
from companion.kernel import UNKNOWN, Effect


class RoundBegun(Effect, frozen=True):
    """A new round begins."""

    round: int

    def apply(self, state: Realm) -> Realm:
        return replace(state, round=self.round, goings=(Going(),) * len(state.players), track=())


class PayoffSkipped(Effect, frozen=True):
    """In the first round nobody is paid."""

    def apply(self, state: Realm) -> Realm:
        return state


class PaidOut(Effect, frozen=True):
    """A player got the round's payoff; `points` are those of the counter, or 0."""

    seat: int
    points: int

    def apply(self, state: Realm) -> Realm:
        mp = state.players[self.seat].mp
        after = UNKNOWN if mp is UNKNOWN else max(0, mp + self.points)
        return with_going(with_player(state, self.seat, mp=after), self.seat, paid=self.points)


class PayoffReturned(Effect, frozen=True):
    """A player who began the own move on the castle island gave the payoff back."""

    seat: int
    points: int

    def apply(self, state: Realm) -> Realm:
        state = with_player(state, self.seat, mp=less(state.players[self.seat].mp, self.points))
        return with_going(state, self.seat, paid=0)


class PointsTold(Effect, frozen=True):
    """The table said how many magic points a player has."""

    seat: int
    mp: int

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, mp=self.mp)


class PointsReceived(Effect, frozen=True):
    """A player got magic points."""

    seat: int
    points: int

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, mp=more(state.players[self.seat].mp, self.points))


class Paid(Effect, frozen=True):
    """A player paid magic points for something."""

    seat: int
    points: int
    what: str

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, mp=less(state.players[self.seat].mp, self.points))
