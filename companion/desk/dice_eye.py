"""The dice of a desk's camera: read in the tray of the mat, reported like those of any other witness."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from companion.desk.decks import is_drawn
from companion.desk.eye_reader import ByHand, with_corners
from companion.sets.owner import CardSet
from companion.simulated.dice_makes import coloured_die, flat_face
from companion.table.mat import Mat
from companion.table.ports import Health, Observe
from vision.dice.faces import DieFaces, FacesError
from vision.dice.read import DiceReader
from vision.dice.tray import Points, TrayReader, tray_on
from vision.dice.witness import DiceWitness
from vision.frame import Frame
from vision.lens import LensMemory
from vision.plane_tracker import PlaneTracker
from vision.sources import Source, leave

DICE = "dice"
"""The folder with the faces of an owner's dice, inside that of the owner's set."""


class DiceEye:
    """Reads the dice of one source of pictures, which somebody else starts and stops.

    Every method may be called from any thread, and none waits for the camera.
    """

    def __init__(self, source: Source | None, sets: Path | None, clock: Callable[[], float]) -> None:
        """Prepare; `sets` holds the owner's sets, each in a folder called like its game."""
        self._source, self._sets, self._clock = source, sets, clock
        self._lock = threading.Lock()
        self._watching = 0
        self._learning = self._trouble = ""
        self._finder: _TrayFinder | None = None
        self._witness: DiceWitness | None = None

    def watch(self, mat: Mat, cards: CardSet, observe: Observe, by_hand: ByHand | None, k1: float | None) -> None:
        """Read the dice in the tray of `mat`, if it has one, as soon as their faces are learned.

        :param by_hand: the mat's corners, None: its markers serve
        :param k1: what is known of the lens
        """
        self.rest()
        source = self._source
        if source is None or mat.tray is None:
            return
        source.start()  # a recording waits until the faces are learned
        finder = _TrayFinder(mat, by_hand, LensMemory(k1))
        with self._lock:
            self._finder, self._learning, turn = finder, "the camera learns the dice", self._watching
        learn = threading.Thread(
            target=self._learn, args=(turn, source, finder, cards, observe), name="learn the dice", daemon=True
        )
        learn.start()

    def rest(self) -> None:
        """Stop reading."""
        with self._lock:
            self._watching += 1
            witness, self._witness, self._finder = self._witness, None, None
            self._learning = self._trouble = ""
        if witness is not None:
            witness.stop()
        if self._source is not None:
            leave(self._source)

    def want(self, by_hand: ByHand | None) -> None:
        """Take the mat's corners as they were set by hand, None: its markers again."""
        with self._lock:
            if self._finder is not None:
                self._finder.want(by_hand)

    def health(self) -> Health | None:
        """Say how the reading of dice is doing; None while no dice are read."""
        with self._lock:
            witness, learning, trouble = self._witness, self._learning, self._trouble
        if trouble:
            return Health("failed", trouble)
        if learning:
            return Health("waiting", learning)
        return None if witness is None else witness.health()

    def _learn(self, turn: int, source: Source, finder: _TrayFinder, cards: CardSet, observe: Observe) -> None:
        witness, trouble = None, ""
        try:
            faces = faces_of(cards, None if self._sets is None else self._sets / cards.game / DICE)
            reader = TrayReader(finder, DiceReader(faces), expected=len(cards.nets) or None)
            witness = DiceWitness(source, reader, owns_source=False, clock=self._clock)
        except FacesError as error:
            trouble = str(error)
            leave(source)
        with self._lock:
            if turn == self._watching:
                self._learning, self._trouble, self._witness = "", trouble, witness
                if witness is not None:
                    witness.start(observe)


def faces_of(cards: CardSet, own: Path | None) -> DieFaces | None:
    """Return the faces of the dice that a set is played with; None for dice with pips, which need not be learned.

    They come from the folder `own`, else from our own drawings if the set is ours.

    :raises FacesError: if that folder holds no faces that can be used, or the dice are not ours and it is not there.
    """
    if own is not None and own.is_dir():
        return DieFaces.from_folder(own)
    if not cards.nets:
        return None
    if not is_drawn(cards):
        raise FacesError(
            f"the camera does not know the dice of the set {cards.name}; enrol their faces with "
            f"`companion enrol {own or DICE} --dice`, or tap what they show"
        )
    makes = [coloured_die(net) for net in cards.nets]
    return DieFaces({label: flat_face(make, label) for make in makes for label in make.labels})


class _TrayFinder:
    """Where the tray lies in a picture, by the mat's markers or by corners set from another thread."""

    def __init__(self, mat: Mat, by_hand: ByHand | None, lens: LensMemory) -> None:
        self._mat, self._lens = mat, lens
        self._find = tray_on(mat, PlaneTracker(mat, lens))
        self._wanted: list[ByHand | None] = [] if by_hand is None else [by_hand]

    def want(self, by_hand: ByHand | None) -> None:
        self._wanted.append(by_hand)

    def __call__(self, frame: Frame) -> Points:
        while self._wanted:
            tracker = with_corners(PlaneTracker(self._mat, self._lens), self._wanted.pop(0), frame)
            self._find = tray_on(self._mat, tracker)
        return self._find(frame)
