"""Citations are values: whatever the engine says points at the article that makes it say so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Literal, ParamSpec

import msgspec

if TYPE_CHECKING:
    from companion.kernel.effects import Effect

P = ParamSpec("P")

Level = Literal["rule", "option", "card", "faq", "house", "table"]
"""rule: the printed rulebook; option: a table option decided an ambiguity; card: text on a card;
faq: the publisher; house: agreed at this table; table: our own protocol."""


class Citation(msgspec.Struct, frozen=True, order=True):
    """A pointer to one article of a game's rulebook, for example `AL-63`."""

    article: str
    level: Level = "rule"

    def __str__(self) -> str:
        return self.article


def cite(*articles: str) -> tuple[Citation, ...]:
    """Return citations for article ids; ids with `-Q` are table options, ids with `table/` ours."""
    return tuple(_citation(article) for article in articles)


def _citation(article: str) -> Citation:
    if article.startswith("table/"):
        return Citation(article, "table")
    return Citation(article, "option" if "-Q" in article or "-E" in article else "rule")


class Text(msgspec.Struct, frozen=True):
    """A sentence for people: its key in the game's `strings`, and the values that fill it."""

    key: str
    values: tuple[tuple[str, str | int], ...] = ()


class Refusal(msgspec.Struct, frozen=True):
    """A "no", with the articles that say so and the values that show it. Nothing was changed."""

    cites: tuple[Citation, ...]
    text: Text


def refuse(articles: tuple[Citation, ...], key: str, **values: str | int) -> Refusal:
    """Return the refusal with the text `key` of the game's strings, filled with `values`."""
    return Refusal(articles, Text(key, tuple(values.items())))


class Ruled(msgspec.Struct, frozen=True):
    """An effect together with the articles that caused it."""

    effect: Effect
    cites: tuple[Citation, ...]


def rule(*articles: str) -> Callable[[Callable[P, Iterable[Effect | Ruled]]], Callable[P, Iterator[Ruled]]]:
    """Stamp each effect that the decorated rule yields with the articles it comes from.

    A rule may yield a `Ruled` of its own where one effect has another reason than the rest.
    """
    cites = cite(*articles)

    def stamp(body: Callable[P, Iterable[Effect | Ruled]]) -> Callable[P, Iterator[Ruled]]:
        @wraps(body)
        def ruled(*args: P.args, **kwargs: P.kwargs) -> Iterator[Ruled]:
            for effect in body(*args, **kwargs):
                yield effect if isinstance(effect, Ruled) else Ruled(effect, cites)

        return ruled

    return stamp
