"""The one thread of a table: witnesses' observations into one queue, the session, the markers.

Witnesses may call from any thread; everything else happens here, one observation after the other.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence

from companion.table.observation import Observation, Scene
from companion.table.ports import Health, Marker, Signal, Witness
from companion.table.session import Session

_STOP = object()
Job = Callable[[Session], None]


class Loop:
    """Runs a session in a thread of its own. `changed` is called in that thread after each step."""

    def __init__(
        self,
        session: Session,
        witnesses: Sequence[Witness] = (),
        markers: Sequence[Marker] = (),
        changed: Callable[[Session], None] | None = None,
    ) -> None:
        self.session, self.witnesses, self.markers = session, tuple(witnesses), tuple(markers)
        self._changed = changed
        self._queue: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._signal: Signal | None = None
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Start the table's thread, then the witnesses."""
        self._thread.start()
        self.ask(lambda session: None)
        for witness in self.witnesses:
            witness.start(self.observe)

    def observe(self, observation: Observation) -> None:
        """Hand an observation in; may be called from any thread and never blocks."""
        self._queue.put(observation)

    def ask(self, job: Job) -> None:
        """Have `job` done with the session in the table's thread."""
        self._queue.put(job)

    def stop(self) -> None:
        """Stop the witnesses, finish what is in the queue, stop the markers."""
        for witness in self.witnesses:
            witness.stop()
        self._queue.put(_STOP)
        if self._thread.is_alive():
            self._thread.join()
        for marker in self.markers:
            marker.stop()

    def health(self) -> dict[str, Health]:
        """Return how every witness and marker is doing, by name."""
        watched: tuple[Witness | Marker, ...] = (*self.witnesses, *self.markers)
        return {each.name: each.health() for each in watched}

    def _run(self) -> None:
        while (item := self._queue.get()) is not _STOP:
            if isinstance(item, Scene):
                item = self._newest(item)
                if item is _STOP:
                    return
            self.step(item)

    def _newest(self, scene: Scene) -> object:
        """Skip scenes that newer ones of the same kind have overtaken; nothing else is ever skipped."""
        item: object = scene
        while isinstance(item, Scene) and not self._queue.empty():
            following = self._queue.get()
            if not isinstance(following, Scene):
                self.step(item)
            item = following
        return item

    def step(self, item: object) -> None:
        """Take one observation or job in, show the markers what follows, and tell who listens."""
        if isinstance(item, Observation):
            self.session.observe(item)
        elif callable(item):
            item(self.session)
        if (signal := self.session.signal) != self._signal:
            self._signal = signal
            for marker in self.markers:
                marker.show(signal)
        if self._changed is not None:
            self._changed(self.session)
