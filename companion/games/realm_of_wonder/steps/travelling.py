"""Journeys that take no movement points: vortex and teleport (RW-74 to RW-76, RW-142, RW-143)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.effects.figures import Travelled, TurnEnded
from companion.games.realm_of_wonder.effects.points import Paid
from companion.games.realm_of_wonder.effects.tiles import TileRemoved
from companion.games.realm_of_wonder.moving import blocked
from companion.games.realm_of_wonder.pieces import JOURNEY
from companion.games.realm_of_wonder.state import Realm, Walk
from companion.games.realm_of_wonder.steps.act import Act, too_dear
from companion.games.realm_of_wonder.steps.arriving import arrive, destination, journey
from companion.kernel import Moved, Question, Refusal, Reply, Ruled, cite, refuse

_VORTEX = cite("RW-74", "RW-75", "RW-76")
_FREE_OF_POINTS = cite("RW-74", "RW-76")
_AGAIN = cite("RW-75")
_TELEPORT = cite("RW-142")
_ENDS = cite("RW-143")


class Vortex(Act):
    """RW-74 For three points to the next vortex on the same disc; as often as one can pay (RW-75)."""

    key = "vortex"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        at = state.players[walk.seat].at
        if places.kind(state, at) != "vortex":
            return refuse(_FREE_OF_POINTS, "vortex.none", place=at)
        return too_dear(state, walk.seat, JOURNEY, _VORTEX)

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if self.hindrance(state, walk):
            return None
        at = state.players[walk.seat].at
        ends = places.next_vortices(state, at) if state.board else ("vortex",)
        return journey(state, walk.seat, "vortex", ends, _VORTEX, "offer.vortex")

    def reason(self, state: Realm, walk: Walk, reply: Reply) -> Refusal | None:
        place = reply.end if isinstance(reply, Moved) else "-"
        return refuse(_FREE_OF_POINTS, "vortex.next", place=place)

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        place, foe = destination(state, reply)
        at = state.players[walk.seat].at
        yield Ruled(Paid(walk.seat, JOURNEY, "vortex"), _VORTEX)
        yield Ruled(Travelled(walk.seat, place, "vortex"), _FREE_OF_POINTS)
        yield from arrive(state, walk.seat, place, at, landed=True, foe=foe)


class Teleport(Act):
    """RW-142 From an own or free well to another one; that ends the turn and takes the tile (RW-143)."""

    key = "teleport"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        at, seat = state.players[walk.seat].at, walk.seat
        if "teleport" not in state.players[seat].tiles:
            return refuse(_TELEPORT, "teleport.none")
        if not places.is_well(state, at) or blocked(state, seat, at):
            return refuse(_TELEPORT, "teleport.from", place=at)
        return None

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if self.hindrance(state, walk):
            return None
        at, seat = state.players[walk.seat].at, walk.seat
        ends = tuple(place for place in own_and_free_wells(state, seat) if place != at)
        return journey(state, seat, "teleport", ends, _TELEPORT, "offer.teleport")

    def reason(self, state: Realm, walk: Walk, reply: Reply) -> Refusal | None:
        place = reply.end if isinstance(reply, Moved) else "-"
        return refuse(_TELEPORT, "teleport.well", place=place)

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        place, foe = destination(state, reply)
        at = state.players[walk.seat].at
        yield Ruled(Travelled(walk.seat, place, "teleport"), _TELEPORT)
        yield Ruled(TileRemoved(walk.seat, "teleport"), _ENDS)
        yield from arrive(state, walk.seat, place, at, landed=True, foe=foe)
        yield Ruled(TurnEnded(walk.seat), _ENDS)


def own_and_free_wells(state: Realm, seat: int) -> tuple[str, ...]:
    """Return the wells a player may teleport to: the house, own forts, and those nobody holds."""
    return (places.home(state, seat), *state.forts_of(seat), *places.free_wells(state))
