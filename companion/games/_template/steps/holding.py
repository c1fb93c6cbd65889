"""Chapter 3, holding: the stake is banked, a bonus card is drawn, and turned up in a later turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games._template.effects import Banked, BonusDrawn, BonusTurnedUp
from companion.games._template.pieces import CARDS
from companion.games._template.state import Pig
from companion.kernel import (
    UNSEEN,
    Effect,
    OneOf,
    Question,
    Refusal,
    Reply,
    Revealed,
    Ruled,
    Step,
    Text,
    cite,
    refuse,
    rule,
)

DRAW = cite("PIG-3.2")
_TURN_UP = cite("PIG-3.3")
_CARDS = cite("PIG-1.3", "table/inventory")


@rule("PIG-3.1")
def hold(state: Pig) -> Iterator[Effect]:
    yield Banked(state.seat, state.stake)


class DrawBonus(Step[Pig], frozen=True):
    """PIG-3.2 Who has held draws a bonus card and lays it face down at the own place.

    A player who has one there draws none, and nobody draws from an empty pile.
    """

    def questions(self, state: Pig) -> tuple[Question, ...]:
        if state.bonus[state.seat] is not None or state.pile == 0:
            return ()
        replies = OneOf(Revealed((card,)) for card in (UNSEEN, *_unknown(state)))
        return (Question("draw", "reveal", state.seat, replies, DRAW, Text("ask.draw", (("seat", state.letter),))),)

    def refuse(self, state: Pig, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Revealed)  # noqa: S101  the kernel checked the kind
        if len(reply.pieces) != 1:
            return refuse(DRAW, "draw.one_card", cards=len(reply.pieces))
        return None if reply.pieces == (UNSEEN,) else _refuse_face(state, reply.pieces[0])

    def resolve(self, state: Pig, to: str, reply: Reply | None) -> Iterable[Ruled]:
        if isinstance(reply, Revealed):
            yield Ruled(BonusDrawn(state.seat, reply.pieces[0]), DRAW)


def may_turn_up(state: Pig) -> tuple[Question, ...]:
    """Return the offer to turn the own bonus card up, until the turn's first throw (PIG-3.3)."""
    card = state.bonus[state.seat]
    if card is None or state.stake > 0:
        return ()
    faces = _unknown(state) if card == UNSEEN else (card,)
    replies = OneOf(Revealed((face,)) for face in faces)
    return (Question("turn up", "reveal", state.seat, replies, _TURN_UP, Text("offer.turn_up")),)


def refuse_turn_up(state: Pig, reply: Revealed) -> Refusal | None:
    if len(reply.pieces) != 1 or UNSEEN in reply.pieces:
        return refuse(_TURN_UP, "turn_up.show", seat=state.letter)
    there, (found,) = state.bonus[state.seat], reply.pieces
    if there == UNSEEN:
        return _refuse_face(state, found)
    return None if found == there else refuse(_CARDS, "turn_up.other", card=str(there), found=found)


@rule("PIG-3.4")
def turn_up(state: Pig, card: str) -> Iterator[Effect]:
    yield BonusTurnedUp(state.seat, card)


def _unknown(state: Pig) -> tuple[str, ...]:
    """Return the cards that a card lying face down can still be."""
    return tuple(card for card in CARDS if card not in state.known)


def _refuse_face(state: Pig, card: str) -> Refusal | None:
    if card not in CARDS:
        return refuse(_CARDS, "table.unknown_piece", piece=card)
    return refuse(_CARDS, "table.elsewhere", piece=card) if card in state.known else None
