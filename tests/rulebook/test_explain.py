"""A citation becomes a sentence that is true in the edition and with the options of the table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import game_keys
from companion.rulebook.explain import CitationError, explain, format_citation
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve

ALLIES = load_rulebook("allies")


def test_a_cited_article_is_one_line_with_id_title_and_text() -> None:
    line = format_citation(explain(ALLIES, "AL-65", resolve(ALLIES)))
    assert line == (
        "AL-65 Turning a region: To face the winner a region card needs one step if it lies sideways"
        " and two steps if it faces the loser."
    )


def test_an_explanation_names_the_section_of_the_printed_rulebook() -> None:
    assert explain(ALLIES, "AL-80", resolve(ALLIES)).section == "Cyclops"


def test_two_editions_explain_one_article_differently() -> None:
    finnish = explain(ALLIES, "AL-62", resolve(ALLIES, "fi"))
    english = explain(ALLIES, "AL-62", resolve(ALLIES, "en"))
    assert finnish.text == "If the values differ, crowns do not count."
    assert (
        english.text == "If only one of the two cards has a crown, its owner wins by one even when the values differ."
    )
    assert finnish.options == (("crown_counts", "ties"),)
    assert english.options == (("crown_counts", "always"),)


def test_a_choice_that_adds_to_an_article_is_said_after_it() -> None:
    plain = explain(ALLIES, "AL-63", resolve(ALLIES))
    skipped = explain(ALLIES, "AL-63", resolve(ALLIES, "reconciled", {"missing_card": "column_skipped"}))
    assert skipped.text.startswith(plain.text + " A column where a card is missing is not fought out")


def test_a_cited_option_says_what_holds_at_this_table() -> None:
    line = format_citation(explain(ALLIES, "AL-Q14", resolve(ALLIES, "reconciled", {"castle_facing": "minus_one"})))
    assert line == (
        "AL-Q14 What does a castle in the middle row count for the player it points at?"
        " A castle left in the middle row costs the player it points at one point."
    )
    assert explain(ALLIES, "AL-Q14", resolve(ALLIES)).level == "option"


def test_an_edition_row_is_explained_by_the_option_that_covers_it() -> None:
    assert explain(ALLIES, "E14", resolve(ALLIES, "en")).options == (("crown_counts", "always"),)


def test_our_own_protocol_is_told_from_the_rulebook() -> None:
    assert explain(ALLIES, "table/inventory", resolve(ALLIES)).level == "table"
    assert explain(ALLIES, "AL-01", resolve(ALLIES)).level == "rule"


def test_an_unknown_citation_is_answered_with_an_example() -> None:
    with pytest.raises(CitationError, match="allies has no article or option 'AL-101'; expected an id such as AL-01"):
        explain(ALLIES, "AL-101", resolve(ALLIES))


@given(st.data())
def test_every_article_is_explained_under_every_choice(data: st.DataObject) -> None:
    chosen = {
        option.name: data.draw(st.sampled_from([value.value for value in option.values]))
        for option in ALLIES.options.values()
    }
    for article in ALLIES.articles.values():
        explanation = explain(ALLIES, article.id, chosen)
        assert explanation.options == tuple((name, chosen[name]) for name in article.options)
        assert explanation.text.endswith(".")


def test_a_text_that_begins_with_its_title_is_not_said_twice() -> None:
    book = load_rulebook("vaalbara")
    said = explain(book, "VB-54", resolve(book))
    assert said.text.startswith("Pioneer: trade one land of the own kingdom")
    assert format_citation(said).startswith("VB-54 Pioneer: Trade one land of the own kingdom")
    for game in game_keys():
        each = load_rulebook(game)
        for article in each.articles.values():
            found = explain(each, article.id, resolve(each))
            assert f"{found.title}: {found.title}:" not in format_citation(found), found.id
