"""The app's end of the conversation with a table dock: a pure state machine, no I/O, no clock.

The caller hands in what the port received (`receive`), writes what `outgoing` returns, and passes the
time in seconds, of any origin, with every call. Reports come back as values, in the order in which
they are to be believed. Because `outgoing` is asked only after the reports were passed on, an event is
acknowledged after the caller has it: at least once on the wire, exactly once in the game.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, TypeAlias

import msgspec

from hardware.messages import (
    MAX_LAMPS,
    PROTOCOL,
    Acknowledge,
    Event,
    Hello,
    Lamps,
    Message,
    Mode,
    Ping,
    Snapshot,
    Welcome,
)
from hardware.protocol import Decoder, Frame, FrameError, encode

HELLO_EVERY = 0.25
PING_EVERY = 1.0
SILENT_AFTER = 1.5
LAMPS_AGAIN = 0.2
LAMPS_TRIES = 8
BOOTS_REMEMBERED = 16
EARLY_KEPT = 32
"""Events ahead of a missing one that are kept until it comes."""

State = Literal["closed", "greeting", "ready", "silent", "mismatch", "stranger"]
"""closed: no port; greeting: HELLO sent, no answer yet; ready: a session; silent: nothing valid for
`SILENT_AFTER` seconds; mismatch: no common protocol version; stranger: another device than expected."""


class Lost(msgspec.Struct, frozen=True, tag="lost"):
    """The dock had to forget `count` events before the app took them."""

    count: int


class Checkpoint(msgspec.Struct, frozen=True):
    """What a link needs to go on in the middle of a conversation: to hear a recording that begins there."""

    state: State
    session: int
    welcome: Welcome | None = None
    taken: dict[int, int] = {}
    """The last event taken, by boot id."""


Report: TypeAlias = Welcome | Snapshot | Event | Lost


class Link:
    """One conversation. `first_session` (1 to 255, best drawn at random) tells the frames of this run
    from those that an earlier run left in some buffer; `expect` is the dock's unique id, if known.

    An event is acknowledged once it was returned by `receive`; by a `patient` link, once the caller said
    by `settle` that it is done with it, so that one which was still in a queue at a crash comes again.
    """

    def __init__(self, first_session: int = 1, expect: str = "", *, patient: bool = False) -> None:
        if not 1 <= first_session <= 255:
            raise ValueError(f"session {first_session}; 1 to 255 exist")
        self.state: State = "closed"
        self.welcome: Welcome | None = None
        self.snapshot: Snapshot | None = None
        self.counts: Counter[str] = Counter()
        """For the log: frames dropped by fault, events, repeated, missed, stale, resends."""
        self.fault: FrameError | None = None
        """What was wrong with the last thing that came since the port was opened; None if it was a frame."""
        self.round_trip: float | None = None
        self._decoder = Decoder()
        self._expect = expect
        self._session = (first_session - 2) % 255 + 1
        self._taken: dict[int, int] = {}
        self._early: dict[tuple[int, int], Event] = {}
        self._patient = patient
        self._unsettled: set[tuple[int, int]] = set()
        self._modes: tuple[Mode, ...] = ()
        self._generation = 0
        self._tries = 0
        self._acknowledge: int | None = None
        self._seq = 0
        self._heard_seq = 0
        self._ping_seq: int | None = None
        self._heard_at = self._hello_at = self._ping_at = self._pinged_at = self._lamps_at = 0.0

    @property
    def is_deaf(self) -> bool:
        """Whether the dock answers but did not obey the lamp targets within `LAMPS_TRIES` tries."""
        return self.state == "ready" and self._tries > LAMPS_TRIES

    def opened(self, now: float) -> None:
        """Begin: the port is open."""
        self._decoder.clear()
        self.fault = None
        self._greet(now)

    def closed(self) -> None:
        """The port is gone. What was taken stays known, for the dock may come back with the same boot."""
        self.state = "closed"
        self._decoder.clear()
        self._acknowledge = None

    def settle(self, event: Event) -> None:
        """The caller is done with an event: what follows from it is on disk, or nothing does."""
        self._unsettled.discard((event.boot_id, event.number))
        # Before a session is open again, nobody knows which boot its acknowledgements are for.
        if self.state == "ready" and self.welcome is not None and event.boot_id == self.welcome.boot_id:
            self._acknowledge = self._settled(event.boot_id)

    def checkpoint(self) -> Checkpoint:
        """Return the state of the conversation at this moment."""
        return Checkpoint(self.state, self._session, self.welcome, dict(self._taken))

    def resume(self, checkpoint: Checkpoint, now: float) -> None:
        """Go on where another link was.

        :raises ValueError: if no link can be there.
        """
        if not 1 <= checkpoint.session <= 255:
            raise ValueError(f"session {checkpoint.session}; 1 to 255 exist")
        if checkpoint.state == "ready" and (
            checkpoint.welcome is None or checkpoint.welcome.boot_id not in checkpoint.taken
        ):
            raise ValueError("a session without the WELCOME that opened it")
        self.state, self._session, self.welcome = checkpoint.state, checkpoint.session, checkpoint.welcome
        self._taken = dict(checkpoint.taken)
        self._heard_at = self._hello_at = self._ping_at = self._lamps_at = now

    def light(self, modes: tuple[Mode, ...], now: float) -> None:
        """Set what the dock's lamps shall show from now on, lamp 0 first."""
        if modes != self._modes:
            self._modes = modes
            self._new_targets(now)

    def receive(self, received: bytes, now: float) -> list[Report]:
        """Take bytes from the port; return what the table must hear. Never raises, whatever they are."""
        reports: list[Report] = []
        for item in self._decoder.feed(received):
            if self.state == "closed":
                break
            if isinstance(item, FrameError):
                self.counts[item.fault] += 1
                self.fault = item
            else:
                self.fault = None
                self._hear(item, now, reports)
        return reports

    def outgoing(self, now: float) -> bytes:
        """Return the bytes that are due, possibly none."""
        if self.state == "closed":
            return b""
        if self.state == "ready" and now - self._heard_at >= SILENT_AFTER:
            self.counts["silences"] += 1
            self._greet(now)
            self.state = "silent"
        if self.state == "greeting" and now - self._heard_at >= SILENT_AFTER:
            self.state = "silent"
        if self.state != "ready":
            return self._say_hello(now)
        due = b""
        if self._acknowledge is not None and self.welcome is not None:
            due += self._frame(Acknowledge(self.welcome.boot_id, self._acknowledge))
            self._acknowledge = None
        if now >= self._ping_at:
            self._ping_at, self._pinged_at, self._ping_seq = now + PING_EVERY, now, self._seq
            due += self._frame(Ping())
        if self._lamps_due() and now >= self._lamps_at:
            self._tries += 1
            if self._tries <= LAMPS_TRIES:
                self.counts["lamp resends"] += self._tries > 1
                self._lamps_at = now + LAMPS_AGAIN * min(self._tries, 4)
                due += self._frame(Lamps(self._generation, self._modes))
        return due

    def farewell(self) -> bytes:
        """Return the last bytes before the port is closed on purpose: what is owed, and all lamps dark."""
        if self.state != "ready" or self.welcome is None:
            return b""
        dark: list[Mode] = ["off"] * min(self.welcome.lamps, MAX_LAMPS)
        self._generation = self._generation % 65535 + 1
        last = self._frame(Lamps(self._generation, tuple(dark)))
        if self._acknowledge is None:
            return last
        return self._frame(Acknowledge(self.welcome.boot_id, self._acknowledge)) + last

    def wake_at(self) -> float | None:
        """When `outgoing` has to be asked again at the latest; None while the port is closed."""
        if self.state == "closed":
            return None
        if self.state != "ready":
            return self._hello_at
        times = [self._ping_at, self._heard_at + SILENT_AFTER]
        if self._lamps_due():
            times.append(self._lamps_at)
        return min(times)

    def _greet(self, now: float) -> None:
        self.state = "greeting"
        self._session = self._session % 255 + 1
        self._hello_at = self._heard_at = now
        self._acknowledge = None

    def _say_hello(self, now: float) -> bytes:
        if now < self._hello_at:
            return b""
        self._hello_at = now + (HELLO_EVERY if self.state in ("greeting", "silent") else PING_EVERY)
        # The leading zero ends whatever the dock's decoder still holds from before.
        return b"\0" + self._frame(Hello())

    def _frame(self, message: Message) -> bytes:
        sent = encode(message, self._session, self._seq, self._heard_seq)
        self._seq = (self._seq + 1) % 256
        return sent

    def _hear(self, frame: Frame, now: float, reports: list[Report]) -> None:
        message = frame.message
        if isinstance(message, Welcome):
            if frame.session == self._session:
                self._welcomed(message, frame, now, reports)
            elif frame.session == 0 and self.state != "greeting":
                # The dock does not know our session: it was reset, or it had given us up.
                self._greet(now)
            return
        if frame.session != self._session or self.state != "ready" or self.welcome is None:
            self.counts["stale"] += 1
            return
        if isinstance(message, Snapshot | Event) and message.boot_id != self.welcome.boot_id:
            # A HELLO of this session was still under way when the dock was reset, and the new boot obeyed it.
            self.counts["stale"] += 1
            self._greet(now)
            return
        self._count_gap(frame.seq)
        self._heard_at = now
        if self._ping_seq is not None and frame.ack == self._ping_seq:
            self.round_trip, self._ping_seq = now - self._pinged_at, None
        if isinstance(message, Snapshot):
            self._see(message, reports)
        elif isinstance(message, Event):
            self._take(message, reports)
        else:
            self.counts["stale"] += 1

    def _welcomed(self, welcome: Welcome, frame: Frame, now: float, reports: list[Report]) -> None:
        self._heard_at = now
        self._heard_seq = frame.seq
        if self.state == "ready" and self.welcome is not None:
            if welcome.boot_id != self.welcome.boot_id:
                self._greet(now)
            return
        self.welcome, self.snapshot, self._acknowledge = welcome, None, None
        if not welcome.low <= PROTOCOL <= welcome.high:
            self.state = "mismatch"
        elif self._expect and welcome.unique_id != self._expect:
            self.state = "stranger"
        else:
            self.state = "ready"
            self._ping_at = now
            self._ping_seq = None
            self._early.clear()
            if welcome.boot_id not in self._taken:
                self._taken[welcome.boot_id] = welcome.first - 1
                while len(self._taken) > BOOTS_REMEMBERED:
                    del self._taken[next(iter(self._taken))]
            self._new_targets(now)
        reports.append(welcome)

    def _count_gap(self, seq: int) -> None:
        gap = (seq - self._heard_seq) % 256
        if 0 < gap < 128:
            self.counts["missed"] += gap - 1
            self._heard_seq = seq

    def _see(self, snapshot: Snapshot, reports: list[Report]) -> None:
        if self.snapshot is not None and snapshot.uptime < self.snapshot.uptime:
            self.counts["stale"] += 1
            return
        if self._generation and snapshot.generation == self._generation:
            self._tries = 0
        self.snapshot = snapshot
        reports.append(snapshot)

    def _take(self, event: Event, reports: list[Report]) -> None:
        boot_id, taken = event.boot_id, self._taken[event.boot_id]
        if event.first > taken + 1:
            reports.append(Lost(event.first - taken - 1))
            self.counts["lost"] += event.first - taken - 1
            taken = event.first - 1
            self._early = {key: early for key, early in self._early.items() if key[1] > taken}
        if event.number <= taken:
            self.counts["repeated"] += 1
        elif event.number > taken + EARLY_KEPT:
            self.counts["early"] += 1
        else:
            # One that is ahead of a missing one waits for it, so that it need not be sent again.
            self.counts["early"] += event.number > taken + 1
            self._early[boot_id, event.number] = event
        while (following := self._early.pop((boot_id, taken + 1), None)) is not None:
            taken += 1
            self.counts["events"] += 1
            reports.append(following)
            if self._patient:
                self._unsettled.add((boot_id, taken))
        self._taken[boot_id] = taken
        self._acknowledge = self._settled(boot_id)

    def _settled(self, boot_id: int) -> int:
        waiting = (number for boot, number in self._unsettled if boot == boot_id)
        return min(waiting, default=self._taken[boot_id] + 1) - 1

    def _lamps_due(self) -> bool:
        obeyed = self.snapshot is not None and self.snapshot.generation == self._generation
        return bool(self._modes) and not obeyed and self._tries <= LAMPS_TRIES

    def _new_targets(self, now: float) -> None:
        self._generation = self._generation % 65535 + 1
        self._tries = 0
        self._lamps_at = now
