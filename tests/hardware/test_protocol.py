from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.messages import (
    GESTURES,
    MODES,
    TRAYS,
    Acknowledge,
    ButtonPressed,
    DieRolled,
    Event,
    Hello,
    Lamps,
    MalformedError,
    Message,
    Ping,
    Slot,
    Snapshot,
    Welcome,
)
from hardware.protocol import MAX_STUFFED, Decoder, Frame, FrameError, decode, encode

u8, u16, u32 = st.integers(0, 255), st.integers(0, 65535), st.integers(0, 2**32 - 1)
short_text = st.text(max_size=8)


@st.composite
def events(draw: st.DrawFn) -> Event:
    first = draw(st.integers(1, 2**32 - 1))
    number = draw(st.integers(first, 2**32 - 1))
    what = draw(
        st.builds(ButtonPressed, u8, st.sampled_from(GESTURES))
        | st.builds(DieRolled, st.lists(st.integers(1, 255), min_size=1, max_size=32).map(tuple))
    )
    return Event(draw(u32), number, first, draw(u32), what)


def messages() -> st.SearchStrategy[Message]:
    slots = st.lists(st.builds(Slot, u8, u8, u8, u8), max_size=32).map(tuple)
    return st.one_of(
        st.builds(Hello, u8, u8),
        st.builds(Welcome, u32, short_text, short_text, short_text, u32, u32, u8, u8, u8, u8, u8, u8),
        st.builds(Snapshot, u32, u32, u16, u32, st.sampled_from(TRAYS), slots),
        events(),
        st.builds(Acknowledge, u32, u32),
        st.builds(Lamps, u16, st.lists(st.sampled_from(MODES), max_size=32).map(tuple)),
        st.just(Ping()),
    )


def frames() -> st.SearchStrategy[Frame]:
    return st.builds(Frame, messages(), u8, u8, u8)


def on_the_wire(frame: Frame) -> bytes:
    return encode(frame.message, frame.session, frame.seq, frame.ack)


@given(frames())
def test_what_is_encoded_is_decoded_again(frame: Frame) -> None:
    assert Decoder().feed(on_the_wire(frame)) == [frame]


@given(st.lists(frames(), max_size=6), st.data())
def test_pieces_of_any_size_give_the_same_frames(sent: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(map(on_the_wire, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    decoder = Decoder()
    received = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        received += decoder.feed(stream[start:end])
    assert received == sent


@given(st.lists(st.binary(max_size=600), max_size=6))
def test_any_bytes_give_frames_or_the_one_error_and_little_memory(pieces: list[bytes]) -> None:
    decoder = Decoder()
    for piece in pieces:
        for result in decoder.feed(piece):
            assert isinstance(result, Frame | FrameError)
            if isinstance(result, Frame):
                assert decode(on_the_wire(result)[:-1]) == result
        assert len(decoder._kept) <= MAX_STUFFED


@given(st.binary(max_size=600), frames())
def test_after_any_noise_the_next_zero_starts_afresh(noise: bytes, frame: Frame) -> None:
    assert Decoder().feed(noise + b"\0" + on_the_wire(frame))[-1] == frame


@given(frames(), st.data())
def test_a_flipped_bit_never_gives_another_frame(frame: Frame, data: st.DataObject) -> None:
    wire = bytearray(on_the_wire(frame))
    wire[data.draw(st.integers(0, len(wire) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    assert all(result == frame for result in Decoder().feed(bytes(wire)) if isinstance(result, Frame))


def test_bursts_and_cuts_never_give_a_frame_that_was_not_sent() -> None:
    rng = random.Random(11)
    sent = [Frame(Event(7, n + 1, 1, n, DieRolled((n % 6 + 1, 3))), 9, n % 256) for n in range(2000)]
    decoder = Decoder()
    received: list[Frame | FrameError] = []
    for frame in sent:
        wire = bytearray(on_the_wire(frame))
        if rng.random() < 0.5:
            at = rng.randrange(len(wire))
            wire[at : at + rng.randrange(1, 8)] = rng.randbytes(rng.randrange(0, 8))
        received += decoder.feed(bytes(wire))
    good = [result for result in received if isinstance(result, Frame)]
    assert set(good) <= set(sent)
    assert 900 < len(good) < 2000


def test_a_flood_without_an_end_mark_is_one_error_and_then_forgotten() -> None:
    decoder = Decoder()
    assert [result for _ in range(50) for result in decoder.feed(b"x" * 100)] == []
    error, frame = decoder.feed(b"\0" + encode(Ping(), 1))
    assert isinstance(error, FrameError)
    assert (error.fault, error.size) == ("length", 5000)
    assert frame == Frame(Ping(), 1)


def test_a_frame_of_another_protocol_version_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.protocol.PROTOCOL", 2)
    wire = encode(Ping(), 1)
    monkeypatch.undo()
    error = decode(wire[:-1])
    assert isinstance(error, FrameError)
    assert error.fault == "version"
    assert error.says == "a frame of protocol 2; this app speaks 1"


@pytest.mark.parametrize(
    ("message", "says"),
    [
        (Lamps(0x10000, ()), "a number does not fit its field"),
        (Lamps(1, ("on",) * 33), "33 lamps; at most 32 fit in one message"),
        (Snapshot(1, slots=(Slot(),) * 33), "33 slots"),
        (Event(1, 1, 2, 0, ButtonPressed(0)), "event 1 while 2 is the oldest one held"),
        (Event(1, 1, 1, 0, DieRolled(())), "at least one die"),
        (Event(1, 1, 1, 0, DieRolled((6, 0))), "at least one die, counted from 1"),
        (Welcome(1, "x" * 33), "at most 32 are allowed"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_an_impossible_message_is_refused_in_words_before_it_is_sent(message: Message, says: str) -> None:
    with pytest.raises(MalformedError, match=says):
        encode(message)


def test_an_appended_field_in_a_greeting_is_skipped_and_elsewhere_refused() -> None:
    class LaterHello(Hello, frozen=True):
        def pack(self) -> bytes:
            return super().pack() + b"new"

    class LaterPing(Ping, frozen=True):
        def pack(self) -> bytes:
            return b"new"

    assert decode(encode(LaterHello(1, 9), 3)[:-1]) == Frame(Hello(1, 9), 3)
    error = decode(encode(LaterPing(), 3)[:-1])
    assert isinstance(error, FrameError)
    assert error.fault == "payload"
