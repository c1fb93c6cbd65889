"""A camera above a board of concentric discs, in place of one above a mat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.simulated.disc_scenes import render_discs
from companion.simulated.hands import Reaching
from companion.simulated.light import Picture
from companion.simulated.lying import Laid, LyingDie
from companion.simulated.optics import Carried
from companion.simulated.rig import Rig
from companion.simulated.surroundings import Surroundings
from companion.table.mat import Mat

HAND = 0.45
"""The share of the board that a forearm covers."""
SIXTH = 60.0


class BoardCamera:
    """Takes pictures of one board, `mat` the square round it; place, perspective and light come from `seed`."""

    def __init__(self, mat: Mat, seed: int, rig: Rig) -> None:
        self.rig = rig
        self._stand = {slot: 0.0 for slot, _ in mat.discs}
        self._seed = seed
        self._shown: dict[tuple[float, ...], Picture] = {}

    def bump(self, x: float, y: float, roll: float) -> None:
        """Do nothing: this camera hangs on the board's own frame."""

    def surround(self, around: Surroundings) -> None:
        """Do nothing: a lamp of its own hangs beside this camera."""

    def picture(
        self,
        slots: Mapping[str, Laid | None],
        at: float,
        hands: Sequence[Reaching] = (),
        carried: Sequence[Carried] = (),
        dice: Sequence[LyingDie] = (),
    ) -> Picture:
        """Return what the camera sees, shape (720, 1280, 3) BGR."""
        # A disc stays on its board also while a hand turns it.
        self._stand |= {slot: laid.turn + laid.skew / SIXTH for slot, laid in slots.items() if laid is not None}
        middle, inner = self._stand.values()
        key = (middle, inner, float(bool(hands)))
        if key not in self._shown:
            self._shown[key] = render_discs(middle, inner, self._seed, hand=HAND if hands else 0.0)[0]
        return self._shown[key]
