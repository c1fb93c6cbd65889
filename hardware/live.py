"""The inputs of a table while it is being wired: what each says now, what was heard, how everything does."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import msgspec
from serial.tools import list_ports

from companion.table.observation import Observation, Press
from companion.table.ports import Health, Keeper, Observe, Witness
from hardware.assembly import assemble
from hardware.inspection import InputState, Inspected
from hardware.serial_link import SerialLink
from hardware.wiring import DockWiring, Input, PinsName, SeatWiring, TableWiring, Where
from hardware.words import DOCK_PARTS, HEADER_PINS

if TYPE_CHECKING:
    from hardware.boards import PinFactory

KEPT = 50


class LiveInputs:
    """Witnesses that are listened to by nobody but whoever wires the table. Not started before `start`."""

    def __init__(self, witnesses: Sequence[Witness], observe: Observe | None = None) -> None:
        """Take witnesses; `observe` hears everything too, in whatever thread it comes from."""
        self._witnesses = tuple(witnesses)
        self._observe = observe
        self._lock = threading.Lock()
        self._heard: deque[Observation] = deque(maxlen=KEPT)

    def start(self) -> None:
        """Claim the pins, open the ports."""
        for witness in self._witnesses:
            witness.start(self._take)

    def stop(self) -> None:
        """Give everything back. Calling it twice is allowed."""
        for witness in self._witnesses:
            witness.stop()

    def inputs(self) -> list[InputState]:
        """Return what every input says at this moment."""
        return [state for witness in self._witnesses if isinstance(witness, Inspected) for state in witness.inputs()]

    def heard(self) -> list[Observation]:
        """Return the last things that were heard, oldest first."""
        with self._lock:
            return list(self._heard)

    def health(self) -> dict[str, Health]:
        """Say how every witness is doing, by name."""
        return {witness.name: witness.health() for witness in self._witnesses}

    def _take(self, observation: Observation) -> None:
        with self._lock:
            self._heard.append(observation)
        for witness in self._witnesses:
            # Nothing is ever written down here, so nothing has to be kept.
            if isinstance(witness, Keeper) and witness.name == observation.witness:
                witness.settled(observation)
        if self._observe is not None:
            self._observe(observation)


def plugged_in() -> list[tuple[str, str]]:
    """Return the serial ports that a dock may hang on: how the wiring file names each, and what it says it is."""
    found = []
    for port in sorted(list_ports.comports()):
        if port.serial_number or port.location:
            name = f"usb:{port.serial_number}" if port.serial_number else f"usb-path:{port.location}"
            found.append((name, port.product or port.description or ""))
    return found


def scout(
    pins: PinsName, dock: DockWiring | None = None, taken: Collection[int] = (), factory: PinFactory | None = None
) -> tuple[Witness, ...]:
    """Return witnesses of every pin but the `taken` ones and of every button of the dock: whoever presses one finds it.

    It is the wiring of a table on which each pin is a seat of its own, watched as any other. All pins are
    inputs with a pull-up resistor, which harms nothing that may hang on them; what another program uses
    is left alone.
    """
    seats = {pin: Input("gpio", pin) for pin in HEADER_PINS if pin not in taken}
    parts = {HEADER_PINS.stop + part: Input("dock", part) for part in DOCK_PARTS} if dock is not None else {}
    places = seats | parts
    wired = tuple(
        SeatWiring((("done", places[seat]),) if seat in places else ()) for seat in range(max(places, default=-1) + 1)
    )
    wiring = TableWiring(pins, wired, dock=dock)
    witnesses = assemble(msgspec.structs.replace(wiring, dock=None), factory).witnesses
    return witnesses if dock is None else (SerialLink(wiring, sounding=True, patient=True), *witnesses)


def place_of(press: Press) -> tuple[Where, int]:
    """Return where the button hangs whose press a scout observed."""
    seat = press.seat or 0
    return ("gpio", seat) if seat < HEADER_PINS.stop else ("dock", seat - HEADER_PINS.stop)
