"""Structured cases: a partial position is built, the game's own steps run, and what they tell is read off.

Nothing is reckoned here. Each kind has a room of its own.
"""

from __future__ import annotations

from companion.games.realm_of_wonder import stated
from companion.games.realm_of_wonder.pieces import SEATS
from companion.games.realm_of_wonder.probes.battle import battle
from companion.games.realm_of_wonder.probes.changes import payoff_change
from companion.games.realm_of_wonder.probes.costs import costs
from companion.games.realm_of_wonder.probes.forts import fort
from companion.games.realm_of_wonder.probes.movement import movement
from companion.games.realm_of_wonder.probes.order import order
from companion.games.realm_of_wonder.probes.payoff import payoff
from companion.kernel import Probe

_COUNTERS = tuple(SEATS)
_CHANGES = (
    *_COUNTERS,
    *(f"{what}_{seat}" for what in ("forts", "discs_left", "orbs", "cursed") for seat in SEATS),
    "legal",
    "when",
    "cards_gone",
)
_ORDERS = (
    "casting",
    "moving",
    "casting_left",
    "lightning",
    "cards_gone",
    "grid_from_magic_end",
    "casts_next",
    "legal",
)
_BATTLES = (
    "attacker_total",
    "defender_total",
    "winner",
    "attacker_goes",
    "attacker_turn",
    "defender_goes",
    "muscle_cards",
    "knights_left_attacker",
    "knights_left_defender",
    "gets",
    "tile",
    "legal",
)
_FORTS = ("legal", "mp_left", "discs_left", "height", "owner", "stronghold", *(f"discs_left_{seat}" for seat in SEATS))
_PATHS = ("legal", "movement_left", "mp_left")

PROBES: dict[str, Probe] = {
    "payoff": Probe(stated.PayoffDocument, str, ("payoff", "counter", "mp_left"), payoff),
    "payoff_change": Probe(stated.ChangeDocument, stated.ChangeMove, _CHANGES, payoff_change),
    "order": Probe(stated.OrderDocument, stated.OrderMove, _ORDERS, order),
    "movement": Probe(stated.MovementDocument, stated.EnterMove, _PATHS, movement),
    "costs": Probe(stated.CostsDocument, stated.CostMove, _PATHS, costs),
    "fort": Probe(stated.FortDocument, stated.FortMove, _FORTS, fort),
    "battle": Probe(stated.BattleDocument, str, _BATTLES, battle),
}
"""Every structured kind by its name. Moves in English only say which step runs; `kind` decides that."""
