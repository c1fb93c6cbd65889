"""Payoffs, and what changes them."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.realm_of_wonder.effects import PaidOut, PayoffSkipped
from companion.games.realm_of_wonder.payoff import CounterMoved
from companion.games.realm_of_wonder.pieces import CHARACTERS, DISCS, SEATS
from companion.games.realm_of_wonder.probes.tables import PLENTY, Run, forts_of, orbs, spell_of, table, tile_of
from companion.games.realm_of_wonder.state import Fort, Going, Realm, Walk, with_going, with_player
from companion.games.realm_of_wonder.stated import ChangeDocument, ChangeMove, FortRef, PayoffDocument, SideDocument
from companion.games.realm_of_wonder.steps.cards import Specials
from companion.games.realm_of_wonder.steps.round import Payoff
from companion.games.realm_of_wonder.steps.spells import Spells
from companion.games.realm_of_wonder.steps.spoils import Spoils
from companion.games.realm_of_wonder.steps.striking import Strike
from companion.games.realm_of_wonder.steps.walking import Conquer
from companion.kernel import (
    Chosen,
    Confirmed,
    Counted,
    Finding,
    Moved,
    NotationError,
    Revealed,
    Rolled,
    Setup,
)


def payoff(doc: PayoffDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    if doc.round is None:
        return Finding({}, missing=("round",))
    state = _sides(table(setup, 2, round=doc.round), {"A": doc.player})
    if doc.player.on_castle_island:
        state = with_player(state, 0, at="island")
    run = Run(state, Payoff())
    paid = [each.points for each in run.effects(PaidOut) if each.seat == 0]
    if not paid and not run.effects(PayoffSkipped):
        return Finding({}, tuple(run.told), missing=("player",))
    return Finding({"payoff": sum(paid)}, tuple(r for r in run.told if getattr(r.effect, "seat", 0) == 0))


def payoff_change(doc: ChangeDocument, moves: list[ChangeMove], asks: tuple[str, ...], setup: Setup) -> Finding:
    named = [*doc.before, *(move.by for move in moves), *(m.to_home_of for m in moves if m.to_home_of)]
    count = max(2, *(SEATS.index(letter) + 1 for letter in named))
    state = _sides(table(setup, count, round=doc.round), doc.before)
    run = Run(state)
    legal, when, told, cites = True, "at once", list(run.told), list(run.cites)
    for move in moves:
        run = _act(run.state, move)
        legal = legal and run.legal
        told += run.told
        cites += run.cites
        if "movement card" in move.through and run.effects(CounterMoved):
            when = "at once as the cards are played"
    after = run.state
    ruling: dict[str, Any] = {"legal": legal, "when": when}
    for seat in after.seats:
        letter, player = SEATS[seat], after.players[seat]
        ruling[letter] = player.counter
        ruling[f"forts_{letter}"] = [after.forts[place].height for place in after.forts_of(seat)]
        ruling[f"discs_left_{letter}"] = after.discs_left(seat)
        ruling[f"orbs_{letter}"] = player.tiles.count("orb")
        ruling[f"cursed_{letter}"] = player.tiles.count("cursed")
    _check_discs(doc, state)
    ruling |= {ask: "nobody plays there" for ask in asks if ask not in ruling}
    return Finding(ruling, tuple(told), tuple(cites))


def _sides(state: Realm, sides: Any) -> Realm:
    """Return the state with what the players have as stated; whirlpools that nobody is in line with stand elsewhere."""
    forts: dict[str, Fort] = {}
    found: dict[str, str] = dict.fromkeys(DISCS, "")
    side: SideDocument
    for letter, side in sides.items():
        seat = SEATS.index(letter)
        forts |= forts_of(letter, side.forts)
        tiles = (*orbs(side.orbs, side.cursed), *(tile_of(tile) for tile in side.tiles))
        state = with_player(state, seat, tiles=tiles, mp=0 if side.mp is None else side.mp)
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


def _check_discs(doc: ChangeDocument, state: Realm) -> None:
    for seat in state.seats:
        stated = getattr(doc, f"discs_left_{SEATS[seat].lower()}")
        if stated is not None and stated != state.discs_left(seat):
            raise NotationError(
                f"discs_left_{SEATS[seat]}: found {stated}, and the forts leave {state.discs_left(seat)} of ten (RW-85)"
            )


def _act(state: Realm, move: ChangeMove) -> Run:
    seat = SEATS.index(move.by)
    if move.turn and move.to_home_of:
        return _turned(state, seat, move)
    if move.conquer:
        place, mp = _place(state, move.conquer), state.players[seat].mp
        rich = with_player(state, seat, mp=mp or PLENTY, at="plain")
        run = Run(msgspec.structs.replace(rich, walk=Walk(seat)), Conquer(place, "plain"))
        run.answer("discs", Counted(move.discs or 0))
        return run
    if move.cast:
        return _cast(state, seat, move)
    if move.steal or move.give:
        other = move.start if move.steal else move.end
        if not isinstance(other, str) or other not in SEATS:
            raise NotationError("moves: say from whom (`from`) or to whom (`to`) the tile goes, as a seat")
        run = Run(state, Spoils(seat, SEATS.index(other)))
        pick = f"steal-{tile_of(move.steal)}" if move.steal else f"give-{tile_of(move.give)}"
        run.answer("spoils", Chosen((pick,)))
        return run
    return _in_a_turn(state, seat, move)


def _turned(state: Realm, seat: int, move: ChangeMove) -> Run:
    region = CHARACTERS[SEATS.index(str(move.to_home_of))]
    if "movement card" in move.through:
        run = Run(with_going(state, seat, special="whirlpool"), Specials())
        run.answer(f"disc {move.by}", Chosen((str(move.turn),)))
        run.answer(f"spin {move.turn}", Rolled((region,)))
        return run
    return Run(state, Strike(seat, "rune-stone", f"{move.turn}-{region}"))


def _cast(state: Realm, seat: int, move: ChangeMove) -> Run:
    goings = tuple(Going(played=True, points=0, special="none", cast=other != seat) for other in state.seats)
    run = Run(with_player(msgspec.structs.replace(state, goings=goings), seat, magic=1), Spells())
    match spell_of(move.cast):
        case "cannon" if move.target:
            run.answer("cannon", Chosen((_place(state, move.target),)))
        case "transfer" if isinstance(move.start, FortRef):
            start = _place(state, move.start)
            end = _place(state, move.end, other_than=start) if isinstance(move.end, FortRef) else "well"
            run.answer("transfer", Moved(start, end))
        case "wish" if isinstance(move.start, str):
            run.answer("wish", Chosen((f"{move.start}-{tile_of(move.take)}",)))
        case other:
            raise NotationError(f"moves: found the spell {other!r} without its aim, or one that changes no payoff")
    return run


def _in_a_turn(state: Realm, seat: int, move: ChangeMove) -> Run:
    rich = with_player(state, seat, mp=state.players[seat].mp or PLENTY, at="tower" if move.reveal else "well")
    run = Run(msgspec.structs.replace(rich, walk=Walk(seat)), due="moving")
    if move.reveal:
        run.answer("tile", Revealed((tile_of(move.reveal),)))
    elif move.build is not None:
        run.answer("build", Counted(move.build))
    else:
        run.answer("done", Confirmed())
    return run


def _place(state: Realm, ref: FortRef, other_than: str = "") -> str:
    """Return the name of a fort from its owner and height; of two alike, the one that is not yet meant.

    :raises NotationError: if the owner has no fort so high.
    """
    seat = SEATS.index(ref.owner)
    alike = [place for place in state.forts_of(seat) if state.forts[place].height == ref.height]
    if alike:
        return next((place for place in alike if place != other_than), alike[0])
    heights = [state.forts[place].height for place in state.forts_of(seat)]
    raise NotationError(f"moves: {ref.owner} has no fort of {ref.height}; found {heights}")
