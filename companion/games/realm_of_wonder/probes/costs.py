"""What things cost: each purchase is made where it can be made, by the act that the rules offer."""

from __future__ import annotations

import re

import msgspec

from companion.games.realm_of_wonder.box import box_from
from companion.games.realm_of_wonder.effects.points import Paid, PaidOut, PointsReceived
from companion.games.realm_of_wonder.moving import points_left
from companion.games.realm_of_wonder.pieces import CHARACTERS, STRONGHOLD
from companion.games.realm_of_wonder.places import LAIR
from companion.games.realm_of_wonder.probes.tables import Run, forts_of, settled, table
from companion.games.realm_of_wonder.probes.words import is_anothers, is_own, number_in
from companion.games.realm_of_wonder.state import Fort, Realm, Walk, with_going, with_player
from companion.games.realm_of_wonder.stated import CostMove, CostsDocument
from companion.games.realm_of_wonder.steps.cards import Specials
from companion.games.realm_of_wonder.steps.round import Payoff
from companion.kernel import Chosen, Confirmed, Counted, Finding, NotationError, Reply, Revealed, Rolled, Setup

_ELSEWHERE = CHARACTERS[5]
_TURNING = re.compile(r"\b(whirlpools?|path|rune|spin\w*|roll\w*|random\w*|die|(middle|innermost|inner) disc)\b")
_CHOICE = re.compile(r"\b(choice|choose|chosen|choosing|set\w*)\b")
_DIE = re.compile(r"\b(spin\w*|roll\w*|random\w*|die)\b")
"""Words of a rune stone: what is turned, to a path of choice, by the die."""
_KINDS = ("rune", "tower", "vortex", "coast", "island", "well")
_NOWHERE = ("plain", "space", "path", "road", "easy", "difficult", "disc", "region")
"""Words of places where nothing is sold."""
_THEIR_HOUSE = {"board": {"spaces": [{"key": "house-B", "disc": "outer", "kind": "house", "region": CHARACTERS[1]}]}}


def costs(doc: CostsDocument, moves: list[CostMove], asks: tuple[str, ...], setup: Setup) -> Finding:
    if doc.mp is None:
        return Finding({}, missing=("mp",))
    state = table(setup, 2, round=doc.round, middle=CHARACTERS[4], innermost=CHARACTERS[4])
    state = msgspec.structs.replace(state, walk=Walk(0), forts=forts_of("A", doc.forts))
    character = next((c for c in CHARACTERS if any(c in move.ability.lower() for move in moves)), CHARACTERS[0])
    state = with_player(state, 0, mp=doc.mp, character=character)
    if doc.at:
        state = _stand(state, doc.at)
    run = Run(settled(with_going(state, 0, points=doc.movement_left)), due="moving")
    told, cites, legal = list(run.told), [], True
    for move in moves:
        run = _buy(run.state, move, doc.at)
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


def _buy(state: Realm, move: CostMove, at: str) -> Run:
    if move.gain is not None:
        return _gain(state, move)
    key, reply, place = _act(move)
    # Whatever is bought is bought where the player stands; a case that does not say where means the right place.
    run = Run(state if at else _stand(state, place), due="moving")
    if move.ability:
        run.answer_some(key)
    elif run.answer(key, reply) and key == "spin":
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


def _act(move: CostMove) -> tuple[str, Reply, str]:
    """Return the act that the words mean: its key, the reply, and a place where it can be done.

    :raises NotationError: for words that name nothing that costs points.
    """
    words = move.what.lower()
    if move.ability:
        return "ability", Confirmed(), "plain"
    if _TURNING.search(words) or ("disc" in words and "fort" not in words and _CHOICE.search(words)):
        if _CHOICE.search(words) or not _DIE.search(words):
            return "whirlpool", Chosen((f"middle-{_ELSEWHERE}",)), "rune"
        return "spin", Chosen(("middle",)), "rune"
    if "vortex" in words:
        return "vortex", Chosen(("vortex",)), "vortex"
    if "extra" in words or "movement point" in words:
        return "extra", Confirmed(), "plain"
    if "tile" in words or "reveal" in words or "tower" in words:
        return "tile", Revealed(("potion",)), "tower"
    if "card" in words:
        return "card", Confirmed(), "well"
    if "disc" in words or "fort" in words or "stronghold" in words:
        return "build", Counted(number_in(words) or (STRONGHOLD if "stronghold" in words else 1)), "well"
    raise NotationError(
        f"moves: for: found {move.what!r}, expected a magic card, a fort with its number of discs, a tower tile, an"
        " extra movement point, a vortex journey, a roll of the spinning die, or a path of choice"
    )


def _stand(state: Realm, words: str) -> Realm:
    """Return the state with A in the place that the words mean.

    :raises NotationError: for words that name no place.
    """
    said = words.lower()
    if "monster" in said:
        return with_player(msgspec.structs.replace(state, monsters={f"{LAIR}1": "eye"}), 0, at=f"{LAIR}1")
    if "house" in said and is_anothers(said):
        state = msgspec.structs.replace(state, box=box_from({**state.box.faces, **_THEIR_HOUSE}))
        return with_player(state, 0, at="house-B")
    if "house" in said:
        return with_player(state, 0, at="house")
    if "fort" in said or "stronghold" in said or ("well" in said and (is_own(said) or is_anothers(said))):
        height = number_in(said) or (STRONGHOLD if "stronghold" in said else None)
        return _at_fort(state, 0 if is_own(said) else 1, height)
    if kind := next((kind for kind in _KINDS if kind in said), None):
        return with_player(state, 0, at=kind)
    if any(word in said for word in _NOWHERE):
        return with_player(state, 0, at="plain")
    raise NotationError(
        f"at: found {words!r}, expected a place such as free well, own fort, own house, {', '.join(_KINDS)}"
    )


def _at_fort(state: Realm, seat: int, height: int | None) -> Realm:
    """Return the state with A at a fort of that height of A's or B's: a stated one, or one that is put there."""
    alike = [place for place in state.forts_of(seat) if height in (None, state.forts[place].height)]
    name = alike[0] if alike else f"{'AB'[seat]}{len(state.forts) + 1}"
    forts = {name: Fort(seat, height or 1), **state.forts}
    return with_player(msgspec.structs.replace(state, forts=forts), 0, at=name)
