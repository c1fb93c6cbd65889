"""What is in the box of Allies: sets and positions that no box could give are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.bootstrap import OpeningError, new_header
from companion.games import load_game
from companion.kernel import NotationError, Setup
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.sets.owner import PROXIES, SetError, load_set, proxy_set

TEXT = (PROXIES / "allies" / "set.toml").read_text(encoding="utf-8")
FIRST = TEXT.index("[[tribe]]")
CARD = TEXT[FIRST : TEXT.index("[[tribe]]", FIRST + 1)]
REGION = TEXT[TEXT.index("[[region]]") : TEXT.index("[[region]]", TEXT.index("[[region]]") + 1)]


def refused(tmp_path: Path, old: str, new: str) -> str:
    assert old in TEXT
    (tmp_path / "set.toml").write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SetError) as error:
        load_set(tmp_path)
    return str(error.value)


def test_the_box_holds_150_tribe_cards(tmp_path: Path) -> None:
    assert len(proxy_set("allies").of_kind("tribe")) == 150
    assert "found 24 tribe cards of the cyclops, expected 25" in refused(tmp_path, CARD, "")


def test_the_box_holds_15_region_cards(tmp_path: Path) -> None:
    assert len(proxy_set("allies").of_kind("region")) == 15
    assert "expected 2" in refused(tmp_path, REGION, "")


def test_a_tribe_card_has_four_sectors(tmp_path: Path) -> None:
    sectors = next(line for line in CARD.splitlines() if line.startswith("sectors"))
    three = sectors.rpartition(",")[0] + "]"
    assert "expected 4 values, found 3" in refused(tmp_path, CARD, CARD.replace(sectors, three))


def test_symbols_stand_for_four_rotations(tmp_path: Path) -> None:
    symbols = next(line for line in CARD.splitlines() if line.startswith("symbols"))
    assert "expected only +2, +1, -1, -2" in refused(tmp_path, CARD, CARD.replace(symbols, "symbols = [3]"))


def test_there_are_six_characters(tmp_path: Path) -> None:
    assert '"elf" is no tribe' in refused(tmp_path, CARD, CARD.replace('tribe = "cyclops"', 'tribe = "elf"'))
    options = resolve(load_rulebook("allies"))
    with pytest.raises(NotationError, match="found 'elf', expected one of cyclops, yeti, gnome, wizard, golem, troll"):
        load_game("allies").start(Setup(options, ("A", "B"), stated={"tribes": {"A": ["elf"]}}))


def test_the_game_is_for_two() -> None:
    game, cards = load_game("allies"), proxy_set("allies")
    assert new_header(game, ("Ada", "Ben"), cards).seats == ("Ada", "Ben")
    for names in (("Ada",), ("Ada", "Ben", "Cleo")):
        with pytest.raises(OpeningError, match="is played by 2"):
            new_header(game, names, cards)


def test_a_region_card_lies_in_one_of_three_ways() -> None:
    options = resolve(load_rulebook("allies"))
    for way in ("A", "B", "neutral"):
        document = {"regions": {1: {"card": "yeti", "arrow": way}}}
        assert load_game("allies").write(load_game("allies").open(document, Setup(options, ("A", "B"))))["regions"]
    with pytest.raises(NotationError, match="arrow"):
        load_game("allies").open({"regions": {1: {"card": "yeti", "arrow": "C"}}}, Setup(options, ("A", "B")))
