"""What the table of a game of Realm of Wonder shows, as far as a rule depends on it.

Places: with a map of the board a place is a space's key. Without one it is named by what it is:
`plain`, `coast`, `well`, `house`, `tower`, `rune`, `vortex`, `island`, `castle`, a fort's name (`A1`) or
a monster's (`lair-1`). `places.py` reads both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion.games.realm_of_wonder.board import Board
from companion.games.realm_of_wonder.box import Box, Quest
from companion.games.realm_of_wonder.payoff import counters_follow
from companion.games.realm_of_wonder.pieces import BONUS_DISCS, FORT_DISCS, ISLAND, LIGHTNING, MAGIC_CARDS
from companion.games.realm_of_wonder.quest import quest_done
from companion.kernel import UNKNOWN, Ruled, State, Unknown


class Player(msgspec.Struct, frozen=True):
    """What lies in front of a player, and where the figure stands.

    `magic` and `movement` count cards that nobody has seen. `tiles` lie on the character card.
    """

    character: str | Unknown = UNKNOWN
    mp: int | Unknown = UNKNOWN
    magic: int | Unknown = UNKNOWN
    movement: int | Unknown = UNKNOWN
    at: str = ""
    """Where the figure stands, empty while nobody has said it."""
    tiles: tuple[str, ...] = ()
    bonus: tuple[str, ...] = ()
    victory: bool = False
    ready: bool = True
    """Whether the ability disc lies skill side up (RW-112)."""
    counter: int = 3
    fights: int = 0


class Going(msgspec.Struct, frozen=True):
    """What a player has done in this round so far."""

    card: str = ""
    """The movement card played; empty before that, or if the set does not list it."""
    played: bool = False
    speed: int | Unknown = UNKNOWN
    points: int | Unknown = UNKNOWN
    special: str | Unknown = UNKNOWN
    acted: bool = False
    """Whether the special card has acted."""
    lightnings: int = 0
    spells: int = 0
    """What plus three and minus three come to."""
    balloon: bool = False
    running: str = ""
    """The ability that lasts for the round: `golem`, or `troll:` and the region."""
    cast: bool = False
    moved: bool = False
    paid: int = 0


class Walk(msgspec.Struct, frozen=True):
    """The turn that is being played in step 4."""

    seat: int
    spent: int = 0
    extra: bool = False
    """Whether the extra movement point was bought (RW-59)."""
    bought: bool = False
    """Whether a magic card was bought in this turn (RW-70)."""
    came_from: str = ""
    """The last space left, empty if none was left in this turn."""
    hovering: bool = False
    """Whether the balloon is over a space where it may not end (RW-Q18)."""


class Fort(msgspec.Struct, frozen=True):
    seat: int
    height: int


class Battle(msgspec.Struct, frozen=True):
    """A battle being fought. `defender` is None against a monster.

    Pairs are attacker's first. `muscles` and `knights` are None until they were said.
    """

    attacker: int
    defender: int | None
    monster: str
    place: str
    back: str
    """Where the attacker came from, empty if from nowhere."""
    revealed: bool = False
    muscles: tuple[int | None, int | None] = (None, None)
    knights: tuple[int | None, int | None] = (None, None)
    rolls: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


class Realm(State, frozen=True):
    """Everything the rules need to know of the table; tuples have one item for each seat."""

    standing: ClassVar[tuple[Callable[[Any], Iterable[Ruled]], ...]] = (counters_follow, quest_done)

    options: Mapping[str, str]
    box: Box
    players: tuple[Player, ...]
    goings: tuple[Going, ...]
    round: int = 1
    quest: Quest | Unknown = UNKNOWN
    quest_card: str = ""
    middle: str | Unknown = UNKNOWN
    innermost: str | Unknown = UNKNOWN
    forts: Mapping[str, Fort] = {}
    monsters: Mapping[str, str] = {}
    tiles_out: tuple[str, ...] = ()
    """Every tower tile that was revealed, wherever it is now."""
    bare: frozenset[str] = frozenset()
    """The tower spaces of the map whose tile is gone."""
    gone: tuple[str, ...] = ()
    """Magic cards that have left the game, by kind."""
    movement_used: tuple[str, ...] = ()
    """Movement cards played since the pile was last shuffled, by key; "" for one that nobody knows."""
    movement_pile: int | Unknown = UNKNOWN
    track: tuple[int, ...] = ()
    """Seats from the magical end of the turn track, where the table has said so."""
    cast: int = 0
    """Magic cards shown in this game; each announcement has a number."""
    walk: Walk | None = None
    battle: Battle | None = None

    @property
    def board(self) -> Board | None:
        return self.box.board

    @property
    def seats(self) -> range:
        return range(len(self.players))

    @property
    def magic_pile(self) -> int | Unknown:
        """How many cards the magic pile still holds (RW-04); nobody need count them."""
        held = 0 if self.battle is None else sum(cards or 0 for cards in self.battle.muscles)
        for player in self.players:
            if player.magic is UNKNOWN:
                return UNKNOWN
            held += player.magic
        return MAGIC_CARDS - held - len(self.gone)

    @property
    def bonus_left(self) -> int:
        return BONUS_DISCS - sum(len(player.bonus) for player in self.players)

    def on_island(self, place: str) -> bool:
        """Return whether a place is on the castle island, the innermost disc."""
        if self.board is None:
            return place in ISLAND
        return place in self.board.spaces and self.board.spaces[place].disc == "innermost"

    def discs_left(self, seat: int) -> int:
        """Return how many fort discs a player still has (RW-85)."""
        return FORT_DISCS - sum(fort.height for fort in self.forts.values() if fort.seat == seat)

    def forts_of(self, seat: int) -> tuple[str, ...]:
        return tuple(place for place, fort in self.forts.items() if fort.seat == seat)


def with_player(state: Realm, seat: int, **changes: Any) -> Realm:
    """Return the state with some of a player's fields changed."""
    players = state.players
    return replace(state, players=(*players[:seat], replace(players[seat], **changes), *players[seat + 1 :]))


def with_going(state: Realm, seat: int, **changes: Any) -> Realm:
    """Return the state with some of a player's fields of this round changed."""
    goings = state.goings
    return replace(state, goings=(*goings[:seat], replace(goings[seat], **changes), *goings[seat + 1 :]))


# ---------- orders, worked out when they are needed ----------


def speed_order(state: Realm) -> tuple[int, ...]:
    """Return the seats from the slowest to the fastest (RW-42), Lightnings counted (RW-122, RW-123)."""
    goings, track = state.goings, state.track
    unknown = any(going.speed is UNKNOWN for going in goings)

    def key(seat: int) -> tuple[bool, int, int]:
        going = goings[seat]
        struck = going.lightnings
        rank = track.index(seat) if seat in track else seat
        speed = 0 if unknown or going.speed is UNKNOWN else going.speed
        return struck > 0, speed + LIGHTNING * struck, rank

    return tuple(sorted(state.seats, key=key))


def next_caster(state: Realm) -> int | None:
    """Return who casts next: the slowest who has not ended casting (RW-50)."""
    return next((seat for seat in speed_order(state) if not state.goings[seat].cast), None)


def next_mover(state: Realm) -> int | None:
    """Return who moves next: the fastest who has not moved (RW-55)."""
    return next((seat for seat in reversed(speed_order(state)) if not state.goings[seat].moved), None)
