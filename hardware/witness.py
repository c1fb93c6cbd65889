"""The buttons and the knob on the computer's own pins, as a witness on the table's port."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from companion.table.observation import KnobTurned, Observation, Press
from companion.table.ports import Health, Observe
from hardware.devices import Knob, PinError, SeatButton
from hardware.inspection import InputState, contact
from hardware.messages import GESTURES, Gesture
from hardware.wiring import Function, Input, KnobWiring, TableWiring

if TYPE_CHECKING:
    from hardware.boards import PinFactory

COMPARE_EVERY = 0.5
LEAST_WAIT = 0.001

Meanings = dict[Gesture, tuple[int | None, Function]]

_log = logging.getLogger(__name__)


class Watched(Protocol):
    """Something on pins whose edges mean something after a while."""

    def hear(self, now: float) -> list[Observation]:
        """Return what is certain by `now`, in order."""

    def input(self) -> InputState:
        """Return what its contacts say right now."""

    def wake_at(self) -> float | None:
        """When `hear` has something to say; None if only an edge can change anything."""

    def compare(self) -> None:
        """Read the levels themselves."""

    def close(self) -> None:
        """Give the pins back."""


WhenEdge = Callable[[Watched], None]


class ButtonWatch:
    """A button with the meanings of its gestures."""

    def __init__(self, place: Input, meanings: Meanings, factory: PinFactory, when_edge: WhenEdge) -> None:
        self._meanings = meanings
        self.button = SeatButton(place, frozenset(meanings), factory, lambda _: when_edge(self))

    def hear(self, now: float) -> list[Observation]:
        pin, heard = self.button.place.number, list[Observation]()
        for seen in self.button.settle(now):
            seat, function = self._meanings[seen.gesture]
            _log.info("%s: %s (GPIO%d, %s)", _whose(seat), function, pin, seen.gesture)
            heard.append(Press(ButtonWitness.name, seen.at, seat, function, f"gpio:{pin} {seen.gesture}"))
        return heard

    def input(self) -> InputState:
        meanings = sorted(self._meanings.items(), key=lambda each: GESTURES.index(each[0]))
        names = [f"{_whose(seat)} {function}{_how(gesture)}" for gesture, (seat, function) in meanings]
        return InputState(", ".join(names), f"GPIO{self.button.place.number}", contact(self.button.is_pressed))

    def wake_at(self) -> float | None:
        return self.button.wake_at()

    def compare(self) -> None:
        self.button.compare()

    def close(self) -> None:
        self.button.close()


class KnobWatch:
    """The knob."""

    def __init__(self, wiring: KnobWiring, factory: PinFactory, when_edge: WhenEdge) -> None:
        self._wiring = wiring
        self._knob = Knob(wiring, factory, lambda: when_edge(self))

    def hear(self, now: float) -> list[Observation]:
        steps = self._knob.settle(now)
        return [KnobTurned(ButtonWitness.name, now, steps)] if steps else []

    def input(self) -> InputState:
        a, b = self._knob.contacts
        return InputState("knob", f"GPIO{self._wiring.a}, GPIO{self._wiring.b}", f"A {contact(a)}, B {contact(b)}")

    def wake_at(self) -> float | None:
        return self._knob.wake_at()

    def compare(self) -> None:
        self._knob.compare()

    def close(self) -> None:
        self._knob.close()


class ButtonWitness:
    """Answers with a `Press` for each gesture that the wiring gives a meaning, and with the knob's turns.

    A press is observed in the thread in which it becomes certain: the pin factory's, or one of the
    witness's own that watches the time. `Press.at` is the first contact, on the factory's clock.
    """

    name = "buttons"

    def __init__(self, wiring: TableWiring, factory: PinFactory) -> None:
        self._factory, self._knob = factory, wiring.knob
        self._meanings: dict[int, Meanings] = {}
        self._places: dict[int, Input] = {}
        for seat, function, place in wiring.all_buttons:
            if place.where == "gpio":
                self._places.setdefault(place.number, place)
                self._meanings.setdefault(place.number, {})[place.gesture] = (seat, function)
        self._watched: list[Watched] = []
        self._problems: list[str] = []
        self._observe: Observe | None = None
        self._stopping = False
        self._edge = threading.Condition()
        self._thread: threading.Thread | None = None

    def start(self, observe: Observe) -> None:
        """Claim the pins and begin to watch. A pin that cannot be had is told by `health`."""
        if self._thread is not None:
            return
        self._observe, self._stopping, self._problems = observe, False, []
        for number, place in self._places.items():
            self._claim(partial(ButtonWatch, place, self._meanings[number]))
        if self._knob is not None:
            self._claim(partial(KnobWatch, self._knob))
        self._thread = threading.Thread(target=self._watch, name=self.name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and give every pin back."""
        with self._edge:
            self._stopping = True
            self._edge.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        for each in self._watched:
            each.close()
        self._watched.clear()
        self._observe = None

    def health(self) -> Health:
        """Say whether all buttons are watched."""
        if self._problems:
            return Health("failed", " ".join(self._problems))
        if self._thread is None:
            return Health("off", "The buttons are not being watched.")
        if not self._thread.is_alive():
            return Health("failed", "Watching the buttons ended by an error; see the log, restart the companion.")
        return Health("ok")

    def inputs(self) -> list[InputState]:
        """Return the state of every contact at this moment."""
        return [watched.input() for watched in tuple(self._watched)]

    def _claim(self, make: Callable[[PinFactory, WhenEdge], Watched]) -> None:
        try:
            self._watched.append(make(self._factory, self._settle_soon))
        except PinError as error:
            self._problems.append(str(error))
            _log.error("%s", error)

    def _settle_soon(self, watched: Watched) -> None:
        self._settle(watched, self._factory.ticks())
        with self._edge:
            self._edge.notify()

    def _settle(self, watched: Watched, now: float) -> None:
        for observation in watched.hear(now):
            if self._observe is not None:
                self._observe(observation)

    def _watch(self) -> None:
        compared_at = self._factory.ticks()
        while True:
            now = self._factory.ticks()
            if now - compared_at >= COMPARE_EVERY:
                compared_at = now
                self._compare()
            for watched in self._watched:
                self._settle(watched, now)
            with self._edge:
                if self._stopping:
                    return
                # Asked under the lock of the notification, so that no edge slips in between.
                wakes = [wake for watched in self._watched if (wake := watched.wake_at()) is not None]
                due = min(wakes, default=now + COMPARE_EVERY) - self._factory.ticks()
                self._edge.wait(max(LEAST_WAIT, min(due, COMPARE_EVERY)))

    def _compare(self) -> None:
        try:
            for watched in self._watched:
                watched.compare()
        except OSError as error:
            # The chip is gone; once is enough to say.
            says = f"The pins do not answer ({error.strerror}); restart the companion."
            if says not in self._problems:
                self._problems.append(says)
                _log.error("%s", says)


def _how(gesture: Gesture) -> str:
    return "" if gesture == "short" else f" ({gesture})"


def _whose(seat: int | None) -> str:
    return "the table" if seat is None else f"seat {seat + 1}"
