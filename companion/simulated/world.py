"""The physical state of a real Allies table: where each of the 165 pieces of cardboard is.

The world allows whatever hands can do and refuses only what is physically impossible; whether an
act is legal is up to the players. It is never shown to the companion: witnesses see pictures of
it, pin edges and serial bytes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from companion.simulated.cards import CASTLE, TRIBES, CardBox
from companion.simulated.lying import Laid, Looseness, LyingDie
from companion.simulated.referee import (
    SEAT_NAMES,
    Standing,
    pile_points,
    region_line,
    row_points,
    start_turn,
    winner,
)

COLUMNS = (1, 2, 3, 4, 5)
ROUNDS = 4


@dataclass
class Seat:
    """What belongs to one seat and lies off the mat."""

    tribes: tuple[str, str]
    deck: list[str]
    hand: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    won: list[list[str]] = field(default_factory=lambda: [[] for _ in range(ROUNDS)])


class Truth(msgspec.Struct, frozen=True):
    """What really happened, in the form of `truth.json`."""

    score: Mapping[str, int]
    won: Mapping[str, list[list[str]]]
    regions: Mapping[str, Standing]


class World:
    """One table with two players' cards on it.

    Slots are `A1` to `A5` (seat 0), `B1` to `B5` (seat 1) and `R1` to `R5` (region cards).
    """

    def __init__(self, box: CardBox, rng: random.Random, looseness: Looseness | None = None) -> None:
        self.box = box
        self._rng = rng
        self._looseness = looseness or Looseness()
        tribes = rng.sample(TRIBES, 4)
        self.seats = (self._sit_down(tribes[0], tribes[1]), self._sit_down(tribes[2], tribes[3]))
        self.regions = [card.key for card in box.region_cards]
        rng.shuffle(self.regions)
        self.removed: list[str] = []
        self.slots: dict[str, Laid | None] = {f"{row}{column}": None for row in "BRA" for column in COLUMNS}
        self.dice: tuple[LyingDie, ...] = ()
        """No die lies on this mat: the two dice of the start are thrown into the dock's tray."""

    def _sit_down(self, *tribes: str) -> Seat:
        deck = [card.key for card in self.box.tribe_cards if card.tribe in tribes]
        self._rng.shuffle(deck)
        return Seat((tribes[0], tribes[1]), deck)

    # ---------- looking ----------

    def row(self, seat: int) -> dict[str, Laid]:
        """Return the tribe cards in a seat's row by slot."""
        return self._lying(SEAT_NAMES[seat])

    def region_row(self) -> dict[str, Laid]:
        """Return the region cards in the middle row by slot."""
        return self._lying("R")

    def _lying(self, letter: str) -> dict[str, Laid]:
        return {slot: laid for slot, laid in self.slots.items() if slot[0] == letter and laid is not None}

    def free_slots(self, letter: str) -> list[str]:
        """Return the empty slots of a row, `A`, `B` or `R`."""
        return [slot for slot, laid in self.slots.items() if slot[0] == letter and laid is None]

    def pieces(self) -> Iterator[str]:
        """Yield the card keys of every place at this table, unused tribes excepted."""
        for seat in self.seats:
            yield from seat.deck
            yield from seat.hand
            yield from seat.discard
            for pile in seat.won:
                yield from pile
        yield from self.regions
        yield from self.removed
        yield from (laid.card for laid in self.slots.values() if laid is not None)

    # ---------- hands ----------

    def draw(self, seat: int, maximum: int) -> None:
        """Fill a hand up to `maximum`, renewing an empty deck from the discard pile (AL-Q18)."""
        mine = self.seats[seat]
        while len(mine.hand) < maximum and (mine.deck or mine.discard):
            if not mine.deck:
                mine.deck, mine.discard = mine.discard, []
                self._rng.shuffle(mine.deck)
            mine.hand.append(mine.deck.pop())

    def lay(self, seat: int, card: str, slot: str, skew: float = 0.0) -> None:
        """Lay a card from a hand into a slot, arrow to the middle; a card lying there leaves the game.

        :raises ValueError: if the card is not in that hand.
        """
        hand = self.seats[seat].hand
        if card not in hand:
            raise ValueError(f"seat {SEAT_NAMES[seat]} does not hold {card!r}; lay one of {sorted(hand)}")
        hand.remove(card)
        covered = self.slots[slot]
        if covered is not None:
            self.removed.append(covered.card)
        self.slots[slot] = self._put_down(card, start_turn(seat), skew)

    def turn(self, slot: str, quarters: int) -> None:
        """Turn the card in a slot by quarters clockwise and let go of it.

        :raises ValueError: if nothing lies there.
        """
        laid = self._there(slot)
        self.slots[slot] = self._put_down(laid.card, (laid.turn + quarters) % 4)

    def straighten(self, slot: str) -> None:
        """Lay the card in a slot down again without turning it.

        :raises ValueError: if nothing lies there.
        """
        self.turn(slot, 0)

    def nudge(self, slot: str, x: float, y: float, skew: float) -> None:
        """Push the card in a slot to (x, y) mm off its middle, askew by `skew` degrees; nothing there, nothing done."""
        laid = self.slots[slot]
        if laid is not None:
            self.slots[slot] = Laid(laid.card, laid.turn, x, y, skew)

    def move(self, source: str, target: str) -> None:
        """Push a card to an empty slot; it keeps its turn.

        :raises ValueError: if nothing lies in `source` or something in `target`.
        """
        laid = self._there(source)
        self._require_free(target)
        self.slots[source], self.slots[target] = None, self._put_down(laid.card, laid.turn)

    def swap(self, one: str, other: str) -> None:
        """Let two cards trade slots; both keep their turn.

        :raises ValueError: if one of the slots is empty.
        """
        first, second = self._there(one), self._there(other)
        self.slots[one] = self._put_down(second.card, second.turn)
        self.slots[other] = self._put_down(first.card, first.turn)

    def deal_region(self, slot: str) -> str | None:
        """Deal the next region card sideways into an empty slot; None if the deck has run out.

        :raises ValueError: if the slot is taken.
        """
        self._require_free(slot)
        if not self.regions:
            return None
        card = self.regions.pop()
        self.slots[slot] = self._put_down(card, self._rng.choice((1, 3)))
        return card

    def take_region(self, slot: str, seat: int, round_number: int) -> None:
        """Put a region card onto the pile that `seat` won in `round_number` (from 1).

        :raises ValueError: if nothing lies there.
        """
        self.seats[seat].won[round_number - 1].append(self._there(slot).card)
        self.slots[slot] = None

    def clear_row(self, seat: int) -> None:
        """Discard the row and the hand of a seat (AL-72)."""
        mine = self.seats[seat]
        for slot, laid in self.row(seat).items():
            mine.discard.append(laid.card)
            self.slots[slot] = None
        mine.discard += mine.hand
        mine.hand.clear()

    def _there(self, slot: str) -> Laid:
        laid = self.slots[slot]
        if laid is None:
            raise ValueError(f"nothing lies in {slot}; take a slot with a card")
        return laid

    def _require_free(self, slot: str) -> None:
        laid = self.slots[slot]
        if laid is not None:
            raise ValueError(f"{laid.card!r} lies in {slot}; take a free slot")

    def _put_down(self, card: str, turn: int, skew: float = 0.0) -> Laid:
        return self._looseness.put_down(card, turn % 4, self._rng, skew)

    # ---------- the end ----------

    def truth(self) -> Truth:
        """Count the points as the cards lie now (AL-93 to AL-96)."""
        kinds = {key: card.kind for key, card in self.box.region.items()}
        row = {slot[1:]: (kinds[laid.card], region_line(laid.turn)) for slot, laid in self.region_row().items()}
        words: dict[int, Standing] = {1: "A", -1: "B", 0: "neutral"}
        won = [[[kinds[card] for card in pile] for pile in seat.won] for seat in self.seats]
        score = [pile_points(kind for pile in won[seat] for kind in pile) + row_points(row, seat) for seat in (0, 1)]
        return Truth(
            score=dict(zip(SEAT_NAMES, score, strict=True)),
            won=dict(zip(SEAT_NAMES, won, strict=True)),
            regions={str(c): words[row[str(c)][1]] if str(c) in row else "empty" for c in COLUMNS},
        )

    def winner(self) -> int | None:
        """Return the seat that has won as the cards lie now, None for a draw."""
        truth = self.truth()
        own = [
            sum(kind in seat.tribes for pile in truth.won[name] for kind in pile if kind != CASTLE)
            for name, seat in zip(SEAT_NAMES, self.seats, strict=True)
        ]
        return winner((truth.score["A"], truth.score["B"]), (own[0], own[1]))
