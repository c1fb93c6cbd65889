"""Labelled photographs of dice, at any quarter turn, and how readings compare with them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import numpy as np

_NEAR = 0.5
"""A reading belongs to a die if their middles are nearer than this share of the die's edge."""

_NOT_SCORED = frozenset({"uncertain", "symbol_face", "ignore", "moving"})


@dataclass(frozen=True)
class LabelledDie:
    """A die on a photograph: `value` None if nobody can read it, `size` the edge of its upper face in pixels."""

    value: str | None
    centre: tuple[float, float]
    size: float
    colour: str
    kind: str
    flags: frozenset[str]

    @property
    def counts(self) -> bool:
        """Whether a reader of pips is measured by this die."""
        return self.kind == "pip" and self.value is not None and not self.flags & _NOT_SCORED

    def turned(self, turns: int, size: tuple[int, int]) -> LabelledDie:
        """Return the die on the photograph (width, height = `size`) turned clockwise by quarter turns."""
        (x, y), (width, height) = self.centre, size
        for _ in range(turns % 4):
            x, y = height - 1 - y, x
            width, height = height, width
        return replace(self, centre=(x, y))


@dataclass(frozen=True)
class DicePhoto:
    """A photograph and the dice on it; it may hold none."""

    path: Path
    source: str
    dice: tuple[LabelledDie, ...]


class ReadDie(Protocol):
    """What every reader of dice returns."""

    @property
    def value(self) -> str | None: ...
    @property
    def centre(self) -> tuple[float, float]: ...


@dataclass
class DiceScore:
    """Counts over photographs."""

    counts: Counter[str] = field(default_factory=Counter)
    spent: list[float] = field(default_factory=list)

    def add(self, dice: Sequence[LabelledDie], readings: Sequence[ReadDie], states: Sequence[str]) -> bool:
        """Compare the readings of one photograph with the truth; return whether all is right and nothing is extra."""
        free = set(range(len(readings)))
        perfect = True
        for die in dice:
            near = [k for k in free if _apart(readings[k], die) < _NEAR * die.size]
            match = min(near, key=lambda k: _apart(readings[k], die), default=None)
            if match is not None:
                free.discard(match)
            if not die.counts:
                continue
            right = match is not None and readings[match].value == die.value
            known = match is not None and states[match] == "known"
            self.counts["dice"] += 1
            self.counts["found"] += match is not None
            self.counts["right"] += right
            self.counts["right and known"] += right and known
            self.counts["wrong but known"] += known and not right
            perfect &= right
        extra = [k for k in free if readings[k].value is not None]
        self.counts["extra"] += len(extra)
        self.counts["extra and known"] += sum(states[k] == "known" for k in extra)
        self.counts["photos"] += 1
        self.counts["perfect"] += perfect and not extra
        return perfect and not extra


def load_dice_photos(folder: Path) -> list[DicePhoto]:
    """Return the photographs with dice, and the empty ones among them, in the order of `truth.json`."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    return [
        DicePhoto(folder / name, name.split("/")[0], tuple(_die(thing) for thing in entry["objects"]))
        for name, entry in truth.items()
        if entry["kind"] == "dice"
    ]


def _die(thing: dict[str, object]) -> LabelledDie:
    x, y = np.array(thing["centre"], dtype=np.float64)
    flags = thing.get("flags", ())
    value = thing["value"]
    return LabelledDie(
        None if value is None else str(value),
        (float(x), float(y)),
        float(str(thing["size"])),
        str(thing["colour"]),
        str(thing["kind"]),
        frozenset(str(flag) for flag in flags) if isinstance(flags, list) else frozenset(),
    )


def _apart(reading: ReadDie, die: LabelledDie) -> float:
    return float(np.hypot(reading.centre[0] - die.centre[0], reading.centre[1] - die.centre[1]))
