"""Structured cases: how a game rules a position that fields decide, without a game being played.

A probe builds the position, lets the game's own steps run, and reads off what they tell. It reckons
nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from companion.kernel.game import Setup
from companion.kernel.questions import Question
from companion.kernel.rules import Citation, Ruled


class Finding(msgspec.Struct, frozen=True):
    """What the rules were seen to do: the keys' values, the effects told, what had to be assumed.

    `open` is the question that the rules could not go on without, `missing` names fields that were
    left out and decide the ruling; `cites` are articles beyond those of the effects (of a refusal,
    of a score).
    """

    ruling: dict[str, Any]
    told: tuple[Ruled, ...] = ()
    cites: tuple[Citation, ...] = ()
    open: Question | None = None
    assumed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def two_seats(position: Any) -> tuple[str, ...]:
    """Return the seats of a game for two, whatever the position."""
    return ("A", "B")


class Probe(msgspec.Struct, frozen=True):
    """One kind of structured case: the records of its position and moves, and the keys it can rule.

    `run` takes the position, the moves, the keys asked for and the setup, and raises NotationError
    for a position that contradicts itself. `seats` names the players of a position. `keys` and `words`
    have other spellings of a position's keys and values that people use, with ours.
    """

    position: type[Any]
    move: type[Any]
    asks: tuple[str, ...]
    run: Callable[[Any, list[Any], tuple[str, ...], Setup], Finding]
    seats: Callable[[Any], tuple[str, ...]] = two_seats
    keys: Mapping[str, str] = {}
    words: Mapping[str, str] = {}

    def in_our_words(self, value: Any) -> Any:
        """Return what people wrote of a position with its keys and words as our records have them."""
        if isinstance(value, dict):
            ours = {key: self.keys.get(key, key) for key in value}
            return {key if ours[key] in value else ours[key]: self.in_our_words(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.in_our_words(each) for each in value]
        return self.words.get(value, value) if isinstance(value, str) else value
