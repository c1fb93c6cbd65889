"""The land action: a land of the first row and its reward (VB-27, VB-28, VB-30)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.vaalbara.effects import LandTaken, PointsGained
from companion.games.vaalbara.pieces import SEATS
from companion.games.vaalbara.rewards import reward
from companion.games.vaalbara.state import Continent
from companion.kernel import Chosen, OneOf, Question, Refusal, Reply, Ruled, Step, Term, Text, cite, refuse, then

TAKE = cite("VB-27")
_ROWS = cite("VB-27", "VB-18")
_GAPS = cite("VB-27", "VB-30")
_PAID = cite("VB-28")
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
        yield Ruled(then(Paid(key)), _PAID)


class Paid(Step[Continent], frozen=True):
    """VB-28 The reward of a land is paid at once; the Farmer doubles it (VB-55)."""

    land: str

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        seat = state.active
        assert seat is not None  # noqa: S101  whoever has just taken the land
        initiative, is_farmer = state.initiative(seat), state.character == "farmer"
        term = reward(state, seat, state.box.known(self.land), initiative, is_farmer)
        yield paid(seat, term)
        if state.character == "carpenter" and state.options["carpenter_counts"] == "new_forest_too":
            from_forests = forests(state, seat)
            yield Ruled(PointsGained(seat, 3 * from_forests, "carpenter", f"3 x {from_forests}"), _LATE_CARPENTER)


def forests(state: Continent, seat: int) -> int:
    """Return how many forests a seat has."""
    return sum(state.box.known(key).type == "forest" for key in state.kingdoms[seat])


def paid(seat: int, term: Term) -> Ruled:
    """Return the effect that pays a land's reward, its parts shown as figures such as `2 + 2` or `10 x 3`."""
    figures = " + ".join(map(_figure, term.parts))
    kind = str(dict(term.text.values)["land"])
    return Ruled(PointsGained(seat, term.points, kind, figures), (*_PAID, *term.cites))


def _figure(part: Term) -> str:
    """Return a part of a reward as people reckon it; one point each needs no product."""
    values = dict(part.text.values)
    each = values.get("initiative", values.get("each", 1))
    return f"{each} x {values['count']}" if part.points and each != 1 else str(part.points)
