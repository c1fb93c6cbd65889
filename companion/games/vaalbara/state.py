"""What the table of Vaalbara shows: two rows of lands, kingdoms, characters played, the land deck."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.vaalbara.lands import Box, initiative_of
from companion.games.vaalbara.pieces import CHARACTERS, SEATS
from companion.kernel import UNKNOWN, State, Unknown

Row = tuple[str | None, ...]
"""Lands from left to right; None where one was taken."""


class Continent(State, frozen=True):
    """Everything the rules need to know of the table."""

    options: Mapping[str, str]
    box: Box
    kingdoms: tuple[tuple[str, ...], ...]
    """Each seat's lands, in the order in which they came."""
    vp: tuple[int, ...]
    hands: tuple[int, ...]
    """How many characters each seat holds, the one played this round not counted."""
    decks: tuple[int, ...]
    discards: tuple[tuple[str, ...], ...]
    first: Row
    second: Row
    clans: tuple[str, ...] | Unknown = UNKNOWN
    """Each seat's clan."""
    deck: int | Unknown = UNKNOWN
    """How many lands the deck holds."""
    top: str | Unknown = UNKNOWN
    """The land on top of the deck, where it is known; else only its back is seen."""
    bottom: str | Unknown = UNKNOWN
    round: int = 0
    played: tuple[str | None, ...] = ()
    """Each seat's character of this round."""
    order: tuple[int, ...] = ()
    """The seats in the order in which they act this round, fixed when the characters are open."""
    acted: tuple[int, ...] = ()
    """The seats whose turn of this round is over."""
    signs: tuple[str, ...] | Unknown = UNKNOWN
    """The clan signs on top of the deck from left to right, where somebody had to look."""
    last: int | Unknown = UNKNOWN
    """Who acted last in the round before."""
    held: str = ""
    """A land that a Pathfinder or Pioneer gives away, before the other one has come."""
    gap: str = ""
    """The slot that the Pathfinder's land has left."""
    counted: bool = False
    """The tokens lie open and the points for different types are among them."""

    @property
    def seats(self) -> int:
        return len(self.kingdoms)

    @property
    def letters(self) -> str:
        return SEATS[: self.seats]

    @property
    def active(self) -> int | None:
        """Whose turn it is, None between the turns."""
        return next((seat for seat in self.order if seat not in self.acted), None)

    @property
    def character(self) -> str:
        """The character of the active seat, empty between the turns."""
        seat = self.active
        return "" if seat is None else self.played[seat] or ""

    def initiative(self, seat: int) -> int:
        """Return the initiative of what a seat has played this round, 0 for nothing."""
        return initiative_of(self.box, self.played[seat] if self.played else None)

    def neighbours(self, seat: int) -> tuple[int, ...]:
        """Return the players left and right; for two the one opponent, twice if the table says so (VB-Q06)."""
        if self.seats == 2:
            return (1 - seat,) * (2 if self.options["two_players"] == "opponent_twice" else 1)
        return ((seat - 1) % self.seats, (seat + 1) % self.seats)

    @property
    def signs_on_top(self) -> tuple[str, ...]:
        """The clan signs on top of the deck from left to right, none if nobody knows them."""
        if self.top is not UNKNOWN and (signs := self.box.known(self.top).signs):
            return signs
        return () if self.signs is UNKNOWN else self.signs

    def sign_place(self, seat: int, signs: tuple[str, ...]) -> int:
        """Return how far from the left a seat's clan sign stands; a table without clans goes by its seats."""
        return seat if not signs or self.clans is UNKNOWN else signs.index(self.clans[seat])

    def playable(self, seat: int) -> tuple[str, ...]:
        """Return the characters that a seat's hand may hold: all that it has not played (VB-26)."""
        gone = (*self.discards[seat], *((self.played[seat],) if self.played else ()))
        return tuple(character for character in CHARACTERS if character not in gone)

    @property
    def seen(self) -> frozenset[str]:
        """The lands whose place is known."""
        rows = (key for key in (*self.first, *self.second) if key is not None)
        ends = (key for key in (self.top, self.bottom) if not isinstance(key, Unknown))
        owned = (key for kingdom in self.kingdoms for key in kingdom)
        return frozenset((*rows, *ends, *owned, *((self.held,) if self.held else ())))
