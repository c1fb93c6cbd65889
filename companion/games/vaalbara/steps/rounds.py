"""A round: everybody plays a character, the order is found, turns are taken, rows and hands are filled up."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.vaalbara.effects import (
    CharacterPlayed,
    CharactersDrawn,
    LandLaid,
    OrderFound,
    RoundBegun,
    RowsMoved,
    SignsSeen,
    TurnEnded,
)
from companion.games.vaalbara.pieces import HAND, ROUNDS, SEATS, SECOND, character_slot
from companion.games.vaalbara.state import Continent
from companion.games.vaalbara.steps.characters import TURN, CharacterAction, Discard
from companion.games.vaalbara.steps.ending import FINAL, Final, refuse_signs
from companion.games.vaalbara.steps.preparing import empty_slots, places, refuse_land
from companion.games.vaalbara.steps.taking import LandAction
from companion.kernel import (
    Group,
    OneOf,
    Ordered,
    Orders,
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

ROUND = cite("VB-19", "VB-20")
ASSIGN = cite("VB-21")
ORDER = cite("VB-22")
SIGNS = cite("VB-08")
REFILL = cite("VB-31")
DRAW = cite("VB-32")
_TIE = cite("VB-22", "VB-23", "VB-07", "VB-09")
_FROZEN = cite("VB-23", "VB-Q10")
_NO_SECOND = cite("VB-31", "VB-Q14")
_OWN = cite("VB-21", "VB-03")
_PLAYED = cite("VB-26")


class Round(Step[Continent], frozen=True):
    """VB-19 Nine rounds are played. VB-20 Each has assignment, resolution and an end."""

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if state.round >= ROUNDS:
            yield Ruled(then(Final()), FINAL)
            return
        yield Ruled(RoundBegun(state.round + 1), ROUND)
        yield Ruled(then(assignment(range(state.seats))), ASSIGN)
        yield Ruled(then(FindOrder()), ORDER)
        yield Ruled(then(Resolution()), TURN)


def assignment(seats: range | tuple[int, ...]) -> Group:
    """Return what asks seats for their characters, all at the same time."""
    return Group(tuple(Play(seat) for seat in seats), ASSIGN)


class Play(Step[Continent], frozen=True):
    """VB-21 Everyone lays one character face down at the same time, then all are turned up."""

    seat: int

    def questions(self, state: Continent) -> tuple[Question, ...]:
        slot = character_slot(self.seat)
        replies = OneOf(Placed(character, slot) for character in state.playable(self.seat))
        text = Text("ask.play", (("seat", SEATS[self.seat]),))
        return (Question(f"play {SEATS[self.seat]}", "place", self.seat, replies, ASSIGN, text),)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Placed)  # noqa: S101  the kernel checked the kind
        slot, letter = character_slot(self.seat), SEATS[self.seat]
        if reply.slot != slot:
            return refuse(ASSIGN, "play.where", slot=slot, found=reply.slot, seat=letter)
        if reply.piece not in state.box.initiatives:
            return refuse(_OWN, "play.strange", card=reply.piece, seat=letter)
        if reply.piece in state.discards[self.seat]:
            return refuse(_PLAYED, "play.again", card=reply.piece, seat=letter)
        return None

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Placed):
            yield Ruled(CharacterPlayed(self.seat, reply.piece, state.box.initiatives[reply.piece]), ASSIGN)


class FindOrder(Step[Continent], frozen=True):
    """VB-22 Lowest initiative acts first. VB-23 Equal initiative: the sign further left acts first.

    VB-08 The signs are those on top of the land deck; somebody has to look only if it matters.
    """

    def questions(self, state: Continent) -> tuple[Question, ...]:
        if not _ties(state) or state.signs_on_top:
            return ()
        return (Question("signs", "order", None, Orders(state.box.clans), SIGNS, Text("ask.signs")),)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        return refuse_signs(state, reply, SIGNS)

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        signs = state.signs_on_top
        if isinstance(reply, Ordered):
            signs = reply.items
            yield Ruled(SignsSeen(signs), SIGNS)
        waiting = [seat for seat in range(state.seats) if seat not in state.acted]
        order = sorted(waiting, key=lambda seat: (state.initiative(seat), state.sign_place(seat, signs)))
        why = (_TIE if not state.acted else (*_TIE, *_FROZEN)) if _ties(state) else ORDER
        yield Ruled(OrderFound((*state.acted, *order)), why)


def _ties(state: Continent) -> bool:
    initiatives = [state.initiative(seat) for seat in range(state.seats) if seat not in state.acted]
    return len(set(initiatives)) < len(initiatives)


class Resolution(Step[Continent], frozen=True):
    """VB-24 Each player does the character action first and the land action second, in the order found."""

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if state.active is None:
            yield Ruled(then(EndOfRound()), REFILL)
        else:
            yield Ruled(then(CharacterAction(), Discard(), LandAction(), EndTurn()), TURN)


class EndTurn(Step[Continent], frozen=True):
    """The turn is over. With VB-Q10 read so, a Pathfinder's new signs count for those who still have to act."""

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        seat = state.active
        assert seat is not None  # noqa: S101  whoever has just acted
        yield Ruled(TurnEnded(seat), (*TURN, *_FROZEN) if state.character == "pathfinder" else TURN)
        if state.options["order_after_pathfinder"] == "new_signs" and state.character == "pathfinder":
            yield Ruled(then(FindOrder()), ORDER)
        yield Ruled(then(Resolution()), TURN)


class EndOfRound(Step[Continent], frozen=True):
    """VB-31 The second row becomes the first, a new one is laid; VB-32 everyone draws up to five characters."""

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if state.round >= ROUNDS:
            yield Ruled(then(Final()), FINAL)
            return
        yield Ruled(RowsMoved(state.round), REFILL)
        for seat in range(state.seats):
            number = min(HAND - state.hands[seat], state.decks[seat])
            if number > 0:
                yield Ruled(CharactersDrawn(seat, number), DRAW)
        yield Ruled(then(Refill()), REFILL)
        yield Ruled(then(Round()), ROUND)


class Refill(Step[Continent], frozen=True):
    """VB-31 A new second row is laid from the deck, as far as it goes (VB-Q14)."""

    def questions(self, state: Continent) -> tuple[Question, ...]:
        slots = empty_slots(SECOND, state.second)
        if not slots or state.deck == 0:
            return ()
        return (Question("refill", "place", None, places(state, slots), _NO_SECOND, Text("ask.refill")),)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Placed)  # noqa: S101  the kernel checked the kind
        slots = empty_slots(SECOND, state.second)
        if reply.slot not in slots:
            return refuse(REFILL, "deal.where", slot=reply.slot, empty=", ".join(slots))
        return refuse_land(state, reply.piece)

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Placed):
            yield Ruled(LandLaid(SECOND, int(reply.slot[1:]) - 1, reply.piece), REFILL)
            yield Ruled(then(Refill()), REFILL)
