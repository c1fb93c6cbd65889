"""A knob points at what is shown on the screen, and a button takes it."""

from __future__ import annotations

from companion.presenters.models import LiveModel
from companion.table.observation import KnobTurned, Press
from tests.desk.parts import Screen, TestRoom


def pointed(live: LiveModel) -> list[str]:
    return [choice.says for choice in live.prompt.choices if choice.style == "likely"]


def test_a_turn_points_at_a_choice_and_a_press_of_any_button_takes_it(room: TestRoom, screen: Screen) -> None:
    first = screen.begin()
    says = [choice.says for choice in first.prompt.choices]
    assert len(says) > 1
    assert pointed(first) == []
    room.oracle.observe(KnobTurned("oracle", 1.0, 1))
    assert pointed(screen.wait(LiveModel, pointed)) == says[:1]
    room.oracle.observe(KnobTurned("oracle", 1.1, 100))
    screen.wait(LiveModel, lambda live: pointed(live) == says[-1:])
    room.oracle.observe(KnobTurned("oracle", 1.2, -1))
    screen.wait(LiveModel, lambda live: pointed(live) == says[-2:-1])
    room.oracle.observe(Press("oracle", 2.0, 1, "done"))
    taken = screen.wait(LiveModel, lambda live: live.prompt.key != first.prompt.key)
    assert pointed(taken) == []
    assert not screen.live.finished


def test_turned_the_other_way_a_knob_begins_at_the_end(room: TestRoom, screen: Screen) -> None:
    says = [choice.says for choice in screen.begin().prompt.choices]
    room.oracle.observe(KnobTurned("oracle", 1.0, -1))
    assert pointed(screen.wait(LiveModel, pointed)) == says[-1:]
