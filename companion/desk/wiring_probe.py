"""The electronics while they are being wired: every pin and the dock are listened to, lamps are tried."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import msgspec

from companion.desk.wiring_plan import LETTERS, Place
from companion.presenters.wiring import TrackPlaceModel
from companion.table.observation import Observation
from hardware.devices import PinError, TurnLamp
from hardware.inspection import InputState
from hardware.live import LiveInputs, scout
from hardware.messages import Mode
from hardware.serial_link import SerialLink
from hardware.wiring import DockWiring, Output, PinsName

if TYPE_CHECKING:
    from hardware.boards import PinFactory

PLACE = "dock place "


class Probe:
    """Listens to whatever may be a button and lights whatever may be a lamp; nothing runs before `listen`."""

    def __init__(self, factory: PinFactory | None, hear: Callable[[Observation], None]) -> None:
        """Take the pins over, None if there are none; `hear` is called in the thread of whoever saw something."""
        self._factory, self._hear = factory, hear
        self._lamps: dict[Place, TurnLamp] = {}
        self._live: LiveInputs | None = None
        self._link: SerialLink | None = None

    def listen(self, pins: PinsName, dock: DockWiring | None, taken: Collection[int]) -> None:
        """Listen to every pin but the `taken` ones, and to a dock, in place of what was listened to before."""
        if self._live is not None:
            self._live.stop()
        if dock is not None:
            dock = msgspec.structs.replace(dock, markers=dock.markers or tuple(LETTERS))
        witnesses = scout(pins, dock, taken if self._factory is not None else range(64), self._factory)
        self._link = next((each for each in witnesses if isinstance(each, SerialLink)), None)
        self._live = LiveInputs(witnesses, self._hear)
        self._live.start()

    def close(self) -> None:
        """Let the lamps go dark, and give pins and port back."""
        self.light(())
        if self._live is not None:
            self._live.stop()
        if self._factory is not None:
            self._factory.close()

    @property
    def dock_lamps(self) -> int:
        """How many lamps the dock has; none while it does not answer."""
        return self._link.lamps if self._link is not None else 0

    @property
    def dock_trouble(self) -> str:
        """Why the dock cannot be heard, in a sentence; empty if it can, or if there is none."""
        dock = self._live.health().get("dock") if self._live is not None else None
        return dock.says if dock is not None and dock.state in ("waiting", "failed") else ""

    def closed(self) -> set[str]:
        """Return where contacts are closed right now, as the wiring file says it."""
        return {state.where for state in self._inputs() if state.state == "closed"}

    def track(self) -> tuple[TrackPlaceModel, ...]:
        """Return the places of the dock's track, live."""
        places = [state for state in self._inputs() if state.name.startswith(PLACE)]
        return tuple(
            TrackPlaceModel(
                number,
                "" if state.state.startswith("empty") else state.state.split(",")[0],
                f"{state.where}, {state.state.split(', ', 1)[1]}",
            )
            for number, state in enumerate(places, start=1)
        )

    def light(self, places: Collection[Place], mode: Mode = "on") -> str:
        """Light the lamps at `places` and no other; return a sentence why one of them cannot be lit."""
        for place in [place for place in self._lamps if place not in places]:
            self._lamps.pop(place).close()
        for place in places:
            if place[0] == "gpio" and place not in self._lamps and self._factory is not None:
                try:
                    self._lamps[place] = TurnLamp(Output(*place), self._factory)
                except PinError as error:
                    return str(error)
                self._lamps[place].show(mode)
        if self._link is not None:
            shown: list[Mode] = [mode if ("dock", number) in places else "off" for number in range(self.dock_lamps)]
            self._link.light(tuple(shown))
        return ""

    def _inputs(self) -> list[InputState]:
        return self._live.inputs() if self._live is not None else []
