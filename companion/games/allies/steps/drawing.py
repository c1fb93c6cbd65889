"""Drawing cards: the refill of a turn, and stage 4 between two rounds."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.allies.effects import CardsDiscarded, CardsDrawn, DeckRenewed, MaximumSet, PileTurned, RoundBegun
from companion.games.allies.state import BASE_HAND, Duel
from companion.games.allies.steps.tribes import KnowTribes
from companion.kernel import UNKNOWN, Citation, Reply, Ruled, Step, Text, Unknown, cite, then

STAGE_FOUR = cite("AL-31")
_DISCARD = cite("AL-72", "AL-29")
_MAXIMUM = cite("AL-74", "AL-75", "AL-76")
_OWN = cite("AL-11")
_OTHERS = cite("AL-77")
_DRAW = cite("AL-73")
_RENEW = cite("AL-46", "AL-Q18")
_SHORT = cite("AL-Q18")
_NEW_ROUND = cite("AL-32", "AL-31")
_LEAST = cite("AL-Q20")
_SMALLEST = {"zero": 0, "one": 1}


class StageFour(Step[Duel], frozen=True):
    """AL-72 Both players discard their rows and hands; the tribes must be known for what follows."""

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterator[Ruled]:
        for seat in (0, 1):
            row = sum(laid is not None for laid in state.rows[seat])
            yield Ruled(CardsDiscarded(seat, row, state.hands[seat]), _DISCARD)
        won = (*state.won(0, state.round), *state.won(1, state.round))
        yield Ruled(then(KnowTribes(won), NewMaximums(), NewHands()), STAGE_FOUR)


class NewMaximums(Step[Duel], frozen=True):
    """AL-74 AL-75 Five, plus the own regions won, minus the own regions lost in the round just played."""

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterator[Ruled]:
        won = (state.won(0, state.round), state.won(1, state.round))
        for seat in (0, 1):
            gained = sum(state.owns(seat, region) for region in won[seat])
            lost = sum(state.owns(seat, region) for region in won[1 - seat])
            maximum, why = BASE_HAND + gained - lost, (*_MAXIMUM, *(_OWN if gained or lost else ()))
            if any(not state.owns(0, region) and not state.owns(1, region) for region in (*won[0], *won[1])):
                why = (*why, *_OTHERS)
            if maximum < 1:
                maximum, why = max(maximum, _SMALLEST[state.options["smallest_hand"]]), (*why, *_LEAST)
            yield Ruled(MaximumSet(seat, maximum, gained, lost), why)


class NewHands(Step[Duel], frozen=True):
    """AL-73 Both draw a new hand; the next round begins with the other starting player (AL-32)."""

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterator[Ruled]:
        starter = state.starter if state.starter is UNKNOWN else 1 - state.starter
        for seat in (0, 1):
            yield from draw(state, seat, _DRAW, raised=False)
        over = state.options["won_cards_turned"] == "after_round"
        if not over:
            yield from turn_over(state)
        yield Ruled(RoundBegun(state.round + 1, starter), _NEW_ROUND)
        if over:
            yield from turn_over(state)

    def forecast(self, state: Duel) -> tuple[Text, ...]:
        return (Text("forecast.new_hands"),)


def turn_over(state: Duel) -> Iterator[Ruled]:
    """Yield the face-up wins turned over where the edition does it at the end of a round (E19)."""
    match state.options["won_cards_turned"]:
        case "next_round":
            rounds = (state.round - 1,)
        case "same_round_after_drawing" | "after_round":
            rounds = (state.round,)
        case _:
            return
    for round_ in rounds:
        for seat in (0, 1):
            if cards := len(state.won(seat, round_)):
                yield Ruled(PileTurned(seat, round_, cards), cite("AL-71", "AL-E19"))


def missing(state: Duel, seat: int, raised: bool = True) -> int | Unknown:
    """Return how many cards the seat's hand lacks to its maximum, or UNKNOWN."""
    maximum, held = state.maximum[seat], state.hands[seat]
    if maximum is UNKNOWN or held is UNKNOWN:
        return UNKNOWN
    return max(0, maximum + (state.raised[seat] if raised else 0) - held)


def discarded(state: Duel, seat: int) -> int | Unknown:
    """Return how many cards lie in the seat's discard pile (AL-29)."""
    unseen = state.unseen[seat]
    return UNKNOWN if unseen is UNKNOWN else len(state.discards[seat]) + unseen


def draw(state: Duel, seat: int, cites: tuple[Citation, ...], raised: bool = True) -> Iterator[Ruled]:
    """Yield drawing up to the maximum, with the discard pile renewed if the deck runs out."""
    wanted, deck = missing(state, seat, raised), state.decks[seat]
    if wanted is UNKNOWN:
        yield Ruled(CardsDrawn(seat, UNKNOWN), cites)
        return
    if deck is not UNKNOWN and wanted > deck:
        renewed = discarded(state, seat) if state.options["deck_runs_out"] == "reshuffle" else 0
        if renewed:
            yield Ruled(DeckRenewed(seat, renewed), _RENEW)
        if renewed is not UNKNOWN and wanted > deck + renewed:
            wanted, cites = deck + renewed, (*cites, *_SHORT)
    if wanted:
        yield Ruled(CardsDrawn(seat, wanted), cites)
