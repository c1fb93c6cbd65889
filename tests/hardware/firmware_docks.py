"""The firmwares' conversations in simulated time, behind the face of `hardware.dock.Dock`.

The AVR's C is compiled for this computer, the Pico's modules are imported; both without their boards.
"""

from __future__ import annotations

import ctypes
import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from hardware.messages import MODES, Mode

from .firmware import FIRMWARE

STEP = 0.02
"""Seconds between two rounds of the firmware's loop, which on a board is far quicker."""


class FirmwareDock:
    """What the two have in common: seconds in, milliseconds to the firmware, a new start at a reset."""

    def __init__(self, unique_id: str, *, boot_id: int, buttons: int, lamps: int, dice: int) -> None:
        self.reset(boot_id, 0.0)

    def reset(self, boot_id: int, now: float) -> None:
        self._started = self._now = now
        self.begin(boot_id)

    def ms(self, now: float) -> int:
        self._now = now
        return round((now - self._started) * 1000)

    def wake_at(self) -> float:
        return self._now + STEP

    def begin(self, boot_id: int) -> None:
        raise NotImplementedError


def avr_dock(folder: Path) -> type[FirmwareDock]:
    """The C code; or skip, saying why."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("the AVR firmware's evenings need a C compiler for this computer: apt-get install gcc")
    library = folder / "dock.so"
    shim = Path(__file__).with_name("dock_shim.c")
    subprocess.run(
        [compiler, "-std=gnu11", "-O1", "-shared", "-fPIC", f"-I{FIRMWARE / 'avr'}", "-o", library, shim], check=True
    )
    copies = iter(range(1_000_000))

    class AvrDock(FirmwareDock):
        def begin(self, boot_id: int) -> None:
            # A file is loaded once; a copy, which has to stay, begins with memory of its own.
            fresh = folder / f"dock-{next(copies)}.so"
            shutil.copy(library, fresh)
            self._c = ctypes.CDLL(str(fresh))
            self._c.shim_begin(ctypes.c_uint32(boot_id))

        def receive(self, received: bytes, now: float) -> None:
            self._c.shim_receive(received, len(received), self.ms(now))

        def outgoing(self, now: float) -> bytes:
            sent = ctypes.create_string_buffer(4096)
            size = self._c.shim_run(self.ms(now), sent)
            return sent.raw[:size]

        def press(self, button: int, now: float) -> None:
            self._c.shim_press(button, self.ms(now))

        def roll(self, faces: tuple[int, ...], now: float) -> None:
            self._c.shim_roll(faces[0], self.ms(now))

        @property
        def held(self) -> int:
            return int(self._c.shim_held())

        @property
        def lamps(self) -> tuple[Mode, ...]:
            return tuple(MODES[self._c.shim_lamp(lamp)] for lamp in range(3))

    return AvrDock


def pico_modules() -> ModuleType:
    """Import the Pico's `dock`, whose modules have names of their own place."""
    sys.path.insert(0, str(FIRMWARE / "micropython"))
    try:
        return importlib.import_module("dock")
    finally:
        sys.path.pop(0)
        for name in ("dock", "wire", "config"):
            sys.modules.pop(name, None)


def pico_dock() -> type[FirmwareDock]:
    module = pico_modules()

    class PicoDock(FirmwareDock):
        def begin(self, boot_id: int) -> None:
            self._dock = module.Dock(boot_id, "SHIM")

        def receive(self, received: bytes, now: float) -> None:
            self._dock.receive(received, self.ms(now))

        def outgoing(self, now: float) -> bytes:
            return bytes(self._dock.outgoing(self.ms(now)))

        def press(self, button: int, now: float) -> None:
            self._dock.pressed(button, module.SHORT, self.ms(now))

        def roll(self, faces: tuple[int, ...], now: float) -> None:
            self._dock.rolled(faces[0], self.ms(now))

        @property
        def held(self) -> int:
            return len(self._dock._held)

        @property
        def lamps(self) -> tuple[Mode, ...]:
            return tuple(MODES[mode] for mode in self._dock.lamps)

    return PicoDock
