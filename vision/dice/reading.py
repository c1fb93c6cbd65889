"""One frozen record for a die that was read.

Frame: pixels of the picture given to the reader, x to the right, y down, the centre of the top left
pixel at (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

DieState = Literal["known", "unsure", "cocked", "stacked", "moving", "half out of view"]
"""known: one face stands out; unsure: it may be another; the rest say why a die cannot count."""

DieKind = Literal["pip", "face", "symbol"]
"""pip: 1 to 6 pips; face: an enrolled face; symbol: something that is neither."""


@dataclass(frozen=True, eq=False)
class DieReading:
    """What the upper face of one die shows.

    `value` is `1` to `6` for pips, the label of an enrolled face, or None for a sign that is not
    enrolled. `confidence` is the estimated probability (0 to 1) that the value is right, `top` a
    float64 array (4, 2) with the corners of the upper face, clockwise, `candidates` values with their
    share of the evidence, best first.

    :raises ValueError: if a field does not have the form described.
    """

    value: str | None
    colour: str
    kind: DieKind
    state: DieState
    confidence: float
    top: NDArray[np.float64]
    candidates: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        top = np.array(self.top, dtype=np.float64)
        if top.shape != (4, 2) or not np.isfinite(top).all():
            raise ValueError(f"top must be four finite points of shape (4, 2), not {top.shape}")
        top.setflags(write=False)
        object.__setattr__(self, "top", top)
        if self.state not in get_args(DieState):
            raise ValueError(f"state must be one of {', '.join(get_args(DieState))}, not {self.state!r}")
        if self.state == "known" and self.value is None:
            raise ValueError("a die that is known has a value")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence must lie between 0 and 1, not {self.confidence!r}")

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the upper face, in pixels."""
        x, y = self.top.mean(axis=0)
        return float(x), float(y)

    @property
    def size(self) -> float:
        """The mean edge of the upper face, in pixels."""
        return float(np.hypot(*(np.roll(self.top, -1, axis=0) - self.top).T).mean())
