"""What dice can still be rolled for, stated so that anyone can reckon the odds (`companion.odds`).

A game states the dice, what they show, how often they may still be rolled, and its goals. It never
reckons with chance itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from companion.kernel.rules import Citation, Text


class Aim(Protocol):
    """What dice must come to. Aims are values: equal ones ask the same, and they can be hashed."""

    def __hash__(self) -> int: ...

    def sees(self, face: str) -> str:
        """Return what of a face matters here, such as its colour."""

    def met(self, seen: Sequence[str]) -> bool:
        """Return whether dice of which that was seen reach the aim; their order says nothing."""


class Goal(msgspec.Struct, frozen=True):
    """One thing to roll for: the piece that it wins, how people call it, and why it is a goal."""

    piece: str
    aim: Aim
    text: Text
    cites: tuple[Citation, ...]


class Rolling(msgspec.Struct, frozen=True):
    """Dice in the middle of their rolls.

    `dice` are the faces of each die, as often as they are on it; `faces` is what lies there, in the
    order of the dice, empty before the first roll. `rolls` are left; without `may_stop` each of them
    has to be made, with at least one die.
    """

    dice: tuple[tuple[str, ...], ...]
    faces: tuple[str, ...]
    rolls: int
    goals: tuple[Goal, ...]
    may_stop: bool = True
