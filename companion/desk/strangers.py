"""Cards of the set that were never photographed: followed by their own first picture, named once, then enrolled.

A card that is none of the enrolled ones is registered against the picture in which it was first seen, so
that its quarter turns are right from then on. Which card it is, people say once: the question offers
the cards of the set that have no picture. From then on it is read like any other, and its picture is
kept in the owner's set.

What is none of the set's cards is shown to people as it lies (`Nameless`): a card that the set lacks, the
back of one, or something that is no card of the game.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.desk.decks import back_key, is_back
from companion.desk.enrol_draft import QUALITY, write_whole
from companion.kernel import Lying
from companion.sets.owner import CardSet
from companion.table.observation import Candidate, Scene, Sighting
from vision.deck import Deck, DeckError
from vision.enrol.first_sight import face_in_slot, grown
from vision.table_reader import READ_MARGIN_MM, TableReader

Picture = NDArray[np.uint8]
Keep = Callable[[str, Picture], None]
"""Keeps a card's upright face in the owner's set."""

SURE_S = 0.8
"""A card must lie still and unknown for so long before it is taken for a new one."""
STEP = 0.01

_log = logging.getLogger(__name__)


class _Stranger(msgspec.Struct):
    """A card with a temporary name: its face as it first lay, and what people said it is.

    `turned` are the quarter turns clockwise by which its printed top lay from the mat's top edge.
    """

    face: Picture
    key: str = ""
    turned: int = 0
    likely: tuple[str, ...] = ()
    """The unseen cards, those first that look most like it."""
    is_back: bool = False
    is_none: bool = False
    """Whether people said that it is no card of the game."""

    @property
    def is_nameless(self) -> bool:
        return not (self.key or self.likely or self.is_back or self.is_none)


class Nameless(msgspec.Struct, frozen=True):
    """A card that is in no set: its temporary name, where it lies, and its face as it first lay."""

    label: str
    slot: str
    face: Picture


class Strangers:
    """Stands between the reader of one table and whoever is told what it saw."""

    def __init__(self, reader: TableReader, cards: CardSet, unseen: Sequence[str], keep: Keep) -> None:
        """Follow the cards `unseen` of a set, of which the reader's deck has no picture."""
        self._reader, self._cards, self._keep = reader, cards, keep
        self._unseen = tuple(unseen)
        self._twins = _twins_of(cards, self._unseen)
        self._met: dict[str, _Stranger] = {}
        self.nameless: Nameless | None = None
        """A card that no card of the set can be, until `give` says what it is."""
        self._kept_backs: set[str] = set()
        self._doubtful: dict[str, str] = {}
        """The slots in which a card lies that is asked about, with its temporary name."""
        self._since: dict[str, float] = {}
        self._lying: Mapping[str, Lying] = {}

    def meet(self, lying: Mapping[str, Lying]) -> None:
        """Take in what lies on the table as the game has it; may be called from any thread."""
        self._lying = lying

    def take(self, scene: Scene) -> Scene:
        """Return what was seen, strangers as doubts or by the name people gave them. Runs in the reader's thread."""
        if scene.steady and not scene.hand:
            if self.nameless is not None and scene.by_slot[self.nameless.slot].seen == "empty":
                self.nameless = None  # it was taken away; it is asked about again where it comes to lie
            for seen in scene.sightings:
                self._name(seen)
                self._notice(seen, scene.at)
        return msgspec.structs.replace(scene, sightings=tuple(self._told(seen) for seen in scene.sightings))

    @property
    def open(self) -> tuple[str, ...]:
        """The cards of the set that have no picture and were not met yet."""
        named = {stranger.key for stranger in self._met.values()}
        return tuple(key for key in self._unseen if key not in named)

    # -- meeting ---------------------------------------------------------------------------------------

    def _notice(self, seen: Sighting, at: float) -> None:
        """Give a card that stays unknown a temporary name."""
        expected = self._lying.get(seen.slot)
        if expected is not None and not expected.piece:
            return  # any card will do there, such as on a draw pile: it lies face down
        stranger = self._met.get(seen.piece or "")
        if seen.seen == "known" and stranger is not None and stranger.is_nameless and self.nameless is None:
            self.nameless = Nameless(str(seen.piece), seen.slot, stranger.face)
        if seen.seen != "unknown" or (not self.open and (self._cards.complete or self.nameless is not None)):
            self._since.pop(seen.slot, None)
        elif at - self._since.setdefault(seen.slot, at) >= SURE_S:
            self._since.pop(seen.slot)
            self._register(seen, _Stranger(np.zeros((0, 0, 3), np.uint8)))

    def _register(self, seen: Sighting, stranger: _Stranger) -> bool:
        crop = self._reader.evidence(seen.digest)
        slot = self._reader.mat.slot(seen.slot)
        if crop is None:
            return False
        scale = crop.shape[1] / (slot.rect.width + 2 * READ_MARGIN_MM)
        face = face_in_slot(crop, self._reader.mat.card_size, scale)
        label = f"card {len(self._met) + 1}"
        try:
            deck = None if face is None else grown(self._reader.deck, label, face)
        except DeckError as error:
            _log.info("%s", error)
            return False
        if face is None or deck is None:
            return False
        stranger.face, stranger.likely = face, self._likeliest(deck, label)
        self._met[label] = stranger
        if stranger.is_nameless:
            self.nameless = Nameless(label, seen.slot, face)
        self._reader.know(deck, (seen.slot,))
        return True

    def give(self, label: str, key: str, turned: int) -> None:
        """Call a stranger `key` from now on; its printed top lay `turned` quarter turns clockwise at first."""
        self._met[label].key, self._met[label].turned = key, turned
        self.nameless = None

    def turn_down(self, label: str) -> None:
        """A stranger is the back of a card: wherever it lies, a card lies face down. Its picture is kept."""
        backs = {name for name in (*self._reader.deck.labels, *self._kept_backs) if is_back(name)}
        self._met[label].is_back = True
        self.nameless = None
        key = next(name for name in map(back_key, count(1)) if name not in backs)
        self._kept_backs.add(key)
        self._keep(key, self._met[label].face)

    def set_aside(self, label: str) -> None:
        """A stranger is no card of the game; it is not asked about again."""
        self._met[label].is_none = True
        self.nameless = None

    def doubtful_in(self, slots: Collection[str]) -> str:
        """Return the temporary name of the card in these slots that may be one of the unseen ones, empty if none is."""
        return next((self._doubtful[slot] for slot in slots if slot in self._doubtful), "")

    def none_of_these(self, label: str) -> None:
        """A stranger is none of the unseen cards."""
        stranger = self._met[label]
        slot = next((slot for slot, name in self._doubtful.items() if name == label), "")
        stranger.likely = ()
        if slot and self.nameless is None:
            self.nameless = Nameless(label, slot, stranger.face)

    def _name(self, seen: Sighting) -> None:
        """Take over what people said lies in a slot, if the picture alone could not say it."""
        lying = self._lying.get(seen.slot)
        if lying is None or seen.seen != "known" or seen.piece is None or lying.piece not in self._unseen:
            return
        stranger = self._met.get(seen.piece)
        if stranger is None and lying.piece in self.open and lying.piece in self._twins.get(seen.piece, ()):
            # It was taken for the card whose drawing it shares.
            stranger = _Stranger(np.zeros((0, 0, 3), np.uint8), lying.piece, seen.turn or 0)
            if self._register(seen, stranger):
                self._keep(stranger.key, _upright(stranger))
        elif stranger is not None and stranger.key != lying.piece and len(lying.turns) == 1:
            (turn,) = lying.turns
            stranger.key, stranger.turned = lying.piece, (turn - (seen.turn or 0)) % 4
            self._keep(stranger.key, _upright(stranger))

    # -- telling ---------------------------------------------------------------------------------------

    def _told(self, seen: Sighting) -> Sighting:
        self._doubtful.pop(seen.slot, None)
        if seen.seen not in ("known", "unsure") or seen.piece is None:
            return seen
        stranger = self._met.get(seen.piece)
        if is_back(seen.piece) or (stranger is not None and stranger.is_back):
            return msgspec.structs.replace(seen, seen="hidden", piece=None, turn=None, candidates=())
        if stranger is None:
            twins = [key for key in self._twins.get(seen.piece, ()) if key in self.open]
            return _doubtful(seen, [seen.piece, *twins], seen.turn) if twins and seen.seen == "known" else seen
        if stranger.is_nameless or stranger.is_none:
            return msgspec.structs.replace(seen, seen="unknown", piece=None, turn=None, candidates=())
        if not stranger.key:
            stranger.likely = tuple(key for key in stranger.likely if key in self.open)
            self._doubtful[seen.slot] = seen.piece
            return _doubtful(seen, [seen.piece, *stranger.likely], None)
        turn = None if seen.turn is None else (seen.turn + stranger.turned) % 4
        angle = None if seen.angle is None else (seen.angle + 90.0 * stranger.turned) % 360.0
        candidates = tuple(
            msgspec.structs.replace(each, piece=stranger.key) if each.piece == seen.piece else each
            for each in seen.candidates
            if each.piece not in self._met or each.piece == seen.piece
        )
        return msgspec.structs.replace(seen, piece=stranger.key, turn=turn, angle=angle, candidates=candidates)

    def _likeliest(self, deck: Deck, label: str) -> tuple[str, ...]:
        """Return the unseen cards, those first whose kin have the colours of the card called `label`."""
        colours = _mean_colours(deck)

        def far(key: str) -> float:
            kin = [colours[other] for other in self._kin(key) if other in colours]
            return min((float(np.hypot(*(each - colours[label]))) for each in kin), default=1e3)

        return tuple(sorted(self.open, key=far))

    def _kin(self, key: str) -> list[str]:
        """Return the cards that have all words printed on them in common with this one."""
        words = {name: value for name, value in self._cards.cards[key].items() if _is_word(name, value)}
        return [
            other
            for other, fields in self._cards.cards.items()
            if self._cards.kinds[other] == self._cards.kinds[key]
            and all(fields[name] == value for name, value in words.items())
        ]


def _twins_of(cards: CardSet, unseen: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return for each card the unseen ones that share its drawing, as far as the set says so."""
    drawing = {key: str(fields.get("look_alike") or key) for key, fields in cards.cards.items()}
    return {
        key: twins
        for key in drawing
        if (twins := tuple(other for other in unseen if other != key and drawing[other] == drawing[key]))
    }


def keeper(cards: CardSet) -> Keep:
    """Return what keeps faces as pictures in the folder of an owner's set."""

    def keep(key: str, face: Picture) -> None:
        if cards.folder is None:
            return
        _, encoded = cv2.imencode(".jpg", face, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        try:
            write_whole(cards.folder / f"{key}.jpg", encoded.tobytes())
        except OSError as error:
            # The card is known until the end of the evening; it is asked about again at the next one.
            _log.warning("the picture of %s cannot be kept: %s", key, error)

    return keep


def _is_word(name: str, value: object) -> bool:
    return isinstance(value, str) and name != "look_alike"


def _doubtful(seen: Sighting, pieces: list[str], turn: int | None) -> Sighting:
    """Return a sighting that must be asked about, its candidates in this order."""
    candidates = tuple(Candidate(piece, round(1.0 - STEP * place, 4)) for place, piece in enumerate(pieces[:20]))
    return msgspec.structs.replace(
        seen, seen="unsure", piece=pieces[0], turn=turn, candidates=candidates, confidence=min(seen.confidence, 0.4)
    )


def _upright(stranger: _Stranger) -> Picture:
    return np.ascontiguousarray(np.rot90(stranger.face, stranger.turned))


def _mean_colours(deck: Deck) -> dict[str, NDArray[np.float64]]:
    middle = deck.faces.colours[:, 8:-8, 8:-8].reshape(len(deck.faces.colours), -1, 2).mean(axis=1)
    return {label: middle[deck.row(label)] for label in deck.labels}
