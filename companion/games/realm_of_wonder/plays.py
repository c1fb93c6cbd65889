"""What can be read off the table after a play: the projections of its cases. Nothing is reckoned here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.realm_of_wonder.document import PositionDocument
from companion.games.realm_of_wonder.effects.battle import BattleBegun
from companion.games.realm_of_wonder.effects.board import DiscTurned
from companion.games.realm_of_wonder.effects.cards import ChestOpened, MagicPicked
from companion.games.realm_of_wonder.moving import points_left
from companion.games.realm_of_wonder.payoff import payoff
from companion.games.realm_of_wonder.pieces import DISCS, MONSTERS, ORBS, SEATS
from companion.games.realm_of_wonder.state import Player, Realm, speed_order
from companion.kernel import UNKNOWN, Finish, NotationError, Position, Ruled

POSITION = PositionDocument
"""The record of a play's position."""
Words = tuple[str, ...]
Told = tuple[Ruled, ...]
Projection = Callable[[Position, Position, Told, Words], Any]


def _of_player(read: Callable[[Realm, int, Player], Any]) -> Projection:
    """Return the projection that reads something of the player whom the words name."""

    def project(before: Position, now: Position, told: Told, words: Words) -> Any:
        state: Realm = now.state
        seat = _seat(state, words)
        return read(state, seat, state.players[seat])

    return project


def _of_table(read: Callable[[Realm], Any]) -> Projection:
    """Return the projection that reads something of the whole table."""
    return lambda before, now, told, words: read(now.state)


def _fort(read: Callable[[Realm, str], Any]) -> Projection:
    """Return the projection that reads something of the place that the words name."""
    return lambda before, now, told, words: read(now.state, " ".join(words))


def _roller(before: Position, now: Position, told: Told, words: Words) -> str:
    question = now.question
    return "nobody" if question is None or question.seat is None else SEATS[question.seat]


def _decided(before: Position, now: Position, told: Told, words: Words) -> str:
    question = now.question
    if question is None or question.key not in ("faster", "track"):
        return "speed"
    if question.key == "track":
        return "the markers on the track"
    tied = dict(question.text.values)["seats"]
    return f"a roll between {' and '.join(str(tied).split())}"


def _winner(before: Position, now: Position, told: Told, words: Words) -> str:
    ends = [ruled.effect for ruled in told if isinstance(ruled.effect, Finish)]
    return "not yet" if not ends or ends[0].winner is None else SEATS[ends[0].winner]


def _turn(before: Position, now: Position, told: Told, words: Words) -> str:
    walk = now.state.walk
    return "nobody" if walk is None else SEATS[walk.seat]


def _left(before: Position, now: Position, told: Told, words: Words) -> Any:
    walk = now.state.walk
    return UNKNOWN if walk is None else points_left(now.state, walk)


def _battle(before: Position, now: Position, told: Told, words: Words) -> bool:
    return any(isinstance(ruled.effect, BattleBegun) for ruled in told)


def _chest(before: Position, now: Position, told: Told, words: Words) -> int:
    return sum(ruled.effect.cards for ruled in told if isinstance(ruled.effect, ChestOpened))


def _pickers(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    return [SEATS[ruled.effect.seat] for ruled in told if isinstance(ruled.effect, MagicPicked)]


def _picked_from(before: Position, now: Position, told: Told, words: Words) -> list[int]:
    return [ruled.effect.of for ruled in told if isinstance(ruled.effect, MagicPicked)]


def _spins(before: Position, now: Position, told: Told, words: Words) -> int:
    return sum(isinstance(ruled.effect, DiscTurned) for ruled in told)


def _still(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    """Return who has still to move, the player in turn among them, in the order of moving."""
    state: Realm = now.state
    return [SEATS[seat] for seat in reversed(speed_order(state)) if not state.goings[seat].moved]


def _whirlpool(before: Position, now: Position, told: Told, words: Words) -> Any:
    disc = " ".join(words)
    if disc not in DISCS:
        raise NotationError(f"found the disc {disc!r}, expected one of {', '.join(DISCS)}")
    return getattr(now.state, disc)


PROJECTIONS: dict[str, Projection] = {
    "payoff of": _of_player(lambda state, seat, player: payoff(state, seat)),
    "counter of": _of_player(lambda state, seat, player: player.counter),
    "mp of": _of_player(lambda state, seat, player: player.mp),
    "magic cards of": _of_player(lambda state, seat, player: player.magic),
    "movement cards of": _of_player(lambda state, seat, player: player.movement),
    "at of": _of_player(lambda state, seat, player: player.at),
    "tiles of": _of_player(lambda state, seat, player: list(player.tiles)),
    "monsters of": _of_player(lambda state, seat, player: sum(tile in MONSTERS for tile in player.tiles)),
    "orbs of": _of_player(lambda state, seat, player: sum(tile in ORBS for tile in player.tiles)),
    "bonus of": _of_player(lambda state, seat, player: list(player.bonus)),
    "victory disc of": _of_player(lambda state, seat, player: player.victory),
    "ability disc of": _of_player(
        lambda state, seat, player: "skill side up" if player.ready else "face side up beside the card"
    ),
    "fights of": _of_player(lambda state, seat, player: player.fights),
    "forts of": _of_player(lambda state, seat, player: [state.forts[each].height for each in state.forts_of(seat)]),
    "fort discs of": _of_player(lambda state, seat, player: state.discs_left(seat)),
    "balloon of": _of_player(lambda state, seat, player: state.goings[seat].balloon),
    "running of": _of_player(lambda state, seat, player: state.goings[seat].running or "none"),
    "casts no more": _of_player(lambda state, seat, player: state.goings[seat].cast),
    "moves": _of_player(lambda state, seat, player: not state.goings[seat].moved),
    "height of": _fort(lambda state, place: state.forts[place].height if place in state.forts else 0),
    "owner of": _fort(lambda state, place: SEATS[state.forts[place].seat] if place in state.forts else "none"),
    "monster in": _fort(lambda state, place: state.monsters.get(place, "none")),
    "track": _of_table(lambda state: [SEATS[seat] for seat in speed_order(state)]),
    "casting": _of_table(lambda state: [SEATS[s] for s in speed_order(state) if not state.goings[s].cast]),
    "round": _of_table(lambda state: state.round),
    "cards gone": _of_table(lambda state: len(state.gone)),
    "magic pile": _of_table(lambda state: state.magic_pile),
    "movement pile": _of_table(lambda state: state.movement_pile),
    "still to move": _still,
    "whirlpool": _whirlpool,
    "roller": _roller,
    "decided by": _decided,
    "winner": _winner,
    "turn": _turn,
    "movement left": _left,
    "battle": _battle,
    "cards drawn": _chest,
    "pickers": _pickers,
    "picked from": _picked_from,
    "spinning die rolls": _spins,
}
"""Each with the words that may follow it: a seat (`A`), a place, a disc."""


def _seat(state: Realm, words: Words) -> int:
    letters = SEATS[: len(state.players)]
    if len(words) != 1 or words[0] not in letters:
        raise NotationError(f"found {' '.join(words)!r}, expected a seat, one of {', '.join(letters)}")
    return SEATS.index(words[0])
