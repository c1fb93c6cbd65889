"""A journal told from its first entry to its last: what each entry said, and what the rules made of it.

Told as it was: an entry that was taken back later is told with what it caused at the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from companion.journal.entry import (
    AnswerEntry,
    CorrectionEntry,
    DeclarationEntry,
    Entry,
    NoteEntry,
    UndoEntry,
)
from companion.journal.read import lifted
from companion.kernel import Position, Ruled
from companion.table.book import Book
from companion.table.records import Done
from companion.table.voice import Voice


class Told(msgspec.Struct, frozen=True):
    """One entry in words.

    `ruled` are the effects it had when it was written, with their articles; `trouble` says why it did
    not fit then, empty if it did. `undone_by` is the entry that takes it back, 0 if it stands.
    `position` is how the table lay afterwards.
    """

    number: int
    entry: Entry
    says: str
    by: str
    ruled: tuple[Ruled, ...]
    position: Position
    trouble: str = ""
    undone_by: int = 0


def tell_all(book: Book, voice: Voice, entries: Iterable[Entry]) -> Iterator[Told]:
    """Yield the entries in words. `book` is a fresh book of their game and holds them all in the end."""
    written = list(entries)
    fallen = lifted(written)
    said: dict[int, str] = {}
    for number, entry in enumerate(written, 1):
        done = book.take(entry)
        says = said[number] = _in_words(entry, done, voice, said)
        diverges = book.divergence
        trouble = diverges.says if diverges is not None and done is None and not isinstance(entry, NoteEntry) else ""
        ruled = done.position.told if done is not None else ()
        yield Told(number, entry, says, _by(entry, voice), ruled, book.position, trouble, fallen.get(number, 0))


def _in_words(entry: Entry, done: Done | None, voice: Voice, said: dict[int, str]) -> str:
    match entry:
        case AnswerEntry(to=to, reply=reply):
            phrase = voice.did(done.asked, done.answer.reply) if done is not None else f"{to}: {reply}"
            return f"{phrase}."
        case CorrectionEntry(of=of, to=to, reply=reply):
            phrase = voice.did(done.asked, done.answer.reply) if done is not None else f"{to}: {reply}"
            return voice.table("corrects", entry=of, act=phrase)
        case UndoEntry(of=of):
            return voice.table("undoes", entry=of, act=said.get(of, "").rstrip("."))
        case DeclarationEntry(reason=reason):
            return f"{voice.table('declared')} {reason}".rstrip()
        case NoteEntry(text=text):
            return voice.table("note", text=text)


def _by(entry: Entry, voice: Voice) -> str:
    """Return who said it and how sure that was: `camera, 95 % sure`."""
    source = voice.table(f"by_{entry.source}")
    name = "" if entry.source == "camera" or entry.seat is None else voice.seat(entry.seat)
    sure = voice.table("sure", share=round(100 * entry.confidence)) if entry.confidence < 1.0 else ""
    return ", ".join(part for part in (source, name, sure) if part)
