"""What the app and a table dock say to each other: typed, frozen messages and their payloads.

Pure: no port, no clock. The layout of every payload is specified in `docs/protocol.md`; integers
are little-endian, texts are one length byte and UTF-8. A payload that is too short, too long or
holds an impossible value is refused with `MalformedError`, never half read.
"""

from __future__ import annotations

import struct
from typing import ClassVar, Literal, TypeAlias, TypeVar, get_args

import msgspec

PROTOCOL = 1
"""The protocol version this code speaks. Greetings (HELLO, WELCOME) never change their layout."""

Gesture = Literal["short", "long", "double"]
Tray = Literal["absent", "still", "moving", "cocked"]
"""absent: the dock has no die tray; still: nothing moves; moving: dice roll or a hand holds one;
cocked: a die leans, no face counts."""
Mode = Literal["off", "on", "blink", "hurry"]
"""What a lamp shows: dark, lit, a slow blink (1 Hz), a fast blink (4 Hz)."""

GESTURES: tuple[Gesture, ...] = get_args(Gesture)
TRAYS: tuple[Tray, ...] = get_args(Tray)
MODES: tuple[Mode, ...] = get_args(Mode)

MAX_PAYLOAD = 246
"""254 bytes before COBS, less four bytes of header and four of CRC-32."""
MAX_TEXT, MAX_LAMPS, MAX_SLOTS, MAX_DICE = 32, 32, 32, 32


_Name = TypeVar("_Name", bound=str)


class MalformedError(ValueError):
    """A payload or a message that the specification does not allow; says what was found."""


class Reader:
    """Reads one payload from its front; every shortage is `MalformedError`."""

    def __init__(self, payload: bytes) -> None:
        self._payload = payload
        self._at = 0

    def take(self, form: str) -> tuple[int, ...]:
        """Read the unsigned integers of a `struct` format without its byte order sign."""
        size = struct.calcsize("<" + form)
        if self._at + size > len(self._payload):
            raise MalformedError(f"the payload has {len(self._payload)} bytes and ends too early")
        values: tuple[int, ...] = struct.unpack_from("<" + form, self._payload, self._at)
        self._at += size
        return values

    def text(self) -> str:
        """Read a text of at most `MAX_TEXT` UTF-8 bytes."""
        (size,) = self.take("B")
        if size > MAX_TEXT:
            raise MalformedError(f"a text of {size} bytes; at most {MAX_TEXT} are allowed")
        raw = self._payload[self._at : self._at + size]
        if len(raw) < size:
            raise MalformedError("a text ends too early")
        self._at += size
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raise MalformedError("a text is not UTF-8") from None

    def end(self) -> None:
        """Refuse bytes that nothing has read."""
        if self._at != len(self._payload):
            raise MalformedError(f"{len(self._payload) - self._at} bytes more than the message has fields")


def _choice(names: tuple[_Name, ...], number: int, what: str) -> _Name:
    if number >= len(names):
        raise MalformedError(f"{what} {number}; 0 to {len(names) - 1} exist")
    return names[number]


def _pack(form: str, *values: int) -> bytes:
    try:
        return struct.pack("<" + form, *values)
    except struct.error as error:
        raise MalformedError(f"a number does not fit its field: {error}") from None


def _text(text: str) -> bytes:
    raw = text.encode()
    if len(raw) > MAX_TEXT:
        raise MalformedError(f"the text {text!r} has {len(raw)} bytes; at most {MAX_TEXT} are allowed")
    return bytes([len(raw)]) + raw


def _at_most(count: int, limit: int, what: str) -> int:
    if count > limit:
        raise MalformedError(f"{count} {what}; at most {limit} fit in one message")
    return count


class Hello(msgspec.Struct, frozen=True):
    """The app asks who is there, and offers protocol versions `low` to `high`."""

    low: int = PROTOCOL
    high: int = PROTOCOL
    TYPE: ClassVar[int] = 0

    def pack(self) -> bytes:
        """Return the payload."""
        return _pack("BB", self.low, self.high)

    @classmethod
    def unpack(cls, reader: Reader) -> Hello:
        """Read the payload; a later version may have appended fields, which are skipped."""
        return cls(*reader.take("BB"))


class Welcome(msgspec.Struct, frozen=True):
    """The dock says who it is.

    `boot_id` is drawn at random at every start, `uptime` counts milliseconds since then, `first` is
    the number of the oldest event it still holds (or the number that the next event will get),
    `unique_id` names the one device, `kind` the model, `firmware` its version and build.
    """

    boot_id: int
    unique_id: str
    kind: str = "dock"
    firmware: str = ""
    uptime: int = 0
    first: int = 1
    buttons: int = 0
    lamps: int = 0
    slots: int = 0
    dice: int = 0
    low: int = PROTOCOL
    high: int = PROTOCOL
    TYPE: ClassVar[int] = 1

    def pack(self) -> bytes:
        """Return the payload."""
        numbers = (self.low, self.high, self.boot_id, self.uptime, self.first)
        counts = (self.buttons, self.lamps, self.slots, self.dice)
        texts = _text(self.kind) + _text(self.unique_id) + _text(self.firmware)
        return _pack("BBIII", *numbers) + _pack("BBBB", *counts) + texts

    @classmethod
    def unpack(cls, reader: Reader) -> Welcome:
        """Read the payload; a later version may have appended fields, which are skipped."""
        low, high, boot_id, uptime, first = reader.take("BBIII")
        buttons, lamps, slots, dice = reader.take("BBBB")
        kind, unique_id, firmware = reader.text(), reader.text(), reader.text()
        return cls(boot_id, unique_id, kind, firmware, uptime, first, buttons, lamps, slots, dice, low, high)


class Slot(msgspec.Struct, frozen=True):
    """One slot of a dock: the sensor's raw `level`, the debounced `marker` (0 = empty), for how many
    scans it has been `stable` (255 = longer) and how often it changed (`changes`, modulo 256).
    """

    level: int = 0
    marker: int = 0
    stable: int = 0
    changes: int = 0


class Snapshot(msgspec.Struct, frozen=True):
    """The whole state of the dock, sent on every change and at least every 500 ms: the heartbeat.

    `generation` echoes the last lamp targets the dock obeyed, `pressed` has bit n set while button n
    is down (debounced).
    """

    boot_id: int
    uptime: int = 0
    generation: int = 0
    pressed: int = 0
    tray: Tray = "absent"
    slots: tuple[Slot, ...] = ()
    TYPE: ClassVar[int] = 2

    def pack(self) -> bytes:
        """Return the payload."""
        count = _at_most(len(self.slots), MAX_SLOTS, "slots")
        head = _pack("IIHIBB", self.boot_id, self.uptime, self.generation, self.pressed, TRAYS.index(self.tray), count)
        return head + b"".join(_pack("BBBB", s.level, s.marker, s.stable, s.changes) for s in self.slots)

    @classmethod
    def unpack(cls, reader: Reader) -> Snapshot:
        """Read the payload."""
        boot_id, uptime, generation, pressed, tray, count = reader.take("IIHIBB")
        _at_most(count, MAX_SLOTS, "slots")
        slots = tuple(Slot(*reader.take("BBBB")) for _ in range(count))
        reader.end()
        return cls(boot_id, uptime, generation, pressed, _choice(TRAYS, tray, "tray state"), slots)


class ButtonPressed(msgspec.Struct, frozen=True, tag="button"):
    """Button `button` of the dock, counted from 0, was pressed."""

    button: int
    gesture: Gesture = "short"
    KIND: ClassVar[int] = 1


class DieRolled(msgspec.Struct, frozen=True, tag="die"):
    """Dice came to rest: the numbers of the faces that lie up, 1 to 255, in the tray's order."""

    faces: tuple[int, ...]
    KIND: ClassVar[int] = 2


Happening: TypeAlias = ButtonPressed | DieRolled


class Event(msgspec.Struct, frozen=True):
    """Something that must not be lost: kept and repeated by the dock until it is acknowledged.

    Events are numbered from 1 within one `boot_id`. `first` is the oldest number the dock still
    holds: everything below it is gone. `age` is milliseconds since it happened, at sending.
    """

    boot_id: int
    number: int
    first: int
    age: int
    what: Happening
    TYPE: ClassVar[int] = 3

    def pack(self) -> bytes:
        """Return the payload."""
        if not 1 <= self.first <= self.number:
            raise MalformedError(f"event {self.number} while {self.first} is the oldest one held")
        head = _pack("IIIIB", self.boot_id, self.number, self.first, self.age, self.what.KIND)
        if isinstance(self.what, ButtonPressed):
            return head + _pack("BB", self.what.button, GESTURES.index(self.what.gesture))
        count = _at_most(len(self.what.faces), MAX_DICE, "dice")
        if not count or 0 in self.what.faces:
            raise MalformedError("a roll names the face of at least one die, counted from 1")
        return head + _pack(f"B{count}B", count, *self.what.faces)

    @classmethod
    def unpack(cls, reader: Reader) -> Event:
        """Read the payload."""
        boot_id, number, first, age, kind = reader.take("IIIIB")
        if not 1 <= first <= number:
            raise MalformedError(f"event {number} while {first} is the oldest one held")
        what: Happening
        if kind == ButtonPressed.KIND:
            button, gesture = reader.take("BB")
            what = ButtonPressed(button, _choice(GESTURES, gesture, "gesture"))
        elif kind == DieRolled.KIND:
            (count,) = reader.take("B")
            what = DieRolled(reader.take(f"{_at_most(count, MAX_DICE, 'dice')}B"))
            if not what.faces or 0 in what.faces:
                raise MalformedError("a roll without dice, or a face 0")
        else:
            raise MalformedError(f"event kind {kind} is not known")
        reader.end()
        return cls(boot_id, number, first, age, what)


class Acknowledge(msgspec.Struct, frozen=True):
    """The app has taken every event up to and including `number` of this boot."""

    boot_id: int
    number: int
    TYPE: ClassVar[int] = 4

    def pack(self) -> bytes:
        """Return the payload."""
        return _pack("II", self.boot_id, self.number)

    @classmethod
    def unpack(cls, reader: Reader) -> Acknowledge:
        """Read the payload."""
        message = cls(*reader.take("II"))
        reader.end()
        return message


class Lamps(msgspec.Struct, frozen=True):
    """What all lamps shall show, lamp 0 first: a target state, safe to repeat.

    The dock echoes `generation` (1 to 65535) in its snapshots once it obeys.
    """

    generation: int
    modes: tuple[Mode, ...]
    TYPE: ClassVar[int] = 5

    def pack(self) -> bytes:
        """Return the payload."""
        count = _at_most(len(self.modes), MAX_LAMPS, "lamps")
        return _pack(f"HB{count}B", self.generation, count, *(MODES.index(mode) for mode in self.modes))

    @classmethod
    def unpack(cls, reader: Reader) -> Lamps:
        """Read the payload."""
        generation, count = reader.take("HB")
        modes = reader.take(f"{_at_most(count, MAX_LAMPS, 'lamps')}B")
        reader.end()
        return cls(generation, tuple(_choice(MODES, mode, "lamp mode") for mode in modes))


class Ping(msgspec.Struct, frozen=True):
    """The app is here. The dock answers with a snapshot at once."""

    TYPE: ClassVar[int] = 6

    def pack(self) -> bytes:
        """Return the (empty) payload."""
        return b""

    @classmethod
    def unpack(cls, reader: Reader) -> Ping:
        """Read the (empty) payload."""
        reader.end()
        return cls()


Message: TypeAlias = Hello | Welcome | Snapshot | Event | Acknowledge | Lamps | Ping
MESSAGES: dict[int, type[Message]] = {
    kind.TYPE: kind for kind in (Hello, Welcome, Snapshot, Event, Acknowledge, Lamps, Ping)
}
GREETINGS = (Hello, Welcome)
