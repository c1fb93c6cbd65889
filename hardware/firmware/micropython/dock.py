"""The dock's side of the conversation, as in docs/protocol.md, section 3. No hardware: times are
milliseconds since the start, bytes come and go by `receive` and `outgoing`.
"""

import struct

import config
from wire import Cutter, stuff

VERSION = 1
SNAPSHOT_EVERY = 500
APP_GONE_AFTER = 3000
FIRST_RESEND, LAST_RESEND = 100, 2000
RING = 32
MASK = 0xFFFFFFFF  # times travel modulo 2 ** 32

HELLO, WELCOME, SNAPSHOT, EVENT, ACKNOWLEDGE, LAMPS, PING = range(7)
BUTTON_PRESSED, DIE_ROLLED = 1, 2
SHORT, LONG, DOUBLE = range(3)
ABSENT, STILL, MOVING, COCKED = range(4)
OFF, ON, BLINK, HURRY = range(4)


class Slot:
    """One slot: raw `level`, debounced `marker`, equal scans in a row (`stable`), `changes` of the marker."""

    def __init__(self):
        self.level = self.marker = self.stable = self.changes = 0


class Held:
    """An event that is kept until it is acknowledged."""

    def __init__(self, number, what, now):
        self.number, self.what, self.happened_at = number, what, now
        self.send_at, self.wait = now, FIRST_RESEND


class Dock:
    """What the app talks to. `boot_id` was never used before, `unique_id` names this one device."""

    def __init__(self, boot_id, unique_id):
        self.lamps = [OFF] * len(config.LAMPS)
        self.slots = [Slot() for _ in range(config.SLOTS)]
        self._boot_id, self._unique_id = boot_id, unique_id
        self._cutter = Cutter()
        self._held = []
        self._next = 1
        self._pressed = 0
        self._tray = STILL if config.DIE else ABSENT
        self._session = self._seq = self._heard_seq = self._generation = 0
        self._heard_at = self._snapshot_at = 0
        self._answers = [0]  # the sessions in which WELCOME is due

    def pressed(self, button, gesture, now):
        self._keep(bytes((BUTTON_PRESSED, button, gesture)), now)

    def rolled(self, face, now):
        self._keep(bytes((DIE_ROLLED, 1, face)), now)

    def set_pressed(self, pressed):
        if pressed != self._pressed:
            self._pressed = pressed
            self.changed()

    def set_tray(self, tray):
        if tray != self._tray:
            self._tray = tray
            self.changed()

    def changed(self):
        """The state changed: the app hears of it with the next `outgoing`."""
        self._snapshot_at = None

    def receive(self, received, now):
        for body in self._cutter.take(received):
            self._hear(body, now)

    def outgoing(self, now):
        """Return the bytes that are due."""
        if self._session and now - self._heard_at >= APP_GONE_AFTER:
            self._session = 0
            if any(self.lamps):
                # Somebody may be waiting for the app.
                self.lamps = [BLINK] * len(self.lamps)
        due = b"".join([self._welcome(session, now) for session in self._answers])
        self._answers = []
        if not self._session:
            return due
        if self._snapshot_at is None or now - self._snapshot_at >= SNAPSHOT_EVERY:
            self._snapshot_at = now
            due += self._snapshot(now)
        for held in self._held:
            if now >= held.send_at:
                held.send_at, held.wait = now + held.wait, min(2 * held.wait, LAST_RESEND)
                age = now - held.happened_at & MASK
                head = struct.pack("<IIII", self._boot_id, held.number, self._oldest(), age)
                due += self._frame(EVENT, head + held.what, self._session)
        return due

    def _oldest(self):
        return self._held[0].number if self._held else self._next

    def _keep(self, what, now):
        self._held.append(Held(self._next, what, now))
        self._next += 1
        if len(self._held) > RING:
            del self._held[0]  # the app sees by the oldest number that it is gone

    def _welcome(self, session, now):
        counts = bytes((len(config.BUTTONS), len(self.lamps), len(self.slots), 1 if config.DIE else 0))
        numbers = struct.pack("<BBIII", VERSION, VERSION, self._boot_id, now & MASK, self._oldest())
        texts = b"".join([_text(text) for text in (config.KIND, self._unique_id, config.FIRMWARE)])
        return self._frame(WELCOME, numbers + counts + texts, session)

    def _snapshot(self, now):
        numbers = (self._boot_id, now & MASK, self._generation, self._pressed, self._tray, len(self.slots))
        slots = [bytes((slot.level, slot.marker, slot.stable, slot.changes)) for slot in self.slots]
        return self._frame(SNAPSHOT, struct.pack("<IIHIBB", *numbers) + b"".join(slots), self._session)

    def _frame(self, kind, payload, session):
        version = 0 if kind == WELCOME else VERSION
        head = bytes((version << 4 | kind, session, self._seq, self._heard_seq))
        self._seq = (self._seq + 1) % 256
        return stuff(head + payload)

    def _hear(self, body, now):
        kind, session, payload = body[0] & 15, body[1], body[4:]
        if body[0] >> 4 != (0 if kind == HELLO else VERSION) or not _is_whole(kind, payload):
            return
        if kind != HELLO and (not self._session or session != self._session):
            if 0 not in self._answers:
                self._answers.append(0)
            return
        self._heard_seq, self._heard_at = body[2], now
        if kind == HELLO:
            # An app greets in one session at a time: only the newest waits for its answer.
            self._answers = [each for each in self._answers if each == 0] + [session]
            if payload[0] <= VERSION <= payload[1] and session and session != self._session:
                self._open(session, now)
        elif kind == ACKNOWLEDGE:
            boot_id, number = struct.unpack("<II", payload)
            if boot_id == self._boot_id:
                self._held = [held for held in self._held if held.number > number]
        elif kind == LAMPS:
            self._obey(payload)
        else:
            self.changed()  # a PING wants to see how everything is

    def _open(self, session, now):
        self._session = session
        self._generation = 0
        self.changed()
        for held in self._held:
            held.send_at, held.wait = now, FIRST_RESEND

    def _obey(self, payload):
        (target,), modes = struct.unpack("<H", payload[:2]), payload[3:]
        self.changed()
        # Newer modulo 65536, so that a late frame never takes a lamp back.
        if self._generation and not 0 < (target - self._generation) % 65536 < 32768:
            return
        self._generation = target
        self.lamps = (list(modes) + [OFF] * len(self.lamps))[: len(self.lamps)]


def _is_whole(kind, payload):
    """Whether a payload is one that the app may send."""
    if kind == HELLO:
        return len(payload) >= 2
    if kind == ACKNOWLEDGE:
        return len(payload) == 8
    if kind == LAMPS:
        return len(payload) >= 3 and len(payload) == 3 + payload[2] <= 35 and max(payload[3:] or b"\0") <= HURRY
    return kind == PING and not payload


def _text(text):
    raw = text.encode()[:32]
    return bytes((len(raw),)) + raw
