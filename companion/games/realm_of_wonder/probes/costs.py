"""What things cost: each purchase is made where it can be made, by the act that the rules offer."""

from __future__ import annotations

import re

import msgspec

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.effects import Paid, PaidOut, PointsReceived
from companion.games.realm_of_wonder.moving import points_left
from companion.games.realm_of_wonder.pieces import CHARACTERS
from companion.games.realm_of_wonder.probes.tables import Run, forts_of, table
from companion.games.realm_of_wonder.state import Fort, Realm, Walk, with_going, with_player
from companion.games.realm_of_wonder.stated import CostMove, CostsDocument
from companion.games.realm_of_wonder.steps.cards import Specials
from companion.games.realm_of_wonder.steps.round import Payoff
from companion.kernel import (
    Chosen,
    Confirmed,
    Counted,
    Finding,
    NotationError,
    Reply,
    Revealed,
    Rolled,
    Setup,
)

_NUMBERS = {
    word: number
    for number, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 1)
}
_ELSEWHERE = CHARACTERS[5]
_TURNING = re.compile(r"\b(whirlpool|path|rune|spin\w*|roll\w*|random\w*|die|(middle|innermost|inner) disc)\b")
_CHOICE = re.compile(r"\b(choice|choose|chosen|choosing|set\w*)\b")
_DIE = re.compile(r"\b(spin\w*|roll\w*|random\w*|die)\b")
"""Words of a rune stone: what is turned, to a path of choice, by the die."""


def costs(doc: CostsDocument, moves: list[CostMove], asks: tuple[str, ...], setup: Setup) -> Finding:
    if doc.mp is None:
        return Finding({}, missing=("mp",))
    state = table(setup, 2, round=doc.round, middle=CHARACTERS[4], innermost=CHARACTERS[4])
    state = msgspec.structs.replace(state, walk=Walk(0), forts=forts_of("A", doc.forts))
    character = next((c for c in CHARACTERS if any(c in move.ability.lower() for move in moves)), CHARACTERS[0])
    state = with_player(state, 0, mp=doc.mp, character=character)
    run = Run(with_going(state, 0, points=doc.movement_left), due="moving")
    told, cites, legal = list(run.told), [], True
    for move in moves:
        run = _buy(run.state, move, doc)
        told += run.told
        cites += run.cites
        legal = legal and run.legal
        if not legal:
            break
    after = run.state
    ruling = {
        "legal": legal,
        "mp_left": after.players[0].mp,
        "movement_left": points_left(after, after.walk or Walk(0)),
    }
    return Finding(ruling, tuple(told), tuple(cites))


def _buy(state: Realm, move: CostMove, doc: CostsDocument) -> Run:
    if move.gain is not None:
        return _gain(state, move)
    key, reply, place = _act(move, doc)
    state, at = _place(state, place)
    run = Run(with_player(state, 0, at=at), due="moving")
    if run.answer(key, reply) and key == "spin":
        run.answer("spin middle", Rolled((_ELSEWHERE,)))
    if run.legal and move.pay is not None:
        run.legal = sum(each.points for each in run.effects(Paid)) == move.pay
    return run


def _gain(state: Realm, move: CostMove) -> Run:
    """Let the payoff or the special movement card bring what it brings; legal if that is what the case says.

    :raises NotationError: for words that name nothing that brings points.
    """
    words = move.what.lower()
    if "payoff" in words:
        run = Run(state, Payoff())
    elif "card" in words:
        run = Run(with_going(state, 0, special="points", acted=False), Specials())
    else:
        raise NotationError(f"moves: for: found {move.what!r}, expected payoff or special movement card with a gain")
    gains = (*run.effects(PointsReceived), *run.effects(PaidOut))
    run.legal = move.gain == sum(each.points for each in gains if each.seat == 0)
    return run


def _act(move: CostMove, doc: CostsDocument) -> tuple[str, Reply, str]:
    """Return the act that the words mean: its key, the reply, and where it can be done.

    :raises NotationError: for words that name nothing that costs points.
    """
    words, at = move.what.lower(), doc.at.lower()
    if move.ability:
        return "ability", Confirmed(), "plain"
    if _TURNING.search(words) or ("disc" in words and "fort" not in words and _CHOICE.search(words)):
        # The stone is where it is unless the case says where one stands.
        place = at or "rune"
        if _CHOICE.search(words) or not _DIE.search(words):
            return "whirlpool", Chosen((f"middle-{_ELSEWHERE}",)), place
        return "spin", Chosen(("middle",)), place
    if "vortex" in words:
        return "vortex", Chosen(("vortex",)), at or "vortex"
    if "extra" in words or "movement point" in words:
        return "extra", Confirmed(), "plain"
    if "tile" in words or "reveal" in words or "tower" in words:
        return "tile", Revealed(("potion",)), at or "tower"
    if "magic card" in words:
        return "card", Confirmed(), at or "free well"
    if "disc" in words or "fort" in words:
        return "build", Counted(_number(words)), at or "free well"
    raise NotationError(f"moves: for: found {move.what!r}, expected something that costs points, such as a magic card")


def _number(words: str) -> int:
    if found := re.search(r"\d+", words):
        return int(found[0])
    return next((number for word, number in _NUMBERS.items() if re.search(rf"\b{word}\b", words)), 1)


def _place(state: Realm, words: str) -> tuple[Realm, str]:
    """Return the state with the place that the words mean on the table, and its name."""
    if "house" in words:
        return state, "house"
    if "island" in words:
        return state, "island"
    if "fort" in words and "own" not in words:
        return msgspec.structs.replace(state, forts={**state.forts, "B1": Fort(1, 1)}), "B1"
    if "own" in words:
        forts = state.forts or {"A1": Fort(0, 1)}
        return msgspec.structs.replace(state, forts=forts), next(iter(forts))
    named = (kind for kind in ("well", "rune", "tower", "vortex", "coast") if kind in words)
    return state, next(named, words if words in places.PLACES else "plain")
