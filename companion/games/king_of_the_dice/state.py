"""What the table of King of the Dice shows: places, open villagers, penalties, dice, kingdom piles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion.games.king_of_the_dice.conditions import Condition
from companion.games.king_of_the_dice.pieces import COLUMNS, DICE, ROLLS, SEATS
from companion.games.king_of_the_dice.steps.ending import last_card_taken
from companion.kernel import UNKNOWN, Ruled, State, Unknown


class Villager(msgspec.Struct, frozen=True):
    """A villager's face. `colour` is that of its place, empty for none; dragons have negative points.

    A condition that nobody stated is UNKNOWN: the table then says itself whether it is met. Points that
    nobody stated are asked for when they are counted.
    """

    key: str
    kind: str
    colour: str = ""
    points: int | Unknown = 0
    condition: Condition | Unknown = UNKNOWN


class PlaceCard(msgspec.Struct, frozen=True):
    """A place card: which of the five places, its colour, its points."""

    key: str
    place: str
    colour: str
    points: int


class Box:
    """The pieces of the set on the table, by key. Shared by all positions of a game and never changed.

    `penalties` has the minus points of each as a positive number, UNKNOWN where nobody has stated them;
    `dice` the six faces of each die, empty where the set says nothing of dice. `stated` is what a
    document added to the set: villagers as it wrote them, and minus points of penalties. `is_listed`
    tells that a set lists pieces, perhaps not all of them.
    """

    def __init__(
        self,
        villagers: Mapping[str, Villager],
        places: Mapping[str, PlaceCard],
        penalties: Mapping[str, int | Unknown],
        dice: tuple[tuple[str, ...], ...] = (),
        stated: tuple[Mapping[str, Any], Mapping[str, int | None]] = ({}, {}),
        is_listed: bool = False,
    ) -> None:
        self.villagers, self.places, self.penalties = dict(villagers), dict(places), dict(penalties)
        self.dice, self.stated, self.is_listed = dice, stated, is_listed

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Box) and self._values() == other._values())

    def __hash__(self) -> int:
        return hash((len(self.villagers), len(self.places), len(self.penalties), self.dice))

    def _values(self) -> tuple[object, ...]:
        return self.villagers, self.places, self.penalties, self.dice, self.stated, self.is_listed

    def points(self, card: str) -> int | Unknown:
        """Return the points of a card of a kingdom pile; those of penalties and dragons are negative."""
        if card in self.villagers:
            return self.villagers[card].points
        if card in self.places:
            return self.places[card].points
        against = self.penalties.get(card, UNKNOWN)
        return UNKNOWN if against is UNKNOWN else -against

    def with_points(self, card: str, points: int) -> Box:
        """Return the box in which the points of a card are known that a document left out."""
        cards, minus = self.stated
        if card not in self.villagers:
            return self.with_penalty(card, -points)
        stated = {key: replace(doc, points=points) if key == card else doc for key, doc in cards.items()}
        villagers = {**self.villagers, card: replace(self.villagers[card], points=points)}
        return Box(villagers, self.places, self.penalties, self.dice, (stated, minus), self.is_listed)

    def with_penalty(self, card: str, minus: int | Unknown) -> Box:
        """Return the box with a penalty card that is in no set."""
        cards, others = self.stated
        stated = {**others, card: None if minus is UNKNOWN else minus}
        penalties = {**self.penalties, card: minus}
        return Box(self.villagers, self.places, penalties, self.dice, (cards, stated), self.is_listed)


Stack = tuple[str, ...]
"""Cards from the top to the bottom."""


class Kingdoms(State, frozen=True):
    """Everything the rules need to know of the table."""

    standing: ClassVar[tuple[Callable[[Any], Iterable[Ruled]], ...]] = (last_card_taken,)

    options: Mapping[str, str]
    box: Box
    piles: tuple[tuple[str, ...], ...]
    """Each seat's kingdom pile, from the bottom to the top."""
    row: tuple[str | None, ...] = (None,) * COLUMNS
    """The open villagers from left to right."""
    places: tuple[Stack | Unknown, ...] = (UNKNOWN,) * COLUMNS
    villagers: int | Unknown = UNKNOWN
    """How many villagers the draw pile holds."""
    penalties: int | Unknown = UNKNOWN
    """How many penalty cards the open stack holds."""
    penalty: str | Unknown = UNKNOWN
    """The top card of the penalty stack, once it has been seen."""
    discards: tuple[str, ...] = ()
    starter: int | Unknown = UNKNOWN
    seat: int = 0
    dice: tuple[str, ...] = ()
    """The faces that lie up, in the order of the dice; none before the first roll of a turn."""
    rolls: int = 0
    """How often the dice were rolled in this turn."""
    won: tuple[tuple[str, ...], ...] = ()
    """What this turn brought the own pile: each villager with the place card under it, bottom first."""
    held: tuple[str, ...] = ()
    """A dragon that must be passed on, and under it a place card that goes along (KD-Q14)."""
    again: bool = False
    """An apprentice gives another turn after this one (KD-47)."""
    chained: bool = False
    """This turn is one that an apprentice gave."""
    ending: str = ""
    """Why the game ends, once the last card of a stack is taken: `villagers`, `penalties` or `places`."""

    @property
    def letter(self) -> str:
        return SEATS[self.seat]

    @property
    def next_seat(self) -> int:
        return (self.seat + 1) % len(self.piles)

    @property
    def rolls_allowed(self) -> int:
        return self.rolls_for(self.seat)

    def rolls_for(self, seat: int) -> int:
        """Return how often a seat may roll: three times, four with elves on top of its pile (KD-14, KD-41)."""
        pile = self.piles[seat]
        top = self.box.villagers.get(pile[-1]) if pile else None
        return ROLLS + (top is not None and top.kind == "elves")

    @property
    def open_villagers(self) -> tuple[Villager, ...]:
        return tuple(self.box.villagers[key] for key in self.row if key is not None)

    @property
    def seen(self) -> frozenset[str]:
        """The cards whose place is known."""
        piled = (card for pile in self.piles for card in pile)
        top = () if self.penalty is UNKNOWN else (self.penalty,)
        return frozenset((*piled, *(key for key in self.row if key), *self.discards, *self.held, *top))

    def faces_of(self, die: int) -> tuple[str, ...]:
        """Return the different faces of a die; any colour and number where the set says nothing."""
        return tuple(dict.fromkeys(self.box.dice[die])) if self.box.dice else ANY_FACE

    def column_of(self, card: str) -> int:
        """Return the column of an open villager."""
        return self.row.index(card)


COLOURS = ("red", "green", "blue", "yellow")
"""The colours of dice that are known; the set says which of them its dice have."""
ANY_FACE = tuple(f"{each}-{pip}" for each in COLOURS for pip in range(1, DICE + 1))


def meets(villager: Villager, dice: tuple[str, ...]) -> bool:
    """Return whether dice meet a villager's condition; one that nobody stated is taken to be met."""
    condition = villager.condition
    return condition is UNKNOWN or condition.met([condition.sees(face) for face in dice])
