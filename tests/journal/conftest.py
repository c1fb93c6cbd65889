from collections.abc import Callable
from pathlib import Path

import pytest

from companion.journal.entry import (
    AnswerEntry,
    CorrectionEntry,
    DeclarationEntry,
    Entry,
    Header,
    UndoEntry,
)
from companion.journal.file import Journal


@pytest.fixture
def header() -> Header:
    return Header(
        game="allies",
        rules_version="1",
        edition="reconciled",
        options={"AL-Q1": "clockwise"},
        seats=("Ann", "Boğaç"),
        card_set="proxy",
        set_digest="5e" * 32,
        made="Sunday evening",
    )


@pytest.fixture
def an_evening() -> tuple[Entry, ...]:
    """Sixty entries of every kind, some with signs of several bytes."""
    entries: list[Entry] = []
    for turn in range(1, 51):
        reply = f"B{turn % 5 + 1} Zauberin ♜ {'…' * (turn * 9 % 20)}"
        entries.append(
            AnswerEntry(
                to=f"place-{turn}",
                reply=reply,
                seat=turn % 2,
                source="camera",
                witness="camera",
                confidence=0.5 + turn / 200,
                evidence=f"{turn:016x}",
            )
        )
        if turn % 10 == 3:
            entries.append(CorrectionEntry(of=len(entries), to=f"place-{turn}", reply="C1", seat=0, source="touch"))
        if turn % 10 == 6:
            entries.append(UndoEntry(of=len(entries), seat=1, source="button", witness="seat 2"))
    return (*entries[:-2], DeclarationEntry(position="so:\n  B1: owl", reason="it fell", source="touch"), entries[-1])


@pytest.fixture
def written(tmp_path: Path, header: Header, an_evening: tuple[Entry, ...]) -> Path:
    """The evening as a file."""
    path = tmp_path / "evening.journal"
    with Journal.create(path, header) as journal:
        for entry in an_evening:
            journal.append(entry)
    return path


@pytest.fixture
def answers() -> Callable[..., tuple[Entry, ...]]:
    """Make answers out of replies; the question is `q` and the entry's number."""

    def make(*replies: str) -> tuple[Entry, ...]:
        return tuple(
            AnswerEntry(to=f"q{number}", reply=reply, source="camera") for number, reply in enumerate(replies, 1)
        )

    return make
