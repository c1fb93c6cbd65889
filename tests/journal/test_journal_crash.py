"""Cut it anywhere, change any byte, pull the plug, kill the process: what may be lost, and what may not."""

import itertools
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import companion.journal.file
from companion.journal.codec import parse
from companion.journal.entry import AnswerEntry, Entry, Header
from companion.journal.errors import JournalDamagedError
from companion.journal.file import Journal, read_journal

SECTOR = 512


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the syncs where thousands of files are opened and nothing depends on them."""
    monkeypatch.setattr(companion.journal.file.os, "fsync", lambda descriptor: None)
    monkeypatch.setattr(companion.journal.file.os, "fdatasync", lambda descriptor: None)


@pytest.mark.usefixtures("quick_disk")
def test_cut_at_any_byte_loses_only_the_entry_that_was_cut_and_says_so(
    written: Path, an_evening: tuple[Entry, ...], tmp_path: Path
) -> None:
    raw = written.read_bytes()
    starts = [0, *(place + 1 for place, byte in enumerate(raw) if byte == ord("\n"))]
    cut = tmp_path / "cut.journal"
    torn = tmp_path / "cut.journal.torn"
    for length in range(len(raw) + 1):
        for file in (cut, torn):
            file.unlink(missing_ok=True)
        cut.write_bytes(raw[:length])
        whole = sum(1 for start in starts[1:] if start <= length)
        if length < starts[1] - 1:
            with pytest.raises(JournalDamagedError, match=r"no game was begun in it"):
                Journal.open(cut)
            assert cut.read_bytes() == raw[:length]
            continue
        with Journal.open(cut) as journal:
            if length in starts:
                assert journal.entries == an_evening[: whole - 1]
                assert journal.recovered == ""
            elif length + 1 in starts:
                assert journal.entries == an_evening[:whole]
                assert "lacked only its line feed; nothing is lost" in journal.recovered
            else:
                lost = raw[starts[whole] : length]
                assert journal.entries == an_evening[: whole - 1]
                assert journal.recovered.startswith(f"Entry {whole} of cut.journal was not completely written")
                assert f"its {len(lost)} bytes are kept in cut.journal.torn" in journal.recovered
                assert torn.read_bytes() == lost + b"\n"
            assert cut.read_bytes() == raw[: starts[len(journal.entries) + 1]]


def test_a_recovered_journal_goes_on_as_if_nothing_had_happened(written: Path, an_evening: tuple[Entry, ...]) -> None:
    raw = written.read_bytes()
    written.write_bytes(raw[:-30])
    assert read_journal(written).remark == f"Entry {len(an_evening)} of evening.journal is incomplete and was left out."
    assert written.read_bytes() == raw[:-30], "reading alone must not repair anything"
    with Journal.open(written) as journal:
        assert journal.append(an_evening[-1]) == len(an_evening)
    assert written.read_bytes() == raw
    with Journal.open(written) as journal:
        assert journal.recovered == ""


def test_a_last_line_whose_line_feed_became_zeros_is_completed(written: Path, an_evening: tuple[Entry, ...]) -> None:
    raw = written.read_bytes()
    written.write_bytes(raw[:-1] + bytes(300))
    with Journal.open(written) as journal:
        assert journal.entries == an_evening
        assert "lacked only its line feed" in journal.recovered
    assert written.read_bytes() == raw


def test_the_remains_are_on_disk_before_they_are_cut_off(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written.write_bytes(written.read_bytes()[:-30])
    done: list[str] = []
    for name in ("fsync", "ftruncate"):
        real = getattr(os, name)

        def noted(descriptor: int, *rest: int, name: str = name, real: Callable[..., None] = real) -> None:
            done.append(f"{name} {Path(f'/proc/self/fd/{descriptor}').readlink().suffix}")
            real(descriptor, *rest)

        monkeypatch.setattr(companion.journal.file.os, name, noted)
    Journal.open(written).close()
    assert done[:3] == ["fsync .torn", "ftruncate .journal", "fsync .journal"]


def test_recovery_goes_on_when_the_remains_cannot_be_kept(written: Path, an_evening: tuple[Entry, ...]) -> None:
    written.write_bytes(written.read_bytes()[:-30])
    written.with_name("evening.journal.torn").mkdir()
    with Journal.open(written) as journal:
        assert journal.entries == an_evening[:-1]
        assert "bytes could not be kept (Is a directory)" in journal.recovered


def refused_or_recovered(raw: bytes, entries: tuple[Entry, ...]) -> str:
    """Parse changed bytes and check that they never count as something else than what was written."""
    try:
        contents = parse(raw, "changed.journal")
    except JournalDamagedError as error:
        return str(error)
    kept = entries if contents.unterminated else entries[:-1]
    assert contents.entries == kept, "an earlier entry is gone or altered"
    assert contents.tail
    assert raw[contents.end :] == contents.tail
    return ""


def test_any_changed_byte_is_refused_or_recovered_but_never_believed(
    written: Path, an_evening: tuple[Entry, ...]
) -> None:
    raw = bytearray(written.read_bytes())
    rng = random.Random(2)
    last = raw.rindex(b"\n", 0, len(raw) - 1) + 1
    recovered = 0
    for place, byte in enumerate(bytes(raw)):
        values = {byte ^ 1 << rng.randrange(8), rng.randrange(256)}
        if byte == ord("\n") or place >= last:
            values |= {0, ord("\n"), ord(" "), ord("0"), byte ^ 0x20}
        for value in values - {byte}:
            raw[place] = value
            says = refused_or_recovered(bytes(raw), an_evening)
            assert says or place >= last, "only the last line may be taken for an interrupted write"
            recovered += not says
        raw[place] = byte
    assert recovered, "sectors of zeros in the last line are an interrupted write"


@pytest.mark.parametrize("count", [1, 2, 9])
def test_a_removed_doubled_or_moved_line_is_refused(written: Path, count: int) -> None:
    lines = written.read_bytes().splitlines(keepends=True)
    for changed, says in (
        (lines[:count] + lines[count + 1 :], f"Line {count + 1} .*entry {count} was expected and entry {count + 1}"),
        (lines[:count] + lines[count - 1 :], f"Line {count + 1} .*entry {count} was expected and entry {count - 1}"),
        ([*lines[:-1], lines[-1][:-1], lines[0]], f"Line {len(lines)} .*it announces .* bytes and holds"),
        ([*lines[:-1], lines[-1][:-1], lines[0][:-1]], f"Line {len(lines)} .*it announces .* bytes and holds"),
    ):
        with pytest.raises(JournalDamagedError, match=says):
            parse(b"".join(changed), "changed.journal")


def test_a_careful_edit_names_its_line_and_changes_nothing(written: Path) -> None:
    raw = written.read_bytes()
    lines = raw.splitlines(keepends=True)
    edited = raw.replace(lines[4], lines[4].replace(b'"C1"', b'"C2"'))
    assert edited != raw
    written.write_bytes(edited)
    with pytest.raises(
        JournalDamagedError, match=r"Line 5 of evening\.journal is not as it was written: its check value"
    ):
        Journal.open(written)
    assert written.read_bytes() == edited
    assert list(written.parent.iterdir()) == [written]


WRITER = """
import os, pathlib, sys
from companion.journal.entry import AnswerEntry, Header
from companion.journal.file import Journal
header = Header(game="allies", rules_version="1", edition="reconciled", seats=("Ann", "Bo"))
with Journal.create(pathlib.Path(sys.argv[1]), header) as journal:
    os.write(1, b"0\\n")
    while True:
        number = len(journal.entries) + 1
        journal.append(AnswerEntry(to=f"q{number}", reply="B1 " + "x" * (number * 37 % 900), source="camera"))
        os.write(1, b"%d\\n" % number)
"""


@pytest.mark.parametrize("trial", range(10))
def test_a_killed_writer_loses_no_acknowledged_entry(tmp_path: Path, trial: int) -> None:
    path = tmp_path / "killed.journal"
    rng = random.Random()
    stop_at = rng.randrange(0, 400)
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= stop_at:
                break
        os.kill(child.pid, signal.SIGKILL)
        acknowledged = max([int(line), *(int(rest) for rest in child.stdout if rest.endswith(b"\n"))])
    with Journal.open(path) as journal:
        assert acknowledged <= len(journal.entries) <= acknowledged + 1
        for number, entry in enumerate(journal.entries, start=1):
            assert isinstance(entry, AnswerEntry)
            assert (entry.to, len(entry.reply)) == (f"q{number}", 3 + number * 37 % 900)
        assert journal.append(AnswerEntry(to="q", reply="r", source="touch")) == len(journal.entries)


class Disk:
    """What a power cut may leave: synced bytes for certain, of the others any sectors and any length."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.synced = b""
        self.pending: list[tuple[int, bytes]] = []
        self.left: list[tuple[bytes, int]] = []
        self.acknowledged = -1
        real = os.pwrite

        def pwrite(descriptor: int, raw: bytes, offset: int) -> int:
            self.pending.append((offset, bytes(raw)))
            self.cut_here()
            return real(descriptor, raw, offset)

        def sync(descriptor: int) -> None:
            for offset, raw in self.pending:
                assert offset == len(self.synced)
                self.synced += raw
            self.pending.clear()
            self.cut_here()

        monkeypatch.setattr(companion.journal.file.os, "pwrite", pwrite)
        monkeypatch.setattr(companion.journal.file.os, "fdatasync", sync)
        monkeypatch.setattr(companion.journal.file.os, "fsync", sync)

    def cut_here(self) -> None:
        """Keep every picture of the disk that a power cut at this moment could leave."""
        self.left.append((self.synced, self.acknowledged))
        for _, raw in self.pending:
            start = len(self.synced)
            sectors = range(start // SECTOR * SECTOR + SECTOR, start + len(raw), SECTOR)
            ends = sorted({*sectors, start + len(raw) - 1, start + len(raw)})
            begins = [start, *ends[:-1]]
            for arrived in itertools.product((True, False), repeat=len(ends)):
                parts = [
                    raw[begin - start : end - start] if here else bytes(end - begin)
                    for begin, end, here in zip(begins, ends, arrived, strict=True)
                ]
                for count in range(1, len(ends) + 1):
                    self.left.append((self.synced + b"".join(parts[:count]), self.acknowledged))


def test_a_power_cut_with_any_sectors_missing_loses_no_acknowledged_entry(
    tmp_path: Path, header: Header, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = tuple(
        AnswerEntry(to=f"q{number}", reply="ö" * (number * 211 % 1100), source="dice") for number in range(1, 41)
    )
    disk = Disk(monkeypatch)
    with Journal.create(tmp_path / "game.journal", header) as journal:
        disk.acknowledged = 0
        for entry in entries:
            disk.acknowledged = journal.append(entry)
            disk.cut_here()
    monkeypatch.undo()
    assert len(disk.left) > 500
    interrupted = 0
    for raw, acknowledged in disk.left:
        if acknowledged < 0:
            continue
        contents = parse(raw, "cut.journal")
        assert acknowledged <= len(contents.entries) <= acknowledged + 1
        assert contents.entries == entries[: len(contents.entries)]
        interrupted += bool(contents.tail)
    assert interrupted > 100
