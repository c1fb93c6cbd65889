"""One frozen record between every reader of cards and everyone who uses a reading.

Frame: pixels of the picture that was given to the reader, x to the right, y down, the centre of the
top left pixel at (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

State = Literal["known", "unsure", "unknown"]
"""known: one face stands out; unsure: ranked candidates; unknown: a card, none of the enrolled."""


@dataclass(frozen=True, eq=False)
class CardReading:
    """What was read at one place of a picture.

    `label` is the best face (None when unknown), `confidence` the estimated probability (0 to 1)
    that label and quadrant are right, `angle` degrees clockwise from upright in the image in
    [0, 360), `quadrant` its nearest quarter turn (0 to 3), `corners` a float64 array of shape
    (4, 2): the card's own top left, top right, bottom right, bottom left. `candidates` are
    (label, score) in falling order of the score, which is the correlation with that face (-1 to 1).

    :raises ValueError: if a field does not have the form described.
    """

    label: str | None
    state: State
    confidence: float
    angle: float
    quadrant: int
    corners: NDArray[np.float64]
    candidates: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        corners = np.array(self.corners, dtype=np.float64)
        if corners.shape != (4, 2) or not np.isfinite(corners).all():
            raise ValueError(f"corners must be four finite points of shape (4, 2), not {corners.shape}")
        corners.setflags(write=False)
        object.__setattr__(self, "corners", corners)
        if self.state not in get_args(State):
            raise ValueError(f"state must be known, unsure or unknown, not {self.state!r}")
        if (self.label is None) != (self.state == "unknown"):
            raise ValueError(f"a card that is {self.state} cannot have the label {self.label!r}")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence must lie between 0 and 1, not {self.confidence!r}")
        if not 0.0 <= self.angle < 360.0:
            raise ValueError(f"angle must lie in [0, 360) degrees, not {self.angle!r}")
        if self.quadrant not in (0, 1, 2, 3):
            raise ValueError(f"quadrant must be 0, 1, 2 or 3, not {self.quadrant!r}")
        scores = [score for _, score in self.candidates]
        if scores != sorted(scores, reverse=True):
            raise ValueError("candidates must be in falling order of their score")

    @property
    def centre(self) -> tuple[float, float]:
        """Where the card's diagonals cross, in pixels (right under perspective too)."""
        return crossing(self.corners)

    def moved(self, dx: float, dy: float, scale: float = 1.0) -> CardReading:
        """Return the same reading in a picture of which this one is a crop, scaled and then moved."""
        return CardReading(
            self.label,
            self.state,
            self.confidence,
            self.angle,
            self.quadrant,
            self.corners * scale + (dx, dy),
            self.candidates,
        )


def crossing(corners: NDArray[np.float64]) -> tuple[float, float]:
    """Return where the diagonals of a quadrilateral (4, 2) cross; its mean if they are parallel."""
    a, b, c, d = corners
    first, second = c - a, d - b
    turn = first[0] * second[1] - first[1] * second[0]
    if abs(turn) < 1e-9:
        return float(corners[:, 0].mean()), float(corners[:, 1].mean())
    share = ((b[0] - a[0]) * second[1] - (b[1] - a[1]) * second[0]) / turn
    point = a + share * first
    return float(point[0]), float(point[1])


def angle_of(corners: NDArray[np.float64]) -> float:
    """Return the angle of a card in degrees clockwise from upright, [0, 360).

    The card's upward direction runs from the middle of its lower edge to the middle of its upper one.
    """
    up = corners[:2].mean(axis=0) - corners[2:].mean(axis=0)
    angle = float(np.degrees(np.arctan2(up[0], -up[1]))) % 360.0
    return 0.0 if angle >= 360.0 else angle


def quadrant_of(angle: float) -> int:
    """Return the quarter turn (0 to 3, clockwise) nearest to `angle` in degrees."""
    return round(angle / 90.0) % 4
