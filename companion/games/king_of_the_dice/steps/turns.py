"""A turn: roll, then win a villager or take a penalty, then refill; the dice go on (KD-13, KD-23 to KD-27)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.king_of_the_dice.effects import (
    DicePassed,
    DiceRolled,
    NothingTaken,
    PenaltyTaken,
    TurnRepeated,
    VillagerDiscarded,
)
from companion.games.king_of_the_dice.pieces import COLUMNS, SEATS
from companion.games.king_of_the_dice.state import Kingdoms
from companion.games.king_of_the_dice.steps.ending import ENDING, Ending
from companion.games.king_of_the_dice.steps.preparing import (
    PENALTIES,
    ShowPenalty,
    discard_slot,
    penalty_slot,
    unnamed_penalty,
)
from companion.games.king_of_the_dice.steps.refilling import REFILL, Refill
from companion.games.king_of_the_dice.steps.rolling import may_roll, must_roll, refuse_roll, result_counts, roll
from companion.games.king_of_the_dice.steps.taking import DECLINED, NONE_MET, NOTHING, PENALTY, refuse_take, take
from companion.games.king_of_the_dice.steps.winning import PASS, PILE, ArrangePile, PassDragon, win
from companion.kernel import UNKNOWN, Chosen, Question, Refusal, Reply, Rolled, Ruled, Step, Text, cite, then

TURN = cite("KD-13")
NEXT = cite("KD-27")
_DISCARD = cite("KD-24")
_AGAIN = cite("KD-47", "KD-Q15")


class Turn(Step[Kingdoms], frozen=True):
    """KD-13 A turn has three steps: roll; win a villager or take a penalty; refill the row.

    KD-14 to KD-17 Up to three rolls of as many dice as one likes; the last one counts. Elves on top of
    the own pile give a fourth (KD-41). Taking something ends the rolls (KD-Q04).
    """

    def questions(self, state: Kingdoms) -> tuple[Question, ...]:
        return (roll(state, "ask.roll"),) if must_roll(state) else take(state)

    def offers(self, state: Kingdoms) -> tuple[Question, ...]:
        return (roll(state, "offer.roll"),) if may_roll(state) and not must_roll(state) else ()

    def refuse(self, state: Kingdoms, to: str, reply: Reply) -> Refusal | None:
        if isinstance(reply, Rolled):
            return refuse_roll(state, reply)
        assert isinstance(reply, Chosen)  # noqa: S101  the kernel checked the kind
        return refuse_take(state, reply.picks)

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Rolled):
            yield Ruled(DiceRolled(state.seat, reply.faces, state.rolls + 1), result_counts(state))
            yield Ruled(then(Turn()), TURN)
            return
        pick = reply.picks[0] if isinstance(reply, Chosen) else PENALTY
        if pick == NOTHING:
            yield Ruled(NothingTaken(state.seat), DECLINED)
        elif pick == PENALTY:
            yield Ruled(then(ShowPenalty()), PENALTIES)
            yield Ruled(then(TakePenalty()), NONE_MET)
        else:
            yield from win(state, pick)
            yield Ruled(then(PassDragon()), PASS)
            yield Ruled(then(ArrangePile()), PILE)
        if pick != NOTHING:
            yield Ruled(then(Refill()), REFILL)
        yield Ruled(then(NextTurn()), NEXT)


class TakePenalty(Step[Kingdoms], frozen=True):
    """KD-23 Who meets no condition takes the top penalty card, known or not."""

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if state.penalties != 0:
            card = unnamed_penalty(state) if state.penalty is UNKNOWN else state.penalty
            yield Ruled(PenaltyTaken(state.seat, card, penalty_slot(state)), NONE_MET)
        yield Ruled(then(DiscardRightmost()), _DISCARD)


class DiscardRightmost(Step[Kingdoms], frozen=True):
    """KD-24 After a penalty the rightmost open villager goes to the discard pile."""

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        column = next((each for each in reversed(range(COLUMNS)) if state.row[each] is not None), None)
        if column is not None:
            yield Ruled(VillagerDiscarded(column, str(state.row[column]), discard_slot(state)), _DISCARD)
        yield Ruled(then(ShowPenalty()), PENALTIES)


class NextTurn(Step[Kingdoms], frozen=True):
    """KD-27 The dice go to the next player, clockwise.

    KD-47 Who has got an apprentice keeps them for another turn.
    """

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if state.again:
            yield Ruled(TurnRepeated(state.seat), _AGAIN)
        elif state.ending and state.next_seat == state.starter:
            yield Ruled(then(Ending()), ENDING)
            return
        else:
            yield Ruled(DicePassed(state.next_seat), NEXT)
        yield Ruled(then(Turn()), TURN)

    def forecast(self, state: Kingdoms) -> tuple[Text, ...]:
        seat = state.seat if state.again else state.next_seat
        return (Text("forecast.again" if state.again else "forecast.next", (("seat", SEATS[seat]),)),)
