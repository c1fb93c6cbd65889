"""The drawn mat lies where the mat's description says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games import load_game
from companion.print.mat import PAPER, PATCH_GREY, draw_mat, ruler_rect
from companion.table.mat import MARKER_DICTIONARY, Mat, Rect, game_mat, grid_mat

MAT = game_mat(load_game("allies"))
SMALL = grid_mat("two", ("A",), 2, card_size=(40.0, 40.0), size=(297.0, 210.0), marker=15.0)


def markers_found(picture: NDArray[np.uint8]) -> dict[int, NDArray[np.float64]]:
    """Marker corners in pixels, pixel centres at halves."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)
    return {int(i): quad[0].astype(float) + 0.5 for i, quad in zip(ids.flatten(), corners, strict=True)}


@pytest.mark.parametrize("mat", [MAT, SMALL], ids=["allies", "small"])
@pytest.mark.parametrize("scale", [2.5, 3.37, 4.0, 8.0])
def test_the_camera_library_finds_every_marker_within_three_tenths_of_a_millimetre(mat: Mat, scale: float) -> None:
    found = markers_found(draw_mat(mat, scale))
    assert set(found) == {marker.id for marker in mat.markers}
    for marker in mat.markers:
        assert np.abs(found[marker.id] / scale - np.array(marker.rect.corners)).max() < 0.3


def test_the_picture_has_the_mats_size() -> None:
    assert draw_mat(MAT, 3.5).shape == (1040, 1470, 3)


def test_the_patch_has_its_grey_and_a_slot_is_paper_inside_its_frame() -> None:
    picture = draw_mat(MAT, 4.0)
    assert set(np.unique(inside(picture, MAT.patch, 4.0, shrink=0.5))) == {PATCH_GREY}
    for slot in MAT.slots:
        x, y = slot.rect.x, slot.rect.y
        assert set(np.unique(inside(picture, Rect(x, y, 12, 12), 4.0, shrink=0.5))) == {PAPER}
        assert inside(picture, Rect(x - 0.5, y + 20, 1.0, 10), 4.0).min() < 180


def inside(picture: NDArray[np.uint8], rect: Rect, scale: float, shrink: float = 0.0) -> NDArray[np.uint8]:
    top, bottom = round((rect.y + shrink) * scale), round((rect.y + rect.height - shrink) * scale)
    left, right = round((rect.x + shrink) * scale), round((rect.x + rect.width - shrink) * scale)
    return picture[top:bottom, left:right]


def test_the_ruler_measures_one_hundred_millimetres_from_first_to_last_mark() -> None:
    scale, place = 10.0, ruler_rect(MAT)
    row = draw_mat(MAT, scale)[round((place.y + 2) * scale), :, 0]
    span = row[round((place.x - 1) * scale) : round((place.x + 101) * scale)]
    dark = np.flatnonzero(span < 100)
    assert (dark[-1] - dark[0] + 1) / scale == pytest.approx(100.3, abs=0.11)


def test_the_ruler_touches_neither_markers_nor_slots() -> None:
    for mat in (MAT, SMALL):
        place = ruler_rect(mat)
        for rect in (*(marker.rect for marker in mat.markers), mat.patch, *(slot.rect for slot in mat.slots)):
            apart = (
                place.x >= rect.x + rect.width or rect.x >= place.x + place.width
                or place.y >= rect.y + rect.height or rect.y >= place.y + place.height
            )  # fmt: skip
            assert apart, rect


def test_a_mat_without_room_for_the_ruler_is_refused() -> None:
    tiny = grid_mat("tiny", ("A",), 1, card_size=(30.0, 30.0), size=(148.0, 105.0), marker=15.0)
    with pytest.raises(ValueError, match='the mat "tiny" has no room for a 100 mm ruler; use a larger sheet'):
        draw_mat(tiny, 4.0)


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan")])
def test_a_scale_that_is_not_above_zero_is_refused(scale: float) -> None:
    with pytest.raises(ValueError, match="expected a scale above zero"):
        draw_mat(MAT, scale)


def test_a_mat_for_upright_cards_and_dice_has_its_tray_under_the_grid() -> None:
    mat = grid_mat("dice", ("A",), 5, card_size=(57.0, 88.0), turning=False, tray=(180.0, 90.0))
    assert mat.tray is not None
    row = mat.slots[0].rect
    assert (row.width, row.height) == (61.0, 92.0)
    assert mat.tray.y >= row.y + row.height
    assert mat.tray.y + mat.tray.height <= min(marker.rect.y for marker in mat.markers[2:4])
    with pytest.raises(ValueError, match="the sheet is 420 x 297 mm"):
        grid_mat("dice", ("A", "B"), 5, card_size=(57.0, 88.0), turning=False, tray=(180.0, 90.0))


def test_a_mat_may_be_for_dice_alone() -> None:
    mat = grid_mat("dice", (), 0, tray=(180.0, 120.0))
    assert mat.slots == ()
    assert mat.tray is not None
    assert mat.tray.centre == (210.0, 148.5)


def test_a_tray_that_finds_no_room_below_lies_beside_the_grid() -> None:
    mat = grid_mat("dice", ("A", "B", "C"), 5, card_size=(44.0, 67.0), turning=False, tray=(110.0, 200.0))
    assert mat.tray is not None
    assert mat.tray.x >= max(slot.rect.x + slot.rect.width for slot in mat.slots)
    assert mat.tray.x + mat.tray.width <= mat.width
    assert min(slot.rect.x for slot in mat.slots) >= 0
