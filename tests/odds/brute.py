"""A third opinion on the odds of six dice: every face of every die, every set of dice, by the words of the rulebook.

Nothing of ours is used: what a villager asks for is written down a second time here, from the overview
of the cards, on plain arrays of numbers and colours. A state is six faces, 46,656 of them; a set of dice
is rolled by taking the mean over all their faces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Faces = NDArray[np.int64]
Met = Callable[[Faces, NDArray[np.str_]], NDArray[np.bool_]]
"""From the numbers and colours of many throws (a row each, a column for each die) to which of them meet it."""

SETS = [each for size in range(7) for each in combinations(range(6), size)]
"""Every set of dice that may be rolled."""


class Brute:
    """What one villager is worth in every state of six dice, by rolls left."""

    def __init__(self, met: Met, nets: Sequence[Sequence[str]], may_stop: bool = True) -> None:
        throws = np.array(list(product(*nets)))
        split = np.char.rpartition(throws, "-")
        reached = met(split[..., 2].astype(int), split[..., 0])
        self.nets, self.may_stop = [list(net) for net in nets], may_stop
        self.levels: list[Values] = [reached.astype(float).reshape([len(net) for net in nets])]

    def value(self, rolls: int) -> Values:
        """Return the worth of every state with so many rolls left."""
        while len(self.levels) <= rolls:
            last = self.levels[-1]
            sets = [rolled(last, each) for each in SETS if self.may_stop or each]
            self.levels.append(np.maximum.reduce([np.broadcast_to(each, last.shape) for each in sets]))
        return self.levels[rolls]

    def chance(self, faces: Sequence[str], rolls: int) -> float:
        """Return the chance in one state; without faces, before the first of so many rolls."""
        if not faces:
            return float(self.value(rolls - 1).mean())
        return float(self.value(rolls)[self.at(faces)])

    def kept(self, faces: Sequence[str], keep: Sequence[int], rolls: int) -> float:
        """Return the chance if just these dice are kept now, all outcomes of the others looked at, best play after."""
        again = tuple(die for die in range(6) if die not in keep)
        at = tuple(0 if die in again else place for die, place in enumerate(self.at(faces)))
        return float(rolled(self.value(rolls - 1), again)[at])

    def at(self, faces: Sequence[str]) -> tuple[int, ...]:
        return tuple(net.index(face) for net, face in zip(self.nets, faces, strict=True))


def rolled(value: Values, dice: tuple[int, ...]) -> Values:
    """Return the mean over all outcomes of rolling some dice."""
    return value.mean(axis=dice, keepdims=True) if dice else value


# -- the ten villagers, in the words of the overview ------------------------------------------------------


def rich(remainder: int) -> Met:
    """All six even (0), or all six odd (1)."""
    return lambda numbers, colours: (numbers % 2 == remainder).all(axis=1)


def orc(*groups: int) -> Met:
    """Groups of equal numbers, each symbol another number: some way to give the symbols numbers must fit."""

    def met(numbers: Faces, colours: NDArray[np.str_]) -> NDArray[np.bool_]:
        many = np.stack([(numbers == number).sum(axis=1) for number in range(1, 7)])
        found = np.zeros(len(numbers), dtype=bool)
        for meant in product(range(6), repeat=len(groups)):
            if len(set(meant)) == len(groups):
                found |= np.logical_and.reduce(
                    [many[number] >= size for number, size in zip(meant, groups, strict=True)]
                )
        return found

    return met


def elves(length: int) -> Met:
    """So many numbers that follow each other."""

    def met(numbers: Faces, colours: NDArray[np.str_]) -> NDArray[np.bool_]:
        there = np.stack([(numbers == number).any(axis=1) for number in range(1, 7)])
        runs = [there[low : low + length].all(axis=0) for low in range(7 - length)]
        found: NDArray[np.bool_] = np.logical_or.reduce(runs)
        return found

    return met


def mushroom(count: int) -> Met:
    """So many dice of one colour, whichever."""
    return lambda numbers, colours: np.logical_or.reduce(
        [(colours == each).sum(axis=1) >= count for each in np.unique(colours)]
    )


def dwarf(number: int, count: int) -> Met:
    return lambda numbers, colours: (numbers == number).sum(axis=1) >= count


def of_colours(**counts: int) -> Met:
    """Apprentice, gnome, fairy: so many dice of each of these colours."""
    return lambda numbers, colours: np.logical_and.reduce(
        [(colours == colour).sum(axis=1) >= count for colour, count in counts.items()]
    )


def just_of_colours(**counts: int) -> Met:
    """The same where the number has to be exact."""
    return lambda numbers, colours: np.logical_and.reduce(
        [(colours == colour).sum(axis=1) == count for colour, count in counts.items()]
    )


def hypnotist(most: int) -> Met:
    return lambda numbers, colours: numbers.sum(axis=1) <= most


def dragon(least: int) -> Met:
    return lambda numbers, colours: numbers.sum(axis=1) >= least
