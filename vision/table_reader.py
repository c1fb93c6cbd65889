"""From camera frames to scenes: which card lies in which slot of the mat, and how it is turned."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from companion.table.mat import Mat, Rect, Slot
from companion.table.observation import Scene, Sighting
from vision.changes import Change, Changes
from vision.cover import BARE_SIDES, OVERLAID_SIDES, PEEPS_OUT, frame_seen, is_bare, is_small, seen_again, shows_card
from vision.deck import Deck
from vision.detections import CardReading
from vision.frame import Frame, Picture
from vision.match import read_patch
from vision.misplaced import LARGEST_OFFSET, nearest_slot, settle_misplaced
from vision.plane import MatNotFoundError, Plane, Points
from vision.plane_tracker import PlaneTracker
from vision.slot_memory import VOTES_NEEDED, SlotMemory, SlotReading
from vision.slots import (
    EMPTY_SHARE,
    MatView,
    changed_share,
    changes,
    look,
    print_share,
    spills,
)
from vision.steady import RestGate, Stillness

ReadPatch = Callable[[Picture, Deck], CardReading | None]

READ_MARGIN_MM = 4.0
WIDE_MARGIN_MM = 22.0
SLOT_REST_S = 0.15
READ_PX_PER_MM = 3.2
BLACK_LEVEL = 12.0


@dataclass(frozen=True, eq=False)
class Look:
    """What the reader made of the last frame, for the screen: the plane, the scene and the cards' outlines.

    `outlines` holds for each slot with a card its own four corners in mat millimetres, `changes` what hands
    have done since the last frame at rest.
    """

    scene: Scene
    plane: Plane | None
    outlines: dict[str, Points]
    changes: tuple[Change, ...] = ()


class TableReader:
    """Reads one mat with one enrolled deck.

    Only slots in which something has changed and come to rest are read again; a reading must be
    confirmed by a second frame before it counts as known. Not safe to share between threads.
    """

    def __init__(
        self,
        mat: Mat,
        deck: Deck,
        witness: str = "camera",
        least_confidence: float = 0.5,
        evidence_kept: int = 60,
        read: ReadPatch = read_patch,
    ) -> None:
        """Prepare to read.

        :param evidence_kept: how many evidence crops stay in memory; 0 keeps none.
        """
        self.mat, self.deck, self.witness = mat, deck, witness
        self.tracker = PlaneTracker(mat)
        self.last: Look | None = None
        self._read_patch = read
        self._least_confidence = least_confidence
        self._evidence_kept = evidence_kept
        self._evidence: OrderedDict[str, Picture] = OrderedDict()
        self._background: dict[str, MatView] = {}
        self.forget()

    _in_view: frozenset[str] = frozenset()

    def forget(self) -> None:
        """Start afresh: every slot is to be read again. Mat, deck and enrolled background stay."""
        self._gate = RestGate(self.mat)
        self._changes = Changes()
        self._framed = False
        self._memories = {
            slot.key: SlotMemory(slot.key, self._least_confidence, LARGEST_OFFSET, Sighting(slot.key, "hidden"))
            for slot in self.mat.slots
        }

    def enrol_empty(self, frame: Frame) -> None:
        """Take `frame` as the picture of the empty mat, for mats with pictures printed in their slots.

        :raises MatNotFoundError: if the mat is not in the picture; nothing is changed then.
        """
        plane = self.tracker.follow(frame)
        view = look(self.mat, plane, frame.picture)
        self._background = {slot.key: view for slot in self.mat.slots}
        self.forget()

    def use_corners(self, corners: ArrayLike, frame: Frame) -> None:
        """Take four tapped corners of the mat (pixels, clockwise from its top left) instead of markers.

        :raises MatNotFoundError: if they cannot be the mat's corners; nothing is changed then.
        """
        self.tracker.use_corners(corners, frame)
        self.forget()

    def know(self, deck: Deck, slots: Collection[str]) -> None:
        """Read with this deck from the next frame on; what lies in `slots` is looked at again."""
        self.deck = deck
        for slot in slots:
            self._memories[slot].disturb(self._memories[slot].read_at)

    def evidence(self, digest: str) -> Picture | None:
        """Return the crop with this SHA-256, or None if it is no longer (or never was) kept."""
        return self._evidence.get(digest)

    def memory(self, slot: str) -> SlotMemory:
        """Return what is remembered of a slot, for those who measure.

        :raises KeyError: if the mat has no such slot.
        """
        return self._memories[slot]

    def read(self, frame: Frame) -> Scene:
        """Return the scene after `frame`, the next one of a stream."""
        if self.last is not None and frame.at < self.last.scene.at:
            self.forget()  # another recording, or the same one again
        seen = self._see(frame)
        if isinstance(seen, Scene):
            return seen
        plane, view = seen
        stillness = self._gate.step(view, frame.at, plane)
        for slot in self.mat.slots:
            memory = self._memories[slot.key]
            if slot.key in stillness.disturbed or slot.key in stillness.covered:
                memory.disturb(frame.at, by_hand=stillness.hand)
            elif slot.key in stillness.changed and memory.read_at <= stillness.settled_at and not memory.stale:
                memory.disturb(frame.at)  # it crept, or the light did: look again
            elif self._may_read(memory, frame.at):
                self._vote(slot, plane, view, frame)
        return self._publish(frame, plane, stillness)

    def _may_read(self, memory: SlotMemory, at: float) -> bool:
        rested = at - memory.disturbed_at >= SLOT_REST_S
        return rested and self.tracker.is_certain and memory.slot in self._in_view and memory.wants_reading(at)

    def read_still(self, frame: Frame) -> Scene:
        """Return the scene of a single photograph: every slot is read once, no rest is waited for."""
        self.forget()
        seen = self._see(frame, still=True)
        if isinstance(seen, Scene):
            return seen
        plane, view = seen
        for slot in self.mat.slots:
            if slot.key not in self._in_view:
                continue
            self._vote(slot, plane, view, frame, enough=1)
        return self._publish(frame, plane, Stillness(float("inf")))

    def _vote(self, slot: Slot, plane: Plane, view: MatView, frame: Frame, enough: int = VOTES_NEEDED) -> None:
        memory = self._memories[slot.key]
        reading = self._weighed(slot, plane, view, frame, self._read_slot(slot, plane, view, frame))
        if memory.vote(reading, frame.at, enough) and memory.reading is not None:
            self._keep(memory.reading)

    def _see(self, frame: Frame, still: bool = False) -> tuple[Plane, MatView] | Scene:
        problem = _useless(frame.picture)
        plane = None
        if not problem:
            try:
                plane = self.tracker.find(frame) if still else self.tracker.follow(frame)
            except MatNotFoundError as error:
                problem = str(error)
        if plane is None:
            for memory in self._memories.values():
                memory.disturb(frame.at)
            hidden = tuple(Sighting(slot.key, "hidden") for slot in self.mat.slots)
            scene = Scene(self.witness, frame.at, hidden, steady=False, problem=problem)
            self.last = Look(scene, None, {})
            return scene
        if self.last is None or plane is not self.last.plane:
            self._in_view = frozenset(slot.key for slot in self.mat.slots if plane.shows(slot.rect))
        return plane, look(self.mat, plane, frame.picture)

    def _read_slot(self, slot: Slot, plane: Plane, view: MatView, frame: Frame) -> SlotReading:
        sharpness = self._sharpness(plane)
        rect = _grown(slot.rect, READ_MARGIN_MM)
        crop = plane.rectify(frame.picture, rect, sharpness)
        digest = hashlib.sha256(repr(crop.shape).encode() + crop.tobytes()).hexdigest()
        if self._print_in(slot, view) < EMPTY_SHARE:
            return SlotReading(None, crop, digest)
        reading = self._placed(slot, rect, sharpness, self._read_patch(crop, self.deck), crop, digest)
        if reading.is_named and reading.offset <= LARGEST_OFFSET:
            return reading
        if not spills(view, slot.rect):
            return reading
        # The card lies half outside: look further round, but take only what lies nearest to this slot.
        rect = _grown(slot.rect, WIDE_MARGIN_MM)
        wide = plane.rectify(frame.picture, rect, sharpness)
        other = self._placed(slot, rect, sharpness, self._read_patch(wide, self.deck), crop, digest)
        if other.is_named and other.corners is not None and nearest_slot(self.mat, other.corners) == slot.key:
            return other
        return reading

    def _weighed(self, slot: Slot, plane: Plane, view: MatView, frame: Frame, reading: SlotReading) -> SlotReading:
        """Return the reading, unless it took a thing for a card, or a cover for an empty slot."""
        if reading.is_named or (reading.card is not None and reading.card.state == "unsure"):
            return reading
        sharpness = self._sharpness(plane)
        frame_sides = frame_seen(reading.crop, READ_MARGIN_MM, sharpness)
        sides = sum(frame_sides)
        self._framed = self._framed or (reading.card is None and sides > 2 * BARE_SIDES)
        sure = self._memories[slot.key].sure
        was_sure = sure is not None
        if reading.card is None:
            # Neighbours may lie over parts of an empty slot's frame, but nothing blank may lie over all of it.
            return replace(reading, hides=self._framed and sides < (BARE_SIDES if was_sure else OVERLAID_SIDES))
        bare = self._framed and is_bare(frame_sides) and is_small(view, slot.rect, self.mat.card_size)
        if bare and sure is not None:  # what looks small may be all that a sheet of paper leaves of the card
            bare = seen_again(sure[1].crop, reading.crop) < PEEPS_OUT
        if not (bare or was_sure or (self._framed and sides < OVERLAID_SIDES)):
            return reading
        wide = plane.rectify(frame.picture, _grown(slot.rect, WIDE_MARGIN_MM), sharpness)
        if shows_card(wide, self.mat.card_size, WIDE_MARGIN_MM, sharpness):
            return reading
        return replace(reading, card=None) if bare else replace(reading, hides=True)

    def _sharpness(self, plane: Plane) -> float:
        """Return the scale at which slots are read, in pixels per millimetre."""
        return min(READ_PX_PER_MM, 1.2 * plane.px_per_mm(self.mat))

    def _print_in(self, slot: Slot, view: MatView) -> float:
        if slot.key in self._background:
            return changed_share(changes(self._background[slot.key], view), slot.rect, 8.0)
        return print_share(view, slot.rect)

    def _placed(
        self, slot: Slot, rect: Rect, px_per_mm: float, card: CardReading | None, crop: Picture, digest: str
    ) -> SlotReading:
        if card is None:
            return SlotReading(None, crop, digest)
        corners = (card.corners + 0.5) / px_per_mm + (rect.x, rect.y)
        centre = (np.array(card.centre) + 0.5) / px_per_mm + (rect.x, rect.y)
        offset = 0.0
        if card.state != "unknown":
            offset = float(np.hypot(*(centre - slot.rect.centre))) / min(self.mat.card_size)
        return SlotReading(card, crop, digest, corners, offset)

    def _keep(self, reading: SlotReading) -> None:
        self._evidence[reading.digest] = reading.crop
        self._evidence.move_to_end(reading.digest)
        while len(self._evidence) > self._evidence_kept:
            self._evidence.popitem(last=False)

    def _publish(self, frame: Frame, plane: Plane, stillness: Stillness) -> Scene:
        problems = []
        if stillness.hand_stays:
            problems.append(
                f"something has been reaching over the table for {stillness.hand_for:.0f} s; "
                f"take it away so that the cards can be read"
            )
        covered = [key for key, memory in self._memories.items() if memory.reading is not None and memory.reading.hides]
        if covered and not stillness.hand:
            problems.append(f"something lies over {', '.join(covered)}; take it away, or say what is under it")
        sightings = {key: memory.belief for key, memory in self._memories.items()}
        readings = {key: memory.reading for key, memory in self._memories.items() if memory.reading is not None}
        problems += settle_misplaced(self.mat, sightings, readings)
        for key, memory in self._memories.items():
            if key in stillness.covered or key not in self._in_view or memory.is_outdated(frame.at):
                sightings[key] = Sighting(key, "hidden")
        settled = all(
            memory.is_settled
            for key, memory in self._memories.items()
            if key in self._in_view and key not in stillness.covered
        )
        scene = Scene(
            self.witness,
            frame.at,
            tuple(sightings[slot.key] for slot in self.mat.slots),
            steady=stillness.is_steady and settled and self.tracker.is_certain,
            hand=stillness.hand,
            problem="; ".join(problems),
        )
        outlines = {
            key: reading.corners
            for key, reading in readings.items()
            if reading.corners is not None and sightings[key].seen in ("known", "unsure")
        }
        self.last = Look(scene, plane, outlines, self._changes.take(scene))
        return scene


def _useless(picture: Picture) -> str:
    if float(picture[::8, ::8].max()) < BLACK_LEVEL:
        return "the picture is black: take the cap off the camera or switch on the light"
    return ""


def _grown(rect: Rect, by: float) -> Rect:
    return Rect(rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by)
