"""The one thread of a table: witnesses' observations into one queue, the session, the markers.

Witnesses may call from any thread; everything else happens here, one observation after the other.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from companion.table.observation import Observation, Scene
from companion.table.ports import Health, Keeper, Marker, Signal, Witness
from companion.table.session import Session

_STOP = object()
Job = Callable[[Session], None]
TABLE = "table"
"""The name under which the loop reports its own health."""


class Loop:
    """Runs a session in a thread of its own. `changed` is called in that thread after each step."""

    def __init__(
        self,
        session: Session,
        witnesses: Sequence[Witness] = (),
        markers: Sequence[Marker] = (),
        changed: Callable[[Session], None] | None = None,
        keepers: Sequence[Keeper] = (),
    ) -> None:
        """Take the parts together; `keepers` are witnesses that somebody else starts and stops."""
        self.session, self.witnesses, self.markers = session, tuple(witnesses), tuple(markers)
        self._keepers = (*keepers, *(witness for witness in self.witnesses if isinstance(witness, Keeper)))
        self._changed = changed
        self._queue: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._signal: Signal | None = None
        self._health = Health("ok")
        self._thread = threading.Thread(target=self._run, name=TABLE, daemon=True)

    def start(self) -> None:
        """Start the table's thread, then the witnesses; if one cannot start, stop them all again."""
        self._thread.start()
        self.ask(lambda session: None)
        try:
            for witness in self.witnesses:
                witness.start(self.observe)
        except BaseException:
            self.stop()
            raise

    def observe(self, observation: Observation) -> None:
        """Hand an observation in; may be called from any thread and never blocks."""
        self._queue.put(observation)

    def ask(self, job: Job) -> None:
        """Have `job` done with the session in the table's thread."""
        self._queue.put(job)

    def stop(self) -> None:
        """Stop the witnesses, finish what is in the queue, stop the markers. Calling it twice is allowed.

        Called in the table's own thread it does not wait: the queue is finished after the caller returns.
        """
        for witness in self.witnesses:
            self._guarded(witness.stop, f"{witness.name} could not be stopped")
        self._queue.put(_STOP)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()
        for marker in self.markers:
            self._guarded(marker.stop, f"{marker.name} could not be stopped")

    def health(self) -> dict[str, Health]:
        """Return how the loop itself, every witness and every marker is doing, by name."""
        watched: tuple[Witness | Marker, ...] = (*self.witnesses, *self.markers)
        return {TABLE: self._health, **{each.name: each.health() for each in watched}}

    def _run(self) -> None:
        while True:
            waiting = [self._queue.get()]
            while not self._queue.empty():
                waiting.append(self._queue.get())
            for item in without_overtaken(waiting):
                if item is _STOP:
                    return
                self.step(item)

    def step(self, item: object) -> None:
        """Take one observation or job in, show the markers what follows, and tell who listens.

        A fault in one of them stops neither the others nor the table; it is reported on standard error
        and from then on in `health`.
        """
        if isinstance(item, Observation):
            self._take_in(item)
        elif callable(item):
            self._guarded(lambda: item(self.session), "something asked of the table could not be done")
        if (signal := self.session.signal) != self._signal:
            self._signal = signal
            for marker in self.markers:
                self._guarded(partial(marker.show, signal), f"{marker.name} could not be shown")
        if self._changed is not None:
            changed = self._changed
            self._guarded(lambda: changed(self.session), "the screen could not be told")

    def hear(self, observation: Observation) -> None:
        """Hand an observation to the session; whoever has a screen may want to hear it first."""
        self.session.observe(observation)

    def _take_in(self, observation: Observation) -> None:
        """Take an observation in; one that a keeper repeats after a crash is not taken in twice."""
        keeper = next((each for each in self._keepers if each.name == observation.witness), None)
        repeated = keeper is not None and self.session.knows(getattr(observation, "evidence", ""))
        taken = repeated or self._guarded(lambda: self.hear(observation), "an observation could not be taken in")
        if keeper is not None and taken:
            self._guarded(lambda: keeper.settled(observation), f"{keeper.name} could not be told")

    def _guarded(self, act: Callable[[], object], what: str) -> bool:
        try:
            act()
        except Exception as error:  # noqa: BLE001  a fault in one listener must not silence the table
            self._health = Health("failed", f"{what} ({error!r}); nothing is lost, please report it")
            threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, self._thread)))
            return False
        return True


def without_overtaken(items: Iterable[object]) -> Iterator[object]:
    """Yield the items in their order, without the scenes that newer ones of the same witness overtake.

    A scene at rest is overtaken only by a later one at rest: what was seen in between hands must not be
    lost. Between two scenes that are compared stands nothing but scenes, so no press or dice comes
    earlier or later than it was made.
    """
    run: list[Scene] = []
    for item in items:
        if isinstance(item, Scene):
            run = [old for old in run if old.witness != item.witness or (old.steady and not item.steady)]
            run.append(item)
            continue
        yield from run
        run = []
        yield item
    yield from run
