"""Which articles does the engine enforce: the entries of `coverage.toml` against the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from companion.rulebook.article import Rulebook

State = Literal["todo", "done", "exempt"]


class CoverageEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What became of one article or edition row.

    done: `test` names a test that fails when the article's rule is disabled; exempt: `reason` says why the
    engine need not enforce it; todo: neither yet.
    """

    state: State
    reason: str = ""
    test: str = ""


class Coverage(msgspec.Struct, frozen=True):
    """The ids by state, and every fault as a sentence; without faults the lists are a partition of all ids."""

    done: tuple[str, ...]
    exempt: tuple[str, ...]
    todo: tuple[str, ...]
    faults: tuple[str, ...]


def compare_coverage(rulebook: Rulebook, entries: Mapping[str, CoverageEntry]) -> Coverage:
    """Compare the entries with the rulebook's printed articles and edition rows.

    An article needs an entry. An edition row (`E01`) may have one, as exempt, unless an option covers it.
    Our own table protocol (`table/..`) needs none.
    """
    articles = [article.id for article in rulebook.articles.values() if article.level == "rule"]
    rows = {row: option.name for option in rulebook.options.values() for row in option.rows}
    faults = [f"{each} has no entry; write its state." for each in articles if each not in entries]
    for each, entry in entries.items():
        if each in rows:
            faults.append(f"{each} is covered by the option {rows[each]}; remove the entry.")
        elif each not in rulebook.articles and not _is_row(each):
            faults.append(f"{each} is no article of {rulebook.game}; remove the entry or correct its id.")
        if entry.state == "done" and not entry.test:
            faults.append(f"{each} is done but names no test; name the test that fails without it.")
        if entry.state == "exempt" and not entry.reason:
            faults.append(f"{each} is exempt but gives no reason; write why.")

    def in_state(state: State) -> tuple[str, ...]:
        return tuple(each for each, entry in entries.items() if entry.state == state)

    return Coverage(in_state("done"), in_state("exempt"), in_state("todo"), tuple(faults))


def _is_row(each: str) -> bool:
    return each[:1] == "E" and each[1:].isdigit()
