"""The wire format between the app and a table dock: bytes in, messages out, no port.

    COBS( version:4 type:4 | session u8 | seq u8 | ack u8 | payload | CRC-32 LE ) 0x00

At most 254 bytes before byte stuffing. Specification with test vectors: `docs/protocol.md`.
Sources: Cheshire & Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM ToN 7(2), 1999; CRC-32 as in
IEEE 802.3 (reflected polynomial 0xEDB88320), the one in zlib.
"""

from __future__ import annotations

import zlib
from typing import Literal

import msgspec
from cobs import cobs

from hardware.messages import GREETINGS, MAX_PAYLOAD, MESSAGES, PROTOCOL, MalformedError, Message, Reader

GREETING_VERSION = 0
"""Version field of HELLO and WELCOME, so that any two versions can always greet each other."""
HEADER, CHECK = 4, 4
MAX_FRAME = HEADER + MAX_PAYLOAD + CHECK
MAX_STUFFED: int = cobs.max_encoded_length(MAX_FRAME)

Fault = Literal["stuffing", "length", "checksum", "version", "type", "payload"]


class Frame(msgspec.Struct, frozen=True):
    """One message and its header.

    `session` (1 to 255) is chosen by the app at every HELLO; 0 = the dock speaks unasked. `seq`
    counts the sender's frames modulo 256, `ack` is the `seq` of the last good frame it received.
    """

    message: Message
    session: int = 0
    seq: int = 0
    ack: int = 0


class FrameError(msgspec.Struct, frozen=True):
    """Bytes between two zeros that are no frame: the only error a decoder reports.

    `size` is the number of bytes dropped, `says` a sentence for the log.
    """

    fault: Fault
    size: int
    says: str


def encode(message: Message, session: int = 0, seq: int = 0, ack: int = 0) -> bytes:
    """Return the frame as it travels, with its closing zero.

    :raises MalformedError: if a field has a value that the specification does not allow.
    """
    version = GREETING_VERSION if isinstance(message, GREETINGS) else PROTOCOL
    for name, value in (("session", session), ("seq", seq), ("ack", ack)):
        if not 0 <= value <= 255:
            raise MalformedError(f"{name} {value}; 0 to 255 fit")
    body = bytes((version << 4 | message.TYPE, session, seq, ack)) + message.pack()
    if len(body) > HEADER + MAX_PAYLOAD:
        raise MalformedError(f"the payload has {len(body) - HEADER} bytes; at most {MAX_PAYLOAD} fit in a frame")
    return bytes(cobs.encode(body + zlib.crc32(body).to_bytes(CHECK, "little"))) + b"\0"


def decode(stuffed: bytes) -> Frame | FrameError:
    """Read what lay between two zeros; whatever the bytes are, the result is one of the two."""
    try:
        body = bytes(cobs.decode(stuffed))
    except cobs.DecodeError:
        return FrameError("stuffing", len(stuffed), f"{len(stuffed)} bytes are no COBS block; dropped")
    if not HEADER + CHECK <= len(body) <= MAX_FRAME:
        return FrameError("length", len(stuffed), f"a frame of {len(body)} bytes; {HEADER + CHECK} to {MAX_FRAME} fit")
    body, check = body[:-CHECK], body[-CHECK:]
    if zlib.crc32(body).to_bytes(CHECK, "little") != check:
        return FrameError("checksum", len(stuffed), f"the checksum of a frame of {len(body)} bytes is wrong; dropped")
    version, number = body[0] >> 4, body[0] & 15
    kind = MESSAGES.get(number)
    expected = GREETING_VERSION if kind in GREETINGS else PROTOCOL
    if version != expected:
        return FrameError("version", len(stuffed), f"a frame of protocol {version}; this app speaks {PROTOCOL}")
    if kind is None:
        return FrameError("type", len(stuffed), f"message type {number} is not known")
    try:
        message = kind.unpack(Reader(body[HEADER:]))
    except MalformedError as error:
        return FrameError("payload", len(stuffed), f"{kind.__name__.upper()}: {error}")
    return Frame(message, body[1], body[2], body[3])


class Decoder:
    """Cuts a stream of bytes, in pieces of any size, into frames and errors.

    After any noise the next zero byte starts afresh. At most `MAX_STUFFED` bytes are kept; longer
    runs without a zero are dropped with one error.
    """

    def __init__(self) -> None:
        self._kept = bytearray()
        self._flooded = 0

    def feed(self, received: bytes) -> list[Frame | FrameError]:
        """Take the next bytes; return what they complete. Never raises."""
        results: list[Frame | FrameError] = []
        *closed, tail = received.split(b"\0")
        for piece in closed:
            self._keep(piece)
            if self._flooded:
                says = f"{self._flooded} bytes without an end mark; the longest frame has {MAX_STUFFED}"
                results.append(FrameError("length", self._flooded, says))
            elif self._kept:
                results.append(decode(bytes(self._kept)))
            self.clear()
        self._keep(tail)
        return results

    def clear(self) -> None:
        """Forget a frame half received, as when the port was closed."""
        self._kept.clear()
        self._flooded = 0

    def _keep(self, piece: bytes) -> None:
        if self._flooded:
            self._flooded += len(piece)
        elif len(self._kept) + len(piece) > MAX_STUFFED:
            self._flooded = len(self._kept) + len(piece)
            self._kept.clear()
        else:
            self._kept += piece
