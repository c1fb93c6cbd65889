"""Pin factories by name: the Raspberry Pi's own pins through lgpio or libgpiod, or mock pins anywhere.

Nothing here replaces a missing board by a mock in silence: who asks for real pins gets them or a
sentence.
"""

from __future__ import annotations

import fcntl
import os
import struct
import tempfile
from collections.abc import Iterable
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from gpiozero.exc import BadPinFactory, GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.wiring import PinsName

if TYPE_CHECKING:
    from gpiozero.pins import Factory

    PinFactory: TypeAlias = Factory

REAL: tuple[Literal["lgpio", "gpiod"], ...] = ("lgpio", "gpiod")
HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""What the kernel calls the chip of the 40-pin header: Pi 5, Pi 4, earlier ones. The chip's number is no
name: kernel updates moved it."""
_GET_CHIP_INFO = 0x8044B401  # GPIO_GET_CHIPINFO_IOCTL, linux/gpio.h: name[32], label[32], u32 lines
_MODEL = Path("/proc/device-tree/model")


class BoardError(RuntimeError):
    """The pins asked for cannot be had; says what is missing and what to do."""


def chips() -> list[tuple[int, str]]:
    """Return number and label of every GPIO chip that may be opened.

    :raises PermissionError: if a chip is there, but may not be opened.
    """
    found = []
    for device in sorted(Path("/dev").glob("gpiochip*")):
        descriptor = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
        try:
            answer = fcntl.ioctl(descriptor, _GET_CHIP_INFO, bytes(68))
        finally:
            os.close(descriptor)
        _, label, _ = struct.unpack("32s32sI", answer)
        found.append((int(device.name.removeprefix("gpiochip")), label.split(b"\0")[0].decode(errors="replace")))
    return found


def header_chip(found: Iterable[tuple[int, str]]) -> int:
    """Return the number of the chip that the 40-pin header hangs on.

    :raises BoardError: if none has a label of `HEADER_LABELS`.
    """
    labels = dict(found)
    for number, label in labels.items():
        if label in HEADER_LABELS:
            return number
    seen = ", ".join(labels.values()) or "none"
    raise BoardError(f'no GPIO chip of a Raspberry Pi header (found: {seen}); set pins = "mock" to go on without pins')


def is_raspberry_pi() -> bool:
    """Whether this computer says that it is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in _MODEL.read_text(encoding="ascii", errors="replace")
    except OSError:
        return False


def open_pins(name: PinsName) -> PinFactory:
    """Return a pin factory; `auto` takes the real pins on a Raspberry Pi and mock pins elsewhere.

    Real pins are lgpio's where it is installed, else libgpiod's; the environment variable
    `GPIOZERO_PIN_FACTORY` decides for `auto`, as it does for every gpiozero program.

    :raises BoardError: if real pins are asked for and cannot be had.
    """
    if name == "auto":
        name = _choose()
    if name == "mock":
        return MockFactory(pin_class=MockPWMPin)
    if util.find_spec(name) is None:
        remedy = 'set pins = "gpiod"' if name == "lgpio" else "run deploy/run once more"
        raise BoardError(
            f"the {name} module is missing (lgpio has no ready-made package for Python 3.13); "
            f'{remedy}, or set pins = "mock" to go on without pins'
        )
    try:
        return _open_gpiod() if name == "gpiod" else _open_lgpio()
    except PermissionError as error:
        raise BoardError(
            f"{error.filename} may not be opened; add this user to the group gpio (sudo usermod -aG gpio USER) "
            "and log in again"
        ) from None
    except (OSError, ImportError, BadPinFactory, GPIOZeroError) as error:
        raise BoardError(f"the pins cannot be opened ({error}); run `companion doctor` for the details") from error


def _choose() -> PinsName:
    wanted = os.environ.get("GPIOZERO_PIN_FACTORY")
    for name in REAL:
        if wanted == name:
            return name
    if wanted == "mock" or not is_raspberry_pi():
        return "mock"
    return "lgpio" if util.find_spec("lgpio") is not None else "gpiod"


def _open_lgpio() -> PinFactory:
    # lgpio makes a pipe in its working directory, which a service may not write (gpiozero issue 1106).
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory(chip=header_chip(chips()))


def _open_gpiod() -> PinFactory:
    from hardware.gpiod_factory import GpiodFactory

    return GpiodFactory()
