"""What the dock's reports mean at this table: pure, shared by the live port and by recordings."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from companion.table.observation import DiceSeen, MarkersSeen, Press
from hardware.inspection import InputState, contact
from hardware.link import Lost, Report
from hardware.messages import ButtonPressed, DieRolled, Event, Gesture, Slot, Snapshot, Tray, Welcome
from hardware.track import EQUAL_SCANS, Place, TrackWatch, name_of
from hardware.wiring import DockWiring, Function, TableWiring

NAME = "dock"
TRAY_SAYS: dict[Tray, str] = {
    "moving": "The dice are moving.",
    "cocked": "A die leans in the tray; tap the tray, or roll again.",
}
"""Why the dice in the tray do not count."""
HALL_LEVELS = range(119, 138)
"""The level of a hall sensor that no magnet is near. A place for resistor-coded markers shows it for marker 4
only, and 255 while it is empty."""
HALL_MARKERS = 2
"""The poles of a magnet that a linear hall sensor tells apart."""
Heard = Press | DiceSeen | MarkersSeen

_log = logging.getLogger(__name__)


class DockReadings:
    """Turns reports into observations by the table's wiring.

    Where it is `sounding`, the wiring names parts to find out whether the dock has them.
    """

    def __init__(self, wiring: TableWiring, *, sounding: bool = False) -> None:
        self._note = ""
        self._wiring = wiring.dock or DockWiring("")
        self._track = TrackWatch(NAME, self._wiring.markers) if self._wiring.markers else None
        self._tray_says = self._track_says = ""
        self._halls = False
        self._meanings: dict[tuple[int, Gesture], tuple[int | None, Function]] = {
            (place.number, place.gesture): (seat, function)
            for seat, function, place in wiring.all_buttons
            if place.where == "dock"
        }
        lamps = [seat.lamp.number for seat in wiring.seats if seat.lamp is not None and seat.lamp.where == "dock"]
        if wiring.buzzer is not None and wiring.buzzer.where == "dock":
            lamps.append(wiring.buzzer.number)
        self._lamps = max(lamps, default=-1) + 1
        self._buttons = 0 if sounding else max((number for number, _ in self._meanings), default=-1) + 1
        self._unique_id = ""

    @property
    def note(self) -> str:
        """What could not be used, and why; empty if all is well."""
        return self._note or self._track_says or (self._track.problem if self._track is not None else "")

    def read(self, report: Report, now: float) -> tuple[Heard, ...]:
        """Return what the table shall hear of one report, received at `now` seconds."""
        if isinstance(report, Welcome):
            self._greet(report)
        elif isinstance(report, Lost):
            self._note = f"The dock had to forget {report.count} presses or rolls while nobody listened; repeat them."
            _log.warning("%s", self._note)
        elif isinstance(report, Snapshot):
            return tuple(self._state(report, now))
        elif isinstance(report, Event):
            at = now - report.age / 1000
            evidence = f"dock {self._unique_id} boot {report.boot_id:08x} event {report.number}"
            heard = (
                self._dice(report.what, at, evidence)
                if isinstance(report.what, DieRolled)
                else self._button(report.what, at, evidence)
            )
            return () if heard is None else (heard,)
        return ()

    def inputs(self, welcome: Welcome | None, snapshot: Snapshot | None) -> list[InputState]:
        """Return what the dock's last snapshot says of each of its inputs."""
        if welcome is None or snapshot is None:
            return []
        buttons = [
            InputState(f"dock button {n}", f"dock:{n}", contact(bool(snapshot.pressed & (1 << n))))
            for n in range(welcome.buttons)
        ]
        tray = [InputState("dice tray", NAME, snapshot.tray)] if snapshot.tray != "absent" else []
        return [*buttons, *tray, *(self._place(n, slot) for n, slot in enumerate(snapshot.slots, start=1))]

    def _place(self, number: int, slot: Slot) -> InputState:
        name = name_of(self._wiring.markers, slot.marker) or "empty"
        scans = f"{slot.stable} scans" if slot.stable < 255 else "still"
        return InputState(f"dock place {number}", f"level {slot.level}", f"{name}, {scans}, {slot.changes} changes")

    def _state(self, snapshot: Snapshot, now: float) -> Iterator[Heard]:
        """Give what the dock's state says of its tray and its track, where that changed."""
        evidence = f"dock {self._unique_id} boot {snapshot.boot_id:08x} at {snapshot.uptime} ms"
        if (says := TRAY_SAYS.get(snapshot.tray, "")) != self._tray_says:
            self._tray_says = says
            yield DiceSeen(NAME, now, (), evidence=evidence, problem=says)
        if self._track is not None:
            if (says := self._too_many(snapshot)) != self._track_says:
                self._track_says = says
                yield MarkersSeen(NAME, now, (), settled=False, evidence=evidence, problem=says)
            if says:
                return
            places = [Place(slot.marker, slot.stable, slot.changes) for slot in snapshot.slots]
            if (seen := self._track.scan(places, now, evidence)) is not None:
                yield seen

    def _too_many(self, snapshot: Snapshot) -> str:
        """Say that hall sensors cannot tell so many markers apart, if that is what lies below the places."""
        named = len(self._wiring.markers)
        self._halls |= any(
            not slot.marker and slot.level in HALL_LEVELS and slot.stable > EQUAL_SCANS for slot in snapshot.slots
        )
        if named <= HALL_MARKERS or not self._halls:
            return ""
        return (
            f"The places of this dock are hall sensors, which tell {HALL_MARKERS} markers apart, and the wiring file "
            f"names {named}. Use resistor-coded markers for three and more."
        )

    def _greet(self, welcome: Welcome) -> None:
        self._unique_id = welcome.unique_id
        self._note, self._halls = "", False
        if self._track is not None:
            self._track.gap()
        for what, has, wired in (("button", welcome.buttons, self._buttons), ("lamp", welcome.lamps, self._lamps)):
            if wired > has:
                self._note = (
                    f"The wiring file names dock:{wired - 1} as a {what}, but this dock has {has}, counted from 0; "
                    "correct the file."
                )
                _log.warning("%s", self._note)
        _log.info("dock %s (%s, boot %08x)", welcome.unique_id, welcome.firmware, welcome.boot_id)

    def _dice(self, roll: DieRolled, at: float, evidence: str) -> DiceSeen:
        faces = self._wiring.faces
        if wrong := [face for face in roll.faces if face > len(faces)]:
            self._note = (
                f"The tray reported face {wrong[0]}, but a die of this table has {len(faces)}; "
                'roll again, or correct "faces" in the wiring file.'
            )
            _log.warning("%s (%s)", self._note, evidence)
            return DiceSeen(NAME, at, (), evidence=evidence, problem=self._note)
        self._note = ""
        names = tuple(faces[face - 1] for face in roll.faces)
        _log.info("rolled %s (%s)", " ".join(names), evidence)
        return DiceSeen(NAME, at, names, 1.0, evidence)

    def _button(self, press: ButtonPressed, at: float, evidence: str) -> Press | None:
        meaning = self._meanings.get((press.button, press.gesture))
        if meaning is None:
            _log.info("dock:%d %s has no meaning at this table (%s)", press.button, press.gesture, evidence)
            return None
        seat, function = meaning
        whose = "the table" if seat is None else f"seat {seat + 1}"
        _log.info("%s: %s (dock:%d, %s)", whose, function, press.button, press.gesture)
        return Press(NAME, at, seat, function, evidence)
