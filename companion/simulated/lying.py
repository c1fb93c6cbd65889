"""How things lie on the simulated table: cards in slots, dice in the tray, and how carelessly."""

from __future__ import annotations

import random

import msgspec


class Laid(msgspec.Struct, frozen=True):
    """A card lying in a slot.

    `turn` is its quarter turns clockwise in the mat frame, `x` and `y` its centre's distance from the
    slot's centre in millimetres, `skew` its angle error in degrees clockwise.
    """

    card: str
    turn: int
    x: float = 0.0
    y: float = 0.0
    skew: float = 0.0


class Looseness(msgspec.Struct, frozen=True):
    """How carelessly cards are put down: standard deviations and the bound of both errors."""

    offset: float = 0.7
    offset_bound: float = 2.5
    skew: float = 1.6
    skew_bound: float = 5.0

    def put_down(self, card: str, turn: int, rng: random.Random, skew: float = 0.0) -> Laid:
        """Return how a card comes to lie that should lie at `turn`, `skew` degrees askew on purpose."""

        def slip(deviation: float, bound: float) -> float:
            return max(-bound, min(bound, rng.gauss(0.0, deviation)))

        aside, along = slip(self.offset, self.offset_bound), slip(self.offset, self.offset_bound)
        return Laid(card, turn, aside, along, slip(self.skew, self.skew_bound) + skew)


class LyingDie(msgspec.Struct, frozen=True):
    """A die at rest: which one, the face on top, where its middle lies (mm on the mat), its turn in degrees."""

    number: int
    face: str
    x: float
    y: float
    turn: float
