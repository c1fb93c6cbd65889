"""Laws of the sentences: whatever a game says has a sentence, and the sentence finds its values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from companion.games import game_keys
from companion.kernel import Term, Text
from companion.rulebook.strings import load_strings

from .test_laws import refusals
from .walks import Walk, walks

pytestmark = pytest.mark.parametrize("key", game_keys())
NAMES = {"A": "Ada", "B": "Ben"}


def said(walk: Walk, cut: int) -> Iterator[Text]:
    at = walk.positions[cut]
    yield from (question.text for question in at.questions)
    yield from (walk.game.tell(ruled.effect) for ruled in at.told)
    yield from (refusal.text for refusal in refusals(walk, cut))
    yield from at.forecast
    yield from walk.game.status(at)
    yield from of_terms(walk.game.score(at.state))


def of_terms(terms: Iterable[Term]) -> Iterator[Text]:
    for term in terms:
        yield term.text
        yield from of_terms(term.parts)


def test_every_text_has_a_sentence_that_its_values_fill(key: str) -> None:
    strings = load_strings(key)
    used: set[str] = set()
    for walk in walks(key):
        for cut in walk.cuts:
            for text in said(walk, cut):
                sentence = strings.say(text.key, dict(text.values), NAMES)
                assert sentence
                assert "{" not in sentence
                used.add(text.key)
    assert len(used) > 20


def test_what_hands_owe_after_an_effect_has_a_sentence_too(key: str) -> None:
    strings = load_strings(key)
    owing = 0
    for walk in walks(key):
        for cut in walk.cuts:
            for ruled in walk.positions[cut].told:
                if walk.game.owed(ruled.effect) is not None:
                    told = walk.game.tell(ruled.effect)
                    owing += bool(strings.say(told.key.replace("effect.", "owed."), dict(told.values), NAMES))
    assert owing > 20
