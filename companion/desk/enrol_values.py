"""From what is printed where (a layout) to the fields of a set (`box.toml`), and back into words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.sets.form import Form, Kind
from vision.enrol.layout import Layout, Printed
from vision.enrol.readers import Proposal

Printing = Mapping[str, tuple[str, ...]]
"""What a card shows, by printed field: a value per place, or all marks."""

ELSEWHERE = 99
"""The place of a mark that is to be added."""


def fields_of(layout: Layout, kind: Kind, shown: Printing) -> dict[str, Any]:
    """Return the set's fields of a card that shows these values.

    :raises ValueError: if they cannot be printed on a card of this kind; the message names what is wrong.
    """
    fields: dict[str, Any] = {}
    for printed in layout.printed:
        values = shown[printed.field]
        if not printed.is_on(shown):
            continue
        if printed.reads in ("numbers", "sign", "colour") and not all(values or ("",)):
            raise ValueError(f"{printed.field}: nothing is said of it yet; tap what is printed there")
        match printed.reads:
            case "numbers" if printed.ring:
                fields[printed.field], fields[printed.ring] = ring(printed, values)
            case "numbers":
                numbers = tuple(printed.means[value] if value in printed.means else int(value) for value in values)
                fields[printed.field] = numbers if kind.fields[printed.field].is_ == "numbers" else numbers[0]
            case "row":
                fields |= _told_by_row(printed, values, kind)
            case "marks":
                fields[printed.field] = tuple(int(value) for value in values if not value.isalpha())
                fields |= {name: name in values for name in printed.values if name.isalpha()}
                _check_number(kind, printed.field, fields[printed.field])
            case "flag":
                fields[printed.field] = bool(values)
            case "colour" | "sign":
                fields[printed.field] = values[0]
    return fields


def _told_by_row(printed: Printed, values: tuple[str, ...], kind: Kind) -> dict[str, Any]:
    if not values:
        raise ValueError(f"{printed.field}: nothing is said of it yet; tap what is printed there")
    fields: dict[str, Any] = {}
    for name, how in printed.tells.items():
        match how:
            case "length":
                fields[name] = len(values)
            case "glyphs":
                fields[name] = values
            case "groups":
                fields[name] = tuple(values.count(value) for value in dict.fromkeys(values))
            case "glyph" if len(set(values)) > 1:
                raise ValueError(f"{printed.field}: {', '.join(values)} are not alike; one of them is something else")
            case "glyph":
                fields[name] = int(values[0])
        if isinstance(fields[name], tuple):
            _check_number(kind, name, fields[name])
    return fields


def printing_of(layout: Layout, fields: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return what a card of a set shows; the other way round of `fields_of`."""
    shown: dict[str, tuple[str, ...]] = {}
    for printed in layout.printed:
        if not printed.is_on(shown):
            shown[printed.field] = ()
            continue
        if printed.reads == "row":
            shown[printed.field] = _row_of(printed, fields)
            continue
        value = fields[printed.field]
        match printed.reads:
            case "numbers" if printed.ring:
                first = fields[printed.ring] - 1
                shown[printed.field] = tuple(str(number) for number in (*value[first:], *value[:first]))
            case "numbers":
                letters = {number: letter for letter, number in printed.means.items()}
                numbers = value if isinstance(value, tuple) else (value,)
                shown[printed.field] = tuple(letters.get(number, str(number)) for number in numbers)
            case "marks":
                words = tuple(name for name in printed.values if name.isalpha() and fields[name])
                shown[printed.field] = (*(f"{number:+d}" for number in value), *words)
            case "flag":
                shown[printed.field] = printed.values[:1] if value else ()
            case "colour" | "sign":
                shown[printed.field] = (value,)
    return shown


def _row_of(printed: Printed, fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the glyphs of a row; those that stand for nothing by themselves in the order of its values."""
    told: dict[str, Any] = {how: fields[name] for name, how in printed.tells.items()}
    if "glyphs" in told:
        return tuple(map(str, told["glyphs"]))
    if "groups" in told:
        return tuple(value for value, size in zip(printed.values, told["groups"], strict=False) for _ in range(size))
    return (str(told.get("glyph", printed.values[0])),) * int(told.get("length", 1))


def ring(printed: Printed, values: tuple[str, ...]) -> tuple[tuple[int, ...], int]:
    """Return numbers that stand clockwise round a card from the lowest on, and which of them is at the top (from 1).

    :raises ValueError: if they do not rise once round the card.
    """
    numbers = tuple(int(value) for value in values)
    falls = [place for place in range(len(numbers)) if numbers[place - 1] > numbers[place]]
    if len(falls) != 1:
        read = ", ".join(values)
        raise ValueError(
            f"{printed.field}: {read} (clockwise from the top) does not rise once round the card; one of them is "
            "something else"
        )
    start = falls[0]
    return numbers[start:] + numbers[:start], (-start) % len(numbers) + 1


def _check_number(kind: Kind, field: str, values: tuple[Any, ...]) -> None:
    most = kind.fields[field].at_most
    if most is not None and len(values) > most:
        raise ValueError(f"{field}: found {len(values)}, a card has at most {most}; take one out")


def doubts(layout: Layout, kind: Kind, proposals: Mapping[str, Proposal]) -> list[str]:
    """Return the printed fields of a card that must be confirmed by themselves."""
    unsure = [field for field, proposal in proposals.items() if not proposal.is_sure]
    if unsure:
        return unsure
    try:
        fields_of(layout, kind, {field: proposal.values for field, proposal in proposals.items()})
    except ValueError as error:
        return [str(error).split(":")[0]]
    return []


def sayable(shown: Printing) -> str:
    """Return what a card shows in a few words."""
    words = [" ".join(values) for values in shown.values() if values]
    return ", ".join(word.replace("-", "\u2212") for word in words) or "nothing printed"


def group_of(kind: str, layout: Layout, fields: Mapping[str, Any]) -> str:
    """Return the name that cards of one sign or colour share, with which their keys begin."""
    telling = [each.field for each in layout.printed if each.reads in ("sign", "colour") and not each.where]
    own = [str(fields[field]) for field in telling if field == kind]
    return "-".join(own or [kind, *(str(fields[field]) for field in telling[:1])]).replace(" ", "-")


def is_single(kind: Kind, fields: Mapping[str, Any]) -> bool:
    """Say whether the box holds one card with these values only; it is called by its name, without a number."""
    return any(
        count.number == 1 and count.where and all(fields.get(name) == value for name, value in count.where.items())
        for count in kind.count
    )


def counted(form: Form, kind: str, fields: list[dict[str, Any]]) -> list[tuple[str, int, int]]:
    """Return how many cards were found of each count of the box: (called, found, expected)."""
    return [
        (count.called, sum(all(each.get(n) == v for n, v in count.where.items()) for each in fields), count.number)
        for count in form[kind].count
    ]


def missing(counts: list[tuple[str, int, int]]) -> list[str]:
    """Return a sentence for every count that is not met."""
    return [
        f"{expected - found} of the {called} {'is' if expected - found == 1 else 'are'} missing"
        if found < expected
        else f"{found} {called} were found, the box holds {expected}"
        for called, found, expected in counts
        if found != expected
    ]
