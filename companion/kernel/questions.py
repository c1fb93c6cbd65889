"""The closed set of questions and their replies.

Ten kinds serve all five rulebooks (docs/adr/0001). The screen has one widget per kind, vision and
hardware one reader per kind; none of them knows a game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from companion.kernel.domains import Domain
    from companion.kernel.rules import Citation, Text

Kind = Literal["choose", "place", "move", "turn", "roll", "reveal", "count", "order", "assign", "confirm"]


class Chosen(msgspec.Struct, frozen=True, tag="choose"):
    """One or several of the listed things."""

    picks: tuple[str, ...]


class Placed(msgspec.Struct, frozen=True, tag="place"):
    """A piece came from outside the view (hand, deck, box) into a slot.

    `turn` is how it lies, in quarter turns clockwise in the mat frame; None means as the rules
    demand, and nobody looked.
    """

    piece: str
    slot: str
    turn: int | None = None


class Moved(msgspec.Struct, frozen=True, tag="move"):
    """The piece in one slot went to another; with `swap` the two pieces traded places."""

    start: str
    end: str
    swap: bool = False


class Turned(msgspec.Struct, frozen=True, tag="turn"):
    """The piece in a slot was turned.

    `by` counts the piece's own positions clockwise (negative: counter-clockwise): quarter turns for
    a card, sixths for a disc with six positions. None means as far as the rules turn it.
    """

    slot: str
    by: int | None = None


class Rolled(msgspec.Struct, frozen=True, tag="roll"):
    """Dice came to rest with these faces up, in the order of the dice asked for."""

    faces: tuple[str, ...]


class Revealed(msgspec.Struct, frozen=True, tag="reveal"):
    """Faces became known; `UNSEEN` stands for one that stayed hidden."""

    pieces: tuple[str, ...]


class Counted(msgspec.Struct, frozen=True, tag="count"):
    """A number of something on the table."""

    number: int


class Ordered(msgspec.Struct, frozen=True, tag="order"):
    """Things in an order, first things first."""

    items: tuple[str, ...]


class Assigned(msgspec.Struct, frozen=True, tag="assign"):
    """Who or what gets which item: pairs of item and holder."""

    pairs: tuple[tuple[str, str], ...]


class Confirmed(msgspec.Struct, frozen=True, tag="confirm"):
    """An act was carried out, or a yes-or-no question was answered."""

    yes: bool = True


Reply = Chosen | Placed | Moved | Turned | Rolled | Revealed | Counted | Ordered | Assigned | Confirmed

REPLY_OF: dict[Kind, type[Reply]] = {
    "choose": Chosen,
    "place": Placed,
    "move": Moved,
    "turn": Turned,
    "roll": Rolled,
    "reveal": Revealed,
    "count": Counted,
    "order": Ordered,
    "assign": Assigned,
    "confirm": Confirmed,
}


class Question(msgspec.Struct, frozen=True):
    """What the engine needs the table to tell it.

    `key` is unique in a position; an answer names it. `seat` is who is asked, None the whole table.
    `domain` holds every reply the rules allow.
    """

    key: str
    kind: Kind
    seat: int | None
    domain: Domain
    cites: tuple[Citation, ...]
    text: Text


class Answer(msgspec.Struct, frozen=True):
    """What the table replied, and to which question."""

    to: str
    reply: Reply


def slots_of(reply: Reply) -> tuple[str, ...]:
    """Return the slots whose pieces the reply itself touches, empty if it touches none."""
    match reply:
        case Placed(slot=slot) | Turned(slot=slot):
            return (slot,)
        case Moved(start=start, end=end):
            return (start, end)
        case _:
            return ()
