"""At a magic well: buying a card, building a fort (RW-69 to RW-71, RW-84 to RW-88)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.effects import CardBought, FortBuilt, Paid, fort_name
from companion.games.realm_of_wonder.pieces import CARD, DISC, FORT_DISCS, HIGHEST
from companion.games.realm_of_wonder.state import Realm, Walk
from companion.games.realm_of_wonder.steps.act import Act, can_pay
from companion.games.realm_of_wonder.steps.asking import YES, ask
from companion.games.realm_of_wonder.steps.drawing import draw_magic
from companion.kernel import UNKNOWN, Counted, Numbers, Question, Refusal, Reply, Ruled, cite, refuse

_BUY = cite("RW-69", "RW-70")
_BUY_AT_HOME = cite("RW-69", "RW-70", "RW-Q24")
_ONCE = cite("RW-70")
BUILD = cite("RW-86", "RW-Q22")
_PRICE = cite("RW-84")
_BUILT = cite("RW-71", "RW-86")
_HIGHEST = cite("RW-86", "RW-87")
_DISCS = cite("RW-85")


class BuyCard(Act):
    """RW-69 At a free well or at one with an own fort a magic card costs three points; one a turn (RW-70)."""

    key = "card"

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        at, seat = state.players[walk.seat].at, walk.seat
        if walk.bought or state.magic_pile == 0 or not can_pay(state, seat, CARD) or not places.is_well(state, at):
            return None
        if places.fort_of_another(state, at, seat) or places.house_owner(state, at, seat) not in (None, seat):
            return None
        house = places.kind(state, at) == "house"
        if house and state.options["house_sells"] == "no":
            return None
        return ask("card", "confirm", seat, YES, _BUY_AT_HOME if house else _BUY, "offer.card", points=CARD)

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        house = places.kind(state, state.players[walk.seat].at) == "house"
        why = _BUY_AT_HOME if house else _BUY
        yield Ruled(Paid(walk.seat, CARD, "card"), why)
        yield Ruled(CardBought(walk.seat), _ONCE)
        yield from draw_magic(state, walk.seat, why)


class BuildFort(Act):
    """RW-86 A fort of one to three discs on a well, while standing in its space; three points a disc (RW-84)."""

    key = "build"

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        height = self._height(state, walk)
        if height is None or height >= HIGHEST:
            return None
        if height and state.options["raising"] == "once":
            return None
        mp = state.players[walk.seat].mp
        most = min(HIGHEST - height, state.discs_left(walk.seat), 0 if mp is UNKNOWN else mp // DISC)
        if most < 1:
            return None
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
