"""Skirmish, a small game of the tests: attacker and defender throw a die each, the higher one wins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from companion.journal.entry import Header
from companion.kernel import (
    BoardModel,
    Effect,
    Finish,
    Game,
    Lying,
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
    then,
)
from companion.rulebook.strings import Strings
from companion.table.session import Session, Store
from companion.table.voice import Voice
from tests.table.parade import table_sentences

NAMES = ("Ann", "Ben")
FACES = ("1", "2", "3", "4", "5", "6")
KEYS = ("attack", "defend")


class Skirmish(State, frozen=True):
    thrown: tuple[int, ...] = ()


class Threw(Effect, frozen=True):
    seat: int
    pips: int

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, thrown=(*state.thrown, self.pips))


class Fight(Step[Skirmish], frozen=True):
    def questions(self, state: Skirmish) -> tuple[Question, ...]:
        seat = len(state.thrown)
        return (Question(KEYS[seat], "roll", seat, Rolls([FACES]), cite("S-1"), Text(f"ask.{KEYS[seat]}")),)

    def refuse(self, state: Skirmish, to: str, reply: Reply) -> Refusal | None:
        return None if reply in self.questions(state)[0].domain else refuse(cite("S-1"), "fight.one_die")

    @rule("S-1")
    def resolve(self, state: Skirmish, to: str, reply: Reply | None) -> Iterable[Effect | Ruled]:
        assert isinstance(reply, Rolled)
        yield Threw(len(state.thrown), int(reply.faces[0]))
        yield then(Decide() if state.thrown else Fight())


class Decide(Step[Skirmish], frozen=True):
    @rule("S-2")
    def resolve(self, state: Skirmish, to: str, reply: Reply | None) -> Iterable[Effect | Ruled]:
        attack, defence = state.thrown
        yield Finish(0 if attack > defence else 1, state.thrown)


class SkirmishGame(Game):
    key, title, seats, rows, columns = "skirmish", "Skirmish", (2, 2), (), 0

    def start(self, setup: Setup) -> Position:
        return open_position(Skirmish(), ((Fight(), cite("S-1")),))

    def scene(self, state: Skirmish) -> Mapping[str, Lying]:
        return {}

    def score(self, state: Skirmish) -> tuple[Term, ...]:
        return (Term(Text("ask.attack"), 0, ()), Term(Text("ask.defend"), 0, ()))

    def board(self, position: Position) -> BoardModel:
        return BoardModel(0, 0, (), (), ())

    def tell(self, effect: Effect) -> Text:
        if isinstance(effect, Finish):
            return Text("effect.Finish", (("winner", "AB"[effect.winner or 0]),))
        values: tuple[tuple[str, Any], ...] = (("seat", "AB"[effect.seat]), ("pips", effect.pips))  # type: ignore[attr-defined]
        return Text("effect.Threw", values)


GAME = SkirmishGame()
HEADER = Header(game=GAME.key, rules_version="0", edition="", seats=NAMES)


def skirmish(store: Store) -> Session:
    words = table_sentences() | {
        "ask.attack": "{seat}: throw the die for the attack.",
        "ask.defend": "Throw the die for the defence.",
        "fight.one_die": "One die with the faces 1 to 6 is thrown.",
        "effect.Threw": "{seat} throws {pips}.",
        "effect.Finish": "{winner} has won the battle.",
    }
    voice = Voice(GAME, Strings(words), NAMES)
    return Session(GAME, HEADER, lambda header: GAME.start(Setup({}, NAMES)), store, voice)
