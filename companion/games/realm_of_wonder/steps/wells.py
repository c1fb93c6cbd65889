"""At a magic well: buying a card, building a fort (RW-69 to RW-71, RW-84 to RW-88)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.effects.board import FortBuilt, fort_name
from companion.games.realm_of_wonder.effects.cards import CardBought
from companion.games.realm_of_wonder.effects.points import Paid
from companion.games.realm_of_wonder.pieces import CARD, DISC, FORT_DISCS, HIGHEST
from companion.games.realm_of_wonder.state import Realm, Walk
from companion.games.realm_of_wonder.steps.act import Act, too_dear
from companion.games.realm_of_wonder.steps.asking import YES, ask
from companion.games.realm_of_wonder.steps.drawing import EMPTY, draw_magic
from companion.kernel import UNKNOWN, Counted, Numbers, Question, Refusal, Reply, Ruled, cite, refuse

_BUY = cite("RW-69", "RW-70")
_BUY_AT_HOME = cite("RW-69", "RW-70", "RW-Q24")
_WELL, _ONCE = cite("RW-69"), cite("RW-70")
_THEIRS = cite("RW-89", "RW-90")
BUILD = cite("RW-86", "RW-Q22")
_PRICE = cite("RW-84")
_BUILT = cite("RW-71", "RW-86")
_HIGHEST = cite("RW-86", "RW-87")
_DISCS = cite("RW-85")


class BuyCard(Act):
    """RW-69 At a free well or at one with an own fort a magic card costs three points; one a turn (RW-70)."""

    key = "card"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        at, seat = state.players[walk.seat].at, walk.seat
        if walk.bought:
            return refuse(_ONCE, "card.once")
        if not places.is_well(state, at):
            return refuse(_WELL, "card.no_well", place=at)
        if places.fort_of_another(state, at, seat) or places.house_owner(state, at, seat) not in (None, seat):
            return refuse(_WELL, "card.another", place=at)
        if places.kind(state, at) == "house" and state.options["house_sells"] == "no":
            return refuse(_BUY_AT_HOME, "card.house")
        if state.magic_pile == 0:
            return refuse(EMPTY, "card.empty")
        return too_dear(state, seat, CARD, _WELL)

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if self.hindrance(state, walk):
            return None
        why = _BUY_AT_HOME if places.kind(state, state.players[walk.seat].at) == "house" else _BUY
        return ask("card", "confirm", walk.seat, YES, why, "offer.card", points=CARD)

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        house = places.kind(state, state.players[walk.seat].at) == "house"
        why = _BUY_AT_HOME if house else _BUY
        yield Ruled(Paid(walk.seat, CARD, "card"), why)
        yield Ruled(CardBought(walk.seat), _ONCE)
        yield from draw_magic(state, walk.seat, why)


class BuildFort(Act):
    """RW-86 A fort of one to three discs on a well, while standing in its space; three points a disc (RW-84)."""

    key = "build"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        at, height = state.players[walk.seat].at, self._height(state, walk)
        if places.fort_of_another(state, at, walk.seat):
            return refuse(_THEIRS, "build.another", place=at)
        if height is None:
            return refuse(BUILD, "build.no_well", place=at)
        if height >= HIGHEST:
            return refuse(_HIGHEST, "build.high_enough", found=height, highest=HIGHEST)
        if height and state.options["raising"] == "once":
            return refuse(BUILD, "build.once")
        if not state.discs_left(walk.seat):
            return refuse(_DISCS, "build.no_discs", all=FORT_DISCS)
        return too_dear(state, walk.seat, DISC, _PRICE)

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if self.hindrance(state, walk):
            return None
        height, mp = self._height(state, walk) or 0, state.players[walk.seat].mp
        most = min(HIGHEST - height, state.discs_left(walk.seat), 0 if mp is UNKNOWN else mp // DISC)
        return ask("build", "count", walk.seat, Numbers(1, most), BUILD, "offer.build", height=height)

    def _height(self, state: Realm, walk: Walk) -> int | None:
        """Return how high the own fort here is, 0 on a free well, None where nothing can be built."""
        at = state.players[walk.seat].at
        if places.kind(state, at) != "well" or places.fort_of_another(state, at, walk.seat):
            return None
        return state.forts[at].height if at in state.forts else 0

    def reason(self, state: Realm, walk: Walk, reply: Reply) -> Refusal | None:
        if not isinstance(reply, Counted):
            return None
        height, left = self._height(state, walk) or 0, state.discs_left(walk.seat)
        if reply.number < 1:
            return refuse(BUILD, "build.least", found=reply.number)
        if reply.number > left:
            return refuse((*_DISCS, *BUILD), "build.discs", found=reply.number, left=left, all=FORT_DISCS)
        if height + reply.number > HIGHEST:
            return refuse(_HIGHEST, "build.highest", found=height + reply.number, highest=HIGHEST)
        mp = str(state.players[walk.seat].mp)
        return refuse(_PRICE, "build.points", points=DISC * reply.number, mp=mp)

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        if not isinstance(reply, Counted):
            return
        at, height = state.players[walk.seat].at, self._height(state, walk) or 0
        place = at if state.board or at in state.forts else fort_name(state.forts, walk.seat)
        yield Ruled(Paid(walk.seat, DISC * reply.number, "fort"), _PRICE)
        yield Ruled(FortBuilt(walk.seat, place, reply.number, height + reply.number), _BUILT)
