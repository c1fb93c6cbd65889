"""The rulebook of Allies: complete, consistent over the editions, and in our own words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.rulebook.article import RECONCILED, Article
from companion.rulebook.explain import explain
from companion.rulebook.load import load_coverage, load_rulebook
from companion.rulebook.options import resolve

ALLIES = load_rulebook("allies")
PRINTED = [key for key in ALLIES.editions if key != RECONCILED]
RULES = [article for article in ALLIES.articles.values() if article.level == "rule"]
FOLDER = Path(__file__).resolve().parents[2] / "companion" / "games" / "allies"
# The rulebooks are not in the repository; people who have them keep them beside it.
RULEBOOKS = Path(__file__).resolve().parents[3] / "shared" / "rulebooks"
COPIED_WORDS = 7


def test_every_atom_from_1_to_100_is_an_article() -> None:
    assert [article.id for article in RULES] == [f"AL-{number:02d}" for number in range(1, 101)]


def test_every_ambiguity_is_an_option() -> None:
    ids = {option.id for option in ALLIES.options.values()}
    assert {f"AL-Q{number:02d}" for number in range(1, 24)} <= ids


def test_every_edition_row_is_an_option_or_has_a_reason_why_not() -> None:
    covered = {row for option in ALLIES.options.values() for row in option.rows}
    exempt = {key for key, entry in load_coverage("allies").items() if entry.state == "exempt" and key.startswith("E")}
    assert covered | exempt == {f"E{number:02d}" for number in range(1, 36)}
    assert not covered & exempt


def test_there_are_nine_printed_editions_and_the_reconciled_one() -> None:
    assert list(ALLIES.editions) == [RECONCILED, "fi", "sv", "no", "da", "fr", "nl", "en", "de", "pl"]


@pytest.mark.parametrize("article", RULES, ids=lambda article: article.id)
def test_an_article_reads_differently_exactly_where_it_does_not_hold(article: Article) -> None:
    for edition in PRINTED:
        text = explain(ALLIES, article.id, resolve(ALLIES, edition)).text
        if edition in article.editions:
            assert text.startswith(article.text), f"{article.id} is rewritten in {edition}, where it holds"
        elif article.editions:
            assert not text.startswith(article.text), f"{article.id} does not hold in {edition} and is not rewritten"


def test_a_reading_that_no_edition_states_is_marked_as_ours_and_is_an_option() -> None:
    unstated = [article for article in RULES if not article.editions]
    assert unstated
    for article in unstated:
        assert article.basis == "default"
        assert article.options


def test_texts_are_one_or_two_short_sentences() -> None:
    for article in ALLIES.articles.values():
        assert len(re.findall(r"[.!?](?= |$)", article.text)) <= 2, article.id
        assert len(article.text.split()) <= 36, article.id
        assert len(article.title.split()) <= 7, article.id


def test_every_other_value_of_an_option_changes_what_some_article_says() -> None:
    usual = {article.id: explain(ALLIES, article.id, resolve(ALLIES)).text for article in RULES}
    for option in ALLIES.options.values():
        assert len(option.values) >= 2, option.name
        for value in option.values:
            values = resolve(ALLIES, RECONCILED, {option.name: value.value})
            changed = {each for each in option.articles if explain(ALLIES, each, values).text != usual[each]}
            assert bool(changed) == (value.value != option.default), f"{option.name} = {value.value}"


def test_the_readme_names_every_edition_and_file() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for edition in ALLIES.editions:
        assert f"| `{edition}` |" in readme
    for name in re.findall(r"^\| `([\w/.]+(?:\.toml|/))` \|", readme, re.MULTILINE):
        assert (FOLDER / name).exists(), name


def test_the_steps_read_no_option_that_the_rulebook_does_not_have() -> None:
    steps = "".join(file.read_text(encoding="utf-8") for file in sorted(FOLDER.rglob("*.py")))
    read = set(re.findall(r"""\boptions\[["'](\w+)["']\]""", steps))
    assert read <= set(ALLIES.options)


def words_in_a_row(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[start : start + COPIED_WORDS]) for start in range(len(words) - COPIED_WORDS + 1)}


def test_a_copied_sentence_would_be_noticed() -> None:
    sentence = "Lay the last of your cards beside the river and wait."
    assert words_in_a_row(f"First: {sentence} Then go.") & words_in_a_row(sentence)


@pytest.mark.skipif(not RULEBOOKS.is_dir(), reason="the rulebooks are not in the repository")
def test_no_text_of_ours_copies_seven_words_in_a_row_from_a_rulebook() -> None:
    printed = set().union(*(words_in_a_row(file.read_text(encoding="utf-8")) for file in RULEBOOKS.glob("*.txt")))
    ours = {article.id: article.text for article in ALLIES.articles.values()}
    for option in ALLIES.options.values():
        ours[option.id] = option.question
        for value in option.values:
            ours[f"{option.id}={value.value}"] = value.says
            ours |= {f"{option.id}={value.value}: {article}": text for article, text in value.texts.items()}
    copied = {key: " ".join(min(found)) for key, text in ours.items() if (found := words_in_a_row(text) & printed)}
    assert copied == {}
