"""Undo, correction, replay and what-if: all of them are ways to read the same entries.

Which entries are in force follows from the entries alone. An entry stands unless a standing undo names
it; since an undo only names earlier entries, one pass from the last entry to the first decides it. An
act (answer or declaration) keeps its place when it is corrected; the last standing correction is read
in its stead.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar, cast

import msgspec

from companion.journal.codec import misnamed
from companion.journal.entry import (
    FINISHED,
    AnswerEntry,
    CorrectionEntry,
    DeclarationEntry,
    Entry,
    Header,
    NoteEntry,
    UndoEntry,
)
from companion.journal.errors import JournalError

P = TypeVar("P")


class Refused(Protocol):
    """What `open_game` and `advance` return when they refuse: anything with a sentence that says why."""

    @property
    def says(self) -> str: ...


class Act(NamedTuple):
    """An answer or declaration in force: its `sequence` number, and the entry `by` number that is read.

    `by` differs from `sequence` only for a corrected answer; `entry` is then the correction.
    """

    sequence: int
    by: int
    entry: AnswerEntry | CorrectionEntry | DeclarationEntry


class Divergence(msgspec.Struct, frozen=True):
    """The first entry that does not fit what comes before it, and in a sentence why."""

    sequence: int
    says: str


@dataclass(frozen=True)
class Replay(Generic[P]):
    """A game rebuilt from its journal.

    `position` is the last one reached and `upto` the number of the last act that fitted (0 for none).
    `divergence` is where the acts stopped fitting, None if all fit or a later declaration said how the
    table lies; what such declarations settled is in `settled`.
    """

    position: P
    upto: int
    divergence: Divergence | None
    settled: tuple[Divergence, ...]
    numbers: tuple[int, ...] = field(repr=False)
    positions: tuple[P, ...] = field(repr=False)
    advance: Callable[[P, str, str], P | Refused] = field(repr=False, compare=False)

    def at(self, sequence: int) -> P:
        """Return the position after the entries up to and including number `sequence` (0: the opening)."""
        return self.positions[max(bisect_right(self.numbers, sequence), 1) - 1]


def lifted(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the numbers of all entries that do not stand, each with the number of the undo that names it."""
    fallen: dict[int, int] = {}
    for number in range(len(entries), 0, -1):
        entry = entries[number - 1]
        if isinstance(entry, UndoEntry) and number not in fallen:
            fallen[entry.of] = number
    return fallen


def effective(entries: Sequence[Entry]) -> tuple[Act, ...]:
    """Return the acts in force after all corrections and undos, in playing order."""
    fallen = lifted(entries)
    roots: dict[int, int] = {}
    acts: dict[int, Act] = {}
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, AnswerEntry | DeclarationEntry):
            roots[number] = number
            if number not in fallen:
                acts[number] = Act(number, number, entry)
        elif isinstance(entry, CorrectionEntry):
            root = roots[number] = roots[entry.of]
            if number not in fallen and root in acts:
                acts[root] = Act(root, number, entry)
    return tuple(acts.values())


def objection(entries: Sequence[Entry], entry: Entry) -> str:
    """Say in a sentence why `entry` cannot be added to `entries`, or return an empty string."""
    if not isinstance(entry, CorrectionEntry | UndoEntry):
        return ""
    if fault := misnamed(entry, entries):
        return f"The {_verb(entry)} was not written: {fault}."
    fallen = lifted(entries)
    of = entry.of
    if of in fallen:
        return (
            f"The {_verb(entry)} was not written: entry {of} is already undone by entry {fallen[of]}; "
            f"undo entry {fallen[of]} first to bring it back."
        )
    if isinstance(entry, CorrectionEntry):
        while isinstance(named := entries[of - 1], CorrectionEntry):
            of = named.of
        if of in fallen:
            return (
                f"The correction was not written: it corrects entry {of}, which is undone by entry {fallen[of]}; "
                f"undo entry {fallen[of]} first to bring it back."
            )
    elif effective((*entries, entry)) == effective(entries):
        return (
            f"The undo was not written: taking back entry {of} would change nothing, "
            "because a later entry decides what holds there; undo that later entry."
        )
    return ""


def undoable(entries: Sequence[Entry]) -> int | None:
    """Return the number that an undo should name to take back the latest thing in force."""
    return max((act.by for act in effective(entries)), default=None)


def redoable(entries: Sequence[Entry]) -> int | None:
    """Return the number of the undo to undo in order to bring back what was last taken away.

    None if nothing was taken away, or if the game went on since.
    """
    fallen = lifted(entries)
    for number in range(len(entries), 0, -1):
        entry = entries[number - 1]
        if isinstance(entry, UndoEntry):
            if number not in fallen and not isinstance(entries[entry.of - 1], UndoEntry):
                return number
        elif not isinstance(entry, NoteEntry):
            return None
    return None


def is_finished(entries: Sequence[Entry]) -> bool:
    """Tell whether the game was marked as finished and nothing but remarks came after."""
    for entry in reversed(entries):
        if not isinstance(entry, NoteEntry):
            return False
        if entry.kind == FINISHED:
            return True
    return False


def replay(
    header: Header,
    acts: Sequence[Act],
    open_game: Callable[[Header], P | Refused],
    advance: Callable[[P, str, str], P | Refused],
) -> Replay[P]:
    """Play the acts again from the opening.

    `open_game` opens the game as a header describes it; a declaration is the game opened anew with
    `start` set to the declared position. `advance(position, to, reply)` gives the next position. Where
    an act is refused the rest is set aside up to the next declaration.

    :raises JournalError: if the game of the header itself cannot be opened.
    """
    opened = open_game(header)
    if (says := _refusal(opened)) is not None:
        raise JournalError(f"The game of this journal cannot be opened: {says}")
    position = cast("P", opened)
    divergence: Divergence | None = None
    settled: list[Divergence] = []
    numbers, positions = [0], [position]
    for number, by, entry in acts:
        if isinstance(entry, DeclarationEntry):
            outcome = open_game(msgspec.structs.replace(header, start=entry.position))
        elif divergence is None:
            outcome = advance(position, entry.to, entry.reply)
        else:
            continue
        if (says := _refusal(outcome)) is not None:
            if divergence is None:
                corrected = "" if by == number else f", as corrected by entry {by},"
                divergence = Divergence(number, f"Entry {number}{corrected} no longer fits: {says}")
            continue
        if divergence is not None:
            settled.append(divergence)
            divergence = None
        position = cast("P", outcome)
        numbers.append(number)
        positions.append(position)
    return Replay(position, numbers[-1], divergence, tuple(settled), tuple(numbers), tuple(positions), advance)


def what_if(played: Replay[P], at: int, to: str, reply: str) -> P | Refused:
    """Return what would follow if, after the entries up to number `at`, `to` were answered with `reply`."""
    return played.advance(played.at(at), to, reply)


def _refusal(outcome: object) -> str | None:
    # isinstance with a protocol costs more than the rest of a replay together.
    return getattr(outcome, "says", None)


def _verb(entry: CorrectionEntry | UndoEntry) -> str:
    return "correction" if isinstance(entry, CorrectionEntry) else "undo"
