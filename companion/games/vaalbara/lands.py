"""The box: lands and characters, and what a land brings to whom (VB-37 to VB-43)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.games.vaalbara.pieces import CHARACTERS, CLANS, TYPES
from companion.kernel import UNKNOWN, NotationError, Unknown


class Land(msgspec.Struct, frozen=True):
    """A land's front, and the clan signs on its back from left to right (none: nobody has stated them).

    The number of a forest that nobody has stated is UNKNOWN: it is asked for when it is paid.
    """

    key: str
    type: str
    value: int | Unknown = 0
    players: int = 2
    signs: tuple[str, ...] = ()


class Box:
    """The pieces of the set on the table, by key. Shared by all positions of a game and never changed.

    A land that is in no set is called by what it is: `river-2` is a river, `forest-7` a forest of 7.
    """

    def __init__(
        self, lands: Mapping[str, Land], initiatives: Mapping[str, int], stated: Mapping[str, Any] | None = None
    ) -> None:
        self.lands, self.initiatives = dict(lands), dict(initiatives)
        self.stated = dict(stated or {})
        """What a document added to the set, as it wrote it."""
        signs = next((land.signs for land in lands.values() if land.signs), CLANS)
        self.clans = tuple(sorted(signs))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Box) and self._values() == other._values())

    def __hash__(self) -> int:
        return hash((len(self.lands), tuple(self.initiatives.items())))

    def _values(self) -> tuple[object, ...]:
        return self.lands, self.initiatives, self.stated

    @property
    def is_listed(self) -> bool:
        """Whether the set lists its lands."""
        return len(self.lands) > len(self.stated)

    def land(self, key: str) -> Land | None:
        """Return the land called `key`, None if there is none."""
        if key in self.lands:
            return self.lands[key]
        kind, _, number = key.partition("-")
        if self.is_listed or kind not in TYPES:
            return None
        return Land(key, kind, 0 if kind != "forest" else int(number) if number.isdecimal() else UNKNOWN)

    def with_value(self, key: str, value: int) -> Box:
        """Return the box in which the number on a forest is known that nobody had stated."""
        stated = {**self.stated, key: {"type": "forest", **self.stated.get(key, {}), "value": value}}
        lands = {**self.lands, key: msgspec.structs.replace(self.known(key), value=value)}
        return Box(lands, self.initiatives, stated)

    def known(self, key: str) -> Land:
        """Return a land that lies on the table already."""
        land = self.land(key)
        assert land is not None, key  # noqa: S101  checked before it was laid
        return land


_made: list[tuple[Mapping[str, Mapping[str, Any]], Box]] = []
"""The set unpacked last, so that all positions of an evening share one box."""


def box_from(faces: Mapping[str, Mapping[str, Any]]) -> Box:
    """Return the box whose pieces have these printed fields, by key."""
    if _made and _made[0][0] is faces:
        return _made[0][1]
    lands = {key: land_from(key, fields) for key, fields in faces.items() if "type" in fields}
    printed = {fields["character"]: fields["initiative"] for fields in faces.values() if "character" in fields}
    initiatives = {name: printed.get(name, number) for number, name in enumerate(CHARACTERS, 1)}
    _made[:] = [(faces, Box(lands, initiatives))]
    return _made[0][1]


def land_from(key: str, fields: Mapping[str, Any]) -> Land:
    """Return a land from its printed fields."""
    signs, value = tuple(fields.get("signs", ())), fields.get("value") or 0
    if fields["type"] == "forest" and not value:
        value = UNKNOWN
    return Land(key, fields["type"], value, fields.get("players", 2), signs)


def with_stated(box: Box, stated: Mapping[str, Mapping[str, Any]]) -> Box:
    """Return the box with the lands that a document adds to it.

    :raises NotationError: for clan signs that name a clan twice.
    """
    if not stated:
        return box
    for key, fields in stated.items():
        if len(set(signs := fields.get("signs", ()))) != len(signs):
            raise NotationError(f"lands: {key}: found the signs {', '.join(signs)}; each clan has one sign")
    lands = {**box.lands, **{key: land_from(key, fields) for key, fields in stated.items()}}
    return Box(lands, box.initiatives, stated)


def initiative_of(box: Box, character: str | Unknown | None) -> int:
    """Return the initiative of a character, 0 for none."""
    return 0 if character is None or character is UNKNOWN else box.initiatives[character]


def types_in(box: Box, kingdom: Iterable[str]) -> tuple[str, ...]:
    """Return the different types of land in a kingdom, in the order of the rulebook."""
    found = {box.known(key).type for key in kingdom}
    return tuple(kind for kind in TYPES if kind in found)


def count_in(box: Box, kingdom: Iterable[str], kind: str) -> int:
    """Return how many lands of a type a kingdom has."""
    return sum(box.known(key).type == kind for key in kingdom)
