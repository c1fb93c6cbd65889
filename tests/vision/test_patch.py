"""The grey patch: light and table told apart, on photographed mats."""

import pytest

from tests.vision.table_stage import MAT, Stage
from vision.patch import LightWatch, look_at_patch
from vision.plane import plane_from_markers


@pytest.fixture
def watched():
    stage = Stage()
    plane = plane_from_markers(MAT, stage.frame().picture)
    watch = LightWatch()

    def judge():
        return watch.judge(look_at_patch(MAT, plane, stage.frame().picture))

    assert judge() == "as before"
    stage.judge = judge
    return stage


def test_the_patch_is_half_as_bright_as_the_paper():
    stage = Stage()
    look = look_at_patch(MAT, plane_from_markers(MAT, stage.frame().picture), stage.frame().picture)
    assert look.patch / look.paper == pytest.approx(128 / 236, abs=0.04)


def test_the_same_light_is_as_before_and_another_one_has_drifted(watched):
    assert watched.judge() == "as before"
    watched.light = 0.7
    assert watched.judge() == "drifted"
    watched.light = 1.0
    assert watched.judge() == "as before"


def test_a_shadow_over_patch_and_paper_is_light(watched):
    watched.shadow = (-1.0, 0.0, -0.5)
    assert watched.judge() in ("as before", "drifted")


def test_something_over_the_patch_alone_is_no_change_of_light(watched):
    patch = MAT.patch
    watched.cover(patch.x, patch.y, patch.width, patch.height, (30, 30, 160))
    assert watched.judge() == "covered"


@pytest.mark.parametrize("light", [0.15, 1.6])
def test_what_is_lost_in_the_dark_or_blown_out_needs_another_exposure(watched, light):
    watched.light = light
    assert watched.judge() == "unusable"


def test_a_first_look_in_the_dark_is_no_reference():
    stage, watch = Stage(), LightWatch()
    plane = plane_from_markers(MAT, stage.frame().picture)
    stage.light = 0.1
    assert watch.judge(look_at_patch(MAT, plane, stage.frame().picture)) == "unusable"
    assert watch.reference is None
