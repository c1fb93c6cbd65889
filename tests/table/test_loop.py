"""The table's one thread: nothing that counts is skipped, nobody's fault silences it."""

from __future__ import annotations

import threading

import pytest

from companion.table.loop import TABLE, Loop, without_overtaken
from companion.table.observation import DiceSeen, Observation, Press, Scene
from companion.table.ports import Health, Observe, Signal
from companion.table.session import Session

from .evenings import Table, card, dealt, full, table, without_diamond


def scene(number: float, steady: bool = True, witness: str = "camera") -> Scene:
    return Scene(witness, number, (), steady)


PRESS = Press("buttons", 0.0, 0, "done")
DICE = DiceSeen("tray", 0.0, ("1", "2"))


@pytest.mark.parametrize(
    ("waiting", "left"),
    [
        ([scene(1), scene(2), scene(3)], [scene(3)]),
        ([scene(1), PRESS, scene(2)], [scene(1), PRESS, scene(2)]),
        ([scene(1), scene(2), PRESS, DICE, scene(3), scene(4)], [scene(2), PRESS, DICE, scene(4)]),
        ([scene(1), scene(2, False), scene(3, False)], [scene(1), scene(3, False)]),
        ([scene(1, False), scene(2, False), scene(3)], [scene(3)]),
        ([scene(1), scene(2, witness="other"), scene(3)], [scene(2, witness="other"), scene(3)]),
        ([PRESS, PRESS], [PRESS, PRESS]),
    ],
)
def test_only_scenes_are_overtaken_and_only_by_later_ones(waiting: list[Observation], left: list[Observation]) -> None:
    assert list(without_overtaken(waiting)) == left


class Lamp:
    """A marker that remembers what it was shown, and can be broken."""

    def __init__(self, name: str = "lamp", broken: bool = False) -> None:
        self.name, self.broken = name, broken
        self.shown: list[Signal] = []
        self.stopped = 0

    def show(self, signal: Signal) -> None:
        if self.broken:
            raise OSError("the lamp has come off")
        self.shown.append(signal)

    def stop(self) -> None:
        self.stopped += 1

    def health(self) -> Health:
        return Health("ok")


class Watcher:
    """A witness that says what it is told to say, from a thread of its own."""

    def __init__(self, name: str = "watcher", broken: bool = False) -> None:
        self.name, self.broken = name, broken
        self.observe: Observe | None = None
        self.stopped = 0

    def start(self, observe: Observe) -> None:
        if self.broken:
            raise OSError("there is no camera")
        self.observe = observe

    def say(self, *observations: Observation) -> None:
        assert self.observe is not None
        for observation in observations:
            thread = threading.Thread(target=self.observe, args=(observation,))
            thread.start()
            thread.join()

    def stop(self) -> None:
        self.stopped += 1

    def health(self) -> Health:
        return Health("ok")


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What was reported on standard error."""
    caught: list[BaseException] = []
    monkeypatch.setattr(threading, "excepthook", lambda said: caught.append(said.exc_value))
    return caught


@pytest.fixture
def evening() -> Table:
    return full()


def test_a_press_right_behind_the_last_card_is_not_overtaken_by_it() -> None:
    """The card's scene, the press and a further scene wait together while the table's thread is busy."""
    evening = dealt()
    for column in range(1, 6):
        evening.see(**{f"A{column}": card(f"A{column}", without_diamond("yeti")[column - 1])})
        if column < 5:
            evening.see(**{f"B{column}": card(f"B{column}", without_diamond("golem")[column - 1])})
    evening.lies["B5"] = card("B5", without_diamond("golem")[4])
    witness = Watcher()
    loop = Loop(evening.session, [witness])
    busy, free = threading.Event(), threading.Event()

    def dawdle(session: Session) -> None:
        busy.set()
        free.wait(10)

    loop.ask(dawdle)
    loop.start()
    assert busy.wait(10)
    last = evening.scene()
    witness.say(last, Press("buttons", 1.0, 1, "done"), last)
    free.set()
    loop.stop()
    assert [done.answer.to for done in evening.session.done[-2:]] == ["play", "fight"]


def test_stopping_finishes_what_waits_and_stops_everybody(evening: Table) -> None:
    witness, lamp = Watcher(), Lamp()
    loop = Loop(evening.session, [witness], [lamp])
    loop.start()
    witness.say(Press("buttons", 0.0, 0, "undo"), Press("buttons", 0.0, 0, "undo"))
    loop.stop()
    loop.stop()
    assert len(evening.session.entries) == 17
    assert (witness.stopped, lamp.stopped) == (2, 2)


def test_markers_are_told_when_the_signal_changes_and_only_then(evening: Table) -> None:
    lamp = Lamp()
    loop = Loop(evening.session, [], [lamp])
    loop.step(lambda session: None)
    loop.step(lambda session: None)
    assert lamp.shown == [Signal(turn=None)]
    loop.step(Press("buttons", 0.0, 0, "undo"))
    assert lamp.shown[-1].turn == 1
    assert len(lamp.shown) == 2


def test_a_listener_that_fails_is_reported_and_the_table_goes_on(evening: Table, faults: list[BaseException]) -> None:
    told: list[int] = []

    def changed(session: Session) -> None:
        told.append(len(session.done))
        if len(told) == 1:
            raise RuntimeError("the screen is gone")

    lamp = Lamp()
    loop = Loop(evening.session, [], [Lamp("loose", broken=True), lamp], changed)
    loop.start()
    loop.observe(Press("buttons", 0.0, 0, "undo"))
    loop.stop()
    assert told == [15, 14]
    assert len(lamp.shown) == 2
    assert "the screen is gone" in [str(fault) for fault in faults]
    health = loop.health()[TABLE]
    assert health.state == "failed"
    assert "please report it" in health.says


def test_a_job_that_fails_does_not_stop_the_next_one(evening: Table, faults: list[BaseException]) -> None:
    loop = Loop(evening.session)
    done: list[int] = []
    loop.start()
    loop.ask(lambda session: 1 // 0 and None)
    loop.ask(lambda session: done.append(1))
    loop.stop()
    assert done == [1]
    assert [type(fault) for fault in faults] == [ZeroDivisionError]
    assert loop.health()[TABLE].state == "failed"


def test_a_witness_that_cannot_start_stops_them_all_again(evening: Table) -> None:
    first, second = Watcher("first"), Watcher("second", broken=True)
    loop = Loop(evening.session, [first, second])
    with pytest.raises(OSError, match="there is no camera"):
        loop.start()
    assert (first.stopped, second.stopped) == (1, 1)


def test_stop_may_be_called_by_a_listener(evening: Table) -> None:
    stopped = threading.Event()

    def changed(session: Session) -> None:
        loop.stop()
        stopped.set()

    loop = Loop(evening.session, changed=changed)
    loop.start()
    assert stopped.wait(10)
    loop.stop()


def test_everybodys_health_is_told_by_name(evening: Table) -> None:
    loop = Loop(evening.session, [Watcher()], [Lamp()])
    assert set(loop.health()) == {TABLE, "watcher", "lamp"}
    assert all(health.state == "ok" for health in loop.health().values())


def test_a_scene_through_the_loop_becomes_an_act() -> None:
    evening = table()
    loop = Loop(evening.session)
    evening.lies["R1"] = card("R1", "region-yeti-1")
    loop.start()
    loop.observe(evening.scene())
    loop.stop()
    assert [done.answer.to for done in evening.session.done] == ["deal"]
