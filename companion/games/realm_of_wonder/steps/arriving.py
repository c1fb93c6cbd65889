"""Arriving in a space: journeys without steps, and whom or what one meets there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.effects.battle import BattleBegun
from companion.games.realm_of_wonder.moving import blocked
from companion.games.realm_of_wonder.pieces import SEATS
from companion.games.realm_of_wonder.state import Realm
from companion.games.realm_of_wonder.steps.asking import ask, moves, one_of
from companion.games.realm_of_wonder.steps.battle import Fight
from companion.kernel import Chosen, Citation, Moved, Question, Reply, Ruled, cite, then

_MEETS = cite("RW-61", "RW-94", "RW-95")
_MONSTER = cite("RW-94", "RW-149", "RW-153", "RW-155")
_OCCUPIED = cite("RW-Q16")
WITH = "with-"
"""Before a seat's letter: the space where that player stands, where there is no map."""


def arrive(
    state: Realm, seat: int, place: str, back: str, landed: bool = False, foe: int | None = None
) -> Iterator[Ruled]:
    """Yield the battle that follows from coming into a space, if somebody or something is there.

    `landed` is for journeys without a step; `foe` is whom the table said was met.
    """
    met = places.occupant(state, place, seat) if foe is None else foe
    why = _OCCUPIED if landed else ()
    if met is not None:
        yield Ruled(BattleBegun(seat, met, "", place, back), (*_MEETS, *why))
    elif place in state.monsters:
        yield Ruled(BattleBegun(seat, None, state.monsters[place], place, back), (*_MONSTER, *why))
    else:
        return
    yield Ruled(then(Fight(), frame="battle"), cite("RW-94"))


def landings(state: Realm, seat: int, ends: Iterable[str]) -> tuple[str, ...]:
    """Return the places of `ends` where a figure may land without a step (RW-Q16).

    Where there is no map the table may also have met another player there.
    """
    free = [end for end in ends if not blocked(state, seat, end)]
    if state.options["occupied_landing"] == "barred":
        return tuple(e for e in free if places.occupant(state, e, seat) is None and e not in state.monsters)
    return (*free, *met_players(state, seat)) if free else ()


def met_players(state: Realm, seat: int) -> tuple[str, ...]:
    """Return whom a player can meet where there is no map: everybody who can be walked up to."""
    if state.board:
        return ()
    return tuple(
        WITH + SEATS[other]
        for other in state.seats
        if other != seat and not blocked(state, seat, state.players[other].at) and state.players[other].at != "house"
    )


def journey(
    state: Realm, seat: int, key: str, ends: Iterable[str], cites: tuple[Citation, ...], text: str
) -> Question | None:
    """Return the question where a journey goes: a move on the map, otherwise a choice; None if nowhere."""
    targets = landings(state, seat, ends)
    if not targets:
        return None
    if state.board:
        return ask(key, "move", seat, moves(state.players[seat].at, targets), cites, text)
    return ask(key, "choose", seat, one_of(targets), cites, text)


def destination(state: Realm, reply: Reply | str) -> tuple[str, int | None]:
    """Return the place that a journey's reply names, and whom the table said was met there."""
    if isinstance(reply, Moved):
        return reply.end, None
    name = reply.picks[0] if isinstance(reply, Chosen) else str(reply)
    if name.startswith(WITH):
        foe = SEATS.index(name[-1])
        return state.players[foe].at, foe
    return name, None
