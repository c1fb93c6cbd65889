"""Lamps and buzzer as a marker on the table's port: whose turn it is, who is asked, that something is wrong."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.table.ports import Health, Signal
from hardware.devices import Buzzer, PinError, TurnLamp
from hardware.messages import Mode
from hardware.wiring import TableWiring

if TYPE_CHECKING:
    from hardware.boards import PinFactory

ALARM_BEEPS = 2

_log = logging.getLogger(__name__)


def mode_of(seat: int, signal: Signal) -> Mode:
    """What the lamp of `seat` shows: hurry = look at the screen, blink = you are asked, on = your turn."""
    if signal.alarm:
        return "hurry"
    if signal.finished:
        return "off"
    if signal.asked == seat:
        return "blink"
    return "on" if signal.turn == seat else "off"


class LampMarker:
    """Shows the table's signal on the lamps of the seats, on pins or on the dock.

    `factory` may be None where no lamp hangs on a pin. `light_dock` takes the modes of the dock's lamps,
    lamp 0 first; it is given where a dock is wired.
    The pins are claimed at the first `show`.
    """

    name = "lamps"

    def __init__(
        self,
        wiring: TableWiring,
        factory: PinFactory | None,
        light_dock: Callable[[tuple[Mode, ...]], None] | None = None,
    ) -> None:
        self._wiring = wiring
        self._factory = factory
        self._light_dock = light_dock
        places = {seat: place.lamp for seat, place in enumerate(wiring.seats) if place.lamp is not None}
        self._pins = {seat: place for seat, place in places.items() if place.where == "gpio"}
        self._dock = {place.number: seat for seat, place in places.items() if place.where == "dock"}
        buzzer = wiring.buzzer
        self._dock_buzzer = buzzer.number if buzzer is not None and buzzer.where == "dock" else None
        self._lamps: dict[int, TurnLamp] = {}
        self._buzzer: Buzzer | None = None
        self._claimed = False
        self._problems: list[str] = []
        self._alarmed = False

    def show(self, signal: Signal) -> None:
        """Bring lamps and buzzer into the state the signal asks for; the same signal twice changes nothing."""
        if not self._claimed:
            self._claim()
        for seat, lamp in self._lamps.items():
            lamp.show(mode_of(seat, signal))
        if signal.alarm and not self._alarmed and self._buzzer is not None:
            self._buzzer.beep(ALARM_BEEPS)
        self._alarmed = signal.alarm
        if self._light_dock is not None:
            self._light_dock(self._dock_modes(signal))

    def stop(self) -> None:
        """Switch off and give every pin back."""
        for lamp in self._lamps.values():
            lamp.close()
        self._lamps.clear()
        if self._buzzer is not None:
            self._buzzer.close()
            self._buzzer = None
        if self._claimed and self._light_dock is not None:
            self._light_dock(self._dock_modes(Signal()))
        self._claimed = False

    def health(self) -> Health:
        """Say whether all lamps are there."""
        if self._problems:
            return Health("failed", " ".join(self._problems))
        return Health("ok") if self._claimed else Health("off", "The lamps have not been used yet.")

    def _claim(self) -> None:
        self._claimed, self._problems = True, []
        for seat, place in self._pins.items():
            try:
                self._lamps[seat] = TurnLamp(place, self._factory)
            except PinError as error:
                self._say(error)
        buzzer = self._wiring.buzzer
        if buzzer is not None and buzzer.where == "gpio":
            try:
                self._buzzer = Buzzer(buzzer, self._factory)
            except PinError as error:
                self._say(error)

    def _dock_modes(self, signal: Signal) -> tuple[Mode, ...]:
        modes: dict[int, Mode] = {number: mode_of(seat, signal) for number, seat in self._dock.items()}
        if self._dock_buzzer is not None:
            modes[self._dock_buzzer] = "blink" if signal.alarm else "off"
        return tuple(modes.get(number, "off") for number in range(max(modes, default=-1) + 1))

    def _say(self, error: PinError) -> None:
        self._problems.append(str(error))
        _log.error("%s", error)
