"""What people at an Allies table see happen, as data."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from companion.games.allies.state import EMPTY_ROW, Duel, Laid, Region, Won, replaced, turned
from companion.kernel import UNKNOWN, Effect, Unknown

T = TypeVar("T")


def _at(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def _less(count: int | Unknown, by: int | Unknown) -> int | Unknown:
    return UNKNOWN if count is UNKNOWN or by is UNKNOWN else max(0, count - by)


def _laid(state: Duel, seat: int, column: int) -> Laid:
    laid = state.rows[seat][column]
    assert laid is not None  # noqa: S101  the step refuses an empty slot
    return laid


def _lay(state: Duel, seat: int, column: int, laid: Laid | None) -> Duel:
    return replace(state, rows=_at(state.rows, seat, replaced(state.rows[seat], column, laid)))


def _put_region(state: Duel, column: int, region: Region | None) -> Duel:
    return replace(state, regions=(*state.regions[:column], region, *state.regions[column + 1 :]))


def _more(count: int | Unknown, by: int | Unknown) -> int | Unknown:
    return UNKNOWN if count is UNKNOWN or by is UNKNOWN else count + by


class RegionDealt(Effect, frozen=True):
    """A region card from the deck was laid into an empty column; `arrow` is 0 if it lies sideways."""

    column: int
    region: str
    arrow: int = 0

    def apply(self, state: Duel) -> Duel:
        regions = (*state.regions[: self.column], Region(self.region, self.arrow), *state.regions[self.column + 1 :])
        return replace(state, regions=regions, region_deck=_less(state.region_deck, 1))


class StarterFound(Effect, frozen=True):
    """The table showed who starts."""

    seat: int

    def apply(self, state: Duel) -> Duel:
        return replace(state, starter=self.seat)


class LotTied(Effect, frozen=True):
    """Both dice showed the same; the lot is thrown again."""

    pips: int

    def apply(self, state: Duel) -> Duel:
        return state


class TribesFound(Effect, frozen=True):
    """The table showed or said which tribes a seat plays."""

    seat: int
    tribes: tuple[str, ...]

    def apply(self, state: Duel) -> Duel:
        return replace(state, tribes=_at(state.tribes, self.seat, self.tribes))


class CardLaid(Effect, frozen=True):
    """A card from the hand was laid into the seat's row, its arrow at the middle."""

    seat: int
    column: int
    laid: Laid

    def apply(self, state: Duel) -> Duel:
        return replace(
            state,
            rows=_at(state.rows, self.seat, replaced(state.rows[self.seat], self.column, self.laid)),
            gone=state.gone | {self.laid.card.key},
            hands=_at(state.hands, self.seat, _less(state.hands[self.seat], 1)),
        )


class CardRemoved(Effect, frozen=True):
    """The card underneath left the game."""

    seat: int
    column: int
    card: str

    def apply(self, state: Duel) -> Duel:
        return replace(_lay(state, self.seat, self.column, None), removed=(*state.removed, self.card))


class CardTurned(Effect, frozen=True):
    """A tribe card was turned by a rotation; `lost` sectors lapsed at the barrier."""

    seat: int
    column: int
    symbol: int
    facing: int | Unknown
    sectors: int
    lost: int

    def apply(self, state: Duel) -> Duel:
        return _lay(state, self.seat, self.column, Laid(_laid(state, self.seat, self.column).card, self.facing))


class CardReset(Effect, frozen=True):
    """A tribe card was turned back to its arrow."""

    seat: int
    column: int
    facing: int | Unknown

    def apply(self, state: Duel) -> Duel:
        return _lay(state, self.seat, self.column, Laid(_laid(state, self.seat, self.column).card, self.facing))


class CardMoved(Effect, frozen=True):
    """A tribe card changed its column within the row and kept its orientation."""

    seat: int
    start: int
    end: int

    def apply(self, state: Duel) -> Duel:
        row = state.rows[self.seat]
        moved = replaced(replaced(row, self.start, None), self.end, row[self.start])
        return replace(state, rows=_at(state.rows, self.seat, moved))


class RegionsSwapped(Effect, frozen=True):
    """Two region cards traded columns and kept their orientation."""

    first: int
    second: int

    def apply(self, state: Duel) -> Duel:
        regions = list(state.regions)
        regions[self.first], regions[self.second] = regions[self.second], regions[self.first]
        return replace(state, regions=tuple(regions))


class MaximumRaised(Effect, frozen=True):
    """A Wizard raised the seat's hand maximum until the round ends."""

    seat: int

    def apply(self, state: Duel) -> Duel:
        return replace(state, raised=_at(state.raised, self.seat, state.raised[self.seat] + 1))


class CardsDrawn(Effect, frozen=True):
    """The seat drew cards unseen; UNKNOWN when nobody has said how many it held."""

    seat: int
    cards: int | Unknown

    def apply(self, state: Duel) -> Duel:
        return replace(
            state,
            hands=_at(state.hands, self.seat, _more(state.hands[self.seat], self.cards)),
            decks=_at(state.decks, self.seat, _less(state.decks[self.seat], self.cards)),
        )


class DeckRenewed(Effect, frozen=True):
    """The seat's discard pile was shuffled and put under its deck."""

    seat: int
    cards: int | Unknown

    def apply(self, state: Duel) -> Duel:
        return replace(
            state,
            decks=_at(state.decks, self.seat, _more(state.decks[self.seat], self.cards)),
            unseen=_at(state.unseen, self.seat, 0),
            gone=state.gone - set(state.discards[self.seat]),
            discards=_at(state.discards, self.seat, ()),
        )


class TurnEnded(Effect, frozen=True):
    """The seat's turn is over."""

    seat: int

    def apply(self, state: Duel) -> Duel:
        return replace(state, turn=state.turn + 1)


class TurnSkipped(Effect, frozen=True):
    """The seat has no card to play, or no place for one; its turn passes."""

    seat: int

    def apply(self, state: Duel) -> Duel:
        return replace(state, turn=state.turn + 1)


class ValueStated(Effect, frozen=True):
    """The table read out the value of a card whose face is not enrolled."""

    seat: int
    column: int
    value: int

    def apply(self, state: Duel) -> Duel:
        laid = replace(_laid(state, self.seat, self.column), stated=self.value)
        return _lay(state, self.seat, self.column, laid)


class CrownStated(Effect, frozen=True):
    """The table said whether a card's crown is in the sector towards the middle."""

    seat: int
    column: int
    shows: bool

    def apply(self, state: Duel) -> Duel:
        laid = _laid(state, self.seat, self.column)
        card = replace(laid.card, crown_sector=laid.facing if self.shows else 0)
        return _lay(state, self.seat, self.column, replace(laid, card=card))


class Compared(Effect, frozen=True):
    """The two cards of a column were compared; `steps` go towards `toward`, nobody gains from 0."""

    column: int
    values: tuple[int, int]
    crowns: tuple[bool, bool]
    toward: int | None
    steps: int

    def apply(self, state: Duel) -> Duel:
        return state


class RegionTurned(Effect, frozen=True):
    """A region card was turned; `arrow` is +1 at seat A, -1 at seat B, 0 sideways."""

    column: int
    arrow: int
    steps: int

    def apply(self, state: Duel) -> Duel:
        region = state.regions[self.column]
        assert region is not None  # noqa: S101  only columns with a region are fought out
        return _put_region(state, self.column, Region(region.key, self.arrow))


class RegionWon(Effect, frozen=True):
    """A region card went face up into the seat's winning pile."""

    column: int
    seat: int
    region: str
    steps: int

    def apply(self, state: Duel) -> Duel:
        return replace(
            _put_region(state, self.column, None),
            piles=_at(state.piles, self.seat, (*state.piles[self.seat], Won(self.region, state.round))),
        )


class RegionStayed(Effect, frozen=True):
    """A region card stays in its column for the next round."""

    column: int
    arrow: int

    def apply(self, state: Duel) -> Duel:
        return state


class StepsLost(Effect, frozen=True):
    """Steps were left over after the region card was taken."""

    column: int
    steps: int

    def apply(self, state: Duel) -> Duel:
        return state


class PileTurned(Effect, frozen=True):
    """The cards won in a round were turned face down onto the long-term pile."""

    seat: int
    round: int
    cards: int

    def apply(self, state: Duel) -> Duel:
        return state


class CardsDiscarded(Effect, frozen=True):
    """The seat put the cards of its row and its hand onto its discard pile."""

    seat: int
    row: int
    hand: int | Unknown

    def apply(self, state: Duel) -> Duel:
        laid = tuple(laid.card.key for laid in state.rows[self.seat] if laid is not None)
        return replace(
            state,
            rows=_at(state.rows, self.seat, EMPTY_ROW),
            hands=_at(state.hands, self.seat, 0),
            unseen=_at(state.unseen, self.seat, _more(state.unseen[self.seat], self.hand)),
            discards=_at(state.discards, self.seat, (*state.discards[self.seat], *laid)),
        )


class MaximumSet(Effect, frozen=True):
    """The seat's hand maximum for the next round: five, plus own regions won, minus own lost."""

    seat: int
    maximum: int
    won: int
    lost: int

    def apply(self, state: Duel) -> Duel:
        return replace(state, maximum=_at(state.maximum, self.seat, self.maximum))


class RoundBegun(Effect, frozen=True):
    """A new round begins with the other starting player."""

    round: int
    starter: int | Unknown

    def apply(self, state: Duel) -> Duel:
        return replace(state, round=self.round, turn=0, starter=self.starter, raised=(0, 0))


def rotate(state: Duel, seat: int, column: int, symbol: int) -> CardTurned:
    """Return the effect of aiming a rotation symbol at a card (AL-48 to AL-54)."""
    laid = _laid(state, seat, column)
    if laid.facing is UNKNOWN:
        return CardTurned(seat, column, symbol, UNKNOWN, abs(symbol), 0)
    facing, lost = turned(laid.facing, symbol, state.options["rotation_by_two"] == "all_or_nothing")
    return CardTurned(seat, column, symbol, facing, abs(facing - laid.facing), lost)
