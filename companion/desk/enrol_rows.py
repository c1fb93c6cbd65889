"""The values of one card as rows that can be tapped."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from companion.desk.enrol_values import ELSEWHERE, Printing
from companion.presenters.enrol import EnrolRow
from vision.enrol.layout import Printed

CARD_PIXELS = 420
SIDES = ("top", "right", "bottom", "left")


def rows_of(printed: Printed, shown: Printing, unsure: Collection[str] = ()) -> list[EnrolRow]:
    """Return the rows of one printed field of a card, none if it is not printed there.

    There is one for each place, for each mark that is there, and one to add marks; they are doubtful if the
    field is among those that are `unsure`.
    """
    if not printed.is_on(shown):
        return []
    values = shown[printed.field]
    return [replace(row, doubtful=printed.field in unsure) for row in _rows(printed, values)]


def _rows(printed: Printed, values: tuple[str, ...]) -> list[EnrolRow]:
    match printed.reads:
        case "numbers":
            shown = values or ("",) * len(printed.places)
            places = SIDES if len(shown) == len(SIDES) else [str(place + 1) for place in range(len(shown))]
            titles = [f"{printed.field}, {place}" for place in places] if len(shown) > 1 else [printed.field]
            return [
                EnrolRow(printed.field, place, titles[place], value, printed.values)
                for place, value in enumerate(shown)
            ]
        case "marks" | "row":
            there = [EnrolRow(printed.field, place, "take out", value, ()) for place, value in enumerate(values)]
            return [*there, EnrolRow(printed.field, ELSEWHERE, f"{printed.field}: add", "", printed.values)]
        case "flag":
            return [EnrolRow(printed.field, 0, printed.field, values[0] if values else "", (*printed.values, ""))]
        case _:
            return [EnrolRow(printed.field, 0, printed.field, values[0] if values else "", printed.values)]


def changed(printed: Printed, values: tuple[str, ...], place: int, value: str) -> tuple[str, ...]:
    """Return the values with one put right; a mark is added at `ELSEWHERE` or taken out at its place."""
    match printed.reads:
        case "marks" | "row" if place == ELSEWHERE:
            return (*values, value)
        case "marks" | "row":
            return (*values[:place], *values[place + 1 :])
        case "flag":
            return (value,) if value else ()
        case _:
            before = values or ("",) * len(printed.places)
            return (*before[:place], value, *before[place + 1 :])
