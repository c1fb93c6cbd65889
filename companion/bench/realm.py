"""Realm of Wonder: how fast the books are kept, and whether random games hold the laws.

Times are processor time of this process. The games are played with and without the proxies' board.
"""

from __future__ import annotations

import json
import random
import time
import tomllib
from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.games import load_game
from companion.games.realm_of_wonder.payoff import counter, score
from companion.games.realm_of_wonder.pieces import FORT_DISCS, PRINTED_TILES
from companion.games.realm_of_wonder.player import plausible
from companion.games.realm_of_wonder.state import Realm
from companion.kernel import UNKNOWN, Answer, Chosen, Position, Refusal, Setup, advance, replay
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.sets.owner import PROXIES

GAME = "realm_of_wonder"
ROUNDS = 60
WHOLE = 10
LONGEST = 25_000
"""Where the movement cards run out for good (RW-Q20), whole turns go by with the one point that can be bought."""


def measure(games: int = 300) -> dict[str, Any]:
    """Return the figures as a mapping ready for JSON.

    :raises RuntimeError: for a game that breaks a law.
    """
    figures: dict[str, Any] = {"payoff_preview_six_players_us": _preview()}
    for players in (2, 4, 6):
        figures[f"replay_{ROUNDS}_rounds_{players}_players"] = _long_game(players)
    board = {"board": tomllib.loads((PROXIES / GAME / "board.toml").read_text(encoding="utf-8"))}
    figures["laws_without_map"] = _laws(games, {})
    figures["laws_with_map"] = _laws(games, board)
    return figures


def _preview(times: int = 2000) -> float:
    setup = Setup(resolve(load_rulebook(GAME)), tuple("ABCDEF"))
    forts = {f"{seat}{number}": {"owner": seat, "height": number} for seat in "ABCDEF" for number in (1, 2, 3)}
    seats = dict(zip("ABCDEF", ("wizard", "golem", "troll", "yeti", "gnome", "cyclops"), strict=True))
    tiles = {"A": ["orb", "cursed"], "B": ["orb"], "C": ["orb"], "D": ["cursed"]}
    players = {seat: {"character": name, "mp": 9, "tiles": tiles.get(seat, [])} for seat, name in seats.items()}
    at = load_game(GAME).open(
        {"round": 2, "players": players, "forts": forts, "middle": "wizard", "innermost": "wizard"}, setup
    )
    began = time.process_time()
    for _ in range(times):
        score(at.state)
    return round((time.process_time() - began) / times * 1e6, 1)


def _long_game(players: int) -> dict[str, Any]:
    """Play so many rounds in which nobody goes for the castle, and replay them."""
    rng = random.Random(players)  # noqa: S311  the same game every time
    setup = Setup(resolve(load_rulebook(GAME)), tuple("ABCDEF"[:players]), stated={"quest": {"quest": "claim"}})
    start = at = load_game(GAME).start(setup)
    answers: list[Answer] = []
    while at.state.round <= ROUNDS:
        open_ = [q for q in at.questions if q.key not in ("quest done", "tile")]
        question = rng.choice(open_)
        domain = [reply for reply in question.domain if reply != Chosen(("castle",))]
        answer = Answer(question.key, rng.choice(domain))
        at = _after(at, answer)
        answers.append(answer)
    began = time.process_time()
    replay(start, answers)
    return {"answers": len(answers), "ms": round(1000 * (time.process_time() - began), 1)}


def _laws(games: int, faces: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Play random games under changing options; look at every answer of the first, at five of the others."""
    rulebook = load_rulebook(GAME)
    known = {*rulebook.articles, *(option.id for option in rulebook.options.values())}
    answers = looked_at = 0
    ended = Counter[str]()
    for seed in range(games):
        rng = random.Random(f"{seed}")  # noqa: S311  the same games every time
        explicit = {o.name: rng.choice(o.values).value for o in rulebook.options.values() if rng.random() < 0.25}
        setup = Setup(resolve(rulebook, explicit=explicit), tuple("ABCDEF"[: rng.randint(2, 6)]), faces)
        start, given, positions = _game(setup, rng)
        cuts = range(len(positions)) if seed < WHOLE else rng.sample(range(len(positions)), 5)
        for cut in cuts:
            _look(positions[cut], setup, known, f"game {seed}, answer {cut}")
        again = replay(start, given)
        if not isinstance(again, Position) or not again.same_table(positions[-1]):
            raise RuntimeError(f"game {seed} is another one when it is replayed")
        answers += len(given)
        looked_at += len(cuts)
        ended["over" if positions[-1].is_over else "not over"] += 1
    return {"games": games, "answers": answers, "positions_looked_at": looked_at, **ended}


def _game(setup: Setup, rng: random.Random) -> tuple[Position, list[Answer], list[Position]]:
    start = at = load_game(GAME).start(setup)
    given: list[Answer] = []
    positions = [at]
    while not at.is_over and len(given) < LONGEST:
        if rng.random() < 0.5:
            answer = plausible(at, rng.choice)
        else:
            question = rng.choice(at.questions)
            answer = Answer(question.key, rng.choice(list(question.domain)))
        at = _after(at, answer)
        given.append(answer)
        positions.append(at)
    return start, given, positions


def _after(at: Position, answer: Answer) -> Position:
    after = advance(at, answer)
    if isinstance(after, Refusal):
        raise RuntimeError(f"{answer} was possible and is refused: {after}")
    return after


def _look(at: Position, setup: Setup, known: set[str], where: str) -> None:
    """Hold one position to the laws: cited, written and opened again, pieces conserved, refusals harmless."""
    game, state = load_game(GAME), at.state
    cites = [cite for ruled in at.told for cite in ruled.cites] + [c for q in at.questions for c in q.cites]
    if not {cite.article for cite in cites} <= known or not all(ruled.cites for ruled in at.told):
        raise RuntimeError(f"{where}: something is not cited, or by no article")
    document = json.loads(json.dumps(game.write(at)))
    again = game.open(document, setup)
    if again.state != state or again.agenda != at.agenda or game.write(again) != game.write(at):
        raise RuntimeError(f"{where}: the position is another one when it is saved and loaded")
    _count(state, where)
    refused = advance(at, Answer("no such question", Chosen(())))
    if not isinstance(refused, Refusal) or not refused.cites or at.state is not state:
        raise RuntimeError(f"{where}: an answer to nothing left a trace")


def _count(state: Realm, where: str) -> None:
    """Count what the box holds so many of, wherever it is now."""
    tiles = Counter(state.tiles_out)
    if any(tiles[tile] > printed for tile, printed in PRINTED_TILES.items()):
        raise RuntimeError(f"{where}: found {tiles}, more than the box holds")
    if any(not 0 <= state.discs_left(seat) <= FORT_DISCS for seat in state.seats):
        raise RuntimeError(f"{where}: somebody has more fort discs than ten")
    if state.magic_pile is UNKNOWN or state.players[0].mp is UNKNOWN:
        return
    if state.magic_pile < 0 or any(player.mp is not UNKNOWN and player.mp < 0 for player in state.players):
        raise RuntimeError(f"{where}: cards or points came from nowhere")
    if any(counter(state, seat) != player.counter for seat, player in enumerate(state.players)):
        raise RuntimeError(f"{where}: a counter does not show the payoff")
