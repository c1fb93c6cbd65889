"""Walking: a step into a space, with all that one meets on entering it (RW-56 to RW-61, RW-89, RW-83)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.effects.board import FortConquered
from companion.games.realm_of_wonder.effects.figures import (
    AbilityEnded,
    BalloonLeft,
    CastleEntered,
    ExtraBought,
    Landed,
    Walked,
)
from companion.games.realm_of_wonder.effects.points import Paid
from companion.games.realm_of_wonder.moving import (
    can_go_on,
    conquest_price,
    cost,
    least_conquest,
    may_stop,
    no_castle,
    no_conquest,
    no_step,
    points_left,
    steps,
)
from companion.games.realm_of_wonder.pieces import EXTRA, FORT_DISCS
from companion.games.realm_of_wonder.state import Realm, Walk
from companion.games.realm_of_wonder.steps.act import Act, can_pay, too_dear
from companion.games.realm_of_wonder.steps.arriving import arrive, destination, met_players
from companion.games.realm_of_wonder.steps.asking import YES, YES_OR_NO, Asking, ask, moves, one_of
from companion.kernel import (
    Chosen,
    Confirmed,
    Counted,
    Finish,
    Moved,
    Numbers,
    Question,
    Refusal,
    Reply,
    Ruled,
    cite,
    refuse,
    then,
)

STEP = cite("RW-56", "RW-57", "RW-58")
_SPENT = cite("RW-56")
_EXTRA = cite("RW-59")
_LEAVE = cite("RW-80", "RW-81")
_WEARS_OFF = cite("RW-82")
_CONQUER = cite("RW-89", "RW-90", "RW-Q04")
_CONQUERED = cite("RW-89", "RW-90", "RW-91", "RW-92")
_PRICE = cite("RW-84", "RW-Q04")
_DISCS = cite("RW-85", "RW-90")
_NEIGHBOUR = cite("RW-89", "RW-Q05")
_OVER_FORT = cite("RW-93")
_LAND = cite("RW-127", "RW-Q18")
_HOUSE = cite("RW-65", "RW-66")
_WINS = {"victory disc": cite("RW-109"), "three monsters": cite("RW-110"), "three orbs": cite("RW-111")}
_ENTERED = cite("RW-83")
_GAME = cite("RW-13")
HOUSE_OF = "house-"
"""Before a seat's letter: that player's house, where there is no map."""


class WalkOn(Act):
    """RW-58 A step into the next space; without a map, a walk to wherever the player stops next."""

    key = "step"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        return refuse(_SPENT, "step.no_points") if points_left(state, walk) < 1 else None

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if state.board:
            ends = steps(state, walk)
            start = state.players[walk.seat].at
            return ask("step", "move", walk.seat, moves(start, ends), STEP, "offer.step") if ends else None
        if self.hindrance(state, walk):
            return None
        return ask("step", "choose", walk.seat, one_of(_reachable(state, walk.seat)), STEP, "offer.step")

    def reason(self, state: Realm, walk: Walk, reply: Reply) -> Refusal | None:
        if isinstance(reply, Moved):
            here = state.players[walk.seat].at
            if reply.swap or reply.start != here:
                return refuse(STEP, "step.start", here=here, found=reply.start)
            return no_step(state, walk, reply.end)
        name = reply.picks[0] if isinstance(reply, Chosen) and len(reply.picks) == 1 else ""
        if name == "castle":
            return no_castle(state, walk.seat)
        if name.startswith(HOUSE_OF):
            return refuse(_HOUSE, "step.house", place=name, seat=name[-1])
        if name in state.forts:
            return no_conquest(state, walk.seat, name)
        return None

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        if isinstance(reply, Moved):
            yield from step_into(state, walk, reply.end)
        elif isinstance(reply, Chosen):
            yield Ruled(then(TellCost(reply.picks[0])), STEP)


def _reachable(state: Realm, seat: int) -> tuple[str, ...]:
    """Return what a player may stop at where there is no map."""
    castle = next(places.means_to_enter(state, seat), None) is not None
    kinds = [place for place in places.PLACES if place != "castle" or castle]
    anywhere = state.goings[seat].balloon and state.options["balloon_end"] == "anywhere"
    forts = [
        place
        for place, fort in state.forts.items()
        if fort.seat == seat or anywhere or no_conquest(state, seat, place) is None
    ]
    return (*kinds, *forts, *state.monsters, *met_players(state, seat))


class TellCost(Asking, frozen=True):
    """RW-58 Where there is no map, the table says what the walk cost.

    `place` is where it went, as it was named.
    """

    place: str

    def questions(self, state: Realm) -> tuple[Question, ...]:
        walk = state.walk
        if walk is None:
            return ()
        most = Numbers(1, points_left(state, walk))
        return (ask("cost", "count", walk.seat, most, STEP, place=self.place),)

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Counted)  # noqa: S101  the kernel checked the kind
        left = points_left(state, state.walk) if state.walk else 0
        if reply.number < 1:
            return refuse(STEP, "cost.least", found=reply.number)
        return refuse(_SPENT, "cost.most", found=reply.number, left=left)

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if state.walk is None or not isinstance(reply, Counted):
            return
        place, foe = destination(state, Chosen((self.place,)))
        yield Ruled(Walked(state.walk.seat, place, reply.number), STEP)
        yield from enter(state, state.walk, place, foe)


def step_into(state: Realm, walk: Walk, place: str) -> Iterator[Ruled]:
    """Yield a step on the map, and what follows from entering the space."""
    seat = walk.seat
    price, cites = cost(state, seat, place)
    flying = state.goings[seat].balloon and not state.on_island(place)
    met = places.occupant(state, place, seat) is not None or place in state.monsters
    over = flying and not may_stop(state, seat, place)
    may_pass = flying and met and not over and can_go_on(state, walk, place, points_left(state, walk) - price)
    if over and places.fort_of_another(state, place, seat):
        cites = (*cites, *_OVER_FORT)
    yield Ruled(Walked(seat, place, price, over or may_pass), tuple(dict.fromkeys((*STEP, *cites))))
    if may_pass:
        yield Ruled(then(Land(place)), _LAND)
    elif not over:
        yield from enter(state, walk, place)


class Land(Asking, frozen=True):
    """RW-127 A balloon over another player or a monster lands there, or flies on."""

    place: str

    def questions(self, state: Realm) -> tuple[Question, ...]:
        seat = None if state.walk is None else state.walk.seat
        return (ask("land", "confirm", seat, YES_OR_NO, _LAND, place=self.place),)

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if state.walk is not None and reply == Confirmed(True):
            yield Ruled(Landed(state.walk.seat, self.place), _LAND)
            yield from enter(state, state.walk, self.place, back=state.walk.came_from)


def enter(state: Realm, walk: Walk, place: str, foe: int | None = None, back: str | None = None) -> Iterator[Ruled]:
    """Yield what entering a space brings: the island's rules, a conquest, the castle, a battle.

    `back` is where the figure came from; left out, where it stands in `state`.
    """
    seat = walk.seat
    if back is None:
        back = walk.came_from if walk.hovering else state.players[seat].at
    if state.on_island(place):
        if state.goings[seat].balloon:
            yield Ruled(BalloonLeft(seat), _LEAVE)
        if state.goings[seat].running:
            yield Ruled(AbilityEnded(seat), _WEARS_OFF)
    if places.kind(state, place) == "castle":
        by = next(places.means_to_enter(state, seat), "")
        yield Ruled(CastleEntered(seat, by), _ENTERED)
        yield Ruled(Finish(seat, tuple(int(other == seat) for other in state.seats)), (*_GAME, *_WINS.get(by, ())))
    elif places.fort_of_another(state, place, seat) and not state.goings[seat].balloon:
        yield Ruled(then(Conquer(place, back)), _CONQUER)
    else:
        yield from arrive(state, seat, place, back, foe=foe)


class Conquer(Asking, frozen=True):
    """RW-90 Conquering means building a fort higher than the one there; the difference stays (RW-91).

    `back` is where the conqueror came from; empty for a conquest from the neighbouring space.
    """

    place: str
    back: str = ""

    def questions(self, state: Realm) -> tuple[Question, ...]:
        if state.walk is None:
            return ()
        seat, height = state.walk.seat, state.forts[self.place].height
        sizes = Numbers(height + 1, self._most(state, seat))
        return (ask("discs", "count", seat, sizes, _CONQUER, place=self.place, height=height),)

    def _most(self, state: Realm, seat: int) -> int:
        height = state.forts[self.place].height
        sizes = range(height + 1, state.discs_left(seat) + 1)
        return max((n for n in sizes if can_pay(state, seat, conquest_price(state, height, n))), default=height)

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Counted)  # noqa: S101  the kernel checked the kind
        seat = state.walk.seat if state.walk else 0
        height, left = state.forts[self.place].height, state.discs_left(seat)
        if reply.number <= height:
            return refuse(_CONQUER, "conquer.higher", found=reply.number, height=height)
        if reply.number > left:
            return refuse(_DISCS, "conquer.discs", found=reply.number, left=left, all=FORT_DISCS)
        points = conquest_price(state, height, reply.number)
        return refuse(_PRICE, "conquer.points", points=points, mp=str(state.players[seat].mp))

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if state.walk is None or not isinstance(reply, Counted):
            return
        seat, fort = state.walk.seat, state.forts[self.place]
        yield Ruled(Paid(seat, conquest_price(state, fort.height, reply.number), "conquest"), _PRICE)
        higher = reply.number - fort.height
        yield Ruled(FortConquered(seat, self.place, fort.seat, reply.number, higher), _CONQUERED)
        if self.back:
            yield from arrive(state, seat, self.place, self.back)


class ConquerNext(Act):
    """RW-Q05 Where the table conquers from the neighbouring space."""

    key = "conquer"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        return None if state.options["conquest_from"] == "neighbour" else refuse(_NEIGHBOUR, "conquer.step_in")

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        seat = walk.seat
        if self.hindrance(state, walk) or not state.forts:
            return None
        near = places.edges(state, state.players[seat].at) if state.board else state.forts
        forts = [p for p in near if places.fort_of_another(state, p, seat) and least_conquest(state, seat, p)]
        return ask("conquer", "choose", seat, one_of(forts), _NEIGHBOUR, "offer.conquer") if forts else None

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        if isinstance(reply, Chosen):
            yield Ruled(then(Conquer(reply.picks[0])), _NEIGHBOUR)


class BuyPoint(Act):
    """RW-59 One extra movement point per turn, for three magic points."""

    key = "extra"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        return refuse(_EXTRA, "extra.once") if walk.extra else too_dear(state, walk.seat, EXTRA, _EXTRA)

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if self.hindrance(state, walk):
            return None
        return ask("extra", "confirm", walk.seat, YES, _EXTRA, "offer.extra", points=EXTRA)

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        yield Ruled(Paid(walk.seat, EXTRA, "extra"), _EXTRA)
        yield Ruled(ExtraBought(walk.seat), _EXTRA)
