"""Step 1: what the dice can show, and when they may be rolled (KD-01, KD-14 to KD-17, KD-41, KD-42)."""

from __future__ import annotations

from companion.games.king_of_the_dice.pieces import DICE, ROLLS
from companion.games.king_of_the_dice.state import Kingdoms
from companion.kernel import UNKNOWN, Citation, Goal, Question, Refusal, Rolled, Rolling, Rolls, Text, cite, refuse

_FIRST = cite("KD-14")
_AGAIN = cite("KD-14", "KD-15", "KD-16")
_FOURTH = cite("KD-41", "KD-15", "KD-16")
_RESULT = cite("KD-17")
_FOURTH_RESULT = cite("KD-42")
_STOP = cite("KD-Q04")
_SIX = cite("KD-01")


def must_roll(state: Kingdoms) -> bool:
    """Return whether the dice have to be rolled before anything else: the first time, or always (KD-Q04)."""
    return state.rolls == 0 or (state.options["stop_early"] == "all_rolls" and may_roll(state))


def may_roll(state: Kingdoms) -> bool:
    return state.rolls < state.rolls_allowed


def roll(state: Kingdoms, key: str) -> Question:
    """Return the question for a roll, due or offered; its answer gives all six dice, rolled or set aside."""
    values = (("seat", state.letter), ("roll", state.rolls + 1), ("rolls", state.rolls_allowed))
    cites = _FIRST if state.rolls == 0 else (*(_AGAIN if state.rolls < ROLLS else _FOURTH), *_STOP)
    return Question("roll", "roll", state.seat, dice_of(state), cites, Text(key, values))


def dice_of(state: Kingdoms) -> Rolls:
    """Return what the six dice can show, in their order (KD-01); no rule asks which of them is which."""
    return Rolls([state.faces_of(die) for die in range(DICE)], alike=True)


def refuse_roll(state: Kingdoms, reply: Rolled) -> Refusal | None:
    if len(reply.faces) != DICE:
        return refuse(_SIX, "roll.six", found=len(reply.faces), dice=DICE)
    for die, face in enumerate(reply.faces):
        if face not in (faces := state.faces_of(die)):
            return refuse(_SIX, "roll.face", die=die + 1, face=face, faces=", ".join(faces))
    return None


def result_counts(state: Kingdoms) -> tuple[Citation, ...]:
    """Return the article by which the roll just made replaces the one before."""
    return _RESULT if state.rolls < ROLLS else _FOURTH_RESULT


def goals(state: Kingdoms) -> Rolling | None:
    """Return what the dice can still be rolled for, None where the set does not say how they look."""
    if not state.box.dice:
        return None
    open_ = tuple(
        Goal(villager.key, villager.condition, villager.condition.asked(), villager.condition.cites)
        for villager in state.open_villagers
        if villager.condition is not UNKNOWN
    )
    left = state.rolls_allowed - state.rolls
    return Rolling(state.box.dice, state.dice, left, open_, state.options["stop_early"] == "allowed")
