"""The camera as a witness of the table: frames in, scenes out, on a thread of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from companion.table.mat import Mat
from companion.table.observation import Scene, Sighting
from companion.table.ports import Observe
from vision.frame import Frame
from vision.patch import LightWatch, Verdict, look_at_patch
from vision.sources.source import Playback, Source
from vision.table_reader import Look
from vision.watcher import LOOK_EVERY_S, Watcher

EMIT_EVERY_S = 1.0
CALM_EVERY_S = 0.09
"""While nothing moves, pictures that follow each other more closely are left out: a table at rest is
watched ten times a second, which costs a tenth of a core where thirty would cost a third."""


FIND_LIGHT_S = 1.5
"""A camera that may find its exposure again gets this long."""

LOOK_AT_LIGHT_S = 1.0


@runtime_checkable
class LocksLight(Protocol):
    """A camera whose exposure and white balance can be kept as they are, and let go of."""

    def lock_light(self) -> None: ...

    def unlock_light(self) -> None: ...


class Reader(Protocol):
    """What makes scenes of a stream of pictures: the cards on a mat (`TableReader`), the discs of a board."""

    witness: str
    last: Look | None

    @property
    def mat(self) -> Mat: ...

    def read(self, frame: Frame) -> Scene: ...


class CameraWitness(Watcher):
    """Reports a scene whenever the table looks different, and at least once a second.

    A source without pictures is reported too: as a scene that is not steady, with the source's own
    words as its problem.
    """

    def __init__(self, source: Source, reader: Reader, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(reader.witness, source, clock)
        self.reader = reader
        self._seen: tuple[Frame, Look] | None = None
        self._problem = ""
        self._light = LightWatch()
        self.light: Verdict = "as before"
        """What has become of the light since exposure was locked; stays as it is for a camera that cannot lock it."""
        self._light_is_locked = False
        self._light_at = float("-inf")

    def seen(self) -> tuple[Frame, Look] | None:
        """Return the last frame that was read and what was made of it, for the screen."""
        return self._seen

    def _doubt(self) -> str:
        return self._problem

    def _run(self, observe: Observe) -> None:
        number, shown, shown_at = -1, None, float("-inf")
        fresh_at = self._clock()
        while not self._stopping.is_set():
            frame = self.source.latest()
            if frame is not None and frame.number != number and not self._may_skip(frame):
                number, fresh_at = frame.number, self._clock()
                scene = self.reader.read(frame)
                if self.reader.last is not None:
                    self._seen = (frame, self.reader.last)
                self._lock_light(scene, frame)
            elif self._clock() - fresh_at > EMIT_EVERY_S and not isinstance(self.source, Playback):
                scene = self._blind(fresh_at)
            else:
                self._stopping.wait(LOOK_EVERY_S)
                continue
            self._problem = scene.problem
            gist = _gist(scene)
            if gist != shown or self._clock() - shown_at >= EMIT_EVERY_S:
                shown, shown_at = gist, self._clock()
                observe(scene)
            if frame is None:
                self._stopping.wait(LOOK_EVERY_S)

    def _may_skip(self, frame: Frame) -> bool:
        if self._seen is None or isinstance(self.source, Playback):
            return False
        before, look = self._seen
        return look.scene.steady and 0.0 <= frame.at - before.at < CALM_EVERY_S

    def _blind(self, since: float) -> Scene:
        """Say that there is no picture, and why."""
        hidden = tuple(Sighting(slot.key, "hidden") for slot in self.reader.mat.slots)
        return Scene(self.name, since, hidden, steady=False, problem=self._silence(since))

    def _lock_light(self, scene: Scene, frame: Frame) -> None:
        """Keep exposure and white balance once the table is seen at rest; let go while nothing can be read by them."""
        plane = None if self.reader.last is None else self.reader.last.plane
        if not isinstance(self.source, LocksLight) or plane is None or frame.at < self._light_at:
            return
        if not (self._light_is_locked or scene.steady):
            return
        self._light_at = frame.at + LOOK_AT_LIGHT_S
        # Without the printed mat there is no patch to go by.
        printed = bool(plane.markers)
        verdict = self._light.judge(look_at_patch(self.reader.mat, plane, frame.picture)) if printed else "as before"
        self.light = verdict
        if not self._light_is_locked and verdict != "unusable":
            self._light_is_locked = True
            self.source.lock_light()
        elif self._light_is_locked and verdict == "unusable":
            self._light_is_locked, self._light = False, LightWatch()
            self._light_at = frame.at + FIND_LIGHT_S
            self.source.unlock_light()


def _gist(scene: Scene) -> tuple[object, ...]:
    """Return what makes a scene another scene: not its time, nor the last digit of a confidence."""
    seen = tuple((s.slot, s.seen, s.piece, s.turn, s.between) for s in scene.sightings)
    return (seen, scene.steady, scene.hand, bool(scene.problem))
