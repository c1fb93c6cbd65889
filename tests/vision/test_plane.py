import cv2
import numpy as np
import pytest

from companion.print.mat import draw_mat
from companion.simulated.optics import Camera
from companion.simulated.surroundings import Surroundings
from companion.table.mat import Rect
from tests.vision.table_stage import MAT, Stage, face
from vision.anchors import found_again
from vision.frame import Frame
from vision.lens import LensMemory
from vision.plane import MatNotFoundError, detect_markers, plane_from_corners, plane_from_markers
from vision.plane_tracker import PlaneTracker

GRID = np.stack(np.meshgrid(np.linspace(0, 420, 9), np.linspace(0, 297, 7)), axis=-1).reshape(-1, 2)
CORNERS = Rect(0, 0, MAT.width, MAT.height).corners


def errors(plane, stage):
    """Distance in millimetres between where mat points are and where the plane puts them."""
    return np.hypot(*(plane.to_mat(stage.to_picture(GRID)) - GRID).T)


def cover(frame, stage, *markers):
    """Lay dark cloth over some markers."""
    picture = frame.picture.copy()
    for marker in MAT.markers:
        if marker.id in markers:
            cv2.fillConvexPoly(picture, stage.to_picture(marker.rect.corners).astype(np.int32), (40, 50, 60))
    return Frame(picture, frame.source, frame.at, frame.number)


def test_the_plane_puts_every_point_of_the_mat_within_a_fifth_of_a_millimetre():
    stage = Stage()
    plane = plane_from_markers(MAT, stage.frame().picture)
    assert errors(plane, stage).max() < 0.2
    assert plane.error_mm < 0.3
    assert plane.coverage > 0.85
    assert plane.markers == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize("k1", [-0.06, 0.05])
def test_a_mild_lens_distortion_is_estimated_when_it_helps(k1):
    stage = Stage()
    stage.k1 = k1
    plane = plane_from_markers(MAT, stage.frame().picture)
    assert plane.k1 * k1 > 0
    assert errors(plane, stage).max() < 0.3


def test_no_lens_parameter_is_invented_for_a_lens_without_distortion():
    assert plane_from_markers(MAT, Stage().frame().picture).k1 == 0.0


def test_pixels_and_millimetres_are_inverse_under_distortion_too():
    stage = Stage()
    stage.k1 = -0.06
    plane = plane_from_markers(MAT, stage.frame().picture)
    assert np.allclose(plane.to_mat(plane.to_picture(GRID)), GRID, atol=1e-6)


def test_a_rectified_slot_shows_the_card_upright_and_in_its_place():
    stage = Stage()
    card = face(3)
    stage.put("R2", card)
    frame = stage.frame()
    centre = MAT.slot("R2").rect.centre
    side = MAT.card_size[0]
    patch = plane_from_markers(MAT, frame.picture).rectify(
        frame.picture, Rect(centre[0] - side / 2, centre[1] - side / 2, side, side), 3.0
    )
    assert patch.shape == (189, 189, 3)
    small = cv2.resize(card, (189, 189), interpolation=cv2.INTER_AREA)
    assert cv2.matchTemplate(patch, small[4:-4, 4:-4], cv2.TM_CCOEFF_NORMED).max() > 0.9


def test_two_opposite_markers_are_enough():
    stage = Stage()
    plane = plane_from_markers(MAT, cover(stage.frame(), stage, 1, 3, 4, 5).picture)
    assert plane.markers == (0, 2)
    assert errors(plane, stage).max() < 3 * plane.spread_mm < 9


@pytest.mark.parametrize(
    ("hidden", "says"),
    [
        ((0, 1, 2, 3, 4, 5), "no mat was found"),
        ((1, 2, 3, 4, 5), "not in full view"),
    ],
)
def test_too_few_markers_are_refused_in_words(hidden, says):
    stage = Stage()
    with pytest.raises(MatNotFoundError, match=says):
        plane_from_markers(MAT, cover(stage.frame(), stage, *hidden).picture)


def test_markers_that_cannot_fix_the_far_side_are_refused():
    stage = Stage()
    stage.size = (640, 360)
    with pytest.raises(MatNotFoundError, match="too close together"):
        plane_from_markers(MAT, cover(stage.frame(), stage, 1, 2, 3, 5).picture)


def test_a_mirrored_picture_is_named_as_such_or_its_markers_are_not_taken():
    picture = np.ascontiguousarray(Stage().frame().picture[:, ::-1])
    with pytest.raises(MatNotFoundError):
        plane_from_markers(MAT, picture)


def test_a_marker_that_lies_in_the_wrong_place_is_left_out():
    stage = Stage()
    picture = stage.frame().picture.copy()
    stray = detect_markers(MAT, picture)[5]
    left, top = stray.min(axis=0).astype(int) - 6
    right, bottom = stray.max(axis=0).astype(int) + 6
    shifted = picture[top:bottom, left:right].copy()
    picture[top:bottom, left:right] = 215
    picture[top - 14 : bottom - 14, left + 60 : right + 60] = shifted
    plane = plane_from_markers(MAT, picture)
    assert 5 not in plane.markers
    assert errors(plane, stage).max() < 0.4


def test_four_tapped_corners_make_a_plane():
    stage = Stage()
    plane = plane_from_corners(MAT, stage.to_picture(CORNERS), stage.size)
    assert errors(plane, stage).max() < 0.1


@pytest.mark.parametrize(
    "order",
    [(0, 2, 1, 3), (3, 2, 1, 0), (0, 0, 1, 2)],
    ids=["crossed", "counter-clockwise", "one corner twice"],
)
def test_corners_that_are_no_mat_seen_from_above_are_refused(order):
    corners = Stage().to_picture(CORNERS)
    with pytest.raises(MatNotFoundError):
        plane_from_corners(MAT, corners[list(order)], (1280, 720))


def test_three_corners_are_refused_with_their_number():
    with pytest.raises(MatNotFoundError, match="found 3"):
        plane_from_corners(MAT, Stage().to_picture(CORNERS)[:3], (1280, 720))


def test_a_bump_of_the_camera_is_noticed_and_followed_in_the_same_frame():
    stage, tracker = Stage(), PlaneTracker(MAT)
    tracker.follow(stage.frame())
    tracker.follow(stage.frame())
    assert tracker.bumps == 0
    for shift in ((2.5, -2.0), (45.0, 8.0)):
        stage.shift = shift
        plane = tracker.follow(stage.frame(after=1.0))
        assert errors(plane, stage).max() < 0.4
    assert tracker.bumps == 2
    assert tracker.is_certain


def test_noise_and_changing_light_are_no_bump():
    stage, tracker = Stage(), PlaneTracker(MAT)
    tracker.follow(stage.frame())
    for light in (1.0, 0.6, 0.85, 1.0):
        stage.light = light
        tracker.follow(stage.frame())
    assert tracker.bumps == 0


def test_a_covered_mat_is_missed_only_after_a_moment():
    stage, tracker = Stage(), PlaneTracker(MAT)
    tracker.follow(stage.frame())
    tracker.follow(cover(stage.frame(after=0.3), stage, 0, 1, 2, 3, 4, 5))
    assert not tracker.is_certain
    with pytest.raises(MatNotFoundError, match="no mat was found"):
        tracker.follow(cover(stage.frame(after=3.0), stage, 0, 1, 2, 3, 4, 5))
    assert errors(tracker.follow(stage.frame()), stage).max() < 0.3
    assert tracker.is_certain


def knocked(camera, x, y, roll, number):
    """Return the next picture of a simulated camera after somebody has knocked against it."""
    camera.bump(x, y, roll)
    return Frame(
        camera.picture({slot.key: None for slot in MAT.slots}, 0.5 * number), "simulated", 0.5 * number, number
    )


def off(plane, camera):
    """Distance in millimetres between where mat points are and where the plane puts them."""
    return np.hypot(*(plane.to_mat(camera.lens.to_pixels(GRID)) - GRID).T).max()


@pytest.mark.parametrize("seed", [1, 2])
def test_tapped_corners_are_found_again_after_a_bump_in_the_same_picture(seed):
    camera, tracker = Camera(MAT, draw_mat(MAT, 5.2), {}, seed), PlaneTracker(MAT, LensMemory(-0.06))
    first = knocked(camera, 0.0, 0.0, 0.0, 0)
    before = off(tracker.use_corners(camera.lens.to_pixels(np.array(CORNERS)), first), camera)
    for number, (x, y, roll) in enumerate(((3.0, -2.0, 0.0), (38.0, -20.0, 2.0), (-30.0, 14.0, -3.0)), 1):
        plane = tracker.follow(knocked(camera, x, y, roll, number))
        assert off(plane, camera) < before + 1.5
        tracker.follow(knocked(camera, 0.0, 0.0, 0.0, number + 0.4))
        assert tracker.is_certain
    assert tracker.bumps == 3


def test_tapped_corners_that_nothing_looks_like_any_more_are_asked_for():
    stage, tracker = Stage(), PlaneTracker(MAT)
    tracker.use_corners(stage.to_picture(CORNERS), stage.frame())
    stage.shift = (4.0, 3.0)
    assert errors(tracker.follow(stage.frame()), stage).max() < 0.8
    stage.shift = (200.0, 60.0)
    tracker.follow(stage.frame())
    with pytest.raises(MatNotFoundError, match="tap the mat's four corners"):
        tracker.follow(stage.frame(after=3.0))


def test_corners_of_another_evening_are_taken_where_the_picture_shows_them_now():
    camera, evening = Camera(MAT, draw_mat(MAT, 5.2), {}, 3), PlaneTracker(MAT, LensMemory(-0.06))
    tapped = camera.lens.to_pixels(np.array(CORNERS))
    evening.use_corners(tapped, knocked(camera, 0.0, 0.0, 0.0, 0))
    camera.surround(Surroundings(level=0.7, warmth=0.1, lamp=40.0))
    for x, y in ((0.0, 0.0), (-40.0, 25.0)):
        again = PlaneTracker(MAT, LensMemory(-0.06))
        again.recall_corners(tapped, evening.anchors)
        plane = again.follow(knocked(camera, x, y, 0.0, 0))
        assert plane.markers == ()
        assert np.abs(plane.to_picture(CORNERS) - camera.lens.to_pixels(np.array(CORNERS))).max() < 2.0
    far = knocked(camera, 200.0, -25.0, 0.0, 0)
    asks = PlaneTracker(MAT)
    asks.recall_corners(tapped, evening.anchors)
    assert asks.follow(far).markers, "where the mat has markers, they serve"
    asks = PlaneTracker(MAT)
    asks.recall_corners(tapped, evening.anchors)
    with pytest.raises(MatNotFoundError, match="may stand elsewhere"):
        asks.follow(Frame(np.full_like(far.picture, 90), "simulated", 0.0, 0))


def test_a_corner_that_is_hidden_moves_along_with_the_others_and_two_tell_nothing():
    camera, tracker = Camera(MAT, draw_mat(MAT, 5.2), {}, 4), PlaneTracker(MAT)
    tapped = camera.lens.to_pixels(np.array(CORNERS))
    tracker.use_corners(tapped, knocked(camera, 0.0, 0.0, 0.0, 0))
    picture = knocked(camera, 30.0, 12.0, 1.0, 1).picture
    truth = camera.lens.to_pixels(np.array(CORNERS))
    for hidden in (0, 1):
        x, y = truth[hidden].astype(int)
        cv2.rectangle(picture, (x - 60, y - 60), (x + 60, y + 60), (60, 90, 140), -1)
        where = found_again(tracker.anchors, picture, tapped)
        if hidden == 0:
            assert np.hypot(*(where - truth).T).max() < 5.0
        else:
            assert where is None


def test_a_plane_from_few_markers_is_bettered_when_the_others_come_into_view():
    stage, tracker = Stage(), PlaneTracker(MAT)
    poor = tracker.follow(cover(stage.frame(), stage, 1, 3, 4, 5))
    assert poor.markers == (0, 2)
    assert tracker.follow(stage.frame()) is poor
    better = tracker.follow(stage.frame(after=3.0))
    assert better.markers == (0, 1, 2, 3, 4, 5)
    assert errors(better, stage).max() < 0.3
    assert tracker.bumps == 0


def test_a_single_photograph_is_found_afresh_whatever_was_seen_before():
    stage, tracker = Stage(), PlaneTracker(MAT)
    tracker.follow(stage.frame())
    stage.shift = (50.0, 10.0)
    assert errors(tracker.find(stage.frame(after=0.0)), stage).max() < 0.3


def test_a_recording_that_starts_again_is_followed_again():
    stage, tracker = Stage(), PlaneTracker(MAT)
    tracker.follow(stage.frame(after=50.0))
    stage.now, stage.shift = 1.0, (50.0, 10.0)
    plane = tracker.follow(stage.frame(after=0.3))
    plane = tracker.follow(stage.frame(after=0.3))
    assert errors(plane, stage).max() < 0.3
