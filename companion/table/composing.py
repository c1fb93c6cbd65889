"""Replies said part by part: what may be said next, and when the reply is whole.

A screen has room for a handful of buttons, and many replies have more possibilities than that: six
dice, an order of five markers, a card and its place. So people say a reply as they would aloud, one
part after the other, and at each part are offered only what still leads to a permitted reply.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import msgspec

from companion.kernel import (
    Assigned,
    Assignments,
    Chosen,
    Confirmed,
    Counted,
    Domain,
    Moved,
    Ordered,
    Orders,
    Placed,
    Question,
    Reply,
    Revealed,
    Rolled,
    Rolls,
    Subsets,
    Turned,
)

ALL = ""
"""The part that says: that is all."""

MOST_LOOKED_AT = 50_000
"""How many replies of a domain of unknown build are walked through; the rest cannot be said by parts."""


class Said(msgspec.Struct, frozen=True):
    """The beginning of a reply to the question `to`."""

    to: str
    parts: tuple[str, ...] = ()

    def and_then(self, part: str) -> Said:
        """Return what is said once `part` has been added."""
        return Said(self.to, (*self.parts, part))


def next_parts(question: Question, said: Said) -> tuple[str, ...]:
    """Return what may be said next, in the domain's order; `ALL` first where it may end here."""
    domain, parts = question.domain, said.parts
    match domain:
        case Rolls(dice=dice, alike=True):
            faces = tuple(dict.fromkeys(face for die in dice for face in die))
            return tuple(face for face in faces if domain.can_show((*parts, face)))
        case Rolls(dice=dice):
            return tuple(dict.fromkeys(dice[len(parts)])) if len(parts) < len(dice) else ()
        case Orders(items=items):
            return tuple(item for item in items if item not in parts)
        case Assignments(items=items, holders=holders):
            return holders if len(parts) < len(items) else ()
        case Subsets(names=names):
            rest = tuple(name for name in names if name not in parts) if len(parts) < domain.most else ()
            return ((ALL,) if len(parts) >= domain.least and rest else ()) + rest
    ways = _ways(domain, parts)
    ends = any(len(way) == len(parts) for way in ways)
    rest = tuple(dict.fromkeys(way[len(parts)] for way in ways if len(way) > len(parts)))
    return ((ALL,) if ends and rest else ()) + rest


def whole_reply(question: Question, said: Said) -> Reply | None:
    """Return the reply that the parts amount to, None while something is still to be said.

    The last part may be `ALL`; without it a reply is whole when nothing more can be said.
    """
    parts, ended = said.parts, said.parts[-1:] == (ALL,)
    if ended:
        parts = parts[:-1]
    if not ended and next_parts(question, said):
        return None
    domain = question.domain
    match domain:
        case Rolls(alike=alike):
            return (domain.arranged(parts) if alike else None) or Rolled(parts)
        case Orders():
            return Ordered(parts)
        case Assignments(items=items):
            return Assigned(tuple(zip(items, parts, strict=True)))
        case Subsets(names=names):
            return Chosen(tuple(name for name in names if name in parts))
    return next((reply for reply in islice(domain, MOST_LOOKED_AT) if parts_of(reply) == parts), None)


def parts_of(reply: Reply) -> tuple[str, ...]:
    """Return the parts in which a reply is said."""
    match reply:
        case Placed(piece=piece, slot=slot, turn=turn):
            return (piece, slot, *_turn(turn))
        case Moved(start=start, end=end):
            return (start, end)
        case Turned(slot=slot, by=by):
            return (slot, *_turn(by))
        case Chosen(picks=names) | Rolled(faces=names) | Ordered(items=names):
            return names
        case Revealed(pieces=pieces):
            return tuple(str(piece) for piece in pieces)
        case Counted(number=number):
            return (str(number),)
        case Assigned(pairs=pairs):
            return tuple(holder for _, holder in pairs)
        case Confirmed(yes=yes):
            return ("yes" if yes else "no",)


def _turn(turn: int | None) -> tuple[str, ...]:
    return () if turn is None else (f"{turn:+d}",)


def _ways(domain: Domain, parts: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the parts of every reply that begins with `parts`."""
    replies: Iterable[Reply] = islice(domain, MOST_LOOKED_AT)
    return [way for way in map(parts_of, replies) if way[: len(parts)] == parts]
