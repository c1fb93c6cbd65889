"""The journal's file: one writer, every entry on disk before `append` returns.

After a crash or a power cut at most the entry being written is lost. Its remains are copied to a file
beside the journal (the name with `.torn` added) before they are cut off, and `Journal.recovered` says
so. Any other difference from what was written is refused: it is no crash that explains it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from companion.journal.codec import Contents, Line, encode, format_line, parse
from companion.journal.entry import Entry, Header
from companion.journal.errors import EntryRefusedError, JournalUnavailableError
from companion.journal.read import objection

LARGEST = 64 * 1024 * 1024
"""Bytes; a thousand times a long game. A larger file is refused before it is read into memory."""

_REASONS = {
    errno.ENOSPC: "the disk is full; free some space and try again",
    errno.EDQUOT: "the disk quota is used up; free some space and try again",
    errno.EFBIG: "the file may not grow further on this disk; free some space and try again",
    errno.EACCES: "permission is denied; give this user the right to read and write it",
    errno.EPERM: "permission is denied; give this user the right to read and write it",
    errno.EROFS: "the disk is read-only; make it writable or choose another folder",
    errno.ENOENT: "there is no such file; choose one that exists",
    errno.ENOTDIR: "its folder is no folder; choose another place",
    errno.EISDIR: "it is a folder; choose a journal file",
    errno.EIO: "the disk reports a fault; copy the file elsewhere and replace the disk",
}


class Reading(NamedTuple):
    """A journal as it lies on disk, read without changing or locking it.

    `remark` says what an interrupted write left at the end, empty if the file is whole.
    """

    header: Header
    entries: tuple[Entry, ...]
    remark: str


def read_journal(path: Path) -> Reading:
    """Read a journal without changing it, also while another program is writing it.

    :raises JournalUnavailableError: if the file cannot be read.
    :raises JournalDamagedError: if it is not what the companion wrote, naming the line.
    """
    descriptor = _open(path, os.O_RDONLY)
    try:
        contents = parse(_contents(descriptor, path), path.name)
    finally:
        os.close(descriptor)
    number = len(contents.entries) + 1
    torn = bool(contents.tail) and not contents.unterminated
    remark = f"Entry {number} of {path.name} is incomplete and was left out." if torn else ""
    return Reading(contents.header, contents.entries, remark)


class Journal:
    """An open journal. Use it from one thread, and close it (or use it in a `with` statement)."""

    path: Path
    header: Header
    entries: tuple[Entry, ...]
    """All entries, entry number n at index n - 1."""
    recovered: str
    """What was set right when the journal was opened, in a sentence; empty if nothing was."""

    def __init__(self, path: Path, descriptor: int, contents: Contents) -> None:
        """Use `Journal.create` or `Journal.open` instead."""
        self.path = path
        self.header = contents.header
        self.entries = contents.entries
        self.recovered = ""
        self._check = contents.check
        self._end = contents.end
        self._descriptor: int | None = descriptor

    @classmethod
    def create(cls, path: Path, header: Header) -> Self:
        """Begin a journal in a new file; its folder is made if needed. All is on disk on return.

        :raises JournalUnavailableError: if the file exists or cannot be written.
        :raises EntryRefusedError: if the header cannot be written as text.
        """
        line = format_line(0, "", encode(header))
        _make_folder(path.parent)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        except FileExistsError:
            raise JournalUnavailableError(f"{path.name} exists already; open it or choose another name") from None
        except OSError as error:
            raise _unavailable(error, f"{path.name} cannot be created") from error
        try:
            _lock(descriptor, path)
            _write(descriptor, line.raw, 0)
            os.fsync(descriptor)
            _sync_folder(path.parent)
        except BaseException as error:
            os.close(descriptor)
            path.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise _unavailable(error, f"{path.name} cannot be created") from error
            raise
        return cls(path, descriptor, Contents(header, (), len(line.raw), line.check, b"", False))

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a journal to go on writing it, after verifying every line.

        :raises JournalUnavailableError: if it cannot be read and written, or is open elsewhere.
        :raises JournalDamagedError: if it is not what the companion wrote, naming the line.
        """
        descriptor = _open(path, os.O_RDWR)
        try:
            _lock(descriptor, path)
            contents = parse(_contents(descriptor, path), path.name)
            recovered = ""
            if contents.unterminated:
                recovered = f"The last line of {path.name} lacked only its line feed; nothing is lost."
                os.ftruncate(descriptor, contents.end)
                _write(descriptor, b"\n", contents.end)
                contents = contents._replace(end=contents.end + 1)
            elif contents.tail:
                recovered = _set_aside(descriptor, path, contents)
            # A killed process may leave lines that never reached the disk; they count from here on.
            os.fsync(descriptor)
            _sync_folder(path.parent)
        except OSError as error:
            os.close(descriptor)
            raise _unavailable(error, f"{path.name} cannot be opened") from error
        except BaseException:
            os.close(descriptor)
            raise
        journal = cls(path, descriptor, contents)
        journal.recovered = recovered
        return journal

    def append(self, entry: Entry) -> int:
        """Write `entry` and return its number. It is on disk when this returns.

        If it fails, neither the file nor this object holds the entry.

        :raises EntryRefusedError: if the entry corrects or undoes what cannot be, or is not writable as text.
        :raises JournalUnavailableError: if the disk does not take it.
        """
        payload = encode(entry)
        if refused := objection(self.entries, entry):
            raise EntryRefusedError(refused)
        number = len(self.entries) + 1
        line = format_line(number, self._check, payload)
        descriptor = self._writable()
        try:
            _write(descriptor, line.raw, self._end)
            os.fdatasync(descriptor)
        except BaseException as error:
            self._take_back(descriptor)
            if isinstance(error, OSError):
                raise _unavailable(error, f"Entry {number} cannot be written to {self.path.name}") from error
            raise
        self._accept(entry, line)
        return number

    def close(self) -> None:
        """Give back the file and its lock. Calling it twice is allowed."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _accept(self, entry: Entry, line: Line) -> None:
        self.entries = (*self.entries, entry)
        self._check = line.check
        self._end += len(line.raw)

    def _writable(self) -> int:
        """Return the descriptor if the file still is as this object left it."""
        if self._descriptor is None:
            raise JournalUnavailableError(f"{self.path.name} is closed; open it again to go on")
        found = os.fstat(self._descriptor)
        if found.st_nlink == 0:
            raise JournalUnavailableError(
                f"{self.path.name} was deleted or replaced while it was in use; open it again, or put back a copy"
            )
        if found.st_size != self._end:
            raise JournalUnavailableError(
                f"{self.path.name} holds {found.st_size} bytes and should hold {self._end}: another program "
                "changed it; open it again to see what holds"
            )
        return self._descriptor

    def _take_back(self, descriptor: int) -> None:
        try:
            os.ftruncate(descriptor, self._end)
            os.fdatasync(descriptor)
        except OSError:
            # What is on disk is unknown now; only reading it again can tell.
            self.close()


def _open(path: Path, mode: int) -> int:
    try:
        descriptor = os.open(path, mode | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise _unavailable(error, f"{path.name} cannot be opened") from error
    found = os.fstat(descriptor)
    fault = ""
    if not stat.S_ISREG(found.st_mode):
        fault = "is not an ordinary file; choose a journal file"
    elif found.st_size > LARGEST:
        fault = f"holds {found.st_size} bytes, more than any game needs ({LARGEST}); choose a journal file"
    if fault:
        os.close(descriptor)
        raise JournalUnavailableError(f"{path.name} {fault}")
    return descriptor


def _lock(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise JournalUnavailableError(
            f"{path.name} is open for writing in another program; close it there and try again"
        ) from None


def _contents(descriptor: int, path: Path) -> bytes:
    pieces: list[bytes] = []
    offset = 0
    try:
        while piece := os.pread(descriptor, 1 << 20, offset):
            pieces.append(piece)
            offset += len(piece)
    except OSError as error:
        raise _unavailable(error, f"{path.name} cannot be read") from error
    return b"".join(pieces)


def _write(descriptor: int, raw: bytes, offset: int) -> None:
    view = memoryview(raw)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view = view[written:]
        offset += written


def _set_aside(descriptor: int, path: Path, contents: Contents) -> str:
    """Copy the remains of an interrupted write beside the journal, cut them off, and say so."""
    number = len(contents.entries) + 1
    copy = path.with_name(path.name + ".torn")
    try:
        with copy.open("ab") as torn:
            torn.write(contents.tail.removesuffix(b"\n") + b"\n")
            torn.flush()
            os.fsync(torn.fileno())
        kept = f"its {len(contents.tail)} bytes are kept in {copy.name}"
    except OSError as error:
        kept = f"its {len(contents.tail)} bytes could not be kept ({os.strerror(error.errno or 0)})"
    os.ftruncate(descriptor, contents.end)
    before = f"entries 1 to {number - 1} are whole" if number > 1 else "the game stands at its beginning"
    return f"Entry {number} of {path.name} was not completely written and is left out; {before}; {kept}."


def _make_folder(folder: Path) -> None:
    try:
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        for place in reversed(missing):
            place.mkdir(exist_ok=True)
            _sync_folder(place.parent)
    except OSError as error:
        raise _unavailable(error, f"The folder {folder} cannot be made") from error


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unavailable(error: OSError, what: str) -> JournalUnavailableError:
    reason = _REASONS.get(error.errno or 0) or f"{os.strerror(error.errno or 0)}; try another place"
    return JournalUnavailableError(f"{what}: {reason}")
