"""Playthroughs: whole games as text, with every question, answer and effect and the articles behind it.

A playthrough is written anew from its own answers, so that a change of the rules shows as a changed
line. The head says what was agreed; then one block for each answer:

    ? play (A) A: lay a card into your row, its arrow at the middle. [AL-36 AL-37 AL-38]
    + golem (A) Golem: turn a card back to its arrow [AL-89 AL-90]
    > play: golem-07 @ A2
    = A lays golem-07 into column 2; it shows 3. [AL-38 AL-39]
    ! golem-07 has already been seen elsewhere; every card exists once. [table/inventory]

`?` is the due question, `+` an offer beside it, `>` the answer, `=` an effect, `!` a refusal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from companion.kernel import Answer, Citation, Game, NotationError, Position, Question, Refusal, Ruled, Setup, advance
from companion.notation.document import Document, convert, parse_document
from companion.notation.reply import format_reply, parse_reply
from companion.rulebook.article import RECONCILED
from companion.rulebook.strings import Strings, load_strings

_ANSWER = re.compile(r"> ([^:]+): (.+)")
_SEATS = "ABCDEFGH"


class Head(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a playthrough begins with; `shows` says why this game was chosen."""

    shows: str
    game: str
    edition: str = RECONCILED
    options: dict[str, str] = {}
    stated: dict[str, Any] = {}
    seats: int = 2


def read_playthrough(text: str, file: str = "playthrough") -> tuple[Head, list[tuple[str, str]]]:
    """Return the head of a playthrough and its answers, each as key and reply in notation.

    :raises DocumentError: for a head that does not fit.
    """
    head, _, body = text.partition("\n---\n")
    document: Document = parse_document(head, file)
    answers = [match.groups() for line in body.splitlines() if (match := _ANSWER.fullmatch(line))]
    return convert(document, "", document.root, Head), [(key, reply) for key, reply in answers]


def write_playthrough(head: Head, game: Game, setup: Setup, answers: Iterable[tuple[str, str]]) -> str:
    """Return the playthrough of these answers as text.

    :raises NotationError: for an answer that cannot be read.
    """
    return "\n".join([*_head_lines(head), "---", *play_through(game, setup, answers)]) + "\n"


def play_through(game: Game, setup: Setup, answers: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of a game, block by block."""
    strings = load_strings(game.key)
    at = game.start(setup)
    yield from _effects(game, strings, at.told)
    for key, reply in answers:
        yield ""
        yield from _asked(strings, at)
        yield f"> {key}: {reply}"
        question = next((each for each in at.questions if each.key == key), None)
        if question is None:
            raise NotationError(f"{key!r} is not asked where the playthrough answers it")
        after = advance(at, Answer(key, parse_reply(question.kind, reply)))
        if isinstance(after, Refusal):
            yield f"! {strings.say(after.text.key, dict(after.text.values))} {_cited(after.cites)}"
        else:
            at = after
            yield from _effects(game, strings, at.told)
    yield ""
    yield from _asked(strings, at)
    yield from _score(strings, game, at)


def answers_of(positions: Iterable[tuple[str, Any]]) -> list[tuple[str, str]]:
    """Return answers given as key and reply record in notation."""
    return [(key, format_reply(reply)) for key, reply in positions]


def _head_lines(head: Head) -> Iterator[str]:
    for key, value in msgspec.to_builtins(head).items():
        yield f"{key}: {_flow(value)}"


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(each) for each in value) + "]"
    text = str(value)
    return text if re.fullmatch(r"[\w-]+( [\w-]+)*", text) else json.dumps(text, ensure_ascii=False)


def _asked(strings: Strings, at: Position) -> Iterator[str]:
    offers = at.offers
    for question in at.questions:
        yield f"{'+' if question in offers else '?'} {_question(strings, question)}"


def _question(strings: Strings, question: Question) -> str:
    seat = "" if question.seat is None else f"({_SEATS[question.seat]}) "
    return f"{question.key} {seat}{strings.say(question.text.key, dict(question.text.values))} {_cited(question.cites)}"


def _effects(game: Game, strings: Strings, told: Iterable[Ruled]) -> Iterator[str]:
    for ruled in told:
        text = game.tell(ruled.effect)
        yield f"= {strings.say(text.key, dict(text.values))} {_cited(ruled.cites)}"


def _score(strings: Strings, game: Game, at: Position) -> Iterator[str]:
    for total in game.score(at.state):
        parts = ", ".join(f"{strings.say(each.text.key, dict(each.text.values))} {each.points}" for each in total.parts)
        yield f"{strings.say(total.text.key, dict(total.text.values))} {total.points}: {parts}"


def _cited(cites: Iterable[Citation]) -> str:
    return f"[{' '.join(str(each) for each in cites)}]"
