import hashlib

import cv2
import numpy as np
import pytest

from companion.table.observation import Scene, Sighting
from tests.vision.table_stage import MAT, Stage, face
from vision.cover import seen_again
from vision.deck import Deck
from vision.detections import CardReading
from vision.frame import Frame
from vision.match import read_patch
from vision.slot_memory import SAME_LOOK, SAME_LOOK_TOUCHED, SlotMemory, SlotReading
from vision.table_reader import TableReader

FACES = {f"card-{number}": face(number) for number in range(18)}


@pytest.fixture(scope="module")
def deck():
    return Deck.from_faces(FACES)


class Table:
    """A stage with a reader that sees every frame of it."""

    def __init__(self, deck, **how):
        self.stage, self.reader = Stage(), TableReader(MAT, deck, **how)

    def put(self, slot, number, turn=0.0, offset=(0.0, 0.0)):
        self.stage.put(slot, face(number), turn, offset)

    def next(self, after=0.1) -> Scene:
        return self.reader.read(self.stage.frame(after))

    def settle(self) -> Scene:
        """Read on until the scene is steady (the first frame does not count: it shows the change)."""
        self.next()
        for _ in range(25):
            scene = self.next()
            if scene.steady:
                return scene
        raise AssertionError(f"never steady: {scene}")


def believed(scene):
    return {s.slot: (s.piece, s.turn) for s in scene.sightings if s.seen == "known"}


def test_fifteen_cards_are_named_with_their_quarter_turns(deck):
    table = Table(deck)
    truth = {}
    for number, slot in enumerate(MAT.slots):
        table.put(slot.key, number, number % 4, (np.sin(number), np.cos(number)))
        truth[slot.key] = (f"card-{number}", number % 4)
    scene = table.settle()
    assert believed(scene) == truth
    assert all(s.confidence > 0.5 and s.offset < 0.05 for s in scene.sightings)


def test_an_empty_mat_is_fifteen_empty_slots(deck):
    scene = Table(deck).settle()
    assert {s.seen for s in scene.sightings} == {"empty"}
    assert len(scene.sightings) == 15
    assert scene.problem == ""


def test_nothing_is_said_before_the_table_has_come_to_rest(deck):
    table = Table(deck)
    table.put("A1", 3)
    scene = table.next()
    assert not scene.steady
    assert {s.seen for s in scene.sightings} == {"hidden"}


def test_the_free_angle_is_reported_clockwise_in_the_mat_frame(deck):
    table = Table(deck)
    table.put("A1", 3, turn=1 + 12 / 90)
    sighting = table.settle().by_slot["A1"]
    assert sighting.turn == 1
    assert sighting.angle == pytest.approx(102.0, abs=1.0)


def test_a_turned_card_and_a_swapped_card_are_read_again(deck):
    table = Table(deck)
    table.put("A1", 1)
    table.put("A2", 2)
    table.settle()
    table.put("A1", 1, turn=3)
    table.put("A2", 5)
    assert believed(table.settle()) == {"A1": ("card-1", 3), "A2": ("card-5", 0)}


def test_only_changed_slots_are_read_again(deck):
    calls = []

    def counting(patch, cards):
        calls.append(patch)
        return read_patch(patch, cards)

    table = Table(deck, read=counting)
    for number, slot in enumerate(MAT.slots):
        table.put(slot.key, number)
    table.settle()
    calls.clear()
    for _ in range(6):
        table.next()
    assert not calls
    table.put("R2", 16)
    table.settle()
    assert 1 <= len(calls) <= 4


def test_a_card_of_no_enrolled_deck_is_unknown_and_never_named(deck):
    table = Table(deck)
    table.put("B3", 77)
    sighting = table.settle().by_slot["B3"]
    assert sighting.seen == "unknown"
    assert sighting.piece is None
    assert sighting.turn is None


def test_a_blank_black_card_is_no_empty_slot(deck):
    table = Table(deck)
    table.stage.put("B3", np.full((252, 252, 3), (40, 20, 20), np.uint8))
    assert table.settle().by_slot["B3"].seen == "unknown"


def test_two_copies_of_one_card_are_both_reported(deck):
    table = Table(deck)
    table.put("A1", 4)
    table.put("B5", 4, turn=2)
    assert believed(table.settle()) == {"A1": ("card-4", 0), "B5": ("card-4", 2)}


def test_a_card_between_two_slots_is_unsure_with_its_offset_and_said_in_words(deck):
    table = Table(deck)
    table.put("A1", 6, offset=(31.0, 0.0))
    scene = table.settle()
    sighting = scene.by_slot["A1"]
    assert sighting.seen == "unsure"
    assert sighting.piece == "card-6"
    assert sighting.offset == pytest.approx(31.0 / 63.0, abs=0.03)
    assert scene.by_slot["A2"].seen == "hidden"
    assert "A1 lies 31 mm beside its place" in scene.problem


def test_a_card_a_little_off_is_still_known(deck):
    table = Table(deck)
    table.put("A1", 6, offset=(9.0, -3.0))
    scene = table.settle()
    assert believed(scene) == {"A1": ("card-6", 0)}
    assert scene.by_slot["A1"].offset == pytest.approx(np.hypot(9, 3) / 63, abs=0.03)
    assert scene.problem == ""


def test_a_card_lying_on_its_point_has_no_sure_quarter_turn(deck):
    table = Table(deck)
    table.put("A1", 6, turn=0.47)
    sighting = table.settle().by_slot["A1"]
    assert sighting.seen == "unsure"
    assert sighting.piece == "card-6"


def test_slots_under_a_hand_are_hidden_and_the_others_stay_as_they_were(deck):
    table = Table(deck)
    table.put("A3", 1)
    table.put("B1", 2)
    table.settle()
    table.stage.hand = MAT.slot("A3").rect.centre
    scene = table.next()
    assert scene.hand
    assert not scene.steady
    assert scene.by_slot["A3"].seen == "hidden"
    assert scene.by_slot["B1"].piece == "card-2"
    table.stage.hand = None
    assert believed(table.settle()) == {"A3": ("card-1", 0), "B1": ("card-2", 0)}


def test_a_card_changed_under_the_hand_is_read_when_the_hand_has_gone(deck):
    table = Table(deck)
    table.put("A3", 1)
    table.settle()
    table.stage.hand = MAT.slot("A3").rect.centre
    table.next()
    table.put("A3", 9, turn=2)
    table.next()
    table.stage.hand = None
    assert believed(table.settle()) == {"A3": ("card-9", 2)}


def test_a_hand_that_never_leaves_is_said_in_words(deck):
    table = Table(deck)
    table.settle()
    table.stage.hand = MAT.slot("A3").rect.centre
    table.next()
    scene = table.next(after=11.0)
    assert scene.hand
    assert not scene.steady
    assert "reaching over the table for 11 s" in scene.problem


def test_a_sure_card_survives_a_glare_that_makes_it_doubtful(deck):
    table = Table(deck)
    table.put("R3", 7)
    before = table.settle().by_slot["R3"]

    def doubting(patch, cards):
        reading = table_read(patch, cards)
        return type(reading)(
            reading.label, "unsure", 0.4, reading.angle, reading.quadrant, reading.corners, reading.candidates
        )

    table_read = table.reader._read_patch
    table.reader._read_patch = doubting
    table.reader._memories["R3"].disturb(table.stage.now)
    for _ in range(8):
        scene = table.next()
    assert scene.steady
    assert scene.by_slot["R3"] == before


def test_doubt_about_another_card_replaces_a_sure_one(deck):
    table = Table(deck)
    table.put("R3", 7)
    table.settle()
    table.put("R3", 77)
    assert table.settle().by_slot["R3"].seen == "unknown"


def doubtful(crop, *candidates):
    """Return a reading of a card that cannot be named."""
    card = CardReading(None, "unknown", 0.8, 0.0, 0, np.zeros((4, 2)), candidates)
    return SlotReading(card, crop, "now")


def remembered(crop):
    """Return what is remembered of a slot in which card-1 was sure."""
    memory = SlotMemory("A1", 0.5, 0.33, Sighting("A1", "hidden"))
    card = CardReading("card-1", "known", 0.9, 0.0, 0, np.zeros((4, 2)), (("card-1", 0.9),))
    memory.vote(SlotReading(card, crop, "before"), 0.0, enough=1)
    return memory


def test_doubt_about_a_sure_card_asks_more_of_it_where_a_hand_may_have_exchanged_it():
    """Cards of one make share frames and digits: a look-alike that nobody enrolled must not pass for the card."""
    before = np.asarray(cv2.resize(face(1), (212, 212)), np.uint8)
    now = before.copy()
    now[:, 118:] = np.rot90(before, 2)[:, 118:]
    alike = seen_again(before, now)
    assert SAME_LOOK < alike < SAME_LOOK_TOUCHED
    for by_hand, seen in ((False, "known"), (True, "unknown")):
        memory = remembered(before)
        memory.disturb(1.0, by_hand)
        memory.vote(doubtful(now, ("card-1", 0.6)), 1.2, enough=1)
        assert memory.belief.seen == seen


def test_a_face_that_fits_better_than_the_sure_one_is_no_mere_doubt():
    crop = np.asarray(cv2.resize(face(1), (212, 212)), np.uint8)
    for candidates, seen in (
        ((("card-2", 0.52), ("card-1", 0.5)), "known"),
        ((("card-2", 0.6), ("card-1", 0.5)), "unknown"),
        ((), "known"),
    ):
        memory = remembered(crop)
        memory.disturb(1.0)
        memory.vote(doubtful(crop, *candidates), 1.2, enough=1)
        assert memory.belief.seen == seen


def test_the_table_is_read_on_after_a_bump_without_losing_a_card(deck):
    table = Table(deck)
    for number, slot in enumerate(MAT.slots):
        table.put(slot.key, number, number % 4)
    before = believed(table.settle())
    table.stage.shift = (28.0, 11.0)
    for _ in range(3):
        assert believed(table.next()) == before
    assert table.reader.tracker.bumps == 1
    assert table.next().steady


@pytest.mark.parametrize(
    ("picture", "says"),
    [
        (np.full((720, 1280, 3), 128, np.uint8), "no mat was found"),
        (np.zeros((720, 1280, 3), np.uint8), "black"),
        (np.random.default_rng(1).integers(0, 255, (720, 1280, 3), np.uint8), "no mat was found"),
    ],
    ids=["a wall", "lens cap", "noise"],
)
def test_a_photograph_that_is_no_table_gets_a_sentence_and_no_sighting(deck, picture, says):
    scene = TableReader(MAT, deck).read_still(Frame(picture, "file", 0.0, 0))
    assert says in scene.problem
    assert not scene.steady
    assert {s.seen for s in scene.sightings} == {"hidden"}


def test_a_single_photograph_is_read_without_waiting(deck):
    stage = Stage()
    stage.put("A1", face(2), 1)
    stage.put("B4", face(3), 2)
    scene = TableReader(MAT, deck).read_still(stage.frame())
    assert scene.steady
    assert believed(scene) == {"A1": ("card-2", 1), "B4": ("card-3", 2)}
    assert scene.by_slot["R1"].seen == "empty"


def test_a_slot_outside_the_picture_is_hidden_and_never_called_empty(deck):
    stage = Stage()
    stage.shift = (230.0, 0.0)
    scene = TableReader(MAT, deck).read_still(stage.frame())
    assert scene.by_slot["A5"].seen == "hidden"
    assert scene.by_slot["B1"].seen == "empty"


def test_tapped_corners_serve_when_the_markers_are_covered(deck):
    stage = Stage()
    stage.put("A1", face(2), 1)
    frame = stage.frame()
    picture = frame.picture.copy()
    for marker in MAT.markers:
        cv2.fillConvexPoly(picture, stage.to_picture(marker.rect.corners).astype(np.int32), (90, 90, 90))
    plain = Frame(picture, "file", 1.0, 0)
    reader = TableReader(MAT, deck)
    assert "no mat was found" in reader.read_still(plain).problem
    reader.use_corners(stage.to_picture([(0, 0), (420, 0), (420, 297), (0, 297)]), plain)
    assert believed(reader.read_still(plain)) == {"A1": ("card-2", 1)}


def test_an_enrolled_empty_mat_with_pictures_in_its_slots_reads_as_empty(deck):
    stage = Stage()
    stage._bare[400:1500, 300:2100] = cv2.resize(face(50), (1800, 1100))
    reader = TableReader(MAT, deck)
    reader.enrol_empty(stage.frame())
    stage.put("R3", face(8))
    scene = reader.read_still(stage.frame())
    assert believed(scene) == {"R3": ("card-8", 0)}
    assert {s.seen for s in scene.sightings if s.slot != "R3"} == {"empty"}


def test_the_evidence_of_a_sighting_is_found_by_its_digest(deck):
    stage = Stage()
    stage.put("A1", face(2))
    reader = TableReader(MAT, deck)
    sighting = reader.read_still(stage.frame()).by_slot["A1"]
    crop = reader.evidence(sighting.digest)
    assert crop is not None
    assert hashlib.sha256(repr(crop.shape).encode() + crop.tobytes()).hexdigest() == sighting.digest
    assert reader.evidence("0" * 64) is None


def test_evidence_is_a_ring_and_can_be_switched_off(deck):
    stage = Stage()
    stage.put("A1", face(2))
    frame = stage.frame()
    small = TableReader(MAT, deck, evidence_kept=3)
    scene = small.read_still(frame)
    assert sum(small.evidence(s.digest) is not None for s in scene.sightings) == 3
    none = TableReader(MAT, deck, evidence_kept=0)
    digest = none.read_still(frame).by_slot["A1"].digest
    assert len(digest) == 64
    assert none.evidence(digest) is None


def test_a_recording_that_starts_again_is_read_again(deck):
    table = Table(deck)
    table.put("A1", 3)
    assert believed(table.settle()) == {"A1": ("card-3", 0)}
    table.stage.now = 0.0
    table.put("A1", 5)
    assert not table.next().steady
    assert believed(table.settle()) == {"A1": ("card-5", 0)}


def test_what_has_moved_and_cannot_be_read_is_not_shown_as_it_was(deck):
    table = Table(deck)
    table.put("R3", 1)
    table.settle()
    shown = []
    for number in range(12):
        table.put("R3", 1, turn=0.1 * number)  # somebody plays with the card all the time
        shown.append(table.next().by_slot["R3"].seen)
    assert "hidden" in shown[:7]
    assert set(shown[7:]) == {"hidden"}
    assert believed(table.settle()) == {"R3": ("card-1", 1)}
