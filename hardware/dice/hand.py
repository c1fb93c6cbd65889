"""Several dice that each speak for themselves, as one throw: pure code over timestamps.

A throw begins when a die moves, and is told once every die that moved has come to rest after being
thrown, and for `TOGETHER` seconds no other one moved. As long as one leans, is held, rolls or is away
while it rolled, nothing is told but why.

A die whose connection is lost may have been thrown meanwhile. When it is back it says how it lies: what it
showed before is no second throw, and what it was thrown to while it was away is one.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Literal

from companion.table.observation import DiceSeen
from hardware.dice.states import DieState

TOGETHER = 0.7

Trouble = Literal["leaning", "face", "held", "rolling", "silent", "away", "turned"]
SAYS: dict[Trouble, str] = {
    "leaning": "{die} leans; roll it again.",
    "face": "{die} shows a face that no die of this table has; roll it again, or correct the wiring file.",
    "held": "{die} is in a hand.",
    "rolling": "{die} is rolling.",
    "silent": "{die} did not say what it shows since it was away; roll it again.",
    "away": "{die} is not connected; what it shows is asked when it is back.",
    "turned": "{die} was laid down, not rolled; roll it.",
}
"""The most important ones first: only one is said."""

_log = logging.getLogger(__name__)


class _Die:
    """What one die said last. `rest` is how it lies or lay, `thrown` what it shows after a throw not yet told."""

    def __init__(self) -> None:
        self.rest: tuple[int, ...] | None = None
        self.thrown: tuple[int, ...] | None = None
        self.trouble: Trouble | None = None
        self._moved = False

    @property
    def holds_up(self) -> bool:
        """Whether a throw cannot be whole because of this die."""
        return self.trouble not in (None, "turned")

    def take(self, state: DieState, sides: int) -> None:
        match state.kind:
            case "rolling" | "held" | "leaning":
                self._moved, self.trouble, self.thrown = True, state.kind, None
            case "away":
                self.trouble = "away" if self._moved else None
            case "back":
                self.trouble = "silent" if self._moved else None
            case "rolled" if any(face > sides for face in state.faces):
                self._moved, self.trouble, self.thrown = True, "face", None
            case "rolled":
                # The first word of a die only says how it lies; and how it lay all the time is no throw.
                if state.is_event or self._moved or self.rest not in (None, state.faces):
                    self.thrown = state.faces
                self._lie(state.faces)
            case "lies":
                trouble: Trouble | None = "turned" if self._moved and state.faces else None
                self._lie(state.faces or self.rest)
                self.trouble = trouble

    def _lie(self, faces: tuple[int, ...] | None) -> None:
        self.rest, self._moved, self.trouble = faces, False, None


class Hand:
    """The dice of a table. `names` and `faces` are as wired, a die's number is its place in `names`."""

    def __init__(self, witness: str, names: Sequence[str], faces: Sequence[str]) -> None:
        self._witness, self._names, self._faces = witness, tuple(names), tuple(faces)
        self._dice = tuple(_Die() for _ in names)
        self._at = 0.0
        self._said = ""

    def take(self, die: int, state: DieState, at: float) -> list[DiceSeen]:
        """Take what a die says at `at` seconds; return what the table shall hear of it."""
        told = self.settle(at)
        self._dice[die].take(state, len(self._faces))
        self._at = at
        return told + self._explain(at)

    def settle(self, now: float) -> list[DiceSeen]:
        """Time has passed until `now`: a throw whose dice all rest may be whole."""
        due = self.wake_at()
        if due is None or now < due:
            return []
        thrown = [(name, die.thrown) for name, die in zip(self._names, self._dice, strict=True) if die.thrown]
        faces = tuple(self._faces[number - 1] for _, numbers in thrown for number in numbers)
        shown = ", ".join(f"{name} {' '.join(map(str, numbers))}" for name, numbers in thrown)
        for die in self._dice:
            die.thrown = None
        _log.info("rolled %s (%s)", " ".join(faces), shown)
        return [DiceSeen(self._witness, self._at, faces, 1.0, f"{shown} at {self._at:.3f}")]

    def wake_at(self) -> float | None:
        """When `settle` has something to say; None if only a die can change that."""
        whole = any(die.thrown for die in self._dice) and not any(die.holds_up for die in self._dice)
        return self._at + TOGETHER if whole else None

    def _explain(self, at: float) -> list[DiceSeen]:
        """Say why the dice do not count, where that changed."""
        troubles = {die.trouble: name for name, die in zip(self._names, self._dice, strict=True) if die.trouble}
        worst = next((trouble for trouble in SAYS if trouble in troubles), None)
        says = SAYS[worst].format(die=f"The die {troubles[worst]}") if worst is not None else ""
        if says == self._said:
            return []
        self._said = says
        return [DiceSeen(self._witness, at, (), problem=says)]
