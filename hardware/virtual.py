"""A table's electronics without electronics: mock pins and a pseudo-terminal, driven like the real ones.

The companion's side sees no difference: the same witnesses watch the same pin factory and open a serial
device, whose bytes really travel.
"""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from hardware.dock import Dock
from hardware.messages import Gesture, Mode, Tray
from hardware.wiring import Function, Input, TableWiring

HELD: dict[Gesture, float] = {"short": 0.08, "long": 0.9, "double": 0.08}
"""How long a virtual finger stays on a button, in seconds."""
BETWEEN = 0.1
IDLE_WAIT = 0.5


class _VirtualPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    def _call_when_changed(self) -> None:
        PiPin._call_when_changed(self, self.factory.ticks(), self._state)


class VirtualFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Mock pins whose edges are stamped by `clock`, so that a simulated evening has its own time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(pin_class=_VirtualPin)
        self._clock = clock

    def ticks(self) -> float:
        """Return the time of the board's clock, in seconds."""
        return self._clock()


class VirtualBoard:
    """The buttons and lamps of a wired table on virtual pins.

    With the default clock it runs in real time. `clock` may be any other one: whoever drives the pins
    then moves that clock on before each edge. A button's press becomes certain when it is let go, at
    the latest, so a simulated evening needs no waiting.
    """

    def __init__(self, wiring: TableWiring, clock: Callable[[], float] = time.monotonic) -> None:
        self.factory = VirtualFactory(clock)
        self._places: dict[tuple[int, Function], Input] = {
            (seat, function): place
            for seat, seat_wiring in enumerate(wiring.seats)
            for function, place in seat_wiring.buttons
            if place.where == "gpio"
        }
        self._lamps = {
            seat: seat_wiring.lamp
            for seat, seat_wiring in enumerate(wiring.seats)
            if seat_wiring.lamp is not None and seat_wiring.lamp.where == "gpio"
        }

    def drive(self, seat: int, function: Function, pressed: bool) -> None:
        """Bring the contact of a button into a state, now.

        :raises KeyError: if the seat has no such button on a pin.
        """
        place = self._places[seat, function]
        pin = self.factory.pin(f"GPIO{place.number}")
        if pressed == place.active_high:
            pin.drive_high()
        else:
            pin.drive_low()

    def press(self, seat: int, function: Function, wait: Callable[[float], None] = time.sleep) -> None:
        """Make the gesture that the wiring asks for; `wait` lets so many seconds pass on the clock.

        :raises KeyError: if the seat has no such button on a pin.
        """
        gesture = self._places[seat, function].gesture
        for _ in range(2 if gesture == "double" else 1):
            self.drive(seat, function, True)
            wait(HELD[gesture])
            self.drive(seat, function, False)
            wait(BETWEEN)

    def is_lit(self, seat: int) -> bool:
        """Whether the lamp of a seat is lit at this moment.

        :raises KeyError: if the seat has no lamp on a pin.
        """
        lamp = self._lamps[seat]
        return bool(self.factory.pin(f"GPIO{lamp.number}").state) == lamp.active_high


class VirtualDock:
    """A dock's firmware behind a pseudo-terminal; `device` is a link to whatever terminal it has now."""

    def __init__(self, dock: Dock, device: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._dock = dock
        self._device = device
        self._clock = clock
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._wake: tuple[int, int] | None = None
        self._mute = False

    def plug(self) -> None:
        """Plug the cable in: the device appears. The dock keeps its memory, as one with its own power."""
        if self._thread is not None:
            return
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(
            target=self._run, args=(master, slave, self._wake[0]), name="virtual dock", daemon=True
        )
        self._thread.start()
        fresh = self._device.with_name(self._device.name + ".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(slave))
        fresh.replace(self._device)

    def unplug(self) -> None:
        """Pull the cable: the device vanishes, whoever reads or writes it gets an error."""
        if self._thread is None or self._wake is None:
            return
        self._device.unlink(missing_ok=True)
        thread, self._thread = self._thread, None
        with self._lock:
            os.close(self._wake[1])
            self._wake = None
        thread.join()

    def roll(self, faces: tuple[int, ...]) -> None:
        """Dice come to rest with these faces up, counted from 1."""
        with self._lock:
            self._dock.roll(faces, self._clock())
        self._nudge()

    def press(self, button: int, gesture: Gesture = "short") -> None:
        """A button of the dock is pressed."""
        with self._lock:
            self._dock.press(button, self._clock(), gesture)
        self._nudge()

    def place(self, slot: int, marker: int) -> None:
        """A marker with this code lies in a place of the track from now on; 0 takes it away."""
        with self._lock:
            self._dock.place(slot, marker, self._clock())
        self._nudge()

    def set_tray(self, tray: Tray) -> None:
        """The dice move, lean or lie."""
        with self._lock:
            self._dock.set_tray(tray, self._clock())
        self._nudge()

    def reset(self, boot_id: int) -> None:
        """The dock loses its power and starts afresh, with the cable in place."""
        with self._lock:
            self._dock.reset(boot_id, self._clock())
        self._nudge()

    def silence(self, mute: bool) -> None:
        """The dock hangs, with the cable in place, or comes to itself again."""
        self._mute = mute
        self._nudge()

    @property
    def lamps(self) -> tuple[Mode, ...]:
        """What the lamps of the dock show."""
        with self._lock:
            return self._dock.lamps

    @property
    def held(self) -> int:
        """How many events wait for their acknowledgement."""
        with self._lock:
            return self._dock.held

    def _nudge(self) -> None:
        with self._lock:
            if self._wake is not None:
                try:
                    os.write(self._wake[1], b"x")
                except BlockingIOError:
                    return  # the pipe is full of nudges already

    def _run(self, master: int, slave: int, wake: int) -> None:
        # The slave is kept open here too: reading a master that nobody else has open is an error.
        try:
            while True:
                with self._lock:
                    now = self._clock()
                    sent = self._dock.outgoing(now)
                    due = self._dock.wake_at()
                self._write(master, b"" if self._mute else sent)
                wait = IDLE_WAIT if due is None else max(0.0, min(due - now, IDLE_WAIT))
                readable, _, _ = select.select([master, wake], [], [], wait)
                if wake in readable and not os.read(wake, 4096):
                    return
                if master in readable:
                    received = os.read(master, 4096)
                    with self._lock:
                        self._dock.receive(received, self._clock())
        finally:
            for descriptor in (slave, master, wake):
                os.close(descriptor)

    @staticmethod
    def _write(master: int, sent: bytes) -> None:
        try:
            os.write(master, sent)
        except BlockingIOError:
            return  # nobody reads: bytes are lost, as on a real line
