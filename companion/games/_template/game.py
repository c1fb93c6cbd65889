"""Pig with bonus cards, as the rest of the companion sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games._template.document import open_document, write_document
from companion.games._template.pieces import CARDS, SEATS, place
from companion.games._template.state import Pig
from companion.games._template.steps.ending import score
from companion.games._template.steps.throwing import THROW, Throw
from companion.games._template.telling import owed, tell, touched
from companion.kernel import (
    UNSEEN,
    BoardModel,
    Cell,
    Citation,
    Effect,
    Game,
    Lying,
    Owed,
    Pile,
    Position,
    Setup,
    Term,
    Text,
    cite,
    open_position,
)
from companion.kernel.game import Change

ANY_TURN = frozenset(range(4))


class PigGame(Game):
    """A die, a stake, and one face-down bonus card in front of each player."""

    key = "_template"
    title = "Pig with bonus cards"
    seats = (2, 4)
    rows = ("P",)
    columns = 4

    def start(self, setup: Setup) -> Position:
        count = len(setup.seats)
        state = Pig(setup.options, banked=(0,) * count, bonus=(None,) * count, turned_up=((),) * count)
        return open_position(state, ((Throw(), THROW),))

    def open(self, document: Mapping[str, Any], setup: Setup) -> Position:
        return open_document(document, setup)

    def write(self, position: Position) -> dict[str, Any]:
        return write_document(position)

    def scene(self, state: Pig) -> Mapping[str, Lying]:
        """Any card will do where one lies face down: nobody, not even the camera, knows which it is."""
        return {
            place(seat): Lying("" if card == UNSEEN else card, ANY_TURN)
            for seat, card in enumerate(state.bonus)
            if card is not None
        }

    def pieces(self, state: Pig) -> Mapping[str, str]:
        lying = {each.piece: slot for slot, each in self.scene(state).items() if each.piece}
        return lying | {card: "box" for cards in state.turned_up for card in cards}

    def score(self, state: Pig) -> tuple[Term, ...]:
        return score(state)

    def outcome(self, state: Pig) -> dict[str, Any]:
        """Return `score` per seat, and the bonus cards that each has `turned_up`."""
        letters = SEATS[: len(state.banked)]
        return {
            "score": {letter: term.points for letter, term in zip(letters, score(state), strict=True)},
            "turned_up": {letter: list(cards) for letter, cards in zip(letters, state.turned_up, strict=True)},
        }

    def board(self, position: Position) -> BoardModel:
        state: Pig = position.state
        cells = tuple(_cell(state, seat) for seat in range(len(state.banked)))
        piles = (Pile("pile", "bonus cards", state.pile), Pile("stake", "at stake", state.stake, state.seat))
        return BoardModel(1, self.columns, cells, piles, (None,))

    def status(self, position: Position) -> tuple[Text, ...]:
        state: Pig = position.state
        values = (("seat", state.letter), ("stake", state.stake), ("target", state.target))
        return (Text("status.turn", values),)

    def owed(self, effect: Effect) -> Owed | None:
        return owed(effect)

    def touched(self, effect: Effect) -> tuple[str, ...]:
        return touched(effect)

    def forbids(self, what: Change, slot: str) -> tuple[Citation, ...]:
        """A card comes by holding, goes by being turned up, and is one of the eight."""
        match what:
            case "stranger":
                return cite("PIG-1.3", "table/inventory")
            case "appeared":
                return cite("PIG-3.2")
            case _:
                return cite("PIG-3.3")

    def tell(self, effect: Effect) -> Text:
        return tell(effect)


def _cell(state: Pig, seat: int) -> Cell:
    card = state.bonus[seat]
    if card is None:
        return Cell(place(seat), 0, seat, owner=seat)
    title, value = ("face down", "?") if card == UNSEEN else (card, str(CARDS[card]))
    return Cell(place(seat), 0, seat, "card", title, value, owner=seat)
