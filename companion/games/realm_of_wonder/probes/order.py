"""The orders of casting and moving, with Lightning and counter spells."""

from __future__ import annotations

from typing import Any

from companion.games.realm_of_wonder.effects import CardShown, Hastened
from companion.games.realm_of_wonder.pieces import COUNTER, SEATS, SPELLS
from companion.games.realm_of_wonder.probes.tables import Run, spell_of, table
from companion.games.realm_of_wonder.state import Realm, next_caster, speed_order, with_going, with_player
from companion.games.realm_of_wonder.stated import OrderDocument, OrderMove
from companion.games.realm_of_wonder.steps.cards import SetMarkers
from companion.games.realm_of_wonder.steps.spells import Spells
from companion.kernel import UNKNOWN, Chosen, Confirmed, Finding, NotationError, Reply, Setup

_PLAIN_AIMS = ("plus-three", "minus-three")


def order(doc: OrderDocument, moves: list[OrderMove], asks: tuple[str, ...], setup: Setup) -> Finding:
    seats = sorted(SEATS.index(letter) for letter in doc.speeds)
    if seats != list(range(len(seats))) or len(seats) < 2:
        raise NotationError(f"speeds: found {', '.join(doc.speeds)}, expected the seats from A on, two at least")
    state = table(setup, len(seats))
    for letter, speed in doc.speeds.items():
        state = with_going(state, SEATS.index(letter), speed=speed)
        state = with_player(state, SEATS.index(letter), magic=UNKNOWN)
    run = Run(state, SetMarkers(), Spells())
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
        key = _countered(run, move)
        run.answer(key, Chosen((move.by,)))
        return
    if spell != "none" and spell not in SPELLS:
        raise NotationError(f"moves: found the card {move.cast!r}, expected none or one of {', '.join(SPELLS)}")
    reply: Reply = Chosen((move.against or move.by,)) if spell in _PLAIN_AIMS else Confirmed()
    if caster != SEATS.index(move.by):
        # Somebody else's turn to cast: the question is not this player's.
        run.legal = False
        return
    run.answer("spells done" if spell == "none" else spell, reply)


def _settled(run: Run) -> Realm:
    """Return the state once the standing windows are closed, without closing them."""
    at = run.at
    while (later := at.lapsed) is not None:
        at = later
    state: Realm = at.state
    return state


def _countered(run: Run, move: OrderMove) -> str:
    """Return the key of the window in which the last card of the named player can be countered."""
    shown = run.effects(CardShown)
    numbers = [number for number, each in enumerate(shown, 1) if SEATS[each.seat] == (move.against or SEATS[each.seat])]
    open_ = [f"counter {number}" for number in reversed(numbers) if run.asks(f"counter {number}")]
    return open_[0] if open_ else "counter"


def _letters(state: Realm) -> list[str]:
    return [SEATS[seat] for seat in speed_order(state)]
