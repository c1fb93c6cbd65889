"""The shape of the TOML files: a document is checked key by key before anything is built from it."""

from __future__ import annotations

import tomllib
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from companion.rulebook.article import Basis, Force, Kind

T = TypeVar("T")


class RulebookError(ValueError):
    """A fault in a game's TOML; the message names file, entry and field, what was found and what was expected."""


class ArticleEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[article]]` of `rulebook.toml`; without `editions` it holds in all printed ones."""

    id: str
    title: str
    text: str
    section: str
    kind: Kind
    force: Force
    editions: tuple[str, ...] | None = None
    basis: Basis = "text"


class TableEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[table]]` of `rulebook.toml`: an article of our own protocol."""

    id: str
    title: str
    text: str


class ValueEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[option.values]]` of `options.toml`."""

    value: str
    says: str
    texts: dict[str, str] = {}


class OptionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[option]]` of `options.toml`; its values are parsed one by one."""

    name: str
    id: str
    question: str
    default: str
    values: list[dict[str, Any]]
    articles: tuple[str, ...]
    rows: tuple[str, ...] = ()
    setup: bool = False


class EditionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[edition]]` of `options.toml`."""

    key: str
    name: str
    language: str
    options: dict[str, str] = {}


def parse_document(file: str, text: str, keys: tuple[str, ...] | None) -> dict[str, Any]:
    """Return the TOML document, whose top level may hold lists under `keys` only (anything if None).

    Raises `RulebookError` for text that is not TOML and for any other key.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise RulebookError(f"{file}: not TOML: {fault}.") from None
    if keys is None:
        return document
    for key, value in document.items():
        if key not in keys:
            raise RulebookError(f"{file}: unknown key {key!r}; allowed are {', '.join(keys)}.")
        if not isinstance(value, list):
            raise RulebookError(f"{file}: {key} must be a list; write [[{key}]].")
    return document


def parse_entry(where: str, kind: type[T], raw: object) -> T:
    """Return `raw` as a `kind`; raise `RulebookError` naming `where` and the field if it does not fit."""
    if not isinstance(raw, dict):
        raise RulebookError(f"{where}: found {raw!r}, expected a table of keys and values.")
    fields = msgspec.structs.fields(kind)  # type: ignore[arg-type]
    allowed = [each.name for each in fields]
    for key in raw:
        if key not in allowed:
            raise RulebookError(f"{where}: unknown key {key!r}; allowed are {', '.join(allowed)}.")
    for each in fields:
        if each.required and each.name not in raw:
            raise RulebookError(f"{where}: {each.name} is missing.")
        closed = get_args(each.type) if get_origin(each.type) is Literal else ()
        if closed and each.name in raw and raw[each.name] not in closed:
            raise RulebookError(f"{where}: {each.name} is {raw[each.name]!r}; expected one of {', '.join(closed)}.")
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as fault:
        raise RulebookError(f"{where}: {fault}.") from None


def name_entry(file: str, noun: str, number: int, raw: object, key: str) -> str:
    """Return how errors call an entry: by the name under `key`, or by its number in the list."""
    name = raw.get(key) if isinstance(raw, dict) else None
    return f"{file}: {noun} {name}" if isinstance(name, str) else f"{file}: {noun} number {number}"
