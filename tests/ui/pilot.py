"""Drives the application without its loop: steps frames, puts fingers on widgets, takes pictures.

The screen's time goes on with the frames and not with the clock on the wall: a button that stays down for a
moment, a notice that fades, a choice that is too fresh to be meant take as many frames on every machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import ceil
from pathlib import Path

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent
from kivy.input.provider import MotionEventProvider
from kivy.lang.parser import global_idmap
from kivy.uix.widget import Widget

from companion.presenters.models import LookModel
from tests.ui.memory_desk import MemoryDesk
from ui.app import CompanionApp
from ui.widgets.buttons import ActionTile

FRAME_S = 1 / 60
PATIENCE_S = 600.0
"""How long another thread may take at most; only a machine with much else to do needs it."""


class Finger(MotionEvent):
    def __init__(self, device: str, uid: int, sx: float, sy: float) -> None:
        super().__init__(device, uid, {"sx": sx, "sy": sy}, is_touch=True, type_id="touch")
        self.time_start = Clock.get_time()

    def depack(self, args: dict[str, float]) -> None:
        self.sx, self.sy = args["sx"], args["sy"]
        self.profile = ["pos"]
        super().depack(args)


class Fingers(MotionEventProvider):
    """A provider whose touches go the whole way through Kivy's input pipeline."""

    def __init__(self) -> None:
        super().__init__("fingers", "")
        self.waiting: list[tuple[str, Finger]] = []

    def start(self) -> None:
        """Nothing to start."""

    def stop(self) -> None:
        """Nothing to stop."""

    def update(self, dispatch_fn: object) -> None:
        while self.waiting:
            kind, finger = self.waiting.pop(0)
            if kind != "begin":
                finger.move({"sx": finger.sx, "sy": finger.sy})
            if kind == "end":
                finger.update_time_end()
            dispatch_fn(kind, finger)


class Pilot:
    """One running application in the process's one window."""

    def __init__(self, size: tuple[int, int], desk: MemoryDesk | None = None, look: LookModel | None = None) -> None:
        self.desk = desk or MemoryDesk()
        EventLoop.ensure_window()
        self._now = Clock.get_time()
        Clock.time = lambda: self._now
        Window.size = size
        self.app = CompanionApp(self.desk, look)
        self.app._run_prepare()
        self._fingers = Fingers()
        self._uid = 0
        EventLoop.add_input_provider(self._fingers)
        self.step(4)

    def close(self) -> None:
        EventLoop.remove_input_provider(self._fingers)
        self.app.dispatch("on_stop")
        for child in list(Window.children):
            Window.remove_widget(child)
        self.step(2)
        # kv rules reach the app through a proxy that would go on naming this one.
        object.__setattr__(global_idmap["app"], "_obj", None)

    def step(self, frames: int = 3) -> None:
        for _ in range(frames):
            self._now += FRAME_S
            EventLoop.idle()

    def settle(self, seconds: float = 0.45) -> None:
        """Let the screen's time pass: buttons stay down a moment, fresh choices wait before they count."""
        self.step(ceil(seconds / FRAME_S))

    def wait(self, until: Callable[[], object]) -> bool:
        """Step until something holds that another thread brings about; tell whether it did."""
        end = time.monotonic() + PATIENCE_S
        while not until():
            if time.monotonic() > end:
                return False
            time.sleep(0.005)
            self.step(1)
        self.step(3)
        return True

    def show(self, *models: object) -> None:
        for model in models:
            self.desk.publish(model)
        self.settle(0.05)
        self.step(4)

    # -- fingers ----------------------------------------------------------------------------

    def finger(self, point: tuple[float, float], device: str = "fingers") -> Finger:
        self._uid += 1
        return Finger(device, self._uid, point[0] / Window.width, point[1] / Window.height)

    def put(self, kind: str, finger: Finger) -> None:
        self._fingers.waiting.append((kind, finger))
        self.step(2)

    def tap(self, target: Widget | tuple[float, float]) -> None:
        point = target.to_window(*target.center) if isinstance(target, Widget) else target
        finger = self.finger(point)
        self.put("begin", finger)
        self.put("end", finger)
        self.settle(0.08)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        finger = self.finger(start)
        self.put("begin", finger)
        for part in (0.25, 0.5, 0.75, 1.0):
            finger.sx = (start[0] + (end[0] - start[0]) * part) / Window.width
            finger.sy = (start[1] + (end[1] - start[1]) * part) / Window.height
            self.put("update", finger)
        self.put("end", finger)
        self.settle(0.08)

    # -- looking ----------------------------------------------------------------------------

    @property
    def here(self) -> str:
        return self.app.root.here

    @property
    def sheet(self) -> Widget:
        return self.app.root.sheet(self.here)

    def shown(self, kind: type = Widget) -> Iterator[Widget]:
        """Every widget of a kind that is on the window now."""
        for widget in self.app.root.walk():
            if isinstance(widget, kind) and is_shown(widget):
                yield widget

    def button(self, text: str) -> ActionTile:
        """The button with this word on it; it may take a moment to come."""
        self.wait(lambda: any(button.text == text for button in self.shown(ActionTile)))
        found = [button for button in self.shown(ActionTile) if button.text == text]
        assert found, f"no button {text!r}; there are {sorted(button.text for button in self.shown(ActionTile))}"
        return found[0]

    def cell(self, view: Widget, key: str) -> tuple[float, float]:
        """The window position of the middle of a cell of a board."""
        x, y, width, height = view.boxes[key]
        return view.to_window(x + width / 2, y + height / 2)

    def picture(self, path: Path) -> Path:
        self.step(3)
        written = Path(Window.screenshot(name=str(path)))
        written.replace(path)
        return path


def is_shown(widget: Widget) -> bool:
    """Whether any part of a widget is on the window and it is not faded out."""
    node = widget
    while node is not None and node is not node.parent:
        if getattr(node, "opacity", 1) == 0:
            return False
        node = node.parent
    x, y = widget.to_window(widget.x, widget.y)
    return (
        widget.width > 1
        and widget.height > 1
        and x + widget.width > 0
        and y + widget.height > 0
        and x < Window.width
        and y < Window.height
    )
