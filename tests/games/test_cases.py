"""Every case of every game's folder, ruled as it stands."""

from importlib import resources

import pytest

from companion.cli.coverage import agrees
from companion.cli.judge import open_file
from companion.games import game_keys
from companion.notation.case import Case
from companion.notation.document import parse_document


def cases_of(game: str) -> list[Case]:
    folder = resources.files("companion.games") / game / "cases"
    files = [each for each in folder.iterdir() if each.name.endswith(".yaml")] if folder.is_dir() else []
    return [
        case for file in files for case in open_file(parse_document(file.read_text(encoding="utf-8"), file.name))[1]
    ]


CASES = [(game, case) for game in game_keys() for case in cases_of(game)]


@pytest.mark.parametrize(("game", "case"), CASES, ids=[f"{game}-{case.doc.id}" for game, case in CASES])
def test_the_ruling_agrees(game: str, case: Case) -> None:
    assert agrees(game, case)


@pytest.mark.parametrize("game", game_keys())
def test_a_game_has_cases_and_each_of_them_an_id_of_its_own(game: str) -> None:
    ids = [case.doc.id for case in cases_of(game)]
    assert ids
    assert len(set(ids)) == len(ids)


def test_the_duel_has_all_its_sourced_cases() -> None:
    assert len([case for case in cases_of("allies") if case.doc.id.startswith("duel-")]) == 69
