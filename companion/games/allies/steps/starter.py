"""Preparations: the first starting player is picked at random (AL-28)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.allies.effects import LotTied, StarterFound
from companion.games.allies.state import Duel
from companion.kernel import UNKNOWN, Question, Refusal, Rolled, Rolls, Ruled, Text, cite, refuse

FIRST = cite("AL-28")
_LOT = cite("AL-28", "AL-E02")
_PIPS = tuple(str(pips) for pips in range(1, 7))
_TWO_DICE = Rolls((_PIPS, _PIPS))


def lot(state: Duel) -> tuple[Question, ...]:
    """Return the offer to throw a die for each seat, while nobody has said who starts.

    Laying the first card says it as well; the offer lapses then.
    """
    if state.starter is not UNKNOWN or state.round > 1 or state.turn > 0 or state.options["who_starts"] != "by_lot":
        return ()
    return (Question("lot", "roll", None, _TWO_DICE, _LOT, Text("offer.lot")),)


def refuse_lot(reply: Rolled) -> Refusal | None:
    if reply not in _TWO_DICE:
        return refuse(FIRST, "lot.two_dice", faces=" ".join(reply.faces))
    return None


def throw(reply: Rolled) -> Iterator[Ruled]:
    """Yield who starts: the higher die, seat A's first; equal dice are thrown again."""
    first, second = (int(face) for face in reply.faces)
    if first == second:
        yield Ruled(LotTied(first), FIRST)
    else:
        yield Ruled(StarterFound(0 if first > second else 1), FIRST)
