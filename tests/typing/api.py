"""What a game's author needs, as code that must type-check; nothing here is run.

A game of three numbers: the seats take turns to name a stake until one has ten. If a change of the
kernel breaks this file under mypy, it breaks every game folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, assert_type

from companion.kernel import (
    UNKNOWN,
    Answer,
    BoardModel,
    Citation,
    Confirmed,
    Counted,
    Effect,
    Finish,
    Game,
    Lying,
    NotationError,
    Numbers,
    OneOf,
    Position,
    Question,
    Refusal,
    Reply,
    Ruled,
    Setup,
    State,
    Step,
    Term,
    Text,
    Unknown,
    advance,
    cite,
    open_position,
    refuse,
    rule,
    then,
)

LIMIT = 10


class Stakes(State, frozen=True):
    """What the table shows: each seat's stake, and who named the last one."""

    stakes: tuple[int, ...]
    last: int | Unknown = UNKNOWN


class Raised(Effect, frozen=True):
    seat: int
    by: int

    def apply(self, state: Stakes) -> Stakes:
        stakes = tuple(stake + self.by * (seat == self.seat) for seat, stake in enumerate(state.stakes))
        return Stakes(stakes, self.seat)


class NameStake(Step[Stakes], frozen=True):
    """EX-2 A seat names one to three."""

    seat: int

    def questions(self, state: Stakes) -> tuple[Question, ...]:
        text = Text("ask.stake", (("seat", self.seat),))
        return (Question("stake", "count", self.seat, Numbers(1, 3), cite("EX-2"), text),)

    def offers(self, state: Stakes) -> tuple[Question, ...]:
        yes = OneOf((Confirmed(),))
        return (Question("stop", "confirm", self.seat, yes, cite("EX-3"), Text("offer.stop")),)

    def refuse(self, state: Stakes, to: str, reply: Reply) -> Refusal | None:
        if isinstance(reply, Counted) and reply.number > 3:
            return refuse(cite("EX-2"), "refuse.high", found=reply.number)
        return None

    def resolve(self, state: Stakes, to: str, reply: Reply | None) -> Iterable[Ruled]:
        match reply:
            case Counted(number=number):
                yield from raise_stake(state, self.seat, number)
            case _:
                yield Ruled(Finish(self.seat, state.stakes), cite("EX-3"))

    def forecast(self, state: Stakes) -> tuple[Text, ...]:
        return (Text("forecast.stake", (("seat", self.seat),)),)


@rule("EX-2", "EX-4")
def raise_stake(state: Stakes, seat: int, number: int) -> Iterator[Effect | Ruled]:
    yield Raised(seat, number)
    if state.stakes[seat] + number >= LIMIT:
        yield Ruled(Finish(seat, state.stakes), cite("EX-5"))
    else:
        yield then(NameStake((seat + 1) % len(state.stakes)), frame="round")


class Example(Game):
    key: ClassVar[str] = "example"
    title: ClassVar[str] = "An example"
    seats: ClassVar[tuple[int, int]] = (2, 3)
    rows: ClassVar[tuple[str, ...]] = ()
    columns: ClassVar[int] = 0

    def start(self, setup: Setup) -> Position:
        return open_position(Stakes((0,) * len(setup.seats)), ((NameStake(0), cite("EX-1")),))

    def open(self, document: Mapping[str, Any], setup: Setup) -> Position:
        if set(document) - {"stakes"}:
            raise NotationError(f"position: found {', '.join(document)}, expected stakes")
        return open_position(Stakes(tuple(document["stakes"])), ((NameStake(0), cite("EX-1")),))

    def write(self, position: Position) -> dict[str, Any]:
        return {"stakes": list(position.state.stakes)}

    def scene(self, state: Stakes) -> Mapping[str, Lying]:
        return {}

    def pieces(self, state: Stakes) -> Mapping[str, str]:
        return {}

    def score(self, state: Stakes) -> tuple[Term, ...]:
        return tuple(Term(Text("score.stake"), stake, cite("EX-5")) for stake in state.stakes)

    def board(self, position: Position) -> BoardModel:
        raise NotImplementedError

    def tell(self, effect: Effect) -> Text:
        match effect:
            case Raised(seat=seat, by=by):
                return Text("effect.raised", (("seat", seat), ("by", by)))
            case _:
                return super().tell(effect)


def play(game: Game, setup: Setup) -> tuple[Citation, ...]:
    """What the kernel gives back, type by type."""
    position = game.start(setup)
    question = position.question
    if question is None:
        return ()
    assert_type(question, Question)
    after = advance(position, Answer(question.key, Counted(2)))
    if isinstance(after, Refusal):
        assert_type(after.text, Text)
        return after.cites
    assert_type(after, Position)
    for reply in question.domain:
        assert_type(reply, Reply)
    return tuple(citation for ruled in after.told for citation in ruled.cites)
