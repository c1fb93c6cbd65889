"""The dock's side of the protocol, as its firmware behaves: a pure model, no port, no clock.

It answers HELLO, sends snapshots on every change and twice a second, keeps numbered events until they
are acknowledged, obeys lamp targets and shows it when the app is gone. It stands in for a
microcontroller in tests and in the simulated table, over any byte pipe.
"""

from __future__ import annotations

from collections import deque

import msgspec

from hardware.messages import (
    PROTOCOL,
    Acknowledge,
    ButtonPressed,
    DieRolled,
    Event,
    Gesture,
    Happening,
    Hello,
    Lamps,
    Message,
    Mode,
    Ping,
    Slot,
    Snapshot,
    Tray,
    Welcome,
)
from hardware.protocol import Decoder, Frame, encode

SNAPSHOT_EVERY = 0.5
HOST_GONE_AFTER = 3.0
FIRST_RESEND, LAST_RESEND = 0.1, 2.0
RING = 32
ALONE: Mode = "blink"
"""What lit lamps show when the app is gone: somebody may be waiting for it."""


class _Held(msgspec.Struct):
    number: int
    happened_at: float
    what: Happening
    send_at: float
    wait: float = FIRST_RESEND


class Dock:
    """A dock with so many buttons, lamps, slots and dice. All times are seconds of one clock."""

    def __init__(
        self,
        unique_id: str,
        *,
        boot_id: int,
        now: float = 0.0,
        buttons: int = 0,
        lamps: int = 0,
        slots: int = 0,
        dice: int = 0,
        versions: tuple[int, int] = (PROTOCOL, PROTOCOL),
        firmware: str = "model 1",
    ) -> None:
        self._identity = Welcome(
            boot_id,
            unique_id,
            "dock",
            firmware,
            buttons=buttons,
            lamps=lamps,
            slots=slots,
            dice=dice,
            low=versions[0],
            high=versions[1],
        )
        self.reset(boot_id, now)

    def reset(self, boot_id: int, now: float) -> None:
        """Start afresh, as after a power cut: a new boot id, no session, no event kept."""
        self._identity = msgspec.structs.replace(self._identity, boot_id=boot_id)
        self._decoder = Decoder()
        self._started_at = now
        self._session = 0
        self._seq = self._heard_seq = 0
        self._heard_at = now
        self._generation = 0
        self._next = 1
        self._held: deque[_Held] = deque()
        self._pressed = 0
        self._tray: Tray = "still" if self._identity.dice else "absent"
        self._slots = [Slot(stable=255)] * self._identity.slots
        self._snapshot_at = now
        self._answers: list[int] = [0]
        self.lamps = self._all("off")

    @property
    def held(self) -> int:
        """How many events wait for their acknowledgement."""
        return len(self._held)

    def press(self, button: int, now: float, gesture: Gesture = "short") -> None:
        """Button `button` was pressed and let go.

        :raises ValueError: if the dock has no such button.
        """
        if not 0 <= button < self._identity.buttons:
            raise ValueError(f"button {button}; the dock has {self._identity.buttons}, counted from 0")
        self._keep(ButtonPressed(button, gesture), now)

    def roll(self, faces: tuple[int, ...], now: float) -> None:
        """Dice came to rest with these faces up.

        :raises ValueError: if the dock has no die tray.
        """
        if self._tray == "absent":
            raise ValueError("the dock has no die tray")
        self._tray = "still"
        self._keep(DieRolled(faces), now)
        self._snapshot_at = now

    def set_tray(self, tray: Tray, now: float) -> None:
        """The dice move, lean or lie."""
        self._tray = tray
        self._snapshot_at = now

    def place(self, slot: int, marker: int, now: float) -> None:
        """Marker `marker` (0 = none) now lies in slot `slot`, debounced."""
        changes = (self._slots[slot].changes + 1) % 256
        self._slots[slot] = Slot(255 if marker else 0, marker, 255, changes)
        self._snapshot_at = now

    def receive(self, received: bytes, now: float) -> None:
        """Take bytes from the app."""
        for item in self._decoder.feed(received):
            if isinstance(item, Frame):
                self._hear(item, now)

    def outgoing(self, now: float) -> bytes:
        """Return the bytes that are due, possibly none."""
        if self._session and now - self._heard_at >= HOST_GONE_AFTER:
            self._session = 0
            if set(self.lamps) - {"off"}:
                self.lamps = self._all(ALONE)
        uptime = self._milliseconds(now - self._started_at)
        welcome = msgspec.structs.replace(self._identity, uptime=uptime, first=self._first)
        due = b"".join(self._frame(welcome, session) for session in self._answers)
        self._answers.clear()
        if not self._session:
            return due
        if now >= self._snapshot_at:
            self._snapshot_at = now + SNAPSHOT_EVERY
            slots = tuple(self._slots)
            state = Snapshot(welcome.boot_id, uptime, self._generation, self._pressed, self._tray, slots)
            due += self._frame(state, self._session)
        for held in self._held:
            if now >= held.send_at:
                held.send_at, held.wait = now + held.wait, min(2 * held.wait, LAST_RESEND)
                age = self._milliseconds(now - held.happened_at)
                event = Event(welcome.boot_id, held.number, self._first, age, held.what)
                due += self._frame(event, self._session)
        return due

    def wake_at(self) -> float | None:
        """When `outgoing` has to be asked again at the latest; None while no app is there."""
        if self._answers:
            return self._heard_at
        if not self._session:
            return None
        return min([self._snapshot_at, self._heard_at + HOST_GONE_AFTER, *(held.send_at for held in self._held)])

    @property
    def _first(self) -> int:
        return self._held[0].number if self._held else self._next

    def _keep(self, what: Happening, now: float) -> None:
        self._held.append(_Held(self._next, now, what, now))
        self._next += 1
        if len(self._held) > RING:
            self._held.popleft()

    def _hear(self, frame: Frame, now: float) -> None:
        message = frame.message
        if isinstance(message, Hello):
            self._heard_seq, self._heard_at = frame.seq, now
            # An app greets in one session at a time: only the newest waits for its answer.
            self._answers = [*(each for each in self._answers if not each), frame.session]
            common = message.low <= self._identity.high and self._identity.low <= message.high
            if common and frame.session and frame.session != self._session:
                self._session = frame.session
                self._generation = 0
                self._snapshot_at = now
                for held in self._held:
                    held.send_at, held.wait = now, FIRST_RESEND
            return
        if not self._session or frame.session != self._session:
            if 0 not in self._answers:
                self._answers.append(0)
            return
        self._heard_seq, self._heard_at = frame.seq, now
        if isinstance(message, Acknowledge) and message.boot_id == self._identity.boot_id:
            while self._held and self._held[0].number <= message.number:
                self._held.popleft()
        elif isinstance(message, Lamps):
            self._obey(message)
            self._snapshot_at = now
        elif isinstance(message, Ping):
            self._snapshot_at = now

    def _obey(self, targets: Lamps) -> None:
        # Newer modulo 65536: a repeated or late frame never takes a lamp back to an earlier state.
        newer = 0 < (targets.generation - self._generation) % 65536 < 32768
        if not self._generation or newer:
            self._generation = targets.generation
            dark: list[Mode] = ["off"] * len(self.lamps)
            self.lamps = tuple([*targets.modes, *dark][: len(dark)])

    def _all(self, mode: Mode) -> tuple[Mode, ...]:
        return (mode,) * self._identity.lamps

    def _frame(self, message: Message, session: int) -> bytes:
        sent = encode(message, session, self._seq, self._heard_seq)
        self._seq = (self._seq + 1) % 256
        return sent

    @staticmethod
    def _milliseconds(seconds: float) -> int:
        return max(0, round(seconds * 1000)) % 2**32
