"""Parade, a small game of the tests: markers are put in order, then the first one rolls and goes last.

It has what Realm of Wonder has in its turn track, and nothing else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

from msgspec.structs import replace

from companion.journal.entry import Entry, Header
from companion.kernel import (
    BoardModel,
    Confirmed,
    Due,
    Effect,
    Game,
    Lying,
    OneOf,
    Ordered,
    Orders,
    Position,
    Question,
    Refusal,
    Reply,
    Rolled,
    Rolls,
    Ruled,
    Setup,
    State,
    Step,
    Term,
    Text,
    cite,
    open_position,
    refuse,
    rule,
    settle,
    then,
)
from companion.rulebook.article import RECONCILED
from companion.rulebook.strings import Strings
from companion.table.session import Session
from companion.table.voice import Voice
from tests.table.evenings import Memory

SEATS = ("A", "B", "C", "D")
NAMES = ("Ann", "Ben", "Cleo", "Dan")
FACES = ("1", "2", "3", "4", "5", "6")
WORDS = {
    "ask.line_up": "Put the markers in order.",
    "ask.race": "{seat}: throw two dice.",
    "race.two_dice": "Two dice with the faces 1 to 6 are thrown.",
    "ask.again": "Once more?",
    "effect.LinedUp": "The markers are in order.",
    "effect.Ran": "{seat} ran {faces} and goes last.",
}


class Parade(State, frozen=True):
    order: tuple[str, ...] = ()
    rolls: tuple[tuple[str, tuple[str, ...]], ...] = ()


class LinedUp(Effect, frozen=True):
    order: tuple[str, ...]

    def apply(self, state: Parade) -> Parade:
        return replace(state, order=self.order)


class Ran(Effect, frozen=True):
    seat: str
    faces: tuple[str, ...]

    def apply(self, state: Parade) -> Parade:
        first, *others = state.order
        return replace(state, order=(*others, first), rolls=(*state.rolls, (self.seat, self.faces)))


class LineUp(Step[Parade], frozen=True):
    def questions(self, state: Parade) -> tuple[Question, ...]:
        return (Question("line_up", "order", None, Orders(SEATS), cite("P-1"), Text("ask.line_up")),)

    @rule("P-1")
    def resolve(self, state: Parade, to: str, reply: Reply | None) -> Iterable[Effect | Ruled]:
        assert isinstance(reply, Ordered)
        yield LinedUp(reply.items)
        yield then(Race())


class Race(Step[Parade], frozen=True):
    def questions(self, state: Parade) -> tuple[Question, ...]:
        seat = state.order[0]
        text = Text("ask.race", (("seat", seat),))
        return (Question("race", "roll", SEATS.index(seat), Rolls([FACES, FACES]), cite("P-2"), text),)

    def refuse(self, state: Parade, to: str, reply: Reply) -> Refusal | None:
        fits = reply in self.questions(state)[0].domain
        return None if fits else refuse(cite("P-2"), "race.two_dice")

    @rule("P-2")
    def resolve(self, state: Parade, to: str, reply: Reply | None) -> Iterable[Effect | Ruled]:
        assert isinstance(reply, Rolled)
        yield Ran(state.order[0], reply.faces)
        yield then(Again())


class Again(Step[Parade], frozen=True):
    def questions(self, state: Parade) -> tuple[Question, ...]:
        return (Question("again", "confirm", None, OneOf((Confirmed(),)), cite("P-3"), Text("ask.again")),)

    @rule("P-3")
    def resolve(self, state: Parade, to: str, reply: Reply | None) -> Iterable[Effect | Ruled]:
        yield then(LineUp() if len(state.rolls) % 4 == 0 else Race())


class ParadeGame(Game):
    key, title, seats, rows, columns = "parade", "Parade", (4, 4), (), 0

    def start(self, setup: Setup) -> Position:
        return open_position(Parade(), ((LineUp(), cite("P-1")),))

    def lined_up(self, order: tuple[str, ...]) -> Position:
        """The position in which the first one rolls."""
        return settle(Parade(order), (Due(Race(), cite("P-2"), ("game",)),))

    def track(self, state: Parade) -> tuple[str, ...]:
        return state.order

    def scene(self, state: Parade) -> Mapping[str, Lying]:
        return {}

    def score(self, state: Parade) -> tuple[Term, ...]:
        return tuple(Term(Text("ask.again"), 0, ()) for _ in SEATS)

    def board(self, position: Position) -> BoardModel:
        return BoardModel(0, 0, (), (), ())

    def tell(self, effect: Effect) -> Text:
        if isinstance(effect, Ran):
            return Text("effect.Ran", (("seat", effect.seat), ("faces", " ".join(effect.faces))))
        return super().tell(effect)


GAME = ParadeGame()


def parade(order: tuple[str, ...] = (), entries: tuple[Entry, ...] = ()) -> Session:
    """A session of Parade; with an `order` the markers are put so already and the first one rolls."""
    header = Header(game=GAME.key, rules_version="0", edition=RECONCILED, seats=NAMES)
    start = GAME.lined_up(order) if order else GAME.start(Setup({}, NAMES))
    voice = Voice(GAME, strings(), NAMES)
    return Session(GAME, header, lambda header: start, Memory(entries), voice, entries)


def strings() -> Strings:
    return Strings(table_sentences() | WORDS)


def table_sentences() -> dict[str, str]:
    """The sentences of the table's own protocol."""
    text = (files("companion.rulebook") / "sentences" / "en.toml").read_text(encoding="utf-8")
    table: dict[str, dict[str, Any]] = tomllib.loads(text)
    return {f"{group}.{key}": says for group, all_of in table.items() for key, says in all_of.items()}
