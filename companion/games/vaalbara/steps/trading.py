"""What comes from the land deck in a trade: its top land for the Pathfinder, its bottom land for the Pioneer."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.vaalbara.effects import BottomTraded, TopTraded, ValueSeen
from companion.games.vaalbara.rewards import reward
from companion.games.vaalbara.state import Continent
from companion.games.vaalbara.steps.preparing import places, refuse_land, refuse_unseen, unseen
from companion.games.vaalbara.steps.taking import ask_value, paid, refuse_value
from companion.kernel import (
    UNKNOWN,
    Counted,
    OneOf,
    Placed,
    Question,
    Refusal,
    Reply,
    Revealed,
    Ruled,
    Step,
    Text,
    cite,
    refuse,
    then,
)

TOP = cite("VB-50")
BOTTOM = cite("VB-54")
_FOREST = cite("VB-38")
_SIGHT = cite("VB-54", "VB-Q13")


class TopCard(Step[Continent], frozen=True):
    """VB-50 The top land of the deck takes the place of the traded one, which lies on top of the deck then."""

    def questions(self, state: Continent) -> tuple[Question, ...]:
        if not state.gap:
            return ()
        domain = places(state, (state.gap,))
        return (Question("top", "place", state.active, domain, TOP, Text("ask.top", (("slot", state.gap),))),)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Placed)  # noqa: S101  the kernel checked the kind
        if reply.slot != state.gap:
            return refuse(TOP, "deal.where", slot=reply.slot, empty=state.gap)
        return refuse_land(state, reply.piece)

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Placed):
            row, column = state.gap[0], int(state.gap[1:]) - 1
            yield Ruled(TopTraded(row, column, reply.piece, state.held), TOP)


class BottomCard(Step[Continent], frozen=True):
    """VB-54 The bottom land of the deck comes into the kingdom and brings its reward; the given one lies there then."""

    def questions(self, state: Continent) -> tuple[Question, ...]:
        if not state.held:
            return ()
        replies = OneOf(Revealed((key,)) for key in bottom_lands(state))
        return (Question("bottom", "reveal", state.active, replies, BOTTOM, Text("ask.bottom")),)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        return refuse_bottom(state, reply)

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Revealed) and state.active is not None:
            yield Ruled(BottomTraded(state.active, reply.pieces[0], state.held), _SIGHT)
            yield Ruled(then(PaidForBottom(reply.pieces[0])), BOTTOM)


def bottom_lands(state: Continent) -> tuple[str, ...]:
    """Return the lands that may lie at the bottom of the deck."""
    if state.bottom is not UNKNOWN:
        return (state.bottom,)
    return (state.top,) if state.deck == 1 and state.top is not UNKNOWN else unseen(state)


def refuse_bottom(state: Continent, reply: Reply) -> Refusal | None:
    """Return the reason why a land cannot be the one at the bottom of the deck."""
    assert isinstance(reply, Revealed)  # noqa: S101  the kernel checked the kind
    if len(reply.pieces) != 1:
        return refuse(BOTTOM, "bottom.one", found=len(reply.pieces))
    (key,), known = reply.pieces, bottom_lands(state)
    if len(known) == 1 and known[0] in state.seen:
        return None if key == known[0] else refuse(BOTTOM, "bottom.known", land=key, bottom=known[0])
    return refuse_unseen(state, key)


class PaidForBottom(Step[Continent], frozen=True):
    """VB-54 The reward of the land from the bottom is paid; the given land does not count any more."""

    land: str

    def questions(self, state: Continent) -> tuple[Question, ...]:
        return ask_value(state, self.land)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        return refuse_value(self.land, reply)

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Counted):
            yield Ruled(ValueSeen(self.land, reply.number), _FOREST)
            yield Ruled(then(PaidForBottom(self.land)), BOTTOM)
            return
        seat = state.active
        assert seat is not None  # noqa: S101  the Pioneer's player
        term = reward(state, seat, state.box.known(self.land), state.initiative(seat))
        one = paid(seat, term)
        yield Ruled(one.effect, (*BOTTOM, *one.cites))
