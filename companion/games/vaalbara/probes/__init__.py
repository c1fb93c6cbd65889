"""Structured cases: a partial position is built, the game's own steps run, and what they tell is read off.

Nothing is reckoned here. Each subject has a room of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.vaalbara import stated
from companion.games.vaalbara.pieces import SEATS, TYPES
from companion.games.vaalbara.probes.endings import final, round_end
from companion.games.vaalbara.probes.lands import land, land_sequence, pioneer
from companion.games.vaalbara.probes.orders import order_found
from companion.games.vaalbara.probes.turns import turn
from companion.kernel import Finding, NotationError, Probe

_SPELT = {
    "craftsman": "artisan",
    "tracker": "pathfinder",
    "kind": "type",
} | {f"{kind}s": kind for kind in TYPES}
"""Other names that people use, with ours."""
_TURN_ASKS = ("vp", "reward", "land_reward", "row_1", "row_2", "deck_top", "lands", "hand", "order")


def seating(doc: Any) -> tuple[str, ...]:
    """Return the players of a case: as they sit, or everybody that is named, at least two."""
    if seating := getattr(doc, "seating", ()):
        if len(set(seating)) != len(seating) or len(seating) < 2:
            raise NotationError(f"seating: found {', '.join(seating)}, expected two to five different seats")
        return tuple(seating)
    if isinstance(doc, stated.RoundEndDocument):
        return tuple(SEATS[: doc.players])
    named = {getattr(doc, "active", None), getattr(doc, "named", None)}
    for field in ("vp", "kingdoms", "initiatives", "clans"):
        named |= set(getattr(doc, field, {}))
    named |= {*(getattr(doc, "shown", ())), *(getattr(doc, "fighter_in_hand", None) or ())}
    last = max((SEATS.index(letter) for letter in named if letter is not None), default=0)
    return tuple(SEATS[: max(2, last + 1)])


def _probe(position: type[Any], asks: tuple[str, ...], rules: Callable[..., Finding]) -> Probe:
    return Probe(position, Any, asks, rules, seating, _SPELT, _SPELT)


PROBES: dict[str, Probe] = {
    "land": _probe(stated.LandDocument, ("reward",), land),
    "land_sequence": _probe(stated.SequenceDocument, ("rewards",), land_sequence),
    "pioneer": _probe(stated.PioneerDocument, ("reward", "lands"), pioneer),
    "order": _probe(stated.OrderDocument, ("order", "reward"), order_found),
    "artisan_tie": _probe(stated.OrderDocument, ("order", "reward"), order_found),
    "hunter_tie": _probe(stated.OrderDocument, ("order", "reward"), order_found),
    "vp": _probe(stated.TurnDocument, _TURN_ASKS, turn),
    "effect": _probe(stated.TurnDocument, _TURN_ASKS, turn),
    "rows": _probe(stated.TurnDocument, _TURN_ASKS, turn),
    "turn": _probe(stated.TurnDocument, _TURN_ASKS, turn),
    "round_end": _probe(stated.RoundEndDocument, ("row_1", "row_2", "hands"), round_end),
    "final": _probe(stated.FinalDocument, ("vp", "winner"), final),
}
"""Every structured kind by its name. What moves say in English is not read; the fields decide."""
