"""From a citation to a sentence: what an article says in the edition and with the options of this table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from companion.rulebook.article import Article, Option, Rulebook


class CitationError(LookupError):
    """A citation that names no article, option or edition row of the rulebook."""


class Explanation(msgspec.Struct, frozen=True):
    """What a citation says at this table.

    `section` is the section of the printed rulebook, `options` the table options (name, value) that the
    text depends on.
    """

    id: str
    title: str
    section: str
    text: str
    level: Literal["rule", "option", "table"]
    options: tuple[tuple[str, str], ...] = ()

    @property
    def beside_title(self) -> str:
        """The text without its title, if it begins with it: for people who see both."""
        rest = self.text.removeprefix(f"{self.title}: ")
        return self.text if rest == self.text else rest[:1].upper() + rest[1:]


def explain(rulebook: Rulebook, citation: str, values: Mapping[str, str]) -> Explanation:
    """Return what `citation` says when the options have these `values` (from `resolve`).

    A citation is the id of an article (`AL-65`, `table/undo`), of an option (`AL-Q01`, `AL-E19`) or of an
    edition row that an option covers (`E14`). Raises `CitationError` for any other.
    """
    if article := rulebook.articles.get(citation):
        return _explain_article(rulebook, article, values)
    for option in rulebook.options.values():
        if citation == option.id or citation in option.rows:
            return _explain_option(option, citation, values)
    raise CitationError(
        f"{rulebook.game} has no article or option {citation!r}; expected an id such as"
        f" {next(iter(rulebook.articles))}."
    )


def format_citation(explanation: Explanation) -> str:
    """Return the explanation as one line: `AL-65 Turning a region: To face the winner ...`."""
    title = explanation.title if explanation.title.endswith("?") else f"{explanation.title}:"
    return f"{explanation.id} {title} {explanation.beside_title}"


def _explain_article(rulebook: Rulebook, article: Article, values: Mapping[str, str]) -> Explanation:
    text = article.text
    riders: list[str] = []
    for name in article.options:
        option = rulebook.options[name]
        value = option.find_value(values[name])
        if value is None or value.value == option.default:
            continue
        if article.id in value.texts:
            text = value.texts[article.id]
        else:
            riders.append(value.says)
    depends = tuple((name, values[name]) for name in article.options)
    return Explanation(article.id, article.title, article.section, " ".join([text, *riders]), article.level, depends)


def _explain_option(option: Option, citation: str, values: Mapping[str, str]) -> Explanation:
    value = option.find_value(values[option.name])
    says = value.says if value else ""
    return Explanation(
        citation, option.question, "Table options", says, "option", ((option.name, values[option.name]),)
    )
