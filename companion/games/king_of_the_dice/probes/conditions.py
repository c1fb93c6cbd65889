"""Whether six dice meet what one villager asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import asdict, replace

from companion.games.king_of_the_dice.conditions import condition_from
from companion.games.king_of_the_dice.pieces import COLUMNS, PIPS, ROLLS, colour, number
from companion.games.king_of_the_dice.probes.tables import table
from companion.games.king_of_the_dice.state import Villager
from companion.games.king_of_the_dice.stated import (
    Apprentice,
    Asked,
    ConditionDocument,
    Dragon,
    Fairy,
    Gnome,
    Hypnotist,
    Orc,
)
from companion.games.king_of_the_dice.steps.taking import articles_of
from companion.games.king_of_the_dice.steps.turns import Turn
from companion.kernel import Chosen, Finding, NotationError, Setup


def condition(doc: ConditionDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    kind, fields = _asked(doc.condition)
    villager = Villager(kind, kind, condition=condition_from(kind, fields, setup.options))
    dice = tuple(_face(die) if isinstance(die, str) else f"{die.colour}-{die.number}" for die in doc.dice)
    state = replace(table(setup, (villager,)), row=(kind, *(None,) * (COLUMNS - 1)), dice=dice, rolls=ROLLS)
    refusal = Turn().refuse(state, "take", Chosen((kind,)))
    ruling = {"met": refusal is None, "sum": sum(int(number(face)) for face in dice)}
    return Finding(ruling, (), refusal.cites if refusal else articles_of(villager))


def _face(die: str) -> str:
    if not colour(die) or number(die) not in PIPS:
        raise NotationError(f"dice: found {die!r}, expected a face such as red-3, its number from 1 to 6")
    return die


def _asked(asked: Asked) -> tuple[str, dict[str, Any]]:
    """Return the kind of a stated condition and its fields as a set would print them."""
    match asked:
        case Orc(groups=groups):
            return "orc", {"groups": list(groups.values() if isinstance(groups, dict) else groups)}
        case Apprentice(colours=colours):
            return "apprentice", {"colours": _each(colours)}
        case Fairy(colours=colours):
            return "fairy", {"colours": _each(colours)}
        case Gnome(colours=None, colour=one, count=count):
            if not one:
                raise NotationError("condition: colour is missing; a gnome asks for one")
            return "gnome", {"colours": [one] * count}
        case Gnome(colours=colours) if colours is not None:
            return "gnome", {"colours": _each(colours)}
        case Hypnotist(max_sum=most):
            return "hypnotist", {"sum": most}
        case Dragon(min_sum=least):
            return "dragon", {"sum": least}
        case _:
            return type(asked).__name__.lower(), asdict(asked)


def _each(colours: Mapping[str, int] | Iterable[str]) -> list[str]:
    if not isinstance(colours, Mapping):
        return list(colours)
    return [each for each, count in colours.items() for _ in range(count)]
