"""A second opinion on the odds of dice: in fractions, die by die, without numpy and without our own code."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any


def best(aim: Any, dice: Sequence[Sequence[str]], faces: Sequence[str], rolls: int, may_stop: bool = True) -> Fraction:
    """Return the chance of an aim: every set of dice is tried, every outcome of it is looked at."""
    nets = tuple(tuple(net) for net in dice)

    @cache
    def worth(shown: tuple[str, ...], left: int) -> Fraction:
        if left == 0:
            return Fraction(aim.met([aim.sees(face) for face in shown]))
        rerolls = list(product((False, True), repeat=len(nets)))
        return max(rolled(shown, each, left) for each in rerolls if may_stop or any(each))

    @cache
    def rolled(shown: tuple[str, ...], again: tuple[bool, ...], left: int) -> Fraction:
        outcomes = list(
            product(*(net if roll else (face,) for face, roll, net in zip(shown, again, nets, strict=True)))
        )
        return sum((worth(each, left - 1) for each in outcomes), Fraction()) / len(outcomes)

    return worth(tuple(faces), rolls)


def kept(aim: Any, dice: Sequence[Sequence[str]], faces: Sequence[str], rolls: int, keep: Sequence[int]) -> Fraction:
    """Return the chance of an aim if just the dice of `keep` are kept now, and played best afterwards."""
    outcomes = list(product(*((face,) if die in keep else net for die, (face, net) in enumerate(zip(faces, dice)))))  # noqa: B905
    return sum((best(aim, dice, each, rolls - 1) for each in outcomes), Fraction()) / len(outcomes)


def best_of_equal_dice(aim: Any, net: Sequence[str], count: int, rolls: int) -> Fraction:
    """Return the chance of an aim before the first of so many rolls of equal dice, sets of dice by their faces."""
    seen = [aim.sees(face) for face in net]

    @cache
    def worth(shown: tuple[str, ...], left: int) -> Fraction:
        if left == 0:
            return Fraction(aim.met(shown))
        return max(after(part, left) for part in parts(shown))

    @cache
    def after(keep: tuple[str, ...], left: int) -> Fraction:
        if len(keep) == count:
            return worth(keep, left - 1)
        return sum((after(tuple(sorted((*keep, face))), left) for face in seen), Fraction()) / len(seen)

    def parts(shown: tuple[str, ...]) -> set[tuple[str, ...]]:
        choices = product((False, True), repeat=count)
        return {tuple(face for face, keep in zip(shown, each, strict=True) if keep) for each in choices}

    return after((), rolls)
