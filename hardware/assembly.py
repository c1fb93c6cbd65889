"""Puts a wired table's electronics together: the witnesses and markers that its wiring asks for."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion.table.ports import Health, Marker, Observe, Witness
from hardware.boards import BoardError, open_pins
from hardware.dice.witness import SmartDice
from hardware.markers import LampMarker
from hardware.sensor_track import SensorTrack
from hardware.serial_link import SerialLink
from hardware.wiring import TableWiring
from hardware.witness import ButtonWitness

if TYPE_CHECKING:
    from hardware.boards import PinFactory

_log = logging.getLogger(__name__)


class MissingPins:
    """A witness in place of the buttons where the pins cannot be had: answers nothing, says why."""

    name = "pins"

    def __init__(self, says: str) -> None:
        self._says = says

    def start(self, observe: Observe) -> None:
        """Do nothing: there is nothing to watch."""

    def stop(self) -> None:
        """Do nothing: there is nothing to give back."""

    def health(self) -> Health:
        """Say what is missing and what to do."""
        return Health("failed", self._says)


class Electronics(msgspec.Struct, frozen=True):
    """What to start, to show on, and to stop: markers first, so that the dock hears that they go dark."""

    witnesses: tuple[Witness, ...] = ()
    markers: tuple[Marker, ...] = ()


def assemble(wiring: TableWiring, factory: PinFactory | None = None, flights: Path | None = None) -> Electronics:
    """Build, but do not start, what `wiring` asks for; on `factory`, or on the pins that it names.

    What travels on the dock's line is written into the folder `flights` when there is trouble.
    Pins that cannot be had are told by the health of what is wired to them; the rest goes on without.
    """
    witnesses: list[Witness] = []
    markers: list[Marker] = []
    dock = SerialLink(wiring, flights=flights, patient=True) if wiring.dock is not None else None
    if dock is not None:
        witnesses.append(dock)
    if wiring.dice is not None:
        witnesses.append(SmartDice(wiring.dice))
    if wiring.uses_pins and factory is None:
        try:
            factory = open_pins(wiring.pins)
        except BoardError as error:
            _log.error("%s", error)
            witnesses.append(MissingPins(str(error)))
            wiring = wiring.without_pins()
    if factory is not None:
        has_buttons = any(place.where == "gpio" for _, _, place in wiring.all_buttons)
        if has_buttons or wiring.knob is not None:
            witnesses.append(ButtonWitness(wiring, factory))
        if wiring.track is not None:
            witnesses.append(SensorTrack(wiring.track, factory))
    if wiring.buzzer is not None or any(seat.lamp is not None for seat in wiring.seats):
        markers.append(LampMarker(wiring, factory, dock.light if dock is not None else None))
    return Electronics(tuple(witnesses), tuple(markers))
