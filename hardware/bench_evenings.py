"""Evenings in simulated time: a dock and the app on a bad line, with cables pulled, resets and crashes.

Nothing here is a model of the protocol: link and dock are the real ones, and their frames travel as bytes
that are lost, doubled, delayed past each other and damaged.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable

from hardware.dock import RING, Dock
from hardware.link import Link, Lost
from hardware.messages import MODES, ButtonPressed, DieRolled, Event, Mode

EVENINGS = 1000
DEEDS = 60
"""Presses, rolls and troubles of an evening: its busy minutes, without the waiting in between."""
QUIET = 8.0
"""Seconds without trouble at the end, and before a dock loses its memory with events that must survive."""
LAMPS, BUTTONS, DICE = 4, 6, 2

What = ButtonPressed | DieRolled


class Evening:
    """One evening: a dock, the app, a table that writes down, and a line with its own ways to fail."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311  a seeded evening can be repeated
        self.now = 0.0
        self.loss, self.doubling, self.damage = (self.rng.choice((0.0, 0.02, 0.15)) for _ in range(3))
        self.delay = self.rng.choice((0.001, 0.03, 0.3))
        self.boot = self.rng.getrandbits(32)
        self.dock = Dock("DOCK", boot_id=self.boot, buttons=BUTTONS, lamps=LAMPS, dice=DICE)
        self.counts: Counter[str] = Counter()
        self.done: dict[tuple[int, int], What] = {}
        """What happened at the table, by boot and number, in order."""
        self.journal: dict[tuple[int, int], What] = {}
        """What the app has written down, in order."""
        self.acknowledged: set[tuple[int, int]] = set()
        self.forgotten: set[tuple[int, int]] = set()
        """What the dock forgot with its memory, before it was acknowledged."""
        self.modes: tuple[Mode, ...] = tuple(MODES[0] for _ in range(LAMPS))
        self.is_plugged = True
        self.wrong = 0
        self._numbers = 0
        self._travelling: list[tuple[float, int, bool, bytes]] = []
        self._sent = 0
        self._wakes_at = 0.0
        self._waiting: list[Event] = []
        self._start_app()

    def play(self, deeds: int = DEEDS) -> Evening:
        """Live through the evening, up to a quiet end."""
        acts: tuple[tuple[int, Callable[[], None]], ...] = (
            (40, self._happen),
            (12, self._light),
            (6, self._unplug),
            (3, self._lose_power),
            (3, self._crash),
            (4, self._hiccup),
        )
        weights, deed = [weight for weight, _ in acts], [act for _, act in acts]
        for _ in range(deeds):
            (act,) = self.rng.choices(deed, weights)
            act()
            self.run(self.rng.choice((0.01, 0.2, 1.0, 3.0)))
        if not self.is_plugged:
            self._plug()
        self.loss = self.doubling = self.damage = 0.0
        self.run(QUIET)
        return self

    def run(self, seconds: float) -> None:
        """Let time pass."""
        end = self.now + seconds
        while True:
            self._turn()
            nexts = [when for when in (self.link.wake_at(), self.dock.wake_at()) if when is not None]
            if self._travelling:
                nexts.append(self._travelling[0][0])
            # A turn may leave nothing to do before its own moment: time then goes on by a tick.
            upcoming = max(min(nexts, default=end), self.now + 0.0005)
            if upcoming >= end:
                self.now = end
                return
            self.now = upcoming

    def faults(self) -> dict[str, int]:
        """Count what is not as it has to be at the end; all are 0 if the link is right."""
        due = {key: what for key, what in self.done.items() if key not in self.forgotten}
        taken = [key for key in self.journal if key not in self.forgotten]
        return {
            "lost": len(due.keys() - self.journal.keys()),
            "lost_after_acknowledgement": len(self.acknowledged - self.journal.keys()),
            "invented_or_changed": sum(self.done.get(key) != what for key, what in self.journal.items()),
            "out_of_order": sum(key != other for key, other in zip(taken, due, strict=False)),
            "twice": self.counts["twice"],
            "wrong_lamps": self.dock.lamps != self.modes,
            "still_held": self.dock.held,
        }

    def _turn(self) -> None:
        while self._travelling and self._travelling[0][0] <= self.now:
            _, _, to_dock, frame = heapq.heappop(self._travelling)
            if to_dock:
                held = self._held()
                self.dock.receive(frame, self.now)
                self.acknowledged |= held - self._held()
            else:
                self._hear(frame)
        self._send(self.link.outgoing(self.now), to_dock=True)
        self._send(self.dock.outgoing(self.now), to_dock=False)

    def _held(self) -> set[tuple[int, int]]:
        return {(self.boot, number) for number in range(self._numbers - self.dock.held + 1, self._numbers + 1)}

    def _hear(self, frame: bytes) -> None:
        for report in self.link.receive(frame, self.now):
            if isinstance(report, Event):
                self._waiting.append(report)
            elif isinstance(report, Lost):
                self.counts["lost"] += report.count
        # The table's thread comes to it a little later, and not if the app crashes before.
        if self._waiting and self.rng.random() < 0.7:
            self._write_down()

    def _write_down(self) -> None:
        for event in self._waiting:
            key = (event.boot_id, event.number)
            # After a crash the journal knows the evidence and takes nothing in twice; within one run the link does.
            self.counts["twice"] += key in self.journal and key in self._taken_in
            self._taken_in.add(key)
            self.journal.setdefault(key, event.what)
            self.link.settle(event)
        self._waiting.clear()

    def _send(self, sent: bytes, to_dock: bool) -> None:
        if not self.is_plugged:
            return
        for frame in sent.split(b"\0")[:-1]:
            self.counts["frames"] += 1
            if self.rng.random() < self.loss:
                continue
            for _ in range(2 if self.rng.random() < self.doubling else 1):
                travelling = bytearray(frame + b"\0")
                if self.rng.random() < self.damage:
                    travelling[self.rng.randrange(len(travelling))] ^= 1 << self.rng.randrange(8)
                self._sent += 1
                arrives = self.now + self.rng.random() * self.delay
                heapq.heappush(self._travelling, (arrives, self._sent, to_dock, bytes(travelling)))

    def _happen(self) -> None:
        if self.dock.held >= RING:
            return
        what: What
        if self.rng.random() < 0.5:
            what = ButtonPressed(self.rng.randrange(BUTTONS))
            self.dock.press(what.button, self.now)
        else:
            what = DieRolled(tuple(self.rng.randint(1, 6) for _ in range(DICE)))
            self.dock.roll(what.faces, self.now)
        self._numbers += 1
        self.done[self.boot, self._numbers] = what
        self.counts["happened"] += 1

    def _light(self) -> None:
        self.modes = tuple(self.rng.choice(MODES) for _ in range(LAMPS))
        self.link.light(self.modes, self.now)
        self.counts["lamp_targets"] += 1

    def _unplug(self) -> None:
        self.is_plugged = not self.is_plugged
        if self.is_plugged:
            self._plug()
            return
        self.counts["unplugged"] += 1
        self._travelling.clear()
        self.link.closed()

    def _plug(self) -> None:
        self.is_plugged = True
        self.link.opened(self.now)

    def _lose_power(self) -> None:
        self.counts["resets"] += 1
        self.forgotten |= self._held() - self.journal.keys()
        self.boot, self._numbers = self.rng.getrandbits(32), 0
        self.dock.reset(self.boot, self.now)

    def _crash(self) -> None:
        self.counts["crashes"] += 1
        if self.is_plugged:
            self.link.closed()
        self._start_app()

    def _start_app(self) -> None:
        self.link = Link(self.rng.randint(1, 255), patient=True)
        self._waiting.clear()
        self._taken_in: set[tuple[int, int]] = set()
        self.link.light(self.modes, self.now)
        if self.is_plugged:
            self.link.opened(self.now)

    def _hiccup(self) -> None:
        """Noise on the line, or the dock's cable pulled and put back within the blink of an eye."""
        self.counts["hiccups"] += 1
        if self.rng.random() < 0.5:
            noise = self.rng.randbytes(self.rng.randrange(1, 400))
            heapq.heappush(self._travelling, (self.now, self._sent, self.rng.random() < 0.5, noise))
            self._sent += 1
        elif self.is_plugged:
            self.link.closed()
            self._travelling.clear()
            self.link.opened(self.now)


def play_evenings(evenings: int = EVENINGS, first_seed: int = 1) -> dict[str, object]:
    """Live through so many evenings; count what happened, and every fault, of which there may be none."""
    counts: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    seconds = 0.0
    bad: list[int] = []
    for seed in range(first_seed, first_seed + evenings):
        evening = Evening(seed).play()
        counts.update(evening.counts)
        counts["acknowledged"] += len(evening.acknowledged)
        counts["forgotten_with_the_dock"] += len(evening.forgotten)
        found = evening.faults()
        faults.update(found)
        if any(found.values()):
            bad.append(seed)
        seconds += evening.now
    return {
        "evenings": evenings,
        "simulated_hours": round(seconds / 3600, 1),
        **dict(sorted(counts.items())),
        "faults": dict(faults),
        "seeds_with_faults": bad[:10],
    }
