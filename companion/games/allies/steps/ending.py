"""The end of the game: points, tie-break, winner."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.allies.state import CASTLE, SEATS, Duel
from companion.games.allies.steps.tribes import KnowTribes
from companion.kernel import Citation, Finish, Reply, Ruled, Step, Term, Text, cite, then

_PILE = cite("AL-93")
_CASTLE = cite("AL-13", "AL-94", "AL-Q15")
_FACING = cite("AL-95")
_CASTLE_FACING = cite("AL-95", "AL-Q14")
_TOTAL = cite("AL-15", "AL-16", "AL-97")
_OWN = cite("AL-11", "AL-98", "AL-Q16")
_TIE = cite("AL-99", "AL-Q12")


def score(state: Duel) -> tuple[Term, Term]:
    """Return both seats' scores as trees of terms (AL-93 to AL-96)."""
    return (_score(state, 0), _score(state, 1))


def _score(state: Duel, seat: int) -> Term:
    castle = {"minus_one": -1, "two_minus_one": 1}[state.options["castle_in_pile"]]
    pile: list[Term] = []
    castles: list[Term] = []
    for won in state.piles[seat]:
        text = Text("score.card", (("piece", won.key), ("round", won.round)))
        if state.box.kind(won.key) == CASTLE:
            castles.append(Term(text, castle, _CASTLE))
        else:
            pile.append(Term(text, 2, _PILE))
    facing = [
        Term(Text("score.facing_card", (("piece", region.key), ("column", column + 1))), points, cites)
        for column, region in enumerate(state.regions)
        if region is not None and region.arrow == (1 if seat == 0 else -1)
        for points, cites in (_facing(state, region.key),)
    ]
    parts = (
        _sum("score.pile", pile, _PILE),
        _sum("score.castles", castles, _CASTLE),
        _sum("score.facing", facing, _FACING),
    )
    return Term(Text("score.total", (("seat", SEATS[seat]),)), sum(part.points for part in parts), _TOTAL, parts)


def _facing(state: Duel, region: str) -> tuple[int, tuple[Citation, ...]]:
    if state.box.kind(region) != CASTLE:
        return 1, _FACING
    return {"nothing": 0, "minus_one": -1, "plus_one": 1}[state.options["castle_facing"]], _CASTLE_FACING


def _sum(key: str, parts: list[Term], cites: tuple[Citation, ...]) -> Term:
    return Term(Text(key, (("cards", len(parts)),)), sum(part.points for part in parts), cites, tuple(parts))


def own_regions(state: Duel, seat: int) -> int:
    """Return how many regions of the seat's own tribes break a tie for it (AL-98, AL-Q16)."""
    own = sum(state.owns(seat, won.key) for won in state.piles[seat])
    if state.options["tie_break_counts"] == "won_and_facing":
        toward = 1 if seat == 0 else -1
        own += sum(
            region is not None and region.arrow == toward and state.owns(seat, region.key) for region in state.regions
        )
    return own


def castles_won(state: Duel, seat: int) -> int:
    return sum(state.box.kind(won.key) == CASTLE for won in state.piles[seat])


def outcome(state: Duel, finish: Finish) -> str:
    """Return whose win a finished game is: A, B, or what the table agreed on for a total tie (AL-Q12)."""
    if finish.winner is not None:
        return SEATS[finish.winner]
    return {"shared_win": "both", "play_again": "nobody"}.get(state.options["total_tie"], "draw")


class Ending(Step[Duel], frozen=True):
    """AL-92 The game ends as soon as stage 3 of the fourth round is done."""

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterator[Ruled]:
        points = [term.points for term in score(state)]
        if points[0] != points[1]:
            yield Ruled(Finish(0 if points[0] > points[1] else 1, (points[0], points[1])), _TOTAL)
            return
        counted = tuple(won.key for pile in state.piles for won in pile)
        if state.options["tie_break_counts"] == "won_and_facing":
            counted += tuple(region.key for region in state.regions if region is not None and region.arrow)
        yield Ruled(then(KnowTribes(counted), TieBreak()), _OWN)


class TieBreak(Step[Duel], frozen=True):
    """AL-98 On equal totals the player with more region cards of the own two tribes wins.

    AL-99 If that is equal too, the game is drawn, or as the table agreed (AL-Q12).
    """

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterator[Ruled]:
        points = score(state)[0].points
        own = (own_regions(state, 0), own_regions(state, 1))
        if own[0] != own[1]:
            yield Ruled(Finish(0 if own[0] > own[1] else 1, (points, points)), _OWN)
            return
        castles = (castles_won(state, 0), castles_won(state, 1))
        if state.options["total_tie"] == "fewer_castles" and castles[0] != castles[1]:
            yield Ruled(Finish(0 if castles[0] < castles[1] else 1, (points, points)), (*_OWN, *_TIE))
            return
        yield Ruled(Finish(None, (points, points)), (*_OWN, *_TIE))
