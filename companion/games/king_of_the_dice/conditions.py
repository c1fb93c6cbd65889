"""What villagers ask of the dice (KD-35 to KD-54): values that say whether dice meet them, and why not.

A condition looks either at the numbers or at the colours, and never at the order of the dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.games.king_of_the_dice.pieces import PIPS, colour, number
from companion.kernel import Citation, NotationError, Text, cite

_ARTICLES = {
    "rich": cite("KD-35", "KD-Q17"),
    "orc": cite("KD-36", "KD-37", "KD-38", "KD-Q03"),
    "elves": cite("KD-39", "KD-40"),
    "mushroom": cite("KD-43", "KD-44", "KD-Q03", "KD-Q16"),
    "dwarf": cite("KD-45", "KD-Q03"),
    "apprentice": cite("KD-46", "KD-Q03"),
    "gnome": cite("KD-48", "KD-Q03"),
    "fairy": cite("KD-49", "KD-Q03"),
    "hypnotist": cite("KD-51", "KD-Q02"),
    "dragon": cite("KD-54"),
}
_RUNS = {length: [PIPS[first : first + length] for first in range(7 - length)] for length in range(1, 7)}
"""Every run of so many numbers."""
_LIMITS = {"twelve": 12, "fourteen": 14, "twenty_one": 21}


class Condition(msgspec.Struct, frozen=True):
    """One villager's condition. `kind` names the villager whose articles speak of it."""

    kind: str

    @property
    def cites(self) -> tuple[Citation, ...]:
        return _ARTICLES[self.kind]

    def sees(self, face: str) -> str:
        """Return what of a face matters; the number unless a condition says otherwise."""
        return number(face)

    def met(self, seen: Sequence[str]) -> bool:
        """Return whether dice of which that was seen meet the condition."""
        raise NotImplementedError

    def asked(self) -> Text:
        """Return in words what is asked."""
        raise NotImplementedError

    def shown(self, seen: Sequence[str]) -> str:
        """Return what the dice show of it, short."""
        return " ".join(sorted(seen))


class Parity(Condition, frozen=True):
    """All six numbers even, or all odd; `either` where any copy takes both (KD-Q17)."""

    parity: str
    either: bool = False

    def sees(self, face: str) -> str:
        return "odd" if int(number(face)) % 2 else "even"

    def met(self, seen: Sequence[str]) -> bool:
        return len(set(seen)) == 1 and (self.either or seen[0] == self.parity)

    def asked(self) -> Text:
        return Text("asks.either" if self.either else f"asks.{self.parity}")

    def shown(self, seen: Sequence[str]) -> str:
        return f"{seen.count('even')} : {seen.count('odd')}"


class Groups(Condition, frozen=True):
    """Groups of equal numbers, each group another number; `sizes` from the largest."""

    sizes: tuple[int, ...]
    exactly: bool = False

    def met(self, seen: Sequence[str]) -> bool:
        there = sorted(map(seen.count, set(seen)), reverse=True)
        if self.exactly:
            return all(there.count(size) >= self.sizes.count(size) for size in self.sizes)
        return len(there) >= len(self.sizes) and all(map(int.__ge__, there, self.sizes))

    def asked(self) -> Text:
        return Text("asks.groups", (("groups", " + ".join(map(str, self.sizes))),))


class Run(Condition, frozen=True):
    """A run of so many consecutive numbers; after 6 nothing follows."""

    length: int

    def met(self, seen: Sequence[str]) -> bool:
        there = set(seen)
        return any(there.issuperset(run) for run in _RUNS[self.length])

    def asked(self) -> Text:
        return Text("asks.run", (("length", self.length),))


class OneColour(Condition, frozen=True):
    """So many dice of one colour, whichever it is (KD-44)."""

    count: int
    exactly: bool = False

    def sees(self, face: str) -> str:
        return colour(face)

    def met(self, seen: Sequence[str]) -> bool:
        counts = Counter(seen).values()
        return self.count in counts if self.exactly else max(counts) >= self.count

    def asked(self) -> Text:
        return Text("asks.one_colour", (("count", self.count),))

    def shown(self, seen: Sequence[str]) -> str:
        return ", ".join(f"{count} {each}" for each, count in sorted(Counter(seen).items()))


class Numbers(Condition, frozen=True):
    """So many dice with one given number."""

    number: int
    count: int
    exactly: bool = False

    def sees(self, face: str) -> str:
        return "hit" if number(face) == str(self.number) else "other"

    def met(self, seen: Sequence[str]) -> bool:
        hits = seen.count("hit")
        return hits == self.count if self.exactly else hits >= self.count

    def asked(self) -> Text:
        return Text("asks.number", (("count", self.count), ("number", self.number)))

    def shown(self, seen: Sequence[str]) -> str:
        return str(seen.count("hit"))


class Colours(Condition, frozen=True):
    """So many dice in each of the given colours, all at once; gnomes ask for one colour only."""

    counts: tuple[tuple[str, int], ...]
    exactly: bool = False

    def sees(self, face: str) -> str:
        return next((each for each, _ in self.counts if each == colour(face)), "other")

    def met(self, seen: Sequence[str]) -> bool:
        there = Counter(seen)
        return all(there[each] == count if self.exactly else there[each] >= count for each, count in self.counts)

    def asked(self) -> Text:
        return Text("asks.colours", (("colours", _counted(self.counts)),))

    def shown(self, seen: Sequence[str]) -> str:
        return _counted([(each, seen.count(each)) for each, _ in self.counts])


class SumAtMost(Condition, frozen=True):
    """The sum of all dice is not above a limit."""

    most: int

    def met(self, seen: Sequence[str]) -> bool:
        return sum(map(int, seen)) <= self.most

    def asked(self) -> Text:
        return Text("asks.at_most", (("sum", self.most),))

    def shown(self, seen: Sequence[str]) -> str:
        return str(sum(map(int, seen)))


class SumAtLeast(Condition, frozen=True):
    """The sum of all dice is not below a threshold."""

    least: int

    def met(self, seen: Sequence[str]) -> bool:
        return sum(map(int, seen)) >= self.least

    def asked(self) -> Text:
        return Text("asks.at_least", (("sum", self.least),))

    def shown(self, seen: Sequence[str]) -> str:
        return str(sum(map(int, seen)))


def condition_from(kind: str, fields: Mapping[str, Any], options: Mapping[str, str]) -> Condition:
    """Return the condition of a villager of a kind from its printed fields, under the table's options.

    :raises NotationError: naming the field that this kind needs, or that asks for more than six dice.
    """
    exactly = options["how_many_dice"] == "exactly"
    match kind:
        case "rich":
            return Parity(kind, _field(kind, fields, "parity"), options["parity_shown"] == "either")
        case "orc":
            sizes = tuple(sorted(_field(kind, fields, "groups"), reverse=True))
            return Groups(kind, _dice(kind, "groups", sizes), exactly)
        case "elves":
            (length,) = _dice(kind, "length", (_field(kind, fields, "length"),))
            return Run(kind, length)
        case "mushroom":
            (count,) = _dice(kind, "count", (_field(kind, fields, "count"),))
            return OneColour(kind, count, exactly)
        case "dwarf":
            (count,) = _dice(kind, "count", (_field(kind, fields, "count"),))
            return Numbers(kind, _field(kind, fields, "number"), count, exactly)
        case "gnome" | "apprentice" | "fairy":
            colours = Counter(_field(kind, fields, "colours"))
            _dice(kind, "colours", tuple(colours.values()))
            return Colours(kind, tuple(sorted(colours.items())), exactly)
        case "hypnotist":
            limit = options["hypnotist_limit"]
            return SumAtMost(kind, fields.get("sum") or 12 if limit == "twelve" else _LIMITS[limit])
        case "dragon":
            return SumAtLeast(kind, _field(kind, fields, "sum"))
    raise NotationError(f"kind: found {kind!r}, expected one of {', '.join(_ARTICLES)}")


def _counted(counts: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{count} {each}" for each, count in counts)


def _field(kind: str, fields: Mapping[str, Any], name: str) -> Any:
    if not (value := fields.get(name)):
        raise NotationError(f"{name} is missing; a villager of the kind {kind} asks for it")
    return value


def _dice(kind: str, name: str, counts: tuple[int, ...]) -> tuple[int, ...]:
    if sum(counts) > len(PIPS) or min(counts) < 1:
        raise NotationError(f"{name}: found {' + '.join(map(str, counts))} dice for the {kind}; there are six")
    return counts
