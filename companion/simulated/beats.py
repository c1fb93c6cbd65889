"""What leaves the simulated table: pictures, pin edges and serial bytes, on one clock, and nothing else.

Times are seconds since the evening began. A beat holds what a wire or a lens would carry; no card
name, no score and no player's intention ever appears in one.
"""

from __future__ import annotations

from typing import Literal

import cv2
import msgspec
import numpy as np

from companion.simulated.light import Picture


class Frame(msgspec.Struct, frozen=True, tag="frame"):
    """One picture of the camera, JPEG as from a USB camera."""

    at: float
    jpeg: bytes

    def picture(self) -> Picture:
        """Return the decoded picture, shape (height, width, 3), BGR.

        :raises ValueError: if the bytes are no picture.
        """
        decoded = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR) if self.jpeg else None
        if decoded is None:
            raise ValueError(f"the picture at {self.at:.2f} s cannot be decoded; record the game again")
        return np.asarray(decoded, dtype=np.uint8)


class SerialBytes(msgspec.Struct, frozen=True, tag="serial"):
    """Bytes that arrived from the dock."""

    at: float
    bytes: bytes


class Edge(msgspec.Struct, frozen=True, tag="edge"):
    """The wire of a seat's button changed to `level`: 0 while pressed (pulled to ground), else 1.

    Contacts bounce: a press is several edges within a few milliseconds.
    """

    at: float
    seat: int
    button: Literal["done", "undo", "yes", "no"]
    level: Literal[0, 1]

    @property
    def pressed(self) -> bool:
        """Whether the contact is closed from now on."""
        return self.level == 0


class TouchAt(msgspec.Struct, frozen=True, tag="touch"):
    """Somebody touched the screen: a choice's number or a typed reply, as in `Touch`."""

    at: float
    choice: int | None = None
    to: str = ""
    reply: str = ""


Beat = Frame | SerialBytes | Edge | TouchAt

_ORDER: dict[type, int] = {Frame: 0, SerialBytes: 1, Edge: 2, TouchAt: 3}


def in_order(beat: Beat) -> tuple[float, int]:
    """Sort key of beats: by time, pictures before bytes before edges before touches."""
    return beat.at, _ORDER[type(beat)]
