"""What people at the table see happen, as data that knows how to apply itself."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from companion.games._template.state import Pig
from companion.kernel import Effect

T = TypeVar("T")


def _at(items: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*items[:seat], value, *items[seat + 1 :])


class StakeGrew(Effect, frozen=True):
    """The pips of a throw came to the stake."""

    seat: int
    pips: int

    def apply(self, state: Pig) -> Pig:
        return replace(state, stake=state.stake + self.pips)


class StakeLost(Effect, frozen=True):
    """A one was thrown, and what was at stake is gone."""

    seat: int
    points: int

    def apply(self, state: Pig) -> Pig:
        return replace(state, stake=0)


class Banked(Effect, frozen=True):
    """The stake went to the player's points."""

    seat: int
    points: int

    def apply(self, state: Pig) -> Pig:
        points = state.banked[self.seat] + self.points
        return replace(state, banked=_at(state.banked, self.seat, points), stake=0)


class BonusDrawn(Effect, frozen=True):
    """A bonus card came from the pile to the player's place; UNSEEN if it lies face down."""

    seat: int
    card: str

    def apply(self, state: Pig) -> Pig:
        return replace(state, bonus=_at(state.bonus, self.seat, self.card))


class BonusTurnedUp(Effect, frozen=True):
    """A player showed the own bonus card, counted it and put it into the box."""

    seat: int
    card: str

    def apply(self, state: Pig) -> Pig:
        shown = (*state.turned_up[self.seat], self.card)
        return replace(state, bonus=_at(state.bonus, self.seat, None), turned_up=_at(state.turned_up, self.seat, shown))


class DiePassed(Effect, frozen=True):
    """The die went to the next player."""

    seat: int

    def apply(self, state: Pig) -> Pig:
        return replace(state, seat=self.seat)
