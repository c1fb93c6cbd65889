"""An owner's set: the cards of one copy of a game, as values and pictures in a folder.

The folder holds `set.toml` and, when photographed, one picture per card, `<key>.jpg`. The project's
own proxy decks are sets of the same form without pictures.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypedDict, TypeVar, cast

import msgspec

from companion.sets.inventory import INVENTORIES, Inventory

PROXIES = Path(__file__).parent / "proxies"
CASTLE = "castle"
T = TypeVar("T")


class SetError(ValueError):
    """A set that does not fit its game: one sentence with file, line or field, and what to do."""


class TribeFields(TypedDict):
    """The values of one tribe card.

    `sectors` run clockwise round the card from the weakest to the strongest, `arrow` is the sector
    (counted from 1) at the printed top, `symbols` are signed sector counts, `look_alike` is the key
    of the card whose drawing it shares, or empty.
    """

    tribe: str
    sectors: tuple[int, ...]
    arrow: int
    symbols: tuple[int, ...]
    diamond: bool
    crown: bool
    look_alike: str


class CardSet(msgspec.Struct, frozen=True):
    """All cards of a set by key; `regions` maps a region card to its tribe, castles to "castle"."""

    name: str
    game: str
    edition: str
    cards: Mapping[str, TribeFields]
    regions: Mapping[str, str]
    pictures: Mapping[str, Path | None]
    digest: str

    @property
    def keys(self) -> tuple[str, ...]:
        """Every card's key, tribe cards first, in the file's order."""
        return (*self.cards, *self.regions)


def proxy_set(game: str) -> CardSet:
    """Return the project's own proxy deck for a game.

    :raises SetError: if there is none for this game.
    """
    folder = PROXIES / game
    if game not in INVENTORIES or not folder.is_dir():
        made = ", ".join(sorted(path.name for path in PROXIES.iterdir() if (path / "set.toml").is_file()))
        raise SetError(f'there is no proxy deck for "{game}"; choose one of: {made}')
    return load_set(folder)


def load_set(path: Path) -> CardSet:
    """Read the set in a folder (or its `set.toml`) and check it against its game's inventory.

    :raises SetError: for the first fault found; nothing is half loaded.
    """
    file = path / "set.toml" if path.is_dir() else path
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


def set_digest(name: str, game: str, edition: str, cards: Mapping[str, TribeFields], regions: Mapping[str, str]) -> str:
    """SHA-256 (hex) over the values of a set, for the journal's header.

    It depends on values only: comments, order and pictures may change without changing it.
    """
    content = (name, game, edition, sorted(cards.items()), sorted(regions.items()))
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
        self._only("", 0, self.document, ("label", "game", "edition", "tribe", "region"))
        name = self._value("", 0, self.document, "label", str)
        game = self._value("", 0, self.document, "game", str)
        edition = self._value("", 0, self.document, "edition", str)
        inventory = INVENTORIES.get(game)
        if inventory is None:
            raise self.fault("", 0, "game", f'there is no game "{game}"; expected one of: {", ".join(INVENTORIES)}')
        cards = {
            self._key("tribe", index, table): self._tribe_card(index, table, inventory)
            for index, table in enumerate(self._tables("tribe"))
        }
        regions = {
            self._key("region", index, table): self._region_tribe(index, table, inventory)
            for index, table in enumerate(self._tables("region"))
        }
        for index, (key, card) in enumerate(cards.items()):
            original = card["look_alike"]
            if original and (original not in cards or original == key):
                raise self.fault("tribe", index, "look_alike", f'"{original}" is not another tribe card of this set')
        self._count(cards, regions, inventory)
        pictures = {key: self._picture(key) for key in (*cards, *regions)}
        return CardSet(
            name, game, edition, MappingProxyType(cards), MappingProxyType(regions), MappingProxyType(pictures),
            set_digest(name, game, edition, cards, regions),
        )  # fmt: skip

    def _picture(self, key: str) -> Path | None:
        picture = self.file.parent / f"{key}.jpg"
        return picture if picture.is_file() else None

    def _tables(self, kind: str) -> list[dict[str, Any]]:
        tables = self.document.get(kind, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self.fault("", 0, kind, f"expected one [[{kind}]] table per card")
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

    def _tribe_card(self, index: int, table: dict[str, Any], inventory: Inventory) -> TribeFields:
        fields = ("key", "tribe", "sectors", "arrow", "symbols", "diamond", "crown", "look_alike")
        self._only("tribe", index, table, fields)
        tribe = self._value("tribe", index, table, "tribe", str)
        if tribe not in inventory.tribes:
            raise self.fault(
                "tribe", index, "tribe", f'"{tribe}" is no tribe; expected one of: {", ".join(inventory.tribes)}'
            )
        sectors = self._whole_numbers(index, table, "sectors")
        if len(sectors) != inventory.sectors:
            raise self.fault("tribe", index, "sectors", f"expected {inventory.sectors} values, found {len(sectors)}")
        if any(not inventory.lowest <= value <= inventory.highest for value in sectors):
            raise self.fault(
                "tribe", index, "sectors",
                f"expected values from {inventory.lowest} to {inventory.highest}, found {list(sectors)}",
            )  # fmt: skip
        if list(sectors) != sorted(sectors) or sectors[0] == sectors[-1]:
            raise self.fault(
                "tribe", index, "sectors",
                f"found {list(sectors)}; "
                "list them from the weakest to the strongest sector, clockwise after the barrier",
            )  # fmt: skip
        arrow = self._value("tribe", index, table, "arrow", int)
        if not 1 <= arrow <= inventory.sectors:
            raise self.fault("tribe", index, "arrow", f"expected a sector from 1 to {inventory.sectors}, found {arrow}")
        symbols = self._whole_numbers(index, table, "symbols")
        if any(symbol not in inventory.symbols for symbol in symbols):
            legal = ", ".join(f"{symbol:+d}" for symbol in inventory.symbols)
            raise self.fault("tribe", index, "symbols", f"expected only {legal}, found {list(symbols)}")
        if len(symbols) > inventory.symbols_per_card:
            raise self.fault(
                "tribe", index, "symbols", f"expected at most {inventory.symbols_per_card}, found {len(symbols)}"
            )
        return TribeFields(
            tribe=tribe,
            sectors=sectors,
            arrow=arrow,
            symbols=symbols,
            diamond=self._value("tribe", index, table, "diamond", bool),
            crown=self._value("tribe", index, table, "crown", bool),
            look_alike=self._value("tribe", index, table, "look_alike", str) if "look_alike" in table else "",
        )

    def _whole_numbers(self, index: int, table: dict[str, Any], field: str) -> tuple[int, ...]:
        values = self._value("tribe", index, table, field, list)
        if any(type(value) is not int for value in values):
            raise self.fault("tribe", index, field, f"expected whole numbers, found {values!r}")
        return tuple(values)

    def _region_tribe(self, index: int, table: dict[str, Any], inventory: Inventory) -> str:
        self._only("region", index, table, ("key", "tribe"))
        tribe = self._value("region", index, table, "tribe", str)
        if tribe not in (*inventory.tribes, CASTLE):
            known = ", ".join((*inventory.tribes, CASTLE))
            raise self.fault("region", index, "tribe", f'"{tribe}" is no tribe; expected one of: {known}')
        return tribe

    def _count(self, cards: Mapping[str, TribeFields], regions: Mapping[str, str], inventory: Inventory) -> None:
        tribe_cards = Counter(card["tribe"] for card in cards.values())
        region_cards = Counter(regions.values())
        for tribe in inventory.tribes:
            self._expect(f"tribe cards of the {tribe}", tribe_cards[tribe], inventory.cards_per_tribe)
            self._expect(f"region cards of the {tribe}", region_cards[tribe], inventory.regions_per_tribe)
        self._expect("castles", region_cards[CASTLE], inventory.castles)

    def _expect(self, what: str, found: int, expected: int) -> None:
        if found != expected:
            do = "add the missing ones" if found < expected else "take out the surplus"
            raise SetError(f"{self.file.name}: found {found} {what}, expected {expected}; {do}")


_WORDS: Mapping[type, str] = {str: "a text", int: "a whole number", bool: "true or false", list: "a list"}
