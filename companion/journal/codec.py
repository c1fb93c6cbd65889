"""Lines and values: how a journal lies in its file.

Each line is `NUMBER LENGTH CHECK JSON` and a line feed: the entry's number in decimal, the length of
the JSON text in bytes, and the BLAKE2b check value of 128 bits in hexadecimal, taken over the previous
line's check value (nothing for the first line) followed by the JSON text. Anybody can verify a line
with `printf '%s%s' PREVIOUS_CHECK JSON | b2sum -l 128`.

A line is accepted only if it is, byte by byte, what writing its entry would give. The check values
tell damage and careless editing; they are no signature against somebody who computes them anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from companion.journal.entry import FORMAT, AnswerEntry, CorrectionEntry, Entry, Header, NoteEntry, UndoEntry
from companion.journal.errors import EntryRefusedError, JournalDamagedError

REMEDY = "Nothing was changed; put back a copy of the file, or begin a new game and declare the table as it lies"

_FRONT = re.compile(rb"(\d{1,9}) (\d{1,9}) ([0-9a-f]{32}) ")
_encoder = msgspec.json.Encoder()
_entries = msgspec.json.Decoder(Entry)
_headers = msgspec.json.Decoder(Header)


class _Stamp(msgspec.Struct):
    """The one field of a header that every future format keeps."""

    format: int


class Line(NamedTuple):
    """One line as bytes, with the line feed, and its check value, on which the next line builds."""

    raw: bytes
    check: str


class Contents(NamedTuple):
    """What the good part of a journal's bytes says.

    `end` is the length of the good part in bytes, `check` its last check value. `tail` is what follows
    it: the remains of an interrupted write, empty if the file is whole. `unterminated` tells that the
    last entry is good and counted, and only its line feed did not arrive; `tail` is then zeros or empty.
    """

    header: Header
    entries: tuple[Entry, ...]
    end: int
    check: str
    tail: bytes
    unterminated: bool


def encode(value: Header | Entry) -> bytes:
    """Return the JSON text of a header or entry.

    :raises EntryRefusedError: if reading the text would not give the same value back.
    """
    try:
        payload = _encoder.encode(value)
        same = _decode(payload, header=isinstance(value, Header)) == value
    except (msgspec.MsgspecError, UnicodeError, TypeError, OverflowError) as error:
        raise EntryRefusedError(f"The {_kind(value)} cannot be written: {error}; nothing was written") from None
    if not same:
        raise EntryRefusedError(f"The {_kind(value)} would read back differently from {value!r}; nothing was written")
    return payload


def format_line(number: int, previous: str, payload: bytes) -> Line:
    """Return the line of entry `number`, chained to the `previous` line's check value."""
    check = blake2b(previous.encode() + payload, digest_size=16).hexdigest()
    return Line(b"%d %d %s %s\n" % (number, len(payload), check.encode(), payload), check)


def parse(raw: bytes, name: str) -> Contents:
    """Read a journal's bytes. `name` is the file's name for the messages.

    :raises JournalDamagedError: naming the line, if any line is not as it was written. Only remains of an
        interrupted last write are not an error: they are returned as `tail`.
    """
    if not raw:
        raise JournalDamagedError(f"{name} is empty, expected the first line of a journal; no game was begun in it")
    lines, tail, unterminated = _split(raw, name)
    if not lines:
        raise JournalDamagedError(f"{name} breaks off in its first line; no game was begun in it, so it can be removed")
    header, check = _first(lines[0], name)
    entries: list[Entry] = []
    for number, line in enumerate(lines[1:], start=1):
        payload, check = _verify(line, number, check, name)
        try:
            entry = _entries.decode(payload)
        except msgspec.MsgspecError as error:
            raise JournalDamagedError(
                f"Line {number + 1} of {name} holds something this version does not know: {error}. "
                "It was written by a newer version or by another program; update the companion to open it"
            ) from None
        if fault := misnamed(entry, entries):
            raise JournalDamagedError(f"Line {number + 1} of {name} cannot stand there: {fault}. {REMEDY}")
        entries.append(entry)
    return Contents(header, tuple(entries), len(raw) - len(tail), check, tail, unterminated)


def misnamed(entry: Entry, earlier: Sequence[Entry]) -> str:
    """Say why `entry` cannot mean the earlier entry it names, or return an empty string."""
    if not isinstance(entry, CorrectionEntry | UndoEntry):
        return ""
    verb = "corrects" if isinstance(entry, CorrectionEntry) else "undoes"
    if not 1 <= entry.of <= len(earlier):
        known = f"there are entries 1 to {len(earlier)}" if earlier else "there is no entry yet"
        return f"it {verb} entry {entry.of}, and before it {known}"
    named = earlier[entry.of - 1]
    if isinstance(named, NoteEntry):
        return f"it {verb} entry {entry.of}, a note, and a note changes nothing that could be taken back"
    if isinstance(entry, CorrectionEntry) and not isinstance(named, AnswerEntry | CorrectionEntry):
        return f"it corrects entry {entry.of}, which is no answer ({_kind(named)}); undo that entry instead"
    return ""


def _split(raw: bytes, name: str) -> tuple[list[bytes], bytes, bool]:
    """Return the lines to verify, what is to be cut off behind them, and whether only a line feed is missing.

    An interrupted write leaves a beginning of the line, or sectors of zeros where it did not arrive; it
    never leaves more than the line it was writing, so anything longer is verified as a line, and refused.
    """
    *lines, last = raw.split(b"\n")
    if not last:
        if b"\0" in lines[-1] and _excess(lines[-1]) <= 0:
            return lines[:-1], lines[-1] + b"\n", False
        return lines, b"", False
    arrived = last.rstrip(b"\0")
    excess = _excess(arrived)
    if excess < 0 or (b"\0" in arrived and excess == 0):
        return lines, last, False
    return [*lines, arrived], last[len(arrived) :], True


def _excess(line: bytes) -> int:
    """Return how many bytes longer the JSON text is than announced; negative if shorter or unannounced."""
    front = _FRONT.match(line)
    return -1 if front is None else len(line) - front.end() - int(front[2])


def _first(line: bytes, name: str) -> tuple[Header, str]:
    if _FRONT.match(line) is None:
        raise JournalDamagedError(
            f"{name} is not a journal: its first line should begin with '0', a length and a check value, "
            f"and begins with {line[:24]!r}; choose a file that the companion wrote"
        )
    payload, check = _verify(line, 0, "", name)
    try:
        stamp = msgspec.json.decode(payload, type=_Stamp).format
        if stamp != FORMAT:
            raise JournalDamagedError(
                f"{name} is written in format {stamp}, this version reads format {FORMAT}; "
                "update the companion to open it"
            )
        return _headers.decode(payload), check
    except msgspec.MsgspecError as error:
        raise JournalDamagedError(
            f"Line 1 of {name} holds something this version does not know: {error}. "
            "It was written by a newer version or by another program; update the companion to open it"
        ) from None


def _verify(line: bytes, number: int, previous: str, name: str) -> tuple[bytes, str]:
    """Return the JSON text and check value of a line that is as it was written."""
    front = _FRONT.match(line)
    if front is None:
        found = f"it should begin with '{number}', a length and a check value, and begins with {line[:24]!r}"
    else:
        payload = line[front.end() :]
        expected = format_line(number, previous, payload)
        if expected.raw[:-1] == line:
            return payload, expected.check
        if int(front[1]) != number:
            found = f"entry {number} was expected and entry {int(front[1])} was found"
        elif int(front[2]) != len(payload):
            found = f"it announces {int(front[2])} bytes and holds {len(payload)}"
        else:
            found = f"its check value is {front[3].decode()} and its contents give {expected.check}"
    raise JournalDamagedError(f"Line {number + 1} of {name} is not as it was written: {found}. {REMEDY}")


def _decode(payload: bytes, header: bool) -> Header | Entry:
    return _headers.decode(payload) if header else _entries.decode(payload)


def _kind(value: Header | Entry) -> str:
    return str(value.__struct_config__.tag)
