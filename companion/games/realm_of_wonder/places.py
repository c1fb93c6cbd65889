"""Places read from the table: with a map of the board, or by what the table said they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.realm_of_wonder.board import Barrier
from companion.games.realm_of_wonder.pieces import ISLAND, MONSTERS, ORBS, STRONGHOLD
from companion.games.realm_of_wonder.state import Realm
from companion.kernel import UNKNOWN

LAIR = "lair-"
PLACES = ("plain", "coast", "well", "house", "tower", "rune", "vortex", *ISLAND)
"""What a space can be where there is no map; forts and lairs have names of their own."""
_KINDS = {"coast": "plain", "island": "plain"}


def kind(state: Realm, place: str) -> str:
    """Return what a space is: plain, well, house, tower, rune, vortex or castle."""
    if state.board:
        return state.board.spaces[place].kind if place in state.board.spaces else ""
    if place in state.forts:
        return "well"
    return "tower" if place.startswith(LAIR) else _KINDS.get(place, place)


def disc(state: Realm, place: str) -> str:
    """Return the disc a place is on, empty if nobody knows."""
    if state.board:
        return state.board.spaces[place].disc if place in state.board.spaces else ""
    return "innermost" if place in ISLAND else ""


def house_owner(state: Realm, place: str, seat: int) -> int | None:
    """Return whose house stands in a space; without a map `house` is the own one of `seat`."""
    if kind(state, place) != "house":
        return None
    if state.board is None:
        return seat
    region = state.board.spaces[place].region
    return next((other for other in state.seats if state.players[other].character == region), None)


def home(state: Realm, seat: int) -> str:
    """Return the space of a player's own house."""
    character = state.players[seat].character
    if state.board is None or character is UNKNOWN:
        return "house"
    return state.board.home(character) or "house"


def strongholds(state: Realm, seat: int) -> tuple[str, ...]:
    """Return the own forts of three or more discs (RW-88)."""
    return tuple(p for p, fort in state.forts.items() if fort.seat == seat and fort.height >= STRONGHOLD)


def fort_of_another(state: Realm, place: str, seat: int) -> bool:
    fort = state.forts.get(place)
    return fort is not None and fort.seat != seat


def is_well(state: Realm, place: str) -> bool:
    """Return whether there is a magic well: a free one, one with a fort, or a house's."""
    return kind(state, place) in ("well", "house")


def free_wells(state: Realm) -> tuple[str, ...]:
    """Return the wells without fort or house; where there is no map, any of them is `well`."""
    if state.board is None:
        return ("well",)
    return tuple(place for place in state.board.of("well") if place not in state.forts)


def occupant(state: Realm, place: str, seat: int) -> int | None:
    """Return who else stands in a space.

    Without a map only forts and lairs are told apart; elsewhere the table says whom it met.
    """
    if state.board is None and place not in state.forts and place not in state.monsters:
        return None
    return next((other for other in state.seats if other != seat and state.players[other].at == place), None)


def has_tile(state: Realm, place: str) -> bool:
    """Return whether a face-down tower tile lies in a space."""
    return kind(state, place) == "tower" and place not in state.bare and place not in state.monsters


def edges(state: Realm, place: str) -> Mapping[str, Barrier]:
    """Return a space's neighbours as the discs stand now, each with what bars the way."""
    if state.board is None or state.middle is UNKNOWN or state.innermost is UNKNOWN:
        return {}
    return state.board.edges(state.middle, state.innermost)[place]


def next_vortices(state: Realm, place: str) -> tuple[str, ...]:
    """Return the next vortex on the same disc in either direction (RW-74)."""
    if state.board is None:
        return ()
    ring = state.board.of("vortex", state.board.spaces[place].disc)
    at = ring.index(place)
    found = dict.fromkeys((ring[at - 1], ring[(at + 1) % len(ring)]))
    return tuple(each for each in found if each != place)


def coasts(state: Realm, place: str, same_region: bool) -> tuple[str, ...]:
    """Return the easy coastal spaces on the same disc, of the same region if asked (RW-120, RW-131)."""
    if state.board is None:
        return ("coast",)
    here = state.board.spaces[place]
    return tuple(
        s.key
        for s in state.board.spaces.values()
        if s.coast
        and not s.difficult
        and s.disc == here.disc
        and s.key != place
        and (not same_region or s.region == here.region)
    )


def is_coast(state: Realm, place: str) -> bool:
    """Return whether a space lies at the water; without a map any space may."""
    if state.board is None:
        return not state.on_island(place)
    return place in state.board.spaces and state.board.spaces[place].coast


def means_to_enter(state: Realm, seat: int) -> Iterator[str]:
    """Yield what lets a player into the King's castle (RW-83): victory disc, monsters, orbs."""
    player = state.players[seat]
    if player.victory:
        yield "victory disc"
    if sum(tile in MONSTERS for tile in player.tiles) >= 3:
        yield "three monsters"
    if sum(tile in ORBS for tile in player.tiles) >= 3:
        yield "three orbs"
