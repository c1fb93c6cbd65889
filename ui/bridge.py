"""The only file where another thread meets Kivy.

Other threads put models in, newest wins; the screen's thread takes them on its own tick. There is
no queue to fill up: a screen that was busy shows the newest model next and never the ones between.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from kivy.clock import Clock

from companion.presenters.desk import Desk, Frame, Intent, Published
from companion.presenters.models import NoticeModel

TICK = 1 / 30
KEPT_NOTICES = 4


class Bridge:
    """Models of a desk, handed to `show` on the screen's thread; intents out through `submit`."""

    def __init__(self, desk: Desk, show: Callable[[Published], None]) -> None:
        self._desk = desk
        self._show = show
        self._lock = threading.Lock()
        self._newest: dict[type, tuple[int, Published]] = {}
        self._notices: list[NoticeModel] = []
        self._serial = 0
        self._taken = 0
        self._beat: object | None = None
        self._thread = threading.get_ident()

    def start(self) -> None:
        """Open the desk and begin to take its models."""
        self._beat = Clock.schedule_interval(self._tick, TICK)
        self._desk.open(self._publish)

    def stop(self) -> None:
        """Close the desk; models that still arrive are dropped."""
        if self._beat is not None:
            Clock.unschedule(self._beat)
            self._beat = None
        self._desk.close()

    def submit(self, intent: Intent) -> None:
        self._desk.submit(intent)

    def frame(self) -> Frame | None:
        return self._desk.frame()

    def _publish(self, model: Published) -> None:
        """Called from any thread."""
        with self._lock:
            self._serial += 1
            if isinstance(model, NoticeModel):
                self._notices = [*self._notices[-KEPT_NOTICES:], model]
            else:
                self._newest[type(model)] = (self._serial, model)

    def _tick(self, _dt: float) -> None:
        if self._serial == self._taken:  # a stale read only costs one tick
            return
        if threading.get_ident() != self._thread:
            raise RuntimeError("the screen may only be changed from the thread that opened its window")
        with self._lock:
            fresh = [pair for pair in self._newest.values() if pair[0] > self._taken]
            notices, self._notices = self._notices, []
            self._taken = self._serial
        for _, model in sorted(fresh, key=lambda pair: pair[0]):
            self._show(model)
        for notice in notices:
            self._show(notice)
