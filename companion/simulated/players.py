"""Two seeded players who play one legal game of Allies with their hands.

They also do what the game asks of people besides their turns: lots, turning and taking region
cards, clearing rows, dealing new regions.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator

from companion.simulated.gestures import Bump, Gesture, Push, Reach, Throw, Withdraw
from companion.simulated.referee import SEAT_NAMES, facing_value, fight, hand_maximum, region_line
from companion.simulated.turns import Habits, TurnTaker
from companion.simulated.world import COLUMNS, ROUNDS, World

TURNS_PER_SEAT = 5


class Players:
    """Both players of one game; `play` yields what they do and changes the world on the way."""

    def __init__(self, world: World, rng: random.Random, habits: Habits | None = None) -> None:
        self.world = world
        self.habits = habits or Habits()
        self._rng = rng
        self._turns = TurnTaker(world, rng, self.habits)
        self._maximum = [5, 5]

    def play(self) -> Iterator[Gesture]:
        """Play four rounds, from the empty mat to the last region card."""
        for seat in (0, 1):
            self.world.draw(seat, self._maximum[seat])
        yield Withdraw(2.0)
        starter = yield from self._throw_for_start()
        for number in range(1, ROUNDS + 1):
            first = (starter + number - 1) % 2
            yield from self._deal_regions(first)
            yield from self._take_turns(first)
            yield from self._turn_regions(number)
            if number < ROUNDS:
                yield from self._clear(number, first)

    def _throw_for_start(self) -> Generator[Gesture, None, int]:
        """Throw two dice, seat 0's first; the higher one starts, equal dice are thrown again."""
        faces = (1, 1)
        while faces[0] == faces[1]:
            faces = (self._rng.randint(1, 6), self._rng.randint(1, 6))
            yield Throw(tuple(map(str, faces)))
            yield Withdraw(self.habits.rest)
        return int(faces[1] > faces[0])

    def _deal_regions(self, dealer: int) -> Iterator[Gesture]:
        for slot in self.world.free_slots("R"):
            card = self.world.deal_region(slot)
            if card is not None:
                yield Reach(dealer, "deal", (slot,), card)
        yield Withdraw(self.habits.rest)

    def _take_turns(self, first: int) -> Iterator[Gesture]:
        self._turns.wizards = [0, 0]
        for number in range(2 * TURNS_PER_SEAT):
            seat = (first + number) % 2
            if self.world.seats[seat].hand:
                yield from self._turns.take(seat)
            self.world.draw(seat, self._maximum[seat] + self._turns.wizards[seat])
            if self._rng.random() < self.habits.bump:
                yield Bump(self._rng.uniform(-4.0, 4.0), self._rng.uniform(-4.0, 4.0))
                yield Withdraw(self.habits.rest)
        yield Push(first, "done")
        yield Withdraw(self.habits.rest)

    def _turn_regions(self, number: int) -> Iterator[Gesture]:
        """Stage 3: fight out each column, turn its region card by hand, take it if it is won."""
        for column in COLUMNS:
            slot = f"R{column}"
            region = self.world.slots[slot]
            if region is None:
                continue
            line = region_line(region.turn)
            outcome = fight(line, self._fighter(0, column), self._fighter(1, column))
            if outcome.won_by is not None:
                self.world.take_region(slot, outcome.won_by, number)
                yield Reach(outcome.won_by, "take", (slot,), region.card)
            elif outcome.line != line:
                self.world.turn(slot, self._quarters(region.turn, outcome.line))
                yield Reach(int(outcome.line < line), "turn", (slot,))
            else:
                continue
            if self._rng.random() < self.habits.look_after_column:
                yield Withdraw(self.habits.rest)
        yield Withdraw(self.habits.rest)

    def _fighter(self, seat: int, column: int) -> tuple[int, bool]:
        laid = self.world.slots[f"{SEAT_NAMES[seat]}{column}"]
        if laid is None:
            return (0, False)
        card = self.world.box.tribe[laid.card]
        return (facing_value(card, seat, laid.turn), card.crown)

    def _quarters(self, turn: int, line: int) -> int:
        """Return the quarters clockwise that bring a region card to `line`; either way to neutral."""
        wanted = {1: 2, -1: 0}.get(line)
        return self._rng.choice((1, -1)) if wanted is None else (wanted - turn + 1) % 4 - 1

    def _clear(self, number: int, first: int) -> Iterator[Gesture]:
        """Stage 4: discard rows and hands, work out the new maximum, draw."""
        won = [[self.world.box.region[key].kind for key in seat.won[number - 1]] for seat in self.world.seats]
        for seat in (first, 1 - first):
            slots = tuple(self.world.row(seat))
            self.world.clear_row(seat)
            if slots:
                yield Reach(seat, "clear", slots)
            self._maximum[seat] = hand_maximum(self.world.seats[seat].tribes, won[seat], won[1 - seat])
            self.world.draw(seat, self._maximum[seat])
        yield Withdraw(self.habits.rest)
