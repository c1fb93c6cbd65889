"""People who know a game's rules by heart and play by chance: what they do, one act after the other.

They look up in a position of their own what is allowed. Nobody else sees that position.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from companion.kernel import Answer, Position, Question, Refusal, Reply, advance

OFFER_TAKEN = 0.35
"""How often people do what they may but need not."""
MOST_ACTS = 20_000
Pick = Callable[[Sequence[Any]], Any]
Wish = Callable[[Position, Pick], Answer]
"""Return an answer that is allowed at a position; `Pick` picks one of several things by chance."""


class Act(msgspec.Struct, frozen=True):
    """One answer that the table gives: to which question, and the positions before and after it."""

    question: Question
    reply: Reply
    before: Position
    after: Position


class ChancePlayers:
    """Everybody at one table. `position` is the truth, at every moment."""

    def __init__(self, start: Position, rng: random.Random, wish: Wish | None = None) -> None:
        """Sit down.

        :param wish: what they like to answer at a position; by chance alone without it
        """
        self.position = start
        self._rng, self._wish = rng, wish

    def play(self) -> Iterator[Act]:
        """Yield act after act to the end of the game.

        :raises RuntimeError: if the game has not ended after `MOST_ACTS`, or nothing is allowed any more.
        """
        for _ in range(MOST_ACTS):
            if self.position.is_over:
                return
            yield self._act()
        raise RuntimeError(f"the game has not ended after {MOST_ACTS} acts")

    def _act(self) -> Act:
        before = self.position
        question, reply = self._answer(before)
        after = advance(before, Answer(question.key, reply))
        if isinstance(after, Refusal):
            raise RuntimeError(f"{reply} is in the domain of {question.key!r} and was refused: {after}")
        self.position = after
        return Act(question, reply, before, after)

    def _answer(self, at: Position) -> tuple[Question, Reply]:
        if self._wish is not None:
            answer = self._wish(at, self._rng.choice)
            return next(question for question in at.questions if question.key == answer.to), answer.reply
        question = self._choose(at)
        return question, question.domain.at(self._rng.randrange(question.domain.count()))

    def _choose(self, at: Position) -> Question:
        offers = [offer for offer in at.offers if next(iter(offer.domain), None) is not None]
        asked = [question for question in at.questions if question not in at.offers]
        asked = [question for question in asked if next(iter(question.domain), None) is not None]
        if offers and (not asked or self._rng.random() < OFFER_TAKEN):
            return self._rng.choice(offers)
        if not asked:
            raise RuntimeError("the game is not over, and nothing may be done")
        return self._rng.choice(asked)
