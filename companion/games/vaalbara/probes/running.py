"""Letting the game's own steps run on a stated table, and reading off what they told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.vaalbara.effects import PointsGained
from companion.games.vaalbara.probes.tables import key_of, land_at
from companion.games.vaalbara.state import Continent
from companion.games.vaalbara.stated import LandOf
from companion.games.vaalbara.steps.taking import LandAction
from companion.kernel import Answer, Chosen, NotationError, Position, Refusal, Reply, Step, advance, open_position

Replies = Mapping[str, Sequence[Reply]]
"""By the key of a question: the replies to it, one after the other."""


def run(state: Continent, steps: Sequence[Step[Any]], replies: Replies) -> Position:
    """Let steps run and answer what they ask, as long as the case says how."""
    at = open_position(state, [(step, ()) for step in steps])
    given = {key: list(each) for key, each in replies.items()}
    while at.question is not None and given.get(at.question.key):
        at = answered(at, Answer(at.question.key, given[at.question.key].pop(0)), at.told)
    return at


def answered(at: Position, answer: Answer, told: tuple[Any, ...]) -> Position:
    after = advance(at, answer)
    if isinstance(after, Refusal):
        cites = " ".join(map(str, after.cites))
        values = dict(after.text.values)
        found, allowed = values.get("found", answer.reply), values.get("allowed", "another answer")
        raise NotationError(f"{answer.to}: found {found}, expected {allowed} ({cites})")
    return replace(after, told=(*told, *after.told))


def taken(state: Continent, land: LandOf, name: str = "new", is_paid: bool = True) -> Position:
    """Let the active player take a land that lies in the first row."""
    key = key_of(land, name, is_paid)
    row = (*(each for each in state.first if each is not None), key)
    return run(replace(state, first=row), (LandAction(),), {"take": [Chosen((key,))]})


def taken_from(state: Continent, place: int) -> Position:
    return run(state, (LandAction(),), {"take": [Chosen((land_at(state.first, place),))]})


def points_of(at: Position, seat: int | None = None) -> int:
    return sum(gained(at, seat))


def gained(at: Position, seat: int | None = None, why: tuple[str, ...] = ()) -> list[int]:
    return [
        ruled.effect.points
        for ruled in at.told
        if isinstance(ruled.effect, PointsGained)
        and seat in (None, ruled.effect.seat)
        and (not why or ruled.effect.why in why)
    ]


def types_of(state: Continent, row: Iterable[str | None]) -> list[str]:
    return [state.box.known(key).type for key in row if key is not None]
