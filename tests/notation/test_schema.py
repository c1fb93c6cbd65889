"""The published schemas are what the records say today."""

import json
from importlib import resources
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli.judge import command
from companion.games import game_keys

FOLDER = resources.files("companion.notation.schema")
PUBLISHED = sorted(each.name.removesuffix(".json") for each in FOLDER.iterdir() if each.name.endswith(".json"))


@pytest.mark.parametrize("game", game_keys())
def test_the_published_schema_is_fresh(game: str) -> None:
    printed = CliRunner().invoke(command, ["--schema", game])
    assert printed.exit_code == 0
    published = (FOLDER / f"{game}.json").read_text(encoding="utf-8")
    assert published == printed.stdout, f"run: companion judge --schema {game} > companion/notation/schema/{game}.json"


def test_no_schema_is_left_of_a_game_that_is_gone() -> None:
    assert set(PUBLISHED) == set(game_keys())


@pytest.mark.parametrize("game", PUBLISHED)
def test_every_reference_of_a_schema_leads_to_a_definition(game: str) -> None:
    schema = json.loads((FOLDER / f"{game}.json").read_text(encoding="utf-8"))
    found = set(references(schema))
    assert found
    assert found <= {f"#/$defs/{name}" for name in schema["$defs"]}


def test_the_schema_of_an_unknown_game_is_refused() -> None:
    printed = CliRunner().invoke(command, ["--schema", "chess"])
    assert printed.exit_code == 2
    assert "there is no game 'chess'; expected one of" in printed.stderr


def references(part: Any) -> list[str]:
    if isinstance(part, list):
        return [each for item in part for each in references(item)]
    if isinstance(part, dict):
        own = [part["$ref"]] if "$ref" in part else []
        return own + [each for item in part.values() for each in references(item)]
    return []
