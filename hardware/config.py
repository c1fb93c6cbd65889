"""Reads the one TOML file that says how a table is wired.

    pins = "auto"                      # or "lgpio", "gpiod", "mock"
    buzzer = "gpio:18"

    [[seat]]
    done = "gpio:16 pull-up"
    undo = "gpio:16 pull-up long"      # the same button, held
    lamp = "gpio:17"

    [dock]
    port = "usb:DOCK-0042"             # the USB serial number; or "usb-path:1-1.2", or a path
    faces = ["1", "2", "3", "4", "5", "6"]

Whatever cannot be meant is one sentence with file, line and remedy; nothing is half read.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from pathlib import Path
from typing import get_args

from hardware.wiring import (
    FUNCTIONS,
    DockWiring,
    Input,
    Output,
    PinsName,
    SeatWiring,
    TableWiring,
    WordsError,
    parse_input,
    parse_output,
)

PIN_FACTORIES: tuple[PinsName, ...] = get_args(PinsName)
MAX_SEATS = 8
_KEYS = {"": ("pins", "buzzer", "seat", "dock"), "seat": (*FUNCTIONS, "lamp"), "dock": ("port", "id", "faces")}
_HEADER = re.compile(r"\s*\[+\s*([A-Za-z0-9_-]+)\s*\]+\s*(#.*)?$")
_KEY = re.compile(r"""\s*["']?([A-Za-z0-9_-]+)["']?\s*=""")

Address = tuple[str, int, str]
"""Where a key stands: section, its number among those of the same name, key."""


class ConfigError(ValueError):
    """The file cannot be meant as it stands: `file:line: what was found; what to do`."""


def load(path: Path) -> TableWiring:
    """Read the wiring from a file.

    :raises ConfigError: if the file cannot be read or meant; the sentence names file and line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"{path}: the file cannot be read ({reason}); check the path") from None
    return parse(text, str(path))


def parse(text: str, file: str = "table.toml") -> TableWiring:
    """Read the wiring from the text of a file called `file`.

    :raises ConfigError: if it cannot be meant; the sentence names file and line.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        place = line[1] if line else str(text.count("\n") + 1)
        raise ConfigError(f"{file}:{place}: this is not TOML ({error}); compare it with the example") from None
    return _Reading(file, content, _lines(text)).table()


def _lines(text: str) -> dict[Address, int]:
    """Find the line of every section and key; TOML parsers do not tell."""
    lines: dict[Address, int] = {}
    seen: dict[str, int] = {}
    section, number = "", 0
    for line, content in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(content):
            section = header[1]
            number = seen.get(section, -1) + 1
            seen[section] = number
            lines[section, number, ""] = line
        elif key := _KEY.match(content):
            lines.setdefault((section, number, key[1]), line)
    return lines


class _Reading:
    """One reading of one file: keeps who owns which pin."""

    def __init__(self, file: str, content: dict[str, object], lines: dict[Address, int]) -> None:
        self._file, self._content, self._lines = file, content, lines
        self._inputs: dict[tuple[str, int], list[tuple[Input, str, int]]] = {}
        self._outputs: dict[tuple[str, int], tuple[str, int]] = {}

    def table(self) -> TableWiring:
        self._known("", 0, self._content)
        pins = self._content.get("pins", "auto")
        chosen = next((name for name in PIN_FACTORIES if name == pins), None)
        if chosen is None:
            raise self._error("", 0, "pins", f"pins = {pins!r}; choose one of {', '.join(PIN_FACTORIES)}")
        seats = self._content.get("seat", [])
        if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
            raise self._error("seat", 0, "", "a seat is written [[seat]], with two brackets, once for each place")
        if len(seats) > MAX_SEATS:
            raise self._error("seat", MAX_SEATS, "", f"{len(seats)} seats; a table has at most {MAX_SEATS}")
        places = tuple(self._seat(number, seat) for number, seat in enumerate(seats))
        buzzer = self._output("", 0, "buzzer", self._content["buzzer"]) if "buzzer" in self._content else None
        dock = self._dock(self._content["dock"]) if "dock" in self._content else None
        wiring = TableWiring(chosen, places, buzzer, dock)
        self._check_docks(dock)
        return wiring

    def _seat(self, number: int, seat: dict[str, object]) -> SeatWiring:
        self._known("seat", number, seat)
        buttons = tuple((name, self._input(number, name, seat[name])) for name in FUNCTIONS if name in seat)
        lamp = self._output("seat", number, "lamp", seat["lamp"]) if "lamp" in seat else None
        return SeatWiring(buttons, lamp)

    def _dock(self, dock: object) -> DockWiring:
        if not isinstance(dock, dict):
            raise self._error("", 0, "dock", "the dock is a section of its own; write [dock] and its keys below")
        self._known("dock", 0, dock)
        port, unique_id, faces = dock.get("port"), dock.get("id", ""), dock.get("faces", list(DockWiring("").faces))
        if not isinstance(port, str) or not (port.startswith("/") or re.fullmatch(r"usb(-path)?:\S+", port)):
            found = "no port" if port is None else f"port = {port!r}"
            key = "" if port is None else "port"
            raise self._error(
                "dock", 0, key, f'{found}; write "usb:" and the serial number, or a path as "/dev/ttyACM0"'
            )
        if not isinstance(unique_id, str):
            raise self._error("dock", 0, "id", f"id = {unique_id!r}; write the dock's unique id in quotes")
        named = isinstance(faces, list) and all(isinstance(face, str) and face for face in faces)
        if not named or not 2 <= len(faces) <= 255 or len(set(faces)) != len(faces):
            raise self._error("dock", 0, "faces", 'write the faces of a die as different texts, as ["1", "2", "3"]')
        return DockWiring(port, unique_id, tuple(faces))

    def _input(self, seat: int, name: str, words: object) -> Input:
        try:
            place = parse_input(self._text("seat", seat, name, words))
        except WordsError as error:
            raise self._error("seat", seat, name, str(error)) from None
        line = self._line("seat", seat, name)
        for other, owner, where in self._inputs.get((place.where, place.number), []):
            pin = _pin(place.where, place.number)
            if other.gesture == place.gesture:
                remedy = 'use another one, or add "long" or "double" to one of them'
                raise self._error("seat", seat, name, f"{pin} belongs to {owner} already (line {where}); {remedy}")
            if (other.pull, other.active_high) != (place.pull, place.active_high):
                says = f"{pin} is wired in another way for {owner} (line {where}); one button has one wiring"
                raise self._error("seat", seat, name, says)
        if place.where == "gpio" and (taken := self._outputs.get((place.where, place.number))):
            raise self._taken("seat", seat, name, place.number, taken)
        self._inputs.setdefault((place.where, place.number), []).append((place, f'"{name}" of seat {seat + 1}', line))
        return place

    def _output(self, section: str, number: int, name: str, words: object) -> Output:
        try:
            place = parse_output(self._text(section, number, name, words))
        except WordsError as error:
            raise self._error(section, number, name, str(error)) from None
        taken = self._outputs.get((place.where, place.number))
        if taken is None and place.where == "gpio" and (inputs := self._inputs.get(("gpio", place.number))):
            _, owner, line = inputs[0]
            taken = (owner, line)
        if taken:
            raise self._taken(section, number, name, place.number, taken, place.where)
        owner = f'"{name}" of seat {number + 1}' if section else f'"{name}"'
        self._outputs[place.where, place.number] = (owner, self._line(section, number, name))
        return place

    def _check_docks(self, dock: DockWiring | None) -> None:
        lines = [line for (where, _), (_, line) in self._outputs.items() if where == "dock"]
        lines += [line for (where, _), users in self._inputs.items() if where == "dock" for _, _, line in users]
        if lines and dock is None:
            raise ConfigError(
                f'{self._file}:{min(lines)}: a part of the dock, but no [dock] section; add one with its "port"'
            )

    def _known(self, section: str, number: int, table: dict[str, object]) -> None:
        for key in table:
            if key not in _KEYS[section]:
                close = difflib.get_close_matches(key, _KEYS[section], n=1)
                hint = f'did you mean "{close[0]}"?' if close else f"known are {', '.join(_KEYS[section])}"
                inside = f" in [{section}]" if section else ""
                # A section that is not known has a line of its own.
                where: Address = (key, 0, "") if (key, 0, "") in self._lines else (section, number, key)
                raise self._error(*where, f'unknown key "{key}"{inside}; {hint}')

    def _text(self, section: str, number: int, key: str, words: object) -> str:
        if not isinstance(words, str):
            raise self._error(section, number, key, f'{key} = {words!r}; write its place in quotes, as "gpio:16"')
        return words

    def _taken(
        self, section: str, number: int, key: str, pin: int, taken: tuple[str, int], where: str = "gpio"
    ) -> ConfigError:
        owner, line = taken
        says = f"{_pin(where, pin)} belongs to {owner} already (line {line}); use another one"
        return self._error(section, number, key, says)

    def _line(self, section: str, number: int, key: str) -> int:
        return self._lines.get((section, number, key)) or self._lines.get((section, number, ""), 1)

    def _error(self, section: str, number: int, key: str, says: str) -> ConfigError:
        return ConfigError(f"{self._file}:{self._line(section, number, key)}: {says}")


def _pin(where: str, number: int) -> str:
    return f"GPIO{number}" if where == "gpio" else f"dock:{number}"
