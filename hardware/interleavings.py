"""Link and dock on a line that loses, doubles and reorders: every state, and every step from one to the next.

The state machines are copies of the real ones. Time is abstracted in the safe direction: any timer may
fire at any moment, so whatever can happen at some speed of things happens here too. Numbers that serve
statistics only (`seq`, `ack`, `age`) are the same in all frames, and of the dock's uptime only the order
of its snapshots is kept.
"""

from __future__ import annotations

import copy
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
ALL_TIMERS = -1
NO_TIMER, PING_TIMER, LAMPS_TIMER = range(3)
"""Of the app; in a greeting, any but the first is the one for HELLO."""
SNAPSHOT_TIMER, FIRST_EVENT_TIMER = 1, 2
"""Of the dock; each event that it holds has one."""
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
    return go(twin(state), act)


def twin(state: State) -> State:
    """Return a copy whose ends may be changed."""
    return state._replace(link=_copy_link(state.link), dock=_copy_dock(state.dock))


def go(state: State, act: Act) -> State:
    """Take one step in a state whose ends may be changed."""
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
    return still(state)


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
    copied = copy.copy(link)
    copied._taken, copied._unsettled, copied._early = dict(link._taken), set(link._unsettled), dict(link._early)
    copied.counts, copied._decoder = _COUNTS, Decoder()
    return copied


def _copy_dock(dock: Dock) -> Dock:
    copied = copy.copy(dock)
    copied._held = deque(copy.copy(held) for held in dock._held)
    copied._answers, copied._decoder = list(dock._answers), Decoder()
    return copied


def still(state: State) -> State:
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
