"""The serial port to the table dock: opens it, keeps it open, and says in words when it is not.

A thin shell of a thread and descriptors around `Link`, which decides everything. Whatever a device file
may block on, it blocks this thread alone.
"""

from __future__ import annotations

import logging
import os
import secrets
import select
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path

import serial

from companion.table.observation import Observation
from companion.table.ports import Health, Observe
from hardware.dock_health import health_of
from hardware.flight import FlightRecorder
from hardware.inspection import InputState
from hardware.link import Link, State
from hardware.messages import Event, Mode
from hardware.ports import PortError, PortNews, close_port, find_ports, open_port, refuse_twins
from hardware.readings import NAME, DockReadings
from hardware.recording import Way
from hardware.wiring import DockWiring, TableWiring

SEARCH_EVERY = 0.5
REOPEN_AFTER = 5.0
"""Seconds of silence after which the port is opened afresh, as the device may have come back elsewhere."""
FAREWELL_WITHIN = 0.2
STOP_WITHIN = 3.0
"""Seconds that `stop` waits for the thread; one that the kernel holds in a dead port is left to end by itself."""
Tap = Callable[[float, Way, bytes], None]
"""Sees everything that travels, with the time."""
TROUBLE: tuple[State, ...] = ("silent", "mismatch", "stranger")

_log = logging.getLogger(__name__)


class SerialLink:
    """The dock as a witness (buttons, dice) and as the place where lamps are lit.

    One thread owns the port. It finds it, opens it exclusively, greets, and begins anew when it is
    gone; nobody has to restart anything. `observe` is called in that thread. `tap` sees all that travels;
    it is written into the folder `flights` on trouble. A `patient` link has the dock keep each press and
    roll until `settled` was called for it. A `sounding` one names every button that a dock can have, to
    find out which there are.
    """

    name = NAME

    def __init__(
        self,
        wiring: TableWiring,
        *,
        clock: Callable[[], float] = time.monotonic,
        tap: Tap | None = None,
        flights: Path | None = None,
        first_session: int | None = None,
        patient: bool = False,
        sounding: bool = False,
    ) -> None:
        self._wiring = wiring.dock or DockWiring("")
        self._clock = clock
        self._tap = tap
        self._link = Link(first_session or secrets.randbelow(255) + 1, self._wiring.id, patient=patient)
        self._unsettled: dict[str, Event] = {}
        self._flight = FlightRecorder(self._link.checkpoint, flights)
        self._readings = DockReadings(wiring, sounding=sounding)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._wake: int | None = None
        self._noted: State = "closed"
        self._trouble = ""
        self._path = ""
        self._twins = 1
        self._turn = 0

    def start(self, observe: Observe) -> None:
        """Begin to look for the dock and to listen."""
        if self._thread is not None:
            return
        self._stopping = threading.Event()
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._thread = threading.Thread(
            target=self._run, args=(observe, self._stopping, self._wake), name="dock", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Close the port and end the thread."""
        if self._thread is None:
            return
        self._stopping.set()
        self._nudge()
        self._thread.join(STOP_WITHIN)
        if self._thread.is_alive():
            _log.error("%s does not let go; it is left alone", self._path)
        self._thread = None

    def settled(self, observation: Observation) -> None:
        """The table is done with `observation`; a patient link acknowledges it only now."""
        with self._lock:
            event = self._unsettled.pop(getattr(observation, "evidence", ""), None)
            if event is not None:
                self._link.settle(event)
        if event is not None:
            self._nudge()

    def record(self, file: Path) -> int:
        """Write down what travelled lately, as a file for `companion line`; return the number of its lines.

        :raises OSError: if the file cannot be written.
        """
        return self._flight.write(file)

    def light(self, modes: tuple[Mode, ...]) -> None:
        """Set what the dock's lamps shall show, lamp 0 first; kept for a dock that is away now."""
        with self._lock:
            self._link.light(modes, self._clock())
        self._nudge()

    def health(self) -> Health:
        """Say how the dock is doing."""
        if self._thread is None:
            return Health("off", "The dock is not being looked for.")
        if not self._thread.is_alive():
            return Health("failed", "Listening to the dock ended by an error; see the log, restart the companion.")
        return health_of(self._link, self._path, self._wiring.id, self._trouble, self._readings.note)

    @property
    def lamps(self) -> int:
        """How many lamps the dock has; none while it does not answer."""
        link = self._link
        return link.welcome.lamps if link.welcome is not None and link.state == "ready" else 0

    def inputs(self) -> list[InputState]:
        """Return what the dock's last snapshot says of each of its inputs; nothing while it does not answer."""
        link = self._link
        return self._readings.inputs(link.welcome, link.snapshot) if link.state == "ready" else []

    def _nudge(self) -> None:
        with self._lock:
            if self._wake is not None:
                os.eventfd_write(self._wake, 1)

    def _run(self, observe: Observe, stopping: threading.Event, wake: int) -> None:
        news = PortNews()
        try:
            while not stopping.is_set():
                try:
                    is_gone = self._serve(self._open(), observe, stopping, wake)
                except PortError as error:
                    self._say(str(error))
                    is_gone = False
                if not is_gone and not stopping.is_set():
                    self._pause([wake, *news.filenos()])
                    news.clear()
        finally:
            news.close()
            with self._lock:
                if self._wake == wake:
                    self._wake = None
            os.close(wake)
        _log.info("dock: %s", ", ".join(f"{name} {count}" for name, count in sorted((+self._link.counts).items())))

    def _open(self) -> serial.Serial:
        found = find_ports(self._wiring.port)
        if len(found) > 1 and not self._wiring.id:
            raise refuse_twins(self._wiring.port, found)
        self._twins = len(found)
        self._path = found[self._turn % len(found)]
        return open_port(self._path)

    @staticmethod
    def _pause(descriptors: list[int]) -> None:
        readable, _, _ = select.select(descriptors, [], [], SEARCH_EVERY)
        if descriptors[0] in readable:
            os.eventfd_read(descriptors[0])

    def _serve(self, port: serial.Serial, observe: Observe, stopping: threading.Event, wake: int) -> bool:
        """Talk until there is a reason to look for the port again; return whether it is gone."""
        try:
            self._talk(port, observe, stopping, wake)
        except serial.SerialTimeoutException:
            self._say(f"The dock at {self._path} takes nothing that is sent to it; unplug it and plug it in again.")
            self._flight.save("stuck", self._clock())
        except (OSError, termios.error) as error:
            # in_waiting raises a bare OSError where read raises SerialException.
            self._say(f"The dock at {self._path} was unplugged; plug in its cable.")
            _log.info("%s: %s", self._path, error)
            self._flight.save("unplugged", self._clock())
            return True
        finally:
            # At once: while a stale descriptor is open, the device comes back under another name.
            close_port(port)
            self._tell(self._clock(), "closed")
            with self._lock:
                self._link.closed()
            self._note_state()
        return False

    def _talk(self, port: serial.Serial, observe: Observe, stopping: threading.Event, wake: int) -> None:
        opened_at = self._clock()
        self._tell(opened_at, "opened")
        with self._lock:
            self._link.opened(opened_at)
        silent_since: float | None = None
        while not stopping.is_set():
            now = self._clock()
            with self._lock:
                sent = self._link.outgoing(now)
                due = self._link.wake_at()
            self._note_state()
            if sent:
                port.write(sent)
                self._tell(now, "out", sent)
            silent_since = (silent_since or now) if self._link.state == "silent" else None
            if silent_since is not None and now - silent_since > REOPEN_AFTER:
                self._turn += 1
                return
            if self._link.state == "stranger" and self._twins > 1:
                self._say(
                    f"{self._twins} devices look like the dock; the one that says {self._wiring.id} is looked for."
                )
                self._turn += 1
                return
            wait = SEARCH_EVERY if due is None else max(0.0, min(due - self._clock(), SEARCH_EVERY))
            readable, _, _ = select.select([port.fileno(), wake], [], [], wait)
            if wake in readable:
                os.eventfd_read(wake)
            if port.fileno() in readable:
                self._hear(port.read(port.in_waiting or 1), observe)
        self._take_leave(port)

    def _take_leave(self, port: serial.Serial) -> None:
        with self._lock:
            last = self._link.farewell()
        port.write(last)
        end = time.monotonic() + FAREWELL_WITHIN
        while port.out_waiting and time.monotonic() < end:
            time.sleep(0.005)

    def _hear(self, received: bytes, observe: Observe) -> None:
        now = self._clock()
        self._tell(now, "in", received)
        with self._lock:
            faults = self._link.counts.copy()
            reports = self._link.receive(received, now)
        if self._link.fault is not None and not faults[self._link.fault.fault]:
            # The first of its kind is worth a line; all of them are counted.
            _log.warning("dock: %s", self._link.fault.says)
        self._note_state()
        for report in reports:
            observations = self._readings.read(report, now)
            if isinstance(report, Event):
                with self._lock:
                    if observations:
                        self._unsettled[observations[0].evidence] = report
                    else:
                        self._link.settle(report)
            for observation in observations:
                observe(observation)

    def _note_state(self) -> None:
        state = self._link.state
        if state != self._noted:
            self._noted = state
            _log.info("dock: %s", state)
            if state not in ("closed", "greeting"):
                self._trouble = ""
            if state in TROUBLE:
                self._flight.save(state, self._clock())

    def _say(self, trouble: str) -> None:
        if trouble and trouble != self._trouble:
            _log.warning("%s", trouble)
        self._trouble = trouble

    def _tell(self, at: float, way: Way, travelled: bytes = b"") -> None:
        self._flight.note(at, way, travelled)
        if self._tap is not None:
            self._tap(at, way, travelled)
