"""Movement cards, what special ones do, and magic cards that are drawn."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.realm_of_wonder.effects.counts import less, more
from companion.games.realm_of_wonder.state import Realm, Walk, with_going, with_player
from companion.kernel import Effect, Unknown


def walk_of(state: Realm) -> Walk:
    assert state.walk is not None  # noqa: S101  yielded only within a turn
    return state.walk


class MovementDrawn(Effect, frozen=True):
    """A player drew a movement card."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        held = more(state.players[self.seat].movement, 1)
        return replace(
            with_player(state, self.seat, movement=held),
            movement_pile=less(state.movement_pile, 1),
        )


class MovementShuffled(Effect, frozen=True):
    """The movement cards that were played were shuffled and are the pile again."""

    cards: int | Unknown

    def apply(self, state: Realm) -> Realm:
        return replace(state, movement_pile=more(self.cards, 0), movement_used=())


class NothingToDraw(Effect, frozen=True):
    """A pile is empty, so a player drew nothing."""

    seat: int
    pile: str

    def apply(self, state: Realm) -> Realm:
        return state


class CardPlayed(Effect, frozen=True):
    """A movement card was opened; what its face does not say is UNKNOWN."""

    seat: int
    card: str
    speed: int | Unknown
    points: int | Unknown
    special: str | Unknown

    def apply(self, state: Realm) -> Realm:
        state = with_going(
            state,
            self.seat,
            card=self.card,
            played=True,
            speed=self.speed,
            points=self.points,
            special=self.special,
        )
        held = less(state.players[self.seat].movement, 1)
        return replace(
            with_player(state, self.seat, movement=held),
            movement_used=(*state.movement_used, self.card),
        )


class CardSkipped(Effect, frozen=True):
    """A player has no movement card left and stands still in this round."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, played=True, speed=0, points=0, special="none")


class SpecialTold(Effect, frozen=True):
    """The table read out what a movement card does beside moving."""

    seat: int
    special: str

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, special=self.special)


class MovementTold(Effect, frozen=True):
    """The table read out the movement points of a card."""

    seat: int
    points: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, points=self.points)


class MarkersSet(Effect, frozen=True):
    """The turn markers stand on the track in this order, from the magical end."""

    seats: tuple[int, ...]

    def apply(self, state: Realm) -> Realm:
        return replace(state, track=self.seats)


class SpeedsTied(Effect, frozen=True):
    """Two players who rolled for the faster card rolled the same, and roll again."""

    pips: str

    def apply(self, state: Realm) -> Realm:
        return state


class SpecialActed(Effect, frozen=True):
    """A special movement card did what it does."""

    seat: int
    special: str

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, acted=True)


class MagicDrawn(Effect, frozen=True):
    """A player drew magic cards unseen."""

    seat: int
    cards: int

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, magic=more(state.players[self.seat].magic, self.cards))


class CardBought(Effect, frozen=True):
    """A player bought the magic card of this turn at a well."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return replace(state, walk=replace(walk_of(state), bought=True))


class ChestOpened(Effect, frozen=True):
    """Magic cards were drawn out of a magic chest, to be passed round."""

    seat: int
    cards: int

    def apply(self, state: Realm) -> Realm:
        return state


class MagicPicked(Effect, frozen=True):
    """A player kept one of the cards of the chest in secret and passed the others on."""

    seat: int
    of: int

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, magic=more(state.players[self.seat].magic, 1))
