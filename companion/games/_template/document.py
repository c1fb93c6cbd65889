"""A position of Pig as a document that people can write, mail and post."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from companion.games._template.pieces import CARDS
from companion.games._template.state import Pig
from companion.games._template.steps.holding import DRAW, DrawBonus
from companion.games._template.steps.throwing import DECIDE, PASS, THROW, Decide, PassDie, Throw
from companion.kernel import UNSEEN, Due, NotationError, Position, Setup, settle

Seat = Literal["A", "B", "C", "D"]
Points = Annotated[int, msgspec.Meta(ge=0)]
Cursor = Literal["throw", "decide", "draw", "over"]

_LETTERS: tuple[Seat, ...] = ("A", "B", "C", "D")
_GAME = ("game",)
_AGENDAS: dict[Cursor, tuple[Due, ...]] = {
    "throw": (Due(Throw(), THROW, _GAME),),
    "decide": (Due(Decide(), DECIDE, _GAME),),
    "draw": (Due(DrawBonus(), DRAW, _GAME), Due(PassDie(), PASS, _GAME)),
    "over": (),
}
"""What is due at each place where the game can wait, and why."""


class PositionDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The whole document. `bonus` is `?` for a card that lies face down; `due` is what the rules wait for."""

    due: Cursor = "throw"
    turn: Seat = "A"
    stake: Points = 0
    banked: dict[Seat, Points] = {}
    bonus: dict[Seat, str] = {}
    turned_up: dict[Seat, tuple[str, ...]] = {}


def open_document(document: Mapping[str, Any], setup: Setup) -> Position:
    """Return the position that a document states.

    :raises NotationError: naming the field, what was found and what was expected.
    """
    try:
        doc = msgspec.convert(dict(document), PositionDocument)
    except msgspec.ValidationError as error:
        raise NotationError(f"position: {error}") from None
    letters = _LETTERS[: len(setup.seats)]
    for letter in (doc.turn, *doc.banked, *doc.bonus, *doc.turned_up):
        if letter not in letters:
            raise NotationError(f"position: found the seat {letter}, expected one of {', '.join(letters)}")
    shown = [card for cards in doc.turned_up.values() for card in cards]
    drawn = [*doc.bonus.values(), *shown]
    if len(drawn) > len(CARDS):
        raise NotationError(f"position: found {len(drawn)} drawn cards, expected at most {len(CARDS)}")
    for card in drawn:
        if card not in CARDS and (card != UNSEEN or card in shown):
            raise NotationError(f"position: found the card {card!r}, expected one of {', '.join(CARDS)}")
        if card != UNSEEN and drawn.count(card) > 1:
            raise NotationError(f"position: {card} is in two places; every card exists once")
    state = Pig(
        options=setup.options,
        banked=tuple(doc.banked.get(letter, 0) for letter in letters),
        bonus=tuple(doc.bonus.get(letter) for letter in letters),
        turned_up=tuple(doc.turned_up.get(letter, ()) for letter in letters),
        seat=letters.index(doc.turn),
        stake=doc.stake,
    )
    return settle(state, _AGENDAS[doc.due])


def write_document(position: Position) -> dict[str, Any]:
    """Return the document of a position; `open_document` of it gives the same table again."""
    state: Pig = position.state
    letters = _LETTERS[: len(state.banked)]
    cursor = next(cursor for cursor, agenda in _AGENDAS.items() if agenda == position.agenda)
    doc = PositionDocument(
        due=cursor,
        turn=letters[state.seat],
        stake=state.stake,
        banked=dict(zip(letters, state.banked, strict=True)),
        bonus={letter: card for letter, card in zip(letters, state.bonus, strict=True) if card is not None},
        turned_up={letter: cards for letter, cards in zip(letters, state.turned_up, strict=True) if cards},
    )
    built: dict[str, Any] = msgspec.to_builtins(doc)
    return built
