"""A game can be played to its end with a finger alone, whatever kinds of questions it asks."""

from __future__ import annotations

import random

import pytest

from companion.presenters.desk import Answer, Begin
from companion.presenters.models import LiveModel, NoticeModel
from tests.desk.parts import Screen


@pytest.mark.parametrize("seed", range(3))
def test_a_game_with_dice_and_hidden_cards_is_tapped_to_its_end(screen: Screen, seed: int) -> None:
    chance = random.Random(seed)
    screen.ask(Begin("_template", ("Ann", "Bo", "Cy"), "reconciled", (("target_score", "thirty"),)), LiveModel)
    for _ in range(3000):
        live = screen.settle()
        if live.finished:
            break
        choices = [choice for choice in live.prompt.choices if choice.style != "no"]
        assert choices, live.prompt
        screen.submit(Answer(live.game, live.prompt.key, chance.choice(choices).number))
    assert screen.live.finished
    assert not [model for model in screen.models if isinstance(model, NoticeModel)]


def test_a_part_that_was_said_can_be_taken_back(screen: Screen) -> None:
    chance = random.Random(7)
    before = screen.ask(Begin("_template", ("Ann", "Bo"), "reconciled"), LiveModel)
    for _ in range(500):
        choice = chance.choice(before.prompt.choices)
        screen.submit(Answer(before.game, before.prompt.key, choice.number))
        live = screen.settle()
        if live.prompt.choices[-1].style == "no":
            break
        before = live
    back = live.prompt.choices[-1]
    assert back.says == "Back"
    screen.submit(Answer(live.game, live.prompt.key, back.number))
    assert screen.settle().prompt.choices == before.prompt.choices
