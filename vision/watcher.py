"""A source of pictures watched on a thread of its own: begun, stopped, and how it does."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.table.ports import Health, Observe
from vision.sources.source import Source

LOOK_EVERY_S = 0.01


class Watcher:
    """A witness that looks at the pictures of a source. Subclassed once for each kind of thing it reports.

    A source may be shared by several watchers; one with `owns_source` false neither starts nor stops it.
    """

    def __init__(self, name: str, source: Source, clock: Callable[[], float], owns_source: bool = True) -> None:
        self.name, self.source = name, source
        self._clock, self._owns_source = clock, owns_source
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

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
        says = self._doubt() or state.says
        return Health("unsure", says) if says else Health("ok")

    def _doubt(self) -> str:
        """Return what keeps the last picture from being read well; empty if nothing does."""
        raise NotImplementedError

    def _run(self, observe: Observe) -> None:
        """Look at pictures and report, until `_stopping` is set. Runs in the witness's own thread."""
        raise NotImplementedError

    def _silence(self, since: float) -> str:
        """Say why there has been no picture since that time."""
        return self.source.state().says or f"{self.name} has sent no picture for {self._clock() - since:.0f} s"
