"""What disturbs a camera during a simulated game: it is seen, it is over in the end, and it leaves the game alone."""

import random
from itertools import pairwise

import numpy as np
import pytest

from companion.print.mat import draw_mat
from companion.simulated.gestures import Handle, Turnabout, Withdraw
from companion.simulated.lying import Laid
from companion.simulated.optics import Camera
from companion.simulated.rig import Disturbance, Rig
from companion.simulated.surroundings import AS_IT_BEGAN, Glint, Shade, Surroundings, Thing
from companion.simulated.trouble import Trouble, Troubles
from companion.simulated.world import World
from companion.table.mat import grid_mat

MAT = grid_mat("allies", ("B", "R", "A"), 5)
FLAT = draw_mat(MAT, 5.2)
CLEAN = Disturbance(glare_probability=(0.0, 0.0), noise=(0.0, 0.0), flicker=(0.0, 0.0), drift=(0.0, 0.0))
FACES = {"blue": np.full((330, 330, 3), (200, 60, 30), np.uint8)}
LYING = {**{slot.key: None for slot in MAT.slots}, "R3": Laid("blue", 0)}
X, Y = MAT.slot("R3").rect.centre


@pytest.fixture(scope="module")
def camera():
    return Camera(MAT, FLAT, FACES, 1, Rig(), CLEAN)


def picture(camera, around):
    camera.surround(around)
    return camera.picture(LYING, 0.0).astype(int)


def at(camera, shown, x, y):
    px, py = camera.lens.to_pixels(np.array([[x, y]]))[0]
    return shown[round(py) - 2 : round(py) + 3, round(px) - 2 : round(px) + 3].reshape(-1, 3).mean(axis=0)


def test_a_lamp_that_is_switched_off_darkens_and_a_warm_one_reddens_everything(camera):
    calm, dark = picture(camera, AS_IT_BEGAN), picture(camera, Surroundings(level=0.5))
    assert dark.mean() == pytest.approx(calm.mean() / 2, rel=0.05)
    warm = picture(camera, Surroundings(warmth=0.1))
    assert warm[..., 2].mean() > calm[..., 2].mean() + 2
    assert warm[..., 0].mean() < calm[..., 0].mean() - 2


def test_a_shadow_darkens_its_side_only(camera):
    calm = picture(camera, AS_IT_BEGAN)
    shaded = picture(camera, Surroundings(shade=Shade(X, Y, 0.0, 0.4)))
    assert at(camera, shaded, X + 100, 275).sum() < 0.7 * at(camera, calm, X + 100, 275).sum()
    assert at(camera, shaded, X - 100, 275).sum() == pytest.approx(at(camera, calm, X - 100, 275).sum(), rel=0.02)


def test_a_mirrored_lamp_is_blown_out_in_its_middle(camera):
    assert at(camera, picture(camera, Surroundings(glints=(Glint(X, Y, 6.0),))), X, Y).min() > 190


def test_a_lens_out_of_focus_loses_its_edges(camera):
    calm, blurred = picture(camera, AS_IT_BEGAN), picture(camera, Surroundings(blur=2.0))
    assert np.abs(np.diff(blurred, axis=1)).max() < 0.7 * np.abs(np.diff(calm, axis=1)).max()


def test_a_mat_that_slid_takes_its_cards_along_and_leaves_the_table(camera):
    calm, slid = picture(camera, AS_IT_BEGAN), picture(camera, Surroundings(slide=(20.0, -8.0, 0.0)))
    edge = 63.0 / 2 - 3.0
    assert at(camera, slid, X + edge + 18, Y - 8)[0] > 100
    assert at(camera, slid, X + edge + 18, Y - 8)[2] < 100
    assert at(camera, slid, X - edge - 2, Y)[2] > 150
    assert np.array_equal(calm[:, :40], slid[:, :40])


@pytest.mark.parametrize("kind", ["die", "cup", "sheet", "page", "pencil", "coin", "finger"])
def test_whatever_is_put_down_is_seen_where_it_lies_and_gone_when_it_is_taken(camera, kind):
    calm = picture(camera, AS_IT_BEGAN)
    covered = picture(camera, Surroundings(things=(Thing(kind, X, Y, 30.0, 15.0, 3),)))
    assert np.abs(at(camera, covered, X, Y) - at(camera, calm, X, Y)).max() > 30
    far = at(camera, covered, 20 + 63, 160) - at(camera, calm, 20 + 63, 160)
    assert np.abs(far).max() < 2
    assert np.array_equal(picture(camera, AS_IT_BEGAN), calm)


def test_light_that_takes_its_time_is_half_way_after_half_of_it():
    half = AS_IT_BEGAN.towards(Surroundings(level=0.5, warmth=0.1), 0.5)
    assert (half.level, half.warmth) == (0.75, 0.05)


def amid(box, seed, share=1.0, rests=60):
    world = World(box, random.Random(1))
    world.draw(0, 3)
    world.lay(0, world.seats[0].hand[0], "A1")
    trouble = Trouble(world, MAT, random.Random(seed), Troubles(share=share))
    before = world.slots["A1"].card
    gestures = list(trouble.amid(Withdraw(1.0) for _ in range(rests)))
    assert world.slots["A1"].card == before
    assert world.slots["A1"].turn == 0
    return trouble, gestures


def test_the_same_seed_brings_the_same_troubles_and_all_kinds_come(box):
    one, first = amid(box, 5)
    again, second = amid(box, 5)
    assert first == second
    assert one.happened == again.happened
    assert len(one.happened) == 18
    assert first != amid(box, 6)[1]


def test_no_trouble_is_no_trouble(box):
    trouble, gestures = amid(box, 5, share=0.0)
    assert trouble.happened == {}
    assert all(isinstance(gesture, Withdraw) for gesture in gestures)


def test_things_are_taken_away_before_the_game_goes_on(box):
    _, gestures = amid(box, 7)
    last = AS_IT_BEGAN
    for before, gesture in pairwise(gestures):
        if isinstance(gesture, Turnabout | Handle):
            last = gesture.now
        if gesture == Withdraw(1.0) and isinstance(before, Withdraw):
            assert last.things == ()
