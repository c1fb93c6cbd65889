"""What changes payoffs: each act is done where it can be done, and the counters are read off."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from companion.games.realm_of_wonder.payoff import CounterMoved
from companion.games.realm_of_wonder.pieces import CHARACTERS, COUNTER, SEATS
from companion.games.realm_of_wonder.probes.payoff import with_sides
from companion.games.realm_of_wonder.probes.tables import PLENTY, Run, table
from companion.games.realm_of_wonder.probes.words import spell_of, tile_of
from companion.games.realm_of_wonder.state import Going, Realm, Walk, with_going, with_player
from companion.games.realm_of_wonder.stated import ChangeDocument, ChangeMove, FortRef
from companion.games.realm_of_wonder.steps.cards import Specials
from companion.games.realm_of_wonder.steps.spells import Spells
from companion.games.realm_of_wonder.steps.spoils import Spoils
from companion.games.realm_of_wonder.steps.striking import Strike
from companion.games.realm_of_wonder.steps.walking import Conquer
from companion.kernel import Chosen, Confirmed, Counted, Finding, Moved, NotationError, Revealed, Rolled, Setup

_WELL, _HOUSE = "well", "house"


def payoff_change(doc: ChangeDocument, moves: list[ChangeMove], asks: tuple[str, ...], setup: Setup) -> Finding:
    named = [*doc.before, *(move.by for move in moves), *(m.to_home_of for m in moves if m.to_home_of)]
    count = max(2, *(SEATS.index(letter) + 1 for letter in named))
    state = with_sides(table(setup, count, round=doc.round), doc.before.items())
    _check_discs(doc, state)
    run = Run(state)
    legal, when, told, cites = True, "at once", list(run.told), list(run.cites)
    for index, move in enumerate(moves):
        if move.cast and spell_of(move.cast) == COUNTER:
            if not index or not moves[index - 1].cast:
                raise NotationError("moves: a counter spell without a magic card right before it; say what it blocks")
            continue
        run = _act(run.state, move, _counters(moves[index + 1 :]))
        legal = legal and run.legal
        told += run.told
        cites += run.cites
        if "movement card" in move.through and run.effects(CounterMoved):
            when = "at once as the cards are played"
    after = run.state
    ruling: dict[str, Any] = {"legal": legal, "when": when, "cards_gone": len(after.gone)}
    for seat in after.seats:
        letter, player = SEATS[seat], after.players[seat]
        ruling[letter] = player.counter
        ruling[f"forts_{letter}"] = [after.forts[place].height for place in after.forts_of(seat)]
        ruling[f"discs_left_{letter}"] = after.discs_left(seat)
        ruling[f"orbs_{letter}"] = player.tiles.count("orb")
        ruling[f"cursed_{letter}"] = player.tiles.count("cursed")
    ruling |= {ask: "nobody plays there" for ask in asks if ask not in ruling}
    return Finding(ruling, tuple(told), tuple(cites))


def _check_discs(doc: ChangeDocument, state: Realm) -> None:
    for seat in state.seats:
        stated = getattr(doc, f"discs_left_{SEATS[seat].lower()}")
        if stated is not None and stated != state.discs_left(seat):
            raise NotationError(
                f"discs_left_{SEATS[seat]}: found {stated}, and the forts leave {state.discs_left(seat)} of ten (RW-85)"
            )


def _counters(moves: list[ChangeMove]) -> list[ChangeMove]:
    """Return the counter spells with which moves begin: those against the card before them."""
    found: list[ChangeMove] = []
    for move in moves:
        if not move.cast or spell_of(move.cast) != COUNTER:
            break
        found.append(move)
    return found


def _act(state: Realm, move: ChangeMove, counters: list[ChangeMove]) -> Run:
    seat = SEATS.index(move.by)
    if move.cast:
        return _cast(state, seat, move, counters)
    if move.turn and move.to_home_of:
        return _turned(state, seat, move)
    if move.conquer and move.discs is not None:
        place, mp = _place(state, move.conquer), state.players[seat].mp
        rich = with_player(state, seat, mp=mp or PLENTY, at="plain")
        run = Run(msgspec.structs.replace(rich, walk=Walk(seat)), Conquer(place, "plain"))
        run.answer("discs", Counted(move.discs))
        return run
    if move.steal or move.give:
        other = move.start if move.steal else move.end
        if not isinstance(other, str) or other not in SEATS:
            raise NotationError("moves: say from whom (`from`) or to whom (`to`) the tile goes, as a seat")
        run = Run(state, Spoils(seat, SEATS.index(other)))
        pick = f"steal-{tile_of(move.steal)}" if move.steal else f"give-{tile_of(move.give)}"
        run.answer("spoils", Chosen((pick,)))
        return run
    if move.reveal or move.build is not None:
        return _in_a_turn(state, seat, move)
    raise NotationError(
        "moves: found an act that is not whole; expected turn and to_home_of, conquer and with, cast, steal and from,"
        " give and to, reveal, or build"
    )


def _turned(state: Realm, seat: int, move: ChangeMove) -> Run:
    region = CHARACTERS[SEATS.index(str(move.to_home_of))]
    if "movement card" in move.through:
        run = Run(with_going(state, seat, special="whirlpool"), Specials())
        run.answer(f"disc {move.by}", Chosen((str(move.turn),)))
        run.answer(f"spin {move.turn}", Rolled((region,)))
        return run
    return Run(state, Strike(seat, "rune-stone", f"{move.turn}-{region}"))


def _cast(state: Realm, seat: int, move: ChangeMove, counters: list[ChangeMove]) -> Run:
    spell = spell_of(move.cast)
    going = Going(played=True, points=0, special="none", cast=True)
    state = msgspec.structs.replace(state, goings=(going,) * len(state.players))
    state = with_player(with_going(state, seat, cast=False), seat, magic=1)
    for letter, cards in Counter(each.by for each in counters).items():
        by = SEATS.index(letter)
        state = with_player(state, by, magic=cards + int(by == seat))
    run = Run(state, Spells())
    _aim(run, spell, move)
    for each in counters:
        run.counter(each.by, each.against or "")
    run.close_windows()
    return run


def _aim(run: Run, spell: str, move: ChangeMove) -> None:
    """Cast a spell as the move aims it.

    :raises NotationError: for a spell that changes payoffs and has no aim.
    """
    state: Realm = run.state
    whose, tile = move.start, move.take or move.steal
    match spell:
        case "cannon" if move.target:
            run.answer("cannon", Chosen((_place(state, move.target),)))
        case "transfer" if move.start and move.end:
            start = _place(state, move.start)
            run.answer("transfer", Moved(start, _place(state, move.end, other_than=start)))
        case "wish" if isinstance(whose, str) and whose in SEATS and tile:
            run.answer("wish", Chosen((f"{whose}-{tile_of(tile)}",)))
        case "rune-stone" if move.turn and move.to_home_of:
            region = CHARACTERS[SEATS.index(move.to_home_of)]
            run.answer("rune-stone", Chosen((f"{move.turn}-{region}",)))
        case "cannon" | "transfer" | "wish" | "rune-stone":
            raise NotationError(f"moves: {_AIMS[spell]}")
        case "none":
            run.answer("spells done", Confirmed())
        case _:
            run.answer_some(spell, (Chosen((move.against or move.by,)),))


_AIMS = {
    "cannon": "a cannon without its aim; say at which fort (`at`), as owner and height",
    "transfer": "a transfer without its way; say from which fort (`from`) and whither (`to`): a fort, or free well",
    "wish": "a wish without its aim; say from whom (`from`) and which tile (`take`)",
    "rune-stone": "a rune stone without its aim; say which disc it turns (`turn`) and to whose home (`to_home_of`)",
}


def _in_a_turn(state: Realm, seat: int, move: ChangeMove) -> Run:
    rich = with_player(state, seat, mp=state.players[seat].mp or PLENTY, at="tower" if move.reveal else _WELL)
    run = Run(msgspec.structs.replace(rich, walk=Walk(seat)), due="moving")
    if move.reveal:
        run.answer("tile", Revealed((tile_of(move.reveal),)))
    else:
        run.answer("build", Counted(move.build or 0))
    return run


def _place(state: Realm, ref: FortRef | str, other_than: str = "") -> str:
    """Return the name of a fort from its owner and height, of a free well or a house from the words for it.

    Of two forts alike the one that is not yet meant.

    :raises NotationError: if the owner has no fort so high, or the words name no such place.
    """
    if isinstance(ref, str):
        if "house" in ref.lower():
            return _HOUSE
        if "well" in ref.lower() and "fort" not in ref.lower():
            return _WELL
        raise NotationError(f"moves: found {ref!r}, expected a fort as owner and height, `free well`, or a house")
    seat = SEATS.index(ref.owner)
    alike = [place for place in state.forts_of(seat) if state.forts[place].height == ref.height]
    if alike:
        return next((place for place in alike if place != other_than), alike[0])
    heights = [state.forts[place].height for place in state.forts_of(seat)]
    raise NotationError(f"moves: {ref.owner} has no fort of {ref.height}; found {heights}")
