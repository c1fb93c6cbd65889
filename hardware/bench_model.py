"""Every interleaving, up to a depth: link and dock on a line that loses, doubles and reorders, with resets.

A breadth-first search over copies of the real state machines. Time is abstracted in the safe direction:
any timer may fire at any moment, so whatever can happen at some speed of things happens here too. Numbers
that serve statistics only (`seq`, `ack`, `age`) are the same in all frames, and of the dock's uptime only
the order of its snapshots is kept.

In every state reached must hold: what is written down is what happened, in order, each once; what the dock
forgot as acknowledged is written down; nothing raises. And from every state, once the line is fair, all that
the dock holds is written down, nothing is held any more and the lamps show their target.
"""

from __future__ import annotations

import copy
import time
from collections import Counter, deque
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from hardware.dock import HOST_GONE_AFTER, Dock
from hardware.link import SILENT_AFTER, Link
from hardware.messages import Event, Lamps, Mode, Snapshot, Welcome
from hardware.protocol import Decoder, Frame, decode, encode

NOW = 1000.0
"""The one moment at which everything happens; timers lie before it when they fire, far behind it when not."""
LATER = 1e9
FAIR_ROUNDS = 8
ENDLESS = 10**6
ALL_TIMERS = -1
NO_TIMER, PING_TIMER, LAMPS_TIMER = range(3)
"""Of the app; in a greeting, any but the first is the one for HELLO."""
SNAPSHOT_TIMER, FIRST_EVENT_TIMER = 1, 2
"""Of the dock; each event that it holds has one."""
DARK: tuple[Mode, ...] = ("off",)
TARGETS: tuple[tuple[Mode, ...], ...] = (("on",), ("hurry",), ("on",))

_COUNTS: Counter[str] = Counter()


class Budget(NamedTuple):
    """How often each may still happen."""

    events: int = 0
    lights: int = 0
    resets: int = 0
    crashes: int = 0
    pulls: int = 0


class Key(NamedTuple):
    """An event: boot and number."""

    boot: int
    number: int


class State(NamedTuple):
    """Everything there is: both ends, what is under way, what is written down and what waits for it."""

    link: Link
    dock: Dock
    to_dock: tuple[Frame, ...]
    to_app: tuple[Frame, ...]
    journal: tuple[Key, ...]
    waiting: tuple[Event, ...]
    plugged: bool
    boot: int
    happened: int
    clock: int
    budget: Budget
    room: int
    """For so many frames in each direction; what does not fit is lost, the oldest first."""


class ViolationError(AssertionError):
    """A state that may not be; says which, and the way there."""


Kind = Literal["press", "light", "reset", "crash", "pull", "write", "app", "dock", "silence", "gone", "take", "lose"]


class Act(NamedTuple):
    """One step. `at` is the frame that it is about, or which of the timers fires (`ALL_TIMERS`: each);
    `again`: the frame stays under way too.
    """

    kind: Kind
    to_dock: bool = False
    at: int = 0
    again: bool = False


def start(budget: Budget, room: int, greeted: bool) -> State:
    """Return the beginning: the port was just opened, the dock has just started; or the session is open."""
    link, dock = Link(1, patient=True), Dock("D", boot_id=1, now=NOW, buttons=1, lamps=1)
    link.opened(NOW)
    state = _still(State(link, dock, (), (), (), (), True, 1, 0, 0, budget, room))
    return be_fair(state)._replace(room=room) if greeted else state


def acts(state: State) -> Iterator[Act]:
    """Yield everything that can happen next."""
    budget = state.budget
    if budget.events:
        yield Act("press")
    if budget.lights:
        yield Act("light")
    if budget.resets:
        yield Act("reset")
    if budget.crashes:
        yield Act("crash")
    if budget.pulls or not state.plugged:
        yield Act("pull")
    if state.waiting:
        yield Act("write")
    for timer in range(FIRST_EVENT_TIMER + state.dock.held):
        yield Act("dock", at=timer)
    yield Act("gone")
    if state.plugged:
        for timer in (NO_TIMER, PING_TIMER, LAMPS_TIMER):
            yield Act("app", at=timer)
        yield Act("silence")
    for to_dock, channel in ((True, state.to_dock), (False, state.to_app)):
        for at in range(len(channel)):
            yield Act("take", to_dock, at)
            yield Act("take", to_dock, at, again=True)
            yield Act("lose", to_dock, at)


def step(state: State, act: Act) -> State:
    """Return what follows from one step; `state` stays as it is."""
    return _go(_twin(state), act)


def _twin(state: State) -> State:
    return state._replace(link=_copy_link(state.link), dock=_copy_dock(state.dock))


def _go(state: State, act: Act) -> State:
    link, dock, budget = state.link, state.dock, state.budget
    match act.kind:
        case "press":
            dock.press(0, NOW)
            state = state._replace(happened=state.happened + 1, budget=budget._replace(events=budget.events - 1))
        case "light":
            link.light(TARGETS[budget.lights - 1], NOW)
            state = state._replace(budget=budget._replace(lights=budget.lights - 1))
        case "reset":
            dock.reset(state.boot + 1, NOW)
            state = state._replace(boot=state.boot + 1, happened=0, budget=budget._replace(resets=budget.resets - 1))
        case "crash":
            state = _crash(state)
        case "pull":
            state = _pull(state)
        case "write":
            state = _write(state)
        case "app":
            state = _send_app(state, act.at)
        case "silence":
            state = _send_app(state, NO_TIMER, silent=True)
        case "dock":
            state = _send_dock(state, act.at)
        case "gone":
            state = _send_dock(state, NO_TIMER, gone=True)
        case "take":
            state = _take(state, act)
        case "lose":
            state = _without(state, act)
    return _still(state)


def _crash(state: State) -> State:
    link = Link(state.link.checkpoint().session % 255 + 1, patient=True)
    link.light(state.link._modes, NOW)
    if state.plugged:
        link.opened(NOW)
    return state._replace(link=link, waiting=(), budget=state.budget._replace(crashes=state.budget.crashes - 1))


def _pull(state: State) -> State:
    if state.plugged:
        state.link.closed()
        left = state.budget._replace(pulls=state.budget.pulls - 1)
        return state._replace(plugged=False, to_dock=(), to_app=(), budget=left)
    state.link.opened(NOW)
    return state._replace(plugged=True)


def _write(state: State) -> State:
    """The table comes to the event that has waited longest; it knows those that an earlier run wrote down."""
    event = state.waiting[0]
    key = Key(event.boot_id, event.number)
    state.link.settle(event)
    journal = state.journal if key in state.journal else (*state.journal, key)
    return state._replace(journal=journal, waiting=state.waiting[1:])


def _send_app(state: State, timer: int, silent: bool = False) -> State:
    link = state.link
    if timer in (ALL_TIMERS, PING_TIMER):
        link._hello_at = link._ping_at = NOW
    if timer in (ALL_TIMERS, LAMPS_TIMER):
        link._lamps_at = NOW
    if silent:
        link._heard_at = NOW - SILENT_AFTER
    sent = link.outgoing(NOW)
    return state._replace(to_dock=_queue(state.to_dock, sent, state.room)) if state.plugged else state


def _send_dock(state: State, timer: int, gone: bool = False) -> State:
    dock = state.dock
    # The clock counts the dock's snapshots: of a late one the app sees that it is late.
    dock._started_at = NOW - state.clock / 1000
    dock._snapshot_at = NOW if timer in (ALL_TIMERS, SNAPSHOT_TIMER) else LATER
    for number, held in enumerate(dock._held, start=FIRST_EVENT_TIMER):
        held.send_at = NOW if timer in (ALL_TIMERS, number) else LATER
    if gone:
        dock._heard_at = NOW - HOST_GONE_AFTER
    sent = dock.outgoing(NOW)
    return state._replace(to_app=_queue(state.to_app, sent, state.room) if state.plugged else (), clock=state.clock + 1)


def _queue(channel: tuple[Frame, ...], sent: bytes, room: int) -> tuple[Frame, ...]:
    return (*channel, *(_plain(stuffed) for stuffed in sent.split(b"\0") if stuffed))[-room:]


@lru_cache(maxsize=100_000)
def _plain(stuffed: bytes) -> Frame:
    frame = decode(stuffed)
    if not isinstance(frame, Frame):
        raise ViolationError(f"what was sent is no frame: {frame.says}")
    message = frame.message
    if isinstance(message, Event):
        message = Event(message.boot_id, message.number, message.first, 0, message.what)
    elif isinstance(message, Welcome):
        message = Welcome(message.boot_id, message.unique_id, first=message.first, lamps=message.lamps)
    return Frame(message, frame.session)


def _take(state: State, act: Act) -> State:
    channel = state.to_dock if act.to_dock else state.to_app
    arrived = _bytes(channel[act.at])
    if not act.again:
        state = _without(state, act)
    if act.to_dock:
        session, generation = state.dock._session, state.dock._generation
        state.dock.receive(arrived, NOW)
        if session == state.dock._session and state.dock._generation < generation:
            raise ViolationError("a late frame took the lamps back")
        return state
    reports = state.link.receive(arrived, NOW)
    return state._replace(waiting=(*state.waiting, *(report for report in reports if isinstance(report, Event))))


def _without(state: State, act: Act) -> State:
    channel = state.to_dock if act.to_dock else state.to_app
    rest = channel[: act.at] + channel[act.at + 1 :]
    return state._replace(to_dock=rest) if act.to_dock else state._replace(to_app=rest)


@lru_cache(maxsize=100_000)
def _bytes(frame: Frame) -> bytes:
    return encode(frame.message, frame.session)


def _copy_link(link: Link) -> Link:
    twin = copy.copy(link)
    twin._taken, twin._unsettled, twin._early = dict(link._taken), set(link._unsettled), dict(link._early)
    twin.counts, twin._decoder = _COUNTS, Decoder()
    return twin


def _copy_dock(dock: Dock) -> Dock:
    twin = copy.copy(dock)
    twin._held = deque(copy.copy(held) for held in dock._held)
    twin._answers, twin._decoder = list(dock._answers), Decoder()
    return twin


def _still(state: State) -> State:
    """Forget what only time and statistics know, so that states that differ in nothing else are one."""
    link, dock = state.link, state.dock
    link._hello_at = link._ping_at = link._lamps_at = LATER
    link._heard_at = dock._heard_at = NOW
    link._seq = link._heard_seq = dock._seq = dock._heard_seq = 0
    link._ping_seq = None
    dock._snapshot_at = dock._started_at = 0.0
    for held in dock._held:
        held.send_at = held.happened_at = held.wait = 0.0
    return _squeeze(state)


def _squeeze(state: State) -> State:
    """Give sessions, lamp generations and snapshots the smallest numbers that leave their order as it is."""
    link, dock = state.link, state.dock
    frames = (*state.to_dock, *state.to_app)
    seen = [frame.message for frame in frames if isinstance(frame.message, Snapshot)]
    seen += [link.snapshot] if link.snapshot is not None else []
    lamps = [frame.message for frame in frames if isinstance(frame.message, Lamps)]
    sessions = _places([link._session, dock._session, *dock._answers, *(frame.session for frame in frames)])
    told = [snapshot.generation for snapshot in seen] + [target.generation for target in lamps]
    generations = _places([link._generation, dock._generation, *told])
    uptimes = _places([snapshot.uptime for snapshot in seen])

    def renamed(frame: Frame) -> Frame:
        message = frame.message
        if isinstance(message, Snapshot):
            message = snapshot(message)
        elif isinstance(message, Lamps):
            message = Lamps(generations[message.generation], message.modes)
        return Frame(message, sessions[frame.session])

    def snapshot(told: Snapshot) -> Snapshot:
        uptime, generation = uptimes[told.uptime], generations[told.generation]
        return Snapshot(told.boot_id, uptime, generation, told.pressed, told.tray, told.slots)

    link._session, dock._session = sessions[link._session], sessions[dock._session]
    dock._answers = [sessions[session] for session in dock._answers]
    link._generation, dock._generation = generations[link._generation], generations[dock._generation]
    if link.snapshot is not None:
        link.snapshot = snapshot(link.snapshot)
    return state._replace(
        to_dock=tuple(map(renamed, state.to_dock)), to_app=tuple(map(renamed, state.to_app)), clock=len(uptimes)
    )


def _places(numbers: list[int]) -> dict[int, int]:
    return {number: place for place, number in enumerate(sorted({0, *numbers}))}


def identity(state: State) -> tuple[object, ...]:
    """Return what tells two states apart."""
    link, dock = state.link, state.dock
    snapshot = (
        None if link.snapshot is None else (link.snapshot.boot_id, link.snapshot.uptime, link.snapshot.generation)
    )
    return (
        (link.state, link._session, link.welcome and link.welcome.boot_id, snapshot, tuple(link._taken.items())),
        (frozenset(link._unsettled), frozenset(link._early), link._modes, link._generation, link._tries),
        link._acknowledge,
        (dock._session, dock._generation, dock._next, dock.held, tuple(dock._answers), dock.lamps),
        *state[2:],
    )


def check(state: State) -> None:
    """Raise `ViolationError` if what must hold in every state does not."""
    numbers: dict[int, int] = {}
    for boot, number in state.journal:
        if number != numbers.get(boot, 0) + 1:
            raise ViolationError(f"event {number} of boot {boot} follows {numbers.get(boot, 0)}")
        numbers[boot] = number
    if numbers.get(state.boot, 0) > state.happened:
        raise ViolationError("something is written down that never happened")
    acknowledged = state.happened - state.dock.held
    if acknowledged > numbers.get(state.boot, 0):
        raise ViolationError(f"event {acknowledged} was acknowledged and is not written down")


def be_fair(state: State) -> State:
    """Let nothing more go wrong: everything is delivered in order, and timers fire in turn."""
    state = _twin(state)._replace(room=100)
    if not state.plugged:
        state = _go(state, Act("pull"))
    for _ in range(FAIR_ROUNDS):
        state = _go(state, Act("app", at=ALL_TIMERS))
        while state.to_dock:
            state = _go(state, Act("take", to_dock=True))
        state = _go(state, Act("dock", at=ALL_TIMERS))
        while state.to_app:
            state = _go(state, Act("take"))
        while state.waiting:
            state = _go(state, Act("write"))
        if not _unfinished(state):
            break
    return state


def _unfinished(state: State) -> str:
    link, dock = state.link, state.dock
    if link.state != "ready":
        return f"the app stays {link.state}"
    if dock.held:
        return f"{dock.held} events stay in the dock"
    if sum(key.boot == state.boot for key in state.journal) != state.happened:
        return "an event is lost"
    if link._modes and dock.lamps != link._modes and not link.is_deaf:
        return f"the lamps show {dock.lamps}, not {link._modes}"
    return ""


def check_end(state: State) -> None:
    """Raise `ViolationError` if a line that has become fair does not bring everything to its end."""
    end = be_fair(state)
    check(end)
    if says := _unfinished(end):
        raise ViolationError(f"on a fair line {says}")


def explore(budget: Budget, room: int = 1, depth: int = ENDLESS, greeted: bool = True) -> dict[str, object]:
    """Search all interleavings of `budget` up to `depth` steps, with `room` frames in each direction.

    Return how many states there are; `complete` if no further step leads to another one: then all
    interleavings of any length were searched.

    :raises ViolationError: at the first state that may not be, with the steps that lead there.
    """
    began = time.monotonic()
    first = start(budget, room, greeted)
    before: dict[tuple[object, ...], tuple[tuple[object, ...], Act] | None] = {identity(first): None}
    frontier, steps, done = [first], 0, 0
    while frontier and done < depth:
        found: list[State] = []
        for state in frontier:
            mine = identity(state)
            for act in acts(state):
                try:
                    after = step(state, act)
                    steps += 1
                    key = identity(after)
                    if key in before:
                        continue
                    before[key] = (mine, act)
                    check(after)
                    check_end(after)
                except ViolationError as violation:
                    way = [*_way(before, mine), act]
                    raise ViolationError(f"{violation}; after {', '.join(map(_word, way))}") from None
                found.append(after)
        frontier, done = found, done + 1
    return {
        "depth": done,
        "complete": not frontier,
        "states": len(before),
        "steps": steps,
        "seconds": round(time.monotonic() - began, 1),
    }


def _way(before: dict[tuple[object, ...], tuple[tuple[object, ...], Act] | None], key: tuple[object, ...]) -> list[Act]:
    way: list[Act] = []
    while (step_before := before[key]) is not None:
        key, act = step_before
        way.append(act)
    return way[::-1]


def _word(act: Act) -> str:
    if act.kind in ("app", "dock"):
        return f"{act.kind} timer {act.at}"
    if act.kind not in ("take", "lose"):
        return act.kind
    return f"{act.kind} {'double ' if act.again else ''}{'to dock' if act.to_dock else 'to app'} {act.at}"


SEARCHES: dict[str, tuple[Budget, int, int]] = {
    "nothing": (Budget(), 1, ENDLESS),
    "a reset": (Budget(resets=1), 1, ENDLESS),
    "an event": (Budget(events=1), 1, ENDLESS),
    "everything, 2 frames each way": (Budget(events=2, lights=1, resets=1, crashes=1, pulls=1), 2, 5),
    "a lamp": (Budget(lights=1), 1, ENDLESS),
    "an event, a pull": (Budget(events=1, pulls=1), 1, ENDLESS),
    "an event, a crash": (Budget(events=1, crashes=1), 1, ENDLESS),
    "an event, a reset": (Budget(events=1, resets=1), 1, ENDLESS),
    "two events": (Budget(events=2), 1, ENDLESS),
}
QUICK_SEARCHES = 4


def search(*, full: bool) -> dict[str, object]:
    """Run the searches, all of them or the quick ones; a fault ends them with the way to it."""
    names = list(SEARCHES)[: None if full else QUICK_SEARCHES]
    found: dict[str, object] = {}
    for name in names:
        budget, room, depth = SEARCHES[name]
        found[name] = {"frames_each_way": room, **explore(budget, room, depth)}
    return found
