"""Laws of every game, over seeded random games."""

from __future__ import annotations

import copy
import random

import pytest

from companion.games import game_keys
from companion.kernel import (
    Answer,
    Chosen,
    Citation,
    Confirmed,
    Counted,
    Moved,
    Placed,
    Position,
    Refusal,
    Reply,
    Rolled,
    Turned,
    advance,
    replay,
)
from companion.rulebook.load import load_rulebook

from .walks import Walk, walks

pytestmark = pytest.mark.parametrize("key", game_keys())


def test_every_game_ends(key: str) -> None:
    for walk in walks(key):
        assert walk.positions[-1].is_over, walk.seed
        assert walk.positions[-1].question is None


def test_every_question_and_offer_can_be_answered(key: str) -> None:
    for walk in walks(key):
        for cut in walk.cuts:
            at = walk.positions[cut]
            assert at.is_over == (at.question is None)
            names = [each.key for each in at.questions]
            assert len(set(names)) == len(names), (walk.seed, cut, names)
            for question in at.questions:
                assert next(iter(question.domain), None) is not None, (walk.seed, cut, question.key)


def test_an_answer_never_changes_the_position_it_was_given_in(key: str) -> None:
    for walk in walks(key):
        for cut in walk.cuts[:-1]:
            at = walk.positions[cut]
            before = copy.deepcopy((walk.game.write(at), at.agenda, at.told))
            advance(at, walk.answers[cut] if cut < len(walk.answers) else walk.answers[-1])
            assert (walk.game.write(at), at.agenda, at.told) == before, (walk.seed, cut)


def test_replaying_the_answers_gives_the_same_game_so_undo_is_a_shorter_list(key: str) -> None:
    for walk in walks(key):
        start = at = walk.game.start(walk.setup)
        cuts = {*walk.cuts, len(walk.answers)}
        for cut, answer in enumerate((*walk.answers, None)):
            if cut in cuts:
                assert at.same_table(walk.positions[cut]), (walk.seed, cut)
                assert at.told == walk.positions[cut].told
            if answer is not None:
                at = advance(at, answer)
                assert isinstance(at, Position)
        again = replay(start, walk.answers)
        assert isinstance(again, Position)
        assert again.same_table(at), walk.seed


def test_everything_that_is_said_is_cited_by_articles_of_the_rulebook(key: str) -> None:
    rulebook = load_rulebook(key)
    known = {*rulebook.articles, *(option.id for option in rulebook.options.values())}

    def check(cites: tuple[Citation, ...], what: object) -> None:
        assert cites, what
        assert {each.article for each in cites} <= known, what
        assert len(set(cites)) == len(cites), what

    for walk in walks(key):
        for cut in walk.cuts:
            at = walk.positions[cut]
            for ruled in at.told:
                check(ruled.cites, ruled)
            for question in at.questions:
                check(question.cites, question)
            for due in at.agenda:
                check(due.cites, due)
            for refusal in refusals(walk, cut):
                check(refusal.cites, refusal)


def test_a_reply_is_allowed_just_when_it_is_in_the_domain(key: str) -> None:
    """Tried with options of the question itself, and with replies that fitted elsewhere in the game."""
    allowed = refused = 0
    for walk in walks(key):
        for cut in walk.cuts:
            at = walk.positions[cut]
            rng = random.Random(f"{walk.seed} {cut}")
            for question in at.questions:
                count = question.domain.count()
                for index in rng.sample(range(count), min(4, count)):
                    reply = question.domain.at(index)
                    after = advance(at, Answer(question.key, reply))
                    assert isinstance(after, Position), (walk.seed, cut, question.key, reply, after)
                    allowed += 1
                for other in [*elsewhere(walk, rng), *mutants(question.domain.at(0), rng)]:
                    reply = other
                    if isinstance(reply, Placed) and Placed(reply.piece, reply.slot) in question.domain:
                        # The domain says "as the rules demand"; whether a stated turn is that is not its business.
                        reply = Placed(reply.piece, reply.slot)
                    after = advance(at, Answer(question.key, reply))
                    inside = reply in question.domain
                    assert isinstance(after, Position) == inside, (walk.seed, cut, question.key, reply, after)
                    refused += not inside
    assert allowed > 1000
    assert refused > 1000


def test_a_refused_answer_leaves_no_trace(key: str) -> None:
    tried = 0
    for walk in walks(key):
        for cut in walk.cuts:
            at = walk.positions[cut]
            before = (walk.game.write(at), at.agenda, at.told, [each.key for each in at.questions])
            tried += len(refusals(walk, cut))
            assert (walk.game.write(at), at.agenda, at.told, [each.key for each in at.questions]) == before
    assert tried > 1000


def test_a_piece_lies_in_one_place_and_comes_into_play_by_an_answer(key: str) -> None:
    for walk in walks(key):
        for cut in walk.cuts:
            state = walk.positions[cut].state
            scene, places = walk.game.scene(state), walk.game.pieces(state)
            lying = [each.piece for each in scene.values() if each.piece and each.piece not in walk.game.alike]
            assert len(set(lying)) == len(lying), (walk.seed, cut)
            assert all(places[scene[slot].piece] == slot for slot in scene if scene[slot].piece in lying), (
                walk.seed,
                cut,
            )
            if cut:
                before = walk.game.pieces(walk.positions[cut - 1].state)
                named = str(walk.answers[cut - 1].reply)
                assert all(repr(piece) in named for piece in places.keys() - before.keys()), (walk.seed, cut)


def test_the_board_and_the_status_can_be_drawn_everywhere(key: str) -> None:
    for walk in walks(key):
        for cut in walk.cuts:
            at = walk.positions[cut]
            board = walk.game.board(at)
            keys = [cell.key for cell in board.cells]
            assert len(set(keys)) == len(keys)
            assert {slot for slot, lying in walk.game.scene(at.state).items()} <= set(keys)
            assert walk.game.score(at.state)


def refusals(walk: Walk, cut: int) -> list[Refusal]:
    """What the position says to replies that do not fit, and to a question that nobody asked."""
    at = walk.positions[cut]
    rng = random.Random(f"refused {walk.seed} {cut}")
    tried = [Answer("no such question", walk.answers[0].reply)]
    for question in at.questions:
        replies = [*elsewhere(walk, rng), *mutants(question.domain.at(0), rng)]
        tried += [Answer(question.key, reply) for reply in replies]
    return [after for answer in tried if isinstance(after := advance(at, answer), Refusal)]


def elsewhere(walk: Walk, rng: random.Random) -> list[Reply]:
    """Replies that fitted at other moments of the game."""
    return [answer.reply for answer in rng.sample(walk.answers, min(6, len(walk.answers)))]


def mutants(reply: Reply, rng: random.Random) -> list[Reply]:
    """Replies like this one with one thing changed to something possible, impossible or unheard of."""
    slots = [f"{row}{rng.randint(0, 6)}" for row in "ABRX"]
    match reply:
        case Placed(piece, slot):
            return [*(Placed(piece, other) for other in slots), Placed("nobody", slot), Placed(slot, piece)]
        case Moved(start, end, swap):
            ends = [Moved(start, other, swap) for other in slots] + [Moved(other, end, swap) for other in slots]
            return [*ends, Moved(end, start, swap), Moved(start, end, not swap), Moved(start, start, swap)]
        case Turned():
            return [Turned(other) for other in slots]
        case Chosen(picks):
            return [Chosen(()), Chosen((*picks, *picks)), Chosen(picks[::-1]), Chosen(("nobody",) * len(picks))]
        case Counted():
            return [Counted(number) for number in (-1, 0, 1, 9, 10, 99)]
        case Rolled(faces):
            return [Rolled(()), Rolled((*faces, "1")), Rolled(("seven",) * len(faces)), Rolled(faces[::-1])]
        case Confirmed(yes):
            return [Confirmed(not yes)]
        case _:
            return []
