"""What lies on the simulated table, as far as a camera could see it: cards in slots, dice in the tray."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from companion.kernel import Lying
from companion.simulated.lying import Laid, Looseness, LyingDie
from companion.table.mat import Mat, Rect

DIE_MM = 16.0


class Tabletop:
    """One mat and what lies on it. `slots` and `dice` are replaced, never changed."""

    def __init__(self, mat: Mat, rng: random.Random, looseness: Looseness | None = None) -> None:
        """Clear the table."""
        self.slots: dict[str, Laid | None] = dict.fromkeys(slot.key for slot in mat.slots)
        self.dice: tuple[LyingDie, ...] = ()
        self._mat, self._rng, self._looseness = mat, rng, looseness or Looseness()

    def follow(self, scene: Mapping[str, Lying]) -> Iterator[tuple[str, Laid | None, Laid | None]]:
        """Bring the slots to where they should be; yield each that changes, what lay there and what lies there now."""
        for slot, laid in list(self.slots.items()):
            wanted = scene.get(slot)
            if wanted is None and laid is not None:
                self._put(slot, None)
                yield slot, laid, None
            elif wanted is not None and not _fits(laid, wanted):
                now = self._lay(wanted, laid)
                self._put(slot, now)
                yield slot, laid, now

    def throw(self, faces: Sequence[str]) -> None:
        """Let dice come to rest in the tray, each somewhere else, none on another.

        :raises ValueError: if the mat has no tray.
        """
        if self._mat.tray is None:
            raise ValueError(f"the mat {self._mat.name} has no tray to throw dice into")
        places: list[tuple[float, float]] = []
        for _ in faces:
            places.append(self._free_place(self._mat.tray, places))
        self.dice = tuple(
            LyingDie(number, face, x, y, self._rng.uniform(0.0, 360.0))
            for number, (face, (x, y)) in enumerate(zip(faces, places, strict=True))
        )

    def take_dice(self) -> None:
        """Take all dice out of the tray."""
        self.dice = ()

    def _put(self, slot: str, laid: Laid | None) -> None:
        self.slots = {**self.slots, slot: laid}

    def _lay(self, wanted: Lying, before: Laid | None) -> Laid:
        piece = wanted.piece or (before.card if before is not None else "")
        return self._looseness.put_down(piece, min(wanted.turns, default=0), self._rng)

    def _free_place(self, tray: Rect, taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
        for _ in range(1000):
            x = self._rng.uniform(tray.x + DIE_MM, tray.x + tray.width - DIE_MM)
            y = self._rng.uniform(tray.y + DIE_MM, tray.y + tray.height - DIE_MM)
            if all((x - a) ** 2 + (y - b) ** 2 > (1.7 * DIE_MM) ** 2 for a, b in taken):
                return x, y
        raise ValueError(f"a tray of {tray.width:.0f} x {tray.height:.0f} mm has no room for {len(taken) + 1} dice")


def _fits(laid: Laid | None, wanted: Lying) -> bool:
    return laid is not None and laid.card == (wanted.piece or laid.card) and laid.turn in wanted.turns
