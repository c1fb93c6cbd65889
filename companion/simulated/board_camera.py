"""A camera above a board of concentric discs, in place of one above a mat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.simulated.disc_scenes import render_discs
from companion.simulated.hands import Reaching
from companion.simulated.light import Picture
from companion.simulated.lying import Laid
from companion.simulated.rig import Rig
from companion.simulated.surroundings import Surroundings

HAND = 0.45
"""The share of the board that a forearm covers."""


class BoardCamera:
    """Takes pictures of one board; place, perspective and light come from `seed`.

    :param discs: the slots of the middle and of the inner disc
    """

    def __init__(self, discs: tuple[str, str], seed: int, rig: Rig | None = None) -> None:
        self.rig = rig or Rig()
        self._discs, self._seed = discs, seed
        self._shown: dict[tuple[int, int, bool], Picture] = {}
        self.corners: NDArray[np.float64] = render_discs(0, 0, seed)[1]
        """Where somebody has tapped the board's corners in the picture, (4, 2) pixels."""

    def bump(self, x: float, y: float, roll: float) -> None:
        """Do nothing: this camera hangs on the board's own frame."""

    def surround(self, around: Surroundings) -> None:
        """Do nothing: a lamp of its own hangs beside this camera."""

    def picture(
        self,
        slots: Mapping[str, Laid | None],
        at: float,
        hands: Sequence[Reaching] = (),
        carried: Sequence[object] = (),
        dice: Sequence[object] = (),
    ) -> Picture:
        """Return what the camera sees, shape (720, 1280, 3) BGR."""
        middle, inner = (laid.turn if (laid := slots.get(slot)) is not None else 0 for slot in self._discs)
        key = (middle, inner, bool(hands))
        if key not in self._shown:
            self._shown[key] = render_discs(middle, inner, self._seed, hand=HAND if hands else 0.0)[0]
        return self._shown[key]
