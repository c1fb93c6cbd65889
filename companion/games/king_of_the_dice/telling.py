"""Effects in words: which sentence, with which values, and what hands still have to do."""

from __future__ import annotations

from msgspec.structs import asdict

from companion.games.king_of_the_dice.effects import (
    DicePassed,
    DragonCaught,
    DragonPassed,
    LastCardTaken,
    PenaltyTaken,
    PileArranged,
    PlaceFounded,
    PlaceGoesAlong,
    PlaceWon,
    RowMoved,
    TurnRepeated,
    VillagerDiscarded,
    VillagerLaid,
    VillagerWon,
)
from companion.games.king_of_the_dice.pieces import SEATS, place_slot, villager_slot
from companion.kernel import Citation, Effect, Finish, Owed, Text, cite
from companion.kernel.game import Change

_BETWEEN = {"faces": " ", "cards": ", ", "scores": " : ", "minus": " : ", "seats": ", "}


def tell(effect: Effect) -> Text:
    """Return the key of the effect's sentence (its name) and the values that fill it."""
    values: dict[str, str | int] = {}
    for name, value in asdict(effect).items():
        if name in ("seat", "toward", "winner"):
            values[name] = "-" if value is None else SEATS[value]
        elif name == "seats":
            values[name] = _BETWEEN[name].join(SEATS[seat] for seat in value)
        elif name == "column":
            values[name] = value + 1
        else:
            values[name] = _BETWEEN[name].join(map(str, value)) if isinstance(value, tuple) else value
    return Text(f"effect.{_name(effect)}", tuple(values.items()))


def _name(effect: Effect) -> str:
    """An effect that reads differently in a special case has a sentence of its own for it."""
    match effect:
        case Finish(winner=None):
            return "FinishShared"
        case LastCardTaken(reason=reason):
            return f"LastCardTaken_{reason}"
        case _:
            return type(effect).__name__


def owed(effect: Effect) -> Owed | None:
    """Return where hands have to follow an effect the rules caused; None for nothing."""
    match effect:
        case VillagerWon(column=column) | DragonCaught(column=column):
            return Owed((villager_slot(column),))
        case VillagerDiscarded(column=column, slot=slot):
            return Owed((villager_slot(column), slot))
        case PenaltyTaken(slot=slot):
            return Owed((slot,))
        case PlaceWon(column=column) | PlaceFounded(column=column) | PlaceGoesAlong(column=column):
            return Owed((place_slot(column),))
        case RowMoved(column=column):
            return Owed(tuple(villager_slot(each) for each in range(column + 1)))
        case DragonPassed() | PileArranged() | DicePassed() | TurnRepeated():
            return Owed()
        case _:
            return None


def touched(effect: Effect) -> tuple[str, ...]:
    """Return the slots in which an effect can be seen."""
    match effect:
        case VillagerLaid(column=column) | VillagerWon(column=column) | DragonCaught(column=column):
            return (villager_slot(column),)
        case VillagerDiscarded(column=column, slot=slot):
            return (villager_slot(column), slot)
        case PenaltyTaken(slot=slot):
            return (slot,)
        case PlaceWon(column=column) | PlaceFounded(column=column) | PlaceGoesAlong(column=column):
            return (place_slot(column),)
        case RowMoved(column=column):
            return tuple(villager_slot(each) for each in range(column + 1))
        case _:
            return ()


def forbids(what: Change, slot: str) -> tuple[Citation, ...]:
    """Return the articles against a change that nothing explains: who may move what, and when."""
    match what, slot[:1]:
        case "stranger", _:
            return cite("KD-02", "table/inventory")
        case "gone", "V":
            return cite("KD-18", "KD-24")
        case _, "V":
            return cite("KD-25")
        case _, "P":
            return cite("KD-06", "KD-21")
        case _:
            return cite("KD-10", "KD-23")
