import numpy as np
import pytest

from tests.vision.table_stage import MAT, Stage, face
from vision.annotate import AMBER, WHITE, annotate_readings, annotate_scene
from vision.deck import Deck
from vision.detections import CardReading
from vision.table_reader import TableReader


@pytest.fixture(scope="module")
def deck():
    return Deck.from_faces({f"card-{number}": face(number) for number in range(4)})


def strokes(before, after, colour, rect):
    """Count the pixels of exactly this colour that were drawn inside a rectangle of the picture."""
    left, top, right, bottom = (round(value) for value in rect)
    new = np.all(after == np.array(colour[::-1]), axis=2) & np.any(after != before, axis=2)
    return int(np.count_nonzero(new[top:bottom, left:right]))


def around(stage, slot):
    corners = stage.to_picture(MAT.slot(slot).rect.corners)
    return (*(corners.min(axis=0) - 12), *(corners.max(axis=0) + 12))


def test_known_cards_are_white_and_doubtful_ones_amber(deck):
    stage, reader = Stage(), TableReader(MAT, deck)
    stage.put("A1", face(1))
    stage.put("B4", face(77))
    stage.put("R3", face(2), turn=0.48)
    frame = stage.frame()
    reader.read_still(frame)
    drawn = annotate_scene(frame.picture, reader.last, MAT)
    for slot, colour, other in (("A1", WHITE, AMBER), ("B4", AMBER, WHITE), ("R3", AMBER, WHITE)):
        place = around(stage, slot)
        assert strokes(frame.picture, drawn, colour, place) > 200
        assert strokes(frame.picture, drawn, other, place) < 20
    assert strokes(frame.picture, drawn, WHITE, around(stage, "B1")) == 0


def test_the_arrow_points_to_the_printed_top(deck):
    reader = TableReader(MAT, deck)
    for turn, side in enumerate([(0, -1), (1, 0), (0, 1), (-1, 0)]):
        stage = Stage()
        stage.put("R3", face(1), turn)
        frame = stage.frame()
        reader.read_still(frame)
        drawn = annotate_scene(frame.picture, reader.last, MAT)
        x, y = stage.to_picture([MAT.slot("R3").rect.centre])[0]
        counts = {}
        for dx, dy in [(0, -1), (1, 0), (0, 1), (-1, 0)]:
            u, v = x + 40 * dx, y + 40 * dy
            counts[dx, dy] = strokes(frame.picture, drawn, WHITE, (u - 16, v - 16, u + 16, v + 16))
        assert max(counts, key=counts.get) == side


def test_the_picture_given_is_not_changed_and_a_problem_is_written_on_top(deck):
    reader = TableReader(MAT, deck)
    stage = Stage()
    frame = stage.frame()
    wall = np.full_like(frame.picture, 120)
    reader.read_still(type(frame)(wall, "stage", 0.0, 0))
    drawn = annotate_scene(wall, reader.last, MAT)
    assert np.all(wall == 120)
    assert strokes(wall, drawn, AMBER, (0, 0, 1280, 30)) > 100
    assert np.all(drawn[60:] == 120)


def test_free_readings_are_drawn_with_percent_only_when_unsure():
    picture = np.full((240, 320, 3), 60, np.uint8)
    corners = np.array([(40, 40), (140, 40), (140, 180), (40, 180)], float)
    sure = CardReading("ace", "known", 0.97, 0.0, 0, corners)
    unsure = CardReading("ace", "unsure", 0.41, 0.0, 0, corners + np.array((140, 0)))
    drawn = annotate_readings(picture, [sure, unsure])
    assert strokes(picture, drawn, WHITE, (30, 30, 150, 190)) > 100
    assert strokes(picture, drawn, AMBER, (170, 30, 300, 190)) > 100
    only_name = annotate_readings(picture, [CardReading("ace", "known", 0.5, 0.0, 0, corners)])
    assert np.array_equal(only_name[30:190, 30:150], drawn[30:190, 30:150])
