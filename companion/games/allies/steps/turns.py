"""Stage 2: the players lay their cards in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games.allies.domains import Placements, covers_held
from companion.games.allies.effects import TurnEnded, TurnSkipped
from companion.games.allies.state import COLUMNS, SEATS, SLOTS, Duel
from companion.games.allies.steps.battle import FIGHT, FightColumn, StageThreeEnds
from companion.games.allies.steps.drawing import draw, missing
from companion.games.allies.steps.laying import lay, refuse_card
from companion.games.allies.steps.regions import DEAL, DealRegions
from companion.games.allies.steps.starter import FIRST, lot, refuse_lot, throw
from companion.games.allies.steps.tasks import TASKS, tasks_of
from companion.kernel import (
    UNKNOWN,
    Confirmed,
    OneOf,
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

TURNS = cite("AL-31", "AL-36")
PLAY = cite("AL-36", "AL-37", "AL-38")
REFILL = cite("AL-46")


class Turns(Step[Duel], frozen=True):
    """AL-36 The players take turns alternately, five turns each per round."""

    def questions(self, state: Duel) -> tuple[Question, ...]:
        if state.turn >= 2 * COLUMNS:
            return (Question("fight", "confirm", None, _DONE, FIGHT, Text("ask.fight")),)
        seat = state.seat
        if seat is UNKNOWN:
            return (Question("play", "place", None, Placements(state, (0, 1)), (*PLAY, *FIRST), Text("ask.first")),)
        if state.hands[seat] == 0 or (None not in state.rows[seat] and not covers_held(state, seat)):
            return ()
        return (Question("play", "place", seat, Placements(state, (seat,)), PLAY, _ASK_PLAY[seat]),)

    def offers(self, state: Duel) -> tuple[Question, ...]:
        return lot(state)

    def refuse(self, state: Duel, to: str, reply: Reply) -> Refusal | None:
        if isinstance(reply, Rolled):
            return refuse_lot(reply)
        if isinstance(reply, Confirmed):
            return None if reply.yes else refuse(FIGHT, "fight.not_yet")
        assert isinstance(reply, Placed)  # noqa: S101  the kernel checked the kind
        return refuse_card(state, reply, state.seat, cover=True)

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterable[Ruled]:
        if isinstance(reply, Rolled):
            return (*throw(reply), Ruled(then(Turns()), TURNS))
        if isinstance(reply, Confirmed):
            return fight()
        if reply is None:
            return skip(state)
        assert isinstance(reply, Placed)  # noqa: S101  the kernel checked the kind
        return play(state, reply)

    def forecast(self, state: Duel) -> tuple[Text, ...]:
        left = 2 * COLUMNS - state.turn
        return (Text("forecast.turns", (("turns", left),)),) if left else (Text("forecast.fight"),)


_DONE = OneOf((Confirmed(True),))
_ASK_PLAY = tuple(Text("ask.play", (("seat", letter),)) for letter in SEATS)


def play(state: Duel, reply: Placed) -> Iterator[Ruled]:
    yield from lay(state, reply)
    row, column = SLOTS[reply.slot]
    seat = SEATS.index(row)
    tasks = tasks_of(state, seat, column, state.box.cards[reply.piece], covered=state.rows[seat][column] is not None)
    if tasks is not None:
        yield Ruled(then(tasks), TASKS)
    yield Ruled(then(Refill(seat)), REFILL)
    yield Ruled(then(Turns()), TURNS)


def fight() -> Iterator[Ruled]:
    columns = (FightColumn(column) for column in range(COLUMNS))
    yield Ruled(then(*columns, StageThreeEnds(), frame="stage 3"), FIGHT)
    yield Ruled(then(DealRegions()), DEAL)
    yield Ruled(then(Turns()), TURNS)


def skip(state: Duel) -> Iterator[Ruled]:
    seat = state.seat
    assert seat is not UNKNOWN  # noqa: S101  only a known seat can be without cards
    why = cite("AL-Q20") if state.hands[seat] == 0 else cite("AL-38")
    yield Ruled(TurnSkipped(seat), why)
    yield Ruled(then(Turns()), TURNS)


class Refill(Step[Duel], frozen=True):
    """AL-46 After the tasks the player draws until the hand holds the current maximum."""

    seat: int

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterable[Ruled]:
        yield from draw(state, self.seat, REFILL)
        yield Ruled(TurnEnded(self.seat), TURNS)

    def forecast(self, state: Duel) -> tuple[Text, ...]:
        wanted = missing(state, self.seat)
        if wanted == 0:
            return ()
        return (Text("forecast.draw", (("seat", SEATS[self.seat]), ("cards", "?" if wanted is UNKNOWN else wanted))),)
