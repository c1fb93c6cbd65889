"""How fast a table is understood: scenes with several changes at once, and a journal opened again.

Times are wall-clock times of one thread on a machine that may be busy with other things.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Mapping
from typing import Any

from companion.bench.engine import random_game
from companion.bootstrap import new_header, seat_session, setup_for
from companion.games import load_game
from companion.journal.entry import AnswerEntry, Entry
from companion.kernel import Answer, Game, Lying, Placed, Position, Refusal, Rolled, advance
from companion.notation.reply import format_reply
from companion.rulebook.article import RECONCILED
from companion.sets.owner import CardSet, proxy_set
from companion.table.asking import lapsed, same_in_the_end
from companion.table.looks import Look
from companion.table.policy import Policy
from companion.table.reconcile import Explanation, Reconciled, reconcile

GAME = "allies"
CHANGES = 4
SCENES = 400


class NoStore:
    """Keeps nothing: for sessions that are only opened."""

    def append(self, entry: Entry) -> int:
        raise RuntimeError(f"nothing is to be written here: {entry}")


def measure(games: int = 60, scenes: int = SCENES) -> dict[str, Any]:
    """Return the figures of the table as a mapping ready for JSON; latencies in milliseconds."""
    game, cards = load_game(GAME), proxy_set(GAME)
    setup = setup_for(GAME, RECONCILED, {}, ("A", "B"), cards)
    rng = random.Random(0)  # noqa: S311  the same games every time
    found: list[tuple[float, Reconciled, Position]] = []
    longest: list[Answer] = []
    tries = 0
    while len(found) < scenes or tries < games:
        start, _, answers, _ = random_game(game, setup, rng)
        longest = max(longest, answers, key=len)
        tries += 1
        for before, after, looks in several_changes(game, start, answers, rng):
            began = time.perf_counter()
            reconciled = reconcile(game, (Explanation((), before, {}),), looks, Policy().search_nodes)
            found.append((1000 * (time.perf_counter() - began), reconciled, after))
    times = [spent for spent, _, _ in found]
    return {
        "scenes": len(found),
        "changed_slots": CHANGES,
        "reconcile_p50_ms": round(statistics.median(times), 1),
        "reconcile_p95_ms": round(statistics.quantiles(times, n=20)[18], 1),
        "reconcile_longest_ms": round(max(times), 1),
        "truth_among_explanations": sum(_holds(each, after) for _, each, after in found),
        "people_would_be_asked": sum(_asked(each) for _, each, _ in found),
        "out_of_budget": sum(each.exhausted for _, each, _ in found),
        **_opened_again(cards, longest),
    }


def several_changes(
    game: Game, start: Position, answers: list[Answer], rng: random.Random
) -> list[tuple[Position, Position, Mapping[str, Look]]]:
    """Return pairs of positions of a game that differ in `CHANGES` slots, with the looks of the later one.

    In between lie only acts that a camera can see, and no card that was covered before anybody looked:
    that one no picture shows. One pair from each place of the game at most.
    """
    positions, scenes = [start], [game.scene(start.state)]
    for position in _played(start, answers):
        positions.append(position)
        scenes.append(game.scene(position.state))
    pairs: list[tuple[Position, Position, Mapping[str, Look]]] = []
    at = rng.randrange(4)
    while at < len(answers):
        until = at
        while until < len(answers) and _visible(positions[until], answers[until]):
            until += 1
            lie = {lying.piece for lying in scenes[until].values()}
            laid = {answer.reply.piece for answer in answers[at:until] if isinstance(answer.reply, Placed)}
            if laid <= lie and len(_differing(scenes[at], scenes[until])) == CHANGES:
                pairs.append((positions[at], positions[until], looks_of(game, scenes[until])))
                break
        at = max(until, at + 1)
    return pairs


def looks_of(game: Game, scene: Mapping[str, Lying]) -> dict[str, Look]:
    """Return what a camera with perfect sight makes of a scene."""
    slots = [f"{row}{column}" for row in game.rows for column in range(1, game.columns + 1)]
    return {
        slot: Look(slot, (scene[slot].piece,), min(scene[slot].turns)) if slot in scene else Look(slot)
        for slot in slots
    }


def _played(start: Position, answers: list[Answer]) -> list[Position]:
    positions: list[Position] = []
    at = start
    for answer in answers:
        after = advance(at, answer)
        if isinstance(after, Refusal):
            raise RuntimeError(f"{answer} was played and is refused now: {after}")
        positions.append(after)
        at = after
    return positions


def _visible(position: Position, answer: Answer) -> bool:
    question = next(question for question in position.questions if question.key == answer.to)
    return question.kind in ("place", "move", "turn")


def _differing(one: Mapping[str, Lying], other: Mapping[str, Lying]) -> list[str]:
    return [slot for slot in {*one, *other} if one.get(slot) != other.get(slot)]


def _holds(found: Reconciled, after: Position) -> bool:
    return any(lapsed(each.position).state == lapsed(after).state for each in found.explanations)


def _asked(found: Reconciled) -> bool:
    return found.exhausted or (len(found.explanations) > 1 and not same_in_the_end(found.explanations))


def _opened_again(cards: CardSet, answers: list[Answer]) -> dict[str, Any]:
    """Return how long a session takes to be opened from the journal of the longest game."""
    header = new_header(load_game(GAME), ("A", "B"), cards)
    source = {Rolled: "dice"}
    entries: tuple[Entry, ...] = tuple(
        AnswerEntry(to=a.to, reply=format_reply(a.reply), source="dice" if type(a.reply) in source else "camera")
        for a in answers
    )
    times: list[float] = []
    for _ in range(7):
        began = time.perf_counter()
        session = seat_session(header, NoStore(), entries, cards)
        times.append(1000 * (time.perf_counter() - began))
    if not session.is_over:
        raise RuntimeError("the longest game did not come to its end again")
    return {"journal_entries": len(entries), "journal_opened_ms": round(statistics.median(times), 1)}
