"""What the magic cards do once their window is closed (RW-121 to RW-132)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.games.realm_of_wonder.effects.board import DiscTurned, FortDiscMoved, FortLowered, fort_name
from companion.games.realm_of_wonder.effects.figures import Travelled
from companion.games.realm_of_wonder.effects.spells import BalloonTaken, Hastened, MovementChanged
from companion.games.realm_of_wonder.effects.tiles import TileTaken
from companion.games.realm_of_wonder.pieces import LIGHTNING, SEATS
from companion.games.realm_of_wonder.state import Realm
from companion.games.realm_of_wonder.steps.arriving import arrive, destination
from companion.kernel import Citation, Reply, Ruled, Step, cite

_CANNON = cite("RW-121", "RW-92")
_LIGHTNING = cite("RW-122", "RW-123")
_PLUS, _MINUS = cite("RW-124"), cite("RW-125")
_ISLAND_TARGET = cite("RW-Q23")
_BALLOON = cite("RW-126", "RW-127")
_RUNE_STONE = cite("RW-128", "RW-18", "RW-63")
_TRANSFER = cite("RW-129", "RW-87")
_WISH = cite("RW-130", "RW-Q14", "RW-Q26")
_SUBMARINE = cite("RW-131", "RW-132")


class Strike(Step[Realm], frozen=True):
    """RW-121 to RW-132 A magic card that nobody has countered does what it does.

    `aim` is the fort, player, path, tile or journey that was named when the card was shown.
    """

    seat: int
    spell: str
    aim: str = ""

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        yield from _DOES[self.spell](state, self.seat, self.aim)


def _cannon(state: Realm, seat: int, aim: str) -> Iterator[Ruled]:
    fort = state.forts[aim]
    yield Ruled(FortLowered(aim, fort.seat, fort.height - 1), _CANNON)


def _lightning(state: Realm, seat: int, aim: str) -> Iterator[Ruled]:
    yield Ruled(Hastened(seat, LIGHTNING), _LIGHTNING)


def _plus_three(state: Realm, seat: int, aim: str) -> Iterator[Ruled]:
    yield Ruled(MovementChanged(SEATS.index(aim), 3), (*_PLUS, *_if_on_island(state, aim)))


def _minus_three(state: Realm, seat: int, aim: str) -> Iterator[Ruled]:
    yield Ruled(MovementChanged(SEATS.index(aim), -3), (*_MINUS, *_if_on_island(state, aim)))


def _if_on_island(state: Realm, letter: str) -> tuple[Citation, ...]:
    return _ISLAND_TARGET if state.on_island(state.players[SEATS.index(letter)].at) else ()


def _balloon(state: Realm, seat: int, aim: str) -> Iterator[Ruled]:
    yield Ruled(BalloonTaken(seat), _BALLOON)


def _rune_stone(state: Realm, seat: int, aim: str) -> Iterator[Ruled]:
    disc, _, region = aim.partition("-")
    yield Ruled(DiscTurned(disc, region), _RUNE_STONE)


def _transfer(state: Realm, seat: int, aim: str) -> Iterator[Ruled]:
    start, _, end = aim.partition(">")
    fort = state.forts[start]
    if end == "well":
        end = fort_name(state.forts, fort.seat)
    height = state.forts[end].height if end in state.forts else 0
    yield Ruled(FortDiscMoved(start, end, fort.seat, (fort.height - 1, height + 1)), _TRANSFER)


def _wish(state: Realm, seat: int, aim: str) -> Iterator[Ruled]:
    letter, _, tile = aim.partition("-")
    yield Ruled(TileTaken(seat, SEATS.index(letter), tile), _WISH)


def _submarine(state: Realm, seat: int, aim: str) -> Iterator[Ruled]:
    place, foe = destination(state, aim.rpartition(">")[2])
    yield Ruled(Travelled(seat, place, "submarine"), _SUBMARINE)
    yield from arrive(state, seat, place, state.players[seat].at, landed=True, foe=foe)


_DOES: dict[str, Callable[[Realm, int, str], Iterator[Ruled]]] = {
    "cannon": _cannon,
    "lightning": _lightning,
    "plus-three": _plus_three,
    "minus-three": _minus_three,
    "balloon": _balloon,
    "rune-stone": _rune_stone,
    "transfer": _transfer,
    "wish": _wish,
    "submarine": _submarine,
}
