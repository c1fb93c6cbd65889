"""Plays: cases whose moves are replies in notation, carried into a real position of the game.

Moves are texts `KEY: REPLY`, the key of a question or offer and the reply as `reply.py` writes it:
`play: yeti-03 @ A2`, `strengthen 1: B1`, `yeti: R1 <> R4`. Every move must be allowed, unless it
begins with `try` (carried out if allowed, left if not) or `would` (tried out and taken back).

`asks` names projections, or gives each wanted key one:

| projection     | means                                                       |
|----------------|-------------------------------------------------------------|
| `legal 2`      | whether the second move (tried or not) was allowed          |
| `due`          | the key of the question that is due                         |
| the game's own | what the game reads off its table, such as `value of B1`    |
| `X after 2`    | X as it was after the second move                           |
| `X is V`       | whether X has the value V                                   |
| `change of X`  | whether X is another one at the end than at the beginning   |
| `count of X`   | how many X lists                                            |

`position` may state `seats`, the number of players; without it, it is the least that the game allows.

A key that is the key of an edition (`fi`, `en`; `default` for the reconciled one) is judged under
that edition; such keys may also stand inside another key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import ascii_uppercase
from typing import Any

import msgspec

from companion.kernel import (
    Answer,
    Citation,
    Game,
    NotationError,
    Position,
    Refusal,
    Ruled,
    Setup,
    Term,
    Unknown,
    advance,
)
from companion.notation.case import Case, Ruling, compare, options_of
from companion.notation.document import DocumentError
from companion.notation.reply import parse_reply
from companion.rulebook.article import RECONCILED, Option, Rulebook
from companion.rulebook.strings import load_strings

Projection = Callable[[Position, Position, tuple[Ruled, ...], tuple[str, ...]], Any]
"""What a game reads off: position before the moves, position now, everything told in between, words.

Raises `NotationError` for words that name nothing on its table. Of a `Term` it is the points, and its articles
are cited.
"""
_DEFAULT = "default"
_NOT_ASKED = "table/question"
_MOVE = re.compile(r"(?:(try|would) +)?([^:]+?) *: *(.+)")


class Trace(msgspec.Struct, frozen=True):
    """A play as it went: the position before the first move and after each, and each move's outcome.

    `tried` is what the moves that were taken back told.
    """

    positions: tuple[Position, ...]
    told: tuple[tuple[Ruled, ...], ...]
    refusals: tuple[Refusal | None, ...]
    tried: tuple[Ruled, ...] = ()

    def cites(self) -> tuple[Citation, ...]:
        """Return the articles of every effect and refusal, each once."""
        told = [cite for each in (*self.told, self.tried) for ruled in each for cite in ruled.cites]
        refused = [cite for refusal in self.refusals if refusal for cite in refusal.cites]
        return tuple(dict.fromkeys(told + refused))


def judge_play(
    case: Case, game: Game, rulebook: Rulebook, position: type[Any], projections: Mapping[str, Projection]
) -> Ruling:
    """Rule a play under its edition, or under each edition that its keys name.

    :raises DocumentError: for a position, move or projection that does not fit, and for a move that
        is refused without having been marked as one to try.
    """
    judge = _Judge(case, game, rulebook, position, projections)
    asks = case.doc.asks
    named = {ask: ask for ask in asks} if isinstance(asks, list) else asks
    ruling = judge.values("asks", named, case.doc.edition)
    told = [cite for trace in judge.traces.values() for cite in trace.cites()]
    articles = tuple(dict.fromkeys(str(cite) for cite in (*told, *judge.counted)))
    depends = judge.depends(articles, named, ruling)
    if judge.unknown:
        reason = f"not stated, and the ruling depends on it: {', '.join(judge.unknown)}"
        return compare(case, Ruling(case.doc.id, "undecidable", {}, articles, depends, (), reason))
    return compare(case, Ruling(case.doc.id, "ruled", ruling, articles, depends, ()))


class _Judge:
    def __init__(
        self, case: Case, game: Game, rulebook: Rulebook, position: type[Any], projections: Mapping[str, Projection]
    ) -> None:
        self.case, self.game, self.rulebook = case, game, rulebook
        self.position, self.projections = position, projections
        self.traces: dict[str, Trace] = {}
        self.unknown: list[str] = []
        self.counted: list[Citation] = []
        """The articles of the sums that were read off."""

    def values(self, field: str, asks: Mapping[str, Any], edition: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, ask in asks.items():
            under = RECONCILED if key == _DEFAULT else key if key in self.rulebook.editions else edition
            at = f"{field}.{key}" if isinstance(self.case.doc.asks, dict) else field
            if isinstance(ask, Mapping):
                found[key] = self.values(at, ask, under)
            elif isinstance(ask, str):
                found[key] = self.value(at, ask, under)
            else:
                raise self.case.fault(at, f"found {ask!r}, expected a projection such as 'legal 1'")
        return found

    def value(self, field: str, ask: str, edition: str) -> Any:
        if edition not in self.traces:
            self.traces[edition] = self.play(edition)
        try:
            value = self.read(ask, self.traces[edition])
        except NotationError as error:
            raise self.case.fault(field, str(error)) from None
        if isinstance(value, Unknown):
            self.unknown.append(ask)
        return value

    def depends(self, articles: tuple[str, ...], asks: Mapping[str, Any], ruling: Mapping[str, Any]) -> dict[str, str]:
        """Return the options that the ruling depended on, with all editions' values where several were judged.

        Those the rules cite, and, since a question that is not asked at all cites no option, those
        without which a move would not have been refused as not asked.
        """
        found: dict[str, str] = {}
        options = [options_of(self.case, self.rulebook, edition) for edition in self.traces]
        for option in self.rulebook.options.values():
            if option.id in articles or (_NOT_ASKED in articles and self._hinges(option, asks, ruling)):
                found[option.name] = " | ".join(dict.fromkeys(each[option.name] for each in options))
        return found

    def _hinges(self, option: Option, asks: Mapping[str, Any], ruling: Mapping[str, Any]) -> bool:
        stated = self.case.doc.options
        others = {name: value for name, value in stated.items() if name not in (option.name, option.id)}
        for value in option.values:
            doc = msgspec.structs.replace(self.case.doc, options=others | {option.name: value.value})
            other = Case(self.case.document, self.case.path, doc)
            judge = _Judge(other, self.game, self.rulebook, self.position, self.projections)
            try:
                if judge.values("asks", asks, doc.edition) != ruling:
                    return True
            except DocumentError:
                return True
        return False

    def start(self, edition: str) -> Position:
        doc = dict(self.case.doc.position)
        options = options_of(self.case, self.rulebook, edition)
        seats = self.seats(doc.pop("seats", self.game.seats[0]))
        try:
            if "setup" in doc:
                stated = self.case.convert("position.setup", doc["setup"], dict[str, Any])
                return self.game.start(Setup(options, seats, stated=stated))
            self.case.convert("position", doc, self.position)
            return self.game.open(doc, Setup(options, seats))
        except NotationError as error:
            raise self.case.fault("position", str(error).removeprefix("position: ")) from None

    def seats(self, number: Any) -> tuple[str, ...]:
        """Return the names of a play's seats: A, B and so on."""
        least, most = self.game.seats
        if not isinstance(number, int) or not least <= number <= most:
            says = f"found {number!r}; {self.game.title} is played by {least} to {most}"
            raise self.case.fault("position.seats", says)
        return tuple(ascii_uppercase[:number])

    def play(self, edition: str) -> Trace:
        at = self.start(edition)
        positions, told, refusals = [at], [at.told], list[Refusal | None]()
        tried: list[Ruled] = []
        for index, text in enumerate(self.case.doc.moves):
            how, answer = self.answer(f"moves[{index}]", text, positions[-1])
            after = advance(positions[-1], answer)
            refusal = after if isinstance(after, Refusal) else None
            if refusal and not how:
                raise self.case.fault(f"moves[{index}]", f"refused under {edition}: {self.say(refusal)}")
            if isinstance(after, Position) and how == "would":
                tried += after.told
            kept = after if isinstance(after, Position) and how != "would" else None
            positions.append(kept or positions[-1])
            told.append(kept.told if kept else ())
            refusals.append(refusal)
        return Trace(tuple(positions), tuple(told), tuple(refusals), tuple(tried))

    def answer(self, field: str, text: Any, at: Position) -> tuple[str, Answer]:
        match = _MOVE.fullmatch(text.strip()) if isinstance(text, str) else None
        if match is None:
            raise self.case.fault(field, f"found {text!r}, expected a move such as 'play: yeti-03 @ A2'")
        how, key, reply = match.groups()
        kind = next((each.kind for each in at.questions if each.key == key), None)
        if kind is not None:
            try:
                return how or "", Answer(key, parse_reply(kind, reply))
            except NotationError as error:
                raise self.case.fault(field, str(error)) from None
        return how or "", Answer(key, self.unasked(field, reply))

    def unasked(self, field: str, text: str) -> Any:
        """Return the reply to a question that is not asked: of the first kind whose form it has."""
        for kind in ("confirm", "count", "move", "place", "turn", "roll"):
            try:
                return parse_reply(kind, text)
            except NotationError:
                continue
        raise self.case.fault(field, f"found {text!r}, expected a reply such as 'yeti-03 @ A2' or 'yes'")

    def say(self, refusal: Refusal) -> str:
        strings = load_strings(self.game.key)
        says = strings.say(refusal.text.key, dict(refusal.text.values))
        return f"{says} ({' '.join(str(cite) for cite in refusal.cites)})"

    def read(self, ask: str, trace: Trace) -> Any:
        if match := re.fullmatch(r"(.+?) is (.+)", ask):
            value = self.read(match[1], trace)
            return value if isinstance(value, Unknown) else _word(value) == match[2]
        if match := re.fullmatch(r"(.+) after (\d+)", ask):
            count = int(match[2])
            if count >= len(trace.positions):
                raise NotationError(f"found 'after {count}', but the play has {len(trace.positions) - 1} moves")
            early = Trace(trace.positions[: count + 1], trace.told[: count + 1], trace.refusals[:count])
            return self.read(match[1], early)
        if match := re.fullmatch(r"change of (.+)", ask):
            start = Trace(trace.positions[:1], trace.told[:1], ())
            values = [self.read(match[1], each) for each in (start, trace)]
            return next((each for each in values if isinstance(each, Unknown)), values[0] != values[1])
        if match := re.fullmatch(r"count of (.+)", ask):
            return len(self.read(match[1], trace))
        if match := re.fullmatch(r"legal (\d+)", ask):
            move = int(match[1])
            if not 1 <= move <= len(trace.refusals):
                raise NotationError(f"found 'legal {move}', but the play has {len(trace.refusals)} moves")
            return trace.refusals[move - 1] is None
        if ask == "due":
            question = trace.positions[-1].question
            return "none" if question is None else question.key
        return self.project(ask, trace)

    def project(self, ask: str, trace: Trace) -> Any:
        # The longest name first, so that one projection may be called like the beginning of another.
        for name in sorted(self.projections, key=len, reverse=True):
            if ask == name or ask.startswith(f"{name} "):
                told = tuple(ruled for each in trace.told for ruled in each)
                words = tuple(ask.removeprefix(name).split())
                value = self.projections[name](trace.positions[0], trace.positions[-1], told, words)
                if isinstance(value, Term):
                    self.counted += _cited(value)
                    return value.points
                return value
        known = ", ".join(["legal", "due", *self.projections])
        raise NotationError(f"found {ask!r}, expected one of the projections {known}")


def _cited(term: Term) -> list[Citation]:
    return [*term.cites, *(cite for part in term.parts for cite in _cited(part))]


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
