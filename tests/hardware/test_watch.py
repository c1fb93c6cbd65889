"""`companion doctor --watch` in a real terminal: a pseudo-terminal, with fingers on virtual pins."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import doctor
from hardware.dock import Dock
from hardware.virtual import VirtualDock

from .waiting import LIMIT

PROGRAM = Path(__file__).with_name("watched_table.py")
ROOT = Path(__file__).parents[2]
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
WIRING = """
[[seat]]
button = "gpio:16"
[[seat]]
done = "gpio:20"
[dock]
port = "{port}"
markers = ["Ann", "Ben"]
"""


class Terminal:
    """The program on a pseudo-terminal, or on a pipe."""

    def __init__(self, wiring: Path, on_terminal: bool = True) -> None:
        driver, self._drive = os.pipe()
        self.screen, other = os.openpty() if on_terminal else os.pipe()
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "120", "LINES": "40", "PYTHONPATH": str(ROOT)}
        environment.pop("NO_COLOR", None)

        def in_child() -> None:
            os.setsid()
            os.dup2(driver, 3)
            # Whoever is started in the background, as whole test runs are, has Ctrl-C ignored for its children too.
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        self.process = subprocess.Popen(
            [sys.executable, str(PROGRAM), "doctor", "--watch", "--wiring", str(wiring)],
            stdin=other if on_terminal else subprocess.DEVNULL,
            stdout=other,
            stderr=subprocess.PIPE,
            env=environment,
            preexec_fn=in_child,
            close_fds=False,
        )
        os.close(other)
        os.close(driver)
        self.raw = ""

    def drive(self, pin: int, level: str) -> None:
        os.write(self._drive, f"{pin} {level}\n".encode())

    def shows(self, pattern: str) -> None:
        """Wait until a pattern is in what was written since the last time."""
        end = time.monotonic() + LIMIT
        seen = ""
        while not re.search(pattern, seen):
            assert time.monotonic() < end, f"{pattern!r} is not in {seen[-2000:]!r}"
            if select.select([self.screen], [], [], 0.1)[0]:
                try:
                    read = os.read(self.screen, 65536).decode()
                except OSError:
                    read = ""
                assert read, f"it ended: {seen[-2000:]!r} {self.process.stderr.read() if self.process.stderr else ''!r}"
                self.raw += read
                seen += CONTROL.sub("", read)

    def end(self) -> tuple[int, bytes]:
        """Press Ctrl-C; return the exit code and what was written on standard error."""
        self.process.send_signal(signal.SIGINT)
        while True:
            try:
                rest = os.read(self.screen, 65536)
            except OSError:
                break
            if not rest:
                break
            self.raw += rest.decode()
        assert self.process.stderr is not None
        complaint = self.process.stderr.read()
        return self.process.wait(LIMIT), complaint

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()
        os.close(self.screen)
        os.close(self._drive)


@pytest.fixture
def dock(tmp_path: Path) -> Iterator[VirtualDock]:
    board = VirtualDock(Dock("D", boot_id=1, buttons=1, slots=2, dice=1, now=time.monotonic()), tmp_path / "tty")
    yield board
    board.unplug()


@pytest.fixture
def wiring(tmp_path: Path) -> Path:
    file = tmp_path / "table.toml"
    file.write_text(WIRING.format(port=tmp_path / "tty"), encoding="utf-8")
    return file


@pytest.fixture
def start(wiring: Path) -> Iterator[Callable[[bool], Terminal]]:
    started: list[Terminal] = []

    def open_terminal(on_terminal: bool = True) -> Terminal:
        started.append(Terminal(wiring, on_terminal))
        return started[-1]

    yield open_terminal
    for terminal in started:
        terminal.close()


def test_every_input_is_shown_in_place_while_it_changes_and_control_c_ends_it(
    start: Callable[..., Terminal], dock: VirtualDock
) -> None:
    terminal = start()
    terminal.shows(r"seat 1 done, seat 1 undo \(long\)\s+GPIO16\s+open")
    terminal.shows(r"dock: waiting\. There is no .*tty; plug in the dock")
    terminal.drive(16, "low")
    terminal.shows(r"GPIO16\s+closed")
    terminal.drive(16, "high")
    terminal.shows(r"GPIO16\s+open")
    terminal.shows(r"s ago  seat 1: done  \[gpio:16 short\]")
    terminal.drive(5, "low")
    terminal.shows(r"pins that the file does not name: GPIO5\s")
    terminal.drive(5, "high")
    terminal.shows(r"GPIO5 \(open again\)")
    dock.plug()
    terminal.shows(r"dock place 1\s+level \d+\s+empty")
    code, complaint = terminal.end()
    assert (code, complaint) == (0, b"")
    assert "\x1b[?25l" in terminal.raw, "the cursor is hidden meanwhile"
    assert terminal.raw.rindex("\x1b[?25h") > terminal.raw.rindex("\x1b[?25l"), "and shown at the end"
    assert "\x1b[1A" in terminal.raw, "the picture is drawn over the one before"


def test_into_a_pipe_each_happening_is_one_plain_line(start: Callable[..., Terminal]) -> None:
    terminal = start(on_terminal=False)
    terminal.shows(r"it shows here\. Ctrl-C ends")
    terminal.drive(20, "low")
    terminal.shows(r"seat 2: done  \[gpio:20 short\]\n")
    assert terminal.end() == (0, b"")
    assert "\x1b" not in terminal.raw


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--watch", "--json"], "--watch shows things as they happen; leave out --json\n"),
        (["--watch", "--wiring", "{file}"], '{file}:1: unknown key "chair"; known are'),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_two(arguments: list[str], says: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[[chair]]", encoding="utf-8")
    result = CliRunner().invoke(doctor.command, [argument.format(file=file) for argument in arguments])
    assert result.exit_code == 2
    assert says.format(file=file) in result.stderr
    assert result.stdout == ""
