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
