"""An owner's set: the pieces of one copy of a game, as values and pictures in a folder.

The folder holds `set.toml` and, when photographed, one picture per piece, `<key>.jpg`. The project's
own proxies are sets of the same form without pictures. Which kinds of pieces there are and what is
printed on them is stated by the game (`form`).
"""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

import msgspec

from companion.kernel import game_key
from companion.sets.form import Count, Field, Form, Kind, load_form

PROXIES = Path(__file__).parent / "proxies"
SET_FILE = "set.toml"
T = TypeVar("T")


class SetError(ValueError):
    """A set that does not fit its game: one sentence with file, line or field, and what to do."""


class CardSet(msgspec.Struct, frozen=True):
    """All pieces of a set: `cards` the printed fields by key in the file's order, `kinds` the kind by key."""

    name: str
    game: str
    edition: str
    cards: Mapping[str, Mapping[str, Any]]
    kinds: Mapping[str, str]
    pictures: Mapping[str, Path | None]
    digest: str
    folder: Path | None = None
    """Where the set was read from."""
    complete: bool = True
    """Whether the set holds all that is in the box; others are learned in play."""
    standard: bool = True
    """Whether a table that names no set plays with it, where it is one of our own."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Every piece's key, in the file's order."""
        return tuple(self.cards)

    @property
    def nets(self) -> tuple[tuple[str, ...], ...]:
        """The six faces of each die, opposite ones in pairs; empty if the set has no dice of its own."""
        return tuple(tuple(die["net"]) for die in self.of_kind("die").values())

    def of_kind(self, kind: str) -> dict[str, Mapping[str, Any]]:
        """Return the printed fields of all pieces of one kind, by key."""
        return {key: fields for key, fields in self.cards.items() if self.kinds[key] == kind}


def proxy_set(game: str) -> CardSet:
    """Return the project's own proxies for a game.

    :raises SetError: if there are none for this game.
    """
    folder = PROXIES / game
    if not (folder / SET_FILE).is_file():
        raise SetError(f'there is no proxy deck for "{game}"; choose one of: {", ".join(proxy_games())}')
    return load_set(folder)


def standard_set(game: str) -> CardSet:
    """Return what a table plays with that names no set: the project's own proxies, or no pieces.

    There are none where a game states no box, or where the published pieces can be played with unlisted.

    :raises SetError: if the game states a box and there are no proxies for it.
    """
    own = proxy_set(game) if load_form(game) is not None else None
    return own if own is not None and own.standard else no_set(game)


def no_set(game: str) -> CardSet:
    """Return the set of a game that needs none."""
    return CardSet("", game, "", {}, {}, {}, set_digest("", game, "", {}, {}))


def proxy_games() -> tuple[str, ...]:
    """Return the keys of the games that have proxies."""
    return tuple(sorted(path.parent.name for path in PROXIES.glob(f"*/{SET_FILE}")))


def load_set(path: Path) -> CardSet:
    """Read the set in a folder (or its `set.toml`) and check it against what its game says is in the box.

    :raises SetError: for the first fault found; nothing is half loaded.
    """
    file = path / SET_FILE if path.is_dir() else path
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        raise SetError(f"{file}: the file cannot be read; an owner's set is a folder with a set.toml in it") from None
    except UnicodeDecodeError:
        raise SetError(f"{file}: the file is not UTF-8 text; save it as UTF-8") from None
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        says = f"{str(error)[:1].lower()}{str(error)[1:]}"
        raise SetError(f"{file}: this is not TOML, {says}; correct it there") from None
    return _SetReader(file, text, document).read()


def set_digest(
    name: str, game: str, edition: str, cards: Mapping[str, Mapping[str, Any]], kinds: Mapping[str, str]
) -> str:
    """SHA-256 (hex) over the values of a set, for the journal's header.

    It depends on values only: comments, order and pictures may change without changing it.
    """
    content = (name, game, edition, sorted((kinds[key], key, dict(fields)) for key, fields in cards.items()))
    return hashlib.sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()


class _SetReader:
    """One reading of one file; remembers where each table starts so that a fault has a line."""

    def __init__(self, file: Path, text: str, document: dict[str, Any]) -> None:
        self.file, self.document = file, document
        self.lines: dict[tuple[str, int, str], int] = {}
        self.seen: dict[str, int] = {}
        counts: Counter[str] = Counter()
        table = ("", 0)
        for number, line in enumerate(text.splitlines(), 1):
            words = line.strip()
            if words.startswith("[["):
                kind = words[2:].split("]]")[0].strip()
                table = (kind, counts[kind])
                counts[kind] += 1
                self.lines[(*table, "")] = number
            elif "=" in words and not words.startswith("#"):
                self.lines.setdefault((*table, words.split("=")[0].strip()), number)

    def fault(self, kind: str, index: int, field: str, says: str) -> SetError:
        """A SetError whose sentence starts with file, line and field."""
        line = self.lines.get((kind, index, field)) or self.lines.get((kind, index, ""))
        place = f"{self.file.name}:{line}" if line else self.file.name
        return SetError(f"{place}: {field}: {says}" if field else f"{place}: {says}")

    def read(self) -> CardSet:
        name = self._value("", 0, self.document, "label", str)
        game = game_key(self._value("", 0, self.document, "game", str))
        edition = self._value("", 0, self.document, "edition", str)
        form = load_form(game)
        if form is None:
            expected = ", ".join(proxy_games())
            raise self.fault("", 0, "game", f'there is no game "{game}" with a box; expected one of: {expected}')
        self._only("", 0, self.document, ("label", "game", "edition", "complete", "standard", *form))
        complete, standard = (self._flag(name) for name in ("complete", "standard"))
        cards: dict[str, Mapping[str, Any]] = {}
        kinds: dict[str, str] = {}
        for kind, wanted in form.items():
            for index, table in enumerate(self._tables(kind)):
                key = self._key(kind, index, table)
                cards[key], kinds[key] = self._piece(kind, index, table, wanted), kind
        self._check_references(form, cards, kinds)
        for kind, wanted in form.items():
            for count in wanted.count:
                self._expect(count, [fields for key, fields in cards.items() if kinds[key] == kind], complete)
        pictures = {key: self._picture(key) for key in cards}
        return CardSet(
            name, game, edition, MappingProxyType(cards), MappingProxyType(kinds), MappingProxyType(pictures),
            set_digest(name, game, edition, cards, kinds), self.file.parent, complete, standard,
        )  # fmt: skip

    def _flag(self, name: str) -> bool:
        """Return a flag in the head of the file, true if it is left out."""
        return name not in self.document or self._value("", 0, self.document, name, bool)

    def _picture(self, key: str) -> Path | None:
        picture = self.file.parent / f"{key}.jpg"
        return picture if picture.is_file() else None

    def _tables(self, kind: str) -> list[dict[str, Any]]:
        tables = self.document.get(kind, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self.fault("", 0, kind, f"expected one [[{kind}]] table per piece")
        return cast(list[dict[str, Any]], tables)

    def _only(self, kind: str, index: int, table: dict[str, Any], fields: tuple[str, ...]) -> None:
        for field in table:
            if field not in fields:
                raise self.fault(kind, index, field, f"this field is not known; expected: {', '.join(fields)}")

    def _value(self, kind: str, index: int, table: dict[str, Any], field: str, of: type[T]) -> T:
        if field not in table:
            raise self.fault(kind, index, "", f'"{field}" is missing; add it')
        value: object = table[field]
        if type(value) is not of:
            raise self.fault(kind, index, field, f"expected {_WORDS[of]}, found {value!r}")
        return value

    def _key(self, kind: str, index: int, table: dict[str, Any]) -> str:
        key = self._value(kind, index, table, "key", str)
        if not key or not all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in key):
            raise self.fault(kind, index, "key", f'"{key}" is no key; use letters, digits, - and _')
        line = self.lines.get((kind, index, "key"), 0)
        if key in self.seen:
            raise self.fault(
                kind, index, "key", f'"{key}" stands in line {self.seen[key]} already; give every card its own key'
            )
        self.seen[key] = line
        return key

    def _piece(self, kind: str, index: int, table: dict[str, Any], wanted: Kind) -> Mapping[str, Any]:
        self._only(kind, index, table, ("key", *wanted.fields))
        return {
            name: field.default
            if name not in table and field.default is not None
            else self._printed(kind, index, table, name, field)
            for name, field in wanted.fields.items()
        }

    def _printed(self, kind: str, index: int, table: dict[str, Any], name: str, field: Field) -> Any:
        value = self._value(kind, index, table, name, _TYPES[field.is_])
        if not isinstance(value, list):
            self._check_range(kind, index, name, field, [value], value)
            return value
        item = _ITEMS[field.is_]
        if any(type(each) is not item for each in value):
            raise self.fault(kind, index, name, f"expected {_LISTED[item]}, found {value!r}")
        if field.length is not None and len(value) != field.length:
            raise self.fault(kind, index, name, f"expected {field.length} values, found {len(value)}")
        self._check_range(kind, index, name, field, value, value)
        if field.at_most is not None and len(value) > field.at_most:
            raise self.fault(kind, index, name, f"expected at most {field.at_most}, found {len(value)}")
        if field.rising and (value != sorted(value) or value[0] == value[-1]):
            raise self.fault(kind, index, name, f"found {value}; {field.rising}")
        return tuple(value)

    def _check_range(self, kind: str, index: int, name: str, field: Field, values: list[Any], found: Any) -> None:
        if field.one_of and any(value not in field.one_of for value in values):
            if field.is_ == "word":
                raise self.fault(
                    kind, index, name, f'"{found}" is no {name}; expected one of: {", ".join(map(str, field.one_of))}'
                )
            legal = ", ".join(f"{each:+d}" if isinstance(each, int) else each for each in field.one_of)
            raise self.fault(kind, index, name, f"expected only {legal}, found {found}")
        least, most = field.least, field.most
        if any((least is not None and value < least) or (most is not None and value > most) for value in values):
            span = f"{least} or more" if most is None else f"{most} or less" if least is None else f"{least} to {most}"
            what = f"values from {span}" if isinstance(found, list) else f"a number from {span}"
            raise self.fault(kind, index, name, f"expected {what}, found {found}")

    def _check_references(self, form: Form, cards: Mapping[str, Mapping[str, Any]], kinds: Mapping[str, str]) -> None:
        for kind, wanted in form.items():
            named = [name for name, field in wanted.fields.items() if field.is_ == "piece"]
            of_kind = [key for key in cards if kinds[key] == kind]
            for index, key in enumerate(of_kind):
                for name in named:
                    other = cards[key][name]
                    if other and (kinds.get(other) != kind or other == key):
                        raise self.fault(kind, index, name, f'"{other}" is not another {kind} card of this set')

    def _expect(self, count: Count, pieces: list[Mapping[str, Any]], complete: bool) -> None:
        found = sum(all(fields[name] == value for name, value in count.where.items()) for fields in pieces)
        if found > count.number or (complete and found < count.number):
            do = "add the missing ones" if found < count.number else "take out the surplus"
            raise SetError(
                f"{self.file.name}: found {found} {count.called}, expected {count.number} ({count.article}); {do}"
            )


_WORDS: Mapping[type, str] = {str: "a text", int: "a whole number", bool: "true or false", list: "a list"}
_LISTED: Mapping[type, str] = {str: "texts", int: "whole numbers"}
_TYPES: Mapping[str, type[Any]] = {
    "word": str, "piece": str, "number": int, "flag": bool, "words": list, "numbers": list,
}  # fmt: skip
_ITEMS: Mapping[str, type[Any]] = {"words": str, "numbers": int}
