"""Cases: a position, moves and a question, ruled by a game's own steps and compared with what people expect.

A ruling is made from `position`, `moves`, `asks`, `edition` and `options` alone. What people wrote
beside them (`expected`, `alternatives`, `ruling`, `rules`, `title`, `question`) is not read until
the ruling stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import msgspec

from companion.kernel import Finding, NotationError, Probe, Setup
from companion.notation.document import Document, DocumentError, convert
from companion.rulebook.article import RECONCILED, Rulebook
from companion.rulebook.options import OptionError, resolve

State = Literal["ruled", "undecidable", "unsupported"]


class CaseDocument(msgspec.Struct, forbid_unknown_fields=True):
    """One case as it is written. `form` says whether fields decide it, a play, or English sentences."""

    id: str
    kind: str
    position: dict[str, Any]
    form: Literal["structured", "play", "prose"] = "structured"
    asks: list[str] | dict[str, Any] = []
    """The keys wanted; in a play also key to projection (`value: value of B1`)."""
    moves: list[Any] = []
    edition: str = RECONCILED
    options: dict[str, str] = {}
    title: Any = None
    question: Any = None
    expected: Any = msgspec.UNSET
    alternatives: Any = None
    ruling: Any = None
    rules: Any = None


class CaseFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file of cases. `defaults` and `edition` of the head are for people; each case states its own."""

    game: str
    cases: list[dict[str, Any]]
    defaults: Any = None


class Case:
    """One case of a file, with the place it stands in for messages."""

    def __init__(self, document: Document, path: str, doc: CaseDocument) -> None:
        self.document, self.path, self.doc = document, path, doc

    def fault(self, field: str, says: str) -> DocumentError:
        """Return the error about a field of this case."""
        return self.document.fault(f"{self.path}.{field}", says)

    def convert(self, field: str, value: Any, kind: type[Any]) -> Any:
        """Return the value of a field as a record of `kind`.

        :raises DocumentError: with line and field if it does not fit.
        """
        return convert(self.document, f"{self.path}.{field}", value, kind)


class Ruling(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the engine says about a case; `agrees` only where the case states an expectation."""

    id: str
    state: State
    ruling: dict[str, Any]
    cites: tuple[str, ...]
    options: dict[str, str]
    assumed: tuple[str, ...]
    reason: str = ""
    agrees: bool | msgspec.UnsetType = msgspec.UNSET


def open_cases(document: Document) -> tuple[str, list[Case]]:
    """Return the game a document names and its cases.

    :raises DocumentError: for a field that is missing, unknown or of the wrong kind, and for an id
        that two cases share.
    """
    file = convert(document, "", document.root, CaseFile)
    cases: list[Case] = []
    seen: set[str] = set()
    for index, raw in enumerate(file.cases):
        path = f"cases[{index}]"
        doc = convert(document, path, raw, CaseDocument)
        if doc.id in seen:
            raise document.fault(f"{path}.id", f"found {doc.id!r} a second time; each case needs an id of its own")
        seen.add(doc.id)
        cases.append(Case(document, path, doc))
    return file.game, cases


def options_of(case: Case, rulebook: Rulebook, edition: str = "") -> dict[str, str]:
    """Return the value of every option under a case's edition (or another one) and its own options.

    :raises DocumentError: for an unknown edition, option or value.
    """
    for called, value in case.doc.options.items():
        try:
            resolve(rulebook, RECONCILED, {called: value})
        except OptionError as error:
            raise case.fault(f"options.{called}", str(error)) from None
    try:
        return resolve(rulebook, edition or case.doc.edition, case.doc.options)
    except OptionError as error:
        raise case.fault("edition", str(error)) from None


def judge_structured(case: Case, probe: Probe, rulebook: Rulebook, hinges: bool = True) -> Ruling:
    """Rule a structured case.

    The options that it depended on are those that its articles cite and, with `hinges`, those under another
    value of which the same position is ruled otherwise: what an option keeps from happening cites nothing.

    :raises DocumentError: for a field that does not fit the kind, or a key that it cannot rule.
    """
    doc = case.doc
    options = options_of(case, rulebook)
    position = case.convert("position", probe.in_our_words(doc.position), probe.position)
    moves = [case.convert(f"moves[{index}]", move, probe.move) for index, move in enumerate(doc.moves)]
    for index, ask in enumerate(doc.asks):
        if ask not in probe.asks:
            expected = f"expected one of {', '.join(probe.asks)} (a case of the kind {doc.kind})"
            raise case.fault(f"asks[{index}]", f"found {ask!r}, {expected}")
    wanted = tuple(doc.asks) or probe.asks

    def find(options: Mapping[str, str]) -> Finding:
        return probe.run(position, moves, wanted, Setup(options, probe.seats(position)))

    try:
        finding = find(options)
    except NotationError as error:
        in_moves = str(error).startswith("moves: ")
        raise case.fault("moves" if in_moves else "position", str(error).removeprefix("moves: ")) from None
    decided = finding.open is None and not finding.missing
    for index, ask in enumerate(doc.asks if decided else ()):
        if ask not in finding.ruling:
            expected = f"expected one of {', '.join(finding.ruling)}; the position says nothing of it"
            raise case.fault(f"asks[{index}]", f"found {ask!r}, {expected}")
    asks = doc.asks or [ask for ask in probe.asks if ask in finding.ruling]
    ruling = ruling_of(doc.id, asks, finding, options, rulebook)
    if hinges:
        named = _hinges(find, asks, options, rulebook) | ruling.options.keys()
        depends = {name: options[name] for name in rulebook.options if name in named}
        ruling = msgspec.structs.replace(ruling, options=depends)
    return compare(case, ruling)


def _hinges(
    find: Callable[[Mapping[str, str]], Finding], asks: Iterable[str], options: Mapping[str, str], rulebook: Rulebook
) -> set[str]:
    """Return the options without whose value the answers would have been others, or none at all."""

    def answers(options: Mapping[str, str]) -> object:
        try:
            finding = find(options)
        except NotationError:
            return None
        asked = finding.open and finding.open.key
        return finding.missing, asked, {ask: finding.ruling.get(ask) for ask in asks}

    as_agreed = answers(options)
    return {
        name
        for name, option in rulebook.options.items()
        if any(
            answers({**options, name: each.value}) != as_agreed for each in option.values if each.value != options[name]
        )
    }


def ruling_of(
    case_id: str, asks: Iterable[str], finding: Finding, options: Mapping[str, str], rulebook: Rulebook
) -> Ruling:
    """Return the ruling that a finding amounts to: undecidable if the rules had to stop and ask."""
    cites = [cite for ruled in finding.told for cite in ruled.cites] + list(finding.cites)
    if finding.open is not None:
        cites += finding.open.cites
    articles = tuple(dict.fromkeys(str(cite) for cite in cites))
    by_id = {option.id: name for name, option in rulebook.options.items()}
    depends = {by_id[article]: options[by_id[article]] for article in articles if article in by_id}
    if finding.missing:
        reason = f"not stated, and the ruling depends on it: {', '.join(finding.missing)}"
        return Ruling(case_id, "undecidable", {}, articles, depends, finding.assumed, reason)
    if finding.open is not None:
        reason = f"the rules cannot go on before {finding.open.key!r} is answered"
        return Ruling(case_id, "undecidable", {}, articles, depends, finding.assumed, reason)
    ruling = {key: finding.ruling[key] for key in asks}
    return Ruling(case_id, "ruled", ruling, articles, depends, finding.assumed)


def unsupported(case: Case, reason: str) -> Ruling:
    """Return the ruling about a case that no probe of its game can rule."""
    return Ruling(case.doc.id, "unsupported", {}, (), {}, (), reason)


def compare(case: Case, ruling: Ruling) -> Ruling:
    """Return the ruling with `agrees`, if the case says what people expect."""
    expected = case.doc.expected
    if expected is msgspec.UNSET or expected is None:
        return ruling
    if isinstance(expected, str):
        agrees = ruling.state == "undecidable" and expected.startswith("undecidable")
    else:
        agrees = ruling.state == "ruled" and matches(expected, ruling.ruling)
    return msgspec.structs.replace(ruling, agrees=agrees)


def matches(expected: Any, found: Any) -> bool:
    """Return whether all that is expected is there: every key, lists item by item, values equal."""
    if isinstance(expected, Mapping):
        if not isinstance(found, Mapping):
            return False
        by_name = {str(key): value for key, value in found.items()}
        return all(str(key) in by_name and matches(value, by_name[str(key)]) for key, value in expected.items())
    if isinstance(expected, (list, tuple)):
        return (
            isinstance(found, (list, tuple))
            and len(expected) == len(found)
            and all(matches(*pair) for pair in zip(expected, found, strict=True))
        )
    return type(expected) is type(found) and bool(expected == found)
