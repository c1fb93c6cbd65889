"""A turn track of hall or reed switches on the computer's own pins, as a witness on the table's port."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.table.ports import Health, Observe
from hardware.devices import PinError, Sensor
from hardware.inspection import InputState
from hardware.track import Place, TrackWatch, name_of
from hardware.wiring import TrackWiring

if TYPE_CHECKING:
    from hardware.boards import PinFactory

SCAN_EVERY = 0.02
"""Seconds between two scans."""
STABLE_MOST = 255

_log = logging.getLogger(__name__)


class Scanner:
    """Counts for how many scans each place has shown the same code, and how often it changed."""

    def __init__(self) -> None:
        self._places: tuple[Place, ...] = ()

    def scan(self, codes: Sequence[int]) -> tuple[Place, ...]:
        """Take the codes of a scan; return the places as a dock would tell them."""
        before = self._places or tuple(Place(code, 0) for code in codes)
        self._places = tuple(
            Place(code, min(place.stable + 1, STABLE_MOST), place.changes)
            if code == place.code
            else Place(code, 1, (place.changes + 1) % 256)
            for code, place in zip(codes, before, strict=True)
        )
        return self._places


class SensorTrack:
    """Answers with the order of the markers once they lie still; scans in a thread of its own."""

    name = "track"

    def __init__(self, wiring: TrackWiring, factory: PinFactory) -> None:
        self._wiring, self._factory = wiring, factory
        self._watch = TrackWatch(self.name, wiring.markers)
        self._sensors: list[list[Sensor]] = []
        self._problem = ""
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, observe: Observe) -> None:
        """Claim the pins and begin to scan. A pin that cannot be had is told by `health`; then nothing is scanned."""
        if self._thread is not None:
            return
        self._stopping.clear()
        self._problem = ""
        try:
            for pins in self._wiring.places:
                place: list[Sensor] = []
                self._sensors.append(place)
                place.extend(Sensor(pin, self._wiring.pull, self._factory) for pin in pins)
        except PinError as error:
            self._problem = str(error)
            _log.error("%s", error)
            self._release()
            return
        self._watch.gap()
        self._thread = threading.Thread(target=self._run, args=(observe,), name=self.name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop scanning and give every pin back."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._release()

    def health(self) -> Health:
        """Say whether the track can be read."""
        if self._problem:
            return Health("failed", self._problem)
        if self._thread is None:
            return Health("off", "The track is not being watched.")
        if not self._thread.is_alive():
            return Health("failed", "Watching the track ended by an error; see the log, restart the companion.")
        return Health("unsure", self._watch.problem) if self._watch.problem else Health("ok")

    def codes(self) -> tuple[int, ...]:
        """Return the code in each place right now, not debounced; empty while it is not watched."""
        return tuple(
            sum(1 << bit for bit, sensor in enumerate(sensors) if sensor.is_closed) for sensors in tuple(self._sensors)
        )

    def inputs(self) -> list[InputState]:
        """Return what the sensors of every place say at this moment."""
        places = zip(self._wiring.places, self.codes(), strict=False)
        return [
            InputState(
                f"track place {place}",
                ", ".join(f"GPIO{pin}" for pin in pins),
                f"code {code}, {name_of(self._wiring.markers, code)}" if code else "empty",
            )
            for place, (pins, code) in enumerate(places, start=1)
        ]

    def _release(self) -> None:
        for sensors in self._sensors:
            for sensor in sensors:
                sensor.close()
        self._sensors.clear()

    def _run(self, observe: Observe) -> None:
        scanner = Scanner()
        while not self._stopping.wait(SCAN_EVERY):
            try:
                codes = self.codes()
            except OSError as error:
                self._problem = f"The pins of the track do not answer ({error.strerror}); restart the companion."
                _log.error("%s", self._problem)
                return
            now = self._factory.ticks()
            seen = self._watch.scan(scanner.scan(codes), now, f"gpio {' '.join(map(str, codes))}")
            if seen is not None:
                observe(seen)
