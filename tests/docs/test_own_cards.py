"""What docs/own-cards.md shows of a set can be loaded."""

import re
from pathlib import Path

import pytest

from companion.sets.owner import load_set

PAGE = Path(__file__).parents[2] / "docs" / "own-cards.md"
SETS = re.findall(r"```toml\n(label = .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_page_shows_the_sets_of_three_games() -> None:
    games = [re.findall(r'^game = "(.+)"', text, re.MULTILINE) for text in SETS]
    assert games == [["king_of_the_dice"], ["vaalbara"], ["realm_of_wonder"]]


@pytest.mark.parametrize("text", SETS)
def test_each_set_shown_can_be_loaded_as_part_of_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "set.toml").write_text("complete = false\n" + text, encoding="utf-8")
    cards = load_set(tmp_path)
    assert len(cards.cards) == text.count("[[")
    assert not cards.complete
