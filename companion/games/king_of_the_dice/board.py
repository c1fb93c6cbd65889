"""The table as the screen draws it, and as it should lie under the camera."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.king_of_the_dice.pieces import COLUMNS, DRAW_PILE, KINDS, SEATS, place_slot, villager_slot
from companion.games.king_of_the_dice.state import Kingdoms
from companion.games.king_of_the_dice.steps.preparing import discard_slot, penalty_slot
from companion.kernel import UNKNOWN, BoardModel, Cell, Lying, Mark, Pile, Text

ROWS = ("P", "V", "S")
"""Place stacks, villagers, and the three other stacks."""
_EITHER_WAY = frozenset((0, 2))
"""Cards lie upright, or upside down for whoever sits opposite."""


def scene(state: Kingdoms) -> dict[str, Lying]:
    """Return what should lie in each slot; the draw pile lies face down, so any piece will do there."""
    cards = {villager_slot(column): key for column, key in enumerate(state.row) if key is not None}
    cards |= {
        place_slot(column): stack[0] for column, stack in enumerate(state.places) if stack and stack is not UNKNOWN
    }
    if state.penalty is not UNKNOWN:
        cards[penalty_slot(state)] = state.penalty
    if state.discards:
        cards[discard_slot(state)] = state.discards[-1]
    if state.villagers is not UNKNOWN and state.villagers > 0:
        cards[DRAW_PILE] = ""
    return {slot: Lying(card, _EITHER_WAY) for slot, card in cards.items()}


def places_of(state: Kingdoms) -> Mapping[str, str]:
    """Return where each card is whose place is known; kingdom piles by seat, `pile A`."""
    places = {lying.piece: slot for slot, lying in scene(state).items() if lying.piece}
    for column, stack in enumerate(state.places):
        places |= {card: place_slot(column) for card in (() if stack is UNKNOWN else stack)}
    for seat, pile in enumerate(state.piles):
        places |= dict.fromkeys(pile, f"pile {SEATS[seat]}")
    places |= dict.fromkeys(state.discards, discard_slot(state))
    return places | dict.fromkeys(state.held, "in hand")


def draw_board(state: Kingdoms) -> BoardModel:
    """Return the places over the villagers, the stacks below, and the kingdom piles."""
    cells = [
        *(_place(state, column) for column in range(COLUMNS)),
        *(_villager(state, column) for column in range(COLUMNS)),
        *_stacks(state),
    ]
    piles = [
        Pile(f"pile {SEATS[seat]}", "kingdom", len(pile), seat, pile[-1] if pile else "", "crown")
        for seat, pile in enumerate(state.piles)
    ]
    return BoardModel(len(ROWS), COLUMNS, tuple(cells), tuple(piles), (None,) * len(ROWS))


def status(state: Kingdoms) -> tuple[Text, ...]:
    """Return which roll it is, and how long the draw pile still lasts."""
    values = (("roll", state.rolls), ("rolls", state.rolls_allowed), ("villagers", _count(state.villagers)))
    return (Text("status.turn", values),)


def _place(state: Kingdoms, column: int) -> Cell:
    slot, stack = place_slot(column), state.places[column]
    if stack is UNKNOWN or not stack:
        return Cell(slot, 0, column)
    card = state.box.places[stack[0]]
    return Cell(slot, 0, column, "card", card.key, str(card.points), note=f"{card.colour}, {len(stack)}")


def _villager(state: Kingdoms, column: int) -> Cell:
    slot, key = villager_slot(column), state.row[column]
    if key is None:
        return Cell(slot, 1, column)
    villager = state.box.villagers[key]
    points = "n" if villager.kind == "fairy" else "?" if villager.points is UNKNOWN else str(villager.points)
    stack = state.places[column]
    fits = stack is not UNKNOWN and bool(stack) and state.box.places[stack[0]].colour == villager.colour
    marks = (Mark("castle"),) if fits else ()
    return Cell(
        slot, 1, column, "card", key, points, marks=marks, tone=KINDS.index(villager.kind), note=villager.colour
    )


def _stacks(state: Kingdoms) -> tuple[Cell, ...]:
    under, discards = penalty_slot(state), discard_slot(state)
    columns = {DRAW_PILE: 0, under: int(under[1]) - 1, discards: int(discards[1]) - 1}
    penalty = state.penalty
    return (
        Cell(DRAW_PILE, 2, columns[DRAW_PILE], "tile", "villagers", _count(state.villagers)),
        Cell(under, 2, columns[under], "tile", "penalties", _count(state.penalties))
        if penalty is UNKNOWN
        else Cell(
            under, 2, columns[under], "card", penalty, _count(state.box.points(penalty)), note=_count(state.penalties)
        ),
        Cell(discards, 2, columns[discards], "tile", "discards", str(len(state.discards))),
    )


def _count(count: object) -> str:
    return "?" if count is UNKNOWN else str(count)
