"""What the outside implements: witnesses that answer, markers that show, the store that keeps.

Witnesses run as they like (threads, callbacks) and hand every observation to one function, which
puts it into one queue; nothing else is shared. Markers are called from the table's loop only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, runtime_checkable

import msgspec

from companion.table.observation import Observation

Observe = Callable[[Observation], None]


class Health(msgspec.Struct, frozen=True):
    """How a witness or marker is doing, in words: `state` for the lamp, `says` for the person.

    `says` names what is wrong and what to do; it is empty only while all is well.
    """

    state: Literal["ok", "waiting", "unsure", "failed", "off"]
    says: str = ""
    sides: tuple[tuple[str, str], ...] = ()
    """Where two parts do not fit each other: the name of each, and what it is."""
    remedy: str = ""
    """What to do about it, at length."""


@runtime_checkable
class Witness(Protocol):
    """Anyone who answers: camera, button, die tray, screen."""

    name: str

    def start(self, observe: Observe) -> None:
        """Begin to watch; call `observe` for every observation until `stop`."""

    def stop(self) -> None:
        """Stop watching and give back every thread, file and pin. Calling it twice is allowed."""

    def health(self) -> Health:
        """Say how the witness is doing right now; never blocks."""


@runtime_checkable
class Keeper(Witness, Protocol):
    """A witness whose reports survive a crash: it keeps each until the table is done with it.

    After a crash it reports again what was not settled, with the same evidence, which names one thing only.
    """

    def settled(self, observation: Observation) -> None:
        """The table is done with this report: what follows from it is on disk, or nothing does."""


class Signal(msgspec.Struct, frozen=True):
    """What the lamps and buzzers should say now: a target state, safe to send twice."""

    turn: int | None = None
    """The seat whose turn it is."""
    asked: int | None = None
    """The seat that has an open question to answer by button."""
    alarm: bool = False
    """Something on the table does not fit; the screen says what."""
    finished: bool = False


@runtime_checkable
class Marker(Protocol):
    """Anything that shows: a lamp, a buzzer, a display."""

    name: str

    def show(self, signal: Signal) -> None:
        """Bring the marker into the state the signal asks for."""

    def stop(self) -> None:
        """Switch off and give back every pin. Calling it twice is allowed."""

    def health(self) -> Health:
        """Say how the marker is doing right now; never blocks."""
