"""Faults in a game's TOML are told in one sentence with file, entry and field."""

from __future__ import annotations

import pytest

from companion.rulebook.article import Rulebook
from companion.rulebook.entries import RulebookError
from companion.rulebook.load import load_coverage, load_rulebook, parse_coverage, parse_rulebook

ARTICLE = """
[[article]]
id = "PG-1"
title = "Throwing"
text = "Throw the die."
section = "Turn"
kind = "flow"
force = "automatic"
"""
TABLE = """
[[table]]
id = "table/undo"
title = "Taking back"
text = "You may take it back."
"""
OPTION = """
[[option]]
name = "ones"
id = "PG-Q1"
question = "What does a one do?"
default = "bust"
articles = ["PG-1"]
rows = ["E01"]
[[option.values]]
value = "bust"
says = "A one ends the turn."
[[option.values]]
value = "nothing"
says = "A one does nothing."
texts = {PG-1 = "Throw the die; a one is like any other."}
"""
EDITIONS = """
[[edition]]
key = "reconciled"
name = "All"
language = "en"
[[edition]]
key = "xx"
name = "Other"
language = "xx"
options = {ones = "nothing"}
"""


def read(rulebook: str = ARTICLE + TABLE, options: str = OPTION + EDITIONS) -> Rulebook:
    return parse_rulebook("pig", rulebook, options)


def test_a_sound_pair_of_files_is_read_whole() -> None:
    rulebook = read()
    assert list(rulebook.articles) == ["PG-1", "table/undo"]
    assert rulebook.articles["PG-1"].editions == ("xx",)
    assert rulebook.articles["PG-1"].options == ("ones",)
    assert rulebook.articles["table/undo"].level == "table"
    assert [(each.value, each.editions) for each in rulebook.options["ones"].values] == [
        ("bust", ()),
        ("nothing", ("xx",)),
    ]


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ("[[article", "pig/rulebook.toml: not TOML: Expected ']]' at the end of an array declaration"),
        ("articles = []", "pig/rulebook.toml: unknown key 'articles'; allowed are article, table."),
        ("article = 3", "pig/rulebook.toml: article must be a list; write [[article]]."),
        ("article = [3]", "pig/rulebook.toml: article number 1: found 3, expected a table of keys and values."),
        (ARTICLE + 'colour = "red"', "pig/rulebook.toml: article PG-1: unknown key 'colour'; allowed are id, title,"),
        (ARTICLE.replace('id = "PG-1"', ""), "pig/rulebook.toml: article number 1: id is missing."),
        (ARTICLE.replace('title = "Throwing"', ""), "pig/rulebook.toml: article PG-1: title is missing."),
        (
            ARTICLE.replace('"Throwing"', "7"),
            "pig/rulebook.toml: article PG-1: Expected `str`, got `int` - at `$.title`.",
        ),
        (
            ARTICLE.replace('"flow"', '"luck"'),
            "pig/rulebook.toml: article PG-1: kind is 'luck'; expected one of component, set-up, flow,",
        ),
        (ARTICLE + ARTICLE, "pig/rulebook.toml: article PG-1: id 'PG-1' occurs twice; each may occur once."),
        (ARTICLE + 'editions = ["yy"]', "pig/rulebook.toml: article PG-1: editions names 'yy'; known are xx."),
        (
            ARTICLE + TABLE.replace("table/undo", "undo"),
            "pig/rulebook.toml: table undo: id is 'undo'; expected it to begin with 'table/'.",
        ),
    ],
)
def test_a_fault_in_the_articles_is_told_with_file_and_field(broken: str, sentence: str) -> None:
    with pytest.raises(RulebookError) as fault:
        read(rulebook=broken)
    assert str(fault.value).startswith(sentence)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (
            OPTION.replace('default = "bust"', 'default = "win"') + EDITIONS,
            "pig/options.toml: option ones: default is 'win'; expected one of bust, nothing.",
        ),
        (OPTION.replace("PG-1", "PG-9") + EDITIONS, "pig/options.toml: option ones: articles names 'PG-9', which"),
        (
            OPTION.replace("texts = {PG-1", "texts = {PG-2") + EDITIONS,
            "pig/options.toml: option ones: value nothing: texts names PG-2, which is not among the option's articles.",
        ),
        (
            OPTION.replace('value = "nothing"', 'value = "bust"') + EDITIONS,
            "pig/options.toml: option ones: value bust: value 'bust' occurs twice",
        ),
        (OPTION + OPTION + EDITIONS, "pig/options.toml: option ones: id or row 'PG-Q1' occurs twice"),
        (
            OPTION + OPTION.replace("ones", "twos").replace("PG-Q1", "PG-Q2").replace("E01", "E02") + EDITIONS,
            "pig/options.toml: option twos: texts rewrites PG-1, and so does option ones.",
        ),
        (
            OPTION.replace("says", "says_so", 1) + EDITIONS,
            "pig/options.toml: option ones: value bust: unknown key 'says_so'",
        ),
        (
            OPTION + EDITIONS.replace("{ones", "{twos"),
            "pig/options.toml: edition xx: options names 'twos'; known are ones.",
        ),
        (
            OPTION + EDITIONS.replace('{ones = "nothing"', '{ones = "win"'),
            "pig/options.toml: edition xx: options.ones is 'win'; expected one of bust, nothing.",
        ),
        (
            OPTION + EDITIONS.replace('"xx"', '"reconciled"', 1),
            "pig/options.toml: edition reconciled: key 'reconciled' occurs",
        ),
        (OPTION, "pig/options.toml: there is no edition with the key 'reconciled'; write one without options."),
        (
            OPTION + EDITIONS.replace('language = "en"', 'language = "en"\noptions = {ones = "nothing"}'),
            "pig/options.toml: edition reconciled: options must be empty; it means every default.",
        ),
    ],
)
def test_a_fault_in_the_options_is_told_with_file_and_field(broken: str, sentence: str) -> None:
    with pytest.raises(RulebookError) as fault:
        read(options=broken)
    assert str(fault.value).startswith(sentence)
    assert "\n" not in str(fault.value)


def test_a_sixth_switch_at_set_up_is_refused() -> None:
    switches = "".join(
        OPTION.replace('"ones"', f'"ones{n}"')
        .replace("PG-Q1", f"PG-Q{n}")
        .replace("E01", f"E{n:02d}")
        .replace('default = "bust"', 'default = "bust"\nsetup = true')
        .replace("texts", "#")
        for n in range(6)
    )
    with pytest.raises(RulebookError, match=r"setup is true for 6 options .* expected at most 5"):
        read(options=switches + EDITIONS.replace("ones", "ones0"))


def test_an_unknown_game_is_answered_with_the_games_there_are() -> None:
    with pytest.raises(RulebookError, match=r"There is no game 'ludo' with a rulebook; found .*allies"):
        load_rulebook("ludo")


def test_a_wrong_state_of_coverage_is_told_with_the_article() -> None:
    with pytest.raises(RulebookError) as fault:
        parse_coverage("pig", '[PG-1]\nstate = "almost"')
    assert str(fault.value) == "pig/coverage.toml: PG-1: state is 'almost'; expected one of todo, done, exempt."


def test_the_coverage_of_a_game_folder_is_read_by_article() -> None:
    assert load_coverage("allies")["AL-03"].state == "exempt"
