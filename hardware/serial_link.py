"""The serial port to the table dock: opens it, keeps it open, and says in words when it is not.

A thin shell of threads and descriptors around `Link`, which decides everything.
"""

from __future__ import annotations

import errno
import logging
import os
import secrets
import select
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import serial
from serial.tools import list_ports

from companion.table.ports import Health, Observe
from hardware.link import Link, State
from hardware.messages import PROTOCOL, Mode
from hardware.readings import NAME, DockReadings
from hardware.wiring import DockWiring, TableWiring

SEARCH_EVERY = 0.5
REOPEN_AFTER = 5.0
"""Seconds of silence after which the port is opened afresh, as the device may have come back elsewhere."""
WRITE_WITHIN = 0.5
BAUD = 115200

Way = Literal["opened", "in", "out", "closed"]
Tap = Callable[[float, Way, bytes], None]
"""Sees everything that travels, with the time: for recordings."""

_log = logging.getLogger(__name__)


class PortError(RuntimeError):
    """The port cannot be found or opened; says what to do."""


def find_port(port: str) -> str:
    """Return the device path of `port`, a path or `usb:SERIAL`.

    :raises PortError: if it is not there, or two devices share the serial number.
    """
    if not port.startswith("usb:"):
        if not Path(port).exists():
            raise PortError(f"There is no {port}; plug in the dock, or correct its port in the wiring file.")
        return port
    number = port.removeprefix("usb:")
    found = [candidate.device for candidate in list_ports.comports() if candidate.serial_number == number]
    if not found:
        raise PortError(f"No USB device with the serial number {number}; plug in the dock's cable.")
    if len(found) > 1:
        raise PortError(
            f"{len(found)} USB devices have the serial number {number} ({', '.join(sorted(found))}); "
            "unplug all but one, or write a device path as port."
        )
    return found[0]


def open_port(path: str) -> serial.Serial:
    """Open the port for this process alone.

    :raises PortError: if it cannot be opened.
    """
    try:
        return serial.Serial(path, BAUD, timeout=0, write_timeout=WRITE_WITHIN, exclusive=True)
    except (OSError, termios.error) as error:
        number = error.errno if isinstance(error, OSError) else error.args[0]
        if number in (errno.EAGAIN, errno.EBUSY):
            says = "is used by another program; close it (a serial monitor, ModemManager)"
        elif number in (errno.EACCES, errno.EPERM):
            says = "may not be opened; add this user to the group dialout (sudo usermod -aG dialout USER), log in again"
        elif number in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
            says = "went away; plug in the dock's cable"
        else:
            says = (
                f"cannot be opened ({os.strerror(number) if isinstance(number, int) else error}); is it a serial port?"
            )
        raise PortError(f"{path} {says}.") from None


class SerialLink:
    """The dock as a witness (buttons, dice) and as the place where lamps are lit.

    One thread owns the port. It finds it, opens it exclusively, greets, and begins anew when it is
    gone; nobody has to restart anything. `observe` is called in that thread.
    """

    name = NAME

    def __init__(
        self,
        wiring: TableWiring,
        *,
        clock: Callable[[], float] = time.monotonic,
        tap: Tap | None = None,
        first_session: int | None = None,
    ) -> None:
        self._wiring = wiring.dock or DockWiring("")
        self._clock = clock
        self._tap = tap
        self._link = Link(first_session or secrets.randbelow(255) + 1, self._wiring.id)
        self._readings = DockReadings(wiring)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._wake: tuple[int, int] | None = None
        self._noted: State = "closed"
        self._trouble = ""
        self._path = ""

    def start(self, observe: Observe) -> None:
        """Begin to look for the dock and to listen."""
        if self._thread is not None:
            return
        self._stopping.clear()
        self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._run, args=(observe,), name="dock", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close the port and end the thread."""
        if self._thread is None:
            return
        self._stopping.set()
        self._nudge()
        self._thread.join()
        self._thread = None
        with self._lock:
            if self._wake is not None:
                os.close(self._wake[0])
                os.close(self._wake[1])
                self._wake = None

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
        link, where = self._link, self._path
        welcome = link.welcome
        match link.state:
            case "closed":
                return Health("waiting", self._trouble or "The dock is being looked for.")
            case "greeting":
                return Health("waiting", f"The dock at {where} was greeted and has not answered yet.")
            case "silent":
                noise = " What it sends is no frame of ours: is it a table dock?" if link.is_garbled else ""
                return Health("failed", f"The dock at {where} does not answer.{noise} Unplug it and plug it in again.")
            case "mismatch" if welcome is not None:
                older = "the dock's firmware" if welcome.high < PROTOCOL else "this app"
                speaks = f"protocol {welcome.low} to {welcome.high}, this app speaks {PROTOCOL}"
                return Health("failed", f"The dock {welcome.unique_id} speaks {speaks}; update {older}.")
            case "stranger" if welcome is not None:
                expected = f"the wiring file expects {self._wiring.id}; plug in that one, or correct the file"
                return Health("failed", f"The dock at {where} is {welcome.unique_id}, {expected}.")
        if self._readings.note:
            return Health("unsure", self._readings.note)
        if link.is_deaf:
            return Health("unsure", "The dock answers, but its lamps do not obey; unplug it and plug it in again.")
        if link.snapshot is not None and link.snapshot.tray == "cocked":
            return Health("unsure", "A die leans in the tray; tap the tray or roll again.")
        return Health("ok")

    def _nudge(self) -> None:
        with self._lock:
            if self._wake is not None:
                try:
                    os.write(self._wake[1], b"x")
                except BlockingIOError:
                    return  # the pipe is full of nudges already

    def _run(self, observe: Observe) -> None:
        while not self._stopping.is_set():
            try:
                self._path = find_port(self._wiring.port)
                port = open_port(self._path)
            except PortError as error:
                self._say(str(error))
                self._stopping.wait(SEARCH_EVERY)
                continue
            self._say("")
            try:
                self._talk(port, observe)
            except (OSError, termios.error) as error:
                # in_waiting raises a bare OSError where read raises SerialException.
                self._say(f"The dock at {self._path} was unplugged; plug in its cable.")
                _log.info("%s: %s", self._path, error)
            finally:
                # At once: while a stale descriptor is open, the device comes back under another name.
                port.close()
                with self._lock:
                    self._link.closed()
                self._note_state()
                self._tell("closed", b"")
        _log.info("dock: %s", ", ".join(f"{name} {count}" for name, count in sorted((+self._link.counts).items())))

    def _talk(self, port: serial.Serial, observe: Observe) -> None:
        wake = self._wake[0] if self._wake is not None else -1
        opened_at = self._clock()
        with self._lock:
            self._link.opened(opened_at)
        self._tell("opened", b"", opened_at)
        silent_since: float | None = None
        while not self._stopping.is_set():
            now = self._clock()
            with self._lock:
                sent = self._link.outgoing(now)
                due = self._link.wake_at()
            self._note_state()
            if sent:
                port.write(sent)
                self._tell("out", sent, now)
            silent_since = (silent_since or now) if self._link.state == "silent" else None
            if silent_since is not None and now - silent_since > REOPEN_AFTER:
                return
            wait = SEARCH_EVERY if due is None else max(0.0, min(due - self._clock(), SEARCH_EVERY))
            readable, _, _ = select.select([port.fileno(), wake], [], [], wait)
            if wake in readable:
                os.read(wake, 4096)
            if port.fileno() in readable:
                self._hear(port.read(port.in_waiting or 1), observe)
        with self._lock:
            last = self._link.farewell()
        port.write(last)

    def _hear(self, received: bytes, observe: Observe) -> None:
        now = self._clock()
        self._tell("in", received, now)
        with self._lock:
            reports = self._link.receive(received, now)
        self._note_state()
        for report in reports:
            observation = self._readings.read(report, now)
            if observation is not None:
                observe(observation)

    def _note_state(self) -> None:
        if self._link.state != self._noted:
            self._noted = self._link.state
            _log.info("dock: %s", self._noted)

    def _say(self, trouble: str) -> None:
        if trouble and trouble != self._trouble:
            _log.warning("%s", trouble)
        self._trouble = trouble

    def _tell(self, way: Way, travelled: bytes, at: float | None = None) -> None:
        if self._tap is not None:
            self._tap(self._clock() if at is None else at, way, travelled)
