"""Take an article away from a game's rules, to see who misses it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from companion.kernel import Citation, Question, Refusal, Ruled, State, Step, Term

_MOST_STEPS = 20_000
"""Rules that do not come to rest because an article is missing have failed."""


@contextmanager
def without(game: str, article: str) -> Iterator[None]:
    """Take an article away from a game's rules.

    Whatever rests on it does not happen: effects and following steps that cite it are dropped, also
    those of standing rules, questions and offers that cite it are not asked, refusals that cite it
    let the answer pass, and score terms that cite it count nothing. The game's package must have been
    imported.

    :raises RuntimeError: inside the block, if the rules do not come to rest without the article.
    """
    undo: list[tuple[Any, str, Any]] = []

    def replace(owner: Any, name: str, value: Any) -> None:
        undo.append((owner, name, owner.__dict__[name]))
        setattr(owner, name, value)

    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1
        if steps > _MOST_STEPS:
            steps = 0
            raise RuntimeError(f"the rules do not come to rest without {article}")

    def rests(cites: tuple[Citation, ...]) -> bool:
        return any(cite.article == article for cite in cites)

    for step in _classes_of(game, Step):
        for name in ("questions", "offers"):
            if name in step.__dict__:
                replace(step, name, _asking(step.__dict__[name], rests))
        if "refuse" in step.__dict__:
            replace(step, "refuse", _refusing(step.__dict__["refuse"], rests))
        if "resolve" in step.__dict__:
            replace(step, "resolve", _resolving(step.__dict__["resolve"], rests, count))
    for state in _classes_of(game, State):
        if "standing" in state.__dict__:
            replace(state, "standing", tuple(_watching(watch, rests) for watch in state.standing))
    for module in [each for name, each in sys.modules.items() if name.startswith(f"companion.games.{game}.")]:
        if module.__dict__.get("Term") is Term:
            replace(module, "Term", _scoring(rests))
    try:
        yield
    finally:
        for owner, name, value in reversed(undo):
            setattr(owner, name, value)


Rests = Callable[[tuple[Citation, ...]], bool]


def _asking(ask: Any, rests: Rests) -> Any:
    def asked(self: Any, state: Any) -> tuple[Question, ...]:
        return tuple(question for question in ask(self, state) if not rests(question.cites))

    return asked


def _refusing(refuse: Any, rests: Rests) -> Any:
    def refused(self: Any, state: Any, to: str, reply: Any) -> Refusal | None:
        refusal: Refusal | None = refuse(self, state, to, reply)
        return None if refusal is None or rests(refusal.cites) else refusal

    return refused


def _resolving(resolve_: Any, rests: Rests, count: Callable[[], None]) -> Any:
    def resolved(self: Any, state: Any, to: str, reply: Any) -> Iterator[Ruled]:
        count()
        return iter([ruled for ruled in resolve_(self, state, to, reply) if not rests(ruled.cites)])

    return resolved


def _watching(watch: Any, rests: Rests) -> Callable[[Any], Iterator[Ruled]]:
    def watched(state: Any) -> Iterator[Ruled]:
        return iter([ruled for ruled in watch(state) if not rests(ruled.cites)])

    return watched


def _scoring(rests: Rests) -> Callable[..., Term]:
    def term(text: Any, points: int, cites: tuple[Citation, ...], parts: tuple[Term, ...] = ()) -> Term:
        return Term(text, 0 if rests(cites) else points, cites, parts)

    return term


def _classes_of(game: str, base: type[Any]) -> list[type[Any]]:
    found: list[type[Any]] = []
    open_: list[type[Any]] = [base]
    while open_:
        subclasses = open_.pop().__subclasses__()
        open_ += subclasses
        found += [each for each in subclasses if each.__module__.startswith(f"companion.games.{game}.")]
    return found
