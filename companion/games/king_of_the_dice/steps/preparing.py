"""Preparations: who begins, the first row of villagers, the open penalty (KD-09, KD-10, KD-12)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.king_of_the_dice.effects import PenaltySeen, StarterFound, VillagerLaid
from companion.games.king_of_the_dice.pieces import SEATS, villager_slot
from companion.games.king_of_the_dice.state import Kingdoms
from companion.kernel import (
    UNKNOWN,
    Chosen,
    OneOf,
    Placed,
    Question,
    Refusal,
    Reply,
    Ruled,
    Step,
    Subsets,
    Text,
    cite,
    refuse,
    then,
)

BEGIN = cite("KD-12")
DEAL = cite("KD-09")
PENALTIES = cite("KD-10")
_VILLAGERS = cite("KD-02", "table/inventory")


class WhoBegins(Step[Kingdoms], frozen=True):
    """KD-12 The oldest player begins."""

    def questions(self, state: Kingdoms) -> tuple[Question, ...]:
        if state.starter is not UNKNOWN:
            return ()
        seats = Subsets(SEATS[: len(state.piles)])
        return (Question("oldest", "choose", None, seats, BEGIN, Text("ask.oldest")),)

    def refuse(self, state: Kingdoms, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Chosen)  # noqa: S101  the kernel checked the kind
        seats = SEATS[: len(state.piles)]
        if len(reply.picks) != 1 or reply.picks[0] not in seats:
            return refuse(BEGIN, "oldest.who", found=" + ".join(reply.picks) or "-", seats=", ".join(seats))
        return None

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Chosen):
            yield Ruled(StarterFound(SEATS.index(reply.picks[0])), BEGIN)


class DealRow(Step[Kingdoms], frozen=True):
    """KD-09 The first five villagers are laid open under the five places."""

    def questions(self, state: Kingdoms) -> tuple[Question, ...]:
        empty = [villager_slot(column) for column, key in enumerate(state.row) if key is None]
        if not empty:
            return ()
        replies = OneOf(Placed(card, slot) for slot in empty for card in unseen_villagers(state))
        return (Question("deal", "place", None, replies, DEAL, Text("ask.deal")),)

    def refuse(self, state: Kingdoms, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Placed)  # noqa: S101  the kernel checked the kind
        empty = [villager_slot(column) for column, key in enumerate(state.row) if key is None]
        if reply.slot not in empty:
            return refuse(DEAL, "deal.where", slot=reply.slot, empty=", ".join(empty))
        return refuse_villager(state, reply.piece)

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Placed):
            column = [villager_slot(each) for each in range(len(state.row))].index(reply.slot)
            yield Ruled(VillagerLaid(column, reply.piece), DEAL)
            yield Ruled(then(DealRow()), DEAL)


class ShowPenalty(Step[Kingdoms], frozen=True):
    """KD-10 The penalty cards lie open, so everybody sees which one is on top."""

    def questions(self, state: Kingdoms) -> tuple[Question, ...]:
        left = self._cards(state)
        if state.penalty is not UNKNOWN or state.penalties == 0 or not left:
            return ()
        replies = OneOf(Placed(card, penalty_slot(state)) for card in left)
        return (Question("penalty", "place", None, replies, PENALTIES, Text("ask.penalty")),)

    def refuse(self, state: Kingdoms, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Placed)  # noqa: S101  the kernel checked the kind
        if reply.slot != penalty_slot(state):
            return refuse(PENALTIES, "penalty.where", slot=reply.slot, stack=penalty_slot(state))
        if reply.piece not in (*state.box.penalties, *self._cards(state)):
            return refuse(PENALTIES, "penalty.what", card=reply.piece)
        if reply.piece in state.seen:
            return refuse(cite("KD-02", "table/inventory"), "table.elsewhere", piece=reply.piece)
        return None

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Placed):
            yield Ruled(PenaltySeen(reply.piece), PENALTIES)

    def _cards(self, state: Kingdoms) -> tuple[str, ...]:
        """Return what may lie there; where a set knows no penalty any more, one that it does not know."""
        unnamed = (unnamed_penalty(state),) if state.box.is_listed else ()
        return unseen_penalties(state) or unnamed


def penalty_slot(state: Kingdoms) -> str:
    """Return the slot of the open penalties; the discards lie in the other one (KD-11, KD-Q18)."""
    return "S2" if state.options["discard_pile"] == "right" else "S3"


def discard_slot(state: Kingdoms) -> str:
    """Return the slot of the discard pile."""
    return "S3" if state.options["discard_pile"] == "right" else "S2"


def unseen_villagers(state: Kingdoms) -> tuple[str, ...]:
    """Return the villagers that the draw pile may still hold."""
    seen = state.seen
    return tuple(key for key in state.box.villagers if key not in seen)


def unseen_penalties(state: Kingdoms) -> tuple[str, ...]:
    """Return the penalty cards that may lie under what was seen of the stack."""
    seen = state.seen
    return tuple(key for key in state.box.penalties if key not in seen)


def unnamed_penalty(state: Kingdoms) -> str:
    """Return what to call a penalty card of which nobody has said which one it is."""
    number = 1
    while f"penalty-{number}" in state.box.penalties:
        number += 1
    return f"penalty-{number}"


def refuse_villager(state: Kingdoms, card: str) -> Refusal | None:
    """Return the reason why a card cannot come from the draw pile."""
    if card in state.box.places or card in state.box.penalties:
        return refuse(cite("KD-04"), "deal.no_villager", card=card)
    if card not in state.box.villagers:
        return refuse(_VILLAGERS, "table.unknown_piece", piece=card)
    return refuse(_VILLAGERS, "table.elsewhere", piece=card) if card in state.seen else None
