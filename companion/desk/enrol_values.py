"""From what is printed where (a layout) to the fields of a set (`box.toml`), and back into words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.sets.form import Form, Kind
from vision.enrol.layout import Layout, Printed
from vision.enrol.learner import Proposal

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
        match printed.reads:
            case "numbers" if printed.ring:
                fields[printed.field], fields[printed.ring] = ring(printed, values)
            case "numbers":
                numbers = tuple(int(value) for value in values)
                fields[printed.field] = numbers if kind.fields[printed.field].is_ == "numbers" else numbers[0]
            case "marks":
                fields[printed.field] = tuple(int(value) for value in values if not value.isalpha())
                fields |= {name: name in values for name in printed.values if name.isalpha()}
                _check_number(kind, printed, fields[printed.field])
            case "flag":
                fields[printed.field] = bool(values)
            case "colour":
                fields[printed.field] = values[0]
    return fields


def printing_of(layout: Layout, fields: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return what a card of a set shows; the other way round of `fields_of`."""
    shown: dict[str, tuple[str, ...]] = {}
    for printed in layout.printed:
        value = fields[printed.field]
        match printed.reads:
            case "numbers" if printed.ring:
                first = fields[printed.ring] - 1
                shown[printed.field] = tuple(str(number) for number in (*value[first:], *value[:first]))
            case "numbers":
                shown[printed.field] = tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)
            case "marks":
                words = tuple(name for name in printed.values if name.isalpha() and fields[name])
                shown[printed.field] = (*(f"{number:+d}" for number in value), *words)
            case "flag":
                shown[printed.field] = printed.values[:1] if value else ()
            case "colour":
                shown[printed.field] = (value,)
    return shown


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


def _check_number(kind: Kind, printed: Printed, numbers: tuple[int, ...]) -> None:
    most = kind.fields[printed.field].at_most
    if most is not None and len(numbers) > most:
        raise ValueError(f"{printed.field}: found {len(numbers)}, a card has at most {most}; take one out")


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
    """Return the name that cards of one colour share, with which their keys begin."""
    colours = [each.field for each in layout.printed if each.reads == "colour"]
    own = [str(fields[field]) for field in colours if field == kind]
    return "-".join(own or [kind, *(str(fields[field]) for field in colours)])


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
