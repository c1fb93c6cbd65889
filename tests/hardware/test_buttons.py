from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import pytest

from companion.table.observation import Observation, Press
from companion.table.ports import Marker, Signal, Witness
from hardware.config import parse
from hardware.devices import Buzzer, PinError, SeatButton, TurnLamp
from hardware.markers import LampMarker, mode_of
from hardware.messages import Mode
from hardware.virtual import VirtualBoard
from hardware.wiring import Input, Output
from hardware.witness import ButtonWatch, ButtonWitness

from .waiting import LIMIT, until

TABLE = """
pins = "mock"
buzzer = "gpio:18"
[[seat]]
done = "gpio:16 pull-up"
undo = "gpio:16 pull-up long"
yes = "gpio:5"
no = "gpio:5 double"
lamp = "gpio:17"
[[seat]]
done = "gpio:20 pull-down"
lamp = "gpio:27 active-low"
"""


class Evening:
    """A wired table with a clock of its own, and what the table heard."""

    def __init__(self) -> None:
        self.now = 100.0
        self.board = VirtualBoard(parse(TABLE), lambda: self.now)
        self.witness = ButtonWitness(parse(TABLE), self.board.factory)
        self.heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
        self.witness.start(self.heard.put)

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def press(self, seat: int, function: str) -> None:
        self.board.press(seat, function, self.wait)  # type: ignore[arg-type]

    def next(self) -> Observation:
        return self.heard.get(timeout=LIMIT)

    def silence(self) -> bool:
        return self.heard.empty()

    def button(self, pin: int) -> SeatButton:
        watched = (each for each in self.witness._watched if isinstance(each, ButtonWatch))
        return next(each.button for each in watched if each.button.place.number == pin)


@pytest.fixture
def evening() -> Iterator[Evening]:
    table = Evening()
    yield table
    table.witness.stop()


def test_button_witness_and_lamp_marker_fit_the_ports(evening: Evening) -> None:
    assert isinstance(evening.witness, Witness)
    assert isinstance(LampMarker(parse(TABLE), evening.board.factory), Marker)


def test_a_press_names_seat_function_and_the_moment_of_first_contact(evening: Evening) -> None:
    evening.press(1, "done")
    assert evening.next() == Press("buttons", 100.0, 1, "done", "gpio:20 short")


def test_one_button_can_mean_done_and_held_undo(evening: Evening) -> None:
    evening.press(0, "done")
    evening.press(0, "undo")
    evening.press(0, "done")
    assert [evening.next().button for _ in range(3)] == ["done", "undo", "done"]  # type: ignore[union-attr]


def test_one_button_can_mean_yes_and_twice_no(evening: Evening) -> None:
    evening.press(0, "no")
    evening.press(0, "yes")
    evening.wait(1)
    assert [evening.next().button for _ in range(2)] == ["no", "yes"]  # type: ignore[union-attr]


def test_a_bouncing_press_is_one_press(evening: Evening) -> None:
    for pressed in (True, False, True, False, True):
        evening.board.drive(1, "done", pressed)
        evening.wait(0.0007)
    evening.wait(0.02)
    for pressed in (False, True, False, True, False):
        evening.board.drive(1, "done", pressed)
        evening.wait(0.0007)
    evening.wait(1)
    evening.board.drive(1, "done", True)
    evening.wait(0.02)
    evening.board.drive(1, "done", False)
    first, second = evening.next(), evening.next()
    assert second.at - first.at > 1
    assert evening.silence()


def test_a_tap_of_ten_milliseconds_is_not_lost(evening: Evening) -> None:
    for _ in range(50):
        evening.board.drive(1, "done", True)
        evening.wait(0.010)
        evening.board.drive(1, "done", False)
        evening.wait(0.030)
    assert [type(evening.next()) for _ in range(50)] == [Press] * 50
    assert evening.silence()


def test_a_button_held_down_is_observed_without_waiting_for_its_release() -> None:
    board = VirtualBoard(parse(TABLE))
    witness = ButtonWitness(parse(TABLE), board.factory)
    heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    witness.start(heard.put)
    try:
        board.drive(1, "done", True)
        assert heard.get(timeout=LIMIT).button == "done"  # type: ignore[union-attr]
    finally:
        witness.stop()


def test_an_edge_that_the_system_swallowed_does_not_leave_the_button_deaf(evening: Evening) -> None:
    evening.board.drive(1, "done", True)
    evening.wait(0.05)
    until(lambda: not evening.silence())
    pin = evening.board.factory.pin("GPIO20")
    pin._state = False  # the release arrives at the line, but no edge does
    evening.wait(5)
    button = evening.button(20)
    until(lambda: button.wake_at() is not None or not button._debounce._level)
    evening.wait(5)
    evening.press(1, "done")
    assert [evening.next().at for _ in range(2)] == [100.0, 110.05]


def test_edges_stamped_by_another_clock_count_as_just_now(evening: Evening) -> None:
    button = evening.button(20)
    button._changed(1.7e9, 1)
    evening.wait(0.05)
    button._changed(1.7e9 + 0.05, 0)
    assert evening.next().at == 100.0


def test_a_pin_in_use_is_named_and_the_other_buttons_go_on() -> None:
    board = VirtualBoard(parse(TABLE))
    lamp = TurnLamp(Output("gpio", 16), board.factory)
    witness = ButtonWitness(parse(TABLE), board.factory)
    heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    witness.start(heard.put)
    try:
        health = witness.health()
        assert health.state == "failed"
        assert health.says == ("GPIO16 (a button) is in use already; give every button and lamp a pin of its own")
        board.press(1, "done")
        assert heard.get(timeout=LIMIT).seat == 1  # type: ignore[union-attr]
    finally:
        witness.stop()
        lamp.close()


def test_starting_and_stopping_gives_back_pins_and_threads(evening: Evening) -> None:
    for _ in range(5):
        evening.witness.stop()
        evening.witness.stop()
        assert evening.witness.health().state == "off"
        SeatButton(Input("gpio", 16), frozenset({"short"}), evening.board.factory, lambda _: None).close()
        evening.witness.start(evening.heard.put)
    assert [thread.name for thread in threading.enumerate()].count("buttons") == 1
    assert evening.witness.health().state == "ok"
    evening.press(1, "done")
    assert evening.next().seat == 1


@pytest.mark.parametrize(
    ("signal", "modes"),
    [
        (Signal(), ("off", "off")),
        (Signal(turn=0), ("on", "off")),
        (Signal(turn=0, asked=1), ("on", "blink")),
        (Signal(turn=1, asked=1), ("off", "blink")),
        (Signal(turn=1, alarm=True), ("hurry", "hurry")),
        (Signal(turn=1, finished=True), ("off", "off")),
    ],
)
def test_a_signal_has_one_meaning_for_each_lamp(signal: Signal, modes: tuple[Mode, Mode]) -> None:
    assert (mode_of(0, signal), mode_of(1, signal)) == modes


def test_the_lamp_of_the_seat_whose_turn_it_is_is_lit_even_if_wired_the_other_way_round() -> None:
    board = VirtualBoard(parse(TABLE))
    marker = LampMarker(parse(TABLE), board.factory)
    marker.show(Signal(turn=0))
    assert (board.is_lit(0), board.is_lit(1)) == (True, False)
    marker.show(Signal(turn=1))
    assert (board.is_lit(0), board.is_lit(1)) == (False, True)
    assert board.factory.pin("GPIO27").state is False
    assert marker.health().state == "ok"
    marker.stop()
    assert (board.is_lit(0), board.is_lit(1)) == (False, False)
    marker.stop()
    assert marker.health().state == "off"


def test_the_same_signal_twice_leaves_no_trace_on_the_pin() -> None:
    board = VirtualBoard(parse(TABLE))
    marker = LampMarker(parse(TABLE), board.factory)
    marker.show(Signal(turn=0))
    board.factory.pin("GPIO17").clear_states()
    marker.show(Signal(turn=0))
    marker.show(Signal(turn=0, asked=1))
    assert [state.state for state in board.factory.pin("GPIO17").states] == [True]
    marker.stop()


def test_the_lamp_of_the_asked_seat_blinks_until_it_is_told_otherwise() -> None:
    board = VirtualBoard(parse(TABLE))
    marker = LampMarker(parse(TABLE), board.factory)
    marker.show(Signal(asked=0))
    pin = board.factory.pin("GPIO17")
    until(lambda: [state.state for state in pin.states][-3:] == [True, False, True])
    marker.show(Signal(turn=0))
    assert board.is_lit(0)
    marker.stop()


def test_an_alarm_sounds_once_until_it_was_over() -> None:
    board = VirtualBoard(parse(TABLE))
    marker = LampMarker(parse(TABLE), board.factory)
    marker.show(Signal())
    pin = board.factory.pin("GPIO18")
    pin.clear_states()
    marker.show(Signal(alarm=True))
    until(lambda: [state.state for state in pin.states] == [False, True, False, True, False])
    marker.show(Signal(alarm=True, turn=1))
    assert len(pin.states) == 5
    marker.show(Signal())
    marker.show(Signal(alarm=True))
    until(lambda: len(pin.states) > 5)
    marker.stop()


def test_dock_lamps_are_given_their_modes_in_order() -> None:
    wiring = parse(
        'buzzer="dock:3"\n[[seat]]\nlamp = "dock:2"\n[[seat]]\nlamp = "dock:0"\n[dock]\nport = "/dev/ttyACM0"'
    )
    lit: list[tuple[Mode, ...]] = []
    marker = LampMarker(wiring, VirtualBoard(wiring).factory, lit.append)
    marker.show(Signal(turn=0, asked=1))
    marker.show(Signal(alarm=True))
    marker.stop()
    assert lit == [
        ("blink", "off", "on", "off"),
        ("hurry", "off", "hurry", "blink"),
        ("off", "off", "off", "off"),
    ]


def test_a_lamp_on_a_taken_pin_is_said_and_the_others_work() -> None:
    board = VirtualBoard(parse(TABLE))
    buzzer = Buzzer(Output("gpio", 17), board.factory)
    marker = LampMarker(parse(TABLE), board.factory)
    marker.show(Signal(turn=1))
    assert board.is_lit(1)
    assert marker.health().state == "failed"
    assert "GPIO17 (a lamp) is in use already" in marker.health().says
    marker.stop()
    buzzer.close()


def test_two_devices_on_one_pin_are_refused_in_words() -> None:
    board = VirtualBoard(parse(TABLE))
    lamp = TurnLamp(Output("gpio", 17), board.factory)
    with pytest.raises(PinError, match=r"GPIO17 \(a lamp\) is in use already; give every button and lamp a pin"):
        TurnLamp(Output("gpio", 17), board.factory)
    lamp.close()
