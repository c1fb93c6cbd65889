"""The buttons on the computer's own pins, as a witness on the table's port."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from companion.table.observation import Press
from companion.table.ports import Health, Observe
from hardware.devices import PinError, SeatButton
from hardware.messages import Gesture
from hardware.wiring import Function, Input, TableWiring

if TYPE_CHECKING:
    from hardware.boards import PinFactory

COMPARE_EVERY = 0.5
LEAST_WAIT = 0.001

_log = logging.getLogger(__name__)


class ButtonWitness:
    """Answers with a `Press` for each gesture that the wiring gives a meaning.

    A press is observed in the thread in which it becomes certain: the pin factory's, or one of the
    witness's own that watches the time. `Press.at` is the first contact, on the factory's clock.
    """

    name = "buttons"

    def __init__(self, wiring: TableWiring, factory: PinFactory) -> None:
        self._factory = factory
        self._meanings: dict[int, dict[Gesture, tuple[int, Function]]] = {}
        self._places: dict[int, Input] = {}
        for seat, seat_wiring in enumerate(wiring.seats):
            for function, place in seat_wiring.buttons:
                if place.where == "gpio":
                    self._places.setdefault(place.number, place)
                    self._meanings.setdefault(place.number, {})[place.gesture] = (seat, function)
        self._buttons: list[SeatButton] = []
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
            try:
                gestures = frozenset(self._meanings[number])
                self._buttons.append(SeatButton(place, gestures, self._factory, self._settle_soon))
            except PinError as error:
                self._problems.append(str(error))
                _log.error("%s", error)
        self._thread = threading.Thread(target=self._watch, name="buttons", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and give every pin back."""
        with self._edge:
            self._stopping = True
            self._edge.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        for button in self._buttons:
            button.close()
        self._buttons.clear()
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

    def _settle_soon(self, button: SeatButton) -> None:
        self._settle(button, self._factory.ticks())
        with self._edge:
            self._edge.notify()

    def _settle(self, button: SeatButton, now: float) -> None:
        for seen in button.settle(now):
            number = button.place.number
            seat, function = self._meanings[number][seen.gesture]
            _log.info("seat %d: %s (GPIO%d, %s)", seat + 1, function, number, seen.gesture)
            if self._observe is not None:
                self._observe(Press(self.name, seen.at, seat, function, f"gpio:{number} {seen.gesture}"))

    def _watch(self) -> None:
        compared_at = self._factory.ticks()
        while True:
            now = self._factory.ticks()
            if now - compared_at >= COMPARE_EVERY:
                compared_at = now
                self._compare()
            for button in self._buttons:
                self._settle(button, now)
            with self._edge:
                if self._stopping:
                    return
                # Asked under the lock of the notification, so that no edge slips in between.
                wakes = [wake for button in self._buttons if (wake := button.wake_at()) is not None]
                due = min(wakes, default=now + COMPARE_EVERY) - self._factory.ticks()
                self._edge.wait(max(LEAST_WAIT, min(due, COMPARE_EVERY)))

    def _compare(self) -> None:
        try:
            for button in self._buttons:
                button.compare()
        except OSError as error:
            # The chip is gone; once is enough to say.
            says = f"The pins do not answer ({error.strerror}); restart the companion."
            if says not in self._problems:
                self._problems.append(says)
                _log.error("%s", says)
