"""The best set of dice to keep, and what it is worth, by backward induction over all states at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.kernel.dice import Aim, Goal, Rolling

Array = NDArray[np.float64]
Seen = tuple[str, ...]
"""What a goal sees of the faces of one die, each kind once."""

EQUAL = 1e-12
"""Chances closer than this are equal; then the set that keeps more dice is named."""


class Chance(msgspec.Struct, frozen=True):
    """How likely a goal is, from 0 to 1, and which dice to keep for it (by number, from 0).

    Before the first roll nothing can be kept. `met` tells that it is reached as the dice lie.
    """

    goal: Goal
    chance: float
    keep: tuple[int, ...]
    met: bool


def chances(rolling: Rolling) -> tuple[Chance, ...]:
    """Return the chance of each goal under best play for it, in the order of the goals."""
    return tuple(_chance(rolling, goal) for goal in rolling.goals)


def chance_of(
    aim: Aim, dice: Sequence[Sequence[str]], faces: Sequence[str], rolls: int, may_stop: bool = True
) -> tuple[float, tuple[int, ...]]:
    """Return the chance of an aim under best play, and the dice to keep for it.

    `faces` is what the dice show, in their order, or nothing before the first roll.

    :raises ValueError: for faces that the dice do not have, and for no roll at all.
    """
    if len(faces) not in (0, len(dice)):
        raise ValueError(f"found {len(faces)} faces for {len(dice)} dice")
    seen, weights = _projected(aim, dice)
    if not faces:
        if rolls < 1:
            raise ValueError("the dice have not been rolled, and no roll is left")
        value = _value(aim, seen, weights, rolls - 1, may_stop)
        for weight in weights:
            value = np.tensordot(weight, value, axes=(0, 0))
        return float(value), ()
    at = []
    for die, face in enumerate(faces):
        if face not in dice[die]:
            raise ValueError(f"die {die + 1} has no face {face}")
        at.append(seen[die].index(aim.sees(face)))
    if rolls == 0:
        return float(_goal(aim, seen)[tuple(at)]), tuple(range(len(dice)))
    return _best_set(_value(aim, seen, weights, rolls - 1, may_stop), weights, at, may_stop)


def forget() -> None:
    """Forget which states reach which goals, and what the dice can show; for measuring rows nobody has seen."""
    _goal.cache_clear()
    _states.cache_clear()


def _chance(rolling: Rolling, goal: Goal) -> Chance:
    aim, faces = goal.aim, rolling.faces
    chance, keep = chance_of(aim, rolling.dice, faces, rolling.rolls, rolling.may_stop)
    return Chance(goal, chance, keep, bool(faces) and aim.met([aim.sees(face) for face in faces]))


def _projected(aim: Aim, dice: Sequence[Sequence[str]]) -> tuple[tuple[Seen, ...], tuple[Array, ...]]:
    """Return, for each die, what the aim sees of it and with which share of its faces."""
    seen: list[Seen] = []
    weights: list[Array] = []
    for net in dice:
        shows = [aim.sees(face) for face in net]
        kinds = tuple(sorted(set(shows)))
        seen.append(kinds)
        weights.append(np.array([shows.count(kind) for kind in kinds]) / len(net))
    return tuple(seen), tuple(weights)


def _value(aim: Aim, seen: tuple[Seen, ...], weights: tuple[Array, ...], rolls: int, may_stop: bool) -> Array:
    """Return the worth of every state with so many rolls left, one axis for each die."""
    value = _goal(aim, seen)
    for _ in range(rolls):
        value = _improved(value, weights, may_stop)
    return value


def _improved(value: Array, weights: tuple[Array, ...], may_stop: bool) -> Array:
    """Return the worth of every state with one roll more than `value` has."""
    # One place more on each axis stands for "this die is rolled": the mean over its faces.
    for axis, weight in enumerate(weights):
        value = np.concatenate((value, np.expand_dims(np.tensordot(value, weight, axes=(axis, 0)), axis)), axis)
    # `some` knows that one die at least is rolled, `none` that none is as yet.
    none, some = value, np.full_like(value, -1.0)
    for axis in range(value.ndim):
        kept, rolled = slice(None, -1), slice(-1, None)
        before = (slice(None),) * axis
        some = np.maximum(some[(*before, kept)], np.maximum(some[(*before, rolled)], none[(*before, rolled)]))
        none = none[(*before, kept)]
    return np.maximum(some, none) if may_stop else some


def _best_set(value: Array, weights: tuple[Array, ...], at: list[int], may_stop: bool) -> tuple[float, tuple[int, ...]]:
    """Return the best of all sets to keep in one state, and what it is worth."""
    for place, weight in zip(at, weights, strict=True):
        # The first axis goes, and comes back as the last one with two places: kept, rolled.
        rolled = np.tensordot(weight, value, axes=(0, 0))
        value = np.stack((value[place], rolled), axis=-1)
    worth = value.ravel()
    first = 0 if may_stop else 1
    best = float(worth[first:].max())
    dice = len(weights)
    sets = [tuple(die for die in range(dice) if not choice >> (dice - 1 - die) & 1) for choice in range(len(worth))]
    good = [keep for keep, chance in list(zip(sets, worth, strict=True))[first:] if chance >= best - EQUAL]
    return best, max(good, key=len)


@lru_cache(maxsize=128)
def _goal(aim: Aim, seen: tuple[Seen, ...]) -> Array:
    """Return 1 for each state that reaches the aim and 0 for the others."""
    several, index = _states(seen)
    reached: Array = np.array([aim.met(each) for each in several], dtype=np.float64)[index]
    return reached


@lru_cache(maxsize=32)
def _states(seen: tuple[Seen, ...]) -> tuple[list[Seen], NDArray[np.intp]]:
    """Return everything that the dice can show together without their order, and for each state which it is.

    Aims do not look at the order, so they are asked once for each: 462 times and not 46,656.
    """
    # What is shown together is a number with a digit for each kind, so that equal ones are found by sorting.
    kinds = sorted({kind for each in seen for kind in each})
    digit = {kind: (len(seen) + 1) ** place for place, kind in enumerate(kinds)}
    shown: NDArray[Any] = np.zeros(1, dtype=np.int64 if len(kinds) * np.log2(len(seen) + 1) < 62 else object)
    several: list[Seen] = [()]
    index: NDArray[np.intp] = np.zeros((), dtype=np.intp)
    for each in seen:
        later = np.add.outer(shown, np.array([digit[kind] for kind in each], dtype=shown.dtype))
        shown, first, table = np.unique(later, return_index=True, return_inverse=True)
        several = [(*several[at // len(each)], each[at % len(each)]) for at in first.tolist()]
        index = table.reshape(later.shape)[index]
    return several, index
