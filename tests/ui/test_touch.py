"""Touches before they reach a widget: ghosts, the tap that wakes, wobbling fingers."""

from __future__ import annotations

from collections.abc import Callable

from companion.presenters.desk import ShowCorrection, Undo
from tests.ui.pilot import Pilot

AtTable = Callable[..., Pilot]


def middle(pilot: Pilot) -> tuple[float, float]:
    tile = pilot.button("Undo")
    return tile.to_window(*tile.center)


def test_one_finger_seen_by_two_providers_presses_once(at_table: AtTable) -> None:
    pilot = at_table()
    x, y = middle(pilot)
    one, ghost = pilot.finger((x, y), "mtdev"), pilot.finger((x + 3, y - 2), "mouse")
    for kind in ("begin", "end"):
        pilot.put(kind, one)
        pilot.put(kind, ghost)
    pilot.settle(0.1)
    assert len(pilot.desk.sent_of(Undo)) == 1


def test_two_quick_taps_of_one_finger_are_two(at_table: AtTable) -> None:
    pilot = at_table()
    point = middle(pilot)
    for _ in range(2):
        finger = pilot.finger(point, "mtdev")
        pilot.put("begin", finger)
        pilot.put("end", finger)
    pilot.settle(0.1)
    assert len(pilot.desk.sent_of(Undo)) == 2


def test_two_fingers_at_two_places_are_two(at_table: AtTable) -> None:
    pilot = at_table()
    x, y = middle(pilot)
    one, other = pilot.finger((x, y), "mtdev"), pilot.finger((x + 120, y), "mouse")
    for kind in ("begin", "end"):
        pilot.put(kind, one)
        pilot.put(kind, other)
    pilot.settle(0.1)
    assert len(pilot.desk.sent_of(Undo)) == 2


def test_the_tap_that_wakes_the_screen_presses_nothing_and_the_next_one_does(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.app.doze.asleep = True
    pilot.step()
    assert pilot.app.root.night.opacity == 1
    pilot.tap(middle(pilot))
    assert (pilot.app.doze.asleep, pilot.desk.sent_of(Undo)) == (False, [])
    assert pilot.app.root.night.opacity == 0
    pilot.tap(middle(pilot))
    assert len(pilot.desk.sent_of(Undo)) == 1


def test_the_screen_does_not_sleep_during_play_but_at_home(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.app.doze.fall_asleep()
    assert not pilot.app.doze.asleep
    pilot.app.leave_game()
    pilot.app.doze.fall_asleep()
    assert pilot.app.doze.asleep


def test_a_tap_that_drifts_three_millimetres_still_presses(at_table: AtTable) -> None:
    pilot = at_table()
    x, y = middle(pilot)
    pilot.drag((x, y), (x + 3 * pilot.app.mm, y))
    assert len(pilot.desk.sent_of(Undo)) == 1
    x, y = pilot.cell(pilot.sheet.ids.board, "A3")
    pilot.drag((x, y), (x, y + 2.9 * pilot.app.mm))
    assert [intent.cell for intent in pilot.desk.sent_of(ShowCorrection)] == ["A3"]


def test_a_day_of_falling_asleep_and_waking_leaves_the_screen_awake(fly: Callable[..., Pilot]) -> None:
    """144 times ten minutes pass without a touch; each time one touch wakes the screen and the next one presses."""
    pilot = fly()
    doze, night = pilot.app.doze, pilot.app.root.night
    for _ in range(144):
        doze.fall_asleep()
        assert doze.asleep
        assert night.opacity == 1
        finger = pilot.finger((400, 240))
        pilot.put("begin", finger)
        pilot.put("end", finger)
        assert not doze.asleep
        assert night.opacity == 0
    pilot.settle(0.5)
    pilot.tap(pilot.button("Settings"))
    assert pilot.here == "menu"
