import threading
from itertools import pairwise

import numpy as np
import pytest

from companion.table.observation import Scene
from companion.table.ports import Witness
from tests.vision.table_stage import MAT, Stage, face
from vision.deck import Deck
from vision.frame import Frame
from vision.sources import SourceState
from vision.table_reader import TableReader
from vision.witness import CameraWitness


class StagedCamera:
    """A source whose pictures the test puts in; nothing moves by itself."""

    name = "the staged camera"

    def __init__(self):
        self.frame, self.said, self.locked = None, SourceState("ok"), False
        self.running, self._looks, self._looked = False, 0, threading.Condition()

    def start(self):
        self.running = True

    def stop(self):
        self.running = False

    def latest(self):
        with self._looked:
            self._looks += 1
            self._looked.notify_all()
            return self.frame

    def show(self, frame):
        """Put a picture in; return when the witness has done with it whatever it does."""
        self.frame = frame
        self.wait_for_looks(2)

    def wait_for_looks(self, looks):
        with self._looked:
            end = self._looks + looks
            assert self._looked.wait_for(lambda: self._looks >= end, 100.0), "nobody looks"

    def state(self):
        return self.said

    def lock_light(self):
        self.locked = True

    def unlock_light(self):
        self.locked = False


class Heard:
    """Everything that the witness has observed, and a way to wait for it."""

    def __init__(self):
        self.scenes, self._came = [], threading.Condition()

    def __call__(self, scene):
        with self._came:
            self.scenes.append(scene)
            self._came.notify_all()

    def until(self, holds, seconds=100.0):
        with self._came:
            assert self._came.wait_for(lambda: self.scenes and holds(self.scenes[-1]), seconds), self.scenes[-1:]
            return self.scenes[-1]


@pytest.fixture(scope="module")
def deck():
    return Deck.from_faces({f"card-{number}": face(number) for number in range(4)})


@pytest.fixture
def watched(deck):
    camera, heard, stage = StagedCamera(), Heard(), Stage()
    # Time stands still, so that no slow machine is taken for a camera without pictures.
    witness = CameraWitness(camera, TableReader(MAT, deck, witness="camera above"), clock=lambda: 100.0)
    witness.camera, witness.heard, witness.stage = camera, heard, stage

    def show(frames=1):
        for _ in range(frames):
            camera.show(stage.frame())

    witness.show = show
    yield witness
    witness.stop()


def test_the_witness_speaks_the_table_port(watched):
    assert isinstance(watched, Witness)
    assert watched.name == "camera above"


def test_a_card_laid_on_the_table_becomes_a_steady_scene_that_names_it(watched):
    watched.stage.put("A1", face(2), 1)
    watched.start(watched.heard)
    watched.show(9)
    scene = watched.heard.until(lambda scene: scene.steady)
    assert scene.witness == "camera above"
    assert (scene.by_slot["A1"].piece, scene.by_slot["A1"].turn) == ("card-2", 1)
    assert watched.health().state == "ok"


def test_the_light_is_locked_once_the_table_has_been_seen_at_rest(watched):
    watched.start(watched.heard)
    watched.show(2)
    assert not watched.camera.locked
    watched.show(8)
    watched.heard.until(lambda scene: scene.steady)
    assert watched.camera.locked


def test_an_exposure_by_which_nothing_can_be_read_is_let_go_and_locked_again(watched):
    watched.start(watched.heard)
    watched.show(10)
    assert watched.camera.locked
    watched.stage.light = 0.16
    watched.show(14)
    assert not watched.camera.locked, "the lamp went out"
    watched.stage.light = 0.9
    watched.show(22)
    assert watched.camera.locked


def test_a_lamp_that_only_dims_leaves_the_exposure_locked(watched):
    watched.start(watched.heard)
    watched.show(10)
    watched.stage.light = 0.6
    watched.show(14)
    assert watched.camera.locked


def test_scenes_that_say_the_same_are_not_repeated_within_the_second(deck):
    now = [100.0]
    camera, heard, stage = StagedCamera(), Heard(), Stage()
    witness = CameraWitness(camera, TableReader(MAT, deck), clock=lambda: now[0])
    witness.start(heard)
    try:
        for number in range(14):
            if number == 13:
                now[0] += 1.0
                before = len(heard.scenes)
            frame = stage.frame()
            camera.show(frame)
        heard.until(lambda scene: scene.at == frame.at)
        assert len(heard.scenes) == before + 1
        gists = [(s.steady, tuple(x.seen for x in s.sightings)) for s in heard.scenes[:before]]
        assert all(a != b for a, b in pairwise(gists))
    finally:
        witness.stop()


def test_a_camera_without_pictures_is_reported_in_its_own_words(deck):
    now = [100.0]
    camera, heard = StagedCamera(), Heard()
    camera.said = SourceState("unplugged", "the camera was unplugged; plug it in again")
    witness = CameraWitness(camera, TableReader(MAT, deck), clock=lambda: now[0])
    witness.start(heard)
    try:
        camera.wait_for_looks(1)
        now[0] += 1.5
        scene = heard.until(lambda scene: True)
        assert scene.problem == "the camera was unplugged; plug it in again"
        assert not scene.steady
        assert {s.seen for s in scene.sightings} == {"hidden"}
        assert witness.health().state == "failed"
        assert witness.health().says == "the camera was unplugged; plug it in again"
    finally:
        witness.stop()


def test_a_picture_without_a_mat_makes_the_witness_unsure_and_says_why(watched):
    watched.start(watched.heard)
    watched.camera.frame = Frame(np.full((720, 1280, 3), 90, np.uint8), "stage", 1.0, 0)
    scene = watched.heard.until(lambda scene: bool(scene.problem))
    assert "no mat was found" in scene.problem
    assert watched.health().state == "unsure"
    assert "no mat was found" in watched.health().says


def test_stopping_gives_the_camera_back_and_may_be_done_twice(watched):
    watched.start(watched.heard)
    assert watched.camera.running
    watched.stop()
    watched.stop()
    assert not watched.camera.running
    assert watched.health().state == "off"
    assert not [thread for thread in threading.enumerate() if thread.name == "witness camera above"]


def test_every_scene_fits_the_observation_record(watched):
    watched.start(watched.heard)
    watched.show(2)
    watched.heard.until(lambda scene: len(scene.sightings) == 15)
    assert all(isinstance(scene, Scene) for scene in watched.heard.scenes)


def test_a_table_at_rest_is_read_ten_times_a_second_and_a_moving_one_every_picture(deck):
    read = []

    class Counting(TableReader):
        def read(self, frame):
            read.append(frame.number)
            return super().read(frame)

    camera, heard, stage = StagedCamera(), Heard(), Stage()
    witness = CameraWitness(camera, Counting(MAT, deck), clock=lambda: 100.0)

    def show(after):
        frame = stage.frame(after)
        camera.show(frame)
        return frame.number

    witness.start(heard)
    try:
        while not (heard.scenes and heard.scenes[-1].steady):
            number = show(0.1)
        assert read == list(range(number + 1))
        skipped = [show(0.04), show(0.04)]
        taken = show(0.04)
        assert read[-1] == taken
        assert not set(skipped) & set(read)
        stage.put("A1", face(1))
        noticed = [show(0.1), show(0.04), show(0.04)]
        assert read[-3:] == noticed
    finally:
        witness.stop()
