"""What the devices keep while no game is open, and hand to the next one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.desk.devices import Devices
from companion.presenters.models import LiveModel
from companion.table.observation import DiceSeen, MarkersSeen, Observation
from hardware.assembly import Electronics
from tests.desk.parts import Oracle, Screen, TestRoom, wait_until


class Kept(Oracle):
    """A witness that keeps what it saw until the table is done with it."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[Observation] = []

    def settled(self, observation: Observation) -> None:
        self.done.append(observation)


class KeeperRoom(TestRoom):
    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.oracle = self.keeper = Kept()
        self._devices = Electronics((self.keeper,), (self.lamps,))


@pytest.fixture
def started(tmp_path: Path) -> Callable[[Callable[[Observation], bool]], tuple[Devices, Kept]]:
    def start(observe: Callable[[Observation], bool]) -> tuple[Devices, Kept]:
        room = KeeperRoom(tmp_path)
        return Devices(room, observe), room.keeper

    return start


def test_what_nobody_is_concerned_by_is_settled_at_once(
    started: Callable[[Callable[[Observation], bool]], tuple[Devices, Kept]],
) -> None:
    heard: list[Observation] = []
    devices, keeper = started(lambda seen: heard.append(seen) is not None)
    roll = DiceSeen("oracle", 1.0, ("3",), evidence="event 1")
    keeper.observe(roll)
    assert heard == keeper.done == [roll]
    devices.stop()


def test_what_a_game_was_handed_is_left_to_it(
    started: Callable[[Callable[[Observation], bool]], tuple[Devices, Kept]],
) -> None:
    devices, keeper = started(lambda seen: True)
    keeper.observe(DiceSeen("oracle", 1.0, ("3",), evidence="event 1"))
    assert keeper.done == []
    assert devices.keepers == (keeper,)
    devices.stop()


def test_a_game_that_opens_later_hears_how_the_markers_lie_and_compares(
    started: Callable[[Callable[[Observation], bool]], tuple[Devices, Kept]],
) -> None:
    devices, keeper = started(lambda seen: False)
    assert devices.lying() == ()
    keeper.observe(MarkersSeen("oracle", 1.0, ("A", "B")))
    keeper.observe(MarkersSeen("oracle", 2.0, ("A", ""), settled=False))
    assert devices.lying() == (MarkersSeen("oracle", 1.0, ("A", "B"), after_gap=True),)
    devices.stop()


def test_an_open_game_settles_what_its_keeper_reports(tmp_path: Path, sit: Callable[[TestRoom], Screen]) -> None:
    room = KeeperRoom(tmp_path)
    screen = sit(room)
    screen.begin()
    roll = DiceSeen("oracle", 1.0, ("3", "5"), evidence="event 1")
    room.keeper.observe(roll)
    wait_until(lambda: room.keeper.done == [roll])
    screen.wait(LiveModel, lambda live: live.feed and live.feed[0].source == "dice")
