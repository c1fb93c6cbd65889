"""What the table of a game of Pig shows: points, the stake, a bonus card in front of each player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from companion.games._template.pieces import CARDS, SEATS
from companion.games._template.steps.ending import target_reached
from companion.kernel import UNSEEN, Ruled, State

_TARGETS = {"thirty": 30, "fifty": 50, "hundred": 100}


class Pig(State, frozen=True):
    """Everything the rules need to know of the table; tuples have one item for each seat."""

    standing: ClassVar[tuple[Callable[[Any], Iterable[Ruled]], ...]] = (target_reached,)

    options: Mapping[str, str]
    banked: tuple[int, ...]
    bonus: tuple[str | None, ...]
    """The bonus card in front of each player: UNSEEN while it lies face down, None for none."""
    turned_up: tuple[tuple[str, ...], ...]
    """The bonus cards that each player has turned up; they are back in the box."""
    seat: int = 0
    """Whose turn it is."""
    stake: int = 0

    @property
    def letter(self) -> str:
        return SEATS[self.seat]

    @property
    def target(self) -> int:
        return _TARGETS[self.options["target_score"]]

    @property
    def next_seat(self) -> int:
        return (self.seat + 1) % len(self.banked)

    @property
    def known(self) -> tuple[str, ...]:
        """The cards whose faces have been seen, wherever they are."""
        lying = tuple(card for card in self.bonus if card is not None and card != UNSEEN)
        return (*lying, *(card for cards in self.turned_up for card in cards))

    @property
    def pile(self) -> int:
        """How many cards the pile still holds; nobody need count them."""
        drawn = sum(card is not None for card in self.bonus) + sum(len(cards) for cards in self.turned_up)
        return len(CARDS) - drawn
