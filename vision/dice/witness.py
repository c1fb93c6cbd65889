"""The camera as a witness of the dice: frames in, one report for each throw out, on a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.table.observation import DiceSeen
from companion.table.ports import Health, Observe
from vision.dice.tray import TrayReader
from vision.sources.source import Playback, Source

LOOK_EVERY_S = 0.01
BLIND_AFTER_S = 2.0


class DiceWitness:
    """Reports the dice of one tray whenever they were thrown and lie still.

    The source may be shared with a `CameraWitness`; with `owns_source` false it is neither started nor
    stopped here.
    """

    def __init__(
        self,
        source: Source,
        reader: TrayReader,
        owns_source: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = reader.witness
        self.source, self.reader = source, reader
        self._owns_source, self._clock = owns_source, clock
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._blind = ""

    def start(self, observe: Observe) -> None:
        """Begin to watch; `observe` is called from the witness's own thread."""
        if self._thread is not None:
            return
        self._stopping.clear()
        if self._owns_source:
            self.source.start()
        self._thread = threading.Thread(target=self._run, args=(observe,), name=f"witness {self.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and, if it is the witness's own, give back the camera. Calling it twice is allowed."""
        thread, self._thread = self._thread, None
        self._stopping.set()
        if self._owns_source:
            self.source.stop()
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=2.0)

    def health(self) -> Health:
        """Say how camera and reading are doing; never blocks."""
        if self._thread is None:
            return Health("off", f"{self.name} is switched off")
        if not self._thread.is_alive():
            return Health("failed", f"{self.name} has stopped by a fault; restart the companion and report it")
        state = self.source.state()
        if state.named == "waiting":
            return Health("waiting", state.says)
        if state.named not in ("ok", "wrong size"):
            return Health("failed", state.says)
        says = self.reader.last.says or state.says
        return Health("unsure", says) if says else Health("ok")

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
                says = self.source.state().says or f"{self.name} has sent no picture for {silent:.0f} s"
                self._blind = says
                observe(DiceSeen(self.name, self._clock(), (), problem=says))
            self._stopping.wait(LOOK_EVERY_S)
