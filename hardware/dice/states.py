"""What a die says of itself, whatever it speaks; and the port of whoever listens to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

from companion.table.ports import Health

Kind = Literal["rolled", "lies", "rolling", "held", "leaning", "away", "back"]
"""rolled: came to rest after a throw; lies: rests without having been thrown (laid down, turned, or the
answer to how it lies); rolling, held: in motion, in a hand; leaning: rests on an edge; away, back: the
connection was lost, and made again."""


class DieState(msgspec.Struct, frozen=True):
    """`faces` are the numbers of the faces that lie up, from 1; one for a die, several for a tower of dice.

    An `event` is told once for each throw; other states are told again whenever they are asked for.
    """

    kind: Kind
    faces: tuple[int, ...] = ()
    is_event: bool = False


class StrangeError(ValueError):
    """Something that the die's protocol does not allow; says what was found."""


class Speaker(Protocol):
    """What a kind of Bluetooth die speaks: pure, bytes in, states out."""

    NOTIFY: str
    WRITE: str
    """The characteristics on which it tells and listens."""
    greeting: tuple[bytes, ...]
    """What to write once connected, so that it says how it lies."""

    def read(self, payload: bytes) -> DieState | None:
        """Return what a notification says, None if it says nothing of the roll.

        :raises StrangeError: if the protocol knows no such notification.
        """


Report = Callable[[int, DieState], None]
"""Takes the number of a die, as wired, and what it says; may be called from any thread."""


class DieSource(Protocol):
    """Somebody who listens to one or several dice."""

    def start(self, report: Report) -> None:
        """Begin to look for the dice and to listen; comes back at once."""

    def stop(self) -> None:
        """Stop, and give back every thread, port and connection. Calling it twice is allowed."""

    def health(self) -> Health:
        """Say how the dice are doing; never blocks."""
