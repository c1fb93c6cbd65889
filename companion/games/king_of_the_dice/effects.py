"""What people at the table see happen, as data that knows how to apply itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from companion.kernel import UNKNOWN, Effect, Unknown

if TYPE_CHECKING:  # the state names a standing rule, and that rule yields effects
    from companion.games.king_of_the_dice.state import Kingdoms, Stack

T = TypeVar("T")


def _at(items: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*items[:index], value, *items[index + 1 :])


def _onto(state: Kingdoms, seat: int, *cards: str) -> Kingdoms:
    return replace(state, piles=_at(state.piles, seat, (*state.piles[seat], *cards)))


def _less(count: int | Unknown) -> int | Unknown:
    return UNKNOWN if count is UNKNOWN else count - 1


class StarterFound(Effect, frozen=True):
    """The table said who is the oldest and begins."""

    seat: int

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(state, starter=self.seat, seat=self.seat)


class VillagerLaid(Effect, frozen=True):
    """A villager from the draw pile was laid open."""

    column: int
    card: str

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(state, row=_at(state.row, self.column, self.card), villagers=_less(state.villagers))


class PenaltySeen(Effect, frozen=True):
    """The card on top of the penalty stack became known."""

    card: str

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(_with_penalty(state, self.card), penalty=self.card)


class DiceRolled(Effect, frozen=True):
    """The dice came to rest for the `roll`-th time in this turn."""

    seat: int
    faces: tuple[str, ...]
    roll: int

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(state, dice=self.faces, rolls=self.roll)


class VillagerWon(Effect, frozen=True):
    """A villager went onto the player's kingdom pile."""

    seat: int
    column: int
    card: str

    def apply(self, state: Kingdoms) -> Kingdoms:
        taken = replace(state, row=_at(state.row, self.column, None), won=(*state.won, (self.card,)))
        return _onto(taken, self.seat, self.card)


class PointsSeen(Effect, frozen=True):
    """The table said how many points stand on a villager that is in no set."""

    card: str
    points: int

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(state, box=state.box.with_points(self.card, self.points))


class PlaceWon(Effect, frozen=True):
    """The top place card of a stack went onto the player's kingdom pile, under the villager just won."""

    seat: int
    column: int
    card: str
    under: str

    def apply(self, state: Kingdoms) -> Kingdoms:
        *below, villager = state.piles[self.seat]
        pile = (*below, self.card, villager)
        won = (*state.won[:-1], (self.card, villager))
        return replace(_off(state, self.column), piles=_at(state.piles, self.seat, pile), won=won)


class PlaceFounded(Effect, frozen=True):
    """The top place card of a stack went onto the player's kingdom pile by itself: its villager is a dragon."""

    seat: int
    column: int
    card: str

    def apply(self, state: Kingdoms) -> Kingdoms:
        return _onto(_off(state, self.column), self.seat, self.card)


class PlaceGoesAlong(Effect, frozen=True):
    """The top place card of a stack goes to whoever gets the dragon."""

    column: int
    card: str

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(_off(state, self.column), held=(self.card, *state.held))


class DragonCaught(Effect, frozen=True):
    """A dragon left the row and waits to be passed on."""

    seat: int
    column: int
    card: str

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(state, row=_at(state.row, self.column, None), held=(self.card,))


class DragonPassed(Effect, frozen=True):
    """The dragon went on top of another player's kingdom pile."""

    seat: int
    toward: int
    cards: tuple[str, ...]

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(_onto(state, self.toward, *self.cards), held=())


class BonusMissed(Effect, frozen=True):
    """No villager lies to the right of the hypnotist, so there is no bonus."""

    seat: int

    def apply(self, state: Kingdoms) -> Kingdoms:
        return state


class TurnGiven(Effect, frozen=True):
    """An apprentice gives the player another turn after this one."""

    seat: int

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(state, again=True)


class PileArranged(Effect, frozen=True):
    """The player put what was won in this turn into another order."""

    seat: int
    cards: tuple[str, ...]

    def apply(self, state: Kingdoms) -> Kingdoms:
        under = {group[-1]: group for group in state.won}
        groups = tuple(under[card] for card in self.cards)
        rest = state.piles[self.seat][: -sum(map(len, state.won))]
        pile = (*rest, *(card for group in groups for card in group))
        return replace(state, piles=_at(state.piles, self.seat, pile), won=groups)


class NothingTaken(Effect, frozen=True):
    """The player met a condition and took no villager."""

    seat: int

    def apply(self, state: Kingdoms) -> Kingdoms:
        return state


class PenaltyTaken(Effect, frozen=True):
    """The top penalty card went from its slot onto the player's kingdom pile; nobody may have said which it is."""

    seat: int
    card: str
    slot: str

    def apply(self, state: Kingdoms) -> Kingdoms:
        taken = replace(_with_penalty(state, self.card), penalty=UNKNOWN, penalties=_less(state.penalties))
        return _onto(taken, self.seat, self.card)


class VillagerDiscarded(Effect, frozen=True):
    """The rightmost open villager went to the discard pile, in its slot."""

    column: int
    card: str
    slot: str

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(state, row=_at(state.row, self.column, None), discards=(*state.discards, self.card))


class RowMoved(Effect, frozen=True):
    """All villagers left of a gap moved one place to the right."""

    column: int

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(state, row=(None, *state.row[: self.column], *state.row[self.column + 1 :]))


class DicePassed(Effect, frozen=True):
    """The dice went to the next player."""

    seat: int

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(_fresh(state), seat=self.seat)


class TurnRepeated(Effect, frozen=True):
    """The player keeps the dice for the turn that an apprentice gave."""

    seat: int

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(_fresh(state), chained=True)


class LastCardTaken(Effect, frozen=True):
    """The last card of a stack was taken, which ends the game."""

    reason: str

    def apply(self, state: Kingdoms) -> Kingdoms:
        return replace(state, ending=self.reason)


class TieLooked(Effect, frozen=True):
    """Several players have the most points; their minus points are compared."""

    seats: tuple[int, ...]
    minus: tuple[int, ...]

    def apply(self, state: Kingdoms) -> Kingdoms:
        return state


class WinShared(Effect, frozen=True):
    """Several players have won together."""

    seats: tuple[int, ...]

    def apply(self, state: Kingdoms) -> Kingdoms:
        return state


def _with_penalty(state: Kingdoms, card: str) -> Kingdoms:
    """Return the state in which a penalty card exists; its minus points may be unknown."""
    if card in state.box.penalties:
        return state
    return replace(state, box=state.box.with_penalty(card, UNKNOWN))


def _off(state: Kingdoms, column: int) -> Kingdoms:
    """Return the state without the top card of a place stack."""
    stack = state.places[column]
    left: Stack = () if stack is UNKNOWN else stack[1:]
    return replace(state, places=_at(state.places, column, left))


def _fresh(state: Kingdoms) -> Kingdoms:
    """Return the state before the first roll of a turn."""
    return replace(state, dice=(), rolls=0, won=(), again=False, chained=False)
