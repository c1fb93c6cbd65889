"""Effects in words: which sentence, with which values, and what hands still have to do."""

from __future__ import annotations

from msgspec.structs import asdict

from companion.games.allies.effects import (
    CardLaid,
    CardMoved,
    CardReset,
    CardsDiscarded,
    CardsDrawn,
    CardTurned,
    Compared,
    DeckRenewed,
    MaximumRaised,
    PileTurned,
    RegionDealt,
    RegionsSwapped,
    RegionTurned,
    RegionWon,
    StepsLost,
)
from companion.games.allies.state import COLUMNS, SEATS, Laid, slot
from companion.kernel import UNKNOWN, Citation, Effect, Finish, Owed, Text, cite
from companion.kernel.game import Change

_WAYS = {1: "A", -1: "B", 0: "neutral"}
_BETWEEN = {"tribes": " + ", "values": " : ", "scores": " : "}
"""What stands between the parts of a value that has several."""


def tell(effect: Effect) -> Text:
    """Return the key of the effect's sentence (its name) and the values that fill it."""
    values: dict[str, str | int] = {}
    for name, value in asdict(effect).items():
        match name, value:
            case _, None:
                values[name] = "-"
            case (("seat" | "toward" | "starter" | "winner"), int()):
                values[name] = SEATS[value]
            case (("column" | "start" | "end" | "first" | "second"), int()):
                values[name] = value + 1
            case "arrow", int():
                values[name] = _WAYS[value]
            case "laid", Laid():
                values["card"] = value.card.key
                values["value"] = "?" if value.value is UNKNOWN else value.value
            case _, bool() | str():
                values[name] = str(value)
            case _, int():
                values[name] = value
            case _, tuple():
                values[name] = _BETWEEN.get(name, ", ").join(str(each) for each in value)
            case _:
                values[name] = "?"
    return Text(f"effect.{_name(effect)}", tuple(values.items()))


def _name(effect: Effect) -> str:
    """An effect that reads differently in a special case has a sentence of its own for it."""
    match effect:
        case Compared(toward=None):
            return "ComparedEqual"
        case Finish(winner=None):
            return "FinishDraw"
        case RegionDealt(arrow=1 | -1):
            return "RegionDealtFacing"
        case RegionTurned(arrow=0):
            return "RegionTurnedSideways"
        case CardTurned(sectors=0):
            return "CardNotTurned"
        case CardTurned(lost=lost) if lost:
            return "CardTurnedShort"
        case CardsDrawn(cards=1) | StepsLost(steps=1) | PileTurned(cards=1) | Compared(steps=1):
            return f"{type(effect).__name__}One"
        case CardsDrawn(cards=cards) if cards is UNKNOWN:
            return "CardsDrawnUnknown"
        case _:
            return type(effect).__name__


def owed(effect: Effect) -> Owed | None:
    """Return where hands have to follow an effect the rules caused; None for nothing."""
    match effect:
        case RegionTurned(column=column) | RegionWon(column=column):
            return Owed((slot("R", column),), turning=True)
        case CardsDiscarded(seat=seat):
            return Owed(tuple(slot(seat, column) for column in range(COLUMNS)))
        case CardsDrawn() | DeckRenewed() | PileTurned() | MaximumRaised():
            return Owed()
        case _:
            return None


def touched(effect: Effect) -> tuple[str, ...]:
    """Return the slots in which an effect can be seen."""
    match effect:
        case RegionDealt(column=column) | RegionTurned(column=column) | RegionWon(column=column):
            return (slot("R", column),)
        case RegionsSwapped(first=first, second=second):
            return (slot("R", first), slot("R", second))
        case CardMoved(seat=seat, start=start, end=end):
            return (slot(seat, start), slot(seat, end))
        case CardLaid() | CardTurned() | CardReset():
            return (slot(effect.seat, effect.column),)
        case _:
            return ()


def forbids(what: Change, at: str) -> tuple[Citation, ...]:
    """Return the articles against a change that nothing explains: who may move what, and when."""
    middle = at.startswith("R")
    match what:
        case "turned":
            return cite("AL-57", "AL-63") if middle else cite("AL-40", "AL-42", "AL-52")
        case "moved":
            return cite("AL-34", "AL-83") if middle else cite("AL-86")
        case "gone":
            return cite("AL-34", "AL-66") if middle else cite("AL-72")
        case "appeared":
            return cite("AL-33") if middle else cite("AL-36", "AL-38")
        case _:
            return cite("AL-21", "table/inventory")
