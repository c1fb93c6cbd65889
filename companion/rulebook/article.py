"""What a rulebook is made of: articles, table options and printed editions. Plain data."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["component", "set-up", "flow", "effect", "scoring", "tie-break"]

Force = Literal["automatic", "claimable", "component"]
"""automatic: happens or binds by itself; claimable: a right that a player may use or leave;
component: describes what is in the box."""

Basis = Literal["text", "restored", "implied", "default"]
"""text: the rulebook says it; restored: a number lost in the digital text was put back;
implied: follows from the text; default: our reading of an ambiguity."""

Level = Literal["rule", "table"]
"""rule: the printed rulebook; table: our own protocol at the table."""

RECONCILED = "reconciled"
"""The default edition: every option at its default."""


class Article(msgspec.Struct, frozen=True):
    """One numbered rule in our own words, with the section of the printed rulebook it stands in.

    `editions` are the printed editions in which `text` holds as it stands. `options` are the names of the
    table options that change its meaning.
    """

    id: str
    title: str
    text: str
    section: str
    kind: Kind
    force: Force
    editions: tuple[str, ...]
    basis: Basis = "text"
    level: Level = "rule"
    options: tuple[str, ...] = ()


class OptionValue(msgspec.Struct, frozen=True):
    """One way to settle an option.

    `says` is the rule in one sentence for players; `texts` holds, by article id, the text of an article
    whose usual text is wrong under this value; `editions` are the editions that bundle the value.
    """

    value: str
    says: str
    texts: dict[str, str] = {}
    editions: tuple[str, ...] = ()


class Option(msgspec.Struct, frozen=True):
    """An ambiguity or a difference between editions that the table decides.

    `id` is the ambiguity (`AL-Q01`) or edition row (`AL-E19`), `rows` the edition rows it covers (`E14`),
    `setup` whether it is a switch at set-up.
    """

    name: str
    id: str
    question: str
    default: str
    values: tuple[OptionValue, ...]
    articles: tuple[str, ...]
    rows: tuple[str, ...] = ()
    setup: bool = False

    def find_value(self, value: str) -> OptionValue | None:
        """Return the value called `value`, or None if this option has no such value."""
        return next((each for each in self.values if each.value == value), None)


class Edition(msgspec.Struct, frozen=True):
    """A printed edition: the option values in which it departs from the defaults."""

    key: str
    name: str
    language: str
    options: dict[str, str] = {}


class Rulebook(msgspec.Struct, frozen=True):
    """All articles, options and editions of one game, each by its id, name or key, in the files' order."""

    game: str
    articles: dict[str, Article]
    options: dict[str, Option]
    editions: dict[str, Edition]
