"""Everything that disturbs a camera during a game: hands, things, light, focus, bumps, cards nudged.

`Trouble` passes a game's gestures on and lets something happen at some of the moments at which the
table lies still. Whatever lies on the mat is taken away again before play goes on, light and focus may last.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

import msgspec

from companion.simulated.gestures import Bump, Gesture, Handle, Linger, Reach, Turnabout, Withdraw
from companion.simulated.surroundings import AS_IT_BEGAN, Glint, Kind, Shade, Surroundings, Thing
from companion.simulated.world import World
from companion.table.mat import Mat

LASTS = 4
"""What lasts is over after at most so many moments of rest."""


class Troubles(msgspec.Struct, frozen=True):
    """How likely something happens while the table lies still, and how bad it gets (lower and upper bounds)."""

    share: float = 0.35
    level: tuple[float, float] = (0.45, 1.3)
    """What a lamp, the sun or the camera's exposure makes of the light."""
    warmth: tuple[float, float] = (-0.2, 0.2)
    """From daylight to a bulb: the camera's white balance is locked."""
    blur: tuple[float, float] = (0.5, 1.6)
    shade: tuple[float, float] = (0.2, 0.5)
    glint: tuple[float, float] = (3.0, 9.0)
    bump: tuple[float, float] = (2.0, 30.0)
    """Pixels by which the middle of the picture moves."""
    roll: tuple[float, float] = (0.0, 1.5)
    """Degrees by which it turns."""
    slide: tuple[float, float] = (2.0, 9.0)
    """Millimetres; the mat turns by up to a quarter of that in degrees."""
    nudge: float = 0.15
    """How far a card is pushed from the middle of its slot, as a share of its width."""


class Trouble:
    """The disturbances of one evening; `happened` counts them by name."""

    def __init__(self, world: World, mat: Mat, rng: random.Random, troubles: Troubles | None = None) -> None:
        self._world, self._mat, self._rng = world, mat, rng
        self._of = troubles or Troubles()
        self._now = AS_IT_BEGAN
        self._left = 0
        self.happened: dict[str, int] = {}
        self._ways: dict[str, Callable[[], Iterator[Gesture]]] = {
            "lamp switched": self._lamp,
            "sun drifting": self._sun,
            "exposure changed": self._exposure,
            "lamp moved": self._lamp_round,
            "out of focus": self._focus,
            "shadow": self._shadow,
            "glare": self._glare,
            "camera bumped": self._bump,
            "mat slid": self._slide,
            "card nudged": self._nudge,
            "die on a card": lambda: self._thing("die"),
            "coin on a card": lambda: self._thing("coin"),
            "pencil": lambda: self._thing("pencil"),
            "finger": self._finger,
            "covered by a sheet": lambda: self._thing("sheet"),
            "covered by a page": lambda: self._thing("page"),
            "covered by a cup": lambda: self._thing("cup"),
            "hand resting": self._hand,
        }

    def amid(self, gestures: Iterable[Gesture]) -> Iterator[Gesture]:
        """Yield the gestures of a game, and what happens in between."""
        for gesture in gestures:
            yield gesture
            if not isinstance(gesture, Withdraw):
                continue
            if self._left:
                self._left -= 1
                if not self._left:
                    yield from self._over()
            if self._rng.random() < self._of.share:
                yield Withdraw(0.6)
                yield from self._happen()

    def _happen(self) -> Iterator[Gesture]:
        names = self._rng.sample(sorted(self._ways), self._rng.choice((1, 1, 1, 2, 2, 3)))
        for name in names:
            self.happened[name] = self.happened.get(name, 0) + 1
            yield from self._ways[name]()
            yield Withdraw(self._rng.uniform(1.2, 2.4))
        if self._now.things:
            yield from self._clear_away()

    def _over(self) -> Iterator[Gesture]:
        yield from self._become(msgspec.structs.replace(AS_IT_BEGAN, slide=self._now.slide))
        yield Withdraw(0.6)

    def _become(self, now: Surroundings, seconds: float = 0.0) -> Iterator[Gesture]:
        self._now = now
        yield Turnabout(now, seconds)

    def _changed(self, **changes: object) -> Surroundings:
        return msgspec.structs.replace(self._now, **changes)

    def _until_later(self) -> None:
        self._left = self._left or self._rng.randint(1, LASTS)

    # ---------- light ----------

    def _lamp(self) -> Iterator[Gesture]:
        self._until_later()
        yield from self._become(
            self._changed(level=self._rng.uniform(*self._of.level), warmth=self._rng.uniform(*self._of.warmth))
        )

    def _sun(self) -> Iterator[Gesture]:
        self._until_later()
        now = self._changed(level=self._rng.uniform(*self._of.level), warmth=self._rng.uniform(*self._of.warmth))
        yield from self._become(now, self._rng.uniform(5.0, 30.0))

    def _exposure(self) -> Iterator[Gesture]:
        """The camera finds another exposure within three pictures, and comes back."""
        before = self._now.level
        yield from self._become(self._changed(level=before * self._rng.choice((0.6, 0.75, 1.2))), 0.6)
        yield Withdraw(1.0)
        yield from self._become(self._changed(level=before), 0.6)

    def _lamp_round(self) -> Iterator[Gesture]:
        self._until_later()
        yield from self._become(self._changed(lamp=self._rng.uniform(30.0, 330.0)))

    def _focus(self) -> Iterator[Gesture]:
        yield from self._become(self._changed(blur=self._rng.uniform(*self._of.blur)))
        yield Withdraw(self._rng.uniform(0.4, 2.0))
        yield from self._become(self._changed(blur=0.0))

    def _shadow(self) -> Iterator[Gesture]:
        self._until_later()
        x, y = self._rng.uniform(0.0, self._mat.width), self._rng.uniform(0.0, self._mat.height)
        shade = Shade(x, y, self._rng.uniform(0.0, 360.0), self._rng.uniform(*self._of.shade))
        yield from self._become(self._changed(shade=shade))

    def _glare(self) -> Iterator[Gesture]:
        self._until_later()
        glints = tuple(
            Glint(*self._near(self._some_slot(), 0.5), self._rng.uniform(*self._of.glint))
            for _ in range(self._rng.randint(1, 3))
        )
        yield from self._become(self._changed(glints=glints))

    # ---------- camera and mat ----------

    def _bump(self) -> Iterator[Gesture]:
        yield Bump(self._either(*self._of.bump), self._either(*self._of.bump), self._either(*self._of.roll))

    def _slide(self) -> Iterator[Gesture]:
        x, y = self._either(*self._of.slide), self._either(*self._of.slide)
        turn = self._either(0.0, self._of.slide[1] / 4)
        seat = self._rng.randrange(2)
        self._now = self._changed(slide=(x, y, turn))
        yield Handle(
            seat, self._rng.uniform(60.0, self._mat.width - 60.0), (self._mat.height - 12.0, 12.0)[seat], self._now
        )

    def _either(self, low: float, high: float) -> float:
        return self._rng.choice((-1.0, 1.0)) * self._rng.uniform(low, high)

    # ---------- hands and things ----------

    def _nudge(self) -> Iterator[Gesture]:
        slot = self._some_slot()
        reach = self._of.nudge * min(self._mat.card_size)
        self._world.nudge(
            slot, self._rng.uniform(-reach, reach), self._rng.uniform(-reach, reach), self._rng.uniform(-12.0, 12.0)
        )
        yield Reach(self._rng.randrange(2), "straighten", (slot,))

    def _hand(self) -> Iterator[Gesture]:
        x, y = self._near(self._some_slot(), 0.4)
        yield Handle(self._rng.randrange(2), x, y, self._now)
        yield Linger(self._rng.uniform(1.0, 4.0))

    def _finger(self) -> Iterator[Gesture]:
        """A finger that reaches in over the mat's long edge and lies still there."""
        slot = self._mat.slot(self._rng.choice([slot.key for slot in self._mat.slots if slot.key[0] in "AB"]))
        x, y = slot.rect.centre
        below = slot.key[0] == "A"
        long = self._rng.uniform(16.0, 19.0) * 14.0 / 2
        tip = y + self._rng.uniform(-10.0, 25.0) * (1 if below else -1)
        middle = tip + long if below else tip - long
        thing = Thing("finger", x + self._rng.uniform(-15.0, 15.0), middle, 0.0 if below else 180.0, long / 7.0)
        yield from self._become(self._changed(things=(*self._now.things, thing)))
        yield Withdraw(self._rng.uniform(0.6, 2.0))
        yield from self._become(self._changed(things=tuple(each for each in self._now.things if each is not thing)))

    def _thing(self, kind: Kind) -> Iterator[Gesture]:
        sizes: dict[str, tuple[float, float]] = {
            "die": (12.0, 18.0),
            "coin": (18.0, 25.0),
            "pencil": (6.5, 8.0),
            "cup": (60.0, 85.0),
            "sheet": (75.0, 130.0),
            "page": (75.0, 130.0),
        }
        x, y = self._near(self._some_slot(), 0.35)
        thing = Thing(
            kind, x, y, self._rng.uniform(0.0, 360.0), self._rng.uniform(*sizes[kind]), self._rng.randrange(10**6)
        )
        self._now = self._changed(things=(*self._now.things, thing))
        yield Handle(self._rng.randrange(2), x, y, self._now)

    def _clear_away(self) -> Iterator[Gesture]:
        while self._now.things:
            *rest, thing = self._now.things
            self._now = self._changed(things=tuple(rest))
            yield Handle(self._rng.randrange(2), thing.x, thing.y, self._now)
        yield Withdraw(self._rng.uniform(0.8, 1.6))

    # ---------- places ----------

    def _some_slot(self) -> str:
        taken = [slot for slot, laid in self._world.slots.items() if laid is not None]
        return self._rng.choice(taken or sorted(self._world.slots))

    def _near(self, slot: str, share: float) -> tuple[float, float]:
        x, y = self._mat.slot(slot).rect.centre
        reach = share * min(self._mat.card_size)
        return x + self._rng.uniform(-reach, reach), y + self._rng.uniform(-reach, reach)
