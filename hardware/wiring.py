"""How a table is wired: which button, lamp, knob, track and die is where. Plain records.

`hardware/words.py` reads the words in which they are written, as `gpio:16 pull-up`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

import msgspec

from hardware.encoder import PerStep
from hardware.messages import Gesture

Function = Literal["done", "undo", "yes", "no"]
FUNCTIONS: tuple[Function, ...] = get_args(Function)
Pull = Literal["up", "down", "floating"]
Where = Literal["gpio", "dock"]
PinsName = Literal["auto", "lgpio", "gpiod", "mock"]
DieKind = Literal["pixels", "godice", "serial"]

SIX_FACES = ("1", "2", "3", "4", "5", "6")


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


Buttons = tuple[tuple[Function, Input], ...]


class SeatWiring(msgspec.Struct, frozen=True):
    """What a seat has: its buttons by function, and its lamp."""

    buttons: Buttons = ()
    lamp: Output | None = None


class KnobWiring(msgspec.Struct, frozen=True):
    """The pins of a rotary encoder's contacts; `a` closes first when it is turned clockwise."""

    a: int
    b: int
    pull: Pull = "up"
    per_step: PerStep = 4


class TrackWiring(msgspec.Struct, frozen=True):
    """A turn track wired to the computer's own pins.

    `places` has the pins of each place's sensors (hall or reed switches), first place first. The sensors
    of a place read a code in binary, the first one counting 1; `markers` names them, code 1 first.
    """

    places: tuple[tuple[int, ...], ...]
    markers: tuple[str, ...]
    pull: Pull = "up"


class DockWiring(msgspec.Struct, frozen=True):
    """Where the dock is (`usb:SERIAL`, `usb-path:SOCKET` or a device path) and who it must be.

    `faces` are those of the dice in its tray, `markers` the names of its markers, code 1 first.
    """

    port: str
    id: str = ""
    faces: tuple[str, ...] = SIX_FACES
    markers: tuple[str, ...] = ()


class DieAddress(msgspec.Struct, frozen=True):
    """A die that reports by itself: over Bluetooth by its name or address, or over a serial port."""

    kind: DieKind
    where: str


class DiceWiring(msgspec.Struct, frozen=True):
    """The dice that report by themselves, in the order in which their faces are told."""

    dice: tuple[DieAddress, ...]
    faces: tuple[str, ...] = SIX_FACES


class TableWiring(msgspec.Struct, frozen=True):
    """The whole table. `pins` names the pin factory; `buttons` are those that belong to no seat."""

    pins: PinsName = "auto"
    seats: tuple[SeatWiring, ...] = ()
    buzzer: Output | None = None
    dock: DockWiring | None = None
    buttons: Buttons = ()
    knob: KnobWiring | None = None
    track: TrackWiring | None = None
    dice: DiceWiring | None = None

    @property
    def all_buttons(self) -> Iterator[tuple[int | None, Function, Input]]:
        """Every button with its seat, None for those of the whole table."""
        yield from ((None, function, place) for function, place in self.buttons)
        for seat, wiring in enumerate(self.seats):
            yield from ((seat, function, place) for function, place in wiring.buttons)

    @property
    def pins_in_use(self) -> frozenset[int]:
        """The computer's own pins that something hangs on."""
        outputs = (place for place in (self.buzzer, *(seat.lamp for seat in self.seats)) if place is not None)
        places: list[Input | Output] = [*(place for _, _, place in self.all_buttons), *outputs]
        knob = () if self.knob is None else (self.knob.a, self.knob.b)
        track = () if self.track is None else tuple(pin for pins in self.track.places for pin in pins)
        return frozenset((*(place.number for place in places if place.where == "gpio"), *knob, *track))

    @property
    def uses_pins(self) -> bool:
        """Whether anything hangs on the computer's own pins."""
        return bool(self.pins_in_use)

    def without_pins(self) -> TableWiring:
        """Return the wiring without what hangs on the computer's own pins."""
        seats = tuple(
            SeatWiring(
                _on_dock(seat.buttons), seat.lamp if seat.lamp is not None and seat.lamp.where == "dock" else None
            )
            for seat in self.seats
        )
        buzzer = self.buzzer if self.buzzer is not None and self.buzzer.where == "dock" else None
        return msgspec.structs.replace(
            self, seats=seats, buzzer=buzzer, buttons=_on_dock(self.buttons), knob=None, track=None
        )


def _on_dock(buttons: Buttons) -> Buttons:
    return tuple((name, place) for name, place in buttons if place.where == "dock")
