"""Step 4: the players move, the fastest first."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder.effects.cards import MovementTold
from companion.games.realm_of_wonder.effects.figures import TurnBegun, TurnEnded
from companion.games.realm_of_wonder.effects.points import PayoffReturned, PointsTold
from companion.games.realm_of_wonder.moving import no_step, steps
from companion.games.realm_of_wonder.pieces import SEATS, SPELLS
from companion.games.realm_of_wonder.state import Realm, Walk, next_mover, speed_order
from companion.games.realm_of_wonder.steps.abilities import UseAbility
from companion.games.realm_of_wonder.steps.act import Act
from companion.games.realm_of_wonder.steps.asking import ROUND, YES, Asking, ask, moves
from companion.games.realm_of_wonder.steps.quests import ClaimQuest
from companion.games.realm_of_wonder.steps.stones import ChoosePath, DrinkPotion, RollForPath
from companion.games.realm_of_wonder.steps.towers import RevealTile
from companion.games.realm_of_wonder.steps.travelling import Teleport, Vortex
from companion.games.realm_of_wonder.steps.walking import BuyPoint, ConquerNext, WalkOn, step_into
from companion.games.realm_of_wonder.steps.wells import BuildFort, BuyCard
from companion.kernel import (
    UNKNOWN,
    Counted,
    Moved,
    Numbers,
    Question,
    Refusal,
    Reply,
    Ruled,
    Text,
    cite,
    refuse,
    then,
)

TURN = cite("RW-55", "RW-57")
_DONE = cite("RW-55", "RW-56", "RW-57")
_POINTS = cite("RW-44")
_MAGIC_POINTS = cite("RW-24")
_HOVER = cite("RW-127", "RW-Q18")
_ISLAND = cite("RW-38", "RW-Q02")
_SPELLS = cite("RW-28", "RW-50", "RW-134")
_MOST_POINTS, _MOST_MAGIC_POINTS = 20, 200

ACTS: dict[str, Act] = {
    act.key: act
    for act in (
        WalkOn(),
        BuyPoint(),
        ConquerNext(),
        BuyCard(),
        BuildFort(),
        RevealTile(),
        RollForPath(),
        ChoosePath(),
        DrinkPotion(),
        Vortex(),
        Teleport(),
        UseAbility(),
        ClaimQuest(),
    )
}


class Moves(Asking, frozen=True):
    """RW-55 Players move one after the other, the fastest first.

    RW-57 In the turn a player may pass several spaces and act in them; every act stands as an offer
    until the player says that the turn is over.
    """

    def questions(self, state: Realm) -> tuple[Question, ...]:
        walk = state.walk
        if walk is None:
            return ()
        seat = walk.seat
        if state.players[seat].mp is UNKNOWN:
            return (ask(f"magic points {SEATS[seat]}", "count", seat, _HAS, _MAGIC_POINTS, "ask.magic_points"),)
        if state.goings[seat].points is UNKNOWN:
            return (ask(f"points {SEATS[seat]}", "count", seat, _SHOWS, _POINTS, "ask.points"),)
        if walk.hovering:
            return (ask("fly on", "move", seat, moves(state.players[seat].at, steps(state, walk)), _HOVER, "ask.fly"),)
        return (ask("done", "confirm", seat, YES, _DONE),)

    def offers(self, state: Realm) -> tuple[Question, ...]:
        walk = state.walk
        if walk is None or walk.hovering or not self._known(state, walk):
            return ()
        return tuple(offer for act in ACTS.values() if (offer := act.offer(state, walk)) is not None)

    def question(self, state: Realm, to: str) -> Question:
        if to in ACTS and state.walk is not None and (offer := ACTS[to].offer(state, state.walk)) is not None:
            return offer
        return self.questions(state)[0]

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        walk = state.walk
        if walk is None:
            return None
        if to in ACTS:
            return ACTS[to].reason(state, walk, reply)
        if isinstance(reply, Moved) and reply.start == state.players[walk.seat].at:
            return no_step(state, walk, reply.end)
        if isinstance(reply, Counted):
            most = _MOST_POINTS if to.startswith("points") else _MOST_MAGIC_POINTS
            return refuse(_POINTS, "count.range", found=reply.number, most=most)
        return None

    def unasked(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        walk = state.walk
        if to in SPELLS or to.startswith("counter "):
            return refuse(_SPELLS, "spell.not_now")
        if walk is None or to not in (*ACTS, "done") or not self._known(state, walk):
            return None
        if walk.hovering:
            return refuse(_HOVER, "step.hovering")
        act = ACTS[to]
        return act.hindrance(state, walk) or act.reason(state, walk, reply) or refuse(TURN, "act.nowhere", act=to)

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        walk = state.walk
        if walk is None:
            yield from self._next(state)
            return
        if reply is None:
            return
        if to in ACTS:
            yield from ACTS[to].effects(state, walk, reply)
        elif isinstance(reply, Counted) and to.startswith("points"):
            yield Ruled(MovementTold(walk.seat, reply.number), _POINTS)
        elif isinstance(reply, Counted):
            yield Ruled(PointsTold(walk.seat, reply.number), _MAGIC_POINTS)
        elif isinstance(reply, Moved):
            yield from step_into(state, walk, reply.end)
        else:
            yield Ruled(TurnEnded(walk.seat), TURN)
        yield Ruled(then(self), ROUND)

    def _next(self, state: Realm) -> Iterator[Ruled]:
        seat = next_mover(state)
        if seat is None:
            return
        yield Ruled(TurnBegun(seat), TURN)
        island = state.on_island(state.players[seat].at)
        if island and state.options["island_when"] == "own_move" and state.goings[seat].paid:
            yield Ruled(PayoffReturned(seat, state.goings[seat].paid), _ISLAND)
        yield Ruled(then(self), ROUND)

    def _known(self, state: Realm, walk: Walk) -> bool:
        return state.players[walk.seat].mp is not UNKNOWN and state.goings[walk.seat].points is not UNKNOWN

    def forecast(self, state: Realm) -> tuple[Text, ...]:
        order = [seat for seat in reversed(speed_order(state)) if not state.goings[seat].moved]
        return tuple(Text("forecast.moves", (("seat", SEATS[seat]),)) for seat in order)


_HAS, _SHOWS = Numbers(0, _MOST_MAGIC_POINTS), Numbers(0, _MOST_POINTS)
