"""King of the Dice, as the rest of the companion sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.games.king_of_the_dice.board import ROWS, draw_board, places_of, scene, status
from companion.games.king_of_the_dice.document import (
    Seat,
    VillagerDocument,
    open_document,
    with_stated,
    write_document,
)
from companion.games.king_of_the_dice.inventory import PENALTIES, VILLAGERS, box_from, full_stacks
from companion.games.king_of_the_dice.pieces import COLUMNS, SEATS
from companion.games.king_of_the_dice.state import Kingdoms
from companion.games.king_of_the_dice.steps.ending import leaders, score
from companion.games.king_of_the_dice.steps.preparing import BEGIN, DEAL, DealRow, ShowPenalty, WhoBegins
from companion.games.king_of_the_dice.steps.preparing import PENALTIES as SEEN
from companion.games.king_of_the_dice.steps.rolling import goals
from companion.games.king_of_the_dice.steps.turns import TURN, Turn
from companion.games.king_of_the_dice.telling import forbids, owed, tell, touched
from companion.kernel import (
    UNKNOWN,
    BoardModel,
    Citation,
    Effect,
    Game,
    Lying,
    NotationError,
    Owed,
    Position,
    Rolling,
    Setup,
    Term,
    Text,
    Unknown,
    open_position,
)
from companion.kernel.game import Change


class Stated(msgspec.Struct, forbid_unknown_fields=True):
    """What a table may say of its start: everybody's age, or who begins, and villagers that are in no set."""

    ages: dict[Seat, int] = {}
    starter: Seat | None = None
    cards: dict[str, VillagerDocument] = {}


class KingOfTheDice(Game):
    """Six dice with numbers and colours; villagers, places, penalties, and dragons for the others."""

    key = "king_of_the_dice"
    title = "King of the Dice"
    seats = (2, 5)
    rows = ROWS
    columns = COLUMNS
    card_mm = (44.0, 67.0)
    turns_cards = False
    tray_mm = (110.0, 200.0)

    def start(self, setup: Setup) -> Position:
        """Return the position before the first villager is dealt (KD-04 to KD-12).

        `setup.stated` may give everybody's `ages` by seat letter, the `starter`, and `cards` that are
        in no set, as in a position.

        :raises NotationError: for a seat that the table does not have, and for a card that does not fit.
        """
        try:
            stated = msgspec.convert(dict(setup.stated), Stated)
        except msgspec.ValidationError as error:
            raise NotationError(f"setup: {error}") from None
        box = with_stated(box_from(setup.faces, setup.options), stated.cards, {}, setup.options)
        starter = _starter(stated, SEATS[: len(setup.seats)])
        state = Kingdoms(
            options=setup.options,
            box=box,
            piles=((),) * len(setup.seats),
            places=full_stacks(box, setup.options),
            villagers=VILLAGERS,
            penalties=PENALTIES,
            starter=starter,
            seat=0 if starter is UNKNOWN else starter,
        )
        agenda = ((WhoBegins(), BEGIN), (DealRow(), DEAL), (ShowPenalty(), SEEN), (Turn(), TURN))
        return open_position(state, agenda)

    def open(self, document: Mapping[str, Any], setup: Setup) -> Position:
        return open_document(document, setup)

    def write(self, position: Position) -> dict[str, Any]:
        return write_document(position)

    def scene(self, state: Kingdoms) -> Mapping[str, Lying]:
        return scene(state)

    def pieces(self, state: Kingdoms) -> Mapping[str, str]:
        return places_of(state)

    def score(self, state: Kingdoms) -> tuple[Term, ...]:
        return score(state)

    def outcome(self, state: Kingdoms) -> dict[str, Any]:
        """Return `score` per seat, `leaders`, and each seat's `pile` from the bottom to the top."""
        letters = SEATS[: len(state.piles)]
        return {
            "score": {letter: term.points for letter, term in zip(letters, score(state), strict=True)},
            "leaders": [letters[seat] for seat in leaders(state)],
            "pile": {letter: list(pile) for letter, pile in zip(letters, state.piles, strict=True)},
        }

    def board(self, position: Position) -> BoardModel:
        return draw_board(position.state)

    def rolling(self, state: Kingdoms) -> Rolling | None:
        return goals(state)

    def status(self, position: Position) -> tuple[Text, ...]:
        return status(position.state)

    def owed(self, effect: Effect) -> Owed | None:
        return owed(effect)

    def touched(self, effect: Effect) -> tuple[str, ...]:
        return touched(effect)

    def forbids(self, what: Change, slot: str) -> tuple[Citation, ...]:
        return forbids(what, slot)

    def tell(self, effect: Effect) -> Text:
        return tell(effect)


def _starter(stated: Stated, letters: str) -> int | Unknown:
    """Return who begins as the table stated it: by name, or the oldest of all (KD-12)."""
    ages = stated.ages
    for letter in (*ages, *((stated.starter,) if stated.starter else ())):
        if letter not in letters:
            raise NotationError(f"found the seat {letter!r}, expected one of {', '.join(letters)}")
    if stated.starter:
        return letters.index(stated.starter)
    oldest = [letter for letter in ages if ages[letter] == max(ages.values())] if set(ages) == set(letters) else []
    return letters.index(oldest[0]) if len(oldest) == 1 else UNKNOWN
