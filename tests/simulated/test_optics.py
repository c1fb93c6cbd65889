"""The simulated camera: what it shows is where its lens says, and comes from faces and places alone."""

import random

import cv2
import numpy as np
import pytest

from companion.print.mat import draw_mat
from companion.simulated.hands import Reaching
from companion.simulated.lens import lens_over
from companion.simulated.lying import Laid
from companion.simulated.optics import Camera, Carried
from companion.simulated.rig import ASKANCE, Disturbance, Rig, describe, draw_conditions
from companion.table.mat import MARKER_DICTIONARY, grid_mat

MAT = grid_mat("allies", ("B", "R", "A"), 5)
FLAT = draw_mat(MAT, 5.2)
RIG = Rig()
CLEAN = Disturbance(glare_probability=(0.0, 0.0), noise=(0.5, 0.5), flicker=(0.0, 0.0), drift=(0.0, 0.0))


def plain_face(colour, top):
    face = np.full((330, 330, 3), colour, np.uint8)
    face[:110] = top
    return face


FACES = {"blue": plain_face((200, 60, 30), (255, 255, 255)), "green": plain_face((40, 170, 40), (255, 255, 255))}
NOTHING = {slot.key: None for slot in MAT.slots}


def camera(seed=1, faces=None, disturbance=CLEAN):
    return Camera(MAT, FLAT, faces or FACES, seed, RIG, disturbance)


def seen_at(taker, picture, x, y):
    px, py = taker.lens.to_pixels(np.array([[x, y]]))[0]
    return picture[round(py) - 3 : round(py) + 4, round(px) - 3 : round(px) + 4].reshape(-1, 3).mean(axis=0)


@pytest.mark.parametrize("seed", range(60))
def test_the_whole_mat_is_in_the_picture_for_any_seed(seed):
    lens = lens_over(RIG, draw_conditions(RIG, Disturbance(), random.Random(seed)), (MAT.width / 2, MAT.height / 2))
    corners = lens.to_pixels(np.array([[0, 0], [MAT.width, 0], [MAT.width, MAT.height], [0, MAT.height]], float))
    assert corners.min() > 5
    assert (corners < np.array([RIG.width - 5, RIG.height_px - 5])).all()


def test_a_pixel_and_the_table_point_it_looks_at_belong_together():
    lens = camera().lens
    pixels = np.array([[10.0, 20.0], [640.0, 360.0], [1270.0, 700.0]])
    assert np.abs(lens.to_pixels(lens.to_table(pixels)) - pixels).max() < 0.01


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_printed_markers_are_found_where_the_lens_puts_them(seed):
    taker = camera(seed, disturbance=Disturbance())
    picture = taker.picture(NOTHING, 0.0)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)
    found = dict(zip(ids.ravel().tolist(), corners, strict=True))
    assert set(found) == {marker.id for marker in MAT.markers}
    for marker in MAT.markers:
        expected = taker.lens.to_pixels(np.array(marker.rect.corners))
        assert np.abs(found[marker.id].reshape(4, 2) - expected).max() < 1.5


@pytest.mark.parametrize(("turn", "towards"), [(0, (0, -1)), (1, (1, 0)), (2, (0, 1)), (3, (-1, 0))])
def test_quarter_turns_run_clockwise_as_seen_from_above(turn, towards):
    taker = camera()
    picture = taker.picture({**NOTHING, "A2": Laid("blue", turn)}, 0.0)
    x, y = MAT.slot("A2").rect.centre
    for step in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        red = seen_at(taker, picture, x + 24 * step[0], y + 24 * step[1])[2]
        assert (red > 120) == (step == towards)


def test_the_same_seed_gives_the_same_pictures_and_another_seed_others():
    slots = {**NOTHING, "B3": Laid("green", 2, 1.0, -0.5, 2.0)}
    first, again, other = (camera(seed, disturbance=Disturbance()).picture(slots, 3.0) for seed in (4, 4, 5))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_exchanging_two_faces_is_the_same_as_exchanging_the_two_cards():
    exchanged = {"blue": FACES["green"], "green": FACES["blue"]}
    lies = {**NOTHING, "A1": Laid("blue", 1, 0.4, 0.3, 2.0), "R4": Laid("green", 3, -0.6, 0.1, -1.0)}
    turned_round = {**NOTHING, "A1": Laid("green", 1, 0.4, 0.3, 2.0), "R4": Laid("blue", 3, -0.6, 0.1, -1.0)}
    glossy = Disturbance(glare_probability=(1.0, 1.0))
    with_other_faces = camera(9, exchanged, glossy).picture(lies, 0.0)
    assert np.array_equal(with_other_faces, camera(9, FACES, glossy).picture(turned_round, 0.0))
    assert not np.array_equal(with_other_faces, camera(9, FACES, glossy).picture(lies, 0.0))


def test_a_resting_table_differs_from_picture_to_picture_by_noise_only():
    taker = camera(2, disturbance=Disturbance(noise=(2.0, 2.0), flicker=(0.0, 0.0), drift=(0.0, 0.0)))
    first, second = (taker.picture(NOTHING, at).astype(int) for at in (0.0, 0.2))
    difference = (first - second).std()
    assert 1.0 < difference < 5.0
    assert abs((first - second).mean()) < 0.1


def test_a_hand_hides_the_slot_it_reaches_over_and_leaves_it_as_it_was():
    taker = camera(6)
    slots = {**NOTHING, "A3": Laid("blue", 0)}
    x, y = MAT.slot("A3").rect.centre
    before = seen_at(taker, taker.picture(slots, 0.0), x, y + 20)
    under = seen_at(taker, taker.picture(slots, 0.2, [Reaching(0, x, y)]), x, y + 20)
    after = seen_at(taker, taker.picture(slots, 0.4), x, y + 20)
    assert np.abs(before - under).max() > 40
    assert np.abs(before - after).max() < 3


def test_a_carried_card_is_seen_where_it_is_carried():
    taker = camera(6)
    carried = seen_at(taker, taker.picture(NOTHING, 0.0, (), [Carried("green", 210.0, 150.0, 0.0)]), 210.0, 158.0)
    assert carried.argmax() == 1
    assert carried[1] > 2 * carried[2]


def test_a_bumped_camera_shifts_the_picture():
    taker = camera(3)
    slots = {**NOTHING, "A3": Laid("blue", 0)}
    before = taker.picture(slots, 0.0).astype(int)
    taker.bump(5.0, -3.0)
    after = taker.picture(slots, 0.2).astype(int)
    moved = np.roll(before, (-3, 5), axis=(0, 1))
    inner = np.s_[100:-100, 100:-100]
    assert np.abs(after - moved)[inner].mean() < 2.0
    assert np.abs(after - before)[inner].mean() > np.abs(after - moved)[inner].mean() + 0.5


def test_a_camera_that_is_knocked_askew_sees_every_point_where_its_lens_says():
    taker = camera(3)
    slots = {**NOTHING, "A3": Laid("blue", 0), "B1": Laid("green", 0)}
    before = taker.lens.to_pixels(np.array([[MAT.width / 2, MAT.height / 2]]))
    taker.bump(20.0, -12.0, 4.0)
    seen = taker.picture(slots, 0.0)
    middle = np.array([[RIG.width / 2, RIG.height_px / 2]])
    assert np.abs(taker.lens.to_pixels(camera(3).lens.to_table(middle)) - middle - (20.0, -12.0)).max() < 0.5
    assert np.abs(taker.lens.to_pixels(np.array([[MAT.width / 2, MAT.height / 2]])) - before).max() > 5
    for slot, colour in (("A3", 0), ("B1", 1)):
        x, y = MAT.slot(slot).rect.centre
        assert seen_at(taker, seen, x, y + 18).argmax() == colour
    across = taker.lens.to_pixels(np.array([[0.0, MAT.height / 2], [MAT.width, MAT.height / 2]]))
    level = camera(3).lens.to_pixels(np.array([[0.0, MAT.height / 2], [MAT.width, MAT.height / 2]]))
    turned = [np.degrees(np.arctan2(*(two - one)[::-1])) for one, two in (level, across)]
    assert turned[1] - turned[0] == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize("seed", range(60))
def test_every_slot_is_in_the_picture_of_a_camera_that_looks_askance(seed):
    askance = Disturbance(camera_aside=ASKANCE)
    lens = lens_over(RIG, draw_conditions(RIG, askance, random.Random(seed)), (MAT.width / 2, MAT.height / 2))
    corners = lens.to_pixels(np.array([corner for slot in MAT.slots for corner in slot.rect.corners]))
    assert corners.min() > 5
    assert (corners < np.array([RIG.width - 5, RIG.height_px - 5])).all()


def test_every_range_is_printed():
    lines = describe(RIG, Disturbance())
    assert "2.10 pixels per millimetre" in lines[0]
    for name in Disturbance.__struct_fields__:
        assert any(line.startswith(name.replace("_", " ") + ":") for line in lines)
