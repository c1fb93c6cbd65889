"""Frames: byte stuffing and checksum, as in docs/protocol.md, section 1. Runs on MicroPython and on CPython."""

import binascii

HEADER, CHECK = 4, 4
LONGEST_HEARD = 96  # stuffed; the longest message to a dock in version 1, LAMPS, has 45 bytes


def stuff(body):
    """Return the frame of a body: with its checksum, stuffed, with the closing zero."""
    check = binascii.crc32(body) & 0xFFFFFFFF
    frame = bytearray(1)
    code_at = 0
    # No run of 254 bytes can occur: no body is that long.
    for byte in body + check.to_bytes(4, "little"):
        if byte:
            frame.append(byte)
        else:
            frame[code_at] = len(frame) - code_at
            code_at = len(frame)
            frame.append(0)
    frame[code_at] = len(frame) - code_at
    frame.append(0)
    return bytes(frame)


def unstuff(stuffed):
    """Return the body of a frame without its closing zero; empty if it is none."""
    body = bytearray()
    at = 0
    while at < len(stuffed):
        code = stuffed[at]
        if at + code > len(stuffed):
            return b""
        body += stuffed[at + 1 : at + code]
        at += code
        if code < 255 and at < len(stuffed):
            body.append(0)
    if len(body) < HEADER + CHECK:
        return b""
    check = binascii.crc32(body[:-CHECK]) & 0xFFFFFFFF
    if bytes(body[-CHECK:]) != check.to_bytes(4, "little"):
        return b""
    return bytes(body[:-CHECK])


class Cutter:
    """Cuts the bytes of the line into bodies; what is no frame is dropped without a word."""

    def __init__(self):
        self._kept = bytearray()
        self._too_long = False

    def take(self, received):
        """Take some bytes; return the bodies that they complete."""
        bodies = []
        for byte in received:
            if byte:
                self._too_long = self._too_long or len(self._kept) == LONGEST_HEARD
                if not self._too_long:
                    self._kept.append(byte)
                continue
            body = b"" if self._too_long else unstuff(self._kept)
            if body:
                bodies.append(body)
            self._kept = bytearray()
            self._too_long = False
        return bodies
