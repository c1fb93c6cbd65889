"""The screen sleeps when nobody plays; during a game it never does."""

from __future__ import annotations

from collections.abc import Callable

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.event import EventDispatcher
from kivy.properties import BooleanProperty

SECONDS_TO_SLEEP = 600.0


class Doze(EventDispatcher):
    """Falls asleep after ten minutes without a touch if `may_sleep` agrees."""

    asleep = BooleanProperty(False)

    def __init__(self, may_sleep: Callable[[], bool], seconds: float = SECONDS_TO_SLEEP) -> None:
        super().__init__()
        self._may_sleep, self._seconds = may_sleep, seconds

    def start(self) -> None:
        Window.bind(on_touch_down=self._touched)
        self._wait()

    def stop(self) -> None:
        Window.unbind(on_touch_down=self._touched)
        Clock.unschedule(self.fall_asleep)

    def wake(self) -> None:
        self.asleep = False
        self._wait()

    def fall_asleep(self, *_: object) -> None:
        if self._may_sleep():
            self.asleep = True
        else:
            self._wait()

    def _touched(self, *_: object) -> None:
        self._wait()

    def _wait(self) -> None:
        Clock.unschedule(self.fall_asleep)
        Clock.schedule_once(self.fall_asleep, self._seconds)
