"""A die tower or tray on a serial port that says lines of text."""

from __future__ import annotations

import logging
import os
import select
import termios
import threading

import serial

from companion.table.ports import Health
from hardware.dice.lines import read_line
from hardware.dice.states import DieState, Report, StrangeError
from hardware.ports import PortError, close_port, find_ports, open_port, refuse_twins

SEARCH_EVERY = 0.5
WHAT = "dice tower"
LONGEST_LINE = 200
STRANGE_MOST = 3
"""So many strange lines in a row, and whatever is connected is no tower of ours."""

_log = logging.getLogger(__name__)


class SerialDice:
    """Listens to one port in a thread of its own; finds it again whenever it was gone. `die` is its number as wired."""

    def __init__(self, port: str, die: int) -> None:
        self._port, self._die = port, die
        self._trouble = "The dice are being looked for."
        self._is_open = False
        self._strange = 0
        self._stopping = threading.Event()
        self._wake: int | None = None
        self._thread: threading.Thread | None = None

    def start(self, report: Report) -> None:
        """Begin to look for the port and to listen."""
        if self._thread is not None:
            return
        self._stopping.clear()
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._thread = threading.Thread(target=self._run, args=(report, self._wake), name="serial dice", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close the port and end the thread."""
        if self._thread is None or self._wake is None:
            return
        self._stopping.set()
        os.eventfd_write(self._wake, 1)
        self._thread.join()
        self._thread = None
        os.close(self._wake)
        self._wake = None

    def health(self) -> Health:
        """Say how the dice are doing."""
        if self._thread is None:
            return Health("off", "The dice are not being listened to.")
        if not self._thread.is_alive():
            return Health("failed", "Listening to the dice ended by an error; see the log, restart the companion.")
        if not self._is_open:
            return Health("waiting", self._trouble)
        if self._strange >= STRANGE_MOST:
            return Health("unsure", f"What {self._port} says is no line of dice; see docs/recipes/dice.md.")
        return Health("ok")

    def _run(self, report: Report, wake: int) -> None:
        while not self._stopping.is_set():
            try:
                port = self._open()
            except PortError as error:
                self._say(str(error))
                select.select([wake], [], [], SEARCH_EVERY)
                continue
            self._is_open = True
            report(self._die, DieState("back"))
            try:
                self._listen(port, report, wake)
            except (OSError, termios.error) as error:
                self._say(f"The dice at {self._port} were unplugged; plug in their cable.")
                _log.info("%s: %s", self._port, error)
            finally:
                self._is_open = False
                close_port(port)
            report(self._die, DieState("away"))

    def _open(self) -> serial.Serial:
        found = find_ports(self._port, WHAT)
        if len(found) > 1:
            raise refuse_twins(self._port, found, WHAT)
        return open_port(found[0])

    def _listen(self, port: serial.Serial, report: Report, wake: int) -> None:
        rest = b""
        while not self._stopping.is_set():
            readable, _, _ = select.select([port.fileno(), wake], [], [])
            if port.fileno() not in readable:
                continue
            *lines, rest = (rest + port.read(port.in_waiting or 1)).split(b"\n")
            rest = rest[-LONGEST_LINE:]
            for line in lines:
                self._take(line, report)

    def _take(self, line: bytes, report: Report) -> None:
        try:
            state = read_line(line.decode("ascii", errors="replace"))
        except StrangeError as error:
            self._strange += 1
            _log.warning("%s: %s", self._port, error)
            return
        self._strange = 0
        if state is not None:
            report(self._die, state)

    def _say(self, trouble: str) -> None:
        if trouble != self._trouble:
            _log.warning("%s", trouble)
        self._trouble = trouble
