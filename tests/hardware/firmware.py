"""The dock's firmware in the loop: the AVR build in QEMU, the MicroPython one in an interpreter of this machine.

Both hang on a pseudo-terminal, as a board hangs on its cable; what the sensors say is written from outside.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tty
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import pytest

from .waiting import until

FIRMWARE = Path(__file__).parents[2] / "hardware" / "firmware"
SLOTS = 6
NOTHING = b"\xff" * SLOTS
STEPS = 12
RAN_ON: set[str] = set()
"""What the firmware ran on, for the summary."""


class Board(Protocol):
    """A dock that can be used from outside: its cable is `device`."""

    device: str
    line: int
    lamps: int

    def set(self, buttons: int = 0, die: int = 1, slots: bytes = NOTHING) -> None:
        """So it is from now on."""

    def play(self, *steps: tuple[bytes, int]) -> None:
        """Show one sample after the other, each for so many of the board's own milliseconds; the last one stays."""

    def lit(self) -> bytes: ...

    def reset(self) -> None: ...

    def stop(self) -> None: ...


def sample(buttons: int = 0, die: int = 1, slots: bytes = NOTHING) -> bytes:
    """What the board is to sample: closed contacts, the die's code, the slots' levels."""
    return bytes((buttons, die)) + slots


def as_bytes(steps: Sequence[tuple[bytes, int]]) -> bytes:
    return b"".join(shown + milliseconds.to_bytes(2, "little") for shown, milliseconds in steps)


def avr_tools() -> None:
    """Skip, saying what is missing, where the AVR firmware cannot be built or run."""
    packages = {"avr-gcc": "gcc-avr avr-libc", "make": "make", "qemu-system-avr": "qemu-system-misc"}
    missing = [package for tool, package in packages.items() if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"the AVR firmware needs {' '.join(missing)}: apt-get install {' '.join(missing)}")


def build_avr(folder: Path, *targets: str, extra: str = "") -> None:
    arguments = [f"BUILD={folder}", "ID=DOCK-0042", f"EXTRA={extra}", *(f"{folder}/{target}" for target in targets)]
    done = subprocess.run(
        ["make", "-C", FIRMWARE / "avr", *arguments], capture_output=True, text=True, timeout=800, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


class Avr:
    """QEMU's Arduino Uno. It has no pins, so samples and lamps are memory, reached by the debugger's port."""

    lamps = 3

    def __init__(self, build: Path, folder: Path) -> None:
        RAN_ON.add("AVR firmware: ran in qemu-system-avr")
        self._build, self._folder, self._gdb = build, folder, folder / "gdb"
        names = subprocess.run(["avr-nm", build / "emulator.elf"], capture_output=True, text=True, check=True).stdout
        self._at = {line.split()[-1]: int(line.split()[0], 16) for line in names.splitlines() if line[0] != " "}
        self.device = str(folder / "dock")
        self._start()

    def _start(self) -> None:
        qmp = self._folder / "qmp"
        self._qemu = subprocess.Popen(
            [
                *("qemu-system-avr", "-machine", "uno", "-bios", self._build / "emulator.elf", "-S"),
                *("-display", "none", "-monitor", "none", "-serial", "pty"),
                *("-gdb", f"unix:{self._gdb},server=on,wait=off", "-qmp", f"unix:{qmp},server=on,wait=off"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._qemu.stdout is not None
        told = self._qemu.stdout.readline()
        found = re.search(r"/dev/\S+", told)
        assert found, told
        until(lambda: self._gdb.exists() and qmp.exists())
        # QEMU looks only once a second whether somebody has opened a line that nobody had.
        self.line = os.open(found[0], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.line)
        self._memory("emulator_boot_id", os.urandom(4))
        # Left alone, the machine stands still as the debugger found it.
        _go_on(qmp)
        self.set()
        Path(self.device).symlink_to(found[0])

    def _end(self) -> None:
        Path(self.device).unlink(missing_ok=True)
        self._qemu.kill()
        self._qemu.communicate()
        os.close(self.line)
        for each in ("gdb", "qmp"):
            (self._folder / each).unlink(missing_ok=True)

    def set(self, buttons: int = 0, die: int = 1, slots: bytes = NOTHING) -> None:
        self._memory("emulator_sample", sample(buttons, die, slots))

    def play(self, *steps: tuple[bytes, int]) -> None:
        *before, (last, _) = steps
        kept = [*before, (last, 0xFFFF)]
        self._memory("emulator_steps", as_bytes([(last, 0)] * (STEPS - len(kept)) + kept))
        self._memory("emulator_todo", bytes((len(kept),)))
        until(lambda: self._debug(f"m{self._at['emulator_todo']:x},1") == "01")
        self._memory("emulator_sample", last)
        self._memory("emulator_todo", bytes(1))

    def lit(self) -> bytes:
        return bytes.fromhex(self._debug(f"m{self._at['emulator_lit']:x},{self.lamps:x}"))

    def reset(self) -> None:
        # QEMU's own reset leaves this machine's line dead.
        self._end()
        self._start()

    def stop(self) -> None:
        self._end()

    def _memory(self, name: str, content: bytes) -> None:
        assert self._debug(f"M{self._at[name]:x},{len(content):x}:{content.hex()}") == "OK"

    def _debug(self, command: str) -> str:
        """One command of the debugger's serial protocol; the machine stands still meanwhile."""
        with socket.socket(socket.AF_UNIX) as gdb:
            gdb.connect(str(self._gdb))
            answers = []
            for each in (command, "D"):
                gdb.sendall(f"${each}#{sum(each.encode()) % 256:02x}".encode())
                answers.append(self._answer(gdb))
        return answers[0]

    @staticmethod
    def _answer(gdb: socket.socket) -> str:
        received = b""
        while True:
            received += gdb.recv(4096)
            for packet in re.findall(rb"\$([^#]*)#..", received):
                # Whoever connects to a running machine is told that it stopped.
                if not packet.startswith((b"T", b"S")):
                    gdb.sendall(b"+")
                    return packet.decode()


def _go_on(qmp: Path) -> None:
    with socket.socket(socket.AF_UNIX) as monitor:
        monitor.connect(str(qmp))
        with monitor.makefile("rw") as talk:
            talk.readline()
            for command in ("qmp_capabilities", "cont"):
                talk.write(json.dumps({"execute": command}))
                talk.flush()
                while "return" not in json.loads(talk.readline()):
                    continue


def interpreter() -> tuple[str, list[str]]:
    """The nearest thing to a Pico's MicroPython on this machine, by name, and how to call it."""
    if named := os.environ.get("MICROPYTHON"):
        return f"MicroPython's Unix port ({named})", named.split()
    if found := shutil.which("micropython"):
        return f"MicroPython's Unix port ({found})", [found]
    if importlib.util.find_spec("micropython_unix") is not None:
        return "MicroPython's Unix port (the package micropython_unix)", [sys.executable, "-m", "micropython_unix"]
    return "CPython, as this system has no package micropython", [sys.executable]


class MicroPython:
    """The Pico's modules in an interpreter of this machine, with `host.py` in place of the pins."""

    lamps = 4

    def __init__(self, folder: Path) -> None:
        name, self._call = interpreter()
        RAN_ON.add(f"MicroPython firmware: ran on {name}")
        self._folder = folder
        self._master, self.line = os.openpty()
        tty.setraw(self.line)
        self.device = os.ttyname(self.line)
        self.set()
        self._start()

    def set(self, buttons: int = 0, die: int = 1, slots: bytes = NOTHING) -> None:
        fresh = self._folder / "sample.new"
        fresh.write_bytes(sample(buttons, die, slots))
        fresh.replace(self._folder / "sample")

    def play(self, *steps: tuple[bytes, int]) -> None:
        fresh = self._folder / "sample.new"
        fresh.write_bytes(as_bytes(steps))
        fresh.replace(self._folder / "sample")
        until(lambda: not any((self._folder / name).exists() for name in ("sample", "taken")))

    def lit(self) -> bytes:
        return (self._folder / "lamps").read_bytes()

    def reset(self) -> None:
        self._end()
        self._start()

    def stop(self) -> None:
        self._end()
        os.close(self._master)
        os.close(self.line)

    def _start(self) -> None:
        (self._folder / "lamps").unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [*self._call, "host.py", str(self._folder)],
            cwd=FIRMWARE / "micropython",
            stdin=self._master,
            stdout=self._master,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        until(lambda: (self._folder / "lamps").exists() or self._process.poll() is not None)
        assert self._process.poll() is None, "the firmware ended by itself"

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
