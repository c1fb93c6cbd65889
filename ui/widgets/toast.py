"""A sentence that passes by. It never takes a touch and never asks anything."""

from __future__ import annotations

from kivy.clock import Clock
from kivy.properties import ColorProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.presenters.models import NoticeModel
from ui.theme import Theme

SECONDS = {"done": 3.0, "refused": 7.0, "failed": 9.0}
ICONS = {"done": "yes", "refused": "no", "failed": "alert"}


class Toast(BoxLayout):
    """`show` displays a notice for a few seconds, longer when it is bad news; a newer one replaces it."""

    text = StringProperty("")
    icon = StringProperty("yes")
    ground = ColorProperty([0, 0, 0, 1])
    ink = ColorProperty([1, 1, 1, 1])

    def show(self, notice: NoticeModel, theme: Theme) -> None:
        self.text = notice.says + (f"  ({', '.join(notice.cites)})" if notice.cites else "")
        self.icon = ICONS[notice.tone]
        bad = notice.tone != "done"
        self.ground, self.ink = (theme.alarm, theme.over_alarm) if bad else (theme.primary, theme.over_primary)
        self.opacity = 1
        Clock.unschedule(self._fade)
        Clock.schedule_once(self._fade, SECONDS[notice.tone])

    def _fade(self, *_: object) -> None:
        self.opacity = 0

    def on_touch_down(self, touch: object) -> bool:
        return False
