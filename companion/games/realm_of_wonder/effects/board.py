"""What lies on the board: discs that turn, forts that rise and fall."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from companion.games.realm_of_wonder.pieces import SEATS
from companion.games.realm_of_wonder.state import Fort, Realm, with_player
from companion.kernel import Effect


class DiscTurned(Effect, frozen=True):
    """An inner disc was turned; its whirlpool is in line with a region's path on the outer disc."""

    disc: str
    region: str

    def apply(self, state: Realm) -> Realm:
        return replace(state, **{self.disc: self.region})


class FortBuilt(Effect, frozen=True):
    """A player laid fort discs on a well; `height` is that of the fort now."""

    seat: int
    place: str
    discs: int
    height: int

    def apply(self, state: Realm) -> Realm:
        state = put_fort(state, self.place, self.seat, self.height)
        return state if state.board else with_player(state, self.seat, at=self.place)


class FortConquered(Effect, frozen=True):
    """A player built a higher fort than the one there; the difference stays, the rest went back."""

    seat: int
    place: str
    loser: int
    discs: int
    height: int

    def apply(self, state: Realm) -> Realm:
        forts = {place: fort for place, fort in state.forts.items() if place != self.place}
        name = self.place if state.board else fort_name(forts, self.seat)
        state = replace(state, forts={**forts, name: Fort(self.seat, self.height)})
        for seat in state.seats if name != self.place else ():
            if state.players[seat].at == self.place:
                state = with_player(state, seat, at=name)
        return state


class FortLowered(Effect, frozen=True):
    """A disc was taken off a fort and is back with its owner."""

    place: str
    owner: int
    height: int

    def apply(self, state: Realm) -> Realm:
        return put_fort(state, self.place, self.owner, self.height)


class FortDiscMoved(Effect, frozen=True):
    """A disc was moved from one fort to another well; `heights` are those of both afterwards."""

    start: str
    end: str
    owner: int
    heights: tuple[int, int]

    def apply(self, state: Realm) -> Realm:
        state = put_fort(state, self.start, self.owner, self.heights[0])
        return put_fort(state, self.end, self.owner, self.heights[1])


def put_fort(state: Realm, place: str, owner: int, height: int) -> Realm:
    """Return the state with a fort of this height on a well, or without one if it has none left.

    Without a map a fort's name is also the place of the figures on it; without the fort it is a well.
    """
    forts = {**state.forts, place: Fort(owner, height)}
    if height:
        return replace(state, forts=forts)
    del forts[place]
    if state.board is None:
        for seat in state.seats:
            if state.players[seat].at == place:
                state = with_player(state, seat, at="well")
    return replace(state, forts=forts)


def fort_name(forts: Collection[str], seat: int) -> str:
    """Return the name of the next fort of a player where no map names the wells: `A1`, `A2`."""
    return next(name for number in range(1, 99) if (name := f"{SEATS[seat]}{number}") not in forts)
