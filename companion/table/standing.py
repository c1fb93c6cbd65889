"""How the table stands, offered as an answer: nobody need tap what can be seen.

At set-up a disc stands somewhere before anybody has said where it belongs. Nothing tells whether hands
are done with it, so the camera does not answer; people confirm with one touch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.kernel import Answer, Game, Lying, Position, Question, Refusal, advance
from companion.table.looks import Look


def standing_answers(game: Game, position: Position, looks: Mapping[str, Look]) -> Iterator[Answer]:
    """Yield the answers by which the table is as it stands, where the game leaves open how it stands."""
    lying = game.scene(position.state)
    for question in position.questions:
        for slot in game.seen_in(question):
            look, before = looks.get(slot), lying.get(slot)
            if look is not None and not look.blind and look.pieces and before is not None and len(before.turns) > 1:
                yield from _fitting(game, position, question, look, before)


def _fitting(game: Game, position: Position, question: Question, look: Look, before: Lying) -> Iterator[Answer]:
    for reply in question.domain:
        answer = Answer(question.key, reply)
        after = advance(position, answer)
        if isinstance(after, Refusal):
            continue
        lying = game.scene(after.state).get(look.slot)
        if lying != before and look.fits(lying):
            yield answer
