"""The magic point payoff (RW-31 to RW-39): a sum of which every term is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.realm_of_wonder.pieces import DISCS, HOUSE, SEATS, WELL
from companion.kernel import UNKNOWN, Effect, Term, Text, cite, rule

if TYPE_CHECKING:  # the state names the standing rule, so this chapter knows the state by its type alone
    from companion.games.realm_of_wonder.state import Realm

_HOUSE = cite("RW-31", "RW-39")
_WELL = cite("RW-32")
_ORB = cite("RW-33")
_CURSED = cite("RW-34")
_WHIRLPOOL = {"middle": cite("RW-35"), "innermost": cite("RW-36")}
_FLOOR = cite("RW-Q01")
_ISLAND = cite("RW-38", "RW-Q02")
_TOTAL = cite("RW-37")


def payoff(state: Realm, seat: int) -> Term:
    """Return what the player's next payoff comes to as things stand, as a sum of terms."""
    parts = _parts(state, seat, aligned(state, seat))
    points = sum(part.points for part in parts)
    if points and state.options["island_when"] == "payoff_step" and state.on_island(state.players[seat].at):
        parts.append(Term(Text("score.island"), -points, _ISLAND))
    total = sum(part.points for part in parts)
    return Term(Text("score.payoff", (("seat", SEATS[seat]),)), total, _TOTAL, tuple(parts))


def counter(state: Realm, seat: int) -> int:
    """Return what the scoring counter has to show (RW-37).

    It knows nothing of the castle island, and in round 1 of no whirlpool extra (RW-30).
    """
    return sum(part.points for part in _parts(state, seat, () if state.round == 1 else aligned(state, seat)))


def _parts(state: Realm, seat: int, whirlpools: tuple[str, ...]) -> list[Term]:
    player = state.players[seat]
    parts = [Term(Text("score.house"), HOUSE, _HOUSE)]
    parts += [
        Term(Text("score.well", (("place", place), ("height", fort.height))), WELL, _WELL)
        for place, fort in state.forts.items()
        if fort.seat == seat
    ]
    if orbs := player.tiles.count("orb"):
        parts.append(Term(Text("score.orbs", (("number", orbs),)), orbs, _ORB))
    if cursed := player.tiles.count("cursed"):
        parts.append(Term(Text("score.cursed", (("number", cursed),)), -cursed, _CURSED))
    parts += [Term(Text(f"score.{disc}"), 1, _WHIRLPOOL[disc]) for disc in whirlpools]
    points = sum(part.points for part in parts)
    if points < 0 and state.options["negative_payoff"] == "zero":
        parts.append(Term(Text("score.floor"), -points, _FLOOR))
    return parts


def score(state: Realm) -> tuple[Term, ...]:
    """Return each player's next payoff, term by term."""
    return tuple(payoff(state, seat) for seat in state.seats)


def aligned(state: Realm, seat: int) -> tuple[str, ...]:
    """Return the whirlpools in line with the path of the player's home region."""
    home = state.players[seat].character
    if home is UNKNOWN:
        return ()
    return tuple(disc for disc in DISCS if getattr(state, disc) == home)


class CounterMoved(Effect, frozen=True):
    """The scoring counter on a player's character card was moved."""

    seat: int
    value: int
    by: int

    def apply(self, state: Realm) -> Realm:
        players = list(state.players)
        players[self.seat] = replace(players[self.seat], counter=self.value)
        return replace(state, players=tuple(players))


@rule("RW-37")
def counters_follow(state: Realm) -> Iterator[Effect]:
    """RW-37 The counter follows whatever changes the payoff, at once."""
    owners = [fort.seat for fort in state.forts.values()]
    whirlpools = () if state.round == 1 else (state.middle, state.innermost)
    for seat, player in enumerate(state.players):
        # A quick look first: this is watched after every step, and next to nothing changes a payoff.
        sum_ = HOUSE + owners.count(seat) + player.tiles.count("orb") - player.tiles.count("cursed")
        if sum_ + whirlpools.count(player.character) != player.counter:
            points = counter(state, seat)
            if points != player.counter:
                yield CounterMoved(seat, points, points - player.counter)
