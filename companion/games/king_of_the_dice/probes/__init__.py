"""Structured cases: a partial position is built, the game's own steps run, and what they tell is read off.

Nothing is reckoned here. Each kind has a room of its own; `row`, `take` and `end` are turns and share one.
"""

from __future__ import annotations

from companion.games.king_of_the_dice import stated
from companion.games.king_of_the_dice.pieces import SEATS
from companion.games.king_of_the_dice.probes.conditions import condition
from companion.games.king_of_the_dice.probes.scores import score
from companion.games.king_of_the_dice.probes.tables import SPELT
from companion.games.king_of_the_dice.probes.turns import end, row, take
from companion.kernel import Probe

_KEYS = {"color": "colour", "colors": "colours", "kind": "type"}
_SCORES = (*SEATS, *(f"minus_{letter}" for letter in SEATS), "winner")

PROBES: dict[str, Probe] = {
    "condition": Probe(stated.ConditionDocument, str, ("met", "sum"), condition, keys=_KEYS, words=SPELT),
    "row": Probe(stated.RowDocument, str, ("row", "discarded", "penalties_taken", "gets"), row),
    "take": Probe(stated.TakeDocument, str, ("gets", "order_bottom_to_top"), take),
    "score": Probe(stated.ScoreDocument, str, _SCORES, score, lambda doc: tuple(SEATS[: len(doc.sides)])),
    "end": Probe(stated.EndDocument, str, ("over", "reason", "extra_turn"), end),
}
"""Every structured kind by its name. Moves in English only say what is done; the fields decide."""
