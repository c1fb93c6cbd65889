"""Figures of the electronics: how fast, how safe, how soon. Printed by `companion bench hardware`."""

from __future__ import annotations

import queue
import random
import statistics
import tempfile
import time
from collections import deque
from pathlib import Path

from companion.table.observation import Observation
from hardware.config import parse
from hardware.dock import Dock
from hardware.messages import MODES, TRAYS, Acknowledge, ButtonPressed, DieRolled, Event, Lamps, Message, Slot, Snapshot
from hardware.protocol import Decoder, Frame, encode
from hardware.serial_link import SerialLink
from hardware.virtual import VirtualBoard, VirtualDock
from hardware.witness import ButtonWitness

QUICK, FULL = 100_000, 1_000_000
SPOILT = 0.6
"""Share of the frames that are damaged on the way."""
REACH = 16
"""A frame that is accepted must be one of so many sent last: a decoder keeps less than one frame."""
PRESSES = 50


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


def pin_latency(presses: int = PRESSES) -> list[float]:
    """Milliseconds from the edge on a mock pin to the observation in the table's queue.

    They include the 1.5 ms for which a contact has to be closed before it counts.
    """
    wiring = parse('[[seat]]\ndone = "gpio:16"')
    board = VirtualBoard(wiring)
    witness = ButtonWitness(wiring, board.factory)
    heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    witness.start(heard.put)
    taken = []
    try:
        for _ in range(presses):
            start = time.perf_counter()
            board.drive(0, "done", True)
            heard.get(timeout=10)
            taken.append(1000 * (time.perf_counter() - start))
            board.drive(0, "done", False)
            time.sleep(0.03)
    finally:
        witness.stop()
    return taken


def dock_latency(presses: int = PRESSES) -> list[float]:
    """Milliseconds from a roll in the tray to the observation, over a pseudo-terminal."""
    with tempfile.TemporaryDirectory() as folder:
        device = Path(folder) / "dock"
        dock = VirtualDock(Dock("BENCH", boot_id=1, dice=1, now=time.monotonic()), device)
        link = SerialLink(parse(f'[dock]\nport = "{device}"'))
        heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
        dock.plug()
        link.start(heard.put)
        taken = []
        try:
            dock.roll((1,))
            heard.get(timeout=10)
            for _ in range(presses):
                start = time.perf_counter()
                dock.roll((1,))
                heard.get(timeout=10)
                taken.append(1000 * (time.perf_counter() - start))
        finally:
            link.stop()
            dock.unplug()
    return taken


def measure(*, full: bool = False) -> dict[str, object]:
    """Run everything; `full` damages a million frames instead of a hundred thousand (about ten times longer)."""
    pins, dock = pin_latency(), dock_latency()
    return {
        "frames_decoded_per_second": round(decoding()),
        "corruption": corruption(FULL if full else QUICK),
        "pin_to_observation_ms": {"median": round(statistics.median(pins), 3), "worst": round(max(pins), 3)},
        "dock_to_observation_ms": {"median": round(statistics.median(dock), 3), "worst": round(max(dock), 3)},
    }
