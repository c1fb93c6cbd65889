"""What people at the table see happen in a battle."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from companion.games.realm_of_wonder.effects.tiles import pass_tile
from companion.games.realm_of_wonder.pieces import MUSCLE
from companion.games.realm_of_wonder.state import Battle, Realm, with_player
from companion.kernel import UNKNOWN, Effect

T = TypeVar("T")
ATTACKER, DEFENDER = 0, 1


def _battle(state: Realm) -> Battle:
    assert state.battle is not None  # noqa: S101  yielded only within a battle
    return state.battle


def _at(pair: tuple[T, T], side: int, value: T) -> tuple[T, T]:
    return (value, pair[1]) if side == ATTACKER else (pair[0], value)


class BattleBegun(Effect, frozen=True):
    """Two players, or a player and a monster, are in the same space; `defender` is None for a monster."""

    attacker: int
    defender: int | None
    monster: str
    place: str
    back: str
    revealed: bool = False

    def apply(self, state: Realm) -> Realm:
        battle = Battle(self.attacker, self.defender, self.monster, self.place, self.back, self.revealed)
        if self.defender is None:
            battle = replace(battle, muscles=(None, 0), knights=(None, 0))
        return replace(state, battle=battle)


class MusclesPlayed(Effect, frozen=True):
    """A fighter laid down muscle cards."""

    side: int
    seat: int
    cards: int

    def apply(self, state: Realm) -> Realm:
        battle = _battle(state)
        state = replace(state, battle=replace(battle, muscles=_at(battle.muscles, self.side, self.cards)))
        held = state.players[self.seat].magic
        return with_player(state, self.seat, magic=UNKNOWN if held is UNKNOWN else held - self.cards)


class MusclesGone(Effect, frozen=True):
    """The muscle cards of the battle left the game."""

    cards: int

    def apply(self, state: Realm) -> Realm:
        return replace(state, gone=(*state.gone, *(MUSCLE,) * self.cards))


class KnightsFight(Effect, frozen=True):
    """A fighter's knights add two each to this roll."""

    side: int
    seat: int
    knights: int

    def apply(self, state: Realm) -> Realm:
        battle = _battle(state)
        return replace(state, battle=replace(battle, knights=_at(battle.knights, self.side, self.knights)))


class DieRolled(Effect, frozen=True):
    """The battle die was rolled by `seat` for one side."""

    side: int
    seat: int
    face: str

    def apply(self, state: Realm) -> Realm:
        battle = _battle(state)
        faces = (*battle.rolls[self.side], self.face)
        return replace(state, battle=replace(battle, rolls=_at(battle.rolls, self.side, faces)))


class ExtrasAdded(Effect, frozen=True):
    """What one side fights with: the die, muscles, battle bonus, knights, the monster's class."""

    side: int
    die: int
    muscles: int
    bonus: int
    knights: int
    monster: int
    total: int

    def apply(self, state: Realm) -> Realm:
        return state


class BattleDecided(Effect, frozen=True):
    """The totals were compared; `winner` is `attacker`, `defender` or `none`."""

    totals: tuple[int, int]
    winner: str

    def apply(self, state: Realm) -> Realm:
        return state


class FightWon(Effect, frozen=True):
    """A player has won a fight more."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, fights=state.players[self.seat].fights + 1)


class KnightsGone(Effect, frozen=True):
    """A fighter's knights belonged to this roll and left the game."""

    seat: int
    knights: int

    def apply(self, state: Realm) -> Realm:
        left = list(state.players[self.seat].tiles)
        for _ in range(self.knights):
            left.remove("knight")
        return with_player(state, self.seat, tiles=tuple(left))


class TileStolen(Effect, frozen=True):
    """The winner took a tower tile of the loser."""

    seat: int
    loser: int
    tile: str

    def apply(self, state: Realm) -> Realm:
        return pass_tile(state, self.loser, self.seat, self.tile)


class CurseGiven(Effect, frozen=True):
    """The winner gave the loser a cursed orb."""

    seat: int
    loser: int

    def apply(self, state: Realm) -> Realm:
        return pass_tile(state, self.seat, self.loser, "cursed")


class MonsterTaken(Effect, frozen=True):
    """The monster's tile lies on the winner's character card."""

    seat: int
    place: str
    monster: str

    def apply(self, state: Realm) -> Realm:
        monsters = {place: monster for place, monster in state.monsters.items() if place != self.place}
        state = with_player(
            replace(state, monsters=monsters), self.seat, tiles=(*state.players[self.seat].tiles, self.monster)
        )
        return state if state.board else with_player(state, self.seat, at="plain")


class MonsterStays(Effect, frozen=True):
    """The monster was not beaten and waits for the next one."""

    place: str
    monster: str

    def apply(self, state: Realm) -> Realm:
        return state


class SentHome(Effect, frozen=True):
    """The loser's figure went to the own house, or to an own stronghold."""

    seat: int
    place: str

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, at=self.place)


class SteppedBack(Effect, frozen=True):
    """After a tie the attacker's figure went back to the space it came from."""

    seat: int
    place: str

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, at=self.place)


class AttackerStays(Effect, frozen=True):
    """After a tie the attacker stays, having come from nowhere."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return state


class BattleOver(Effect, frozen=True):
    """The battle is over."""

    def apply(self, state: Realm) -> Realm:
        return replace(state, battle=None)
