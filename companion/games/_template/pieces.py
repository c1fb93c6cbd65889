"""What is in the box, and how places and seats are called."""

from __future__ import annotations

FACES = tuple("123456")
"""The faces of the one die (PIG-1.2)."""
CARDS = {f"bonus-{number}": number for number in range(1, 9)}
"""The bonus cards, and the number printed on each (PIG-1.3)."""
SEATS = "ABCD"
"""Seats count from 0; people write them as letters."""


def place(seat: int) -> str:
    """Return the slot of the mat in which a seat's bonus card lies: `P1` for seat A, `P2` for seat B."""
    return f"P{seat + 1}"
