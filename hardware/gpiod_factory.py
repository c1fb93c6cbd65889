"""A pin factory for gpiozero over libgpiod 2, for wherever lgpio has no wheel (Python 3.13) or is not wanted.

The chip is chosen by its label, edges carry the kernel's time stamps and come in the kernel's order, and
nothing is written into the working directory. `GPIOZERO_PIN_FACTORY=gpiod` chooses it for any gpiozero
program. No pulse-width modulation: lamps and buzzers here are on or off.
"""

from __future__ import annotations

import time

import gpiod
from gpiod.line import Bias, Edge
from gpiozero.exc import (
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
    PinUnknownPi,
)
from gpiozero.pins import PinInfo
from gpiozero.pins.local import get_pi_revision
from gpiozero.pins.pi import PiFactory, PiPin

from hardware.boards import chips, header_chip
from hardware.gpiod_lines import Lines

HEADER_OF_40 = 0xC03111
"""The revision of a Pi 4 B: stands for the 40-pin header on a computer that has one and no Pi revision."""
BIASES = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
EDGES = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}


class GpiodFactory(PiFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of the 40-pin header; on `chip`, a device path, or on the one that has a header's label.

    :raises BoardError: if there is no such chip.
    :raises PermissionError: if it may not be opened.
    """

    def __init__(self, chip: str | None = None) -> None:
        super().__init__()
        self.pin_class = GpiodPin
        self._chip = gpiod.Chip(chip or f"/dev/gpiochip{header_chip(chips())}")
        self.lines = Lines(self._chip)

    def close(self) -> None:
        """Give all lines and the chip back."""
        super().close()
        self.lines.close()
        self._chip.close()

    @staticmethod
    def ticks() -> float:
        """Return the time of the clock that stamps the edges, in seconds."""
        return time.monotonic()

    @staticmethod
    def ticks_diff(later: float, earlier: float) -> float:
        """Return the seconds between two times of `ticks`."""
        return later - earlier

    def _get_revision(self) -> int:
        try:
            revision: int = get_pi_revision()
        except PinUnknownPi:
            return HEADER_OF_40
        return revision


class GpiodPin(PiPin):  # type: ignore[misc]  # gpiozero has no types
    """One line; its number on the chip is the number of the GPIO, as on every Raspberry Pi."""

    def __init__(self, factory: GpiodFactory, info: PinInfo) -> None:
        super().__init__(factory, info)
        self._lines = factory.lines
        self._function = ""
        self._pull = info.pull or "floating"
        self._edges = "both"

    def close(self) -> None:
        """Give the line back."""
        self.when_changed = None
        self._lines.free(self._number)
        self._function = ""

    def output_with_state(self, state: float) -> None:
        """Become an output that shows `state` from the start, without a flash of the other one."""
        self.when_changed = None
        self._lines.claim_output(self._number, bool(state))
        self._function = "output"

    def input_with_pull(self, pull: str) -> None:
        """Become an input with this pull (up, down or floating)."""
        if pull not in BIASES:
            raise PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        if self.info.pull not in (pull, ""):
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        self._lines.claim_input(self._number, BIASES[pull])
        self._function, self._pull = "input", pull

    def _get_function(self) -> str:
        return self._function or "input"

    def _set_function(self, value: str) -> None:
        if value == "input":
            self.input_with_pull(self._pull)
        elif value == "output":
            self.output_with_state(0)
        else:
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')

    def _get_state(self) -> bool:
        return self._lines.read(self._number)

    def _set_state(self, value: float) -> None:
        if self._function != "output":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self._lines.write(self._number, bool(value))

    def _get_pull(self) -> str:
        return self._pull

    def _set_pull(self, value: str) -> None:
        if self._function == "output":
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        self.input_with_pull(value)

    def _get_bounce(self) -> None:
        return None

    def _set_bounce(self, value: float | None) -> None:
        if value:
            raise PinInvalidBounce("the kernel's debouncing loses short presses; debounce the edges themselves")

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in EDGES:
            raise PinInvalidEdges(f'invalid edge specification "{value}" for pin {self!r}')
        self._edges = value
        if self.when_changed is not None:
            self._enable_event_detect()

    def _enable_event_detect(self) -> None:
        self._lines.watch(self._number, EDGES[self._edges], self._call_when_changed)

    def _disable_event_detect(self) -> None:
        self._lines.unwatch(self._number)
