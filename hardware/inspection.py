"""What every input says right now, for whoever wires a table: not debounced, not interpreted."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import msgspec


class InputState(msgspec.Struct, frozen=True):
    """One input: what it is for, where it hangs, and what it says at this moment, in words."""

    name: str
    where: str
    state: str


@runtime_checkable
class Inspected(Protocol):
    """A witness whose inputs can be looked at."""

    def inputs(self) -> list[InputState]:
        """Return the state of every input at this moment; never blocks."""


def contact(is_closed: bool) -> str:
    """Return the word for a contact."""
    return "closed" if is_closed else "open"
