"""Allies: Realm of Wonder, as the rest of the companion sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.allies.board import draw_board, status
from companion.games.allies.document import open_document, write_document
from companion.games.allies.inventory import box_from
from companion.games.allies.state import (
    ROUNDS,
    SEATS,
    TRIBES,
    Duel,
    slot,
    turn_of,
)
from companion.games.allies.steps.ending import score
from companion.games.allies.steps.preparing import PREPARE, Preparations
from companion.games.allies.steps.regions import DEAL, DealRegions
from companion.games.allies.steps.turns import TURNS, Turns
from companion.games.allies.telling import forbids, owed, tell, touched
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
    Setup,
    Term,
    Text,
    open_position,
)
from companion.kernel.game import Change

DECK = 50
REGIONS = 15
ANY_TURN = frozenset(range(4))
SIDEWAYS = frozenset((1, 3))


class Allies(Game):
    """The card duel: four rounds, five columns, rotated cards."""

    key = "allies"
    title = "Allies: Realm of Wonder"
    seats = (2, 2)
    asks_starter = True
    rows = ("B", "R", "A")
    columns = 5

    def start(self, setup: Setup) -> Position:
        """Return the position before the first region card is dealt (AL-21 to AL-28).

        `setup.stated` may name `tribes` (seat letter to two tribes) and `starter` (seat letter).

        :raises NotationError: for tribes that do not exist or that two seats share.
        """
        tribes = stated_tribes(setup.stated.get("tribes", {}))
        starter = setup.stated.get("starter")
        if starter not in (None, "A", "B"):
            raise NotationError(f"starter: found {starter!r}, expected A or B")
        state = Duel(
            options=setup.options,
            box=box_from(setup.faces),
            tribes=tribes,
            region_deck=REGIONS,
            hands=(0, 0),
            decks=(DECK, DECK),
            starter=UNKNOWN if starter is None else "AB".index(starter),
        )
        return open_position(state, ((Preparations(), PREPARE), (DealRegions(), DEAL), (Turns(), TURNS)))

    def open(self, document: Mapping[str, Any], setup: Setup) -> Position:
        return open_document(document, setup)

    def write(self, position: Position) -> dict[str, Any]:
        return write_document(position)

    def scene(self, state: Duel) -> Mapping[str, Lying]:
        scene: dict[str, Lying] = {}
        for seat, row in enumerate(state.rows):
            for column, laid in enumerate(row):
                if laid is not None:
                    turn = turn_of(seat, laid)
                    scene[slot(seat, column)] = Lying(laid.card.key, ANY_TURN if turn is None else frozenset((turn,)))
        for column, region in enumerate(state.regions):
            if region is not None:
                turns = {1: frozenset((2,)), -1: frozenset((0,)), 0: SIDEWAYS}[region.arrow]
                scene[slot("R", column)] = Lying(region.key, turns)
        return scene

    def pieces(self, state: Duel) -> Mapping[str, str]:
        places: dict[str, str] = {
            key: lying_slot for lying_slot, lying in self.scene(state).items() for key in (lying.piece,)
        }
        for seat, letter in enumerate("AB"):
            places |= {won.key: f"pile {letter}" for won in state.piles[seat]}
            places |= dict.fromkeys(state.discards[seat], f"discard {letter}")
        return places | dict.fromkeys(state.removed, "removed from the game")

    def score(self, state: Duel) -> tuple[Term, ...]:
        return score(state)

    def outcome(self, state: Duel) -> dict[str, Any]:
        """Return `score` per seat, `won` = the tribes of the region cards per seat and round, and
        `regions` = how the region card of each column lies.
        """
        ways = {1: "A", -1: "B", 0: "neutral"}
        return {
            "score": {letter: term.points for letter, term in zip(SEATS, score(state), strict=True)},
            "won": {
                letter: [[state.box.kind(key) for key in state.won(seat, number)] for number in range(1, ROUNDS + 1)]
                for seat, letter in enumerate(SEATS)
            },
            "regions": {
                str(column + 1): "empty" if region is None else ways[region.arrow]
                for column, region in enumerate(state.regions)
            },
        }

    def board(self, position: Position) -> BoardModel:
        return draw_board(position.state)

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


def stated_tribes(stated: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return each seat's tribes as stated; nothing stated is no tribe yet.

    :raises NotationError: naming the seat and the tribe that does not fit.
    """
    tribes: list[tuple[str, ...]] = []
    for letter in "AB":
        own = stated.get(letter) or ()
        if not isinstance(own, (list, tuple)) or len(own) > 2 or len(set(own)) != len(own):
            raise NotationError(f"tribes of {letter}: found {own!r}, expected at most two different tribes")
        for tribe in own:
            if tribe not in TRIBES:
                raise NotationError(f"tribes of {letter}: found {tribe!r}, expected one of {', '.join(TRIBES)}")
        tribes.append(tuple(own))
    if both := set(tribes[0]) & set(tribes[1]):
        raise NotationError(
            f"tribes: {', '.join(sorted(both))} is named for both seats; there is one set of cards each"
        )
    return tribes[0], tribes[1]
