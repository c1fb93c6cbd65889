"""What a game's set may and must hold: the kinds of pieces, their printed fields, how many of each.

A game states it in `box.toml` in its own folder; the page about sets (docs/own-cards.md) tells an owner
the same in words. Nothing here knows a game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Literal

import msgspec

Value = str | int


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"least": "from", "most": "to"}):
    """One printed value.

    `word`: a text; `number`: a whole number; `flag`: true or false; `words`, `numbers`: lists of
    these; `piece`: the key of another piece of the same kind. `one_of`, `least` and `most` bound
    each value, `length` and `at_most` a list. A field with a `default` may be left out.
    `rising` asks a list to rise, and not to be level; it is the advice given when it does not.
    """

    is_: Literal["word", "number", "flag", "words", "numbers", "piece"] = msgspec.field(name="is")
    one_of: tuple[Value, ...] = ()
    least: int | None = None
    most: int | None = None
    length: int | None = None
    at_most: int | None = None
    rising: str = ""
    default: str | int | bool | tuple[Value, ...] | None = None


class Count(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many pieces of a kind there are: of the whole kind, or only those with the values of `where`.

    `article` is the rulebook's line that says so.
    """

    called: str
    number: int
    article: str
    where: dict[str, str | int | bool] = {}


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of piece. Each of `count` must be met."""

    fields: dict[str, Field]
    count: tuple[Count, ...] = ()


Form = Mapping[str, Kind]
"""The kinds of a game's pieces, by the name of their tables in `set.toml`."""


@lru_cache(maxsize=8)
def load_form(game: str) -> Form | None:
    """Return the form of a game's set, None if the game states none.

    :raises msgspec.ValidationError: for a `box.toml` that is not of this form; a fault of the game.
    """
    if not game.isidentifier():
        return None
    try:
        text = resources.files(f"companion.games.{game}").joinpath("box.toml").read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        return None
    return msgspec.convert(tomllib.loads(text), dict[str, Kind])
