"""What people at the table do with their hands, one after the other.

A gesture tells where a hand goes; what it changes is already done to the world when the gesture is
handed on. The film turns gestures into pictures, pin edges and serial bytes.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.simulated.surroundings import Surroundings


class Reach(msgspec.Struct, frozen=True):
    """A hand of `seat` goes to `slots` in turn and changes what lies there.

    `carries` is the card it brings or takes away, None when cards only turn or trade places.
    """

    seat: int
    act: Literal["lay", "turn", "move", "swap", "take", "clear", "deal", "straighten"]
    slots: tuple[str, ...]
    carries: str | None = None


class Linger(msgspec.Struct, frozen=True):
    """The hand rests over the table for `seconds` and does nothing."""

    seconds: float


class Withdraw(msgspec.Struct, frozen=True):
    """The hand leaves the picture and the table rests for `seconds`."""

    seconds: float


class Push(msgspec.Struct, frozen=True):
    """A seat presses one of its buttons."""

    seat: int
    button: Literal["done", "undo", "yes", "no"]


class Throw(msgspec.Struct, frozen=True):
    """Dice come to rest in the tray that a dock listens to: the faces on top, in the tray's order."""

    faces: tuple[str, ...]


class Toss(msgspec.Struct, frozen=True):
    """A hand of `seat` throws dice into the tray under the camera; these faces come to lie on top."""

    seat: int
    faces: tuple[str, ...]


class SetMarkers(msgspec.Struct, frozen=True):
    """Hands put the markers of the track into this order, first place first."""

    order: tuple[str, ...]


class Tap(msgspec.Struct, frozen=True):
    """Somebody answers the question `to` on the screen, the reply in notation."""

    to: str
    reply: str


class Bump(msgspec.Struct, frozen=True):
    """Somebody knocks against the camera, which looks elsewhere from now on.

    What was in the middle of the picture moves by so many pixels, and the picture turns `roll` degrees clockwise.
    """

    x: float
    y: float
    roll: float = 0.0


class Turnabout(msgspec.Struct, frozen=True):
    """What is not part of the game becomes as `now` says; light takes `seconds` to change."""

    now: Surroundings
    seconds: float = 0.0


class Handle(msgspec.Struct, frozen=True):
    """A hand of `seat` puts something down at (x, y) mm or takes it away; then all is as `now` says."""

    seat: int
    x: float
    y: float
    now: Surroundings


Gesture = Reach | Linger | Withdraw | Push | Throw | Toss | SetMarkers | Tap | Bump | Turnabout | Handle
