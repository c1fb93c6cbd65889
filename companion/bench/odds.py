"""How fast the odds of a row of villagers are reckoned, and how exactly.

The dice are our proxies' and, harder, dice each with another net. What is kept from one question to
the next is thrown away before each row, so that every figure is that of a row nobody has seen.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence
from math import comb
from typing import Any

from companion.bootstrap import setup_for
from companion.games import load_game
from companion.kernel import Game, Rolling, Setup
from companion.odds import chance_of, chances
from companion.odds.best import forget
from companion.rulebook.article import RECONCILED
from companion.sets.owner import proxy_set

GAME = "king_of_the_dice"
ROWS = 60
SLOWEST = ("orc-5", "elves-3", "elves-5", "hypnotist-1", "dragon-2")
"""Five villagers that all look at the numbers: the largest states there are."""
LEFT = {"before_the_first_roll": 3, "from_the_first_roll": 2, "from_the_second_roll": 1}
Net = tuple[str, ...]


def measure() -> dict[str, Any]:
    """Return milliseconds for all five cards of a row, by rolls left, and how far the odds are from a closed form."""
    game = load_game(GAME)
    setup = setup_for(GAME, RECONCILED, {}, ("A", "B"), proxy_set(GAME))
    rng = random.Random(0)  # noqa: S311  the same rows every time
    villagers = list(game.start(setup).state.box.villagers)
    random_rows = [rng.sample(villagers, 5) for _ in range(ROWS)]
    colours = ("red", "green", "blue")
    odd = tuple(tuple(f"{rng.choice(colours)}-{rng.randint(1, 6)}" for _ in range(6)) for _ in range(6))
    return {
        "rows": ROWS,
        "our_dice_ms": {name: _times(game, setup, random_rows, left, rng) for name, left in LEFT.items()},
        "our_dice_slowest_row_ms": {
            name: _times(game, setup, [SLOWEST] * 10, left, rng) for name, left in LEFT.items()
        },
        "six_different_nets_slowest_row_ms": {
            name: _times(game, setup, [SLOWEST] * 10, left, rng, odd) for name, left in LEFT.items()
        },
        "largest_error_against_binomials": _error(game, setup),
    }


def _times(
    game: Game,
    setup: Setup,
    rows: Sequence[Sequence[str]],
    left: int,
    rng: random.Random,
    nets: tuple[Net, ...] | None = None,
) -> dict[str, float]:
    fresh: list[float] = []
    again: list[float] = []
    for row in rows:
        rolling = game.rolling(game.open({"row": list(row)}, setup).state)
        if rolling is None:
            raise RuntimeError("the proxies have dice, and the game states no goals")
        dice = nets or rolling.dice
        faces = () if left == 3 else tuple(rng.choice(net) for net in dice)
        rolling = Rolling(dice, faces, left, rolling.goals)
        forget()
        for spent in (fresh, again):
            began = time.process_time()
            chances(rolling)
            spent.append(1000 * (time.process_time() - began))
    return {
        "median": round(statistics.median(fresh), 2),
        "worst": round(max(fresh), 2),
        "seen_before": round(statistics.median(again), 2),
    }


def _error(game: Game, setup: Setup) -> float:
    """Return the largest difference to the binomials that dwarfs have on dice with each number once."""
    state = game.start(setup).state
    worst = 0.0
    for villager in state.box.villagers.values():
        if villager.kind != "dwarf":
            continue
        for rolls in (1, 2, 3, 4):
            hit = 1 - (5 / 6) ** rolls
            exact = sum(comb(6, k) * hit**k * (1 - hit) ** (6 - k) for k in range(villager.condition.count, 7))
            worst = max(worst, abs(chance_of(villager.condition, state.box.dice, (), rolls)[0] - exact))
    return worst
