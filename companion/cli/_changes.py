"""What hands did on the mat, in one line each."""

from __future__ import annotations

from vision.changes import Change

A_QUARTER = {1: "a quarter turn clockwise", -1: "a quarter turn anticlockwise", 2: "a half turn"}


def in_words(change: Change) -> str:
    """Return a change in words, with the first digits of its evidence."""
    return f"{_says(change)}  [{change.digest[:8]}]"


def _says(change: Change) -> str:
    piece, slot = _named(change.piece), change.slot
    if change.position:
        return f"{slot}: {piece} {'stands at' if change.kind == 'found' else 'is turned to'} {change.position}"
    match change.kind:
        case "found":
            return f"{slot}: {piece} lies there"
        case "placed":
            return f"{slot}: {piece} is laid down{_over(change)}"
        case "removed":
            under = f", {_named(change.under)} comes to light" if change.under else ""
            return f"{slot}: {piece} is taken away{under}"
        case "moved":
            return f"{change.source} to {slot}: {piece} is moved{_turned(change)}{_over(change)}"
        case "swapped":
            return f"{slot} and {change.source}: {piece} and {_named(change.other)} trade places"
        case "rotated":
            return f"{slot}: {piece} is turned by {_by(change)}"
        case "covered":
            return f"{slot}: something lies over {piece}"
        case "uncovered":
            return f"{slot}: {piece} is in sight again"


def _named(piece: str) -> str:
    return piece or "an unknown card"


def _over(change: Change) -> str:
    return f" over {change.over}" if change.over else ""


def _turned(change: Change) -> str:
    return f" and turned by {_by(change)}" if change.quarters else ""


def _by(change: Change) -> str:
    if change.quarters:
        return A_QUARTER[change.quarters]
    return f"{abs(change.degrees):.0f} degrees {'clockwise' if change.degrees > 0 else 'anticlockwise'}"
