"""Whether random games hold the laws of every game: replay, undo, save and load, refusals, citations.

The games change their number of players and a quarter of the options; they are played by chance,
with our proxies where a game has some. Where chance alone would walk for hundreds of rounds, every
other answer is one of the game's own player, who goes for the end. Five positions of each are looked
at closely.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from companion.games import load_game, plausible_player
from companion.kernel import (
    Answer,
    Chosen,
    Game,
    Moved,
    Ordered,
    Placed,
    Position,
    Refusal,
    Rolled,
    Setup,
    advance,
    replay,
)
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.sets.owner import standard_set

SEATS = "ABCDEF"
LOOKS = 5
"""How many positions of a game are looked at closely."""
LONGEST = 5000
"""The most answers of a game; one that is not at its end by then counts as `not_over`."""
TOWARDS_THE_END = 0.5
"""How often the game's own player answers, where there is one; else chance alone does."""
_WRONG = (
    Chosen(()),
    Chosen(("no such piece",)),
    Placed("no such piece", "nowhere"),
    Moved("nowhere", "nowhere", True),
    Rolled(("no such face",) * 7),
    Ordered(("no such piece",)),
)
"""Replies that no question of any game takes."""


def measure(game: str, games: int = 300) -> dict[str, Any]:
    """Return how much was played and looked at, as a mapping ready for JSON.

    :raises RuntimeError: for a game that breaks a law, with its seed.
    """
    counts = Counter[str]()
    for seed in range(games):
        counts.update(_hold(load_game(game), seed))
    return {"game": game, "games": games, **dict(sorted(counts.items()))}


def _hold(game: Game, seed: int) -> Iterator[str]:
    """Play one game and hold it to the laws; yield a word for each thing that was counted."""
    rng = random.Random(f"laws {seed}")  # noqa: S311  the same games every time
    setup = _setup(game, rng)
    rulebook = load_rulebook(game.key)
    known = {*rulebook.articles, *(option.id for option in rulebook.options.values())}
    given, positions = _play(game, game.start(setup), rng)
    yield "over" if positions[-1].is_over else "not_over"
    yield from ("answers",) * len(given)
    for number, at in enumerate(positions):
        _cited(at, known, f"{game.key}, game {seed}, answer {number}")
    for number in (*rng.sample(range(len(positions)), min(LOOKS, len(positions))), len(given)):
        where = f"{game.key}, game {seed}, answer {number}"
        _same(_replayed(positions[0], given[:number], where), positions[number], f"{where}: replayed or undone")
        _saved(game, positions[number], setup, where)
        yield from ("refusals",) * _refused(game, positions[number], known, where)
        yield "positions_looked_at"


def _setup(game: Game, rng: random.Random) -> Setup:
    rulebook, (least, most) = load_rulebook(game.key), game.seats
    explicit = {each.name: rng.choice(each.values).value for each in rulebook.options.values() if rng.random() < 0.25}
    seats = tuple(SEATS[: rng.randint(least, most)])
    return Setup(resolve(rulebook, explicit=explicit), seats, standard_set(game.key).cards)


def _play(game: Game, start: Position, rng: random.Random) -> tuple[list[Answer], list[Position]]:
    plausible = plausible_player(game.key)
    given: list[Answer] = []
    positions = [start]
    while not positions[-1].is_over and len(given) < LONGEST:
        if plausible is not None and rng.random() < TOWARDS_THE_END:
            answer = plausible(positions[-1], rng.choice)
        else:
            open_ = [(question, question.domain.count()) for question in positions[-1].questions]
            question, count = rng.choice([each for each in open_ if each[1]])
            answer = Answer(question.key, question.domain.at(rng.randrange(count)))
        after = advance(positions[-1], answer)
        if isinstance(after, Refusal):
            raise RuntimeError(f"{answer} was offered and is refused: {after}")
        given.append(answer)
        positions.append(after)
    return given, positions


def _cited(at: Position, known: set[str], where: str) -> None:
    cites = [ruled.cites for ruled in at.told] + [question.cites for question in at.questions]
    if not all(cites) or not {cited.article for each in cites for cited in each} <= known:
        raise RuntimeError(f"{where}: something is cited by no article")


def _replayed(start: Position, given: Sequence[Answer], where: str) -> Position:
    again = replay(start, given)
    if not isinstance(again, Position):
        raise RuntimeError(f"{where}: an answer that was taken is refused when the game is replayed")
    return again


def _same(one: Position, other: Position, what: str) -> None:
    if not one.same_table(other):
        raise RuntimeError(f"{what}, it is another position")


def _saved(game: Game, at: Position, setup: Setup, where: str) -> None:
    again = game.open(json.loads(json.dumps(game.write(at))), setup)
    if again.state != at.state or again.agenda != at.agenda or game.write(again) != game.write(at):
        raise RuntimeError(f"{where}: the position is another one when it is saved and loaded")


def _refused(game: Game, at: Position, known: set[str], where: str) -> int:
    """Give answers that nobody asked for, and wrong ones to what is asked; return how many there were."""
    before = game.write(at)
    answers = [
        Answer(question.key, reply) for question in at.questions for reply in _WRONG if reply not in question.domain
    ]
    answers.append(Answer("no such question", Chosen(())))
    for answer in answers:
        refused = advance(at, answer)
        if not isinstance(refused, Refusal):
            raise RuntimeError(f"{where}: {answer} is not refused")
        if not refused.cites or not {each.article for each in refused.cites} <= known:
            raise RuntimeError(f"{where}: the refusal of {answer} is cited by no article")
    if game.write(at) != before:
        raise RuntimeError(f"{where}: a refusal has left a trace")
    return len(answers)
