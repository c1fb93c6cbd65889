"""Sentences for people: each game folder's `strings/<language>.toml`, and how they are filled.

A sentence is found by its key and filled with values. A value that names a seat (`A`, `B`, ...) is
shown as the seat's name where the sentence asks for it: `{seat}` becomes the name, `{seat!r}` stays
the letter.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

SEAT_VALUES = ("seat", "toward", "starter", "winner", "loser", "owner", "attacker", "defender", "caster", "arrow")

SEAT_LISTS = ("seats",)
"""Values that list seats, joined by commas."""


class Strings:
    """The sentences of one game in one language, with those of the table's own protocol."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        self._sentences = dict(sentences)

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(self._sentences)

    def say(self, key: str, values: Mapping[str, str | int], names: Mapping[str, str] | None = None) -> str:
        """Return the sentence `key` filled with `values`, seats shown by their `names`.

        A value that the game has a word of its own for (`word.p2`) is shown as that word.

        :raises KeyError: if the language has no such sentence or it asks for a value not given.
        """
        shown: dict[str, Any] = {name: self._sentences.get(f"word.{value}", value) for name, value in values.items()}
        for name in SEAT_VALUES:
            if names and str(shown.get(name)) in names:
                shown[name] = names[str(shown[name])]
        for name in SEAT_LISTS:
            if names and name in shown:
                shown[name] = ", ".join(names.get(seat, seat) for seat in str(shown[name]).split(", "))
        return self._sentences[key].format_map(shown)


@cache
def load_strings(game: str, language: str = "en") -> Strings:
    """Return a game's sentences.

    :raises FileNotFoundError: if the game has no such language.
    """
    sentences = _read("companion.rulebook", "sentences", language)
    sentences |= _read(f"companion.games.{game}", "strings", language)
    return Strings(sentences)


def _read(package: str, folder: str, language: str) -> dict[str, str]:
    document = tomllib.loads((files(package) / folder / f"{language}.toml").read_text(encoding="utf-8"))
    return {f"{group}.{key}": text for group, texts in document.items() for key, text in texts.items()}
