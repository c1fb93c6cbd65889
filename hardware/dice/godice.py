"""What GoDice speak over Bluetooth.

Facts: the GoDice programming interface (github.com/ParticulaCode/GoDicePythonAPI). A message begins with
letters; where the die is at rest, three signed bytes follow, the direction of gravity in the die's frame,
64 units long. The six-sided shell is read: each face is one of the six axes.
"""

from __future__ import annotations

import struct

from hardware.dice.states import DieState, Kind, StrangeError

AT_REST: dict[bytes, Kind] = {b"S": "rolled", b"FS": "lies", b"MS": "lies", b"TS": "leaning"}
"""S: stable after a throw; FS: it hardly rolled; MS: it was moved a little; TS: it leans."""
ROLLING = b"R"
OTHERS = (b"Bat", b"Col", b"Cha")
"""Battery, colour, charging."""
AXES = {1: (-1, 0, 0), 2: (0, 0, 1), 3: (0, 1, 0), 4: (0, -1, 0), 5: (0, 0, -1), 6: (1, 0, 0)}


class GoDice:
    """One die. It cannot be asked how it lies: it tells only what happens."""

    NOTIFY = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
    WRITE = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    greeting: tuple[bytes, ...] = ()

    def read(self, payload: bytes) -> DieState | None:
        """Return what a notification says, None if it says nothing of the roll.

        :raises StrangeError: if the protocol knows no such notification.
        """
        if payload == ROLLING:
            return DieState("rolling")
        if payload[:3] in OTHERS:
            return None
        letters, vector = payload[:-3], payload[-3:]
        if letters not in AT_REST:
            raise StrangeError(f"a message that begins with {payload[:3]!r}")
        kind = AT_REST[letters]
        return DieState(kind, (face_of(vector),) if kind != "leaning" else ())


def face_of(vector: bytes) -> int:
    """Return the face whose axis is nearest to a direction of three signed bytes."""
    x, y, z = struct.unpack("bbb", vector)
    return max(AXES, key=lambda face: x * AXES[face][0] + y * AXES[face][1] + z * AXES[face][2])
