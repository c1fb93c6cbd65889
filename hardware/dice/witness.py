"""The dice that report by themselves, as a witness on the table's port."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from companion.table.observation import DiceSeen
from companion.table.ports import Health, Observe
from hardware.dice.ble import BleDice
from hardware.dice.godice import GoDice
from hardware.dice.hand import Hand
from hardware.dice.pixels import Pixels
from hardware.dice.serial_dice import SerialDice
from hardware.dice.states import DieSource, DieState, Speaker
from hardware.inspection import InputState
from hardware.wiring import DiceWiring, DieAddress
from hardware.words import write_die


class SmartDice:
    """Answers with one `DiceSeen` for each throw, and says why dice do not count.

    `sources` listen to the dice; without them, those that the wiring names are used.
    """

    name = "smart dice"

    def __init__(
        self,
        wiring: DiceWiring,
        sources: Sequence[DieSource] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sources = tuple(sources_of(wiring) if sources is None else sources)
        self._clock, self._wiring = clock, wiring
        self._last: dict[int, str] = {}
        self._hand = Hand(self.name, [die.where for die in wiring.dice], wiring.faces)
        self._observe: Observe | None = None
        self._news = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None

    def start(self, observe: Observe) -> None:
        """Begin to listen to the dice."""
        if self._thread is not None:
            return
        self._observe, self._stopping = observe, False
        self._thread = threading.Thread(target=self._settle, name=self.name, daemon=True)
        self._thread.start()
        for source in self._sources:
            source.start(self._take)

    def stop(self) -> None:
        """Let go of the dice."""
        for source in self._sources:
            source.stop()
        with self._news:
            self._stopping = True
            self._news.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def health(self) -> Health:
        """Say how the dice are doing: the first that is not well speaks for all."""
        if self._thread is None:
            return Health("off", "The dice are not being listened to.")
        states = [source.health() for source in self._sources]
        return next((state for state in states if state.state != "ok"), Health("ok"))

    def inputs(self) -> list[InputState]:
        """Return what each die said last."""
        return [
            InputState(f"die {number + 1}", write_die(die), self._last.get(number, "nothing yet"))
            for number, die in enumerate(self._wiring.dice)
        ]

    def _take(self, die: int, state: DieState) -> None:
        with self._news:
            self._last[die] = " ".join([state.kind, *map(str, state.faces)])
            self._tell(self._hand.take(die, state, self._clock()))
            self._news.notify()

    def _settle(self) -> None:
        with self._news:
            while not self._stopping:
                self._tell(self._hand.settle(self._clock()))
                due = self._hand.wake_at()
                self._news.wait(None if due is None else max(0.0, due - self._clock()))

    def _tell(self, seen: Sequence[DiceSeen]) -> None:
        for each in seen:
            if self._observe is not None:
                self._observe(each)


def sources_of(wiring: DiceWiring) -> list[DieSource]:
    """Return who listens to the dice of a wiring: all Bluetooth dice together, each serial port by itself."""
    numbered = list(enumerate(wiring.dice))
    radio = {n: (die.where, _speaker(die, len(wiring.faces))) for n, die in numbered if die.kind != "serial"}
    ports: list[DieSource] = [SerialDice(die.where, n) for n, die in numbered if die.kind == "serial"]
    return [BleDice(radio), *ports] if radio else ports


def _speaker(die: DieAddress, sides: int) -> Speaker:
    return Pixels(sides) if die.kind == "pixels" else GoDice()
