"""What is not part of the game and changes all the same: light, focus, shadows, things, the mat's place.

A `Surroundings` is the state of all this at one moment; the camera draws it. As an evening begins,
everything is as the evening's `Conditions` say.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["die", "cup", "sheet", "page", "pencil", "coin", "finger"]
"""`sheet` is blank paper, `page` a printed one, `finger` a finger that reaches in from the mat's edge."""


class Thing(msgspec.Struct, frozen=True):
    """Something that lies on the mat and is no card: centre at (x, y) mm, turned `angle` degrees clockwise.

    `size` is its width in millimetres, `look` the seed of its colours and print.
    """

    kind: Kind
    x: float
    y: float
    angle: float
    size: float
    look: int = 0


class Shade(msgspec.Struct, frozen=True):
    """A shadow over half of the table: its edge goes through (x, y) mm, `angle` (degrees) points into it.

    `depth` is the share of the light that it takes.
    """

    x: float
    y: float
    angle: float
    depth: float


class Glint(msgspec.Struct, frozen=True):
    """A lamp mirrored in whatever lies at (x, y) mm; blown out within `radius` mm."""

    x: float
    y: float
    radius: float


class Surroundings(msgspec.Struct, frozen=True):
    """Everything beside the game.

    `level` and `warmth` scale the light (1 and 0: as the evening began; warmth 0.1 is 10 % more red and
    less blue), `lamp` is how many degrees the lamp has gone round the table, `blur` the standard
    deviation in pixels by which the lens is out of focus, `slide` how far the mat has slid (mm, mm,
    degrees clockwise about its middle).
    """

    level: float = 1.0
    warmth: float = 0.0
    lamp: float = 0.0
    blur: float = 0.0
    slide: tuple[float, float, float] = (0.0, 0.0, 0.0)
    shade: Shade | None = None
    glints: tuple[Glint, ...] = ()
    things: tuple[Thing, ...] = ()

    def towards(self, other: Surroundings, share: float) -> Surroundings:
        """Return `other` with a light that has only gone `share` of the way from this one's."""
        return msgspec.structs.replace(
            other,
            level=self.level + share * (other.level - self.level),
            warmth=self.warmth + share * (other.warmth - self.warmth),
        )


AS_IT_BEGAN = Surroundings()
