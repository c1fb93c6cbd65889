from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from companion.simulated.dice_makes import COLOURS, pip_die
from companion.simulated.dice_scenes import Lying, TrayCamera
from companion.table.observation import DiceSeen, Observation
from vision.dice.read import DiceReader
from vision.dice.tray import TrayReader, fixed_tray
from vision.dice.witness import DiceWitness
from vision.frame import Frame, Picture
from vision.sources.source import SourceState

MAKES = [pip_die(), pip_die(COLOURS["red"], (240.0, 240.0, 240.0)), pip_die(COLOURS["yellow"], (30.0, 30.0, 30.0))]
STEP = 0.2


@pytest.fixture(scope="module")
def dice_reader() -> DiceReader:
    return DiceReader()


class Evening:
    """A tray, its reader, and a clock that runs on with every picture."""

    def __init__(self, reader: DiceReader, expected: int | None = 3, seed: int = 2) -> None:
        self.camera = TrayCamera(MAKES, seed)
        self.reader = TrayReader(fixed_tray(self.camera.tray), reader, expected=expected)
        self.heard: list[DiceSeen] = []
        self.number = 0

    def show(self, picture: Picture) -> None:
        seen = self.reader.read(Frame(picture, "tray", self.number * STEP, self.number))
        self.number += 1
        if seen is not None:
            self.heard.append(seen)

    def rest(self, seconds: float = 1.2) -> None:
        for _ in range(round(seconds / STEP)):
            self.show(self.camera.picture())

    def roll(self, *faces: str, only: list[int] | None = None) -> None:
        for _ in range(2):
            self.show(TrayCamera(MAKES, self.number).tumbling(["1", "2", "3"]))
        self.camera.throw(faces, only)
        self.rest()

    @property
    def rolls(self) -> list[tuple[str, ...]]:
        return [tuple(sorted(seen.faces)) for seen in self.heard if seen.faces]

    @property
    def problems(self) -> list[str]:
        return [seen.problem for seen in self.heard if seen.problem]


@pytest.fixture
def evening(dice_reader: DiceReader) -> Evening:
    evening = Evening(dice_reader)
    evening.rest()
    return evening


def test_a_throw_is_reported_once_after_it_came_to_rest(evening: Evening) -> None:
    assert evening.heard == []
    evening.roll("2", "6", "3")
    evening.rest(2.0)
    assert evening.rolls == [("2", "3", "6")]
    assert evening.heard[-1].evidence
    assert evening.heard[-1].confidence > 0.5


def test_the_same_faces_at_other_places_are_another_throw(evening: Evening) -> None:
    evening.roll("2", "6", "3")
    evening.roll("2", "6", "3")
    assert evening.rolls == [("2", "3", "6")] * 2


def test_some_dice_thrown_again_make_a_throw_of_all(evening: Evening) -> None:
    evening.roll("1", "5", "4")
    evening.roll("2", only=[0])
    assert evening.rolls == [("1", "4", "5"), ("2", "4", "5")]


def test_what_lay_in_the_tray_before_anybody_looked_is_no_throw(dice_reader: DiceReader) -> None:
    evening = Evening(dice_reader)
    evening.camera.throw(["1", "2", "3"])
    evening.rest(2.0)
    assert evening.heard == []


def test_a_die_held_over_the_tray_is_no_throw(evening: Evening) -> None:
    evening.roll("1", "5", "4")
    x, y = evening.camera.tray.mean(axis=0)
    for _ in range(8):
        evening.show(evening.camera.picture(hand=np.array((x, y)), held=(0, "6")))
    evening.rest()
    assert evening.rolls == [("1", "4", "5")]


def test_dice_taken_out_are_no_throw(evening: Evening) -> None:
    evening.roll("1", "5", "4")
    evening.camera.take([0])
    evening.rest(1.0)
    evening.camera.take([1, 2])
    evening.rest(1.0)
    assert evening.rolls == [("1", "4", "5")]
    assert evening.problems == []


def test_a_missing_die_is_said_after_a_while_and_forgotten_when_it_is_there(evening: Evening) -> None:
    evening.roll("1", "5", only=[0, 1])
    evening.rest(3.0)
    assert evening.rolls == []
    assert [says[:47] for says in evening.problems] == ["2 dice lie in the tray and 3 were expected: loo"]
    evening.roll("2", "3", "6")
    assert evening.rolls == [("2", "3", "6")]


def test_a_die_half_out_of_the_tray_does_not_count_and_is_named(evening: Evening) -> None:
    evening.roll("1", "5", only=[0, 1])
    (left, top), _, (_, bottom), _ = evening.camera.tray
    evening.show(TrayCamera(MAKES, 99).tumbling(["1", "2", "3"]))
    evening.camera.lay_at(2, Lying("4", left + 2.0, (top + bottom) / 2, 10.0))
    evening.rest(3.0)
    assert evening.rolls == []
    assert len(evening.problems) == 1


def test_rows_are_read_from_the_tray_s_own_top(dice_reader: DiceReader) -> None:
    camera = TrayCamera(MAKES, 5)
    (left, top), _, (right, bottom), _ = camera.tray
    for number, (across, down) in enumerate(((0.2, 0.2), (0.8, 0.25), (0.5, 0.8))):
        place = (left + across * (right - left), top + down * (bottom - top))
        camera.lay_at(number, Lying(str(number + 1), *place, turn=30.0))
    for first, order in ((0, ("1", "2", "3")), (2, ("3", "2", "1"))):
        corners = np.roll(camera.tray, -first, axis=0)
        reader = TrayReader(fixed_tray(corners), dice_reader)
        for number, picture in enumerate([TrayCamera([], 5).picture()] * 6 + [camera.picture() for _ in range(6)]):
            if (seen := reader.read(Frame(picture, "tray", number * STEP, number))) is not None:
                assert seen.faces == order


class _Pictures:
    """A source that plays a list of pictures at a fifth of a second each, as fast as they are asked for."""

    name = "tray camera"

    def __init__(self, pictures: Iterator[Picture]) -> None:
        self._pictures, self._number = pictures, 0
        self._frame: Frame | None = None
        self.ended = threading.Event()

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def latest(self) -> Frame | None:
        picture = next(self._pictures, None)
        if picture is None:
            self.ended.set()
        else:
            self._frame = Frame(picture, self.name, self._number * STEP, self._number)
            self._number += 1
        return self._frame

    def state(self) -> SourceState:
        return SourceState("ok")


def test_the_witness_reports_throws_from_its_own_thread(dice_reader: DiceReader) -> None:
    camera = TrayCamera(MAKES, 2)

    def pictures() -> Iterator[Picture]:
        yield from (camera.picture() for _ in range(4))
        camera.throw(["6", "1", "2"])
        yield from (camera.picture() for _ in range(8))

    source = _Pictures(pictures())
    witness = DiceWitness(source, TrayReader(fixed_tray(camera.tray), dice_reader, expected=3))
    assert witness.health().state == "off"
    heard: list[Observation] = []
    witness.start(heard.append)
    assert source.ended.wait(250)
    assert witness.health().state == "ok"
    witness.stop()
    witness.stop()
    assert [sorted(seen.faces) for seen in heard if isinstance(seen, DiceSeen)] == [["1", "2", "6"]]
