"""What people at the table see happen, as data that knows how to apply itself."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from companion.games.vaalbara.pieces import FIRST
from companion.games.vaalbara.state import Continent
from companion.kernel import UNKNOWN, Effect, Unknown

T = TypeVar("T")


def _at(items: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*items[:index], value, *items[index + 1 :])


def _less(count: int | Unknown) -> int | Unknown:
    return UNKNOWN if count is UNKNOWN else count - 1


def _with_row(state: Continent, row: str, column: int, key: str | None) -> Continent:
    if row == FIRST:
        return replace(state, first=_at(state.first, column, key))
    return replace(state, second=_at(state.second, column, key))


class ClansKnown(Effect, frozen=True):
    """Each player has a clan."""

    clans: tuple[str, ...]

    def apply(self, state: Continent) -> Continent:
        return replace(state, clans=self.clans)


class LandLaid(Effect, frozen=True):
    """The top land of the deck was laid open into a row; another back is seen now."""

    row: str
    column: int
    land: str

    def apply(self, state: Continent) -> Continent:
        laid = _with_row(state, self.row, self.column, self.land)
        bottom = UNKNOWN if self.land == state.bottom else state.bottom
        return replace(laid, deck=_less(state.deck), top=UNKNOWN, bottom=bottom, signs=UNKNOWN)


class RoundBegun(Effect, frozen=True):
    """A round begins; nobody has played yet."""

    round: int

    def apply(self, state: Continent) -> Continent:
        last = state.order[-1] if state.order else UNKNOWN
        nobody = (None,) * state.seats
        return replace(state, round=self.round, played=nobody, order=(), acted=(), signs=UNKNOWN, last=last)


class CharacterPlayed(Effect, frozen=True):
    """A player's character lies open."""

    seat: int
    character: str
    initiative: int

    def apply(self, state: Continent) -> Continent:
        return replace(
            state,
            played=_at(state.played, self.seat, self.character),
            hands=_at(state.hands, self.seat, state.hands[self.seat] - 1),
        )


class SignsSeen(Effect, frozen=True):
    """The table said in which order the clan signs stand on top of the land deck."""

    signs: tuple[str, ...]

    def apply(self, state: Continent) -> Continent:
        return replace(state, signs=self.signs)


class OrderFound(Effect, frozen=True):
    """It is settled who acts in which order (those who have acted keep their place)."""

    seats: tuple[int, ...]

    def apply(self, state: Continent) -> Continent:
        return replace(state, order=self.seats)


class ValueSeen(Effect, frozen=True):
    """The table said which number stands on a forest that is in no set."""

    land: str
    value: int

    def apply(self, state: Continent) -> Continent:
        return replace(state, box=state.box.with_value(self.land, self.value))


class PointsGained(Effect, frozen=True):
    """A player got points; `why` says for what."""

    seat: int
    points: int
    why: str
    sum: str = ""

    def apply(self, state: Continent) -> Continent:
        return replace(state, vp=_at(state.vp, self.seat, state.vp[self.seat] + self.points))


class PointsTaken(Effect, frozen=True):
    """A player took points from another one; `bank` of them came from the middle of the table."""

    seat: int
    toward: int
    points: int
    bank: int = 0

    def apply(self, state: Continent) -> Continent:
        vp = _at(state.vp, self.toward, state.vp[self.toward] - (self.points - self.bank))
        return replace(state, vp=_at(vp, self.seat, vp[self.seat] + self.points))


class EffectEmpty(Effect, frozen=True):
    """A character's effect had nothing to act on, or its condition was not met."""

    seat: int
    character: str

    def apply(self, state: Continent) -> Continent:
        return state


class EffectWaits(Effect, frozen=True):
    """A character's effect is carried out together with the land action."""

    seat: int
    character: str

    def apply(self, state: Continent) -> Continent:
        return state


class CharacterDiscarded(Effect, frozen=True):
    """A character was put face up on its player's discard pile."""

    seat: int
    character: str

    def apply(self, state: Continent) -> Continent:
        return replace(state, discards=_at(state.discards, self.seat, (*state.discards[self.seat], self.character)))


class CharacterReturned(Effect, frozen=True):
    """A character went from the discard pile back into the hand."""

    seat: int
    character: str

    def apply(self, state: Continent) -> Continent:
        rest = tuple(each for each in state.discards[self.seat] if each != self.character)
        return replace(
            state,
            discards=_at(state.discards, self.seat, rest),
            hands=_at(state.hands, self.seat, state.hands[self.seat] + 1),
        )


class LandTaken(Effect, frozen=True):
    """A land of the first row went into a kingdom."""

    seat: int
    column: int
    land: str

    def apply(self, state: Continent) -> Continent:
        taken = replace(state, first=_at(state.first, self.column, None))
        return replace(taken, kingdoms=_at(state.kingdoms, self.seat, (*state.kingdoms[self.seat], self.land)))


class LandsTraded(Effect, frozen=True):
    """A land of the first row and one of the second traded places."""

    column: int
    other: int

    def apply(self, state: Continent) -> Continent:
        one, two = state.first[self.column], state.second[self.other]
        return replace(state, first=_at(state.first, self.column, two), second=_at(state.second, self.other, one))


class LandLifted(Effect, frozen=True):
    """A land was taken out of a row, to be traded for the top land of the deck."""

    row: str
    column: int
    land: str

    def apply(self, state: Continent) -> Continent:
        lifted = _with_row(state, self.row, self.column, None)
        return replace(lifted, held=self.land, gap=f"{self.row}{self.column + 1}")


class TopTraded(Effect, frozen=True):
    """The top land of the deck came into the row, and the lifted one lies on top of the deck."""

    row: str
    column: int
    land: str
    onto: str

    def apply(self, state: Continent) -> Continent:
        laid = _with_row(state, self.row, self.column, self.land)
        bottom = self.onto if state.deck == 1 else state.bottom
        return replace(laid, top=self.onto, bottom=bottom, signs=UNKNOWN, held="", gap="")


class LandGiven(Effect, frozen=True):
    """A player gave a land of the own kingdom away, to be traded for the bottom land of the deck."""

    seat: int
    land: str

    def apply(self, state: Continent) -> Continent:
        kingdom = tuple(key for key in state.kingdoms[self.seat] if key != self.land)
        return replace(state, kingdoms=_at(state.kingdoms, self.seat, kingdom), held=self.land)


class BottomSeen(Effect, frozen=True):
    """The bottom land of the deck became known."""

    land: str

    def apply(self, state: Continent) -> Continent:
        return replace(state, bottom=self.land)


class BottomTraded(Effect, frozen=True):
    """The bottom land of the deck came into a kingdom, and the given one lies at the bottom."""

    seat: int
    land: str
    under: str

    def apply(self, state: Continent) -> Continent:
        kingdoms = _at(state.kingdoms, self.seat, (*state.kingdoms[self.seat], self.land))
        top = self.under if state.deck == 1 else state.top
        return replace(state, kingdoms=kingdoms, top=top, bottom=self.under, held="")


class TurnEnded(Effect, frozen=True):
    """A player has carried out both actions."""

    seat: int

    def apply(self, state: Continent) -> Continent:
        return replace(state, acted=(*state.acted, self.seat))


class RowsMoved(Effect, frozen=True):
    """The second row became the first."""

    round: int

    def apply(self, state: Continent) -> Continent:
        return replace(state, first=state.second, second=(None,) * state.seats)


class CharactersDrawn(Effect, frozen=True):
    """A player drew characters up to the hand's limit, as far as the deck goes."""

    seat: int
    number: int

    def apply(self, state: Continent) -> Continent:
        return replace(
            state,
            hands=_at(state.hands, self.seat, state.hands[self.seat] + self.number),
            decks=_at(state.decks, self.seat, state.decks[self.seat] - self.number),
        )


class TokensRevealed(Effect, frozen=True):
    """All tokens were turned up."""

    def apply(self, state: Continent) -> Continent:
        return replace(state, counted=True)


class TieLooked(Effect, frozen=True):
    """Several players have the most points; the clan signs decide."""

    seats: tuple[int, ...]
    signs: tuple[str, ...]

    def apply(self, state: Continent) -> Continent:
        return state
