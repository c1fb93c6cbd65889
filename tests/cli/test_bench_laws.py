"""`companion bench laws`: random games of every game hold the laws, and a game that breaks one is named."""

import json

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from companion.bench import laws
from companion.cli.bench import command
from companion.games import game_keys
from companion.kernel import Answer, Position, replay
from companion.rulebook.load import load_rulebook


@pytest.mark.parametrize("game", game_keys())
def test_two_random_games_hold_the_laws(game: str) -> None:
    result = CliRunner().invoke(command, ["laws", "--game", game, "--games", "2", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)["laws"][game]
    assert found["games"] == found.get("over", 0) + found.get("not_over", 0) == 2
    assert found["positions_looked_at"] == 12
    assert found["refusals"] > 0


def test_random_games_come_to_an_end_where_chance_alone_would_walk_on() -> None:
    assert laws.measure("realm_of_wonder", 12)["over"] == 12


def test_a_replay_that_ends_elsewhere_is_named_with_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgets_the_last(start: Position, given: list[Answer]) -> object:
        return replay(start, given[:-1])

    monkeypatch.setattr(laws, "replay", forgets_the_last)
    with pytest.raises(RuntimeError, match=r"vaalbara, game 0, answer .* it is another position"):
        laws.measure("vaalbara", 1)


def test_an_effect_that_no_article_explains_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = load_rulebook("vaalbara")
    rulebook = replace(whole, articles={key: each for key, each in whole.articles.items() if key != "VB-27"})
    monkeypatch.setattr(laws, "load_rulebook", lambda key: rulebook)
    with pytest.raises(RuntimeError, match="cited by no article"):
        laws.measure("vaalbara", 1)


def test_a_game_that_there_is_not_is_refused() -> None:
    result = CliRunner().invoke(command, ["laws", "--game", "chess"])
    assert result.exit_code == 2
    assert "there is no game 'chess'; expected one of" in result.stderr
