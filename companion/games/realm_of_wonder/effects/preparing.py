"""What people see happen before the first round."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.realm_of_wonder.box import Quest
from companion.games.realm_of_wonder.effects.counts import less
from companion.games.realm_of_wonder.state import Realm, with_player
from companion.kernel import Effect, Unknown


class CharactersDealt(Effect, frozen=True):
    """Each player has a character; figure and house went to the well of its house."""

    characters: tuple[str, ...]

    def apply(self, state: Realm) -> Realm:
        for seat, character in enumerate(self.characters):
            home = (state.board.home(character) if state.board else "") or "house"
            at = state.players[seat].at or home
            state = with_player(state, seat, character=character, at=at)
        return state


class Equipped(Effect, frozen=True):
    """A player took the first magic points and cards, and the ability disc with its skill side up."""

    seat: int
    mp: int
    movement: int
    magic: int

    def apply(self, state: Realm) -> Realm:
        pile = less(state.movement_pile, self.movement)
        state = with_player(state, self.seat, mp=self.mp, movement=self.movement, magic=self.magic, ready=True)
        return replace(state, movement_pile=pile)


class QuestDrawn(Effect, frozen=True):
    """A quest card was drawn and lies open; `quest` is what the set says about it."""

    card: str
    quest: Quest | Unknown

    def apply(self, state: Realm) -> Realm:
        return replace(state, quest_card=self.card, quest=self.quest)


class QuestRead(Effect, frozen=True):
    """The quest was read out: what counts, and how many of it."""

    quest: str
    goal: int

    def apply(self, state: Realm) -> Realm:
        return replace(state, quest=Quest(self.quest, self.goal))  # type: ignore[arg-type]
