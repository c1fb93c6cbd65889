"""The counter spell: a window after each magic card, and after each counter spell."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder.effects.spells import CardShown, CardTakenBack
from companion.games.realm_of_wonder.pieces import COUNTER, SEATS
from companion.games.realm_of_wonder.state import Realm
from companion.games.realm_of_wonder.steps.asking import Asking, ask, one_of
from companion.kernel import (
    UNKNOWN,
    Cancel,
    Chosen,
    Question,
    Refusal,
    Reply,
    Ruled,
    Step,
    cite,
    refuse,
    then,
)

_WINDOW = cite("RW-133", "RW-134")
_CAST = cite("RW-52", "RW-53")
_ISLAND = cite("RW-78")
_AGAIN = cite("RW-Q08")
_COUNTERED = cite("RW-133", "RW-Q09")
_NOT_OWN = cite("RW-133")


class Window(Asking, frozen=True):
    """RW-134 Anybody else may counter a card that was shown; who does not want to need not say so.

    `number` is the announcement's, `seat` and `card` whose card it is and which.
    """

    number: int
    seat: int
    card: str

    def offers(self, state: Realm) -> tuple[Question, ...]:
        left = state.box.left(COUNTER, state.gone)
        holders = [seat for seat in state.seats if seat != self.seat and state.players[seat].magic != 0]
        if not holders or (left is not UNKNOWN and left <= 0):
            return ()
        names = one_of([SEATS[seat] for seat in holders])
        values = {"card": self.card, "caster": SEATS[self.seat]}
        island = any(state.on_island(state.players[seat].at) for seat in holders)
        why = (*_WINDOW, *(_ISLAND if island else ()))
        return (ask(f"counter {self.number}", "choose", None, names, why, "offer.counter", **values),)

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        if isinstance(reply, Chosen) and reply.picks == (SEATS[self.seat],):
            return refuse(_NOT_OWN, "counter.own", seat=SEATS[self.seat])
        return None

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if not isinstance(reply, Chosen):
            return
        seat, number = SEATS.index(reply.picks[0]), state.cast + 1
        yield Ruled(CardShown(seat, COUNTER, self.card), (*_WINDOW, *_CAST, *_AGAIN))
        steps: tuple[Step[Realm], ...] = (Counter(self.number, self.seat, self.card),)
        if state.options["counter_countered"] == "yes":
            steps = (Window(number, seat, COUNTER), *steps)
        yield Ruled(then(*steps, pending=f"spell {number}"), (*_WINDOW, *_AGAIN))
        # If the counter spell is countered itself, somebody else may still counter this card.
        yield Ruled(then(self, pending=f"spell {self.number}"), _WINDOW)


class Counter(Step[Realm], frozen=True):
    """RW-133 The countered card has no effect; where it goes is RW-Q09."""

    number: int
    seat: int
    card: str

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        yield Ruled(Cancel(f"spell {self.number}"), _COUNTERED)
        if state.options["countered_card"] == "returns":
            yield Ruled(CardTakenBack(self.seat, self.card), _COUNTERED)
