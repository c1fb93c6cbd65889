"""Before the first round: who has which clan, and the two rows of lands (VB-11, VB-12, VB-16 to VB-18)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from companion.games.vaalbara.effects import ClansKnown, LandLaid
from companion.games.vaalbara.lands import Land
from companion.games.vaalbara.pieces import FIRST, SECOND, TYPES, land_slot
from companion.games.vaalbara.state import Continent
from companion.kernel import (
    UNKNOWN,
    Assigned,
    Domain,
    OneOf,
    Placed,
    Question,
    Refusal,
    Reply,
    Ruled,
    Step,
    Text,
    cite,
    refuse,
    then,
)

CLANS = cite("VB-12")
ROWS = cite("VB-17", "VB-18")
_MARK = cite("VB-11")
_ONCE = cite("VB-02")
_BACKS = cite("VB-05")
_TOP = cite("VB-50", "VB-16")


class KnowClans(Step[Continent], frozen=True):
    """VB-12 Each player picks a clan."""

    def questions(self, state: Continent) -> tuple[Question, ...]:
        if state.clans is not UNKNOWN:
            return ()
        return (Question("clans", "assign", None, self._ways(state), CLANS, Text("ask.clans")),)

    def _ways(self, state: Continent) -> Domain:
        ways = permutations(state.box.clans, state.seats)
        return OneOf(Assigned(tuple(zip(state.letters, clans, strict=True))) for clans in ways)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Assigned)  # noqa: S101  the kernel checked the kind
        clans = [clan for _, clan in reply.pairs]
        if [letter for letter, _ in reply.pairs] != list(state.letters):
            return refuse(CLANS, "clans.seats", seats=", ".join(state.letters))
        if strange := [clan for clan in clans if clan not in state.box.clans]:
            return refuse(CLANS, "clans.strange", clan=strange[0], clans=", ".join(state.box.clans))
        if twice := [clan for clan in clans if clans.count(clan) > 1]:
            return refuse(CLANS, "clans.twice", clan=twice[0])
        return None

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Assigned):
            yield Ruled(ClansKnown(tuple(clan for _, clan in reply.pairs)), CLANS)


class DealRows(Step[Continent], frozen=True):
    """VB-17 Two rows are laid open, as many lands in each as there are players.

    VB-18 The row further from the deck is the first row.
    """

    def questions(self, state: Continent) -> tuple[Question, ...]:
        slots = self._empty(state)
        if not slots or state.deck == 0:
            return ()
        return (Question("deal", "place", None, places(state, slots), ROWS, Text("ask.deal")),)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Placed)  # noqa: S101  the kernel checked the kind
        slots = self._empty(state)
        if reply.slot not in slots:
            return refuse(ROWS, "deal.where", slot=reply.slot, empty=", ".join(slots))
        return refuse_land(state, reply.piece)

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Placed):
            yield Ruled(LandLaid(reply.slot[0], int(reply.slot[1:]) - 1, reply.piece), ROWS)
            yield Ruled(then(DealRows()), ROWS)

    def _empty(self, state: Continent) -> tuple[str, ...]:
        return (*empty_slots(FIRST, state.first), *empty_slots(SECOND, state.second))


def empty_slots(row: str, lands: tuple[str | None, ...]) -> tuple[str, ...]:
    """Return the slots of a row in which no land lies."""
    return tuple(land_slot(row, column) for column, key in enumerate(lands) if key is None)


def places(state: Continent, slots: tuple[str, ...]) -> Domain:
    """Return every way to lay the top land of the deck into one of some slots."""
    known = top_land(state)
    return OneOf(Placed(key, slot) for slot in slots for key in ((known,) if known else unseen(state)))


def top_land(state: Continent) -> str:
    """Return the land on top of the deck, empty if only its back has been seen."""
    if state.top is not UNKNOWN:
        return state.top
    return state.bottom if state.deck == 1 and state.bottom is not UNKNOWN else ""


def unseen(state: Continent) -> tuple[str, ...]:
    """Return the lands that the deck may hold: those of the set, or one more of each type where no set lists them."""
    if state.box.is_listed:
        return tuple(key for key, land in state.box.lands.items() if key not in state.seen and _fits(state, land))
    stated = tuple(key for key in state.box.lands if key not in state.seen)
    return stated + tuple(_next(state, kind) for kind in TYPES)


def _next(state: Continent, kind: str) -> str:
    number = 1
    while f"{kind}-{number}" in state.seen:
        number += 1
    return f"{kind}-{number}"


def _fits(state: Continent, land: Land) -> bool:
    return land.players <= state.seats


def refuse_land(state: Continent, key: str) -> Refusal | None:
    """Return the reason why a land cannot come from the top of the deck."""
    known = top_land(state)
    if known and key != known:
        return refuse(_TOP, "land.top", land=key, top=known)
    return None if known else refuse_unseen(state, key)


def refuse_unseen(state: Continent, key: str) -> Refusal | None:
    """Return the reason why a land cannot be one that nobody has seen."""
    land = state.box.land(key)
    if land is None:
        return refuse(_ONCE, "land.strange", land=key)
    if key in state.seen:
        return refuse(_BACKS, "land.twice", land=key)
    if not _fits(state, land):
        return refuse(_MARK, "land.mark", land=key, mark=land.players, players=state.seats)
    return None
