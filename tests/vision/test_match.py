from __future__ import annotations

import numpy as np
import pytest

from companion.sets.faces import proxy_face
from tests.vision.printed import illustrated, numbered, pips
from vision.deck import Deck, DeckError
from vision.detections import CardReading, angle_of
from vision.match import read_patch
from vision.rendered import render_card

ILLUSTRATED = Deck.from_faces({f"card_{k}": illustrated(k) for k in range(8)})


def apart(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)


@pytest.mark.parametrize("angle", [0, 37, 90, 151, 180, 233, 270, 301])
def test_a_card_is_named_and_its_angle_measured_at_any_turn(angle: float) -> None:
    seen = render_card(illustrated(3), np.random.default_rng(angle), angle, hard=0)
    reading = read_patch(seen.patch, ILLUSTRATED)
    assert reading is not None
    assert (reading.label, reading.state) == ("card_3", "known")
    assert apart(reading.angle, angle_of(seen.corners)) < 1
    assert reading.quadrant == round(angle_of(seen.corners) / 90) % 4
    assert np.abs(reading.corners - seen.corners).max() < 4


def test_a_card_that_is_not_enrolled_is_unknown() -> None:
    for seed in range(6):
        seen = render_card(illustrated(100 + seed), np.random.default_rng(seed), 40 * seed, hard=0)
        reading = read_patch(seen.patch, ILLUSTRATED)
        assert reading is not None
        assert reading.state == "unknown"
        assert reading.label is None


def test_look_alikes_are_told_apart_by_one_digit() -> None:
    deck = Deck.from_faces({str(k): numbered(k) for k in range(10)})
    for number in range(10):
        seen = render_card(numbered(number), np.random.default_rng(number), 36 * number, hard=0)
        reading = read_patch(seen.patch, deck)
        assert reading is not None
        assert reading.label == str(number)


def test_a_covered_difference_leaves_look_alikes_unsure() -> None:
    deck = Deck.from_faces({str(k): numbered(k) for k in (3, 8)})
    covered = numbered(3)
    covered[25:115, 15:105] = 128
    reading = read_patch(render_card(covered, np.random.default_rng(1), 10, hard=0).patch, deck)
    assert reading is not None
    assert reading.state == "unsure"
    assert {label for label, _ in reading.candidates} == {"3", "8"}


def test_twins_are_never_known() -> None:
    noisy = np.clip(illustrated(1).astype(int) + np.random.default_rng(0).integers(-9, 10, (350, 250, 3)), 0, 255)
    deck = Deck.from_faces({"one": illustrated(1), "other": noisy.astype(np.uint8)})
    for seed in range(4):
        reading = read_patch(render_card(illustrated(1), np.random.default_rng(seed), 90 * seed, hard=0).patch, deck)
        assert reading is not None
        assert reading.state == "unsure"


def test_red_and_blue_symbols_of_equal_brightness_are_told_apart() -> None:
    pair = ("golem-02", "golem-13")
    deck = Deck.from_faces({key: proxy_face(key, 300) for key in (*pair, "golem-03")})
    for key in pair:
        seen = render_card(proxy_face(key, 300), np.random.default_rng(4), 200, hard=0)
        reading = read_patch(seen.patch, deck)
        assert reading is not None
        assert (reading.label, reading.state) == (key, "known")


def test_sparse_playing_cards_are_named() -> None:
    deck = Deck.from_faces({str(count): pips(count) for count in range(1, 8)})
    for count in range(1, 8):
        seen = render_card(pips(count), np.random.default_rng(count), 33 * count, hard=0)
        reading = read_patch(seen.patch, deck)
        assert reading is not None
        assert reading.label == str(count)


@pytest.mark.parametrize("first", range(4))
def test_corners_may_be_off_by_a_seventh_and_begin_anywhere(first: int) -> None:
    seen = render_card(illustrated(5), np.random.default_rng(first), 15, hard=0)
    width = float(np.hypot(*(seen.corners[1] - seen.corners[0])))
    off = np.random.default_rng(first).uniform(-0.15, 0.15, (4, 2)) * width
    reading = read_patch(seen.patch, ILLUSTRATED, corners=np.roll(seen.corners, first, axis=0) + off)
    assert reading is not None
    assert reading.label == "card_5"
    assert apart(reading.angle, angle_of(seen.corners)) < 1


def test_bare_paper_where_a_face_has_a_pip_is_another_card() -> None:
    deck = Deck.from_faces({str(count): pips(count) for count in (2, 4, 7)})
    one_less = pips(7)
    one_less[255:305, 50:100] = one_less[200, 125]
    for seed in range(4):
        reading = read_patch(render_card(one_less, np.random.default_rng(seed), 20.0, hard=0).patch, deck)
        assert reading is not None
        assert reading.state == "unknown"


def test_a_dark_thing_on_a_pip_is_no_bare_paper() -> None:
    deck = Deck.from_faces({str(count): pips(count) for count in (2, 4, 7)})
    covered = pips(7)
    covered[255:305, 50:100] = (60, 40, 150)
    reading = read_patch(render_card(covered, np.random.default_rng(1), 20.0, hard=0).patch, deck)
    assert reading is not None
    assert reading.label == "7"


def test_only_the_faces_asked_for_are_considered() -> None:
    seen = render_card(illustrated(2), np.random.default_rng(2), 5, hard=0)
    reading = read_patch(seen.patch, ILLUSTRATED, among=["card_1", "card_4"])
    assert reading is not None
    assert reading.label != "card_2"
    assert reading.state != "known"
    assert {label for label, _ in reading.candidates} <= {"card_1", "card_4"}


def test_confidence_falls_when_a_card_is_half_covered() -> None:
    seen = render_card(illustrated(6), np.random.default_rng(3), 0, hard=0)
    clear = read_patch(seen.patch, ILLUSTRATED)
    half = seen.patch.copy()
    half[half.shape[0] // 2 :] = (60, 70, 80)
    covered = read_patch(half, ILLUSTRATED)
    assert clear is not None
    assert covered is not None
    assert clear.confidence > 0.9
    assert covered.label != "card_6" or covered.confidence < clear.confidence


def test_strange_labels_and_shapes_are_refused() -> None:
    patch = render_card(illustrated(1), np.random.default_rng(1), 0).patch
    with pytest.raises(DeckError, match="no face called nobody"):
        read_patch(patch, ILLUSTRATED, among=["nobody"])
    with pytest.raises(ValueError, match="BGR uint8"):
        read_patch(patch[:, :, 0], ILLUSTRATED)
    with pytest.raises(ValueError, match="shape"):
        read_patch(patch, ILLUSTRATED, corners=np.zeros((3, 2)))
    with pytest.raises(ValueError, match="go round"):
        read_patch(patch, ILLUSTRATED, corners=np.array([(0, 0), (9, 9), (9, 0), (0, 9)], float))


def test_nothing_is_read_in_a_patch_of_a_few_pixels() -> None:
    assert read_patch(np.zeros((9, 40, 3), np.uint8), ILLUSTRATED) is None


def test_a_plain_surface_is_no_card_of_the_deck() -> None:
    reading = read_patch(np.full((260, 260, 3), 128, np.uint8), ILLUSTRATED)
    assert reading is not None
    assert reading.state == "unknown"


def test_a_reading_checks_its_own_form() -> None:
    corners = np.array([(0, 0), (9, 0), (9, 9), (0, 9)], float)
    assert CardReading("a", "known", 0.9, 0.0, 0, corners).centre == (4.5, 4.5)
    with pytest.raises(ValueError, match="shape"):
        CardReading("a", "known", 0.9, 0.0, 0, corners[:3])
    with pytest.raises(ValueError, match="label"):
        CardReading("a", "unknown", 0.9, 0.0, 0, corners)
    with pytest.raises(ValueError, match="falling order"):
        CardReading("a", "known", 0.9, 0.0, 0, corners, (("b", 0.1), ("a", 0.9)))
