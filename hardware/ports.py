"""Which device file the dock's serial port is right now, and the news that one came or went.

Names such as `/dev/ttyACM0` are given out in the order of plugging in, so a port is asked for by what
does not change: the USB serial number, or the socket it is plugged into. Both are hints; who is there,
the dock itself says in its WELCOME.
"""

from __future__ import annotations

import contextlib
import errno
import os
import termios
from pathlib import Path

import serial
from serial.tools import list_ports

BAUD = 115200
WRITE_WITHIN = 0.5


class PortError(RuntimeError):
    """The port cannot be found or opened; says what to do."""


def find_ports(port: str, what: str = "dock") -> list[str]:
    """Return the device paths that `port` of `what` may be: a path, `usb:SERIAL` or `usb-path:SOCKET`.

    Several only if several devices have the serial number, as clones without a number of their own do.

    :raises PortError: if it is not there.
    """
    where, _, which = port.partition(":")
    if where == "usb":
        found = [each.device for each in list_ports.comports() if each.serial_number == which]
        missing = f"No USB device with the serial number {which}; plug in the {what}'s cable."
    elif where == "usb-path":
        found = [each.device for each in list_ports.comports() if each.location == which]
        missing = f"Nothing is plugged into the USB socket {which}; plug the {what} in there."
    else:
        found = [port] if Path(port).exists() else []
        missing = f"There is no {port}; plug in the {what}, or correct its port in the wiring file."
    if not found:
        raise PortError(missing)
    return sorted(found)


def refuse_twins(port: str, found: list[str], what: str = "dock") -> PortError:
    """Return the words for several devices with one serial number, when nothing tells them apart."""
    sockets = {each.device: each.location for each in list_ports.comports()}
    twins = ", ".join(f"{device} in socket {sockets.get(device) or 'unknown'}" for device in found)
    own_id = ", or the dock's own id below it" if what == "dock" else ""
    example = next((location for location in map(sockets.get, found) if location), "1-1.2")
    return PortError(
        f"{len(found)} USB devices have the serial number {port.removeprefix('usb:')} ({twins}); unplug all but one, "
        f'or write its socket as port ("usb-path:{example}"){own_id}.'
    )


def open_port(path: str) -> serial.Serial:
    """Open the port for this process alone, without waiting for anything at its other end.

    :raises PortError: if it cannot be opened.
    """
    try:
        return serial.Serial(path, BAUD, timeout=0, write_timeout=WRITE_WITHIN, exclusive=True)
    except (OSError, termios.error) as error:
        # pyserial hides the reason why a port cannot be set up in the error behind its own.
        first = error.__context__ if isinstance(error.__context__, termios.error) else error
        number = first.errno if isinstance(first, OSError) else first.args[0]
        if number in (errno.EAGAIN, errno.EBUSY):
            says = "is used by another program; close it (a serial monitor, ModemManager)"
        elif number in (errno.EACCES, errno.EPERM):
            says = "may not be opened; add this user to the group dialout (sudo usermod -aG dialout USER), log in again"
        elif number in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
            says = "went away; plug in its cable"
        else:
            reason = os.strerror(number) if isinstance(number, int) else error
            says = f"cannot be opened ({reason}); is it a serial port? Name another one in the wiring file"
        raise PortError(f"{path} {says}.") from None


def close_port(port: serial.Serial) -> None:
    """Close the port at once: bytes that a device no longer takes would hold up the kernel for half a minute."""
    try:
        if port.out_waiting:
            port.reset_output_buffer()
    except (OSError, termios.error):
        pass  # the device is gone, and the bytes with it
    finally:
        port.close()


class PortNews:
    """Tells when a serial port came or went, by udev; without udev it tells nothing, so look now and then too."""

    def __init__(self) -> None:
        self._monitor = None
        with contextlib.suppress(ImportError, OSError):
            import pyudev

            monitor = pyudev.Monitor.from_netlink(pyudev.Context())
            monitor.filter_by("tty")
            monitor.start()
            self._monitor = monitor

    def filenos(self) -> list[int]:
        """Return the descriptors that become readable when there is news: one, or none without udev."""
        return [] if self._monitor is None else [self._monitor.fileno()]

    def clear(self) -> None:
        """Take the news that have come in; what they say is not believed, only that one should look."""
        with contextlib.suppress(OSError):
            while self._monitor is not None and self._monitor.poll(timeout=0) is not None:
                pass

    def close(self) -> None:
        """Ask for no more news. Calling it twice is allowed."""
        self._monitor = None  # udev's socket closes with the last reference to it
