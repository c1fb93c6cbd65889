"""Every article is enforced by a test that misses it, or there is a reason why not."""

from __future__ import annotations

import ast
import re
import shutil
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import coverage
from companion.cli.coverage import checks_of, command, holds
from companion.games import game_keys
from companion.games.allies.steps import ending, tasks
from companion.rulebook.coverage import compare_coverage
from companion.rulebook.disable import without
from companion.rulebook.load import load_coverage, load_rulebook

ROOT = Path(__file__).resolve().parents[2]
checks = cache(checks_of)
DONE = [
    (game, article, entry.test)
    for game in game_keys()
    for article, entry in load_coverage(game).items()
    if entry.state == "done"
]


@pytest.mark.parametrize("game", game_keys())
def test_every_article_is_done_or_exempt_with_a_reason(game: str) -> None:
    found = compare_coverage(load_rulebook(game), load_coverage(game))
    assert not found.faults
    assert not found.todo


@pytest.mark.parametrize(("game", "article", "test"), DONE, ids=[f"{game}-{article}" for game, article, _ in DONE])
def test_the_test_of_an_article_misses_it(game: str, article: str, test: str) -> None:
    check = checks(game).get(test)
    if check is None:
        # A test outside of the rules, such as one of the box; it must at least be there.
        file, name = re.fullmatch(r"(tests/\S+\.py)::(\w+)", test).groups()
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert name in [each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
        return
    assert holds(check)
    with without(game, article):
        assert not holds(check), f"{test} does not miss {article}"
    assert holds(check)


def test_the_command_names_who_misses_an_article() -> None:
    result = CliRunner().invoke(command, ["allies", "--article", "AL-84", "--article", "AL-100", "--json"])
    assert result.exit_code == 0
    assert '"article": "AL-84"' in result.stdout
    assert "allies-duel-105" in result.stdout
    said = CliRunner().invoke(command, ["allies", "--article", "AL-100"])
    assert "AL-100: exempt; missed by no case or playthrough" in said.stdout
    assert "0 of 1 articles are missed by a case or a playthrough; by nobody: AL-100" in said.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess"], "there is no game 'chess'; expected one of"),
        (["allies", "--article", "AL-101"], "allies has no article 'AL-101'; expected one such as AL-01"),
    ],
)
def test_the_command_refuses_what_it_does_not_know(arguments: list[str], says: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2
    assert says in result.stderr


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The playthroughs of the duel in a folder of their own."""
    shutil.copytree(coverage.folder_of("allies"), tmp_path / "playthroughs")
    monkeypatch.setattr(coverage, "folder_of", lambda game: tmp_path / "playthroughs")
    return tmp_path / "playthroughs"


def test_renewing_writes_a_stale_playthrough_anew_and_leaves_fresh_ones_alone(copied: Path) -> None:
    file = copied / "crowns.txt"
    fresh = file.read_text(encoding="utf-8")
    file.write_text(fresh.replace("wins", "loses"), encoding="utf-8")
    result = CliRunner().invoke(command, ["allies", "--renew"])
    assert result.exit_code == 0
    assert "crowns: written anew" in result.stdout
    assert "barrier: fresh" in result.stdout
    assert file.read_text(encoding="utf-8") == fresh


def test_a_stale_playthrough_stops_the_search_for_who_misses_what(copied: Path) -> None:
    file = copied / "crowns.txt"
    file.write_text(file.read_text(encoding="utf-8").replace("wins", "loses"), encoding="utf-8")
    result = CliRunner().invoke(command, ["allies", "--article", "AL-84"])
    assert result.exit_code == 2
    assert "[allies-crowns] fails with all articles in force" in result.stderr


def test_a_playthrough_that_cannot_be_played_any_more_is_named(copied: Path) -> None:
    file = copied / "crowns.txt"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("> deal:", "> serve:", 1), encoding="utf-8")
    result = CliRunner().invoke(command, ["allies", "--renew"])
    assert result.exit_code == 2
    assert "crowns.txt cannot be played any more: 'serve' is not asked" in result.stderr


def test_an_article_taken_away_is_put_back_even_after_an_error() -> None:
    def rules() -> tuple[object, ...]:
        return ending.Term, tasks.Tasks.__dict__["refuse"], tasks.Tasks.__dict__["resolve"]

    def fail_without_it() -> None:
        with without("allies", "AL-42"):
            assert not set(rules()) & set(before)
            raise ZeroDivisionError

    before = rules()
    with pytest.raises(ZeroDivisionError):
        fail_without_it()
    assert rules() == before
