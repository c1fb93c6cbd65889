"""What no table can show: positions that the box, or the rules of where pieces lie, do not allow."""

from __future__ import annotations

from collections import Counter

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.pieces import (
    BONUS_DISCS,
    FORT_DISCS,
    MAGIC_CARDS,
    MONSTERS,
    PRINTED_TILES,
    SEATS,
    TILES,
    TOWER_TILES,
)
from companion.games.realm_of_wonder.state import Realm
from companion.kernel import UNKNOWN, NotationError

_ARTICLE = {"orb": "RW-139", "cursed": "RW-140"}


def check_state(state: Realm) -> None:
    """Check a stated position against the box.

    :raises NotationError: naming what was found, what was expected, and the article.
    """
    characters = [player.character for player in state.players if player.character is not UNKNOWN]
    if twice := [name for name, number in Counter(characters).items() if number > 1]:
        raise NotationError(f"players: {twice[0]} is played by two; every character exists once (RW-02)")
    for seat in state.seats:
        built = FORT_DISCS - state.discs_left(seat)
        if built > FORT_DISCS:
            raise NotationError(
                f"forts: found {built} discs of {SEATS[seat]}, each player has {FORT_DISCS} (RW-85); take some away"
            )
    if state.bonus_left < 0:
        raise NotationError(
            f"players: found {BONUS_DISCS - state.bonus_left} bonus discs, there are {BONUS_DISCS} (RW-11)"
        )
    if len(state.gone) > MAGIC_CARDS or (state.magic_pile is not UNKNOWN and state.magic_pile < 0):
        raise NotationError(f"found more magic cards than the {MAGIC_CARDS} in the box (RW-04)")
    _check_tiles(state)
    _check_places(state)


def check_tile_counts(tiles: Counter[str]) -> None:
    """Check numbers of tiles against what the rulebook prints (RW-139, RW-140).

    :raises NotationError: for more of a kind than the box holds.
    """
    for tile, printed in PRINTED_TILES.items():
        if tiles[tile] > printed:
            raise NotationError(
                f"tiles: found {tiles[tile]} of {tile}, the box holds {printed} ({_ARTICLE[tile]}); correct the number"
            )


def _check_tiles(state: Realm) -> None:
    held = Counter(tile for player in state.players for tile in player.tiles)
    held.update(state.monsters.values())
    for tile in (*held, *state.tiles_out):
        if tile not in TILES:
            raise NotationError(f"tiles: found {tile!r}, expected one of {', '.join(TILES)}")
    check_tile_counts(held)
    out = Counter(state.tiles_out)
    if missing := held - out:
        raise NotationError(f"tiles_out: {next(iter(missing))} lies on the table, so it was revealed; add it")
    if len(state.tiles_out) > TOWER_TILES:
        raise NotationError(f"tiles_out: found {len(state.tiles_out)}, the box holds {TOWER_TILES} (RW-09)")
    if wrong := [kind for kind in state.monsters.values() if kind not in MONSTERS]:
        raise NotationError(f"monsters: found {wrong[0]!r}, expected one of {', '.join(MONSTERS)}")


def _check_places(state: Realm) -> None:
    stated = [player.at for player in state.players if player.at]
    if state.board is None:
        known = (*places.PLACES, *state.forts, *state.monsters)
        for at in stated:
            if at not in known:
                raise NotationError(f"players: at: found {at!r}, expected one of {', '.join(known)}")
        return
    for place in (*stated, *state.forts, *state.monsters, *state.bare):
        if place not in state.board.spaces:
            raise NotationError(f"position: found the space {place!r}, which the board does not have")
    for place in state.forts:
        if state.board.spaces[place].kind != "well":
            raise NotationError(f"forts: {place} is no magic well; forts stand on wells (RW-86)")
