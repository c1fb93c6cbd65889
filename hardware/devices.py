"""The things on the desk: buttons, a knob, sensors, lamps, a buzzer. Each hangs on pins of a factory."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gpiozero
from gpiozero.exc import GPIOPinInUse, GPIOZeroError

from hardware.boards import BoardError
from hardware.debounce import Debounce, Gestures, GestureSeen
from hardware.encoder import Encoder, Line
from hardware.messages import Gesture, Mode
from hardware.wiring import Input, KnobWiring, Output, Pull

if TYPE_CHECKING:
    from hardware.boards import PinFactory

CLOCKS_APART = 60.0
"""An edge stamped so many seconds away from the factory's clock was stamped by another clock (kernels
before 5.7 used the time of day); it then counts as just now."""
BLINK, HURRY = 0.5, 0.125
"""Half a period, in seconds, of the slow and the fast blink."""


class PinError(RuntimeError):
    """A pin cannot be used; names the pin and what to do."""


def _open(number: int, what: str, device: Callable[[], gpiozero.GPIODevice]) -> gpiozero.GPIODevice:
    try:
        return device()
    except GPIOPinInUse:
        raise PinError(
            f"GPIO{number} ({what}) is in use already; give every button and lamp a pin of its own"
        ) from None
    except BoardError as error:
        raise PinError(f"GPIO{number} ({what}) cannot be used: {error}") from error
    except (GPIOZeroError, OSError) as error:
        hint = "is another program using it?" if isinstance(error, OSError) else "check the wiring file"
        raise PinError(f"GPIO{number} ({what}) cannot be used: {error}; {hint}") from error


def _open_input(number: int, what: str, pull: Pull, factory: PinFactory, active_high: bool = False) -> Any:
    pull_up = {"up": True, "down": False, "floating": None}[pull]
    active = active_high if pull_up is None else None
    return _open(
        number,
        what,
        lambda: gpiozero.InputDevice(number, pull_up=pull_up, active_state=active, pin_factory=factory),
    )


def _stamp(ticks: float, now: float) -> float:
    """Return when an edge was, on the factory's clock."""
    return ticks if abs(ticks - now) < CLOCKS_APART else now


class SeatButton:
    """A button between a pin and ground (or 3.3 V), told apart by its gestures.

    Edges come from the pin factory's thread, with the kernel's time stamps where there are some;
    `when_edge` is called after each, so that the owner can ask `settle` for what it means. gpiozero's
    own debouncing is not used: it loses short presses, and mock pins do not have it.

    :raises PinError: if the pin cannot be had.
    """

    def __init__(
        self, place: Input, gestures: frozenset[Gesture], factory: PinFactory, when_edge: Callable[[SeatButton], None]
    ) -> None:
        self.place = place
        self._device = _open_input(place.number, "a button", place.pull, factory, place.active_high)
        self._clock: Callable[[], float] = factory.ticks
        self._debounce = Debounce(self.is_pressed)
        self._gestures = Gestures(gestures)
        self._seen: list[GestureSeen] = []
        self._when_edge = when_edge
        self._lock = threading.Lock()
        self._device.pin.edges = "both"
        self._device.pin.when_changed = self._changed

    @property
    def is_pressed(self) -> bool:
        """Whether the contact is closed right now, not debounced."""
        return bool(self._device.value)

    def settle(self, now: float) -> list[GestureSeen]:
        """Return the gestures that are certain by `now`, a time on the factory's clock, in order."""
        with self._lock:
            for change in self._debounce.settle(now):
                self._seen += self._gestures.change(change)
            self._seen += self._gestures.settle(now)
            seen, self._seen = self._seen, []
        return seen

    def wake_at(self) -> float | None:
        """When `settle` has something to say at the latest; None if only an edge can change anything."""
        with self._lock:
            times = [time for time in (self._debounce.wake_at(), self._gestures.wake_at()) if time is not None]
        return min(times, default=None)

    def compare(self) -> None:
        """Read the level itself, so that an edge which the system swallowed does not leave the button deaf."""
        with self._lock:
            self._take(self.is_pressed, self._clock())

    def close(self) -> None:
        """Give the pin back."""
        if not self._device.closed:
            self._device.pin.when_changed = None
            self._device.close()

    def _changed(self, ticks: float, level: int) -> None:
        with self._lock:
            self._take(bool(level) == self.place.active_high, _stamp(ticks, self._clock()))
        self._when_edge(self)

    def _take(self, closed: bool, at: float) -> None:
        for change in self._debounce.edge(closed, at):
            self._seen += self._gestures.change(change)


class Knob:
    """A rotary encoder: two contacts between a pin each and ground (or 3.3 V).

    Edges come from the pin factory's thread; `when_edge` is called after each.

    :raises PinError: if one of the pins cannot be had; then none is kept.
    """

    def __init__(self, wiring: KnobWiring, factory: PinFactory, when_edge: Callable[[], None]) -> None:
        self._clock: Callable[[], float] = factory.ticks
        self._active_high = wiring.pull == "down"
        self._devices: dict[Line, gpiozero.InputDevice] = {}
        self._lock = threading.Lock()
        self._when_edge = when_edge
        try:
            self._devices["a"] = _open_input(wiring.a, "the knob", wiring.pull, factory)
            self._devices["b"] = _open_input(wiring.b, "the knob", wiring.pull, factory)
        except PinError:
            self.close()
            raise
        self._encoder = Encoder(self._is_closed("a") + 2 * self._is_closed("b"), wiring.per_step)
        # gpiozero keeps methods weakly, so they must be this object's own.
        watchers = {"a": self._a_changed, "b": self._b_changed}
        for line, device in self._devices.items():
            device.pin.edges = "both"
            device.pin.when_changed = watchers[line]

    def settle(self, now: float) -> int:
        """Return the steps that are certain by `now`, a time on the factory's clock; positive clockwise."""
        with self._lock:
            return self._encoder.settle(now)

    def wake_at(self) -> float | None:
        """When `settle` has something to say; None if only an edge can change anything."""
        with self._lock:
            return self._encoder.wake_at()

    def compare(self) -> None:
        """Read the levels themselves, so that an edge which the system swallowed is not missed for ever."""
        with self._lock:
            for line, believed in self._encoder.levels.items():
                if self._is_closed(line) != believed:
                    self._encoder.edge(line, not believed, self._clock())

    @property
    def contacts(self) -> tuple[bool, bool]:
        """Whether the contacts A and B are closed right now."""
        return self._is_closed("a"), self._is_closed("b")

    def close(self) -> None:
        """Give the pins back."""
        for device in self._devices.values():
            if not device.closed:
                device.pin.when_changed = None
                device.close()

    def _is_closed(self, line: Line) -> bool:
        return bool(self._devices[line].value)

    def _a_changed(self, ticks: float, level: int) -> None:
        self._changed("a", ticks, level)

    def _b_changed(self, ticks: float, level: int) -> None:
        self._changed("b", ticks, level)

    def _changed(self, line: Line, ticks: float, level: int) -> None:
        with self._lock:
            self._encoder.edge(line, bool(level) == self._active_high, _stamp(ticks, self._clock()))
        self._when_edge()


class Sensor:
    """A hall or reed switch of a turn track: closed while a magnet is near.

    :raises PinError: if the pin cannot be had.
    """

    def __init__(self, pin: int, pull: Pull, factory: PinFactory) -> None:
        self._device = _open_input(pin, "a sensor of the track", pull, factory)

    @property
    def is_closed(self) -> bool:
        """Whether a magnet is near, not debounced."""
        return bool(self._device.value)

    def close(self) -> None:
        """Give the pin back."""
        self._device.close()


class TurnLamp:
    """A lamp (LED and resistor, or a transistor) on a pin.

    :raises PinError: if the pin cannot be had.
    """

    def __init__(self, place: Output, factory: PinFactory) -> None:
        self._mode: Mode = "off"
        self._led = _open(
            place.number,
            "a lamp",
            lambda: gpiozero.LED(place.number, active_high=place.active_high, pin_factory=factory),
        )

    @property
    def mode(self) -> Mode:
        """What the lamp shows."""
        return self._mode

    def show(self, mode: Mode) -> None:
        """Show `mode`; asking twice for the same changes nothing, a blink goes on undisturbed."""
        if mode == self._mode:
            return
        self._mode = mode
        if mode == "off":
            self._led.off()
        elif mode == "on":
            self._led.on()
        else:
            half = BLINK if mode == "blink" else HURRY
            self._led.blink(half, half)

    def close(self) -> None:
        """Switch off and give the pin back."""
        if not self._led.closed:
            self.show("off")
            self._led.close()


class Buzzer:
    """An active buzzer (one that sounds by itself) on a pin.

    :raises PinError: if the pin cannot be had.
    """

    BEEP = 0.1

    def __init__(self, place: Output, factory: PinFactory) -> None:
        self._buzzer = _open(
            place.number,
            "the buzzer",
            lambda: gpiozero.Buzzer(place.number, active_high=place.active_high, pin_factory=factory),
        )

    def beep(self, times: int = 1) -> None:
        """Sound `times` short beeps, without waiting for their end."""
        self._buzzer.beep(self.BEEP, self.BEEP, times)

    def close(self) -> None:
        """Silence it and give the pin back."""
        if not self._buzzer.closed:
            self._buzzer.off()
            self._buzzer.close()
