"""What can be read off a table after a play: the projections of its cases. Nothing is reckoned here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.king_of_the_dice.document import PositionDocument
from companion.games.king_of_the_dice.effects import (
    BonusMissed,
    DragonPassed,
    LastCardTaken,
    PenaltyTaken,
    PlaceFounded,
    PlaceWon,
    TurnGiven,
    VillagerWon,
)
from companion.games.king_of_the_dice.pieces import COLUMNS, PLACES, SEATS
from companion.games.king_of_the_dice.probes.scores import winner
from companion.games.king_of_the_dice.state import Kingdoms
from companion.games.king_of_the_dice.steps.ending import minus, score
from companion.kernel import UNKNOWN, Chosen, NotationError, Position, Ruled

POSITION = PositionDocument
"""The record of a play's position."""
Words = tuple[str, ...]
Told = tuple[Ruled, ...]


def _rolls(before: Position, now: Position, told: Told, words: Words) -> int:
    state: Kingdoms = now.state
    return state.rolls_for(_seat(state, words) if words else state.seat)


def _pile(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    state: Kingdoms = now.state
    return [_called(state, card) for card in state.piles[_seat(state, words)]]


def _top(before: Position, now: Position, told: Told, words: Words) -> str:
    return (_pile(before, now, told, words) or ["nothing"])[-1]


def _new(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    """Return what lies on a pile above what lay there before the first move."""
    state: Kingdoms = now.state
    seat = _seat(state, words)
    return [_called(state, card) for card in state.piles[seat][len(before.state.piles[seat]) :]]


def _gets(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    """Return the cards that came onto a seat's pile, in the order in which they came."""
    state: Kingdoms = now.state
    seat = _seat(state, words)
    got: list[str] = []
    for ruled in told:
        match ruled.effect:
            case VillagerWon(seat=own, card=card) | PenaltyTaken(seat=own, card=card) if own == seat:
                got.append(_called(state, card))
            case PlaceWon(seat=own, card=card) | PlaceFounded(seat=own, card=card) if own == seat:
                got.append(f"top place card of {state.box.places[card].colour}")
            case DragonPassed(toward=own, cards=cards) if own == seat:
                got += [_called(state, card) for card in cards]
    return got


def _turn(before: Position, now: Position, told: Told, words: Words) -> str:
    letter: str = now.state.letter
    return letter


def _order(before: Position, now: Position, told: Told, words: Words) -> list[str] | Any:
    state: Kingdoms = now.state
    if state.starter is UNKNOWN:
        return UNKNOWN
    seats = len(state.piles)
    return [SEATS[(state.starter + turn) % seats] for turn in range(seats)]


def _choices(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    question = now.question
    replies = question.domain if question is not None and question.kind == "choose" else ()
    return [" + ".join(reply.picks) for reply in replies if isinstance(reply, Chosen)]


def _asked(before: Position, now: Position, told: Told, words: Words) -> str:
    question = now.question
    return "everybody" if question is None or question.seat is None else SEATS[question.seat]


def _row(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    state: Kingdoms = now.state
    return ["empty" if card is None else card for card in state.row]


def _discards(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    return list(now.state.discards)


def _places(before: Position, now: Position, told: Told, words: Words) -> list[str]:
    state: Kingdoms = now.state
    return [state.box.places[stack[0]].place for stack in state.places if stack is not UNKNOWN and stack]


def _stack(before: Position, now: Position, told: Told, words: Words) -> list[int]:
    state: Kingdoms = now.state
    name = " ".join(words)
    column = int(name) - 1 if name in map(str, range(1, COLUMNS + 1)) else PLACES.index(name) if name in PLACES else -1
    if column < 0 or (stack := state.places[column]) is UNKNOWN:
        raise NotationError(f"found the stack {name!r}, expected 1 to {COLUMNS} or one of {', '.join(PLACES)}")
    return [state.box.places[card].points for card in stack]


def _villagers(before: Position, now: Position, told: Told, words: Words) -> Any:
    return now.state.villagers


def _penalties(before: Position, now: Position, told: Told, words: Words) -> Any:
    return now.state.penalties


def _may_bring(before: Position, now: Position, told: Told, words: Words) -> bool:
    """Return whether a hypnotist brings a villager, or may do so."""
    card = " ".join(words)
    return card in _choices(before, now, told, ()) or any(
        isinstance(ruled.effect, VillagerWon) and ruled.effect.card == card for ruled in told
    )


def _bonus(before: Position, now: Position, told: Told, words: Words) -> bool:
    return any(isinstance(ruled.effect, BonusMissed) for ruled in told)


def _again(before: Position, now: Position, told: Told, words: Words) -> bool:
    return any(isinstance(ruled.effect, TurnGiven) for ruled in told)


def _points(before: Position, now: Position, told: Told, words: Words) -> Any:
    return score(now.state)[_seat(now.state, words)] if _all_known(now.state, words) else UNKNOWN


def _minus(before: Position, now: Position, told: Told, words: Words) -> Any:
    return minus(now.state, _seat(now.state, words)) if _all_known(now.state, words) else UNKNOWN


def _all_known(state: Kingdoms, words: Words) -> bool:
    return all(state.box.points(card) is not UNKNOWN for card in state.piles[_seat(state, words)])


def _reason(before: Position, now: Position, told: Told, words: Words) -> str:
    return next((ruled.effect.reason for ruled in told if isinstance(ruled.effect, LastCardTaken)), "none")


def _winner(before: Position, now: Position, told: Told, words: Words) -> str:
    return winner(told)


PROJECTIONS: dict[str, Callable[[Position, Position, Told, Words], Any]] = {
    "rolls allowed": _rolls,
    "rolls allowed of": _rolls,
    "pile of": _pile,
    "top of": _top,
    "new on": _new,
    "gets of": _gets,
    "turn": _turn,
    "order": _order,
    "choices": _choices,
    "asked": _asked,
    "row": _row,
    "discards": _discards,
    "places": _places,
    "stack": _stack,
    "villagers left": _villagers,
    "penalties left": _penalties,
    "may bring": _may_bring,
    "bonus missed": _bonus,
    "another turn": _again,
    "points of": _points,
    "minus of": _minus,
    "end": _reason,
    "winner": _winner,
}
"""Each with the word that may follow it: a seat (`A`), a stack (`1`, `city`), a villager."""


def _seat(state: Kingdoms, words: Words) -> int:
    seats = SEATS[: len(state.piles)]
    if len(words) != 1 or words[0] not in seats:
        raise NotationError(f"found {' '.join(words)!r}, expected a seat, one of {', '.join(seats)}")
    return seats.index(words[0])


def _called(state: Kingdoms, card: str) -> str:
    """Return what a card is: the kind of a villager, or `place` or `penalty`."""
    if card in state.box.villagers:
        return state.box.villagers[card].kind
    return "place" if card in state.box.places else "penalty"
