"""Figures of the electronics: how fast, how safe, how soon. Printed by `companion bench hardware`."""

from __future__ import annotations

import logging
import random
import time
from collections import deque

from hardware.bench_evenings import EVENINGS, play_evenings
from hardware.bench_model import search
from hardware.bench_ports import CYCLES, dock_latency, pin_latency, replugging, spread
from hardware.messages import MODES, TRAYS, Acknowledge, ButtonPressed, DieRolled, Event, Lamps, Message, Slot, Snapshot
from hardware.protocol import Decoder, Frame, encode

QUICK, FULL = 100_000, 1_000_000
SPOILT = 0.6
"""Share of the frames that are damaged on the way."""
REACH = 16
"""A frame that is accepted must be one of so many sent last: a decoder keeps less than one frame."""


def _message(rng: random.Random) -> Message:
    kind = rng.randrange(5)
    if kind == 0:
        slots = tuple(Slot(*rng.randbytes(4)) for _ in range(rng.randrange(9)))
        return Snapshot(rng.getrandbits(32), rng.getrandbits(32), rng.getrandbits(16), 0, rng.choice(TRAYS), slots)
    if kind == 1:
        return Lamps(rng.getrandbits(16), tuple(rng.choice(MODES) for _ in range(rng.randrange(9))))
    if kind == 2:
        return Acknowledge(rng.getrandbits(32), rng.getrandbits(32))
    number = rng.randrange(1, 2**32)
    what = ButtonPressed(rng.randrange(32)) if kind == 3 else DieRolled((rng.randrange(1, 7), rng.randrange(1, 7)))
    return Event(rng.getrandbits(32), number, rng.randrange(1, number + 1), rng.getrandbits(16), what)


def _spoil(wire: bytes, rng: random.Random) -> bytes:
    """Damage a frame: flipped bits, a burst, a cut end, inserted garbage."""
    spoilt = bytearray(wire)
    at = rng.randrange(len(spoilt))
    kind = rng.randrange(4)
    if kind == 0:
        for _ in range(rng.randrange(1, 5)):
            spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
    elif kind == 1:
        burst = rng.randbytes(rng.randrange(1, 12))
        spoilt[at : at + len(burst)] = burst
    elif kind == 2:
        del spoilt[at : at + rng.randrange(1, len(spoilt) + 1)]
    else:
        spoilt[at:at] = rng.randbytes(rng.randrange(1, 300))
    return bytes(spoilt)


def corruption(frames: int, seed: int = 1) -> dict[str, int]:
    """Send `frames` random frames over a line that damages `SPOILT` of them; count what is believed.

    `wrong` counts accepted frames that were never sent: it has to be 0. `lost_undamaged` counts frames
    that arrived whole and were dropped nevertheless, because damage had swallowed the mark before them.
    """
    rng = random.Random(seed)  # noqa: S311  # a seeded run can be repeated
    decoder = Decoder()
    latest: deque[Frame] = deque(maxlen=REACH)
    count = {"frames": frames, "damaged": 0, "accepted": 0, "wrong": 0, "errors": 0, "lost_undamaged": 0}
    for number in range(frames):
        frame = Frame(_message(rng), rng.randrange(256), number % 256, rng.randrange(256))
        wire = encode(frame.message, frame.session, frame.seq, frame.ack)
        latest.append(frame)
        damage = rng.random() < SPOILT
        results = decoder.feed(_spoil(wire, rng) if damage else wire)
        accepted = [result for result in results if isinstance(result, Frame)]
        count["damaged"] += damage
        count["accepted"] += len(accepted)
        count["errors"] += len(results) - len(accepted)
        count["wrong"] += sum(result not in latest for result in accepted)
        count["lost_undamaged"] += not damage and frame not in accepted
    return count


def decoding(frames: int = 20_000) -> float:
    """Return how many frames a second one core decodes, in reads of 512 bytes."""
    rng = random.Random(2)  # noqa: S311  # a seeded run can be repeated
    stream = b"".join(encode(_message(rng), 1, number % 256) for number in range(frames))
    decoder = Decoder()
    start = time.perf_counter()
    decoded = sum(len(decoder.feed(stream[at : at + 512])) for at in range(0, len(stream), 512))
    return decoded / (time.perf_counter() - start)


def measure(*, full: bool = False, evenings: int | None = None) -> dict[str, object]:
    """Run everything; `full` takes ten times as many frames, evenings and cycles."""
    # Cables are pulled by the hundred here; Python would write a line about each on standard error.
    logging.getLogger("hardware").addHandler(logging.NullHandler())
    return {
        "frames_decoded_per_second": round(decoding()),
        "corruption": corruption(FULL if full else QUICK),
        "evenings": play_evenings(evenings if evenings is not None else EVENINGS if full else EVENINGS // 10),
        "interleavings": search(full=full),
        "pin_to_observation_ms": spread(pin_latency()),
        "dock_to_observation_ms": spread(dock_latency()),
        "replugging": replugging(CYCLES if full else CYCLES // 10),
    }
