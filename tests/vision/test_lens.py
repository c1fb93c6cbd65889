"""The lens: estimated from pictures of a camera that bends by another model, remembered, and put to use."""

import cv2
import numpy as np
import pytest

from companion.print.mat import draw_mat
from companion.simulated.optics import Camera
from companion.simulated.rig import Disturbance, Rig
from companion.table.mat import grid_mat
from vision.frame import Frame
from vision.lens import LensMemory, bend, estimate_k1, reprojection_error, unbend
from vision.plane import Plane, plane_from_corners, plane_from_markers
from vision.plane_tracker import PlaneTracker

MAT = grid_mat("allies", ("B", "R", "A"), 5)
FLAT = draw_mat(MAT, 5.2)
SLOTS = np.array([corner for slot in MAT.slots for corner in slot.rect.corners])
EDGE = [(0.0, 0.0), (MAT.width, 0.0), (MAT.width, MAT.height), (0.0, MAT.height)]
SIZE = (1280, 720)


def camera(barrel, seed=3):
    return Camera(MAT, FLAT, {}, seed, Rig(), Disturbance(barrel=(barrel, barrel)))


def shot(taker, number=0):
    return Frame(taker.picture({}, float(number)), "simulated", float(number), number)


def off(plane, taker):
    """Return by how many millimetres the plane is wrong about the corners of the slots."""
    return float(np.sqrt(np.mean(np.sum((plane.to_mat(taker.lens.to_pixels(SLOTS)) - SLOTS) ** 2, axis=1))))


def test_bending_undoes_unbending():
    points = np.array([(3.0, 5.0), (640.0, 360.0), (1200.0, 40.0)])
    for k1 in (-0.2, -0.05, 0.04):
        assert np.allclose(bend(unbend(points, k1, SIZE), k1, SIZE), points, atol=1e-6)


@pytest.mark.parametrize("barrel", [-0.2, -0.09, -0.03, 0.05])
def test_a_lens_that_bends_is_straightened_to_a_tenth_of_a_millimetre(barrel):
    taker = camera(barrel)
    bent = plane_from_markers(MAT, shot(taker).picture)
    straight = Plane(cv2.findHomography(*bent.view, 0)[0], SIZE)
    assert off(bent, taker) < 0.15
    assert off(straight, taker) > 5 * off(bent, taker)


def test_the_error_falls_by_the_estimate_and_rises_on_both_sides_of_it():
    view = plane_from_markers(MAT, shot(camera(-0.09)).picture).view
    k1 = estimate_k1([view], SIZE)
    best = reprojection_error([view], k1, SIZE)
    assert best < 0.2 * reprojection_error([view], 0.0, SIZE)
    assert best < reprojection_error([view], k1 - 0.01, SIZE)
    assert best < reprojection_error([view], k1 + 0.01, SIZE)


def test_a_known_lens_serves_where_only_two_markers_are_seen():
    taker = camera(-0.09)
    tracker = PlaneTracker(MAT)
    tracker.follow(shot(taker))
    k1 = tracker.lens.k1
    covered = shot(taker).picture.copy()
    for marker in MAT.markers:
        if marker.id not in (0, 2):
            corners = taker.lens.to_pixels(np.array(marker.rect.corners))
            (left, top), (right, bottom) = corners.min(axis=0).astype(int) - 3, corners.max(axis=0).astype(int) + 3
            covered[top:bottom, left:right] = 90
    without, known = plane_from_markers(MAT, covered), plane_from_markers(MAT, covered, k1)
    assert without.markers == known.markers == (0, 2)
    assert off(known, taker) < 1.0
    assert off(known, taker) < 0.5 * off(without, taker)


def test_a_known_lens_serves_tapped_corners():
    taker = camera(-0.09)
    k1 = plane_from_markers(MAT, shot(taker).picture).k1
    tapped = taker.lens.to_pixels(np.array(EDGE))
    assert off(plane_from_corners(MAT, tapped, SIZE, k1), taker) < 0.3
    assert off(plane_from_corners(MAT, tapped, SIZE), taker) > 1.0


def test_a_lens_that_does_not_fit_the_picture_is_not_believed():
    taker = camera(-0.03)
    plane = plane_from_markers(MAT, shot(taker).picture, k1=-0.25)
    assert plane.k1 == 0.0


def test_pictures_in_which_the_mat_lies_elsewhere_are_taken_in_and_others_are_not():
    taker, memory = camera(-0.09), LensMemory()
    for number, shift in enumerate(((0, 0), (0.5, 0.5), (14, -9))):
        taker.bump(*shift)
        memory.learn(plane_from_markers(MAT, shot(taker, number).picture).view, SIZE)
    assert len(memory._views) == 2
    assert memory.k1 == pytest.approx(plane_from_markers(MAT, shot(camera(-0.09)).picture).k1, abs=0.004)
    memory.learn((SLOTS[:8], SLOTS[:8]), SIZE)
    assert len(memory._views) == 2, "two markers tell nothing of a lens"
