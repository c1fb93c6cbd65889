"""The lines of one GPIO chip through libgpiod: inputs with the kernel's time stamps, outputs.

All inputs are lines of *one* request, because only within a request does the kernel number the edges
over all lines (`global_seqno`): of a rotary encoder's two contacts one has to know which came first.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import select
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from gpiod import LineSettings
from gpiod.line import Bias, Clock, Direction, Edge, Value

from hardware.boards import BoardError

if TYPE_CHECKING:
    from gpiod import Chip, EdgeEvent, LineRequest

CONSUMER = "companion"
"""What the kernel shows as the user of our lines."""
Listener = Callable[[float, bool], None]
"""Called with the time of an edge (seconds of the monotonic clock) and the level after it."""

_log = logging.getLogger(__name__)


def explain(error: OSError, offset: int, chip: Chip) -> BoardError:
    """Say in words why line `offset` cannot be had, and what to do."""
    if error.errno == errno.EBUSY:
        user = "another program"
        with contextlib.suppress(OSError):
            user = chip.get_line_info(offset).consumer or user
        return BoardError(f"{user} uses it; end that, or use another pin")
    if error.errno in (errno.EACCES, errno.EPERM):
        return BoardError("it may not be used; add this user to the group gpio, log in again")
    if error.errno == errno.ENODEV:
        return BoardError("its chip is gone; restart the computer")
    if error.errno == errno.EINVAL:
        return BoardError("the chip has no such line or not this pull resistor; use another pin")
    return BoardError(f"the kernel refuses it ({os.strerror(error.errno or 0)}); use another pin")


class Lines:
    """Inputs and outputs of a chip. May be used from any thread; listeners are called in one of its own."""

    def __init__(self, chip: Chip) -> None:
        self.trouble = ""
        """Why no more edges come, if so."""
        self._chip = chip
        self._lock = threading.Condition(threading.RLock())
        self._is_polled = False
        self._changing = 0
        self._inputs: dict[int, LineSettings] = {}
        self._request: LineRequest | None = None
        self._outputs: dict[int, LineRequest] = {}
        self._listeners: dict[int, Listener] = {}
        self._waiting: deque[EdgeEvent] = deque()
        self._thread: threading.Thread | None = None
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._ending = False

    def claim_input(self, offset: int, bias: Bias) -> None:
        """Make a line an input with this pull.

        :raises BoardError: if it cannot be had; the other inputs go on as before.
        """
        settings = LineSettings(direction=Direction.INPUT, bias=bias, event_clock=Clock.MONOTONIC)
        with self._lock:
            if offset in self._inputs:
                settings.edge_detection = self._inputs[offset].edge_detection
            else:
                self.free(offset)
                self._try(offset, settings).release()
            self._inputs[offset] = settings
            self._request_inputs()

    def claim_output(self, offset: int, level: bool) -> None:
        """Make a line an output that shows `level` from the start.

        :raises BoardError: if it cannot be had.
        """
        with self._lock:
            self.free(offset)
            settings = LineSettings(direction=Direction.OUTPUT, output_value=Value(level))
            self._outputs[offset] = self._try(offset, settings)

    def free(self, offset: int) -> None:
        """Give a line back; nothing happens if it is not ours."""
        with self._lock:
            self._listeners.pop(offset, None)
            if (output := self._outputs.pop(offset, None)) is not None:
                output.release()
            if self._inputs.pop(offset, None) is not None:
                self._request_inputs()

    def read(self, offset: int) -> bool:
        """Return the level of a line; the last one written, for an output.

        :raises OSError: ENODEV, if the chip is gone.
        """
        with self._lock:
            request = self._outputs.get(offset, self._request)
            return request is not None and request.get_value(offset) is Value.ACTIVE

    def write(self, offset: int, level: bool) -> None:
        """Set the level of an output.

        :raises KeyError: if the line is no output.
        :raises OSError: ENODEV, if the chip is gone.
        """
        with self._lock:
            self._outputs[offset].set_value(offset, Value(level))

    def watch(self, offset: int, edge: Edge, listener: Listener) -> None:
        """Call `listener` for the edges of an input."""
        with self._lock:
            self._listeners[offset] = listener
            self._inputs[offset].edge_detection = edge
            self._reconfigure()
            if self._thread is None:
                self._thread = threading.Thread(target=self._listen, name="pins", daemon=True)
                self._thread.start()

    def unwatch(self, offset: int) -> None:
        """Stop calling for the edges of an input."""
        with self._lock:
            if self._listeners.pop(offset, None) is not None and offset in self._inputs:
                self._inputs[offset].edge_detection = Edge.NONE
                self._reconfigure()

    def close(self) -> None:
        """Give every line back and end the thread. Calling it twice is allowed."""
        with self._lock:
            if self._ending:
                return
            self._ending = True
            os.eventfd_write(self._wake, 1)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        with self._lock:
            for request in (*self._outputs.values(), *([self._request] if self._request is not None else [])):
                request.release()
            self._outputs.clear()
            self._inputs.clear()
            self._request = None
        os.close(self._wake)

    def _try(self, offset: int, settings: LineSettings) -> LineRequest:
        try:
            return self._chip.request_lines({offset: settings}, consumer=CONSUMER)
        except OSError as error:
            raise explain(error, offset, self._chip) from error

    def _request_inputs(self) -> None:
        # A request cannot grow: what it still holds is kept, then a new one takes all the lines.
        with self._unpolled():
            if self._request is not None:
                self._drain()
                self._request.release()
                self._request = None
            if self._inputs:
                self._request = self._chip.request_lines(self._input_config(), consumer=CONSUMER)

    @contextlib.contextmanager
    def _unpolled(self) -> Iterator[None]:
        """Keep the thread from waiting on the request: while it does, the kernel holds released lines as busy."""
        self._changing += 1
        try:
            while self._is_polled:
                os.eventfd_write(self._wake, 1)
                self._lock.wait()
            yield
        finally:
            self._changing -= 1
            self._lock.notify_all()
            if not self._ending:
                os.eventfd_write(self._wake, 1)  # for what was drained meanwhile

    def _reconfigure(self) -> None:
        if self._request is not None:
            self._request.reconfigure_lines(self._input_config())

    def _input_config(self) -> dict[Iterable[int | str] | int | str, LineSettings | None]:
        return dict(self._inputs.items())

    def _drain(self) -> None:
        while self._request is not None and self._request.wait_edge_events(0):
            self._waiting.extend(sorted(self._request.read_edge_events(), key=lambda event: event.global_seqno))

    def _listen(self) -> None:
        while True:
            with self._lock:
                while self._changing and not self._ending:
                    self._lock.wait()
                if self._ending:
                    return
                poll = select.poll()
                poll.register(self._wake, select.POLLIN)
                if self._request is not None:
                    poll.register(self._request.fd, select.POLLIN)
                self._is_polled = True
            readable = poll.poll()
            with self._lock:
                self._is_polled = False
                self._lock.notify_all()
                if any(descriptor == self._wake for descriptor, _ in readable):
                    os.eventfd_read(self._wake)
                try:
                    self._drain()
                except OSError as error:
                    self.trouble = f"the pins' chip is gone ({error.strerror}); restart the computer"
                    _log.error("%s", self.trouble)
                    return
                events, self._waiting = self._waiting, deque()
            self._pass_on(events)

    def _pass_on(self, events: deque[EdgeEvent]) -> None:
        for event in events:
            with self._lock:
                listener = self._listeners.get(event.line_offset)
            if listener is not None:
                # Without the lock: a listener may well read another line.
                listener(event.timestamp_ns / 1e9, event.event_type is event.Type.RISING_EDGE)
