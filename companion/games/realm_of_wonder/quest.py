"""The quest as the companion can count it, and the rule that watches it (RW-27, RW-108)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.realm_of_wonder.pieces import STRONGHOLD
from companion.kernel import UNKNOWN, Effect, rule

if TYPE_CHECKING:  # the state names the standing rule, so this chapter knows the state by its type alone
    from companion.games.realm_of_wonder.state import Realm


class VictoryDiscTaken(Effect, frozen=True):
    """A player did the quest and has a victory disc from now on."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        players = list(state.players)
        players[self.seat] = replace(players[self.seat], victory=True)
        return replace(state, players=tuple(players))


def is_counted(state: Realm) -> bool:
    """Return whether the companion keeps the books of what the quest counts; otherwise it is claimed."""
    if state.quest is UNKNOWN or state.quest.quest == "claim" or not state.quest.goal:
        return False
    return state.quest.quest != "regions" or state.board is not None


def achieved(state: Realm, seat: int) -> int:
    """Return how far a player is with a quest that is counted."""
    assert state.quest is not UNKNOWN  # noqa: S101  asked only where `is_counted`
    player, forts = state.players[seat], [fort for fort in state.forts.values() if fort.seat == seat]
    match state.quest.quest:
        case "forts":
            return len(forts)
        case "strongholds":
            return sum(fort.height >= STRONGHOLD for fort in forts)
        case "regions":
            assert state.board is not None  # noqa: S101  asked only where `is_counted`
            return len({state.board.spaces[place].region for place in state.forts_of(seat)})
        case "hoard":
            return 0 if player.mp is UNKNOWN else player.mp
        case _:
            return player.fights


@rule("RW-27", "RW-108")
def quest_done(state: Realm) -> Iterator[Effect]:
    """RW-27 Completing the quest gives a victory disc, at once; it is never lost again (RW-108)."""
    if is_counted(state):
        for seat in state.seats:
            if not state.players[seat].victory and achieved(state, seat) >= state.quest.goal:  # type: ignore[union-attr]
                yield VictoryDiscTaken(seat)
