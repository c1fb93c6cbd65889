"""Magic cards that are cast, and what they do to players."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.realm_of_wonder.effects.counts import less, more
from companion.games.realm_of_wonder.state import Realm, with_going, with_player
from companion.kernel import Effect


class CardShown(Effect, frozen=True):
    """A magic card was played from the hand and leaves the game; `aim` is what it was aimed at."""

    seat: int
    card: str
    aim: str

    def apply(self, state: Realm) -> Realm:
        held = less(state.players[self.seat].magic, 1)
        return replace(with_player(state, self.seat, magic=held), gone=(*state.gone, self.card), cast=state.cast + 1)


class CardTakenBack(Effect, frozen=True):
    """A countered card went back into its player's hand."""

    seat: int
    card: str

    def apply(self, state: Realm) -> Realm:
        gone = list(state.gone)
        gone.remove(self.card)
        held = more(state.players[self.seat].magic, 1)
        return replace(with_player(state, self.seat, magic=held), gone=tuple(gone))


class CastingEnded(Effect, frozen=True):
    """A player casts no more spells in this round."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, cast=True)


class Hastened(Effect, frozen=True):
    """A Lightning added 50 to a player's speed; the marker goes to the fast end of the track."""

    seat: int
    by: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, lightnings=state.goings[self.seat].lightnings + 1)


class MovementChanged(Effect, frozen=True):
    """A spell added movement points to a player's, or took some."""

    seat: int
    by: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, spells=state.goings[self.seat].spells + self.by)


class BalloonTaken(Effect, frozen=True):
    """A player travels by hot air balloon in this round."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, balloon=True)
