"""In a rune stone space: turning whirlpools, drinking a potion (RW-72, RW-73, RW-145)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.effects.board import DiscTurned
from companion.games.realm_of_wonder.effects.points import Paid
from companion.games.realm_of_wonder.effects.tiles import BonusTaken, TileRemoved
from companion.games.realm_of_wonder.pieces import CHOICE, DISCS, ROLL, SIDES
from companion.games.realm_of_wonder.state import Realm, Walk
from companion.games.realm_of_wonder.steps.act import Act, too_dear
from companion.games.realm_of_wonder.steps.asking import TURNS, ask, one_of
from companion.games.realm_of_wonder.steps.cards import Spin
from companion.games.realm_of_wonder.steps.spoils import SUPPLY, may_have_bonus
from companion.kernel import Chosen, Citation, Question, Refusal, Reply, Ruled, cite, refuse, then

_ROLL = cite("RW-72")
_CHOOSE = cite("RW-73", "RW-63")
_POTION = cite("RW-145", "RW-146")
_SIDE = cite("RW-146", "RW-Q15")
_DRUNK = cite("RW-145")


def _no_stone(state: Realm, walk: Walk, why: tuple[Citation, ...]) -> Refusal | None:
    at = state.players[walk.seat].at
    return None if places.kind(state, at) == "rune" else refuse(why, "stone.none", place=at)


class RollForPath(Act):
    """RW-72 For one point a whirlpool is turned to the path that the spinning die shows."""

    key = "spin"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        return _no_stone(state, walk, _ROLL) or too_dear(state, walk.seat, ROLL, _ROLL)

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if self.hindrance(state, walk):
            return None
        return ask("spin", "choose", walk.seat, one_of(DISCS), _ROLL, "offer.spin", points=ROLL)

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        if isinstance(reply, Chosen):
            yield Ruled(Paid(walk.seat, ROLL, "spin"), _ROLL)
            yield Ruled(then(Spin(reply.picks[0], walk.seat)), _ROLL)


class ChoosePath(Act):
    """RW-73 For three points a whirlpool is turned to a path of one's choice."""

    key = "whirlpool"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        return _no_stone(state, walk, _CHOOSE) or too_dear(state, walk.seat, CHOICE, _CHOOSE)

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if self.hindrance(state, walk):
            return None
        return ask("whirlpool", "choose", walk.seat, one_of(TURNS), _CHOOSE, "offer.whirlpool", points=CHOICE)

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        if isinstance(reply, Chosen):
            disc, _, region = reply.picks[0].partition("-")
            yield Ruled(Paid(walk.seat, CHOICE, "whirlpool"), _CHOOSE)
            yield Ruled(DiscTurned(disc, region), _CHOOSE)


class DrinkPotion(Act):
    """RW-145 A magic potion drunk in a rune stone space gives a bonus disc, and is gone."""

    key = "potion"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        if "potion" not in state.players[walk.seat].tiles:
            return refuse(_DRUNK, "potion.none")
        if not may_have_bonus(state, walk.seat):
            return refuse(SUPPLY, "potion.no_disc")
        return _no_stone(state, walk, _DRUNK)

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if self.hindrance(state, walk):
            return None
        return ask("potion", "choose", walk.seat, one_of(SIDES), _POTION, "offer.potion")

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        if isinstance(reply, Chosen):
            yield Ruled(TileRemoved(walk.seat, "potion"), _DRUNK)
            yield Ruled(BonusTaken(walk.seat, reply.picks[0]), _SIDE)
