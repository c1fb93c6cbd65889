from tests.vision.table_stage import MAT, Stage, face
from vision.plane import plane_from_markers
from vision.slots import look
from vision.steady import HAND_STAYS_S, REST_S, RestGate


class Watched:
    """A stage with a gate that sees every frame."""

    def __init__(self, interval=0.1):
        self.stage, self.gate, self.interval = Stage(), RestGate(MAT), interval
        self.plane = plane_from_markers(MAT, self.stage.frame().picture)

    def next(self, after=None):
        frame = self.stage.frame(after or self.interval)
        return self.gate.step(look(MAT, self.plane, frame.picture), frame.at, self.plane)

    def settle(self):
        for _ in range(20):
            stillness = self.next()
            if stillness.is_steady:
                return stillness
        raise AssertionError("the table never came to rest")


def test_rest_is_measured_in_seconds_and_not_in_frames():
    for interval in (0.05, 0.2):
        watched = Watched(interval)
        watched.next()
        started = watched.stage.now
        while not watched.next().is_steady:
            assert watched.stage.now - started < 2.0
        waited = watched.stage.now - started
        assert REST_S - 0.01 <= waited <= REST_S + interval + 0.01


def test_the_first_frame_alone_is_never_steady():
    assert not Watched().next().is_steady


def test_a_card_laid_without_a_visible_hand_disturbs_its_slot_only():
    watched = Watched()
    watched.settle()
    watched.stage.put("R2", face(4))
    stillness = watched.next()
    assert stillness.disturbed == {"R2"}
    assert not stillness.hand
    assert not stillness.is_steady


def test_a_hand_over_the_table_is_seen_and_covers_the_slots_under_it():
    watched = Watched()
    watched.settle()
    x, y = MAT.slot("A3").rect.centre
    watched.stage.hand = (x, y)
    stillness = watched.next()
    assert stillness.hand
    assert "A3" in stillness.covered
    assert "B1" not in stillness.covered


def test_a_hand_lying_still_is_never_steady_and_after_ten_seconds_it_stays():
    watched = Watched()
    watched.settle()
    watched.stage.hand = MAT.slot("A2").rect.centre
    watched.next()
    before = watched.next(after=HAND_STAYS_S - 1.0)
    assert before.hand
    assert not before.is_steady
    assert not before.hand_stays
    assert watched.next(after=2.0).hand_stays


def test_when_the_hand_has_gone_the_table_comes_to_rest_again():
    watched = Watched()
    watched.settle()
    watched.stage.hand = MAT.slot("R4").rect.centre
    for _ in range(5):
        watched.next()
    watched.stage.hand = None
    assert not watched.next().hand
    assert watched.settle().covered == frozenset()


def test_a_hand_that_was_there_from_the_start_is_no_hand_after_it_has_gone():
    watched = Watched()
    watched.stage.hand = MAT.slot("A3").rect.centre
    for _ in range(8):
        watched.next()
    watched.stage.hand = None
    for _ in range(8):
        stillness = watched.next()
    assert not stillness.hand
    assert stillness.is_steady


def test_fifteen_cards_laid_at_once_are_no_hand():
    watched = Watched()
    watched.settle()
    for number, slot in enumerate(MAT.slots):
        watched.stage.put(slot.key, face(number))
    assert not watched.next().hand


def test_a_shadow_that_falls_on_the_table_is_no_hand():
    watched = Watched()
    watched.settle()
    watched.stage.shadow = (1.0, 0.2, 0.1)
    for _ in range(6):
        stillness = watched.next()
    assert not stillness.hand
    assert stillness.is_steady


def test_a_black_sleeve_is_a_hand():
    watched = Watched()
    watched.settle()
    watched.stage.skin = (28, 26, 27)
    watched.stage.hand = MAT.slot("R1").rect.centre
    assert watched.next().hand
