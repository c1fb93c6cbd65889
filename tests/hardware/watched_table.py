"""Run as a program: `companion doctor --watch` on virtual pins, which lines on file descriptor 3 drive.

A line is `16 low` or `16 high`; a tenth of a second passes on the board's clock after it, however long it takes.
"""

from __future__ import annotations

import os
import sys
import threading

from companion.__main__ import main
from companion.cli import _watch
from hardware.virtual import VirtualFactory

DRIVER = 3
NOW = [100.0]


def drive(factory: VirtualFactory) -> None:
    with os.fdopen(DRIVER, encoding="ascii") as lines:
        for line in lines:
            number, level = line.split()
            pin = factory.pin(f"GPIO{number}")
            if level == "low":
                pin.drive_low()
            else:
                pin.drive_high()
            NOW[0] += 0.1


if __name__ == "__main__":
    pins = VirtualFactory(lambda: NOW[0])
    _watch.open_pins = lambda name: pins  # type: ignore[assignment]
    threading.Thread(target=drive, args=(pins,), daemon=True).start()
    sys.exit(main())
