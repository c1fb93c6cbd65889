from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.dock import Dock
from hardware.link import LAMPS_TRIES, SILENT_AFTER, Link, Lost
from hardware.messages import Acknowledge, ButtonPressed, DieRolled, Event, Hello, Lamps, Mode, Snapshot, Welcome
from hardware.protocol import Decoder, Frame, encode

STEP = 0.01


class Wire:
    """A link and a dock, joined by a wire that may lose, repeat, swap or damage frames."""

    def __init__(self, dock: Dock, link: Link, seed: int = 0, trouble: float = 0.0) -> None:
        self.dock, self.link = dock, link
        self.now = 0.0
        self.cut = False
        self.taken: list[tuple[int, Event]] = []
        self.states: list[str] = []
        self.lost = 0
        self._rng = random.Random(seed)
        self._trouble = trouble
        link.opened(0.0)

    def run(self, seconds: float) -> Wire:
        for _ in range(round(seconds / STEP)):
            self.now += STEP
            self.dock.receive(self._carry(self.link.outgoing(self.now)), self.now)
            for report in self.link.receive(self._carry(self.dock.outgoing(self.now)), self.now):
                if isinstance(report, Event):
                    self.taken.append((report.boot_id, report))
                elif isinstance(report, Lost):
                    self.lost += report.count
            if self.states[-1:] != [self.link.state]:
                self.states.append(self.link.state)
        return self

    def _carry(self, sent: bytes) -> bytes:
        if self.cut or not sent:
            return b""
        carried: list[bytes] = []
        for frame in sent.split(b"\0")[:-1]:
            chance = self._rng.random()
            if chance >= self._trouble:
                carried.append(frame)
            elif chance < self._trouble * 0.4:
                continue
            elif chance < self._trouble * 0.6:
                carried += [frame, frame]
            elif chance < self._trouble * 0.8:
                carried.insert(0, frame)
            elif frame:
                spoilt = bytearray(frame)
                spoilt[self._rng.randrange(len(spoilt))] ^= 1 << self._rng.randrange(8)
                carried.append(bytes(spoilt))
        return b"".join(frame + b"\0" for frame in carried)


def a_dock(boot_id: int = 77, **parts: int) -> Dock:
    return Dock("DOCK-1", boot_id=boot_id, **{"buttons": 4, "lamps": 2, "dice": 2, **parts})


def rolls(wire: Wire) -> list[tuple[int, ...]]:
    return [event.what.faces for _, event in wire.taken if isinstance(event.what, DieRolled)]


def test_hello_is_repeated_every_quarter_second_until_a_welcome() -> None:
    link = Link()
    link.opened(0.0)
    sent = [round(n * STEP, 2) for n in range(120) if link.outgoing(n * STEP)]
    assert sent == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_a_roll_is_taken_once_and_acknowledged() -> None:
    wire = Wire(a_dock(), Link()).run(0.5)
    wire.dock.roll((3, 6), wire.now)
    wire.run(5)
    assert rolls(wire) == [(3, 6)]
    assert wire.dock.held == 0


def test_nothing_is_acknowledged_before_the_report_was_returned() -> None:
    link, dock = Link(), a_dock()
    link.opened(0.0)
    dock.receive(link.outgoing(0.0), 0.0)
    link.receive(dock.outgoing(0.0), 0.0)
    dock.roll((1,), 0.1)
    assert any(isinstance(report, Event) for report in link.receive(dock.outgoing(0.1), 0.1))
    assert dock.held == 1
    dock.receive(link.outgoing(0.1), 0.1)
    assert dock.held == 0


def test_a_dock_that_stops_answering_is_silent_after_a_second_and_a_half_and_comes_back() -> None:
    wire = Wire(a_dock(), Link()).run(1)
    wire.cut = True
    wire.run(SILENT_AFTER - 0.6)
    assert wire.link.state == "ready"
    wire.run(0.7)
    assert wire.link.state == "silent"
    wire.dock.roll((5, 5), wire.now)
    wire.cut = False
    wire.run(0.5)
    assert wire.link.state == "ready"
    assert rolls(wire) == [(5, 5)]


def test_a_port_that_never_answers_is_called_silent() -> None:
    link = Link()
    link.opened(0.0)
    for n in range(200):
        link.outgoing(n * STEP)
    assert link.state == "silent"


def test_a_reset_is_noticed_by_the_boot_id_and_the_lamps_are_set_again() -> None:
    wire = Wire(a_dock(), Link())
    wire.link.light(("on", "hurry"), 0.0)
    wire.run(1)
    wire.dock.reset(78, wire.now)
    assert wire.dock.lamps == ("off", "off")
    wire.run(1.2)
    assert wire.dock.lamps == ("on", "hurry")
    assert wire.link.welcome is not None
    assert wire.link.welcome.boot_id == 78
    assert "silent" not in wire.states


def test_a_hello_that_a_reset_overtook_does_not_leave_half_a_link() -> None:
    link, dock = Link(), a_dock()
    link.opened(0.0)
    hello = link.outgoing(0.0)
    dock.receive(hello, 0.0)
    link.receive(dock.outgoing(0.0), 0.0)
    assert link.state == "ready"
    # The same HELLO was still under way: the new boot takes the app's session for its own.
    dock.reset(78, 0.1)
    dock.receive(hello, 0.1)
    link.receive(dock.outgoing(0.1), 0.1)
    assert link.state == "greeting"
    wire = Wire(dock, link)
    wire.dock.roll((4,), 0.2)
    wire.run(1)
    assert rolls(wire) == [(4,)]


def test_a_snapshot_of_another_boot_in_our_session_is_a_reset() -> None:
    link = Link(1)
    link.opened(0.0)
    link.receive(encode(Welcome(5, "D"), 1), 0.0)
    assert link.receive(encode(Snapshot(6, 1), 1), 0.1) == []
    assert link.state == "greeting"


def test_event_numbers_of_a_new_boot_start_afresh() -> None:
    wire = Wire(a_dock(), Link()).run(0.5)
    wire.dock.press(0, wire.now)
    wire.run(0.5)
    wire.dock.reset(78, wire.now)
    wire.dock.press(1, wire.now)
    wire.run(2)
    assert [(boot, event.number) for boot, event in wire.taken] == [(77, 1), (78, 1)]


def test_the_dock_that_comes_back_with_the_same_boot_is_not_heard_twice() -> None:
    wire = Wire(a_dock(), Link()).run(0.5)
    wire.dock.roll((2,), wire.now)
    # The roll arrives, its acknowledgement does not: the cable is pulled in between.
    taken = [r for r in wire.link.receive(wire.dock.outgoing(wire.now), wire.now) if isinstance(r, Event)]
    assert len(taken) == 1
    wire.link.closed()
    wire.now += 0.5
    wire.link.opened(wire.now)
    wire.run(3)
    assert wire.taken == []
    assert wire.dock.held == 0


def test_events_that_the_dock_had_to_forget_are_counted_aloud() -> None:
    wire = Wire(a_dock(), Link()).run(0.5)
    wire.cut = True
    wire.run(4)
    for number in range(40):
        wire.dock.roll((number + 1,), wire.now)
    wire.cut = False
    wire.run(3)
    assert wire.lost == 8
    assert rolls(wire) == [(number + 1,) for number in range(8, 40)]


def test_an_event_ahead_of_a_missing_one_waits_for_it() -> None:
    link = Link(1)
    link.opened(0.0)
    link.receive(encode(Welcome(5, "D"), 1), 0.0)
    second = encode(Event(5, 2, 1, 0, ButtonPressed(1)), 1)
    first = encode(Event(5, 1, 1, 0, ButtonPressed(0)), 1)
    assert link.receive(second, 0.1) == []
    numbers = [r.number for r in link.receive(first + second + first, 0.2) if isinstance(r, Event)]
    assert numbers == [1, 2]


def test_a_patient_link_acknowledges_what_is_settled_and_nothing_after_a_gap() -> None:
    link = Link(1, patient=True)
    link.opened(0.0)
    link.receive(encode(Welcome(5, "D"), 1), 0.0)
    link.outgoing(0.0)
    frames = b"".join(encode(Event(5, number, 1, 0, ButtonPressed(0)), 1) for number in (1, 2, 3))
    one, two, three = (report for report in link.receive(frames, 0.1) if isinstance(report, Event))

    def acknowledged() -> list[int]:
        sent = Decoder().feed(link.outgoing(0.1))
        return [f.message.number for f in sent if isinstance(f, Frame) and isinstance(f.message, Acknowledge)]

    assert acknowledged() == [0]
    link.settle(two)
    assert acknowledged() == [0]
    link.settle(one)
    assert acknowledged() == [2]
    link.closed()
    link.settle(three)
    link.opened(1.0)
    link.receive(encode(Welcome(6, "D"), 2), 1.0)
    assert acknowledged() == [], "what was settled meanwhile belongs to another boot"


def test_versions_without_overlap_are_one_clear_state_and_open_no_session() -> None:
    wire = Wire(Dock("D", boot_id=1, dice=1, versions=(2, 3)), Link()).run(1)
    wire.dock.roll((1,), wire.now)
    wire.run(4)
    assert wire.states == ["mismatch"]
    assert wire.taken == []
    assert wire.link.welcome is not None
    assert (wire.link.welcome.low, wire.link.welcome.high) == (2, 3)


def test_another_dock_than_the_expected_one_is_a_stranger_and_is_not_believed() -> None:
    wire = Wire(a_dock(), Link(expect="DOCK-9")).run(1)
    wire.dock.roll((1,), wire.now)
    wire.run(2)
    assert wire.link.state == "stranger"
    assert wire.taken == []


def test_lamp_targets_are_repeated_until_echoed_and_not_for_ever() -> None:
    link = Link()
    link.light(("on",), 0.0)
    link.opened(0.0)
    link.receive(encode(Welcome(5, "D", lamps=1), 1), 0.0)
    decoder = Decoder()
    tries = 0
    for n in range(3000):
        now = n * STEP
        sent = decoder.feed(link.outgoing(now))
        tries += sum(isinstance(f, Frame) and isinstance(f.message, Lamps) for f in sent)
        link.receive(encode(Snapshot(5, n, generation=0), 1), now)
    assert tries == LAMPS_TRIES
    assert link.is_deaf
    assert link.state == "ready"
    link.light(("off",), 31.0)
    assert not link.is_deaf


def test_a_late_lamp_frame_does_not_take_the_lamps_back() -> None:
    dock = a_dock()
    dock.receive(encode(Hello(), 3), 0.0)
    dock.receive(encode(Lamps(65535, ("on", "on")), 3), 0.1)
    dock.receive(encode(Lamps(1, ("hurry", "off")), 3), 0.2)
    dock.receive(encode(Lamps(65535, ("on", "on")), 3), 0.3)
    assert dock.lamps == ("hurry", "off")


def test_lit_lamps_blink_when_the_app_is_gone_and_dark_ones_stay_dark() -> None:
    wire = Wire(a_dock(), Link())
    wire.link.light(("on", "off"), 0.0)
    wire.run(1)
    wire.cut = True
    wire.run(3.2)
    assert wire.dock.lamps == ("blink", "blink")
    wire.cut = False
    wire.run(2)
    assert wire.dock.lamps == ("on", "off")
    wire.link.light(("off", "off"), wire.now)
    wire.run(0.5)
    wire.cut = True
    wire.run(4)
    assert wire.dock.lamps == ("off", "off")


def test_a_snapshot_tells_what_lies_in_each_slot_and_how_often_it_changed() -> None:
    wire = Wire(a_dock(slots=3), Link()).run(0.3)
    wire.dock.place(1, 5, wire.now)
    wire.dock.place(1, 0, wire.now)
    wire.dock.place(2, 6, wire.now)
    wire.run(0.1)
    assert wire.link.snapshot is not None
    assert [(slot.marker, slot.changes) for slot in wire.link.snapshot.slots] == [(0, 0), (0, 2), (6, 1)]


def test_frames_of_an_earlier_session_are_not_believed() -> None:
    link = Link(9)
    link.opened(0.0)
    link.receive(encode(Welcome(5, "D"), 9), 0.0)
    assert link.receive(encode(Event(5, 1, 1, 0, DieRolled((6,))), 8), 0.1) == []
    assert link.counts["stale"] == 1


def test_a_session_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="session 0; 1 to 255 exist"):
        Link(0)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.05, 0.3]), st.lists(st.integers(0, 9), max_size=30))
def test_whatever_the_wire_does_each_event_is_taken_once_and_in_order(
    seed: int, trouble: float, deeds: list[int]
) -> None:
    wire = Wire(a_dock(), Link(seed % 255 + 1), seed, trouble)
    modes: tuple[Mode, ...] = ("on", "off")
    wire.link.light(modes, 0.0)
    boot, made, held = 77, 0, [(77, 0)]
    for deed in deeds:
        if deed == 0:
            wire.link.closed()
            wire.now += 0.3
            wire.link.opened(wire.now)
        elif deed == 1:
            wire.cut = True
            wire.run(2)
            wire.cut = False
        elif deed == 2:
            # Whatever waits for its acknowledgement dies with the dock's memory: wait until it is empty.
            wire.run(10)
            boot += 1
            wire.dock.reset(boot, wire.now)
            made = 0
        elif deed == 3:
            modes = (modes[1], modes[0])
            wire.link.light(modes, wire.now)
        elif wire.dock.held < 32:
            made += 1
            wire.dock.roll((made % 255 + 1,), wire.now)
            held.append((boot, made))
        wire.run(0.05 * deed)
    wire._trouble = 0.0
    wire.link.light((), wire.now)
    wire.link.light(modes, wire.now)
    wire.run(6)
    taken = [(number, event.number) for number, event in wire.taken]
    assert taken == held[1:]
    assert wire.lost == 0
    assert wire.dock.lamps == modes
    assert wire.dock.held == 0
