"""The agenda as text: by the name of a standing place in the round, or entry by entry.

At every boundary of a round's steps, and in every turn, what is due follows from the state and one
word; within a battle, a window or a journey the entries are written down.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec

from companion.games.realm_of_wonder.steps.asking import ROUND
from companion.games.realm_of_wonder.steps.battle import Fight, StillThere
from companion.games.realm_of_wonder.steps.cards import Spin
from companion.games.realm_of_wonder.steps.countering import Counter, Window
from companion.games.realm_of_wonder.steps.preparing import (
    CHARACTERS_OUT,
    EQUIP,
    QUEST,
    WHIRLPOOL,
    DealCharacters,
    DrawQuest,
    Equip,
    SetWhirlpools,
)
from companion.games.realm_of_wonder.steps.round import FOUR_STEPS
from companion.games.realm_of_wonder.steps.spoils import ChooseSide, Retreat, Spoils
from companion.games.realm_of_wonder.steps.striking import Strike
from companion.games.realm_of_wonder.steps.towers import Chest
from companion.games.realm_of_wonder.steps.walking import Conquer, Land, TellCost
from companion.kernel import Due, NotationError, Step, cite

Cursor = Literal["set-up", "payoff", "draw", "cards", "track", "specials", "spells", "moving", "round ends", "over"]
_GAME = ("game",)

_PREPARATIONS = (
    Due(DealCharacters(), CHARACTERS_OUT, _GAME),
    Due(DrawQuest(), QUEST, _GAME),
    Due(SetWhirlpools(), WHIRLPOOL, _GAME),
    Due(Equip(), EQUIP, _GAME),
)
_ROUND = tuple(Due(step, ROUND, _GAME) for step in FOUR_STEPS)
AGENDAS: dict[Cursor, tuple[Due, ...]] = {
    "set-up": _PREPARATIONS + _ROUND,
    **{name: _ROUND[index:] for index, name in enumerate(get_args(Cursor)[1:-1])},
    "over": (),
}
"""What is due at each standing place of the game, and why."""

_STANDING: tuple[type[Step[Any]], ...] = tuple(type(due.step) for due in AGENDAS["set-up"])
_WITHIN: tuple[type[Step[Any]], ...] = (
    Spin,
    Window,
    Counter,
    Strike,
    Fight,
    StillThere,
    Spoils,
    Retreat,
    ChooseSide,
    Chest,
    TellCost,
    Land,
    Conquer,
)
_STEPS: dict[str, type[Step[Any]]] = {step.__name__: step for step in (*_STANDING, *_WITHIN)}


class DueDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One entry of an agenda: the step and its fields, the articles, the frames it is due in."""

    step: str
    cites: tuple[str, ...]
    fields: dict[str, Any] = {}
    frame: tuple[str, ...] = _GAME
    pending: str = ""


def write_agenda(agenda: tuple[Due, ...]) -> tuple[Cursor | None, tuple[DueDocument, ...]]:
    """Return the word for an agenda, or None and its entries."""
    for cursor, standing in AGENDAS.items():
        if agenda == standing:
            return cursor, ()
    return None, tuple(
        DueDocument(
            type(due.step).__name__,
            tuple(each.article for each in due.cites),
            msgspec.structs.asdict(due.step),
            due.frame,
            due.pending,
        )
        for due in agenda
    )


def open_agenda(entries: tuple[DueDocument, ...]) -> tuple[Due, ...]:
    """Return the agenda of these entries.

    :raises NotationError: for a step that does not exist, or a field that does not fit it.
    """
    found: list[Due] = []
    for entry in entries:
        if entry.step not in _STEPS:
            raise NotationError(f"agenda: found the step {entry.step!r}, expected one of {', '.join(_STEPS)}")
        try:
            step = msgspec.convert(entry.fields, _STEPS[entry.step])
        except msgspec.ValidationError as error:
            raise NotationError(f"agenda: {entry.step}: {error}") from None
        found.append(Due(step, cite(*entry.cites), entry.frame, entry.pending))
    return tuple(found)
