"""Preparations and stage 1: region cards come into the middle row."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.allies.domains import Deals, lies_as_laid, regions_out
from companion.games.allies.effects import RegionDealt
from companion.games.allies.state import SLOTS, Duel
from companion.games.allies.steps.starter import lot, refuse_lot, throw
from companion.kernel import (
    UNKNOWN,
    Placed,
    Question,
    Refusal,
    Reply,
    Rolled,
    Ruled,
    Step,
    Text,
    cite,
    refuse,
    then,
)

DEAL = cite("AL-24", "AL-33")
_ASKED = {True: cite("AL-24"), False: cite("AL-33")}
_DEALT = {True: cite("AL-24", "AL-25"), False: cite("AL-33", "AL-35")}
"""Whether it is the first round, that is, still the preparations."""
_SIDEWAYS = cite("AL-25", "AL-35", "AL-Q13")
_AS_LAID = cite("AL-Q13")
_INVENTORY = cite("table/inventory")
_ARROWS = {0: -1, 2: 1}
"""Quarter turns of a region card whose arrow points at seat B (top edge) or seat A (bottom edge)."""


def deal(state: Duel, reply: Placed) -> Iterator[Ruled]:
    as_laid = lies_as_laid(state)
    arrow = _ARROWS.get(reply.turn, 0) if as_laid and reply.turn is not None else 0
    why = (*_DEALT[False], *_AS_LAID) if as_laid else _DEALT[state.round == 1]
    yield Ruled(RegionDealt(SLOTS[reply.slot][1], reply.piece, arrow), why)
    yield Ruled(then(DealRegions()), DEAL)


class DealRegions(Step[Duel], frozen=True):
    """AL-33 Every empty slot of the middle row gets one new card from the region deck.

    An empty deck leaves the slots empty (AL-Q18).
    """

    def questions(self, state: Duel) -> tuple[Question, ...]:
        if None not in state.regions or state.region_deck == 0:
            return ()
        return (Question("deal", "place", None, Deals(state), _ASKED[state.round == 1], Text("ask.deal")),)

    def offers(self, state: Duel) -> tuple[Question, ...]:
        return lot(state) if self.questions(state) else ()

    def refuse(self, state: Duel, to: str, reply: Reply) -> Refusal | None:
        if isinstance(reply, Rolled):
            return refuse_lot(reply)
        assert isinstance(reply, Placed)  # noqa: S101  the kernel checked the kind
        row, column = SLOTS.get(reply.slot, ("", 0))
        if not row:
            return refuse(cite("AL-17"), "slot.none", slot=reply.slot)
        if row != "R":
            return refuse(cite("AL-18", "AL-33"), "deal.not_middle_row", slot=reply.slot)
        if (there := state.regions[column]) is not None:
            return refuse(cite("AL-33"), "deal.occupied", slot=reply.slot, there=there.key)
        if state.box.regions and reply.piece not in state.box.regions:
            return refuse(cite("AL-18"), "deal.no_region_card", piece=reply.piece)
        if reply.piece in state.box.regions and reply.piece in regions_out(state):
            return refuse(_INVENTORY, "table.elsewhere", piece=reply.piece)
        if lies_as_laid(state):
            return refuse(_SIDEWAYS, "deal.how", piece=reply.piece) if reply.turn is None else None
        if reply.turn in (0, 2):
            return refuse(_SIDEWAYS, "deal.not_sideways", piece=reply.piece, seat="BA"[reply.turn == 2])
        return None

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if reply is None:
            return
        if isinstance(reply, Rolled):
            yield from throw(reply)
            yield Ruled(then(DealRegions()), DEAL)
            return
        assert isinstance(reply, Placed)  # noqa: S101  the kernel checked the kind
        yield from deal(state, reply)

    def forecast(self, state: Duel) -> tuple[Text, ...]:
        empty = sum(region is None for region in state.regions)
        if not empty or state.region_deck == 0:
            return ()
        deck = state.region_deck
        return (Text("forecast.deal", (("cards", empty if deck is UNKNOWN else min(empty, deck)),)),)
