"""Golden playthroughs: whole games as text, written anew from their own answers and compared."""

from __future__ import annotations

import pytest

from companion.cli.coverage import is_fresh, playthroughs, renewed
from companion.games import game_keys, load_game
from companion.kernel import NotationError, Setup
from companion.notation.document import DocumentError
from companion.notation.playthrough import Head, read_playthrough, write_playthrough
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve

ALL = [(game, name) for game in game_keys() for name in playthroughs(game)]


@pytest.mark.parametrize(("game", "name"), ALL, ids=[f"{game}-{name}" for game, name in ALL])
def test_the_playthrough_is_fresh(game: str, name: str) -> None:
    assert is_fresh(game, name), f"look at what changed, then: companion coverage {game} --renew"


@pytest.mark.parametrize("game", game_keys())
def test_every_game_has_a_playthrough(game: str) -> None:
    assert playthroughs(game)


@pytest.mark.parametrize(("game", "name"), ALL, ids=[f"{game}-{name}" for game, name in ALL])
def test_a_playthrough_says_why_it_was_chosen_and_goes_to_the_end(game: str, name: str) -> None:
    text = renewed(game, name)
    head, answers = read_playthrough(text)
    assert len(head.shows.split()) > 4
    assert answers
    assert not [line for line in text.rsplit("\n\n", 1)[1].splitlines() if line.startswith(("?", "+", ">"))]


SHOWN = {
    "abilities": ("AL-81", "AL-82", "AL-83", "AL-84", "AL-86", "AL-91"),
    "english-cyclops": ("AL-Q06", "AL-Q07", "AL-88", "AL-89"),
    "crowns": ("AL-60", "AL-61", "AL-62", "AL-69"),
    "barrier": ("AL-42", "AL-45", "AL-52", "AL-54", "AL-17", "AL-18"),
    "tie-break": ("AL-98",),
    "deck-renewed": ("AL-75", "AL-Q18"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_playthrough_of_the_duel_shows_what_it_was_chosen_for(name: str) -> None:
    lines = [line for line in renewed("allies", name).splitlines() if line.startswith(("=", "!", ">", "?", "+"))]
    assert all(any(article in line for line in lines) for article in SHOWN[name])
    assert set(SHOWN) == set(playthroughs("allies"))


def setup() -> Setup:
    return Setup(resolve(load_rulebook("allies")), ("A", "B"))


def test_an_answer_to_a_question_that_is_not_asked_any_more_is_told() -> None:
    with pytest.raises(NotationError, match="'play' is not asked"):
        write_playthrough(Head("nothing", "allies"), load_game("allies"), setup(), [("play", "yeti-01 @ A1")])


def test_a_refused_answer_is_written_down_and_the_game_goes_on() -> None:
    answers = [("deal", "yeti @ A1"), ("deal", "yeti @ R1")]
    text = write_playthrough(Head("nothing", "allies"), load_game("allies"), setup(), answers)
    assert "! A1 is not in the middle row; region cards lie only there. [AL-18 AL-33]" in text
    assert "= yeti is dealt into column 1, lying sideways. [AL-24 AL-25]" in text
    assert read_playthrough(text)[1] == answers


def test_a_head_that_does_not_fit_is_refused() -> None:
    with pytest.raises(DocumentError, match="editon: unknown field"):
        read_playthrough("shows: a\ngame: allies\nediton: fi\n---\n")
