"""What the probes share: a small table to begin from, its place stacks, and a turn played on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.king_of_the_dice.pieces import DICE, PLACES, ROLLS
from companion.games.king_of_the_dice.state import Box, Kingdoms, PlaceCard, Villager
from companion.games.king_of_the_dice.stated import Stack
from companion.games.king_of_the_dice.steps.preparing import penalty_slot, unseen_penalties
from companion.games.king_of_the_dice.steps.turns import TURN, Turn
from companion.kernel import (
    Answer,
    Chosen,
    NotationError,
    Ordered,
    Placed,
    Position,
    Refusal,
    Setup,
    advance,
    open_position,
)

Stacks = Sequence[tuple[str, Sequence[int]]]
"""The colour of each place stack, and its numbers from the top."""

SPELT = {
    "rich man's son": "rich",
    "rich man": "rich",
    "elf": "elves",
    "mushroom folk": "mushroom",
    "mushrooms": "mushroom",
}
"""Other names of villagers that people use, with the kind that is meant."""


def table(
    setup: Setup, villagers: Sequence[Villager], penalties: Mapping[str, int] | None = None, stacks: Stacks = ()
) -> Kingdoms:
    """Return a table on which these cards exist; no villager lies open yet, nothing was rolled."""
    places = {
        f"{column}-{number}": PlaceCard(f"{column}-{number}", PLACES[column], colour, number)
        for column, (colour, numbers) in enumerate(stacks)
        for number in numbers
    }
    state = Kingdoms(
        options=setup.options,
        box=Box({each.key: each for each in villagers}, places, penalties or {}),
        piles=((),) * len(setup.seats),
        starter=0,
    )
    tops = [tuple(f"{column}-{number}" for number in numbers) for column, (_, numbers) in enumerate(stacks)]
    return replace(state, places=(*tops, *state.places[len(tops) :]))


def numbers_of(stack: Stack, options: Mapping[str, str]) -> tuple[int, ...]:
    """Return the numbers of a place stack from the top, stated so or as a count (KD-06, KD-Q01).

    :raises NotationError: for more cards than a stack has.
    """
    if isinstance(stack, tuple):
        return stack
    order = (4, 3, 2) if options["place_order"] == "two_at_the_bottom" else (2, 3, 4)
    if stack > len(order):
        raise NotationError(f"places_left: found {stack} cards, expected {len(order)} at most in a stack")
    return order[len(order) - stack :]


def play_turn(state: Kingdoms, chosen: Sequence[str], drawn: Sequence[str]) -> Position:
    """Return the table after a turn in which `chosen` are won, or a penalty is taken, and the row is filled.

    The position tells everything that happened.

    :raises NotationError: if the rules refuse that.
    """
    start = replace(state, rolls=ROLLS, dice=("any-1",) * DICE)
    at = open_position(start, [(Turn(), TURN)])
    told, wanted, left = list(at.told), list(chosen), list(drawn)
    while (question := at.question) is not None and question.key != "roll":
        match question.key:
            case "refill":
                reply: Any = Placed(left.pop(0), "V1")
            case "penalty":
                reply = Placed(unseen_penalties(at.state)[0], penalty_slot(at.state))
            case "pile":
                reply = Ordered(tuple(group[-1] for group in at.state.won))
            case _:
                wanted = [card for card in wanted if card in at.state.row]
                reply = Chosen((wanted[0],) if wanted else ())
        after = advance(at, Answer(question.key, reply))
        if isinstance(after, Refusal):
            articles = " ".join(str(cited) for cited in after.cites)
            raise NotationError(f"take: {question.key!r} is refused for {wanted[:1] or 'nothing'} ({articles})")
        told += after.told
        at = after
    return Position(at.state, at.agenda, tuple(told))
