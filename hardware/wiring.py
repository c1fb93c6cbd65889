"""How a table is wired: which button and lamp of which seat hangs on which pin or dock.

Plain records and the words they are written in: `gpio:16 pull-up`, `gpio:17 active-low`, `dock:1 long`.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from hardware.messages import GESTURES, Gesture

Function = Literal["done", "undo", "yes", "no"]
FUNCTIONS: tuple[Function, ...] = get_args(Function)
Pull = Literal["up", "down", "floating"]
Where = Literal["gpio", "dock"]
PinsName = Literal["auto", "lgpio", "gpiod", "mock"]

HEADER_PINS = range(2, 28)
"""BCM numbers of the 40-pin header that are free to use (0 and 1 identify add-on boards)."""
FIXED_PULL_UP = (2, 3)
"""These have a pull-up resistor on the board (Raspberry Pi schematics)."""
DOCK_PARTS = range(32)


class WordsError(ValueError):
    """The words of one button or lamp cannot be read; says what was found, expected, and to do."""


class Input(msgspec.Struct, frozen=True):
    """Where a button hangs. `active_high` = the level rises when it is pressed."""

    where: Where
    number: int
    pull: Pull = "up"
    active_high: bool = False
    gesture: Gesture = "short"


class Output(msgspec.Struct, frozen=True):
    """Where a lamp or buzzer hangs. `active_high` = it is lit while the level is high."""

    where: Where
    number: int
    active_high: bool = True


class SeatWiring(msgspec.Struct, frozen=True):
    """What a seat has: its buttons by function, and its lamp."""

    buttons: tuple[tuple[Function, Input], ...] = ()
    lamp: Output | None = None


class DockWiring(msgspec.Struct, frozen=True):
    """Where the dock is (`usb:SERIAL` or a device path), who it must be, and the faces of its dice."""

    port: str
    id: str = ""
    faces: tuple[str, ...] = ("1", "2", "3", "4", "5", "6")


class TableWiring(msgspec.Struct, frozen=True):
    """The whole table. `pins` names the pin factory: auto, lgpio, gpiod or mock."""

    pins: PinsName = "auto"
    seats: tuple[SeatWiring, ...] = ()
    buzzer: Output | None = None
    dock: DockWiring | None = None

    @property
    def uses_pins(self) -> bool:
        """Whether anything hangs on the computer's own pins."""
        inputs = (place.where for seat in self.seats for _, place in seat.buttons)
        outputs = (place.where for place in (self.buzzer, *(seat.lamp for seat in self.seats)) if place is not None)
        return "gpio" in (*inputs, *outputs)

    def without_pins(self) -> TableWiring:
        """Return the wiring with only what hangs on the dock."""
        seats = tuple(
            SeatWiring(
                tuple((name, place) for name, place in seat.buttons if place.where == "dock"),
                seat.lamp if seat.lamp is not None and seat.lamp.where == "dock" else None,
            )
            for seat in self.seats
        )
        buzzer = self.buzzer if self.buzzer is not None and self.buzzer.where == "dock" else None
        return TableWiring(self.pins, seats, buzzer, self.dock)


def _place(words: str, what: str) -> tuple[Where, int, list[str]]:
    first, *rest = words.split() or [""]
    where, colon, digits = first.partition(":")
    if where not in ("gpio", "dock") or not colon or not (digits.isascii() and digits.isdigit()):
        raise WordsError(f'"{words}" is no place for a {what}; write "gpio:16" or "dock:0"')
    number = int(digits)
    if where == "gpio" and number not in HEADER_PINS:
        raise WordsError(
            f"GPIO{number} is not on the header; use the BCM numbers {HEADER_PINS[0]} to {HEADER_PINS[-1]}"
        )
    if where == "dock" and number not in DOCK_PARTS:
        raise WordsError(f"a dock has parts 0 to {DOCK_PARTS[-1]}, not {number}")
    return ("gpio" if where == "gpio" else "dock"), number, rest


def parse_input(words: str) -> Input:
    """Read a button's place, as `gpio:16 pull-up long`.

    :raises WordsError: if a word is not known or two of them contradict each other.
    """
    where, number, rest = _place(words, "button")
    pulls: dict[str, Pull] = {"pull-up": "up", "pull-down": "down", "floating": "floating"}
    pull: Pull | None = None
    active: bool | None = None
    gesture: Gesture | None = None
    for word in rest:
        if word in pulls and where == "gpio" and pull is None:
            pull = pulls[word]
        elif word in ("active-high", "active-low") and where == "gpio" and active is None:
            active = word == "active-high"
        elif word in GESTURES and gesture is None:
            gesture = next(known for known in GESTURES if known == word)
        else:
            known = ["pull-up", "pull-down", "floating", "active-high", "active-low"] if where == "gpio" else []
            raise WordsError(
                f'"{word}" in "{words}"; a {where} button takes one each of {", ".join([*known, *GESTURES])}'
            )
    pull = pull or "up"
    if pull == "floating" and active is None:
        raise WordsError(f'"{words}" floats; add active-high or active-low, the level while it is pressed')
    if pull != "floating" and active not in (None, pull == "down"):
        raise WordsError(
            f'"{words}" contradicts itself: with pull-{pull} the button is active-{_level(pull == "down")}'
        )
    if where == "gpio" and number in FIXED_PULL_UP and pull != "up":
        raise WordsError(f"GPIO{number} has a pull-up resistor on the board; write pull-up, or use another pin")
    return Input(where, number, pull, pull == "down" if active is None else active, gesture or "short")


def parse_output(words: str) -> Output:
    """Read a lamp's or buzzer's place, as `gpio:17 active-low`.

    :raises WordsError: if a word is not known.
    """
    where, number, rest = _place(words, "lamp")
    if rest == [] or (where == "gpio" and rest == ["active-high"]):
        return Output(where, number)
    if where == "gpio" and rest == ["active-low"]:
        return Output(where, number, active_high=False)
    takes = "active-high or active-low" if where == "gpio" else "no further word"
    raise WordsError(f'"{" ".join(rest)}" in "{words}"; a {where} lamp takes {takes}')


def _level(high: bool) -> str:
    return "high" if high else "low"
