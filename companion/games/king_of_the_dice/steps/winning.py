"""Step 2a: a villager is won, perhaps with a place, and its effect happens (KD-18 to KD-22, KD-47, KD-52 to KD-55)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.king_of_the_dice.effects import (
    BonusMissed,
    DragonCaught,
    DragonPassed,
    PileArranged,
    PlaceFounded,
    PlaceGoesAlong,
    PlaceWon,
    TurnGiven,
    VillagerWon,
)
from companion.games.king_of_the_dice.pieces import SEATS
from companion.games.king_of_the_dice.state import Kingdoms
from companion.games.king_of_the_dice.steps.taking import articles_of
from companion.kernel import (
    UNKNOWN,
    Chosen,
    Ordered,
    Orders,
    Question,
    Refusal,
    Reply,
    Ruled,
    Step,
    Subsets,
    Text,
    cite,
    refuse,
    then,
)

_WON = cite("KD-20")
PASS = cite("KD-55")
PILE = cite("KD-20", "KD-Q09")
BONUS = cite("KD-52", "KD-Q07")
_BONUS_WON = cite("KD-52", "KD-20", "KD-Q07", "KD-Q08")
_FOUND = cite("KD-21", "KD-22")
_FAR_RIGHT = cite("KD-53")
_AGAIN = cite("KD-47", "KD-Q15")
_DRAGON = cite("KD-18", "KD-54")
_DRAGON_PLACE = cite("KD-21", "KD-Q14")
_NO_EFFECT = cite("KD-52", "KD-Q08")


def win(state: Kingdoms, card: str, is_bonus: bool = False) -> Iterator[Ruled]:
    """Yield what happens when a villager is won; a bonus follows a hypnotist in a step of its own."""
    column, villager = state.column_of(card), state.box.villagers[card]
    why = _BONUS_WON if is_bonus else (*articles_of(villager), *_WON)
    works = not (is_bonus and state.options["bonus_effects"] == "ignored")
    place = _matching_place(state, column, villager.colour)
    if villager.kind == "dragon" and works:
        yield Ruled(DragonCaught(state.seat, column, card), why)
        if place:
            yield from _found_by_a_dragon(state, column, place)
        return
    yield Ruled(VillagerWon(state.seat, column, card), why)
    if place:
        yield Ruled(PlaceWon(state.seat, column, place, card), _FOUND)
    if villager.kind == "apprentice" and works and not _was_the_only_one(state):
        yield Ruled(then(AnotherTurn()), _AGAIN)
    if villager.kind == "hypnotist" and works:
        yield Ruled(then(Bonus(column)), BONUS)


def _found_by_a_dragon(state: Kingdoms, column: int, place: str) -> Iterator[Ruled]:
    match state.options["dragon_place"]:
        case "stays":
            yield Ruled(PlaceFounded(state.seat, column, place), _DRAGON_PLACE)
        case "goes_along":
            yield Ruled(PlaceGoesAlong(column, place), _DRAGON_PLACE)


def _matching_place(state: Kingdoms, column: int, colour: str) -> str:
    """Return the top place card over a column if it has the villager's colour (KD-21), empty if not."""
    stack = state.places[column]
    if stack is UNKNOWN or not stack or not colour:
        return ""
    return stack[0] if state.box.places[stack[0]].colour == colour else ""


def _was_the_only_one(state: Kingdoms) -> bool:
    return state.chained and state.options["apprentices_in_a_row"] == "one_extra_turn"


class AnotherTurn(Step[Kingdoms], frozen=True):
    """KD-47 Whoever gets an apprentice has another turn, unless the place that came with it has ended the game."""

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        yield Ruled(TurnGiven(state.seat), _AGAIN)


class Bonus(Step[Kingdoms], frozen=True):
    """KD-52 As a bonus the hypnotist brings the villager to its right, with a matching place card.

    KD-53 At the far right there is no bonus. A second hypnotist brings a further bonus (KD-Q08).
    """

    column: int
    """Where the hypnotist lay."""

    def questions(self, state: Kingdoms) -> tuple[Question, ...]:
        cards = self._cards(state)
        if len(cards) < 2:
            return ()
        text = Text("ask.bonus", (("seat", state.letter),))
        return (Question("bonus", "choose", state.seat, Subsets(cards), BONUS, text),)

    def refuse(self, state: Kingdoms, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Chosen)  # noqa: S101  the kernel checked the kind
        cards = self._cards(state)
        if len(reply.picks) != 1 or reply.picks[0] not in cards:
            found = " + ".join(reply.picks) or "-"
            return refuse(BONUS, "bonus.which", found=found, cards=", ".join(cards))
        return None

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        cards = reply.picks if isinstance(reply, Chosen) else self._cards(state)
        if cards:
            yield from win(state, cards[0], is_bonus=True)
        else:
            yield Ruled(BonusMissed(state.seat), _FAR_RIGHT)

    def _cards(self, state: Kingdoms) -> tuple[str, ...]:
        right = tuple(key for key in state.row[self.column + 1 :] if key is not None)
        return right if state.options["hypnotist_bonus"] == "any" else right[:1]


class PassDragon(Step[Kingdoms], frozen=True):
    """KD-55 Whoever gets a dragon must pass it to another player, face up on top of that player's pile."""

    def questions(self, state: Kingdoms) -> tuple[Question, ...]:
        others = self._others(state)
        if not state.held or len(others) == 1:
            return ()
        text = Text("ask.dragon", (("seat", state.letter), ("card", state.held[-1])))
        return (Question("dragon", "choose", state.seat, Subsets(others), PASS, text),)

    def refuse(self, state: Kingdoms, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Chosen)  # noqa: S101  the kernel checked the kind
        others = self._others(state)
        if len(reply.picks) != 1 or reply.picks[0] not in others:
            return refuse(PASS, "dragon.to", found=" + ".join(reply.picks) or "-", others=", ".join(others))
        return None

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if state.held:
            receiver = reply.picks[0] if isinstance(reply, Chosen) else self._others(state)[0]
            yield Ruled(DragonPassed(state.seat, SEATS.index(receiver), state.held), PASS)

    def _others(self, state: Kingdoms) -> tuple[str, ...]:
        return tuple(letter for seat, letter in enumerate(SEATS[: len(state.piles)]) if seat != state.seat)


class ArrangePile(Step[Kingdoms], frozen=True):
    """KD-20 Won cards go onto the own pile: the hypnotist first, its bonus on top, or as the player likes (KD-Q09)."""

    def questions(self, state: Kingdoms) -> tuple[Question, ...]:
        if len(state.won) < 2 or state.options["pile_order"] == "hypnotist_first":
            return ()
        text = Text("ask.pile", (("seat", state.letter),))
        return (Question("pile", "order", state.seat, Orders(self._villagers(state)), PILE, text),)

    def refuse(self, state: Kingdoms, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Ordered)  # noqa: S101  the kernel checked the kind
        villagers = self._villagers(state)
        if reply in Orders(villagers):
            return None
        return refuse(PILE, "pile.order", found=", ".join(reply.items) or "-", cards=", ".join(villagers))

    def resolve(self, state: Kingdoms, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Ordered):
            yield Ruled(PileArranged(state.seat, reply.items), PILE)

    def _villagers(self, state: Kingdoms) -> tuple[str, ...]:
        return tuple(group[-1] for group in state.won)
