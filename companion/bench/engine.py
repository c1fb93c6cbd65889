"""How fast the rules run: random duels, with every option written down and every effect cited.

Times are processor time of this process, so that a busy machine spoils them less. python-chess plays
random games beside it where it is installed (it is no dependency: decision record 0011).
"""

from __future__ import annotations

import random
import statistics
import time
from importlib.util import find_spec
from typing import Any

from companion.bootstrap import setup_for
from companion.games import load_game
from companion.kernel import Answer, Game, Position, Refusal, Setup, advance, replay
from companion.rulebook.article import RECONCILED
from companion.sets.owner import proxy_set

GAME = "allies"
TAKE_AN_OFFER = 0.7


def random_game(game: Game, setup: Setup, rng: random.Random) -> tuple[Position, Position, list[Answer], list[float]]:
    """Play one game by random answers; return start, end, the answers and the seconds of each.

    Every option of every open question is enumerated before one is chosen, every effect's citations
    are read.
    """
    start = at = game.start(setup)
    answers: list[Answer] = []
    seconds: list[float] = []
    while not at.is_over:
        began = time.perf_counter()
        open_ = [(question.key, list(question.domain)) for question in at.questions]
        chosen = rng.randrange(len(open_)) if rng.random() < TAKE_AN_OFFER else 0
        answer = Answer(open_[chosen][0], rng.choice(open_[chosen][1]))
        after = advance(at, answer)
        if isinstance(after, Refusal) or not all(ruled.cites for ruled in after.told):
            raise RuntimeError(f"{answer} was offered and then refused or not cited: {after}")
        at = after
        seconds.append(time.perf_counter() - began)
        answers.append(answer)
    return start, at, answers, seconds


def measure(games: int = 60) -> dict[str, Any]:
    """Return the figures of the engine as a mapping ready for JSON."""
    game, cards = load_game(GAME), proxy_set(GAME)
    tribes = ("cyclops", "yeti", "gnome", "wizard", "golem", "troll")
    rng = random.Random(0)  # noqa: S311  the same games every time
    longest: tuple[Position, list[Answer]] | None = None
    early: list[float] = []
    late: list[float] = []
    decisions, spent = 0, 0.0
    moves, chess_spent = 0, 0.0
    chess_rng = random.Random(0)  # noqa: S311  the same games every time
    setup = setup_for(GAME, RECONCILED, {}, ("A", "B"), cards)
    for number in range(games):
        own = rng.sample(tribes, 4)
        stated = {"tribes": {"A": own[:2], "B": own[2:]}, "starter": rng.choice("AB")}
        began = time.process_time()
        start, _, answers, seconds = random_game(game, Setup(setup.options, setup.seats, setup.faces, stated), rng)
        spent += time.process_time() - began
        decisions += len(answers)
        quarter = len(seconds) // 4
        early += seconds[:quarter]
        late += seconds[-quarter:]
        if number % 6 == 0 and find_spec("chess") is not None:
            # In turn with ours, so that whatever else the machine does hits both alike.
            began = time.process_time()
            moves += _chess_game(chess_rng)
            chess_spent += time.process_time() - began
        if longest is None or len(answers) > len(longest[1]):
            longest = (start, answers)
    figures: dict[str, Any] = {
        "games": games,
        "decisions": decisions,
        "decisions_per_second": round(decisions / spent),
        "last_quarter_over_first": round(statistics.median(late) / statistics.median(early), 2),
    }
    if longest is not None:
        began = time.process_time()
        replay(longest[0], longest[1])
        figures["longest_game_answers"] = len(longest[1])
        figures["longest_game_replay_ms"] = round(1000 * (time.process_time() - began), 2)
    if moves:
        figures["python_chess_decisions_per_second"] = round(moves / chess_spent)
        figures["ratio_to_python_chess"] = round(decisions / spent / (moves / chess_spent), 2)
    else:
        figures["python_chess"] = "not run: it is not installed here; .venv/bin/pip install -e '.[peers]' to compare"
    return figures


def _chess_game(rng: random.Random) -> int:
    """Play a random game of chess and return its moves."""
    import chess

    board, moves = chess.Board(), 0
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
        moves += 1
    return moves
