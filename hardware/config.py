"""Reads the one TOML file that says how a table is wired.

    pins = "auto"                      # or "lgpio", "gpiod", "mock"
    buzzer = "gpio:18"
    knob = "gpio:5 gpio:6"             # a rotary encoder: contacts A and B
    dock = "usb:DOCK-0042"             # or a section of its own, see below
    dice = ["pixels:Red", "godice:GoDice_7A31", "usb:TOWER-7"]

    [[seat]]
    button = "gpio:16 pull-up"         # pressed: done; held: undo
    lamp = "gpio:17"

    [[seat]]
    done = "gpio:20 pull-up"           # or every function by itself
    undo = "gpio:21 long"

    [dock]
    port = "usb:DOCK-0042"             # the USB serial number; or "usb-path:1-1.2", or a path
    faces = ["1", "2", "3", "4", "5", "6"]
    markers = ["A", "B", "C", "D"]     # the names of the markers with the codes 1, 2, 3, 4

    [track]                            # a track of hall or reed sensors on the pins
    places = ["gpio:22 gpio:23", "gpio:24 gpio:25", "gpio:26 gpio:27"]
    markers = ["A", "B", "C"]

Whatever cannot be meant is one sentence with file, line and remedy; nothing is half read.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeGuard, get_args

import msgspec

from hardware.owners import Owners
from hardware.toml_lines import Lines
from hardware.wiring import (
    FUNCTIONS,
    SIX_FACES,
    Buttons,
    DiceWiring,
    DockWiring,
    Function,
    Input,
    KnobWiring,
    Output,
    PinsName,
    Pull,
    SeatWiring,
    TableWiring,
    TrackWiring,
)
from hardware.words import WordsError, parse_die, parse_input, parse_knob, parse_output, parse_sensors

PIN_FACTORIES: tuple[PinsName, ...] = get_args(PinsName)
MAX_SEATS = 8
MAX_PLACES, MAX_MARKERS, MAX_DICE = 12, 31, 12
BUTTON = "button"
"""One button for a seat: pressed it is `done`, held it is `undo`."""
_KEYS = {
    "": ("pins", *FUNCTIONS, BUTTON, "knob", "buzzer", "seat", "dock", "track", "dice"),
    "seat": (*FUNCTIONS, BUTTON, "lamp"),
    "dock": ("port", "id", "faces", "markers"),
    "track": ("places", "markers", "pull"),
    "dice": ("use", "faces"),
}
_PORT = re.compile(r"/.*|usb(-path)?:\S+")

Table = dict[str, object]


class ConfigError(ValueError):
    """The file cannot be meant as it stands: `file:line: what was found; what to do`."""


def load(path: Path) -> TableWiring:
    """Read the wiring from a file.

    :raises ConfigError: if the file cannot be read or meant; the sentence names file and line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
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
    except (ValueError, RecursionError):
        # The parser's own limits: a number of thousands of digits, thousands of open brackets.
        says = "a number or a list in it is too long to be read; compare it with the example"
        raise ConfigError(f"{file}:1: {says}") from None
    return _Reading(file, content, Lines(text)).table()


class _Reading:
    """One reading of one file."""

    def __init__(self, file: str, content: Table, lines: Lines) -> None:
        self._file, self._content, self._lines = file, content, lines
        self._owners = Owners()

    def table(self) -> TableWiring:
        top = self._content
        self._known("", 0, top)
        pins = top.get("pins", "auto")
        chosen = next((name for name in PIN_FACTORIES if name == pins), None)
        if chosen is None:
            raise self._error("", 0, "pins", f"pins = {pins!r}; choose one of {', '.join(PIN_FACTORIES)}")
        seats = top.get("seat", [])
        if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
            raise self._error("seat", 0, "", "a seat is written [[seat]], with two brackets, once for each place")
        if len(seats) > MAX_SEATS:
            raise self._error("seat", MAX_SEATS, "", f"{len(seats)} seats; a table has at most {MAX_SEATS}")
        buttons = self._buttons("", 0, top)
        places = tuple(self._seat(number, seat) for number, seat in enumerate(seats))
        buzzer = self._output("", 0, "buzzer", top["buzzer"]) if "buzzer" in top else None
        knob = self._knob(top["knob"]) if "knob" in top else None
        track = self._track(top["track"]) if "track" in top else None
        dock = self._dock(top["dock"]) if "dock" in top else None
        dice = self._dice(top["dice"], dock) if "dice" in top else None
        if dock is None and (lines := self._owners.dock_lines()):
            says = 'a part of the dock, but no [dock] section; add one with its "port"'
            raise ConfigError(f"{self._file}:{min(lines)}: {says}")
        return TableWiring(chosen, places, buzzer, dock, buttons, knob, track, dice)

    # -- buttons, lamps, knob --------------------------------------------------------------------------

    def _seat(self, number: int, seat: Table) -> SeatWiring:
        self._known("seat", number, seat)
        lamp = self._output("seat", number, "lamp", seat["lamp"]) if "lamp" in seat else None
        return SeatWiring(self._buttons("seat", number, seat), lamp)

    def _buttons(self, section: str, number: int, table: Table) -> Buttons:
        found: list[tuple[Function, Input]] = []
        if BUTTON in table:
            with self._reading(section, number, BUTTON):
                pressed = parse_input(self._text(BUTTON, table[BUTTON]))
                if pressed.gesture != "short":
                    raise WordsError(f'"{BUTTON}" is pressed for done and held for undo; leave out "{pressed.gesture}"')
                held = msgspec.structs.replace(pressed, gesture="long")
            found += [
                ("done", self._owned(section, number, BUTTON, pressed)),
                ("undo", self._owned(section, number, BUTTON, held)),
            ]
        for name in FUNCTIONS:
            if name in table:
                with self._reading(section, number, name):
                    place = parse_input(self._text(name, table[name]))
                found.append((name, self._owned(section, number, name, place)))
        return tuple(found)

    def _owned(self, section: str, number: int, key: str, place: Input) -> Input:
        with self._reading(section, number, key):
            line = self._lines.at(section, number, key)
            self._owners.take_input(place, _owner(section, number, key), line)
        return place

    def _output(self, section: str, number: int, key: str, words: object) -> Output:
        with self._reading(section, number, key):
            place = parse_output(self._text(key, words))
            self._owners.take_output(place, _owner(section, number, key), self._lines.at(section, number, key))
        return place

    def _knob(self, words: object) -> KnobWiring:
        with self._reading("", 0, "knob"):
            knob = parse_knob(self._text("knob", words))
            self._take_pins((knob.a, knob.b), "", "knob")
        return knob

    # -- track, dock, dice -----------------------------------------------------------------------------

    def _track(self, track: object) -> TrackWiring:
        if not isinstance(track, dict):
            raise self._error("", 0, "track", "the track is a section of its own; write [track] and its keys below")
        self._known("track", 0, track)
        places, wanted = track.get("places"), track.get("pull", "up")
        if not isinstance(places, list) or not 2 <= len(places) <= MAX_PLACES:
            says = f'write the sensors of 2 to {MAX_PLACES} places, as ["gpio:22 gpio:23", "gpio:24 gpio:25"]'
            raise self._error("track", 0, "places", says)
        pull: Pull | None = "up" if wanted == "up" else "down" if wanted == "down" else None
        if pull is None:
            raise self._error("track", 0, "pull", f'pull = {wanted!r}; write "up" (sensors to ground) or "down"')
        with self._reading("track", 0, "places"):
            sensors = tuple(parse_sensors(self._text("places", words), pull) for words in places)
            self._take_pins([pin for pins in sensors for pin in pins], "track", "places")
        markers = self._markers("track", track)
        if not markers:
            raise self._error("track", 0, "", 'name the markers, as markers = ["A", "B", "C"]')
        needed = len(markers).bit_length()
        if (fewest := min(map(len, sensors))) < needed:
            says = f"{len(markers)} markers need {needed} sensors in every place; one has {fewest}"
            raise self._error("track", 0, "places", says)
        return TrackWiring(sensors, markers, pull)

    def _dock(self, dock: object) -> DockWiring:
        table: Table = dock if isinstance(dock, dict) else {"port": dock}
        section, key = ("dock", "port" if "port" in table else "") if isinstance(dock, dict) else ("", "dock")
        self._known("dock", 0, table)
        port, unique_id = table.get("port"), table.get("id", "")
        if not isinstance(port, str) or not _PORT.fullmatch(port):
            found = "no port" if port is None else f"port = {port!r}"
            says = f'{found}; write "usb:" and the serial number, or a path as "/dev/ttyACM0"'
            raise self._error(section, 0, key, says)
        if not isinstance(unique_id, str):
            raise self._error("dock", 0, "id", f"id = {unique_id!r}; write the dock's unique id in quotes")
        return DockWiring(port, unique_id, self._faces("dock", table), self._markers("dock", table))

    def _dice(self, dice: object, dock: DockWiring | None) -> DiceWiring:
        table: Table = dice if isinstance(dice, dict) else {"use": dice}
        section, key = ("dice", "use" if "use" in table else "") if isinstance(dice, dict) else ("", "dice")
        self._known("dice", 0, table)
        use = table.get("use")
        words = [use] if isinstance(use, str) else use
        if not isinstance(words, list) or not 1 <= len(words) <= MAX_DICE:
            says = f'name 1 to {MAX_DICE} dice, as "pixels:Red" or ["pixels:Red", "usb:TOWER-7"]'
            raise self._error(section, 0, key, says)
        with self._reading(section, 0, key):
            found = tuple(parse_die(self._text("a die", each, "pixels:Red")) for each in words)
            if twice := next((die for die in found if found.count(die) > 1), None):
                raise WordsError(f'the die "{twice.where}" is named twice; name each die once')
            if dock is not None and any(die.where == dock.port for die in found if die.kind == "serial"):
                raise WordsError(f'"{dock.port}" is the port of the dock already; its own dice need no line here')
        return DiceWiring(found, self._faces("dice", table))

    def _faces(self, section: str, table: Table) -> tuple[str, ...]:
        faces = table.get("faces", list(SIX_FACES))
        if not _are_names(faces) or not 2 <= len(faces) <= 255:
            raise self._error(section, 0, "faces", 'write the faces of a die as different texts, as ["1", "2", "3"]')
        return tuple(faces)

    def _markers(self, section: str, table: Table) -> tuple[str, ...]:
        markers = table.get("markers", [])
        if not _are_names(markers) or len(markers) > MAX_MARKERS:
            says = f'write up to {MAX_MARKERS} different names, that of code 1 first, as ["A", "B", "C"]'
            raise self._error(section, 0, "markers", says)
        return tuple(markers)

    # -- what is common to all -------------------------------------------------------------------------

    def _take_pins(self, pins: Iterable[int], section: str, key: str) -> None:
        for pin in pins:
            self._owners.take_pin(pin, _owner(section, 0, key), self._lines.at(section, 0, key))

    def _known(self, section: str, number: int, table: Table) -> None:
        for key in table:
            if key not in _KEYS[section]:
                close = difflib.get_close_matches(key, _KEYS[section], n=1)
                hint = f'did you mean "{close[0]}"?' if close else f"known are {', '.join(_KEYS[section])}"
                inside = f" in [{section}]" if section else ""
                # A section that is not known has a line of its own.
                where = (key, 0, "") if not section and self._lines.has_section(key) else (section, number, key)
                raise self._error(*where, f'unknown key "{key}"{inside}; {hint}')

    @staticmethod
    def _text(key: str, words: object, example: str = "gpio:16") -> str:
        if not isinstance(words, str):
            raise WordsError(f'{key} = {words!r}; write its place in quotes, as "{example}"')
        return words

    @contextmanager
    def _reading(self, section: str, number: int, key: str) -> Iterator[None]:
        """Give whatever is wrong with a key's words the line of the key."""
        try:
            yield
        except WordsError as error:
            raise self._error(section, number, key, str(error)) from None

    def _error(self, section: str, number: int, key: str, says: str) -> ConfigError:
        return ConfigError(f"{self._file}:{self._lines.at(section, number, key)}: {says}")


def _owner(section: str, number: int, key: str) -> str:
    return f'"{key}" of seat {number + 1}' if section == "seat" else f'"{key}"'


def _are_names(names: object) -> TypeGuard[list[str]]:
    """Return whether these are different texts, none of them empty."""
    return isinstance(names, list) and all(isinstance(n, str) and n for n in names) and len(set(names)) == len(names)
