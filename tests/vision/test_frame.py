import numpy as np
import pytest

from vision.frame import Frame


def test_a_frame_knows_its_width_and_height():
    assert Frame(np.zeros((720, 1280, 3), np.uint8), "usb", 1.5, 0).size == (1280, 720)


@pytest.mark.parametrize(
    ("picture", "found"),
    [
        (np.zeros((720, 1280), np.uint8), r"\(720, 1280\)"),
        (np.zeros((720, 1280, 4), np.uint8), r"\(720, 1280, 4\)"),
        (np.zeros((720, 1280, 3), np.float32), "float32"),
        (np.zeros((3, 1280, 3), np.uint8), "1280 x 3"),
    ],
)
def test_what_is_no_colour_picture_is_refused_with_what_was_found(picture, found):
    with pytest.raises(ValueError, match=found):
        Frame(picture, "usb", 0.0, 0)


def test_a_negative_frame_number_is_refused():
    with pytest.raises(ValueError, match="-1"):
        Frame(np.zeros((72, 128, 3), np.uint8), "usb", 0.0, -1)
