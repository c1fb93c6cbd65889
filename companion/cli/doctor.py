"""`companion doctor`: what this computer has and what it lacks, one line each, with what to do."""

from __future__ import annotations

import ctypes.util
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import util
from pathlib import Path
from typing import Literal

import click
import msgspec
from rich.console import Console
from serial.tools import list_ports

from companion.cli import BadInput
from companion.cli._watch import watch
from companion.journal.shelf import Shelf
from hardware.boards import BoardError, is_raspberry_pi, open_pins
from hardware.config import ConfigError, load
from hardware.serial_link import SerialLink
from hardware.wiring import TableWiring

WIRING_FILE = "table.toml"
"""In the companion's home; says how buttons, lamps and dock are wired."""
PACKAGES = ("cv2", "click", "cobs", "gpiozero", "kivy", "msgspec", "numpy", "platformdirs", "ruamel.yaml", "serial")
LIBRARIES = {"EGL": "libegl1", "GL": "libgl1", "GLESv2": "libgles2", "gbm": "libgbm1", "mtdev": "libmtdev1"}
"""What Kivy's window needs and the package that has it (Debian's names)."""
MEGABYTE = 2**20
DISK_LOW, DISK_FULL = 500 * MEGABYTE, 50 * MEGABYTE
MEMORY_LOW, MEMORY_FULL = 400 * MEGABYTE, 150 * MEGABYTE
RELEASED_IN = 2026
DOCK_WITHIN = 3.0

State = Literal["ok", "note", "fault"]


class Finding(msgspec.Struct, frozen=True):
    """One line: `ok`, `note` (the companion runs without it), `fault` (something needed is not there)."""

    name: str
    state: State
    says: str


def check_python() -> Finding:
    version = platform.python_version()
    lacking = [name for name in PACKAGES if not _has(name)]
    if lacking:
        return Finding("python", "fault", f"{version} lacks {', '.join(lacking)}; run deploy/run once more")
    return Finding("python", "ok", f"{version}, all packages")


def _has(name: str) -> bool:
    try:
        return util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def check_screen(connectors: Path = Path("/sys/class/drm")) -> Finding:
    connected = [p.parent.name for p in sorted(connectors.glob("*/status")) if p.read_text().strip() == "connected"]
    display = next((name for name in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(name)), "")
    lacking = [package for library, package in LIBRARIES.items() if ctypes.util.find_library(library) is None]
    if not connected and not display:
        return Finding("screen", "note", "none is connected; the app needs one, the headless demo does not")
    if lacking:
        return Finding("screen", "fault", f"the graphics libraries are incomplete; apt install {' '.join(lacking)}")
    return Finding("screen", "ok", ", ".join(connected) or f"{display}={os.environ[display]}")


def check_camera(devices: Path = Path("/dev"), names: Path = Path("/sys/class/video4linux")) -> Finding:
    found: list[str] = []
    shut: list[str] = []
    for device in sorted(devices.glob("video*")):
        label = names / device.name / "name"
        title = label.read_text(errors="replace").strip() if label.exists() else "camera"
        (found if os.access(device, os.R_OK | os.W_OK) else shut).append(f"{device} ({title})")
    if found:
        return Finding("camera", "ok", ", ".join(found))
    if shut:
        return Finding("camera", "fault", f"{shut[0]} may not be opened; sudo usermod -aG video $USER, log in again")
    return Finding("camera", "note", "none found; plug in a USB camera, or give a folder, film or address as source")


def check_wiring(file: Path) -> tuple[Finding, TableWiring]:
    if not file.exists():
        return Finding("wiring", "note", f"no {file}; needed only for buttons, lamps and a dock"), TableWiring()
    try:
        wiring = load(file)
    except ConfigError as error:
        return Finding("wiring", "fault", str(error)), TableWiring()
    buttons = len({(place.where, place.number) for _, _, place in wiring.all_buttons})
    lamps = sum(seat.lamp is not None for seat in wiring.seats)
    dock = "a dock" if wiring.dock else "no dock"
    parts = ((len(wiring.seats), "seat"), (buttons, "button"), (lamps, "lamp"))
    counted = ", ".join(f"{number} {what}{'' if number == 1 else 's'}" for number, what in parts)
    return Finding("wiring", "ok", f"{file}: {counted}, {dock}"), wiring


def check_pins(wiring: TableWiring) -> Finding:
    try:
        factory = open_pins(wiring.pins)
    except BoardError as error:
        return Finding("pins", "fault" if wiring.uses_pins else "note", str(error))
    name = type(factory).__name__
    factory.close()
    if name != "MockFactory":
        return Finding("pins", "ok", name)
    if wiring.uses_pins and wiring.pins == "auto":
        return Finding("pins", "fault", "buttons are wired to pins, but this computer is no Raspberry Pi")
    why = "as the wiring file asks" if is_raspberry_pi() or wiring.pins == "mock" else "this is no Raspberry Pi"
    return Finding("pins", "ok", f"mock pins ({why})")


def check_ports(wiring: TableWiring) -> Finding:
    seen = [f"{port.device} ({port.serial_number or 'no serial number'})" for port in sorted(list_ports.comports())]
    if wiring.dock is None:
        return Finding("ports", "ok", ", ".join(seen) or "none; needed only for a dock")
    link = SerialLink(wiring)
    link.start(lambda _: None)
    try:
        end = time.monotonic() + DOCK_WITHIN
        while (health := link.health()).state == "waiting" and time.monotonic() < end:
            time.sleep(0.05)
    finally:
        link.stop()
    if health.state == "ok":
        return Finding("ports", "ok", f"the dock answers at {wiring.dock.port}")
    return Finding("ports", "note" if health.state == "unsure" else "fault", health.says)


def check_disk(home: Path) -> Finding:
    place = next(folder for folder in (home, *home.parents) if folder.exists())
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"companion")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return Finding("disk", "fault", f"{place} cannot be written ({error.strerror}); games are kept there")
    free = shutil.disk_usage(place).free
    says = f"{home} can be written, {free // MEGABYTE} MB free"
    if free < DISK_FULL:
        return Finding("disk", "fault", f"{says}; make room, a game needs {DISK_FULL // MEGABYTE} MB")
    return Finding("disk", "note" if free < DISK_LOW else "ok", says)


def check_clock(now: Callable[[], float] = time.time) -> Finding:
    today = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now()))
    if time.gmtime(now()).tm_year < RELEASED_IN:
        return Finding("clock", "note", f"{today} is before this version was made; games are numbered, so none is lost")
    return Finding("clock", "ok", today)


def check_memory(meminfo: Path = Path("/proc/meminfo")) -> Finding:
    try:
        lines = dict(line.split(":", 1) for line in meminfo.read_text().splitlines() if ":" in line)
        available = int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return Finding("memory", "note", "this system does not say how much memory is free")
    says = f"{available // MEGABYTE} MB available"
    if available < MEMORY_FULL:
        return Finding("memory", "fault", f"{says}; close other programs, {MEMORY_FULL // MEGABYTE} MB are needed")
    return Finding("memory", "note" if available < MEMORY_LOW else "ok", says)


def examine(wiring_file: Path | None = None) -> tuple[Finding, ...]:
    """Look at everything once; takes up to `DOCK_WITHIN` seconds if a dock is wired."""
    home = Shelf().home
    wired, wiring = check_wiring(wiring_file or home / WIRING_FILE)
    return (
        check_python(),
        check_screen(),
        check_camera(),
        wired,
        check_pins(wiring),
        check_ports(wiring),
        check_disk(home),
        check_clock(),
        check_memory(),
    )


def _wired(wiring: Path | None) -> TableWiring:
    file = wiring or Shelf().home / WIRING_FILE
    if wiring is None and not file.exists():
        return TableWiring()
    try:
        return load(file)
    except ConfigError as error:
        raise BadInput(str(error)) from None


@click.command("doctor")
@click.option(
    "--wiring", type=click.Path(path_type=Path), help=f"The wiring file; {WIRING_FILE} in the home if not given."
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--watch", "live", is_flag=True, help="Show every button, knob, marker and die live, until Ctrl-C.")
def command(wiring: Path | None, as_json: bool, live: bool) -> None:
    """Say what this computer has and lacks, and what to do. Exit code 1 if something needed is missing."""
    if as_json and live:
        raise BadInput("--watch shows things as they happen; leave out --json")
    wired = _wired(wiring) if wiring is not None or live else TableWiring()
    if live:
        watch(wired, Console())
        return
    findings = examine(wiring)
    well = all(finding.state != "fault" for finding in findings)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode({"ok": well, "findings": findings})))
    else:
        for finding in findings:
            click.echo(f"{finding.state:8} {finding.name:8} {finding.says}")
    sys.exit(0 if well else 1)
