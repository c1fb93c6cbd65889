"""Whole evenings against their truth: seeded duels recorded, played back, compared.

A misread is *silent* if it was believed and wrong: the companion's outcome differs from the truth
although it asked nothing and objected to nothing.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from companion.bootstrap import new_header, resume
from companion.games import load_game
from companion.journal.file import Journal
from companion.sets.owner import proxy_set
from companion.simulated.playing import Playing
from companion.simulated.table import SimulatedTable
from companion.simulated.tables import eyes_for


def measure(seeds: Iterable[int] = range(1, 21)) -> dict[str, Any]:
    """Follow the evenings of `seeds` and return how many outcomes equal the truth, key by key."""
    games = {seed: follow(seed) for seed in seeds}
    keys = ("score", "won", "regions")
    return {
        "games": len(games),
        **{f"{key}_right": sum(game[key] for game in games.values()) for key in keys},
        "finished": sum(game["finished"] for game in games.values()),
        "silent_misreads": sum(game["silent"] for game in games.values()),
        "most_touches": max(game["touches"] for game in games.values()),
        "most_questions": max(game["questions"] for game in games.values()),
        "frames_per_second": round(
            sum(g["frames"] for g in games.values()) / sum(g["seconds"] for g in games.values()), 1
        ),
        "seeds": {str(seed): game for seed, game in games.items()},
    }


def follow(seed: int) -> dict[str, Any]:
    """Follow one evening and return what came out, compared with what really happened."""
    table = SimulatedTable(seed)
    cards, game = proxy_set(table.evening.game), load_game(table.evening.game)
    header = new_header(game, table.evening.names, cards, table.evening.edition)
    objections = 0
    with tempfile.TemporaryDirectory(prefix="companion-") as folder, Journal.create(Path(folder) / "j", header) as kept:
        session = resume(kept, cards)
        spent = 0.0
        with Playing(session, eyes_for(table.evening)) as playing:
            for beat in table.beats():
                began = time.process_time()
                playing.take(beat)
                spent += time.process_time() - began
                objections += bool(session.alarm)
            frames = playing.frames
    outcome = game.outcome(session.position.state)
    truth = msgspec.to_builtins(table.truth())
    right = {key: outcome[key] == truth[key] for key in truth}
    spoke = bool(session.tally.questions) or objections > 0 or not session.is_over
    return {
        **right,
        "finished": session.is_over,
        "silent": int(not all(right.values()) and not spoke),
        "touches": session.tally.touches,
        "questions": session.tally.questions,
        "corrections": session.tally.corrections,
        "beats_with_an_objection": objections,
        "frames": frames,
        "seconds": round(spent, 1),
    }
