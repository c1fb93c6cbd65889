"""Tower tiles, from being turned up to changing hands, and bonus discs."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.realm_of_wonder.state import Realm, with_player
from companion.kernel import Effect


class TileRevealed(Effect, frozen=True):
    """A tower tile was turned up."""

    seat: int
    tile: str

    def apply(self, state: Realm) -> Realm:
        place = state.players[self.seat].at
        bare = state.bare | {place} if state.board else state.bare
        if state.board is None:
            state = with_player(state, self.seat, at="plain")
        return replace(state, tiles_out=(*state.tiles_out, self.tile), bare=bare)


class TileKept(Effect, frozen=True):
    """A tower tile came to lie on the player's character card."""

    seat: int
    tile: str

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, tiles=(*state.players[self.seat].tiles, self.tile))


class TileRemoved(Effect, frozen=True):
    """A tower tile was used and is out of the game."""

    seat: int
    tile: str

    def apply(self, state: Realm) -> Realm:
        left = list(state.players[self.seat].tiles)
        if self.tile in left:
            left.remove(self.tile)
        return with_player(state, self.seat, tiles=tuple(left))


class MonsterAppeared(Effect, frozen=True):
    """A monster lies open on the board until somebody beats it."""

    seat: int
    place: str
    monster: str

    def apply(self, state: Realm) -> Realm:
        state = replace(state, monsters={**state.monsters, self.place: self.monster})
        return state if state.board else with_player(state, self.seat, at=self.place)


class TileTaken(Effect, frozen=True):
    """A player took a tower tile from another one."""

    seat: int
    loser: int
    tile: str

    def apply(self, state: Realm) -> Realm:
        return pass_tile(state, self.loser, self.seat, self.tile)


def pass_tile(state: Realm, giver: int, taker: int, tile: str) -> Realm:
    """Return the state with a tile of one player in front of another."""
    left = list(state.players[giver].tiles)
    left.remove(tile)
    state = with_player(state, giver, tiles=tuple(left))
    return with_player(state, taker, tiles=(*state.players[taker].tiles, tile))


class BonusTaken(Effect, frozen=True):
    """A bonus disc lies on a character card, with this side up for ever."""

    seat: int
    side: str

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, bonus=(*state.players[self.seat].bonus, self.side))
