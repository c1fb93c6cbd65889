"""What Pixels dice speak over Bluetooth.

Facts: the Pixels communications protocol (github.com/GameWithPixels/.github, doc/CommunicationsProtocol.md)
and the states of newer firmware (github.com/GameWithPixels/pixels-js). Messages begin with their number;
numbers of several bytes are little-endian; faces are told by index, from 0.
"""

from __future__ import annotations

import struct

from hardware.dice.states import DieState, Kind, StrangeError

I_AM_A_DIE, ROLL_STATE = 2, 3
WHO_ARE_YOU, REQUEST_ROLL_STATE = 1, 23
STATES: tuple[Kind | None, ...] = (None, "rolled", "held", "rolling", "leaning", "lies")
"""By number: unknown, rolled (in older firmware: on a face), handling, rolling, crooked, on a face."""
OLD_IDENTITY = struct.Struct("<BBBBIIHIBBBB")
"""Number, LEDs, look, type, profile, pixel id, flash, time of build, roll state, face, battery, charging."""
WRONG_NORMALS_UNTIL = 1_704_150_000
"""Six-sided dice built until then (firmware 2023-11-17) tell the indices of four faces crosswise."""
CROSSED = {1: 4, 2: 3, 3: 2, 4: 1}


class Pixels:
    """One die."""

    NOTIFY = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
    WRITE = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    greeting: tuple[bytes, ...] = (bytes([WHO_ARE_YOU]), bytes([REQUEST_ROLL_STATE]))

    def __init__(self, sides: int) -> None:
        self._sides = sides
        self._is_crossed = False

    def read(self, payload: bytes) -> DieState | None:
        """Return what a notification says, None if it says nothing of the roll.

        :raises StrangeError: if it is empty, or a roll state that the protocol does not know.
        """
        if not payload:
            raise StrangeError("an empty message")
        if payload[0] == ROLL_STATE:
            if len(payload) != 3:
                raise StrangeError(f"a roll state of {len(payload)} bytes; it has 3")
            return self._state(payload[1], payload[2])
        if payload[0] == I_AM_A_DIE and len(payload) == OLD_IDENTITY.size:
            *_, built, state, face, _, _ = OLD_IDENTITY.unpack(payload)
            self._is_crossed = self._sides == 6 and built <= WRONG_NORMALS_UNTIL
            return self._state(state, face)
        return None

    def _state(self, state: int, index: int) -> DieState | None:
        if state >= len(STATES):
            raise StrangeError(f"roll state {state}; 0 to {len(STATES) - 1} exist")
        kind = STATES[state]
        if kind is None:
            return None
        if kind not in ("rolled", "lies"):
            return DieState(kind)
        return DieState(kind, ((CROSSED.get(index, index) if self._is_crossed else index) + 1,))
