"""Chapter 4, the end: what counts, and the rule that is watched all the time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.games._template.pieces import CARDS, SEATS
from companion.kernel import Effect, Finish, Term, Text, cite, rule

if TYPE_CHECKING:  # the state names the standing rule, so this chapter knows the state by its type alone
    from companion.games._template.state import Pig

_BANKED = cite("PIG-3.1")
_BONUS = cite("PIG-3.4")


def score(state: Pig) -> tuple[Term, ...]:
    """Return each seat's points as a tree: what was banked, and each bonus card turned up."""
    return tuple(_score(state, seat) for seat in range(len(state.banked)))


def _score(state: Pig, seat: int) -> Term:
    cards = tuple(Term(Text("score.card", (("card", card),)), CARDS[card], _BONUS) for card in state.turned_up[seat])
    bonus = Term(Text("score.bonus", (("cards", len(cards)),)), sum(card.points for card in cards), _BONUS, cards)
    parts = (Term(Text("score.banked"), state.banked[seat], _BANKED), bonus)
    total = Text("score.total", (("seat", SEATS[seat]),))
    return Term(total, sum(part.points for part in parts), (*_BANKED, *_BONUS), parts)


@rule("PIG-4.1", "PIG-Q1")
def target_reached(state: Pig) -> Iterator[Effect]:
    """PIG-4.1 Who reaches the target score wins at once, in the middle of whatever is due."""
    points = tuple(term.points for term in score(state))
    if max(points) >= state.target:
        yield Finish(points.index(max(points)), points)
