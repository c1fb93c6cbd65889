"""The end: the last card of a stack, the points, the tie (KD-28 to KD-34, KD-50, KD-56)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from companion.games.king_of_the_dice.effects import LastCardTaken, PointsSeen, TieLooked, WinShared
from companion.games.king_of_the_dice.pieces import SEATS
from companion.kernel import (
    UNKNOWN,
    Citation,
    Counted,
    Finish,
    Numbers,
    Question,
    Refusal,
    Reply,
    Ruled,
    Step,
    Term,
    Text,
    Unknown,
    cite,
    refuse,
    then,
)

if TYPE_CHECKING:  # the state names the standing rule, so this chapter knows the state by its type alone
    from companion.games.king_of_the_dice.state import Kingdoms

_WHY = {"villagers": "KD-29", "penalties": "KD-30", "places": "KD-31"}
ENDING = cite("KD-32")
_SUM = cite("KD-32")
_CARD = cite("KD-28")
_FAIRIES = cite("KD-50")
_DRAGON = cite("KD-56")
_HIGHEST = cite("KD-32", "KD-33")
_TIE = cite("KD-34", "KD-Q12")
_COUNTS = Numbers(0, 20)
"""The points that a card may show, those of dragons and penalties without their minus."""
_SHARED = cite("KD-34", "KD-Q12", "KD-Q13")


def score(state: Kingdoms) -> tuple[Term, ...]:
    """Return each seat's points as a tree: villagers, places, fairies, penalties, dragons (KD-32)."""
    return tuple(_score(state, seat) for seat in range(len(state.piles)))


def _score(state: Kingdoms, seat: int) -> Term:
    cards: dict[str, list[str]] = {"villagers": [], "places": [], "fairies": [], "penalties": [], "dragons": []}
    for card in state.piles[seat]:
        cards[_heading(state, card)].append(card)
    fairies = len(cards["fairies"])
    kinds = (
        ("villagers", _CARD, [(card, state.box.points(card)) for card in cards["villagers"]]),
        ("places", _CARD, [(card, state.box.points(card)) for card in cards["places"]]),
        ("fairies", _FAIRIES, [(card, fairies) for card in cards["fairies"]]),
        ("penalties", _SUM, [(card, state.box.points(card)) for card in cards["penalties"]]),
        ("dragons", _DRAGON, [(card, state.box.points(card)) for card in cards["dragons"]]),
    )
    parts = tuple(_terms(*kind) for kind in kinds if kind[2])
    total = Text("score.total", (("seat", SEATS[seat]),))
    return Term(total, sum(part.points for part in parts), _SUM, parts)


def _heading(state: Kingdoms, card: str) -> str:
    if card in state.box.places:
        return "places"
    if card not in state.box.villagers:
        return "penalties"
    return {"fairy": "fairies", "dragon": "dragons"}.get(state.box.villagers[card].kind, "villagers")


def _terms(key: str, cites: tuple[Citation, ...], cards: Sequence[tuple[str, int | Unknown]]) -> Term:
    parts = tuple(_term(card, points, cites) for card, points in cards)
    text = Text(f"score.{key}", (("cards", len(cards)),))
    return Term(text, sum(part.points for part in parts), cites, parts)


def _term(card: str, points: int | Unknown, cites: tuple[Citation, ...]) -> Term:
    if points is UNKNOWN:
        return Term(Text("score.card_open", (("card", card),)), 0, cites)
    return Term(Text("score.card", (("card", card),)), points, cites)


def minus(state: Kingdoms, seat: int) -> int:
    """Return the sum of a seat's minus points, as a positive number."""
    return -sum(min(0, points) for points in _known(state, seat))


def _known(state: Kingdoms, seat: int) -> list[int]:
    """Return the points of a pile's cards, as far as they are known."""
    points = (state.box.points(card) for card in state.piles[seat])
    return [each for each in points if each is not UNKNOWN]


def _weight(state: Kingdoms, seat: int) -> int:
    """Return what is compared in a tie: minus points, or minus cards (KD-Q12)."""
    if state.options["fewer_minus_points"] == "cards":
        return sum(points < 0 for points in _known(state, seat))
    return minus(state, seat)


def leaders(state: Kingdoms) -> tuple[int, ...]:
    """Return the seats with the most points (KD-33)."""
    points = [term.points for term in score(state)]
    return tuple(seat for seat, each in enumerate(points) if each == max(points))


def last_card_taken(state: Kingdoms) -> Iterator[Ruled]:
    """KD-29 to KD-31 The last card of a stack ends the game: at once, unless the round is played out (KD-Q10).

    A dragon in hand is laid first (KD-55): no further card is taken, but the one just won goes where it belongs.
    """
    gone = {"penalties": state.penalties == 0, "places": () in state.places, "villagers": state.villagers == 0}
    reason = next((stack for stack, is_empty in gone.items() if is_empty), "")
    if state.ending or not reason or state.held:
        return
    cites = cite(_WHY[reason], "KD-Q10", *(("KD-Q11",) if reason == "villagers" and None in state.row else ()))
    yield Ruled(LastCardTaken(reason), cites)
    if state.options["end_comes"] == "at_once":
        yield Ruled(then(Ending()), ENDING)


class Ending(Step[Any], frozen=True):
    """KD-32 KD-33 Each player adds up the own pile, and the highest sum wins.

    KD-34 On equal sums the fewest minus points win; if these are equal too, the win is shared.
    Points of a card that is in no set are asked for now, when they first matter (KD-28).
    """

    def questions(self, state: Kingdoms) -> tuple[Question, ...]:
        seat, card = _without_points(state)
        if not card:
            return ()
        text = Text("ask.minus" if _takes_away(state, card) else "ask.points", (("card", card),))
        return (Question("points", "count", seat, _COUNTS, _CARD, text),)

    def refuse(self, state: Kingdoms, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Counted)  # noqa: S101  the kernel checked the kind
        if reply in _COUNTS:
            return None
        return refuse(_CARD, "points.range", found=reply.number, card=_without_points(state)[1], most=_COUNTS.most)

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Counted):
            card = _without_points(state)[1]
            points = -reply.number if _takes_away(state, card) else reply.number
            yield Ruled(PointsSeen(card, points), _CARD)
            yield Ruled(then(Ending()), ENDING)
            return
        first = leaders(state)
        if len(first) == 1:
            scores = tuple(term.points for term in score(state))
            yield Ruled(Finish(first[0], scores), (*cite(_WHY[state.ending]), *_HIGHEST))
        else:
            yield Ruled(then(TieBreak()), (*cite(_WHY[state.ending]), *_TIE))


def _without_points(state: Kingdoms) -> tuple[int, str]:
    """Return the first card of all piles whose points nobody has stated, with its seat; no card for none."""
    piled = ((seat, card) for seat, pile in enumerate(state.piles) for card in pile)
    return next(((seat, card) for seat, card in piled if state.box.points(card) is UNKNOWN), (0, ""))


def _takes_away(state: Kingdoms, card: str) -> bool:
    return _heading(state, card) in ("dragons", "penalties")


class TieBreak(Step[Any], frozen=True):
    """KD-34 On equal sums the player with fewer minus points wins."""

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        first = leaders(state)
        weights = tuple(_weight(state, seat) for seat in first)
        scores = tuple(term.points for term in score(state))
        yield Ruled(TieLooked(first, weights), _TIE)
        winners = tuple(seat for seat, weight in zip(first, weights, strict=True) if weight == min(weights))
        if len(winners) == 1:
            yield Ruled(Finish(winners[0], scores), _TIE)
        else:
            yield Ruled(WinShared(winners), _SHARED)
            yield Ruled(Finish(None, scores), _SHARED)
