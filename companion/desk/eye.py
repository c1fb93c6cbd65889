"""The camera of a desk: learns the cards or the board, watches the table, shows what it sees, says how it does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from msgspec.structs import replace

from companion.desk.boards import DISCS, board_of
from companion.desk.calibration import Calibration, Calibrations, CornerLook, Corners, anchors_of, looks_of
from companion.desk.decks import Decks, NoLongerWanted, seen_by_camera, unseen_by_camera
from companion.desk.dice_eye import DiceEye
from companion.desk.eye_reader import WITNESS, BoardReader, ByHand, CardReader, EyeReader, with_corners
from companion.desk.meters import measure, present_meters
from companion.desk.strangers import Nameless, Strangers, keeper
from companion.kernel import Lying
from companion.presenters import desk
from companion.presenters.models import MeterModel, OverlayModel, Point, TableModel
from companion.presenters.overlays import present_overlays
from companion.sets.owner import CardSet
from companion.table.mat import Mat, Rect
from companion.table.observation import Observation, Scene, Sighting
from companion.table.ports import Health, Observe
from vision.deck import DeckError
from vision.discs import DiscsError
from vision.frame import Frame
from vision.lens import LensMemory
from vision.patch import Verdict
from vision.plane import MatNotFoundError, Plane, Points
from vision.plane_tracker import PlaneTracker
from vision.sources import Playback, Source, leave, share
from vision.witness import CameraWitness

LEARNER_S = 10.0
"""How long the end waits for cards that are just being compared; a Pi takes some seconds."""
GONE = ("waiting", "unplugged", "frozen", "failed")
"""States of a source whose last picture no longer shows the present."""
LENS_CHANGE = 0.003
"""A lens that is known better by less than this need not be written down again."""
GUESS: Corners = ((0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88))
"""Where the corners of a mat that was not found are shown, so that they can be dragged from there."""


class Eye:
    """One source of pictures, watched for one game at a time.

    `source` is None where there is no camera; `says` then tells why. Every method may be called from
    any thread, and none waits for a camera.
    """

    name = WITNESS

    def __init__(
        self,
        source: Source | None,
        decks: Decks,
        says: str = "",
        clock: Callable[[], float] = time.monotonic,
        kept: Calibrations | None = None,
        sets: Path | None = None,
    ) -> None:
        """Prepare; nothing is opened before `start`.

        :param kept: where calibrations are kept from evening to evening; None: nowhere
        :param sets: where the owner's sets lie, with the faces of the dice in them; None: there are none
        """
        self.source = source
        self._sets = sets
        views: tuple[Source | None, ...] = (None, None) if source is None else share(source, 2)
        self._for_cards, for_dice = views
        self._dice = DiceEye(for_dice, sets, clock)
        self._kept = kept
        self._mat = ""
        self._lens = LensMemory()
        self._k1_kept: float | None = None
        self._clock = clock
        self._decks, self._says = decks, says
        self._lock = threading.Lock()
        self._watching = 0
        self._learning = ""
        self._trouble = ""
        self._named = "Cards"
        """What the camera has to know, as the set-up calls it."""
        self._learner: threading.Thread | None = None
        self._reader: EyeReader | None = None
        self._strangers: Strangers | None = None
        self._witness: CameraWitness | None = None
        self._by_hand: ByHand | None = None
        self._looks: tuple[CornerLook, ...] = ()
        self._tracker: PlaneTracker | None = None
        self._shown: tuple[Frame, desk.Frame] | None = None
        self._serial = 0

    def start(self) -> None:
        """Begin to take pictures; nothing is read yet."""
        if self.source is not None:
            self.source.start()

    def stop(self) -> None:
        """Give back the camera and every thread."""
        self._keep_lens()
        self.rest()
        if self._learner is not None:
            self._learner.join(LEARNER_S)
        if self.source is not None:
            self.source.stop()

    def watch(self, mat: Mat, cards: CardSet, observe: Observe) -> None:
        """Read the table and report to `observe`, cards, discs and dice each as soon as their faces are learned."""
        self.rest()
        if self._for_cards is None:
            return
        self._recall(mat)
        self._dice.watch(mat, cards, observe, self._by_hand, self._lens.k1)
        if not mat.slots:
            return
        self._for_cards.start()  # a recording waits until the cards are learned
        with self._lock:
            self._named = "Board" if mat.discs else "Cards"
            self._learning = f"the camera learns {'the board' if mat.discs else f'{seen_by_camera(cards)} cards'}"
            turn = self._watching
        task = self._learn_board if mat.discs else self._learn
        arguments = (turn, self._for_cards, mat, cards, observe)
        self._learner = threading.Thread(target=task, args=arguments, name=self._learning, daemon=True)
        self._learner.start()

    def rest(self) -> None:
        """Stop reading; pictures go on."""
        self._dice.rest()
        with self._lock:
            self._watching += 1
            witness, self._witness, self._reader, self._strangers = self._witness, None, None, None
            self._learning = self._trouble = ""
        if witness is not None:
            witness.stop()
            self.start()
        if self._for_cards is not None:
            leave(self._for_cards)

    def _learn(self, turn: int, source: Source, mat: Mat, cards: CardSet, observe: Observe) -> None:
        try:
            deck = self._decks.learn(cards, lambda: turn == self._watching)
        except NoLongerWanted:
            return
        except DeckError as error:
            self._give_up(turn, str(error))
            return
        with self._lock:
            if turn == self._watching:
                reader = CardReader(mat, deck, self._by_hand, self._lens)
                self._strangers = Strangers(reader, cards, unseen_by_camera(cards), keeper(cards))
                self._begin(source, reader, partial(_told, self._strangers, observe))

    def _learn_board(self, turn: int, source: Source, mat: Mat, cards: CardSet, observe: Observe) -> None:
        try:
            board, order = board_of(None if self._sets is None else self._sets / cards.game / DISCS, mat.disc_positions)
        except DiscsError as error:
            self._give_up(turn, str(error))
            return
        with self._lock:
            if turn == self._watching:
                self._begin(source, BoardReader(mat, board, order, self._by_hand, self._lens), observe)

    def _begin(self, source: Source, reader: EyeReader, observe: Observe) -> None:
        """Watch with a reader that knows all it has to; the lock is held."""
        self._learning, self._reader = "", reader
        self._witness = CameraWitness(source, reader, self._clock)
        self._witness.start(observe)

    def _give_up(self, turn: int, trouble: str) -> None:
        with self._lock:
            if turn == self._watching:
                self._learning, self._trouble = "", trouble
                if self._for_cards is not None:
                    leave(self._for_cards)

    def meet(self, lying: Mapping[str, Lying]) -> None:
        """Take in what lies on the table as the game has it: cards that the camera could not name have a name now."""
        strangers = self._strangers
        if strangers is not None:
            strangers.meet(lying)

    @property
    def nameless(self) -> Nameless | None:
        """A card that no card of the set can be, until `give` says what it is."""
        strangers = self._strangers
        return None if strangers is None else strangers.nameless

    def give(self, label: str, key: str, turned: int) -> None:
        """Call such a card `key`; its printed top lay `turned` quarter turns clockwise when it was first seen."""
        strangers = self._strangers
        if strangers is not None:
            strangers.give(label, key, turned)

    def turn_down(self, label: str) -> None:
        """Such a card is the back of one."""
        if (strangers := self._strangers) is not None:
            strangers.turn_down(label)

    def set_aside(self, label: str) -> None:
        """Such a card is none of the game."""
        if (strangers := self._strangers) is not None:
            strangers.set_aside(label)

    def doubtful_in(self, slots: Collection[str]) -> str:
        """Return the temporary name of the card in these slots that is asked about, empty if there is none."""
        strangers = self._strangers
        return "" if strangers is None else strangers.doubtful_in(slots)

    def none_of_these(self, label: str) -> None:
        """Such a card is none of those that were offered."""
        if (strangers := self._strangers) is not None:
            strangers.none_of_these(label)

    def health(self) -> Health:
        """Say how the camera is doing."""
        if self.source is None:
            return Health("failed" if self._says else "off", self._says or "there is none; the screen asks instead")
        with self._lock:
            witness, learning, trouble = self._witness, self._learning, self._trouble
        if trouble:
            return Health("failed", trouble)
        if witness is not None:
            return witness.health()
        state = self.source.state()
        if state.named not in ("ok", "wrong size"):
            return Health("waiting" if state.named == "waiting" else "failed", state.says)
        if learning:
            return Health("waiting", learning)
        return Health("unsure", state.says) if state.says else Health("ok")

    def dice_health(self) -> Health | None:
        """Say how the reading of dice is doing; None while none are read."""
        return self._dice.health()

    # -- pictures --------------------------------------------------------------------------------------

    def frame(self) -> desk.Frame | None:
        """Return the newest picture as the screen draws it, None while there is none."""
        newest = self._newest()
        if newest is None:
            return None
        shown = self._shown
        if shown is None or shown[0] is not newest:
            self._serial += 1
            rgba = np.asarray(cv2.cvtColor(newest.picture, cv2.COLOR_BGR2RGBA), np.uint8)
            self._shown = shown = (newest, desk.Frame(self._serial, rgba))
        return shown[1]

    def _newest(self) -> Frame | None:
        with self._lock:
            witness = self._witness
        if self.source is None:
            return None
        seen = None if witness is None else witness.seen()
        if seen is not None:
            return None if self.source.state().named in GONE else seen[0]
        # Asking a recording would take its next picture.
        return None if isinstance(self.source, Playback) else self.source.latest()

    def overlays(self, wrong: frozenset[str]) -> tuple[OverlayModel, ...]:
        """Return what was read in the newest picture, as outlines on it; `wrong` names slots that do not fit."""
        with self._lock:
            witness, reader = self._witness, self._reader
        seen = None if witness is None else witness.seen()
        if seen is None or reader is None or seen[1].plane is None:
            return ()
        return _outlined(seen[1].scene, reader.mat, seen[1].plane, seen[1].outlines, wrong)

    # -- setting up ------------------------------------------------------------------------------------

    def set_corners(self, mat: Mat, corners: Corners | None) -> str:
        """Take the mat's corners (shares of the picture) instead of its markers, None: the markers again.

        Return a sentence why not, empty when it is done.
        """
        frame = self._newest()
        if frame is None:
            return self.health().says or "There is no picture yet; wait a moment."
        self._recall(mat)
        looks: tuple[CornerLook, ...] = ()
        if corners is not None:
            tracker = PlaneTracker(mat, LensMemory(self._lens.k1))
            try:
                tracker.use_corners(np.array(corners) * frame.size, frame)
            except MatNotFoundError as error:
                return str(error)
            looks = looks_of(tracker.anchors)
        self._by_hand, self._looks, self._tracker = None if corners is None else ByHand(corners), looks, None
        with self._lock:
            if self._reader is not None:
                self._reader.want(self._by_hand)
        self._dice.want(self._by_hand)
        return self._keep()

    def _recall(self, mat: Mat) -> None:
        """Take up what is known of this camera over this mat from another evening."""
        if self._mat == mat.name or self.source is None:
            return
        self._mat, self._tracker = mat.name, None
        known = Calibration(self.source.name, mat.name)
        if self._kept is not None:
            known = self._kept.of(self.source.name, mat.name)
        self._by_hand = None if known.corners is None else ByHand(known.corners, anchors_of(known.looks))
        self._looks, self._lens = known.looks, LensMemory(known.k1)
        self._k1_kept = known.k1

    def _keep(self) -> str:
        if self._kept is None or self.source is None:
            return ""
        self._k1_kept = self._lens.k1
        corners = None if self._by_hand is None else self._by_hand.corners
        return self._kept.keep(Calibration(self.source.name, self._mat, corners, self._lens.k1, self._looks))

    def _keep_lens(self) -> None:
        """Keep what the pictures have told of the lens since it was last kept."""
        k1, before = self._lens.k1, self._k1_kept
        if k1 is not None and (before is None or abs(k1 - before) > LENS_CHANGE):
            self._keep()

    def table(self, mat: Mat) -> TableModel:
        """Return how the camera sees the mat: corners, slots, and how good the picture is."""
        self._recall(mat)
        frame, health = self._newest(), self.health()
        if frame is None or (health.state == "failed" and not self._trouble):
            return TableModel(missing=(_sentence(health.says or "There is no picture yet."),))
        scene, plane, problem, tracker = self._look(mat, frame)
        known = (*self._cards(health), *self._die_faces())
        if plane is None:
            by_hand = "Or drag the four corners onto the corners of the mat."
            shown = GUESS if self._by_hand is None else self._by_hand.corners
            return TableModel(shown, meters=known, missing=(_sentence(problem), by_hand))
        missing = tuple(
            f"{slot.key} is out of the picture; move the camera, or what lies there is asked."
            for slot in mat.slots
            if not plane.shows(slot.rect)
        )
        return TableModel(
            corners=_four(_shares(plane, Rect(0.0, 0.0, mat.width, mat.height).corners)),
            manual=self._by_hand is not None,
            slots=_outlined(scene, mat, plane, self._outlines() if mat.discs else {}),
            meters=(
                *present_meters(
                    measure(frame.picture, plane, mat), tracker.bumps, tracker.is_certain, self._light_since_locked()
                ),
                *known,
            ),
            missing=missing,
            # People who begin before the camera knows their cards lay more than one look can explain.
            ready=not self._learning,
        )

    def _outlines(self) -> Mapping[str, Points]:
        with self._lock:
            witness = self._witness
        seen = None if witness is None else witness.seen()
        return {} if seen is None else seen[1].outlines

    def _light_since_locked(self) -> Verdict:
        with self._lock:
            return "as before" if self._witness is None else self._witness.light

    def _look(self, mat: Mat, frame: Frame) -> tuple[Scene, Plane | None, str, PlaneTracker]:
        with self._lock:
            witness, reader = self._witness, self._reader
        seen = None if witness is None else witness.seen()
        if seen is not None and reader is not None:
            look = seen[1]
            return look.scene, look.plane, look.scene.problem, reader.tracker
        empty = Scene(self.name, frame.at, tuple(Sighting(slot.key, "empty") for slot in mat.slots))
        if mat.discs and self._by_hand is None:
            return empty, None, "a board finds itself, once the camera knows it", PlaneTracker(mat)
        tracker = self._tracker
        try:
            if tracker is None or tracker.mat is not mat:
                tracker = self._tracker = with_corners(PlaneTracker(mat, self._lens), self._by_hand, frame)
            return empty, tracker.follow(frame), "", tracker
        except MatNotFoundError as error:
            return empty, None, str(error), PlaneTracker(mat)

    def _cards(self, health: Health) -> tuple[MeterModel, ...]:
        if self._trouble:
            return (MeterModel(self._named, "not known", "failed", health.says),)
        if self._learning:
            return (MeterModel(self._named, "being learned", "waiting", "a moment, the first time takes longest"),)
        return ()

    def _die_faces(self) -> tuple[MeterModel, ...]:
        health = self._dice.health()
        if health is None:
            return ()
        words = {"ok": "ok", "waiting": "waiting", "unsure": "look there"}
        return (MeterModel("Dice", words.get(health.state, "not read"), health.state, health.says),)


def _told(strangers: Strangers, observe: Observe, seen: Observation) -> None:
    """Hand on what the camera saw, cards that nobody photographed by the name people gave them."""
    observe(strangers.take(seen) if isinstance(seen, Scene) else seen)


def _outlined(
    scene: Scene, mat: Mat, plane: Plane, outlines: Mapping[str, Points], wrong: frozenset[str] = frozenset()
) -> tuple[OverlayModel, ...]:
    """Return the outlines of what was read; `outlines` are those seen in the picture, in millimetres of the mat."""
    return tuple(
        replace(each, corners=_four(_shares(plane, outlines[each.key].tolist())))
        if each.state != "empty" and each.key in outlines
        else each
        for each in present_overlays(scene, mat, lambda points: _shares(plane, points), wrong)
    )


def _shares(plane: Plane, points: Sequence[Point]) -> list[Point]:
    """Map mat millimetres to shares of the picture."""
    width, height = plane.size
    return [(float(x) / width, float(y) / height) for x, y in plane.to_picture(points)]


def _four(points: Sequence[Point]) -> Corners:
    first, second, third, fourth = points
    return first, second, third, fourth


def _sentence(says: str) -> str:
    return says[:1].upper() + says[1:] + ("" if says.endswith(".") else ".")
