"""What presenters share: the rules in force at a table, citations in full, sentences joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from companion.kernel import Citation, Question
from companion.presenters.models import CiteModel
from companion.rulebook.article import Rulebook
from companion.rulebook.explain import CitationError, explain
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.table.session import Session


class RulesInForce(msgspec.Struct, frozen=True):
    """A rulebook and the value of each of its table options."""

    book: Rulebook
    values: Mapping[str, str]


def rules_of(session: Session) -> RulesInForce:
    """Return the rules that the session's table plays by."""
    book = load_rulebook(session.game.key)
    return RulesInForce(book, resolve(book, session.header.edition, session.header.options))


def cite_in_full(rules: RulesInForce, cites: Iterable[Citation]) -> tuple[CiteModel, ...]:
    """Return each citation with its title, wording and section; an unknown one with its id alone."""
    return tuple(_in_full(rules, cited) for cited in cites)


def _in_full(rules: RulesInForce, cited: Citation) -> CiteModel:
    try:
        said = explain(rules.book, cited.article, rules.values)
    except CitationError:
        return CiteModel(cited.article)
    level: dict[str, str] = {"rule": "rule", "option": "option", "house": "house", "table": "table"}
    shown = level.get(cited.level, "rule")
    return msgspec.convert(
        {"article": said.id, "title": said.title, "text": said.beside_title, "section": said.section, "level": shown},
        CiteModel,
    )


def ids_of(question: Question) -> tuple[str, ...]:
    """Return the article ids of a question."""
    return tuple(cited.article for cited in question.cites)


def without_stop(sentence: str) -> str:
    """Return a sentence as a phrase, without its full stop."""
    return sentence[:-1] if sentence.endswith(".") and not sentence.endswith("..") else sentence
