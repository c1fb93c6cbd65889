"""The orders of casting and moving, with Lightning and counter spells."""

from __future__ import annotations

from typing import Any

from companion.games.realm_of_wonder.effects.spells import Hastened
from companion.games.realm_of_wonder.pieces import COUNTER, SEATS
from companion.games.realm_of_wonder.probes.tables import Run, settled, table
from companion.games.realm_of_wonder.probes.words import spell_of
from companion.games.realm_of_wonder.state import Fort, Realm, next_caster, speed_order, with_going, with_player
from companion.games.realm_of_wonder.stated import OrderDocument, OrderMove
from companion.games.realm_of_wonder.steps.cards import SetMarkers
from companion.games.realm_of_wonder.steps.spells import Spells
from companion.kernel import UNKNOWN, Chosen, Confirmed, Finding, NotationError, Setup


def order(doc: OrderDocument, moves: list[OrderMove], asks: tuple[str, ...], setup: Setup) -> Finding:
    seats = sorted(SEATS.index(letter) for letter in doc.speeds)
    if seats != list(range(len(seats))) or len(seats) < 2:
        raise NotationError(f"speeds: found {', '.join(doc.speeds)}, expected the seats from A on, two at least")
    # Everybody has a fort and a tile and stands at a coast, so that every spell finds an aim.
    state = table(setup, len(seats), round=doc.round, forts={f"{SEATS[seat]}1": Fort(seat, 1) for seat in seats})
    for letter, speed in doc.speeds.items():
        state = with_going(state, SEATS.index(letter), speed=speed)
        state = with_player(state, SEATS.index(letter), magic=UNKNOWN, tiles=("knight",), at="coast")
    run = Run(settled(state), SetMarkers(), Spells())
    if run.asks("faster") or run.asks("track"):
        return Finding({}, tuple(run.told), (), run.at.question)
    at_first = _letters(run.state)
    for move in moves:
        _cast(run, move)
    run.close_windows()
    after = run.state
    left = [letter for letter in _letters(after) if not after.goings[SEATS.index(letter)].cast]
    caster = next_caster(after)
    ruling: dict[str, Any] = {
        "casting": at_first,
        "grid_from_magic_end": at_first if not run.effects(Hastened) else _letters(after),
        "moving": _letters(after)[::-1],
        "casting_left": left,
        "casts_next": "nobody" if caster is None else SEATS[caster],
        "lightning": list(dict.fromkeys(SEATS[each.seat] for each in run.effects(Hastened))),
        "cards_gone": len(after.gone),
        "legal": run.legal,
    }
    asked = run.at.question
    cites = (*run.cites, *(asked.cites if asked else ()))
    return Finding(ruling, tuple(run.told), cites)


def _cast(run: Run, move: OrderMove) -> None:
    caster, spell = next_caster(_settled(run)), spell_of(move.cast)
    if spell == COUNTER:
        run.counter(move.by, move.against or "")
    elif caster != SEATS.index(move.by):
        # Somebody else's turn to cast: the question is not this player's.
        run.legal = False
    elif spell == "none":
        run.answer("spells done", Confirmed())
    else:
        # Where a spell is aimed changes no order, so any aim will do if the case names none.
        run.answer_some(spell, (Chosen((move.against or move.by,)),))


def _settled(run: Run) -> Realm:
    """Return the state once the standing windows are closed, without closing them."""
    at = run.at
    while (later := at.lapsed) is not None:
        at = later
    state: Realm = at.state
    return state


def _letters(state: Realm) -> list[str]:
    return [SEATS[seat] for seat in speed_order(state)]
