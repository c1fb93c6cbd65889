"""The film of a game: gestures become timed pictures, pin edges and serial bytes.

The film follows the players' hands: a hand comes in with or without a card, stays while something
changes, goes on to the next slot, leaves, and the table lies still for a moment.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import cv2

from companion.simulated.beats import Beat, Frame, TouchAt
from companion.simulated.gestures import (
    Bump,
    Gesture,
    Handle,
    Linger,
    Push,
    Reach,
    SetMarkers,
    Tap,
    Throw,
    Toss,
    Turnabout,
    Withdraw,
)
from companion.simulated.hands import Reaching
from companion.simulated.light import Picture
from companion.simulated.lying import Laid, LyingDie
from companion.simulated.optics import Carried
from companion.simulated.rig import Rig
from companion.simulated.surroundings import AS_IT_BEGAN, Surroundings
from companion.simulated.wires import Buttons, DockLine
from companion.table.mat import Mat

JPEG_QUALITY = 90
Slots = dict[str, Laid | None]
Point = tuple[float, float]


class Lies(Protocol):
    """What lies on the table: cards by slot, and dice."""

    @property
    def slots(self) -> Mapping[str, Laid | None]: ...
    @property
    def dice(self) -> tuple[LyingDie, ...]: ...


class Eyesight(Protocol):
    """What takes the pictures."""

    rig: Rig

    def bump(self, x: float, y: float, roll: float) -> None: ...
    def surround(self, around: Surroundings) -> None: ...
    def picture(
        self,
        slots: Mapping[str, Laid | None],
        at: float,
        hands: Sequence[Reaching] = (),
        carried: Sequence[Carried] = (),
        dice: Sequence[LyingDie] = (),
    ) -> Picture: ...


class Film:
    """Shoots one game; `shoot` may be iterated once.

    `world` is what lies on the table: its `slots` are looked at whenever a hand has changed something.
    """

    def __init__(
        self, world: Lies, camera: Eyesight, mat: Mat, rng: random.Random, dock: DockLine | None = None
    ) -> None:
        self._world = world
        self._camera = camera
        self._mat = mat
        self._rng = rng
        self._buttons = Buttons(rng)
        self._dock = dock or DockLine(rng)
        self._step = 1.0 / camera.rig.frames_per_second
        self._count = 0
        self._lying: Slots = dict(world.slots)
        self._dice = world.dice
        self._hand: Reaching | None = None
        self._around = self._from = AS_IT_BEGAN
        self._turning = (0.0, 0.0)

    @property
    def lying(self) -> Mapping[str, Laid | None]:
        """What lies in each slot in the last picture: the truth, for those who compare."""
        return self._lying

    def shoot(self, gestures: Iterable[Gesture]) -> Iterator[Beat]:
        """Yield the beats of the gestures in the order of time."""
        for gesture in gestures:
            if isinstance(gesture, Reach):
                yield from self._reach(gesture)
            elif isinstance(gesture, Withdraw):
                yield from self._withdraw(gesture.seconds)
            elif isinstance(gesture, Linger):
                yield from self._linger(gesture.seconds)
            elif isinstance(gesture, Push):
                self._buttons.push(gesture.seat, gesture.button, self._now + self._rng.uniform(0.0, self._step))
                yield from self._expose()
            elif isinstance(gesture, Throw):
                self._dock.shake(self._now)
                for _ in range(self._rng.randint(2, 5)):
                    yield from self._expose()
                self._dock.throw(gesture.faces, self._now)
                yield from self._expose()
            elif isinstance(gesture, Toss):
                yield from self._toss(gesture)
            elif isinstance(gesture, SetMarkers):
                self._dock.set_markers(gesture.order, self._now)
                yield from self._expose()
            elif isinstance(gesture, Tap):
                yield from self._expose()
                yield TouchAt(self._now, to=gesture.to, reply=gesture.reply)
            elif isinstance(gesture, Bump):
                self._camera.bump(gesture.x, gesture.y, gesture.roll)
            elif isinstance(gesture, Turnabout):
                self._from, self._around = self._light(self._now), gesture.now
                self._turning = (self._now, gesture.seconds)
            elif isinstance(gesture, Handle):
                yield from self._handle(gesture)
        yield from self._withdraw(2.0)

    @property
    def _now(self) -> float:
        return round(self._count * self._step, 6)

    def _expose(
        self, carried: Iterable[Carried] = (), lying: Mapping[str, Laid | None] | None = None
    ) -> Iterator[Beat]:
        """One picture and what the wires carry until the next one."""
        at = self._now
        hands = [] if self._hand is None else [self._hand]
        self._camera.surround(self._light(at))
        lies = self._lying if lying is None else lying
        picture = self._camera.picture(lies, at, hands, list(carried), self._dice)
        _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        yield Frame(at, jpeg.tobytes())
        heard = self._dock.heard(at)
        if heard is not None:
            yield heard
        self._count += 1
        yield from self._buttons.until(self._now)

    def _light(self, at: float) -> Surroundings:
        """Return how everything beside the game is at `at` seconds; light may take its time."""
        since, seconds = self._turning
        share = min(1.0, (at - since) / seconds) if seconds else 1.0
        return self._from.towards(self._around, share)

    # ---------- hands ----------

    def _handle(self, handle: Handle) -> Iterator[Beat]:
        yield from self._approach(handle.seat, (handle.x, handle.y))
        self._from = self._around = handle.now
        yield from self._expose()

    def _reach(self, reach: Reach) -> Iterator[Beat]:
        if self._hand is not None and self._hand.seat != reach.seat:
            yield from self._leave()
        ways = {"move": self._push_along, "swap": self._trade, "clear": self._sweep}
        yield from ways.get(reach.act, self._change)(reach)
        self._lying = dict(self._world.slots)
        yield from self._expose()

    def _change(self, reach: Reach) -> Iterator[Beat]:
        """Bring, turn, straighten or take one card."""
        (slot,) = reach.slots
        old, new = self._lying[slot], self._world.slots[slot]
        x, y = self._place(slot)
        if new is not None and reach.act in ("lay", "deal"):
            angle = 90.0 * new.turn + self._rng.uniform(-25.0, 25.0)
            yield from self._approach(reach.seat, (x, y), new.card, angle)
            yield from self._expose([self._carry(new.card, (x, y), 8.0, angle)])
            return
        yield from self._approach(reach.seat, (x, y))
        if old is None:
            return
        if new is None:
            self._lying[slot] = None
            yield from self._expose([self._carry(old.card, (x, y), 12.0, 90.0 * old.turn)])
            yield from self._approach(reach.seat, self._halfway(reach.seat, (x, y)), old.card, 90.0 * old.turn)
        else:
            quarters = (new.turn - old.turn + 1) % 4 - 1
            angle = 90.0 * (old.turn + quarters * self._rng.uniform(0.3, 0.7)) + old.skew
            yield from self._expose([self._carry(old.card, (x, y), 3.0, angle)], {**self._lying, slot: None})

    def _push_along(self, reach: Reach) -> Iterator[Beat]:
        source, target = reach.slots
        laid = self._lying[source]
        yield from self._approach(reach.seat, self._place(source))
        self._lying[source] = None
        if laid is not None:
            yield from self._approach(reach.seat, self._place(target), laid.card, 90.0 * laid.turn)

    def _trade(self, reach: Reach) -> Iterator[Beat]:
        one, other = reach.slots
        both = [laid for laid in (self._lying[one], self._lying[other]) if laid is not None]
        yield from self._approach(reach.seat, self._place(one))
        middle = self._between(self._place(one), self._place(other))
        aside = (middle[0], middle[1] + self._rng.choice((-24.0, 24.0)))
        self._lying[one] = self._lying[other] = None
        self._hand = Reaching(reach.seat, *middle, smear=8.0)
        yield from self._expose(
            self._carry(laid.card, place, 4.0, 90.0 * laid.turn)
            for laid, place in zip(both, (middle, aside), strict=False)
        )
        self._hand = Reaching(reach.seat, *self._place(other))

    def _sweep(self, reach: Reach) -> Iterator[Beat]:
        for number, slot in enumerate(reach.slots):
            yield from self._approach(reach.seat, self._place(slot))
            for swept in reach.slots[: number + 1]:
                self._lying[swept] = None

    def _linger(self, seconds: float) -> Iterator[Beat]:
        hand = self._hand
        for _ in range(round(seconds / self._step)):
            if hand is not None:
                dx, dy = self._rng.gauss(0.0, 1.5), self._rng.gauss(0.0, 1.5)
                self._hand = Reaching(hand.seat, hand.x + dx, hand.y + dy)
            yield from self._expose()

    def _withdraw(self, seconds: float) -> Iterator[Beat]:
        yield from self._leave()
        for _ in range(round(seconds / self._step)):
            yield from self._expose()

    def _leave(self) -> Iterator[Beat]:
        if self._hand is not None:
            seat = self._hand.seat
            x, y = self._halfway(seat, (self._hand.x, self._hand.y))
            self._hand = Reaching(seat, x, y, smear=self._rng.uniform(10.0, 30.0))
            yield from self._expose()
            self._hand = None

    def _approach(self, seat: int, target: Point, card: str | None = None, angle: float = 0.0) -> Iterator[Beat]:
        """Move the hand, with a card or without, to `target`; one smeared picture on the way."""
        start = self._halfway(seat, target) if self._hand is None else (self._hand.x, self._hand.y)
        way = start if self._hand is None else self._between(start, target)
        self._hand = Reaching(seat, *way, smear=self._rng.uniform(6.0, 24.0))
        yield from self._expose([self._carry(card, way, 4.0, angle)] if card is not None else [])
        self._hand = Reaching(seat, *target)

    # ---------- dice ----------

    def _toss(self, toss: Toss) -> Iterator[Beat]:
        """Gather the dice up, shake them in the hand, let them roll out."""
        tray = self._mat.tray
        if tray is None:
            return
        x, y = tray.centre
        yield from self._approach(toss.seat % 2, (x, y))
        self._dice = ()
        yield from self._linger(self._rng.uniform(0.4, 0.9))
        yield from self._leave()
        self._dice = self._world.dice
        yield from self._expose()

    # ---------- places ----------

    def _place(self, slot: str) -> Point:
        """Where the fingertips go to touch the card in a slot."""
        slots = self._mat.slots_by_key
        x, y = slots[slot].rect.centre if slot in slots else (self._mat.width / 2, self._mat.height / 2)
        return x + self._rng.gauss(0.0, 5.0), y + self._rng.gauss(0.0, 5.0)

    def _halfway(self, seat: int, point: Point) -> Point:
        edge = self._mat.height + 25.0 if seat == 0 else -25.0
        return point[0] + self._rng.gauss(0.0, 15.0), (point[1] + edge) / 2

    def _between(self, one: Point, other: Point) -> Point:
        return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2

    def _carry(self, card: str, point: Point, loose: float, angle: float) -> Carried:
        return Carried(card, point[0] + self._rng.gauss(0.0, loose), point[1] + self._rng.gauss(0.0, loose), angle)
