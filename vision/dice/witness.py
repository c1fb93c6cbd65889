"""The camera as a witness of the dice: frames in, one report for each throw out, on a thread of its own."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.table.observation import DiceSeen
from companion.table.ports import Observe
from vision.dice.tray import TrayReader
from vision.sources.source import Playback, Source
from vision.watcher import LOOK_EVERY_S, Watcher

BLIND_AFTER_S = 2.0


class DiceWitness(Watcher):
    """Reports the dice of one tray whenever they were thrown and lie still."""

    def __init__(
        self,
        source: Source,
        reader: TrayReader,
        owns_source: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(reader.witness, source, clock, owns_source)
        self.reader = reader
        self._blind = ""

    def _doubt(self) -> str:
        return self.reader.last.says

    def _run(self, observe: Observe) -> None:
        number, fresh_at = -1, self._clock()
        while not self._stopping.is_set():
            frame = self.source.latest()
            if frame is not None and frame.number != number:
                number, fresh_at = frame.number, self._clock()
                self._blind = ""
                seen = self.reader.read(frame)
                if seen is not None:
                    observe(seen)
                continue
            silent = self._clock() - fresh_at
            if silent > BLIND_AFTER_S and not self._blind and not isinstance(self.source, Playback):
                self._blind = self._silence(fresh_at)
                observe(DiceSeen(self.name, self._clock(), (), problem=self._blind))
            self._stopping.wait(LOOK_EVERY_S)
