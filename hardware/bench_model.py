"""Every interleaving of the dock's conversation, up to a depth or without end, searched breadth first.

In every state reached must hold: what is written down is what happened, in order, each once; what the dock
forgot as acknowledged is written down; a late frame takes no lamp back; nothing raises. And from every
state, once the line is fair, all that the dock holds is written down, nothing is held any more and the
lamps show their target. The states and steps are those of `hardware/interleavings.py`.
"""

from __future__ import annotations

import time

from hardware.dock import Dock
from hardware.interleavings import (
    ALL_TIMERS,
    NOW,
    Act,
    Budget,
    State,
    ViolationError,
    acts,
    go,
    identity,
    step,
    still,
    twin,
)
from hardware.link import Link

FAIR_ROUNDS = 8
ENDLESS = 10**6
Identity = tuple[object, ...]


def start(budget: Budget, room: int, greeted: bool) -> State:
    """Return the beginning: the port was just opened, the dock has just started; or the session is open."""
    link, dock = Link(1, patient=True), Dock("D", boot_id=1, now=NOW, buttons=1, lamps=1)
    link.opened(NOW)
    state = still(State(link, dock, (), (), (), (), True, 1, 0, 0, budget, room))
    return be_fair(state)._replace(room=room) if greeted else state


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
    state = twin(state)._replace(room=100)
    if not state.plugged:
        state = go(state, Act("pull"))
    for _ in range(FAIR_ROUNDS):
        state = go(state, Act("app", at=ALL_TIMERS))
        while state.to_dock:
            state = go(state, Act("take", to_dock=True))
        state = go(state, Act("dock", at=ALL_TIMERS))
        while state.to_app:
            state = go(state, Act("take"))
        while state.waiting:
            state = go(state, Act("write"))
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
    before: dict[Identity, tuple[Identity, Act] | None] = {identity(first): None}
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


def _way(before: dict[Identity, tuple[Identity, Act] | None], key: Identity) -> list[Act]:
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
