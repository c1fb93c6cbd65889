"""The game to copy: held to everything that a game must hold to, although it is not offered to players."""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module, resources
from typing import Any

import pytest

import companion.games
from companion.bootstrap import OpeningError, new_header
from companion.cli import judge
from companion.cli.coverage import checks_of, holds, is_fresh, playthroughs
from companion.games import _template as template
from companion.games._template.state import Pig
from companion.kernel import (
    UNSEEN,
    Answer,
    Chosen,
    Finish,
    NotationError,
    Position,
    Refusal,
    Revealed,
    Rolled,
    Setup,
    advance,
)
from companion.notation.document import Document, parse_document
from companion.rulebook.article import RECONCILED
from companion.rulebook.coverage import compare_coverage
from companion.rulebook.disable import without
from companion.rulebook.explain import explain
from companion.rulebook.load import load_coverage, load_rulebook
from companion.rulebook.options import resolve
from companion.sets.owner import proxy_set
from companion.table.mat import grid_mat
from tests import conformance

KEY = "_template"
GAME = template.GAME
RULEBOOK = load_rulebook(KEY)
COVERAGE = load_coverage(KEY)
FOLDER = resources.files("companion.games") / KEY
LAWS = {
    f"{module.name}.{name}": law
    for module in pkgutil.iter_modules(conformance.__path__)
    for name, law in vars(import_module(f"{conformance.__name__}.{module.name}")).items()
    if name.startswith("test_") and list(inspect.signature(law).parameters) == ["key"]
}
"""The laws that are tried on every game found, by module and name."""
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in parse_document((FOLDER / "cases" / "plays.yaml").read_text(encoding="utf-8")).root["cases"]
}
DONE = [article for article, entry in COVERAGE.items() if entry.state == "done"]
ENDS = "tests/conformance/test_laws.py::test_every_game_ends"
"""No step says when the game ends, so a law and not a case holds the article that does."""


@pytest.fixture(scope="module", autouse=True)
def _the_template_counts_as_a_game() -> Iterator[None]:
    """Folders with an underscore are left out where games are listed; here this one is asked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(companion.games, "game_keys", lambda: (KEY,))
        patch.setattr(judge, "game_keys", lambda: (KEY,))
        yield


def opened(seats: str = "AB", options: dict[str, str] | None = None, **document: Any) -> Position:
    return GAME.open(document, Setup(resolve(RULEBOOK, RECONCILED, options), tuple(seats)))


def after(position: Position, to: str, reply: Any) -> Position:
    outcome = advance(position, Answer(to, reply))
    assert isinstance(outcome, Position), outcome
    return outcome


def effects(position: Position) -> list[str]:
    return [type(ruled.effect).__name__ for ruled in position.told]


# -- what holds for every game ---------------------------------------------------------------------


def test_the_laws_of_all_games_are_found() -> None:
    assert len(LAWS) >= 15
    assert {name.partition(".")[0] for name in LAWS} >= {"test_laws", "test_documents", "test_texts"}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_of_every_game_holds_for_the_template(name: str) -> None:
    LAWS[name](KEY)


# -- its articles, cases and playthroughs ----------------------------------------------------------


@pytest.mark.parametrize("case_id", CASES)
def test_the_ruling_of_the_case_agrees(case_id: str) -> None:
    document = Document("plays.yaml", {"game": KEY, "cases": [CASES[case_id]]}, {})
    ruling = judge.judge_cases(*judge.open_file(document))[0]
    assert (ruling.state, ruling.agrees) == ("ruled", True)
    assert ruling.cites


@pytest.mark.parametrize("name", playthroughs(KEY))
def test_the_playthrough_is_what_the_rules_make_of_its_answers(name: str) -> None:
    assert is_fresh(KEY, name)


def test_two_playthroughs_show_a_game_to_its_end_with_every_kind_of_effect() -> None:
    texts = [(FOLDER / "playthroughs" / f"{name}.txt").read_text(encoding="utf-8") for name in playthroughs(KEY)]
    assert len(texts) == 2
    assert all("has won" in text for text in texts)
    cited = {
        article
        for text in texts
        for cites in re.findall(r"\[([^]]+)\]$", text, re.MULTILINE)
        for article in cites.split()
    }
    assert set(DONE) - cited == {"PIG-1.2"}


def test_the_coverage_has_no_faults_and_nothing_left_to_do() -> None:
    coverage = compare_coverage(RULEBOOK, COVERAGE)
    assert coverage.faults == ()
    assert coverage.todo == ()


@pytest.mark.parametrize("article", DONE)
def test_the_test_that_an_article_names_fails_without_it(article: str) -> None:
    checks, named = checks_of(KEY), COVERAGE[article].test
    if article == "PIG-4.1":
        assert named == ENDS
        return
    assert holds(checks[named])
    with without(KEY, article):
        assert not holds(checks[named])


def test_every_other_value_of_an_option_changes_what_some_article_says() -> None:
    usual = {article: explain(RULEBOOK, article, resolve(RULEBOOK)).text for article in RULEBOOK.articles}
    for option in RULEBOOK.options.values():
        for value in option.values:
            values = resolve(RULEBOOK, RECONCILED, {option.name: value.value})
            changed = [each for each in option.articles if explain(RULEBOOK, each, values).text != usual[each]]
            assert bool(changed) == (value.value != option.default), value.value


def test_an_edition_bundles_a_value_and_a_choice_at_the_table_beats_it() -> None:
    assert resolve(RULEBOOK, "long") == {"target_score": "hundred"}
    assert resolve(RULEBOOK, "long", {"PIG-Q1": "fifty"}) == {"target_score": "fifty"}


def test_the_readme_names_every_file_and_what_it_names_is_there() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `([\w/.]+)` \|", readme, re.MULTILINE))
    there = {
        each.name + "/" * each.is_dir() for each in FOLDER.iterdir() if each.name not in ("README.md", "__pycache__")
    }
    assert named == there - {"__init__.py"}
    for name, file in re.findall(r"`(\w+)`\)? in `([\w/.]+)`", readme):
        assert name in (FOLDER / file).read_text(encoding="utf-8"), name


# -- what it shows to those who copy it ------------------------------------------------------------


def test_the_game_ends_in_the_middle_of_a_turn() -> None:
    at = opened(due="decide", stake=9, banked={"A": 21})
    won = after(at, "decide", Chosen(("hold",)))
    assert effects(won) == ["Banked", "Finish"]
    assert won.told[-1].effect == Finish(0, (30, 0))
    assert won.is_over


def test_without_the_standing_rule_the_turn_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pig, "standing", ())
    at = opened(due="decide", stake=9, banked={"A": 21})
    assert after(at, "decide", Chosen(("hold",))).question == opened(due="draw").question


def test_holding_too_early_is_refused_with_the_values_and_the_article() -> None:
    refusal = advance(opened(due="decide", stake=4), Answer("decide", Chosen(("hold",))))
    assert isinstance(refusal, Refusal)
    assert [str(cite) for cite in refusal.cites] == ["PIG-2.5"]
    assert dict(refusal.text.values) == {"least": 5, "stake": 4}


def test_an_offer_lapses_with_the_first_throw_and_nobody_is_asked_to_say_no() -> None:
    at = opened(bonus={"A": UNSEEN})
    assert [offer.key for offer in at.offers] == ["turn up"]
    thrown = after(at, "throw", Rolled(("3",)))
    assert thrown.offers == ()
    again = after(thrown, "decide", Chosen(("again",)))
    assert [question.key for question in again.questions] == ["throw"]
    refusal = advance(again, Answer("turn up", Revealed(("bonus-1",))))
    assert isinstance(refusal, Refusal)
    assert refusal.text.key == "table.not_asked"


def test_a_card_lying_face_down_can_be_any_that_nobody_has_seen() -> None:
    at = opened(bonus={"A": UNSEEN, "B": "bonus-2"}, turned_up={"A": ["bonus-1"]})
    faces = [reply.pieces[0] for reply in at.offers[0].domain if isinstance(reply, Revealed)]
    assert faces == [f"bonus-{number}" for number in (3, 4, 5, 6, 7, 8)]
    assert GAME.scene(at.state)["P1"].piece == ""
    assert GAME.pieces(at.state) == {"bonus-2": "P2", "bonus-1": "box"}


def test_there_is_a_place_on_the_mat_for_each_seat() -> None:
    mat = grid_mat(GAME.key, GAME.rows, GAME.columns)
    at = opened("ABCD", bonus=dict.fromkeys("ABCD", UNSEEN))
    assert list(GAME.scene(at.state)) == [slot.key for slot in mat.slots]


def test_nobody_draws_from_an_empty_pile() -> None:
    every = [f"bonus-{number}" for number in range(1, 8)]
    at = opened(
        due="decide",
        stake=5,
        turned_up={"A": every[:4], "B": every[4:]},
        bonus={"B": UNSEEN},
        options={"target_score": "hundred"},
    )
    assert at.state.pile == 0
    held = after(at, "decide", Chosen(("hold",)))
    assert effects(held) == ["Banked", "DiePassed"]


def test_the_die_goes_round_the_table() -> None:
    at = opened("ABC", turn="C")
    assert after(at, "throw", Rolled(("1",))).state.letter == "A"


def test_the_table_is_told_where_the_die_goes_next() -> None:
    texts = opened("ABC", due="draw", turn="B").forecast
    assert [(text.key, dict(text.values)) for text in texts] == [("forecast.pass", {"seat": "C"})]


@pytest.mark.parametrize("seats", [("Ada",), ("Ada", "Ben", "Cem", "Dia", "Eve")])
def test_a_table_for_one_or_five_is_not_opened(seats: tuple[str, ...]) -> None:
    with pytest.raises(OpeningError, match="is played by 2 to 4"):
        new_header(GAME, seats, proxy_set("allies"))


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"stake": -1}, "position: Expected `int` >= 0 - at `$.stake`"),
        ({"stakes": 1}, "position: Object contains unknown field `stakes`"),
        ({"turn": "C"}, "position: found the seat C, expected one of A, B"),
        ({"bonus": {"A": "bonus-9"}}, "position: found the card 'bonus-9', expected one of bonus-1, bonus-2"),
        ({"bonus": {"A": "bonus-1", "B": "bonus-1"}}, "position: bonus-1 is in two places; every card exists once"),
        ({"turned_up": {"B": ["?"]}}, "position: found the card '?', expected one of bonus-1"),
        ({"turned_up": {"A": ["bonus-1"] * 9}}, "position: found 9 drawn cards, expected at most 8"),
    ],
)
def test_a_document_that_states_no_position_is_refused_in_one_sentence(document: dict[str, Any], says: str) -> None:
    with pytest.raises(NotationError) as error:
        opened(**document)
    assert str(error.value).startswith(says)


def test_a_seat_that_the_table_does_not_have_is_said() -> None:
    with pytest.raises(NotationError, match="found the seat D, expected one of A, B, C"):
        opened("ABC", banked={"D": 3})
