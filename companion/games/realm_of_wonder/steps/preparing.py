"""Preparations: characters, quest and whirlpools, and what each player begins with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations

from companion.games.realm_of_wonder.effects.board import DiscTurned
from companion.games.realm_of_wonder.effects.preparing import CharactersDealt, Equipped, QuestDrawn, QuestRead
from companion.games.realm_of_wonder.pieces import CHARACTERS, DISCS, QUESTS, SEATS, START_CARDS, START_POINTS
from companion.games.realm_of_wonder.state import Realm
from companion.games.realm_of_wonder.steps.asking import SPIN, Asking, ask, faces, one_of
from companion.kernel import (
    UNKNOWN,
    Assigned,
    Chosen,
    Counted,
    Domain,
    Numbers,
    Question,
    Refusal,
    Reply,
    Revealed,
    Rolled,
    Ruled,
    cite,
    refuse,
    then,
)

CHARACTERS_OUT = cite("RW-02", "RW-19")
_WELL = cite("RW-21", "RW-19")
QUEST = cite("RW-16", "RW-05")
READ = cite("RW-26", "RW-05")
WHIRLPOOL = cite("RW-17", "RW-18")
EQUIP = cite("RW-22", "RW-23", "RW-24", "RW-25")
_DIE = cite("RW-06", "RW-17")
MOST = {"forts": 10, "strongholds": 3, "regions": 6, "hoard": 60, "fights": 20}
"""The highest goal of a quest that can be reached or need be entered, by what it counts."""


class Castings(Domain):
    """Each seat gets a character of its own: all ways to hand them out."""

    __slots__ = ("seats",)

    def __init__(self, seats: int) -> None:
        self.seats = seats

    def __iter__(self) -> Iterator[Reply]:
        for characters in permutations(CHARACTERS, self.seats):
            yield Assigned(tuple(zip(characters, SEATS, strict=False)))

    def __contains__(self, reply: object) -> bool:
        return (
            isinstance(reply, Assigned)
            and [holder for _, holder in reply.pairs] == list(SEATS[: self.seats])
            and {item for item, _ in reply.pairs} <= set(CHARACTERS)
            and len({item for item, _ in reply.pairs}) == self.seats
        )


class DealCharacters(Asking, frozen=True):
    """RW-19 Each player has a character with all that belongs to it, dealt at random or chosen.

    RW-21 Figure and house start on the well of that character's house.
    """

    def questions(self, state: Realm) -> tuple[Question, ...]:
        if all(player.character is not UNKNOWN for player in state.players):
            return ()
        return (ask("characters", "assign", None, Castings(len(state.players)), CHARACTERS_OUT),)

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Assigned)  # noqa: S101  the kernel checked the kind
        found = ", ".join(f"{item}: {holder}" for item, holder in reply.pairs) or "-"
        seats = ", ".join(SEATS[seat] for seat in state.seats)
        return refuse(CHARACTERS_OUT, "characters.each", found=found, seats=seats, characters=", ".join(CHARACTERS))

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Assigned):
            yield Ruled(CharactersDealt(tuple(item for item, _ in reply.pairs)), _WELL)


class DrawQuest(Asking, frozen=True):
    """RW-16 One quest card is drawn and lies open for everyone; its text is read out (RW-26).

    The set says what it counts and how many; otherwise the table does.
    """

    def questions(self, state: Realm) -> tuple[Question, ...]:
        if not state.quest_card and state.quest is UNKNOWN:
            return (ask("quest", "reveal", None, faces(state.box.quest_cards), QUEST),)
        if state.quest is UNKNOWN:
            return (ask("quest counts", "choose", None, one_of(QUESTS), READ, "ask.counts"),)
        if state.quest.quest != "claim" and not state.quest.goal:
            goals = Numbers(1, MOST[state.quest.quest])
            return (ask("quest goal", "count", None, goals, READ, "ask.goal", what=state.quest.quest),)
        return ()

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        match reply:
            case Revealed(pieces=(card,)):
                yield Ruled(QuestDrawn(card, state.box.quests.get(card, UNKNOWN)), QUEST)
            case Chosen(picks=(counts,)):
                yield Ruled(QuestRead(counts, 0), READ)
            case Counted(number=goal):
                assert state.quest is not UNKNOWN  # noqa: S101  the goal is asked once it is known what counts
                yield Ruled(QuestRead(state.quest.quest, goal), READ)
            case _:
                return
        yield Ruled(then(DrawQuest()), READ)


class SetWhirlpools(Asking, frozen=True):
    """RW-17 The spinning die is rolled once for each inner disc, and its whirlpool set to that path."""

    def questions(self, state: Realm) -> tuple[Question, ...]:
        return tuple(
            ask(f"spin {disc}", "roll", None, SPIN, WHIRLPOOL, "ask.spin_start", disc=disc)
            for disc in DISCS
            if getattr(state, disc) is UNKNOWN
        )

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        return refuse_spin(reply)

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Rolled):
            yield Ruled(DiscTurned(to.removeprefix("spin "), reply.faces[0]), WHIRLPOOL)
            yield Ruled(then(SetWhirlpools()), WHIRLPOOL)


def refuse_spin(reply: Reply) -> Refusal:
    """Return the refusal of a face that the board spinning die does not have."""
    found = " ".join(reply.faces) if isinstance(reply, Rolled) else "-"
    return refuse(_DIE, "spin.face", found=found or "-", faces=", ".join(CHARACTERS))


class Equip(Asking, frozen=True):
    """RW-24 RW-25 Each player starts with ten magic points, three movement cards and three magic cards."""

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterable[Ruled]:
        for seat in state.seats:
            yield Ruled(Equipped(seat, START_POINTS, START_CARDS, START_CARDS), EQUIP)
