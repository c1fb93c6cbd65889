"""How far a player may go: movement points as a sum, what a step costs, and what stands in its way."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.pieces import DISC, MONSTERS, ORBS, SEATS
from companion.games.realm_of_wonder.state import Realm, Walk
from companion.kernel import UNKNOWN, Citation, Refusal, Term, Text, cite, refuse

_CARD = cite("RW-44", "RW-56")
_BONUS = cite("RW-147")
_PLUS, _MINUS = cite("RW-124"), cite("RW-125")
_FLOOR = cite("RW-Q07")
_EXTRA = cite("RW-59")
_COST = cite("RW-58")
_BALLOON = cite("RW-126")
_TROLL = cite("RW-117")
_BARRED = cite("RW-60", "RW-77")
_WATER = cite("RW-60")
_CASTLE = cite("RW-83")
_HOUSE = cite("RW-65", "RW-66")
_FORT = cite("RW-89", "RW-90", "RW-84", "RW-85", "RW-Q05")
_REGION = cite("RW-117", "RW-Q17")
_POINTS = cite("RW-56")
_OVER = cite("RW-127", "RW-Q18")
_ISLAND = cite("RW-80")
_NEXT = cite("RW-58")


def movement(state: Realm, seat: int) -> Term:
    """Return a player's movement points of this round as a sum (RW-44, RW-59, RW-124, RW-125, RW-147)."""
    player, going = state.players[seat], state.goings[seat]
    how = state.options["movement_floor"]
    card = 0 if going.points is UNKNOWN else going.points
    parts = [Term(Text("move.card"), card, _CARD)]
    bonus = player.bonus.count("movement")
    if going.spells:
        parts.append(Term(Text("move.spells"), going.spells, _PLUS if going.spells > 0 else _MINUS))
    if bonus:
        parts.append(Term(Text("move.bonus"), bonus, _BONUS))
    extra = state.walk is not None and state.walk.seat == seat and state.walk.extra
    # What the table reads into "not below 0" decides before or after which of the others it applies.
    floored = {"all": parts, "card_only": parts[: 2 if going.spells else 1], "deficit": []}[how]
    below = min(0, sum(part.points for part in floored))
    if extra:
        parts.append(Term(Text("move.extra"), 1, _EXTRA))
    if how == "deficit":
        below = min(0, sum(part.points for part in parts))
    if below:
        parts.append(Term(Text("move.floor"), -below, _FLOOR))
    return Term(Text("move.points", (("seat", SEATS[seat]),)), sum(part.points for part in parts), _CARD, tuple(parts))


def points_left(state: Realm, walk: Walk) -> int:
    """Return the movement points the player in turn has left."""
    return movement(state, walk.seat).points - walk.spent


def cost(state: Realm, seat: int, place: str) -> tuple[int, tuple[Citation, ...]]:
    """Return what entering a space of the map costs, and by which articles."""
    assert state.board is not None  # noqa: S101  asked only where there is a map
    space, going = state.board.spaces[place], state.goings[seat]
    if going.balloon and space.disc != "innermost":
        return 1, _BALLOON
    if going.running == f"troll:{space.region}":
        return 1, _TROLL
    return (2 if space.difficult else 1), _COST


def least_conquest(state: Realm, seat: int, place: str) -> int | None:
    """Return the least fort that conquers the one in a space, None if the player has not the means."""
    height = state.forts[place].height
    mp = state.players[seat].mp
    discs, points = height + 1, conquest_price(state, height, height + 1)
    if discs > state.discs_left(seat) or mp is UNKNOWN or points > mp:
        return None
    return discs


def conquest_price(state: Realm, height: int, discs: int) -> int:
    """Return what conquering a fort of `height` with `discs` costs (RW-84, RW-Q04)."""
    return DISC * (discs if state.options["conquest_cost"] == "every_disc" else discs - height)


def blocked(state: Realm, seat: int, place: str) -> bool:
    """Return whether another player's house or fort stands in a space (RW-66, RW-89)."""
    owner = places.house_owner(state, place, seat)
    return owner not in (None, seat) or places.fort_of_another(state, place, seat)


def may_stop(state: Realm, seat: int, place: str) -> bool:
    """Return whether a balloon flight may end in a space (RW-Q18)."""
    return state.options["balloon_end"] == "anywhere" or not blocked(state, seat, place)


def no_step(state: Realm, walk: Walk, place: str) -> Refusal | None:
    """Return the reason against stepping into a space of the map, or None."""
    seat, here = walk.seat, state.players[walk.seat].at
    around = places.edges(state, here)
    if place not in around:
        return refuse(_NEXT, "step.not_next", place=place, here=here)
    going = state.goings[seat]
    flying = going.balloon and not state.on_island(place)
    if no := _no_crossing(state, seat, place, around[place], flying):
        return no
    if places.kind(state, place) == "castle" and next(places.means_to_enter(state, seat), None) is None:
        return no_castle(state, seat)
    if going.running.startswith("troll:") and state.options["troll_outside"] == "barred" and not flying:
        region = going.running.removeprefix("troll:")
        if state.board is not None and state.board.spaces[place].region != region:
            return refuse(_REGION, "step.troll_region", place=place, region=region)
    price, cites = cost(state, seat, place)
    left = points_left(state, walk)
    if price > left:
        return refuse((*_POINTS, *cites), "step.too_far", place=place, cost=price, left=left)
    if not flying:
        return _no_stop(state, seat, place) if blocked(state, seat, place) else None
    if not may_stop(state, seat, place) and not can_go_on(state, walk, place, left - price):
        return refuse(_OVER, "step.no_way_on", place=place)
    return None


def _no_crossing(state: Realm, seat: int, place: str, barrier: str, flying: bool) -> Refusal | None:
    if barrier == "water":
        return refuse(_WATER, "step.water", place=place)
    if barrier != "wall" or flying or state.goings[seat].running == "golem":
        return None
    if state.goings[seat].balloon:
        return refuse((*_ISLAND, *_BARRED), "step.wall_to_island", place=place)
    return refuse(_BARRED, "step.wall", place=place)


def _no_stop(state: Realm, seat: int, place: str) -> Refusal | None:
    owner = places.house_owner(state, place, seat)
    if owner not in (None, seat):
        return refuse(_HOUSE, "step.house", place=place, seat=SEATS[owner or 0])
    return no_conquest(state, seat, place)


def no_conquest(state: Realm, seat: int, place: str) -> Refusal | None:
    """Return the reason why a player cannot conquer the fort in a space, or None."""
    if state.options["conquest_from"] == "neighbour":
        return refuse(_FORT, "step.conquer_first", place=place)
    if least_conquest(state, seat, place) is None:
        height = state.forts[place].height
        points = conquest_price(state, height, height + 1)
        mp = state.players[seat].mp
        return refuse(
            _FORT,
            "step.fort",
            place=place,
            discs=height + 1,
            points=points,
            mp="?" if mp is UNKNOWN else mp,
            left=state.discs_left(seat),
        )
    return None


def no_castle(state: Realm, seat: int) -> Refusal:
    """Return the refusal at the castle gate, with what the player carries."""
    tiles = state.players[seat].tiles
    monsters = sum(tile in MONSTERS for tile in tiles)
    orbs = sum(tile in ORBS for tile in tiles)
    return refuse(_CASTLE, "step.castle", monsters=monsters, orbs=orbs)


def can_go_on(state: Realm, walk: Walk, place: str, left: int) -> bool:
    """Return whether a flight over `place` could end elsewhere with the points left after it."""
    return any(_ends(state, walk, place, left, frozenset((state.players[walk.seat].at,))))


def _ends(state: Realm, walk: Walk, place: str, left: int, seen: frozenset[str]) -> Iterator[bool]:
    if left < 1:
        return
    for other, barrier in places.edges(state, place).items():
        if barrier == "water" or other in seen or places.kind(state, other) == "castle":
            continue
        if state.on_island(other):
            if not barrier and cost(state, walk.seat, other)[0] <= left:
                yield True
        elif may_stop(state, walk.seat, other):
            yield True
        else:
            yield from _ends(state, walk, other, left - 1, seen | {place})


def steps(state: Realm, walk: Walk) -> tuple[str, ...]:
    """Return the neighbouring spaces that the player in turn may enter now."""
    here = state.players[walk.seat].at
    if state.board is None or here not in state.board.spaces:
        return ()
    return tuple(place for place in places.edges(state, here) if no_step(state, walk, place) is None)
