"""A player who plays at random, but towards the King's castle: for simulated tables, measurements and laws.

Answers by chance alone would walk for hundreds of rounds. This player reveals tiles, goes where tiles
and monsters lie, and heads for the castle with the means to enter it; all else is left to chance.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.pieces import MONSTERS, ORBS
from companion.games.realm_of_wonder.state import Realm
from companion.games.realm_of_wonder.steps.arriving import WITH
from companion.games.realm_of_wonder.steps.towers import tiles_left
from companion.kernel import Answer, Chosen, Moved, Position, Question, Reply

Pick = Callable[[Sequence[Any]], Any]
"""Picks one of several things by chance, as `random.Random.choice` does."""

_EAGER = ("quest done", "tile")
_PRIZES = (*ORBS, *MONSTERS)
"""What wins in the end: whoever can take one of these takes it."""
_DULL = ("extra", "vortex", "ability", "whirlpool", "spin")
"""Offers that cost what a walk to the castle needs, and are left to one chance in four."""


def plausible(at: Position, pick: Pick) -> Answer:
    """Return an answer to the due question or an offer of the position, possible by its domain."""
    asked = {question.key: question for question in at.questions}
    for key in _EAGER:
        if key in asked:
            return _any(asked[key], pick)
    if "step" in asked and (towards := _towards(at.state, asked["step"])) and pick((True, True, True, False)):
        return Answer("step", towards)
    offers = [o for o in at.offers if o.key not in _DULL or pick((True, False, False, False))]
    due = at.question
    if offers and (due is None or pick((True, False))):
        return _any(pick(offers), pick)
    return _any(asked[due.key], pick) if due is not None else _any(pick(offers), pick)


def _any(question: Question, pick: Pick) -> Answer:
    replies = list(question.domain)
    prizes = [r for r in replies if isinstance(r, Chosen) and r.picks and r.picks[0].endswith(_PRIZES)]
    return Answer(question.key, pick(prizes or replies))


def _towards(state: Realm, step: Question) -> Reply | None:
    """Return the step that brings the player in turn nearer to where there is something to win."""
    walk = state.walk
    if walk is None:
        return None
    may_enter = next(places.means_to_enter(state, walk.seat), None) is not None
    if state.board is None:
        names = ("castle",) if may_enter else ("tower",) if tiles_left(state) else (WITH, places.LAIR)
        return next((r for r in step.domain if isinstance(r, Chosen) and r.picks[0].startswith(names)), None)
    here = state.players[walk.seat].at
    goals = state.board.of("castle") if may_enter else _worth_a_visit(state)
    nearest = _distances(state, goals)
    ends = [reply for reply in step.domain if isinstance(reply, Moved)]
    best = min(ends, key=lambda reply: nearest.get(reply.end, 99), default=None)
    return best if best is not None and nearest.get(best.end, 99) < nearest.get(here, 99) else None


def _worth_a_visit(state: Realm) -> tuple[str, ...]:
    """Return where tiles and monsters lie; once there are no more, where players with spoils stand."""
    assert state.board is not None  # noqa: S101  asked only where there is a map
    found = (*(place for place in state.board.of("tower") if places.has_tile(state, place)), *state.monsters)
    return found or tuple(player.at for player in state.players if player.tiles)


def _distances(state: Realm, goals: Sequence[str]) -> dict[str, int]:
    """Return how many steps each space is from the nearest goal, water and walls respected."""
    found = dict.fromkeys(goals, 0)
    open_ = deque(goals)
    while open_:
        place = open_.popleft()
        for other, barrier in places.edges(state, place).items():
            if not barrier and other not in found:
                found[other] = found[place] + 1
                open_.append(other)
    return found
