"""Every interleaving of loss, doubling, reordering and resets; and the search would find a mistake."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hardware.bench_model import explore
from hardware.dock import Dock
from hardware.interleavings import Budget, ViolationError
from hardware.link import Link
from hardware.messages import Acknowledge, Event, Lamps
from hardware.protocol import Frame

NOTHING, PRESS, LAMP, RESET = Budget(), Budget(events=1), Budget(lights=1), Budget(resets=1)
ALL = Budget(events=2, lights=1, resets=1, crashes=1, pulls=1)


@pytest.mark.parametrize(("budget", "least"), [(NOTHING, 400), (RESET, 1500)])
def test_with_one_frame_each_way_there_is_no_bad_interleaving_of_any_length(budget: Budget, least: int) -> None:
    found = explore(budget)
    assert found["complete"]
    assert found["states"] > least  # type: ignore[operator]


@pytest.mark.parametrize(("room", "depth"), [(1, 5), (2, 5), (3, 4)])
def test_with_everything_going_wrong_there_is_no_bad_interleaving_of_so_many_steps(room: int, depth: int) -> None:
    found = explore(ALL, room, depth)
    assert found["depth"] == depth
    assert found["states"] > 500  # type: ignore[operator]


def test_nor_is_there_one_on_the_way_to_the_first_session() -> None:
    assert explore(ALL, room=2, depth=4, greeted=False)["depth"] == 4


def take_all(link: Link, event: Event, reports: list[object]) -> None:
    link._taken[event.boot_id] = max(link._taken[event.boot_id], event.number)
    reports.append(event)
    link._acknowledge = event.number


def obey_all(dock: Dock, targets: Lamps) -> None:
    dock._generation, dock.lamps = targets.generation, targets.modes


def forget_all(dock: Dock, frame: Frame, now: float) -> None:
    if isinstance(frame.message, Acknowledge):
        dock._held.clear()
    HEAR(dock, frame, now)


def ignore_other_boots(link: Link, frame: Frame, now: float, reports: list[object]) -> None:
    boot = link.welcome.boot_id if link.welcome is not None else None
    if link.state == "ready" and getattr(frame.message, "boot_id", boot) != boot:
        return
    LISTEN(link, frame, now, reports)  # type: ignore[arg-type]


HEAR, LISTEN = Dock._hear, Link._hear


@pytest.mark.parametrize(
    ("of", "name", "mistake", "budget", "room", "depth"),
    [
        pytest.param(
            Link, "_settled", lambda link, boot: link._taken[boot], Budget(events=1, crashes=1), 1, 8, id="early"
        ),
        pytest.param(Link, "_take", take_all, Budget(events=2), 3, 8, id="any order"),
        pytest.param(Dock, "_obey", obey_all, Budget(lights=2), 2, 8, id="late lamps"),
        pytest.param(Dock, "_hear", forget_all, Budget(events=2), 1, 8, id="forgets all"),
        pytest.param(Link, "_hear", ignore_other_boots, Budget(events=1, resets=1), 1, 9, id="half a link"),
        pytest.param(Link, "_lamps_due", lambda link: link._modes and not link._tries, LAMP, 1, 4, id="asks once"),
        pytest.param(Link, "_say_hello", lambda link, now: b"", NOTHING, 1, 9, id="greets once"),
    ],
)
def test_the_search_finds_a_mistake(
    monkeypatch: pytest.MonkeyPatch,
    of: type,
    name: str,
    mistake: Callable[..., object],
    budget: Budget,
    room: int,
    depth: int,
) -> None:
    explore(Budget(), room, 2)
    monkeypatch.setattr(of, name, mistake)
    with pytest.raises(ViolationError, match="after "):
        explore(budget, room, depth)
