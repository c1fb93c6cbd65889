"""Scans of a turn track: what is told of it, and what is not."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.observation import MarkersSeen
from hardware.track import EQUAL_SCANS, FLICKERS, LIFTED, QUIET, Place, TrackWatch

NAMES = ("A", "B", "C", "D")
SCAN = 0.05


class Table:
    """A track that is scanned every 50 ms."""

    def __init__(self, markers: tuple[str, ...] = NAMES) -> None:
        self.watch = TrackWatch("dock", markers)
        self.at = 10.0
        self.heard: list[MarkersSeen] = []
        self.codes: list[int] = []
        self.stable: list[int] = []
        self.changes: list[int] = []

    def lie(self, codes: list[int], seconds: float = QUIET + 2 * SCAN) -> list[MarkersSeen]:
        """Let markers lie so for some time; return what was told meanwhile."""
        before = len(self.heard)
        if len(codes) != len(self.codes):
            self.codes, self.stable, self.changes = codes, [0] * len(codes), [0] * len(codes)
        for place, code in enumerate(codes):
            if code != self.codes[place]:
                self.stable[place] = 0
                self.changes[place] = (self.changes[place] + 1) % 256
        self.codes = codes
        for _ in range(round(seconds / SCAN)):
            self.at += SCAN
            self.stable = [min(stable + 1, 255) for stable in self.stable]
            places = [Place(*place) for place in zip(codes, self.stable, self.changes, strict=True)]
            seen = self.watch.scan(places, self.at, "scan")
            if seen is not None:
                self.heard.append(seen)
        return self.heard[before:]

    def settled(self, codes: list[int], seconds: float = QUIET + 2 * SCAN) -> list[str]:
        return ["".join(each.order) for each in self.lie(codes, seconds) if each.settled]


def test_an_order_is_told_once_when_it_lay_still() -> None:
    table = Table()
    told = table.lie([2, 1, 3, 4], 5.0)
    assert [(each.order, each.settled) for each in told] == [
        (("B", "A", "C", "D"), False),
        (("B", "A", "C", "D"), True),
    ]
    assert told[1].at - told[0].at == pytest.approx(QUIET, abs=SCAN)
    assert told[1].evidence == "scan"


def test_the_first_order_after_a_gap_says_so_and_the_next_one_does_not() -> None:
    table = Table()
    assert [each.after_gap for each in table.lie([1, 2, 3, 4]) if each.settled] == [True]
    assert [each.after_gap for each in table.lie([2, 1, 3, 4]) if each.settled] == [False]
    table.watch.gap()
    assert [each.after_gap for each in table.lie([2, 1, 3, 4]) if each.settled] == [True]
    assert table.lie([2, 1, 3, 4], 5.0) == []


def test_a_marker_slid_over_three_places_is_one_change() -> None:
    table = Table()
    table.lie([1, 2, 3, 0, 0, 0])
    for codes in ([1, 2, 0, 3, 0, 0], [1, 2, 0, 0, 3, 0]):
        assert table.settled(codes, 0.3) == []
    assert table.settled([1, 2, 0, 0, 0, 3]) == ["ABC"]


def test_a_hand_over_the_track_is_no_order() -> None:
    table = Table()
    table.lie([1, 2, 3, 4])
    for _ in range(6):
        assert table.settled([0, 0, 3, 4], 0.4) == []
        assert table.settled([0, 2, 0, 4], 0.4) == []
    assert table.settled([1, 2, 3, 4]) == ["ABCD"]
    assert len([each for each in table.heard if each.settled]) == 2


def test_a_marker_in_a_hand_is_given_more_time_than_one_that_was_laid() -> None:
    table = Table()
    table.lie([1, 2, 3, 4])
    assert table.settled([1, 2, 0, 4], LIFTED - 2 * SCAN) == []
    assert table.settled([1, 2, 0, 4], 4 * SCAN) == ["ABD"]


def test_a_place_that_was_not_the_same_in_three_scans_is_not_believed() -> None:
    watch = TrackWatch("dock", NAMES)
    for scan in range(100):
        assert watch.scan([Place(1, 255), Place(2, EQUAL_SCANS - 1)], scan * SCAN) is None or scan == 0
    assert watch.scan([Place(1, 255), Place(2, EQUAL_SCANS)], 6.0) is not None


@pytest.mark.parametrize(
    ("codes", "says"),
    [
        (
            [1, 2, 3, 4, 5, 6, 7],
            "7 markers lie on the track, and the wiring file names 4. Take away what does not belong there.",
        ),
        ([1, 2, 1, 4], "A lies in places 1 and 3 of the track at once. Take one away."),
        ([1, 2, 9, 4], "The marker in place 3 of the track has the code 9, and the wiring file names 1 to 4."),
    ],
)
def test_a_track_that_cannot_be_so_is_said_and_logged_and_is_no_order(
    codes: list[int], says: str, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table()
    table.lie([0] * len(codes))
    with caplog.at_level(logging.WARNING):
        told = table.lie(codes, 8.0)
    assert [each.problem for each in told] == ["", says]
    assert not any(each.settled for each in told)
    assert table.watch.problem == says
    assert caplog.text.count(says) == 1
    table.lie([1, 2, 3, 4][: len(codes)] + [0] * (len(codes) - 4))
    assert table.watch.problem == ""


def test_a_weak_magnet_is_named_and_the_order_stays_as_it_was() -> None:
    table = Table()
    table.lie([1, 2, 3, 4])
    for _ in range(FLICKERS):
        table.lie([1, 2, 0, 4], 0.2)
        table.lie([1, 2, 3, 4], 0.2)
    assert table.watch.problem == "Place 3 of the track flickers. Lay its marker anew."
    assert [each.order for each in table.heard if each.settled] == [("A", "B", "C", "D")]
    table.lie([1, 2, 3, 4], 12.0)
    assert table.watch.problem == ""
    assert table.heard[-1].settled


def test_flicker_between_two_snapshots_is_seen_by_the_dock_s_own_count() -> None:
    watch = TrackWatch("dock", NAMES)
    watch.scan([Place(1), Place(2, changes=250)], 1.0)
    for number in range(1, FLICKERS):
        watch.scan([Place(1, changes=0), Place(2, changes=(250 + 2 * number) % 256)], 1.0 + 0.5 * number)
    assert watch.problem == "Place 2 of the track flickers. Lay its marker anew."


@given(st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), max_size=12), st.data())
def test_whatever_happens_in_between_the_last_order_told_is_the_one_that_lies_there(
    scans: list[list[int]], data: st.DataObject
) -> None:
    table = Table()
    for codes in scans:
        table.lie(codes, data.draw(st.sampled_from([SCAN, 0.2, 0.7])))
    table.lie([3, 1, 0, 2], 20.0)
    assert [each for each in table.heard if each.settled][-1].order == ("C", "A", "", "B")
    assert table.watch.wake_at() is None


@given(st.lists(st.tuples(st.lists(st.integers(0, 4), min_size=3, max_size=3), st.sampled_from([0.1, 0.6, 3.0]))))
def test_no_order_is_told_that_did_not_lie_there_for_its_time(lies: list[tuple[list[int], float]]) -> None:
    table = Table()
    lay: dict[float, list[int]] = {}
    for codes, seconds in lies:
        start = table.at
        table.lie(codes, seconds)
        lay |= dict.fromkeys([start + SCAN * (n + 1) for n in range(round(seconds / SCAN))], codes)
    for seen in table.heard:
        if seen.settled:
            recent = [codes for at, codes in lay.items() if seen.at - QUIET + SCAN / 2 <= at <= seen.at + SCAN / 2]
            assert all(tuple(NAMES[code - 1] if code else "" for code in codes) == seen.order for codes in recent)
