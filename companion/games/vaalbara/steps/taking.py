"""The land action: a land of the first row and its reward (VB-27, VB-28, VB-30)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.vaalbara.effects import LandTaken, PointsGained, ValueSeen
from companion.games.vaalbara.pieces import SEATS
from companion.games.vaalbara.rewards import reward
from companion.games.vaalbara.state import Continent
from companion.kernel import (
    UNKNOWN,
    Chosen,
    Counted,
    Numbers,
    OneOf,
    Question,
    Refusal,
    Reply,
    Ruled,
    Step,
    Term,
    Text,
    cite,
    refuse,
    then,
)

TAKE = cite("VB-27")
_ROWS = cite("VB-27", "VB-18")
_GAPS = cite("VB-27", "VB-30")
PAID = cite("VB-28")
_FOREST = cite("VB-38")
_VALUES = Numbers(1, 20)
_LATE_CARPENTER = cite("VB-48", "VB-Q17")


class LandAction(Step[Continent], frozen=True):
    """VB-27 The player takes one land of the first row into the own kingdom."""

    def questions(self, state: Continent) -> tuple[Question, ...]:
        seat, lands = state.active, [key for key in state.first if key is not None]
        if seat is None or not lands:
            return ()
        replies = OneOf(Chosen((key,)) for key in lands)
        text = Text("ask.take", (("seat", SEATS[seat]),))
        return (Question("take", "choose", seat, replies, TAKE, text),)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Chosen)  # noqa: S101  the kernel checked the kind
        lands = ", ".join(key for key in state.first if key is not None)
        if len(reply.picks) != 1:
            return refuse(TAKE, "take.one", found=len(reply.picks))
        (key,) = reply.picks
        if key in state.second:
            return refuse(_ROWS, "take.second", land=key, lands=lands)
        if key not in state.first:
            return refuse(_GAPS, "take.not_there", land=key, lands=lands)
        return None

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if not isinstance(reply, Chosen):
            return
        seat, (key,) = state.active, reply.picks
        assert seat is not None  # noqa: S101  it was asked
        yield Ruled(LandTaken(seat, state.first.index(key), key), TAKE)
        yield Ruled(then(Paid(key)), PAID)


class Paid(Step[Continent], frozen=True):
    """VB-28 The reward of a land is paid at once; the Farmer doubles it (VB-55).

    VB-38 The number on a forest is asked for if nobody has stated it.
    """

    land: str

    def questions(self, state: Continent) -> tuple[Question, ...]:
        return ask_value(state, self.land)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        return refuse_value(self.land, reply)

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Counted):
            yield Ruled(ValueSeen(self.land, reply.number), _FOREST)
            yield Ruled(then(Paid(self.land)), PAID)
            return
        seat = state.active
        assert seat is not None  # noqa: S101  whoever has just taken the land
        initiative, is_farmer = state.initiative(seat), state.character == "farmer"
        term = reward(state, seat, state.box.known(self.land), initiative, is_farmer)
        yield paid(seat, term)
        if state.character == "carpenter" and state.options["carpenter_counts"] == "new_forest_too":
            from_forests = forests(state, seat)
            yield Ruled(PointsGained(seat, 3 * from_forests, "carpenter", f"3 x {from_forests}"), _LATE_CARPENTER)


def ask_value(state: Continent, key: str) -> tuple[Question, ...]:
    """Return the question for the number on a forest, if nobody knows it."""
    if state.box.known(key).value is not UNKNOWN:
        return ()
    return (Question("value", "count", state.active, _VALUES, _FOREST, Text("ask.value", (("land", key),))),)


def refuse_value(key: str, reply: Reply) -> Refusal | None:
    """Return the reason why a forest cannot show a number."""
    assert isinstance(reply, Counted)  # noqa: S101  the kernel checked the kind
    if reply in _VALUES:
        return None
    return refuse(_FOREST, "value.range", found=reply.number, land=key, most=_VALUES.most)


def forests(state: Continent, seat: int) -> int:
    """Return how many forests a seat has."""
    return sum(state.box.known(key).type == "forest" for key in state.kingdoms[seat])


def paid(seat: int, term: Term) -> Ruled:
    """Return the effect that pays a land's reward, its parts shown as figures such as `2 + 2` or `10 x 3`."""
    figures = " + ".join(map(_figure, term.parts))
    kind = str(dict(term.text.values)["land"])
    return Ruled(PointsGained(seat, term.points, kind, figures), (*PAID, *term.cites))


def _figure(part: Term) -> str:
    """Return a part of a reward as people reckon it; one point each needs no product."""
    values = dict(part.text.values)
    each = values.get("initiative", values.get("each", 1))
    return f"{each} x {values['count']}" if part.points and each != 1 else str(part.points)
