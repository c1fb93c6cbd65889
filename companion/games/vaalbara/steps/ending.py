"""The end: points for different types, the winner, and the clan signs in a tie (VB-10, VB-33 to VB-36)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.vaalbara.effects import PointsGained, SignsSeen, TieLooked, TokensRevealed
from companion.games.vaalbara.lands import types_in
from companion.games.vaalbara.pieces import SEATS
from companion.games.vaalbara.state import Continent
from companion.kernel import (
    Citation,
    Finish,
    Ordered,
    Orders,
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

FINAL = cite("VB-10", "VB-19")
BONUS = {5: cite("VB-33", "VB-Q01"), 6: cite("VB-34", "VB-Q01")}
_OPEN = cite("VB-29", "VB-33", "VB-Q01")
WON = cite("VB-10", "VB-35")
TIE = cite("VB-36", "VB-09")
_SIGNS = cite("VB-36", "VB-08", "VB-Q14")
_POINTS = {
    "five_and_six": {5: 5, 6: 10},
    "only_six": {6: 10},
    "six_adds_both": {5: 5, 6: 15},
}
"""By the reading of VB-Q01: points for so many different types."""


def type_bonus(state: Continent, seat: int) -> int:
    """Return the extra points for the different types of land in a kingdom (VB-33, VB-34)."""
    return _POINTS[state.options["type_bonus"]].get(len(types_in(state.box, state.kingdoms[seat])), 0)


class Final(Step[Continent], frozen=True):
    """VB-33 VB-34 Tokens are revealed; five types of land bring 5 points, all six bring 10."""

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        yield Ruled(TokensRevealed(), _OPEN)
        for seat in range(state.seats):
            kinds = types_in(state.box, state.kingdoms[seat])
            if points := type_bonus(state, seat):
                yield Ruled(PointsGained(seat, points, "types", ", ".join(kinds)), BONUS[len(kinds)])
        yield Ruled(then(Winner()), WON)


class Winner(Step[Continent], frozen=True):
    """VB-35 Most points win. VB-36 In a tie the clan further left on the top land wins."""

    def questions(self, state: Continent) -> tuple[Question, ...]:
        if len(leaders(state)) < 2 or state.signs_on_top:
            return ()
        text = Text("ask.final_signs")
        return (Question("final signs", "order", None, Orders(state.box.clans), _SIGNS, text),)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        return refuse_signs(state, reply, _SIGNS)

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        first = leaders(state)
        if len(first) == 1:
            yield Ruled(Finish(first[0], state.vp), WON)
            return
        signs = reply.items if isinstance(reply, Ordered) else state.signs_on_top
        if isinstance(reply, Ordered):
            yield Ruled(SignsSeen(signs), _SIGNS)
        yield Ruled(TieLooked(first, signs), TIE)
        yield Ruled(Finish(min(first, key=lambda seat: state.sign_place(seat, signs)), state.vp), TIE)


def leaders(state: Continent) -> tuple[int, ...]:
    """Return the seats with the most points."""
    return tuple(seat for seat in range(state.seats) if state.vp[seat] == max(state.vp))


def refuse_signs(state: Continent, reply: Reply, cites: tuple[Citation, ...]) -> Refusal | None:
    """Return the reason against an order of clan signs."""
    assert isinstance(reply, Ordered)  # noqa: S101  the kernel checked the kind
    if reply in Orders(state.box.clans):
        return None
    return refuse(cites, "signs.all", found=", ".join(reply.items) or "-", clans=", ".join(state.box.clans))


def score(state: Continent) -> tuple[Term, ...]:
    """Return each seat's points if the game ended now: what it has, and the points for different types."""
    return tuple(_score(state, seat) for seat in range(state.seats))


def _score(state: Continent, seat: int) -> Term:
    tokens = Term(Text("score.tokens"), state.vp[seat], cite("VB-10", "VB-28"))
    parts: tuple[Term, ...] = (tokens,)
    kinds = types_in(state.box, state.kingdoms[seat])
    if state.round and not state.counted and (points := type_bonus(state, seat)):
        text = Text("score.types", (("count", len(kinds)), ("types", ", ".join(kinds))))
        parts = (tokens, Term(text, points, BONUS[len(kinds)]))
    cites: tuple[Citation, ...] = cite("VB-10", "VB-35")
    return Term(Text("score.total", (("seat", SEATS[seat]),)), sum(part.points for part in parts), cites, parts)
