"""The only reader of the game folders' TOML: `rulebook.toml`, `options.toml` and `coverage.toml`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import Any, TypeVar

import msgspec

from companion.rulebook.article import RECONCILED, Article, Edition, Option, OptionValue, Rulebook
from companion.rulebook.coverage import CoverageEntry
from companion.rulebook.entries import (
    ArticleEntry,
    EditionEntry,
    OptionEntry,
    RulebookError,
    TableEntry,
    ValueEntry,
    name_entry,
    parse_document,
    parse_entry,
)

SETUP_SWITCHES = 5
"""How many options set-up may show at most."""

TABLE_SECTION = "Our own table"

T = TypeVar("T")


@cache
def load_rulebook(game: str) -> Rulebook:
    """Return the rulebook of the game folder `game`; raise `RulebookError` for any fault in its files."""
    return parse_rulebook(game, _text(game, "rulebook.toml"), _text(game, "options.toml"))


def load_coverage(game: str) -> dict[str, CoverageEntry]:
    """Return the entries of the game's `coverage.toml` by id; raise `RulebookError` for any fault in it."""
    return parse_coverage(game, _text(game, "coverage.toml"))


def parse_rulebook(game: str, rulebook_toml: str, options_toml: str) -> Rulebook:
    """Return the rulebook that the two texts describe; raise `RulebookError` for the first fault found."""
    in_rulebook, in_options = f"{game}/rulebook.toml", f"{game}/options.toml"
    document = parse_document(in_rulebook, rulebook_toml, ("article", "table"))
    settings = parse_document(in_options, options_toml, ("option", "edition"))

    editions = _editions(in_options, settings.get("edition", []))
    options = _options(in_options, settings.get("option", []))
    _check_bundles(in_options, editions, options)
    articles = _articles(in_rulebook, document, editions)
    _check_articles(in_options, options, articles)

    return Rulebook(
        game,
        {key: _with_options(article, options.values()) for key, article in articles.items()},
        {key: _with_editions(option, editions.values()) for key, option in options.items()},
        editions,
    )


def parse_coverage(game: str, coverage_toml: str) -> dict[str, CoverageEntry]:
    """Return the coverage entries by article or row id; raise `RulebookError` for the first fault found."""
    file = f"{game}/coverage.toml"
    document = parse_document(file, coverage_toml, None)
    return {key: parse_entry(f"{file}: {key}", CoverageEntry, raw) for key, raw in document.items()}


def _text(game: str, name: str) -> str:
    folder = resources.files("companion.games")
    known = sorted(each.name for each in folder.iterdir() if (each / "rulebook.toml").is_file())
    if game not in known:
        raise RulebookError(f"There is no game {game!r} with a rulebook; found {', '.join(known)}.")
    try:
        return (folder / game / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RulebookError(f"{game}/{name}: the file is missing.") from None
    except UnicodeDecodeError as fault:
        raise RulebookError(f"{game}/{name}: not UTF-8 text ({fault.reason} at byte {fault.start}).") from None


def _articles(file: str, document: dict[str, Any], editions: dict[str, Edition]) -> dict[str, Article]:
    printed = tuple(key for key in editions if key != RECONCILED)
    found: dict[str, Article] = {}
    for number, raw in enumerate(document.get("article", []), 1):
        where = name_entry(file, "article", number, raw, "id")
        entry = parse_entry(where, ArticleEntry, raw)
        for key in entry.editions or ():
            if key not in printed:
                raise RulebookError(f"{where}: editions names {key!r}; known are {', '.join(printed)}.")
        holds_in = printed if entry.editions is None else entry.editions
        _add(
            where,
            "id",
            found,
            entry.id,
            Article(entry.id, entry.title, entry.text, entry.section, entry.kind, entry.force, holds_in, entry.basis),
        )
    for number, raw in enumerate(document.get("table", []), 1):
        where = name_entry(file, "table", number, raw, "id")
        own = parse_entry(where, TableEntry, raw)
        if not own.id.startswith("table/"):
            raise RulebookError(f"{where}: id is {own.id!r}; expected it to begin with 'table/'.")
        _add(
            where,
            "id",
            found,
            own.id,
            Article(own.id, own.title, own.text, TABLE_SECTION, "flow", "automatic", printed, level="table"),
        )
    return found


def _options(file: str, raws: Sequence[object]) -> dict[str, Option]:
    found: dict[str, Option] = {}
    called: dict[str, str] = {}
    for number, raw in enumerate(raws, 1):
        where = name_entry(file, "option", number, raw, "name")
        entry = parse_entry(where, OptionEntry, raw)
        values: dict[str, OptionValue] = {}
        for nth, each in enumerate(entry.values, 1):
            at = name_entry(where, "value", nth, each, "value")
            value = parse_entry(at, ValueEntry, each)
            _add(at, "value", values, value.value, OptionValue(value.value, value.says, value.texts))
            for article in value.texts:
                if article not in entry.articles:
                    raise RulebookError(f"{at}: texts names {article}, which is not among the option's articles.")
        if entry.default not in values:
            raise RulebookError(f"{where}: default is {entry.default!r}; expected one of {', '.join(values)}.")
        for each_id in (entry.id, *entry.rows):
            _add(where, "id or row", called, each_id, entry.name)
        _add(
            where,
            "name",
            found,
            entry.name,
            Option(
                entry.name,
                entry.id,
                entry.question,
                entry.default,
                tuple(values.values()),
                entry.articles,
                entry.rows,
                entry.setup,
            ),
        )
    switches = [option.name for option in found.values() if option.setup]
    if len(switches) > SETUP_SWITCHES:
        raise RulebookError(
            f"{file}: setup is true for {len(switches)} options ({', '.join(switches)});"
            f" expected at most {SETUP_SWITCHES}."
        )
    return found


def _editions(file: str, raws: Sequence[object]) -> dict[str, Edition]:
    found: dict[str, Edition] = {}
    for number, raw in enumerate(raws, 1):
        where = name_entry(file, "edition", number, raw, "key")
        entry = parse_entry(where, EditionEntry, raw)
        _add(where, "key", found, entry.key, Edition(entry.key, entry.name, entry.language, entry.options))
    if RECONCILED not in found:
        raise RulebookError(f"{file}: there is no edition with the key '{RECONCILED}'; write one without options.")
    if found[RECONCILED].options:
        raise RulebookError(f"{file}: edition {RECONCILED}: options must be empty; it means every default.")
    return found


def _check_bundles(file: str, editions: dict[str, Edition], options: dict[str, Option]) -> None:
    for key, edition in editions.items():
        for name, value in edition.options.items():
            where = f"{file}: edition {key}: options"
            if name not in options:
                raise RulebookError(f"{where} names {name!r}; known are {', '.join(options)}.")
            if options[name].find_value(value) is None:
                allowed = ", ".join(each.value for each in options[name].values)
                raise RulebookError(f"{where}.{name} is {value!r}; expected one of {allowed}.")


def _check_articles(file: str, options: dict[str, Option], articles: dict[str, Article]) -> None:
    rewritten: dict[str, str] = {}
    for option in options.values():
        where = f"{file}: option {option.name}"
        for article in option.articles:
            if article not in articles:
                raise RulebookError(f"{where}: articles names {article!r}, which rulebook.toml does not have.")
        for article in {each for value in option.values for each in value.texts}:
            if article in rewritten:
                raise RulebookError(f"{where}: texts rewrites {article}, and so does option {rewritten[article]}.")
            rewritten[article] = option.name


def _with_options(article: Article, options: Iterable[Option]) -> Article:
    names = tuple(option.name for option in options if article.id in option.articles)
    return msgspec.structs.replace(article, options=names)


def _with_editions(option: Option, editions: Iterable[Edition]) -> Option:
    bundled: dict[str, list[str]] = {}
    for edition in editions:
        if edition.key != RECONCILED:
            bundled.setdefault(edition.options.get(option.name, option.default), []).append(edition.key)
    return msgspec.structs.replace(
        option,
        values=tuple(
            msgspec.structs.replace(value, editions=tuple(bundled.get(value.value, ()))) for value in option.values
        ),
    )


def _add(where: str, field: str, found: dict[str, T], key: str, value: T) -> None:
    if key in found:
        raise RulebookError(f"{where}: {field} {key!r} occurs twice; each may occur once.")
    found[key] = value
