"""The table as the screen draws it, and as it should lie under the camera."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.vaalbara.lands import Land, types_in
from companion.games.vaalbara.pieces import FIRST, MOST_SEATS, PLAYED, ROUNDS, SEATS, SECOND, TYPES, character_slot
from companion.games.vaalbara.pieces import land_slot as slot_of
from companion.games.vaalbara.state import Continent, Row
from companion.kernel import UNKNOWN, BoardModel, Cell, Lying, Mark, Pile, Text

ROWS = (SECOND, FIRST, PLAYED)
"""The second row lies nearer to the deck, the first row below it, the characters nearest to the players."""
_UPRIGHT = frozenset(range(4))


def scene(state: Continent) -> dict[str, Lying]:
    """Return what should lie in each slot that is not empty."""
    lying = {slot_of(FIRST, column): key for column, key in enumerate(state.first) if key is not None}
    lying |= {slot_of(SECOND, column): key for column, key in enumerate(state.second) if key is not None}
    for seat, character in enumerate(state.played):
        if character is not None and not _is_discarded(state, seat):
            lying[character_slot(seat)] = character
    return {slot: Lying(key, _UPRIGHT) for slot, key in lying.items()}


def _is_discarded(state: Continent, seat: int) -> bool:
    return state.played[seat] in state.discards[seat] or seat in state.acted


def places_of(state: Continent) -> Mapping[str, str]:
    """Return where each land is whose place is known; characters exist once for each clan and are left out."""
    places = {lying.piece: slot for slot, lying in scene(state).items() if not slot.startswith(PLAYED)}
    for seat, kingdom in enumerate(state.kingdoms):
        places |= dict.fromkeys(kingdom, f"kingdom {SEATS[seat]}")
    for key, where in ((state.top, "deck"), (state.bottom, "deck"), (state.held or UNKNOWN, "in hand")):
        if key is not UNKNOWN:
            places[key] = where
    return places


def draw_board(state: Continent) -> BoardModel:
    """Return the two rows, the characters played, and the kingdoms beside them."""
    cells = [
        *_row(state, SECOND, state.second, 0),
        *_row(state, FIRST, state.first, 1),
        *(_character(state, seat) for seat in range(state.seats)),
    ]
    piles = [
        Pile(f"kingdom {SEATS[seat]}", "lands", len(kingdom), seat, ", ".join(types_in(state.box, kingdom)), "castle")
        for seat, kingdom in enumerate(state.kingdoms)
    ]
    piles += [Pile(f"hand {SEATS[seat]}", "hand", count, seat) for seat, count in enumerate(state.hands)]
    return BoardModel(len(ROWS), MOST_SEATS, tuple(cells), tuple(piles), (None,) * len(ROWS))


def _row(state: Continent, row: str, lands: Row, line: int) -> list[Cell]:
    return [
        Cell(slot_of(row, column), line, column) if key is None else _land(state.box.known(key), row, line, column)
        for column, key in enumerate(lands)
    ]


def _land(land: Land, row: str, line: int, column: int) -> Cell:
    value = "" if land.type != "forest" else "?" if land.value is UNKNOWN else str(land.value)
    return Cell(slot_of(row, column), line, column, "tile", land.type, value, tone=TYPES.index(land.type))


def _character(state: Continent, seat: int) -> Cell:
    character = state.played[seat] if state.played else None
    if character is None:
        return Cell(character_slot(seat), 2, seat, owner=seat)
    place = state.order.index(seat) + 1 if seat in state.order else None
    marks = () if place is None else (Mark("star" if seat in state.acted else "dot", str(place)),)
    return Cell(character_slot(seat), 2, seat, "card", character, str(state.initiative(seat)), marks=marks, owner=seat)


def status(state: Continent) -> tuple[Text, ...]:
    """Return the round, whose turn it is, and how long the lands last."""
    if not state.round:
        return ()
    lines = [
        Text("status.round", (("round", min(state.round, ROUNDS)), ("acted", len(state.acted)), ("seats", state.seats)))
    ]
    if (seat := state.active) is not None:
        values = (("seat", SEATS[seat]), ("character", state.character), ("initiative", state.initiative(seat)))
        lines.append(Text("status.turn", values))
    if state.deck is not UNKNOWN:
        lines.append(Text("status.deck", (("deck", state.deck),)))
    return tuple(lines)
