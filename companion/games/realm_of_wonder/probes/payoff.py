"""Payoffs: a player with what the case states is paid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.games.realm_of_wonder.effects.points import PaidOut, PayoffSkipped
from companion.games.realm_of_wonder.pieces import CHARACTERS, DISCS, SEATS
from companion.games.realm_of_wonder.probes.tables import Run, forts_of, orbs, table
from companion.games.realm_of_wonder.probes.words import tile_of
from companion.games.realm_of_wonder.state import Fort, Realm, with_player
from companion.games.realm_of_wonder.stated import PayoffDocument, SideDocument
from companion.games.realm_of_wonder.steps.round import Payoff
from companion.kernel import Finding, NotationError, Setup


def payoff(doc: PayoffDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    missing = [name for name, value in (("round", doc.round), ("player.mp", doc.player.mp)) if value is None]
    if "mp_left" not in asks and "player.mp" in missing:
        missing.remove("player.mp")
    if missing:
        return Finding({}, missing=tuple(missing))
    state = with_sides(table(setup, 2, round=doc.round), [("A", doc.player)])
    run = Run(state, Payoff())
    paid = [each.points for each in run.effects(PaidOut) if each.seat == 0]
    if not paid and not run.effects(PayoffSkipped):
        return Finding({}, tuple(run.told), missing=("player",))
    player = run.state.players[0]
    ruling = {"payoff": sum(paid), "counter": player.counter, "mp_left": player.mp}
    return Finding(ruling, tuple(r for r in run.told if getattr(r.effect, "seat", 0) == 0))


def with_sides(state: Realm, told: Iterable[tuple[str, SideDocument]]) -> Realm:
    """Return the state with what the players have as stated; whirlpools that nobody is in line with stand elsewhere."""
    forts: dict[str, Fort] = {}
    found: dict[str, str] = dict.fromkeys(DISCS, "")
    for letter, side in told:
        seat = SEATS.index(letter)
        forts |= forts_of(letter, side.forts)
        tiles = (*orbs(side.orbs, side.cursed), *(tile_of(tile, "tiles") for tile in side.tiles))
        at = "island" if side.on_castle_island else state.players[seat].at
        state = with_player(state, seat, tiles=tiles, mp=0 if side.mp is None else side.mp, at=at)
        for disc in side.aligned:
            if found[disc]:
                raise NotationError(f"aligned: {disc} is in line with two homes; it is in line with one path (RW-18)")
            found[disc] = CHARACTERS[seat]
    free = [character for character in CHARACTERS if character not in _in_play(state)]
    for name in DISCS:
        if found[name] or free:
            state = msgspec.structs.replace(state, **{name: found[name] or free[0]})
    return msgspec.structs.replace(state, forts=forts)


def _in_play(state: Realm) -> tuple[object, ...]:
    return tuple(player.character for player in state.players)
