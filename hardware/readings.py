"""What the dock's reports mean at this table: pure, shared by the live port and by recordings."""

from __future__ import annotations

import logging

from companion.table.observation import DiceSeen, Observation, Press
from hardware.link import Lost, Report
from hardware.messages import ButtonPressed, DieRolled, Event, Gesture, Welcome
from hardware.wiring import DockWiring, Function, TableWiring

NAME = "dock"

_log = logging.getLogger(__name__)


class DockReadings:
    """Turns reports into observations by the table's wiring. `note` says what could not be used, and why."""

    def __init__(self, wiring: TableWiring) -> None:
        self.note = ""
        self._wiring = wiring.dock or DockWiring("")
        self._meanings: dict[tuple[int, Gesture], tuple[int, Function]] = {
            (place.number, place.gesture): (seat, function)
            for seat, seat_wiring in enumerate(wiring.seats)
            for function, place in seat_wiring.buttons
            if place.where == "dock"
        }
        lamps = [seat.lamp.number for seat in wiring.seats if seat.lamp is not None and seat.lamp.where == "dock"]
        if wiring.buzzer is not None and wiring.buzzer.where == "dock":
            lamps.append(wiring.buzzer.number)
        self._lamps = max(lamps, default=-1) + 1
        self._buttons = max((number for number, _ in self._meanings), default=-1) + 1
        self._unique_id = ""

    def read(self, report: Report, now: float) -> Observation | None:
        """Return what the table shall hear of one report, received at `now` seconds."""
        if isinstance(report, Welcome):
            self._greet(report)
        elif isinstance(report, Lost):
            self.note = f"The dock had to forget {report.count} presses or rolls while nobody listened; repeat them."
            _log.warning("%s", self.note)
        elif isinstance(report, Event):
            at = now - report.age / 1000
            evidence = f"dock {self._unique_id} boot {report.boot_id:08x} event {report.number}"
            if isinstance(report.what, DieRolled):
                return self._dice(report.what, at, evidence)
            return self._button(report.what, at, evidence)
        return None

    def _greet(self, welcome: Welcome) -> None:
        self._unique_id = welcome.unique_id
        self.note = ""
        for what, has, wired in (("button", welcome.buttons, self._buttons), ("lamp", welcome.lamps, self._lamps)):
            if wired > has:
                self.note = (
                    f"The wiring file names dock:{wired - 1} as a {what}, but this dock has {has}, counted from 0; "
                    "correct the file."
                )
                _log.warning("%s", self.note)
        _log.info("dock %s (%s, boot %08x)", welcome.unique_id, welcome.firmware, welcome.boot_id)

    def _dice(self, roll: DieRolled, at: float, evidence: str) -> Observation | None:
        faces = self._wiring.faces
        if wrong := [face for face in roll.faces if face > len(faces)]:
            self.note = (
                f"The tray reported face {wrong[0]}, but a die of this table has {len(faces)}; "
                'roll again, or correct "faces" in the wiring file.'
            )
            _log.warning("%s (%s)", self.note, evidence)
            return None
        self.note = ""
        names = tuple(faces[face - 1] for face in roll.faces)
        _log.info("rolled %s (%s)", " ".join(names), evidence)
        return DiceSeen(NAME, at, names, 1.0, evidence)

    def _button(self, press: ButtonPressed, at: float, evidence: str) -> Observation | None:
        meaning = self._meanings.get((press.button, press.gesture))
        if meaning is None:
            _log.info("dock:%d %s has no meaning at this table (%s)", press.button, press.gesture, evidence)
            return None
        seat, function = meaning
        _log.info("seat %d: %s (dock:%d, %s)", seat + 1, function, press.button, press.gesture)
        return Press(NAME, at, seat, function, evidence)
