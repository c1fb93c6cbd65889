"""Step 3: the row moves together and is filled up (KD-25, KD-26)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.king_of_the_dice.effects import RowMoved, VillagerLaid
from companion.games.king_of_the_dice.pieces import villager_slot
from companion.games.king_of_the_dice.state import Kingdoms
from companion.games.king_of_the_dice.steps.preparing import refuse_villager, unseen_villagers
from companion.kernel import OneOf, Placed, Question, Refusal, Reply, Ruled, Step, Text, cite, refuse, then

REFILL = cite("KD-25")
_TWO = cite("KD-25", "KD-26")
_LEFTMOST = villager_slot(0)


class Refill(Step[Kingdoms], frozen=True):
    """KD-25 All villagers left of the gap move right, and a new one is laid under the leftmost place.

    KD-26 Two gaps are filled one after the other, the left one first.
    """

    def questions(self, state: Kingdoms) -> tuple[Question, ...]:
        cards = unseen_villagers(state)
        if state.row[0] is not None or state.villagers == 0 or not (cards or state.box.is_listed):
            return ()
        replies = OneOf(Placed(card, _LEFTMOST) for card in cards)
        text = Text("ask.refill", (("slot", _LEFTMOST),))
        return (Question("refill", "place", None, replies, _TWO if len(state.won) > 1 else REFILL, text),)

    def refuse(self, state: Kingdoms, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Placed)  # noqa: S101  the kernel checked the kind
        if reply.slot != _LEFTMOST:
            return refuse(REFILL, "refill.where", slot=reply.slot, leftmost=_LEFTMOST)
        return refuse_villager(state, reply.piece)

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Placed):
            yield Ruled(VillagerLaid(0, reply.piece), REFILL)
            yield Ruled(then(Refill()), REFILL)
        elif gap := _gap(state):
            yield Ruled(RowMoved(gap), REFILL)
            yield Ruled(then(Refill()), REFILL)


def _gap(state: Kingdoms) -> int:
    """Return the leftmost column that is empty and has a villager left of it, 0 for none."""
    first = next((column for column, key in enumerate(state.row) if key is not None), len(state.row))
    return next((column for column in range(first, len(state.row)) if state.row[column] is None), 0)
