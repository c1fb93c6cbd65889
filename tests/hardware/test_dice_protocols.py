"""What the kinds of dice speak, byte for byte, as their makers publish it; and any other bytes."""

from __future__ import annotations

import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.dice.godice import AXES, GoDice
from hardware.dice.lines import MOST_DICE, read_line
from hardware.dice.pixels import WRONG_NORMALS_UNTIL, Pixels
from hardware.dice.states import DieState, StrangeError


def identity(built: int, state: int, face: int) -> bytes:
    return struct.pack("<BBBBIIHIBBBB", 2, 20, 9, 0, 0xCAFE, 0x1234, 512, built, state, face, 80, 0)


@pytest.mark.parametrize(
    ("payload", "state"),
    [
        (bytes([3, 1, 2]), DieState("rolled", (3,))),
        (bytes([3, 2, 0]), DieState("held")),
        (bytes([3, 3, 5]), DieState("rolling")),
        (bytes([3, 4, 5]), DieState("leaning")),
        (bytes([3, 5, 19]), DieState("lies", (20,))),
        (bytes([3, 0, 0]), None),
        (bytes([34, 80, 0]), None),
        (bytes([2]) + bytes(40), None),
        (identity(1_720_000_000, 1, 4), DieState("rolled", (5,))),
    ],
)
def test_pixels_say_roll_states(payload: bytes, state: DieState | None) -> None:
    assert Pixels(20).read(payload) == state


def test_pixels_with_old_firmware_tell_four_faces_crosswise_and_are_put_right() -> None:
    die = Pixels(6)
    die.read(identity(WRONG_NORMALS_UNTIL, 0, 0))
    read = [die.read(bytes([3, 1, index])) for index in range(6)]
    assert [state.faces for state in read if state] == [(1,), (5,), (4,), (3,), (2,), (6,)]
    newer = Pixels(6)
    newer.read(identity(WRONG_NORMALS_UNTIL + 1, 0, 0))
    assert newer.read(bytes([3, 1, 1])) == DieState("rolled", (2,))


@pytest.mark.parametrize(
    ("payload", "state"),
    [
        (b"R", DieState("rolling")),
        (b"S" + bytes([0xC0, 0, 0]), DieState("rolled", (1,))),
        (b"S" + bytes([2, 0xFD, 62]), DieState("rolled", (2,))),
        (b"FS" + bytes([0, 64, 0]), DieState("lies", (3,))),
        (b"MS" + bytes([0, 0xC0, 1]), DieState("lies", (4,))),
        (b"TS" + bytes([30, 30, 30]), DieState("leaning")),
        (b"S" + bytes([0, 0, 0xC0]), DieState("rolled", (5,))),
        (b"S" + bytes([64, 0, 0]), DieState("rolled", (6,))),
        (b"Bat\x50", None),
        (b"Col\x02", None),
    ],
)
def test_godice_say_how_gravity_pulls(payload: bytes, state: DieState | None) -> None:
    assert GoDice().read(payload) == state


def test_opposite_faces_of_a_godice_add_up_to_seven() -> None:
    for face, axis in AXES.items():
        assert AXES[7 - face] == tuple(-part for part in axis)


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("rolled 3 5\r\n", DieState("rolled", (3, 5), is_event=True)),
        ("3,5", DieState("rolled", (3, 5), is_event=True)),
        ("12", DieState("rolled", (12,), is_event=True)),
        ("Rolling", DieState("rolling")),
        ("held", DieState("held")),
        ("leaning", DieState("leaning")),
        ("still", DieState("lies")),
        ("# tower of Ann, version 2", None),
        ("", None),
    ],
)
def test_a_tower_says_lines(line: str, state: DieState | None) -> None:
    assert read_line(line) == state


@pytest.mark.parametrize("line", ["rolled", "rolled 0", "3 x", "-3", "hello", "1 " * (MOST_DICE + 1), "3 5555"])
def test_a_line_that_says_nothing_is_strange(line: str) -> None:
    with pytest.raises(StrangeError, match="the line"):
        read_line(line)


@given(st.binary(max_size=40))
def test_any_bytes_give_a_state_or_the_one_error(payload: bytes) -> None:
    for speaker in (Pixels(6), GoDice()):
        with contextlib.suppress(StrangeError):
            state = speaker.read(payload)
            assert state is None or (state.kind in ("rolled", "lies")) == bool(state.faces)


@given(st.text(max_size=80))
def test_any_line_gives_a_state_or_the_one_error(line: str) -> None:
    with contextlib.suppress(StrangeError):
        state = read_line(line)
        assert state is None or all(face >= 1 for face in state.faces)
