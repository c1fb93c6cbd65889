"""An owner's set is taken whole or refused with one sentence that names the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.sets.owner import PROXIES, SetError, load_set, proxy_set

TEXT = (PROXIES / "allies" / "set.toml").read_text(encoding="utf-8")
CARD = """key = "cyclops-01"
tribe = "cyclops"
sectors = [2, 5, 5, 5]
arrow = 1
symbols = [+1, -1]
diamond = false
crown = false
"""


def write(folder: Path, text: str) -> Path:
    (folder / "set.toml").write_text(text, encoding="utf-8")
    return folder


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(SetError) as refused:
        load_set(write(folder, text))
    return str(refused.value)


def test_the_proxy_deck_is_complete() -> None:
    deck = proxy_set("allies")
    assert (len(deck.of_kind("tribe")), len(deck.of_kind("region")), len(set(deck.keys))) == (150, 15, 165)
    assert deck.cards["yeti-01"]["tribe"] == "yeti"
    assert deck.cards["cyclops-01"]["symbols"] == (1, -1)
    assert deck.cards["region-yeti-2"] == {"tribe": "yeti"}
    assert deck.cards["castle-3"] == {"tribe": "castle"}
    assert set(deck.pictures.values()) == {None}


def test_a_game_without_proxies_is_named() -> None:
    with pytest.raises(SetError) as refused:
        proxy_set("chess")
    assert str(refused.value).startswith('there is no proxy deck for "chess"; choose one of: allies')


def test_pictures_in_the_folder_are_found_by_key(tmp_path: Path) -> None:
    (tmp_path / "yeti-03.jpg").write_bytes(b"a picture")
    deck = load_set(write(tmp_path, TEXT))
    assert deck.pictures["yeti-03"] == tmp_path / "yeti-03.jpg"
    assert deck.pictures["yeti-04"] is None


def test_the_digest_follows_the_values_and_not_the_writing(tmp_path: Path) -> None:
    digest = proxy_set("allies").digest
    assert load_set(write(tmp_path, "# my copy\n" + TEXT.replace("[+1, -1]", "[ 1,-1 ]"))).digest == digest
    last = TEXT.rindex("[[region]]")
    moved = TEXT[:last].replace("[[region]]", TEXT[last:] + "\n[[region]]", 1)
    assert load_set(write(tmp_path, moved)).digest == digest
    assert load_set(write(tmp_path, TEXT.replace(CARD, CARD.replace("arrow = 1", "arrow = 2")))).digest != digest
    assert load_set(write(tmp_path, TEXT.replace(CARD, CARD.replace("crown = false", "crown = true")))).digest != digest


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("sectors = [2, 5, 5, 5]", "sectors = [2, 5, 5]", "set.toml:16: sectors: expected 4 values, found 3"),
        (
            "sectors = [2, 5, 5, 5]", "sectors = [2, 5, 5, 6]",
            "set.toml:16: sectors: expected values from 1 to 5, found [2, 5, 5, 6]",
        ),
        (
            "sectors = [2, 5, 5, 5]", "sectors = [5, 2, 5, 5]",
            "set.toml:16: sectors: found [5, 2, 5, 5]; list them from the weakest to the strongest sector, "
            "clockwise after the barrier",
        ),
        (
            "sectors = [2, 5, 5, 5]", "sectors = [3, 3, 3, 3]",
            "set.toml:16: sectors: found [3, 3, 3, 3]; list them from the weakest to the strongest sector, "
            "clockwise after the barrier",
        ),
        (
            "sectors = [2, 5, 5, 5]", "sectors = [2, 5, 5, 5.0]",
            "set.toml:16: sectors: expected whole numbers, found [2, 5, 5, 5.0]",
        ),
        ("arrow = 1", "arrow = 5", "set.toml:17: arrow: expected a number from 1 to 4, found 5"),
        ("arrow = 1", "arrow = true", "set.toml:17: arrow: expected a whole number, found True"),
        ("symbols = [+1, -1]", "symbols = [3]", "set.toml:18: symbols: expected only +2, +1, -1, -2, found [3]"),
        ("symbols = [+1, -1]", "symbols = [1, 1, 1, 1]", "set.toml:18: symbols: expected at most 3, found 4"),
        ("crown = false", "crown = 0", "set.toml:20: crown: expected true or false, found 0"),
        ("crown = false\n", "", 'set.toml:13: "crown" is missing; add it'),
        (
            "crown = false", "crown = false\ncolour = 3",
            "set.toml:21: colour: this field is not known; expected: key, tribe, sectors, arrow, symbols, diamond, "
            "crown, look_alike",
        ),
        (
            'tribe = "cyclops"', 'tribe = "elf"',
            'set.toml:15: tribe: "elf" is no tribe; expected one of: cyclops, yeti, gnome, wizard, golem, troll',
        ),
        (
            'key = "cyclops-01"', 'key = "../x"',
            'set.toml:14: key: "../x" is no key; use letters, digits, - and _',
        ),
        (
            "crown = false", 'crown = false\nlook_alike = "elf-01"',
            'set.toml:21: look_alike: "elf-01" is not another tribe card of this set',
        ),
        (
            'tribe = "cyclops"', 'tribe = "yeti"',
            "set.toml: found 24 tribe cards of the cyclops, expected 25 (AL-01); add the missing ones",
        ),
    ],
)  # fmt: skip
def test_a_fault_in_a_card_is_named_with_line_and_field(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert refusal(tmp_path, TEXT.replace(CARD, CARD.replace(old, new))) == sentence


def test_a_key_used_twice_is_named_with_both_lines(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, TEXT.replace('key = "cyclops-02"', 'key = "cyclops-01"'))
    assert sentence == 'set.toml:23: key: "cyclops-01" stands in line 14 already; give every card its own key'


def test_a_region_key_may_not_repeat_a_tribe_cards_key(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, TEXT.replace('key = "castle-1"', 'key = "cyclops-01"'))
    assert sentence.endswith('key: "cyclops-01" stands in line 14 already; give every card its own key')


def test_missing_and_surplus_regions_are_counted(tmp_path: Path) -> None:
    one = '[[region]]\nkey = "region-yeti-1"\ntribe = "yeti"\n'
    assert one in TEXT
    assert refusal(tmp_path, TEXT.replace(one, "")) == (
        "set.toml: found 1 region cards of the yeti, expected 2 (AL-02); add the missing ones"
    )
    fourth = '\n[[region]]\nkey = "castle-4"\ntribe = "castle"\n'
    assert refusal(tmp_path, TEXT + fourth) == "set.toml: found 4 castles, expected 3 (AL-02); take out the surplus"


def test_an_unknown_game_is_named(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, TEXT.replace('game = "allies"', 'game = "whist"'))
    assert sentence.startswith('set.toml:10: game: there is no game "whist" with a box; expected one of: allies')


def test_text_that_is_no_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, TEXT.replace("arrow = 1\n", "arrow = \n", 1))
    assert (
        sentence == f"{tmp_path / 'set.toml'}: this is not TOML, invalid value (at line 17, column 9); correct it there"
    )


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "set.toml").write_bytes(b"label = \xff")
    with pytest.raises(SetError) as refused:
        load_set(tmp_path)
    assert str(refused.value) == f"{tmp_path / 'set.toml'}: the file is not UTF-8 text; save it as UTF-8"


def test_a_folder_without_a_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetError) as refused:
        load_set(tmp_path)
    assert str(refused.value) == (
        f"{tmp_path / 'set.toml'}: the file cannot be read; an owner's set is a folder with a set.toml in it"
    )


def test_a_single_table_instead_of_a_list_is_refused(tmp_path: Path) -> None:
    head = TEXT[: TEXT.index("[[tribe]]")]
    assert refusal(tmp_path, head + 'tribe = "yeti"\n') == "set.toml:13: tribe: expected one [[tribe]] table per piece"
