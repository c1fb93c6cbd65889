"""What a session keeps and shows: acts in force, choices, doubts, what hands still owe, counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

import msgspec

from companion.journal.entry import Entry, Source
from companion.kernel import Answer, Lying, Position, Question


class Store(Protocol):
    """What keeps the entries: `append` returns the entry's number once it is on disk."""

    def append(self, entry: Entry) -> int: ...


class Refused(msgspec.Struct, frozen=True):
    """An answer that does not fit, in a sentence."""

    says: str


class Provenance(msgspec.Struct, frozen=True):
    """Who said it and how sure that is."""

    source: Source
    witness: str = ""
    seat: int | None = None
    confidence: float = 1.0
    evidence: str = ""


class Done(msgspec.Struct, frozen=True):
    """An act in force: its number in the journal, what it answered, and what it led to."""

    sequence: int
    answer: Answer
    asked: Question
    position: Position


class Choice(msgspec.Struct, frozen=True):
    """Something that can be chosen by one touch: its words and the answers it stands for.

    `of` is the act that the answer corrects, None if it answers an open question. Without answers all
    stays as it is.
    """

    says: str
    answers: tuple[Answer, ...]
    awaited: Mapping[str, Lying | None] | None = None
    of: int | None = None


class Doubt(msgspec.Struct, frozen=True):
    """One short question about what was seen, with the likely answers.

    `slots` are the places it is about, none for dice and for the markers of a track.
    """

    says: str
    choices: tuple[Choice, ...]
    evidence: str = ""
    slots: tuple[str, ...] = ()
    about: Literal["table", "dice", "markers"] = "table"


class Todo(msgspec.Struct, frozen=True):
    """What hands still have to do: a sentence, and the slots in which it will be seen (may be none).

    A `passing` one is said until the next act only.
    """

    says: str
    slots: tuple[str, ...]
    passing: bool = False


class Tally(msgspec.Struct):
    """How often people had to help."""

    touches: int = 0
    questions: int = 0
    corrections: int = 0
