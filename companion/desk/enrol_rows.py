"""The values of one card as rows that can be tapped."""

from __future__ import annotations

from companion.desk.enrol_values import ELSEWHERE
from companion.presenters.enrol import EnrolRow
from vision.enrol.layout import Printed

CARD_PIXELS = 420
SIDES = ("top", "right", "bottom", "left")


def rows_of(printed: Printed, values: tuple[str, ...]) -> list[EnrolRow]:
    """Return the rows of one printed field: one for each place, for each mark that is there, and one to add marks."""
    match printed.reads:
        case "numbers":
            titles = SIDES if len(values) == len(SIDES) else [str(place + 1) for place in range(len(values))]
            return [
                EnrolRow(printed.field, place, f"{printed.field}, {titles[place]}", value, printed.values)
                for place, value in enumerate(values)
            ]
        case "marks":
            there = [EnrolRow(printed.field, place, "take out", value, ()) for place, value in enumerate(values)]
            return [*there, EnrolRow(printed.field, ELSEWHERE, "add", "", printed.values)]
        case "flag":
            return [EnrolRow(printed.field, 0, printed.field, values[0] if values else "", (*printed.values, ""))]
        case _:
            return [EnrolRow(printed.field, 0, printed.field, values[0], printed.values)]


def changed(printed: Printed, values: tuple[str, ...], place: int, value: str) -> tuple[str, ...]:
    """Return the values with one put right; a mark is added at `ELSEWHERE` or taken out at its place."""
    match printed.reads:
        case "marks" if place == ELSEWHERE:
            return (*values, value)
        case "marks":
            return (*values[:place], *values[place + 1 :])
        case "flag":
            return (value,) if value else ()
        case _:
            return (*values[:place], value, *values[place + 1 :])
