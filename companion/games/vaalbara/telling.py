"""Effects in words: which sentence, with which values, and what hands still have to do."""

from __future__ import annotations

from msgspec.structs import asdict

from companion.games.vaalbara.effects import (
    BottomTraded,
    CharacterDiscarded,
    CharacterPlayed,
    CharacterReturned,
    CharactersDrawn,
    ClansKnown,
    LandLaid,
    LandLifted,
    LandsTraded,
    LandTaken,
    PointsGained,
    PointsTaken,
    RowsMoved,
    TokensRevealed,
    TopTraded,
)
from companion.games.vaalbara.pieces import FIRST, MOST_SEATS, SEATS, SECOND, character_slot, land_slot
from companion.kernel import Citation, Effect, Owed, Text, cite
from companion.kernel.game import Change

_SEATS = ("seat", "toward", "winner")


def tell(effect: Effect) -> Text:
    """Return the key of the effect's sentence (its name) and the values that fill it."""
    values: dict[str, str | int] = {}
    for name, value in asdict(effect).items():
        if name in _SEATS:
            values[name] = "-" if value is None else SEATS[value]
        elif name == "seats":
            values[name] = ", ".join(SEATS[seat] for seat in value)
        elif isinstance(value, tuple):
            values[name] = ", ".join(map(str, value))
        else:
            values[name] = value
    match effect:
        case LandLaid(row=row, column=column) | LandLifted(row=row, column=column) | TopTraded(row=row, column=column):
            values["slot"] = land_slot(row, column)
        case ClansKnown(clans=clans):
            values["seats"] = ", ".join(SEATS[: len(clans)])
        case LandsTraded(column=column, other=other):
            values |= {"first": land_slot(FIRST, column), "second": land_slot(SECOND, other)}
    return Text(f"effect.{_name(effect)}", tuple(values.items()))


def _name(effect: Effect) -> str:
    """An effect that reads differently in a special case has a sentence of its own for it."""
    match effect:
        case PointsGained(sum=figures) if figures:
            return "PointsGained_sum"
        case PointsTaken(bank=bank) if bank:
            return "PointsTaken_bank"
        case _:
            return type(effect).__name__


def owed(effect: Effect) -> Owed | None:
    """Return where hands have to follow an effect the rules caused; None for nothing."""
    match effect:
        case LandTaken(column=column):
            return Owed((land_slot(FIRST, column),))
        case LandsTraded(column=column, other=other):
            return Owed((land_slot(FIRST, column), land_slot(SECOND, other)))
        case CharacterDiscarded(seat=seat):
            return Owed((character_slot(seat),))
        case RowsMoved():
            return Owed(tuple(land_slot(row, column) for row in (FIRST, SECOND) for column in range(MOST_SEATS)))
        case PointsGained(points=points) | PointsTaken(points=points) if points:
            return Owed()
        case CharacterReturned() | BottomTraded() | TopTraded() | CharactersDrawn() | TokensRevealed():
            return Owed()
        case _:
            return None


def touched(effect: Effect) -> tuple[str, ...]:
    """Return the slots in which an effect can be seen."""
    match effect:
        case LandLaid(row=row, column=column) | LandLifted(row=row, column=column) | TopTraded(row=row, column=column):
            return (land_slot(row, column),)
        case CharacterPlayed(seat=seat) | CharacterDiscarded(seat=seat):
            return (character_slot(seat),)
        case LandTaken(column=column):
            return (land_slot(FIRST, column),)
        case LandsTraded(column=column, other=other):
            return (land_slot(FIRST, column), land_slot(SECOND, other))
        case _:
            return ()


def forbids(what: Change, slot: str) -> tuple[Citation, ...]:
    """Return the articles against a change that no answer explains."""
    if what == "stranger":
        return cite("VB-02", "table/inventory")
    if slot.startswith("C"):
        return cite("VB-21", "VB-26")
    match what:
        case "appeared":
            return cite("VB-30", "VB-31")
        case "gone":
            return cite("VB-27")
        case _:
            return cite("VB-27", "VB-30")
