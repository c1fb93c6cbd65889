import numpy as np
import pytest

from tests.vision.table_stage import MAT, Stage, face
from vision.plane import plane_from_markers
from vision.slots import EMPTY_SHARE, changed_share, changes, look, print_share


def view_of(stage):
    picture = stage.frame().picture
    return look(MAT, plane_from_markers(MAT, picture), picture)


def changed_slots(before, now):
    mask = changes(before, now)
    return {slot.key for slot in MAT.slots if changed_share(mask, slot.rect, 3.0) > 0.05}


def test_every_slot_of_the_bare_mat_is_empty_and_every_card_is_not():
    stage = Stage()
    stage.put("B2", face(1))
    stage.put("R3", face(2), turn=1)
    stage.put("A5", face(3), turn=0.2)
    view = view_of(stage)
    full = {slot.key for slot in MAT.slots if print_share(view, slot.rect) > 3 * EMPTY_SHARE}
    empty = {slot.key for slot in MAT.slots if print_share(view, slot.rect) < EMPTY_SHARE}
    assert full == {"B2", "R3", "A5"}
    assert full | empty == {slot.key for slot in MAT.slots}


@pytest.mark.parametrize("light", [0.35, 0.6, 1.1])
def test_an_empty_slot_stays_empty_in_dim_and_bright_light(light):
    stage = Stage()
    stage.light = light
    view = view_of(stage)
    assert all(print_share(view, slot.rect) < EMPTY_SHARE for slot in MAT.slots)


def test_a_hard_shadow_across_empty_slots_is_no_card():
    stage = Stage()
    stage.shadow = (1.0, 0.4, 0.05)
    view = view_of(stage)
    assert all(print_share(view, slot.rect) < EMPTY_SHARE for slot in MAT.slots)


def test_only_the_slot_with_the_new_card_has_changed():
    stage = Stage()
    stage.put("B1", face(1))
    before = view_of(stage)
    stage.put("A3", face(2))
    assert changed_slots(before, view_of(stage)) == {"A3"}


def test_a_turned_card_has_changed():
    stage = Stage()
    stage.put("A3", face(2))
    before = view_of(stage)
    stage.put("A3", face(2), turn=1)
    assert changed_slots(before, view_of(stage)) == {"A3"}


def test_noise_and_a_dimmer_lamp_and_a_warmer_lamp_change_no_slot():
    stage = Stage()
    for number, slot in enumerate(MAT.slots[:9]):
        stage.put(slot.key, face(number), number % 4)
    before = view_of(stage)
    stage.light = 0.7
    assert changed_slots(before, view_of(stage)) == set()
    picture = stage.frame().picture.astype(np.float32) * (0.85, 1.0, 1.08)
    warmer = np.clip(picture, 0, 255).astype(np.uint8)
    assert changed_slots(before, look(MAT, plane_from_markers(MAT, warmer), warmer)) == set()


def test_a_bump_of_the_camera_changes_no_slot_once_the_plane_is_found_again():
    stage = Stage()
    for number, slot in enumerate(MAT.slots):
        stage.put(slot.key, face(number), number % 4)
    before = view_of(stage)
    stage.shift = (31.0, 9.0)
    assert changed_slots(before, view_of(stage)) == set()
