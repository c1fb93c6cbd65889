"""Seeded random games: every game of the folder, under changing editions and options."""

from __future__ import annotations

import os
import random
from functools import cache

import msgspec

from companion.games import load_game, plausible_player
from companion.kernel import Answer, Game, Position, Question, Reply, Setup, advance
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.sets.owner import standard_set

GAMES = 300
WHOLE = 10
"""The first games are looked at after every answer, the others at five random cuts."""
LONGEST = 2000
LONG_GAMES = {"realm_of_wonder": (40, 3)}
"""Games whose walks are so long that only so many are made and looked at whole, unless all are asked for:

    COMPANION_ALL_WALKS=1 pytest tests/conformance -k realm_of_wonder
"""


class Walk(msgspec.Struct, frozen=True):
    """A random game: what it began with, each answer, and the position before and after each."""

    game: Game
    setup: Setup
    seed: int
    answers: tuple[Answer, ...]
    positions: tuple[Position, ...]

    @property
    def cuts(self) -> list[int]:
        """How many answers were given at the points to look at."""
        every = range(len(self.positions))
        if self.seed < many(self.game.key)[1]:
            return list(every)
        return sorted(random.Random(self.seed).sample(every, min(5, len(every))))


@cache
def walks(key: str) -> tuple[Walk, ...]:
    return tuple(walk(key, seed) for seed in range(many(key)[0]))


def many(key: str) -> tuple[int, int]:
    """Return how many walks of a game are made, and how many of them are looked at whole."""
    return (GAMES, WHOLE) if "COMPANION_ALL_WALKS" in os.environ else LONG_GAMES.get(key, (GAMES, WHOLE))


def walk(key: str, seed: int) -> Walk:
    """Play one game to its end; offers are taken about every second time.

    Where chance alone would never come to an end, every second answer is that of the game's own player.
    """
    rng = random.Random(f"{key} {seed}")
    game = load_game(key)
    setup = random_setup(game, rng)
    at = game.start(setup)
    answers: list[Answer] = []
    positions = [at]
    plausible = plausible_player(key)
    while not at.is_over and len(answers) < LONGEST:
        if plausible and rng.random() < 0.5:
            answer = plausible(at, rng.choice)
        else:
            question = random_question(at, rng)
            answer = Answer(question.key, random_reply(question, rng))
        after = advance(at, answer)
        assert isinstance(after, Position), (seed, answer, after)
        at = after
        answers.append(answer)
        positions.append(at)
    return Walk(game, setup, seed, tuple(answers), tuple(positions))


def random_setup(game: Game, rng: random.Random) -> Setup:
    """An edition by chance, every fourth option by chance instead, with the game's proxies if it has some."""
    rulebook = load_rulebook(game.key)
    explicit = {
        name: rng.choice(option.values).value for name, option in rulebook.options.items() if rng.random() < 0.25
    }
    options = resolve(rulebook, rng.choice(list(rulebook.editions)), explicit)
    seats = tuple("ABCDEF"[: rng.randint(*game.seats)])
    return Setup(options, seats, standard_set(game.key).cards)


def random_question(at: Position, rng: random.Random) -> Question:
    due = at.question
    offers = at.offers
    if offers and (due is None or rng.random() < 0.5):
        return rng.choice(offers)
    assert due is not None
    return rng.choice([each for each in at.questions if each not in offers])


def random_reply(question: Question, rng: random.Random) -> Reply:
    # Not a list: six dice can show millions of things.
    return question.domain.at(rng.randrange(question.domain.count()))
