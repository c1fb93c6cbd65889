import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import companion.journal.file
from companion.journal.entry import AnswerEntry, CorrectionEntry, Entry, Header, NoteEntry, UndoEntry
from companion.journal.errors import EntryRefusedError, JournalDamagedError, JournalUnavailableError
from companion.journal.file import Journal, read_journal

ANSWER = AnswerEntry(to="place", reply="B1 owl", seat=0, source="camera")


def test_what_was_appended_is_read_back_in_order(written: Path, header: Header, an_evening: tuple[Entry, ...]) -> None:
    with Journal.open(written) as journal:
        assert journal.header == header
        assert journal.entries == an_evening
        assert journal.recovered == ""
    assert read_journal(written) == (header, an_evening, "")


def test_append_returns_the_entrys_number_and_going_on_continues_the_numbers(tmp_path: Path, header: Header) -> None:
    path = tmp_path / "new" / "folder" / "game.journal"
    with Journal.create(path, header) as journal:
        assert [journal.append(ANSWER), journal.append(ANSWER)] == [1, 2]
    with Journal.open(path) as journal:
        assert journal.append(UndoEntry(of=2, source="button")) == 3
    assert [line.split(b" ")[0] for line in path.read_bytes().splitlines()] == [b"0", b"1", b"2", b"3"]


def test_a_persons_tools_can_verify_a_line(written: Path) -> None:
    from hashlib import blake2b

    lines = [line.split(b" ", 3) for line in written.read_bytes().splitlines()]
    previous = b""
    for number, (count, length, check, payload) in enumerate(lines):
        assert (int(count), int(length)) == (number, len(payload))
        assert blake2b(previous + payload, digest_size=16).hexdigest().encode() == check
        previous = check


def test_every_entry_is_synced_after_it_was_written_and_before_append_returns(
    tmp_path: Path, header: Header, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def note(name: str) -> None:
        real = getattr(os, name)

        def noted(descriptor: int, *rest: object) -> object:
            kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
            done.append(f"{name} {kind}")
            return real(descriptor, *rest)

        monkeypatch.setattr(companion.journal.file.os, name, noted)

    for name in ("pwrite", "fsync", "fdatasync"):
        note(name)
    Journal.create(tmp_path / "one" / "two" / "game.journal", header).close()
    assert done == ["fsync folder", "fsync folder", "pwrite file", "fsync file", "fsync folder"]
    done.clear()
    journal = Journal.create(tmp_path / "game.journal", header)
    assert done == ["pwrite file", "fsync file", "fsync folder"]
    done.clear()
    journal.append(ANSWER)
    assert done == ["pwrite file", "fdatasync file"]
    journal.close()
    done.clear()
    Journal.open(tmp_path / "game.journal").close()
    assert done == ["fsync file", "fsync folder"], "what a killed process left in memory only must reach the disk"


def test_an_existing_file_is_never_overwritten(written: Path, header: Header) -> None:
    before = written.read_bytes()
    with pytest.raises(JournalUnavailableError, match="exists already"):
        Journal.create(written, header)
    assert written.read_bytes() == before


def test_a_second_writer_is_told_that_the_journal_is_open_elsewhere(written: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from companion.journal.errors import JournalUnavailableError\n"
        "from companion.journal.file import Journal, read_journal\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "print(len(read_journal(path).entries))\n"
        "try:\n    Journal.open(path)\n"
        "except JournalUnavailableError as error:\n    print(error)\n"
    )
    with Journal.open(written) as journal:
        number = len(journal.entries)
        other = subprocess.run([sys.executable, "-c", code, str(written)], capture_output=True, text=True, check=True)
        assert journal.append(ANSWER) == number + 1
    counted, says = other.stdout.splitlines()
    assert counted == str(number), "reading needs no lock"
    assert says == "evening.journal is open for writing in another program; close it there and try again"
    with Journal.open(written) as journal:
        assert len(journal.entries) == number + 1


def test_a_closed_journal_gives_the_lock_back_and_takes_no_entry(written: Path) -> None:
    journal = Journal.open(written)
    journal.close()
    journal.close()
    with pytest.raises(JournalUnavailableError, match="is closed"):
        journal.append(ANSWER)
    Journal.open(written).close()


def test_a_journal_deleted_while_in_use_takes_no_entry(written: Path) -> None:
    with Journal.open(written) as journal:
        entries = journal.entries
        written.unlink()
        with pytest.raises(JournalUnavailableError, match="was deleted or replaced while it was in use"):
            journal.append(ANSWER)
        assert journal.entries == entries


@pytest.mark.parametrize("change", [lambda raw: raw + b"x", lambda raw: raw[:-9]])
def test_a_journal_changed_by_another_program_takes_no_entry(written: Path, change: object) -> None:
    with Journal.open(written) as journal:
        changed = change(written.read_bytes())  # type: ignore[operator]
        written.write_bytes(changed)
        with pytest.raises(JournalUnavailableError, match="another program changed it; open it again"):
            journal.append(ANSWER)
        assert written.read_bytes() == changed


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (AnswerEntry(to="q", reply="r", source="camera", confidence=float("nan")), "confidence"),
        (AnswerEntry(to="q", reply="r", source="camera", confidence=1.5), "<= 1.0"),
        (AnswerEntry(to="q", reply="r", source="rumour"), "rumour"),  # type: ignore[arg-type]
        (AnswerEntry(to="q", reply="\ud800", source="camera"), "surrogates"),
        (AnswerEntry(to="q", reply=7, source="camera"), "reply"),  # type: ignore[arg-type]
    ],
)
def test_an_entry_that_would_not_read_back_is_refused_and_not_written(written: Path, entry: Entry, says: str) -> None:
    before = written.read_bytes()
    with Journal.open(written) as journal:
        with pytest.raises(
            EntryRefusedError, match=r"The answer cannot be written: .*; nothing was written"
        ) as refused:
            journal.append(entry)
        assert says in str(refused.value)
        assert len(journal.entries) == before.count(b"\n") - 1
    assert written.read_bytes() == before


def test_a_header_of_another_shape_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(EntryRefusedError, match="The header would read back differently"):
        Journal.create(tmp_path / "game.journal", Header(game="g", rules_version="1", edition="e", seats=["Ann"]))  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_refused_correction_leaves_file_and_memory_untouched(written: Path) -> None:
    before = written.read_bytes()
    with Journal.open(written) as journal:
        entries = journal.entries
        with pytest.raises(EntryRefusedError, match="it corrects entry 99"):
            journal.append(CorrectionEntry(of=99, to="q", reply="r", source="touch"))
        assert journal.entries == entries
    assert written.read_bytes() == before


DISK_FULL = """
import os, pathlib, resource, sys
from companion.journal.entry import NoteEntry
from companion.journal.errors import JournalUnavailableError
from companion.journal.file import Journal
path = pathlib.Path(sys.argv[1])
size = path.stat().st_size
with Journal.open(path) as journal:
    before = journal.entries
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 150, limit[1]))
    try:
        journal.append(NoteEntry(text="x" * 300, source="touch"))
    except JournalUnavailableError as error:
        print(error)
    assert journal.entries == before
    assert path.stat().st_size == size, "the half of the line that had room must go again"
    resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    print(journal.append(NoteEntry(text="room again", source="touch")))
"""


def test_a_full_disk_is_said_and_nothing_is_half_written(written: Path, an_evening: tuple[Entry, ...]) -> None:
    done = subprocess.run([sys.executable, "-c", DISK_FULL, str(written)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    number = len(an_evening) + 1
    assert done.stdout.splitlines() == [
        f"Entry {number} cannot be written to evening.journal: "
        "the file may not grow further on this disk; free some space and try again",
        str(number),
    ]
    assert read_journal(written).entries == (*an_evening, NoteEntry(text="room again", source="touch"))


def test_a_disk_that_fails_to_sync_closes_the_journal_without_the_entry(
    written: Path, an_evening: tuple[Entry, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    journal = Journal.open(written)
    monkeypatch.setattr(companion.journal.file.os, "fdatasync", failing)
    with pytest.raises(JournalUnavailableError, match="the disk reports a fault"):
        journal.append(ANSWER)
    assert journal.entries == an_evening
    with pytest.raises(JournalUnavailableError, match="is closed; open it again"):
        journal.append(ANSWER)
    assert read_journal(written).entries == an_evening


def test_a_journal_that_cannot_be_begun_leaves_no_file(
    tmp_path: Path, header: Header, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int, raw: bytes, offset: int) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(companion.journal.file.os, "pwrite", full)
    with pytest.raises(JournalUnavailableError, match=r"game\.journal cannot be created: the disk is full; free some"):
        Journal.create(tmp_path / "game.journal", header)
    assert list(tmp_path.iterdir()) == []


AS_NOBODY = """
import os, pathlib, sys
from companion.journal.entry import Header
from companion.journal.errors import JournalError
from companion.journal.file import Journal, read_journal
os.chdir(sys.argv[1])
if os.getuid() == 0:
    os.setuid(65534)
path = pathlib.Path("evening.journal")
print(len(read_journal(path).entries))
for attempt in (lambda: Journal.open(path),
                lambda: Journal.create(pathlib.Path("new.journal"), read_journal(path).header),
                lambda: Journal.create(pathlib.Path("folder/new.journal"), read_journal(path).header)):
    try:
        attempt()
    except JournalError as error:
        print(error)
"""


def test_a_read_only_journal_can_be_read_and_says_why_it_cannot_be_continued(written: Path) -> None:
    before = written.read_bytes()
    written.chmod(0o444)
    written.parent.chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(written.parent)], capture_output=True, text=True, check=False
    )
    written.parent.chmod(0o755)
    assert done.stderr == ""
    denied = "permission is denied; give this user the right to read and write it"
    assert done.stdout.splitlines()[1:] == [
        f"evening.journal cannot be opened: {denied}",
        f"new.journal cannot be created: {denied}",
        f"The folder folder cannot be made: {denied}",
    ]
    assert written.read_bytes() == before
    assert [place.name for place in written.parent.iterdir()] == ["evening.journal"]


def test_what_is_no_journal_is_refused_in_words(tmp_path: Path) -> None:
    picture = tmp_path / "table.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9)
    empty = tmp_path / "empty.journal"
    empty.touch()
    pipe = tmp_path / "pipe.journal"
    os.mkfifo(pipe)
    large = tmp_path / "large.journal"
    with large.open("wb") as file:
        file.truncate(companion.journal.file.LARGEST + 1)
    for path, error, says in (
        (picture, JournalDamagedError, "table.png is not a journal: its first line should begin with '0'"),
        (empty, JournalDamagedError, "empty.journal is empty"),
        (pipe, JournalUnavailableError, "pipe.journal is not an ordinary file"),
        (large, JournalUnavailableError, "more than any game needs"),
        (tmp_path, JournalUnavailableError, "it is a folder|is not an ordinary file"),
        (tmp_path / "none.journal", JournalUnavailableError, "there is no such file"),
        (picture / "x.journal", JournalUnavailableError, "its folder is no folder"),
    ):
        with pytest.raises(error, match=says):
            Journal.open(path)
        with pytest.raises(error, match=says):
            read_journal(path)
