"""Where figures go in step 4, and the abilities of the characters."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.realm_of_wonder.state import Realm, Walk, with_going, with_player
from companion.kernel import Effect


def walk_of(state: Realm) -> Walk:
    assert state.walk is not None  # noqa: S101  yielded only within a turn
    return state.walk


class TurnBegun(Effect, frozen=True):
    """A player's move of this round begins."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return replace(state, walk=Walk(self.seat))


class Walked(Effect, frozen=True):
    """A figure went into another space for movement points."""

    seat: int
    place: str
    cost: int
    hovering: bool = False

    def apply(self, state: Realm) -> Realm:
        walk = walk_of(state)
        # Whoever flies over a space does not come from there: nobody could be sent back to it.
        left = walk.came_from if walk.hovering else state.players[self.seat].at
        walk = replace(walk, spent=walk.spent + self.cost, came_from=left, hovering=self.hovering)
        return replace(with_player(state, self.seat, at=self.place), walk=walk)


class Travelled(Effect, frozen=True):
    """A figure came to another space without movement points; `how` names the means."""

    seat: int
    place: str
    how: str

    def apply(self, state: Realm) -> Realm:
        if state.walk is not None and state.walk.seat == self.seat:
            state = replace(state, walk=replace(state.walk, came_from=state.players[self.seat].at))
        return with_player(state, self.seat, at=self.place)


class Landed(Effect, frozen=True):
    """The balloon came down in the space it was over."""

    seat: int
    place: str

    def apply(self, state: Realm) -> Realm:
        return replace(state, walk=replace(walk_of(state), hovering=False))


class BalloonLeft(Effect, frozen=True):
    """A player left the balloon behind on stepping off the middle disc."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, balloon=False)


class ExtraBought(Effect, frozen=True):
    """A player bought the extra movement point of this turn."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return replace(state, walk=replace(walk_of(state), extra=True))


class AbilityUsed(Effect, frozen=True):
    """A player used the special ability; the disc lies beside the card, face side up."""

    seat: int
    ability: str

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, ready=False)


class AbilityRuns(Effect, frozen=True):
    """An ability holds until the round ends: `golem`, or `troll:` and the region."""

    seat: int
    running: str

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, running=self.running)


class AbilityEnded(Effect, frozen=True):
    """An ability wore off on the castle island."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, running="")


class AbilityReturned(Effect, frozen=True):
    """A player's ability disc lies on the character card again, skill side up."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, ready=True)


class CastleEntered(Effect, frozen=True):
    """A player stands in the King's castle with a victory disc, three monsters or three orbs."""

    seat: int
    by: str

    def apply(self, state: Realm) -> Realm:
        return state


class TurnEnded(Effect, frozen=True):
    """A player's move of this round is over."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        walk = None if state.walk is not None and state.walk.seat == self.seat else state.walk
        return replace(with_going(state, self.seat, moved=True), walk=walk)
