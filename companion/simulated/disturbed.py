"""A simulated evening at which everything happens that disturbs a camera, with its truth at hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from companion.simulated.beats import Beat
from companion.simulated.gestures import Gesture, Reach
from companion.simulated.light import Picture
from companion.simulated.lying import Laid, Looseness
from companion.simulated.rig import Disturbance
from companion.simulated.table import SimulatedTable
from companion.simulated.trouble import Trouble, Troubles


class DisturbedTable(SimulatedTable):
    """A game of Allies amid troubles."""

    def __init__(
        self,
        seed: int | str,
        faces: Mapping[str, Picture],
        disturbance: Disturbance,
        looseness: Looseness,
        troubles: Troubles,
    ) -> None:
        super().__init__(seed, faces, disturbance=disturbance, looseness=looseness)
        self._trouble = Trouble(self._world, self.evening.mat, random.Random(f"{seed} trouble"), troubles)
        self._acts: Counter[str] = Counter()

    def beats(self) -> Iterator[Beat]:
        """Yield the whole game, once, with all that happens in between."""
        return self._film.shoot(self._counted(self._trouble.amid(self._players.play())))

    def _counted(self, gestures: Iterable[Gesture]) -> Iterator[Gesture]:
        for gesture in gestures:
            if isinstance(gesture, Reach):
                self._acts[f"hands {gesture.act}"] += 1
            yield gesture

    @property
    def lying(self) -> Mapping[str, Laid | None]:
        """What lies in each slot in the last picture: the truth, for those who compare."""
        return self._film.lying

    @property
    def happened(self) -> Mapping[str, int]:
        """How often each trouble came, and how often hands did what."""
        return {**self._trouble.happened, **self._acts}
