"""A stand-in for libgpiod's chip where the kernel has none: the same calls, the same refusals."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from types import SimpleNamespace

from gpiod import EdgeEvent, LineSettings
from gpiod.line import Direction, Edge, Value


class FakeChip:
    """Lines of a chip. `drive` is the outside world; `others` are lines that another program holds."""

    def __init__(self, lines: int = 28, others: dict[int, str] | None = None) -> None:
        self.levels = [False] * lines
        self.others = others or {}
        self.requests: list[FakeRequest] = []
        self.gone = False
        self.polled: Callable[[], object] = lambda: None
        """The request on which a thread waits: if it is released, a kernel keeps its lines busy."""
        self.lock = threading.Lock()

    def request_lines(self, config: dict[int, LineSettings], consumer: str) -> FakeRequest:
        for offset in config:
            if self.gone:
                raise OSError(errno.ENODEV, "No such device")
            if not offset < len(self.levels):
                raise OSError(errno.EINVAL, "Invalid argument")
            if offset in self.others or any(offset in request.config for request in self.requests):
                raise OSError(errno.EBUSY, "Device or resource busy")
        self.requests.append(FakeRequest(self, config))
        return self.requests[-1]

    def get_line_info(self, offset: int) -> SimpleNamespace:
        return SimpleNamespace(consumer=self.others.get(offset, ""))

    def drive(self, *edges: tuple[int, bool, float]) -> None:
        """Bring lines to levels at times, all before anybody reads; a request may hand them out in any order."""
        with self.lock:
            for offset, level, at in edges:
                self.levels[offset] = level
                for request in self.requests:
                    request.note(offset, level, at)

    def pull_out(self) -> None:
        self.gone = True
        for request in self.requests:
            os.eventfd_write(request.fd, 1)

    def close(self) -> None:
        pass


class FakeRequest:
    def __init__(self, chip: FakeChip, config: dict[int, LineSettings]) -> None:
        self.chip, self.config = chip, dict(config)
        self.fd = os.eventfd(0, os.EFD_NONBLOCK)
        self.events: list[EdgeEvent] = []
        self.numbered = 0
        for offset, settings in config.items():
            if settings.direction is Direction.OUTPUT:
                chip.levels[offset] = settings.output_value is Value.ACTIVE

    def note(self, offset: int, level: bool, at: float) -> None:
        settings = self.config.get(offset)
        wanted = {Edge.BOTH, Edge.RISING if level else Edge.FALLING}
        if settings is None or settings.edge_detection not in wanted:
            return
        self.numbered += 1
        kind = EdgeEvent.Type.RISING_EDGE if level else EdgeEvent.Type.FALLING_EDGE
        # One of two is handed out late, as real kernels were seen to do.
        self.events.insert(len(self.events) & ~1, EdgeEvent(kind.value, round(at * 1e9), offset, self.numbered, 0))
        os.eventfd_write(self.fd, 1)

    def reconfigure_lines(self, config: dict[int, LineSettings]) -> None:
        assert set(config) == set(self.config), "a request cannot grow"
        self.config = dict(config)

    def wait_edge_events(self, timeout: float) -> bool:
        if self.chip.gone:
            raise OSError(errno.ENODEV, "No such device")
        with self.chip.lock:
            return bool(self.events)

    def read_edge_events(self) -> list[EdgeEvent]:
        with self.chip.lock:
            os.eventfd_read(self.fd)
            events, self.events = self.events, []
            return events

    def get_value(self, offset: int) -> Value:
        if self.chip.gone:
            raise OSError(errno.ENODEV, "No such device")
        return Value(self.chip.levels[offset])

    def set_value(self, offset: int, value: Value) -> None:
        assert self.config[offset].direction is Direction.OUTPUT
        self.chip.levels[offset] = value is Value.ACTIVE

    def release(self) -> None:
        assert self.chip.polled() is not self, "its lines would stay busy"
        self.chip.requests.remove(self)
        os.close(self.fd)
