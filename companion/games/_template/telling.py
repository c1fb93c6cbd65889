"""Effects in words, and what hands have to do after them."""

from __future__ import annotations

from msgspec.structs import asdict

from companion.games._template.effects import BonusDrawn, BonusTurnedUp, DiePassed
from companion.games._template.pieces import SEATS, place
from companion.kernel import UNSEEN, Effect, Owed, Text


def tell(effect: Effect) -> Text:
    """Return the key of the effect's sentence (its name) and the values that fill it."""
    values: dict[str, str | int] = {}
    for name, value in asdict(effect).items():
        if name in ("seat", "winner"):
            values[name] = SEATS[value]
        else:
            values[name] = " : ".join(map(str, value)) if isinstance(value, tuple) else value
    unseen = isinstance(effect, BonusDrawn) and effect.card == UNSEEN
    return Text(f"effect.{type(effect).__name__}{'Unseen' if unseen else ''}", tuple(values.items()))


def owed(effect: Effect) -> Owed | None:
    """Return where hands follow an effect: a card to lay or to put away, the die to hand on."""
    match effect:
        case BonusDrawn(seat=seat) | BonusTurnedUp(seat=seat):
            return Owed((place(seat),))
        case DiePassed():
            return Owed()
        case _:
            return None


def touched(effect: Effect) -> tuple[str, ...]:
    """Return the slots in which an effect can be seen."""
    match effect:
        case BonusDrawn(seat=seat) | BonusTurnedUp(seat=seat):
            return (place(seat),)
        case _:
            return ()
