"""Laws of the notation: replies as text and positions as documents go both ways without loss."""

from __future__ import annotations

import json
import random

import pytest

from companion.games import game_keys
from companion.kernel import Position, Question, advance
from companion.notation.reply import format_reply, parse_reply

from .walks import walks

pytestmark = pytest.mark.parametrize("key", game_keys())


def asked(at: Position) -> list[tuple[str, str, int | None]]:
    return [(each.key, each.kind, each.seat) for each in at.questions]


def whose_turn(question: Question | None) -> int | None:
    return question.seat if question else None


def test_every_reply_can_be_written_and_read_again(key: str) -> None:
    for walk in walks(key):
        for cut in walk.cuts:
            rng = random.Random(f"{walk.seed} {cut}")
            for question in walk.positions[cut].questions:
                count = question.domain.count()
                for index in rng.sample(range(count), min(3, count)):
                    reply = question.domain.at(index)
                    assert parse_reply(question.kind, format_reply(reply)) == reply


def test_every_position_can_be_written_and_opened_again(key: str) -> None:
    for walk in walks(key):
        for cut in walk.cuts:
            at = walk.positions[cut]
            document = walk.game.write(at)
            again = walk.game.open(json.loads(json.dumps(document)), walk.setup)
            assert walk.game.write(again) == document, (walk.seed, cut)
            assert again.state == at.state, (walk.seed, cut)
            assert again.agenda == at.agenda, (walk.seed, cut)


def test_saving_and_loading_keeps_the_questions_and_whose_turn_it_is(key: str) -> None:
    for walk in walks(key):
        for cut in walk.cuts:
            at = walk.positions[cut]
            again = walk.game.open(walk.game.write(at), walk.setup)
            assert asked(again) == asked(at), (walk.seed, cut)
            assert whose_turn(again.question) == whose_turn(at.question)
            domains = zip(again.questions, at.questions, strict=True)
            assert all(mine.domain == its.domain for mine, its in domains), (walk.seed, cut)


def test_a_loaded_game_goes_on_as_the_saved_one(key: str) -> None:
    for walk in walks(key):
        for cut in walk.cuts:
            if cut == len(walk.answers):
                continue
            again = walk.game.open(walk.game.write(walk.positions[cut]), walk.setup)
            after = advance(again, walk.answers[cut])
            assert isinstance(after, Position), (walk.seed, cut, after)
            assert after.told == walk.positions[cut + 1].told, (walk.seed, cut)
            assert after.same_table(walk.positions[cut + 1]), (walk.seed, cut)
