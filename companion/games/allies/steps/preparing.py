"""Preparations: the first hands. What lies on the table before them is stated at set-up."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.allies.effects import CardsDrawn, MaximumSet
from companion.games.allies.state import BASE_HAND, Duel
from companion.kernel import Reply, Ruled, Step, cite

PREPARE = cite("AL-26", "AL-27")
_MAXIMUM = cite("AL-27")
_DRAW = cite("AL-23", "AL-26")


class Preparations(Step[Duel], frozen=True):
    """AL-26 Each player draws five cards from the own deck; five is the first hand maximum (AL-27)."""

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterator[Ruled]:
        for seat in (0, 1):
            yield Ruled(MaximumSet(seat, BASE_HAND, 0, 0), _MAXIMUM)
            yield Ruled(CardsDrawn(seat, BASE_HAND), _DRAW)
