"""The duel's board as the screen draws it."""

from __future__ import annotations

from companion.games.allies.state import CASTLE, COLUMNS, ROUNDS, SEATS, TRIBES, Duel, Laid, slot, turn_of
from companion.kernel import UNKNOWN, BoardModel, Cell, Mark, Pile, Text

_ROW_OF = {1: 0, "R": 1, 0: 2}


def draw_board(state: Duel) -> BoardModel:
    """Return the three rows, the winning piles, hands and decks."""
    cells = [
        *(_tribe_cell(1, column, state.rows[1][column]) for column in range(COLUMNS)),
        *(_region_cell(state, column) for column in range(COLUMNS)),
        *(_tribe_cell(0, column, state.rows[0][column]) for column in range(COLUMNS)),
    ]
    piles: list[Pile] = []
    for seat in (0, 1):
        castles = sum(state.box.kind(won.key) == CASTLE for won in state.piles[seat])
        note = f"{castles} x castle" if castles else ""
        piles.append(Pile(f"pile {SEATS[seat]}", "won", len(state.piles[seat]), seat, note, "star"))
        hand, maximum = state.hands[seat], state.maximum[seat]
        limit = "" if maximum is UNKNOWN else f"max {maximum + state.raised[seat]}"
        piles.append(Pile(f"hand {SEATS[seat]}", "hand", None if hand is UNKNOWN else hand, seat, limit))
        deck = state.decks[seat]
        piles.append(Pile(f"deck {SEATS[seat]}", "deck", None if deck is UNKNOWN else deck, seat))
    regions = state.region_deck
    piles.append(Pile("deck R", "regions", None if regions is UNKNOWN else regions))
    return BoardModel(3, COLUMNS, tuple(cells), tuple(piles), (1, None, 0))


def status(state: Duel) -> tuple[Text, ...]:
    """Return round and turn, as a line above the board."""
    turn = min(state.turn + 1, 2 * COLUMNS)
    return (Text("status.round", (("round", state.round), ("rounds", ROUNDS), ("turn", turn), ("turns", 2 * COLUMNS))),)


def _tribe_cell(seat: int, column: int, laid: Laid | None) -> Cell:
    key, row = slot(seat, column), _ROW_OF[seat]
    if laid is None:
        return Cell(key, row, column, owner=seat)
    card, turn = laid.card, turn_of(seat, laid)
    sides, seam = ("", "", "", ""), None
    if turn is not None and card.arrow is not UNKNOWN:
        values = ["?" if value is UNKNOWN else str(value) for value in card.sectors]
        # Sectors run clockwise; the arrow's sector is at the printed top.
        around = [values[(card.arrow - 1 + side - turn) % 4] for side in range(4)]
        sides = (around[0], around[1], around[2], around[3])
        top_sector = (card.arrow - 1 - turn) % 4
        seam = (3 - top_sector) % 4
    marks = [Mark("crown")] if card.crown else []
    marks += [Mark("diamond")] if card.diamond else []
    marks += [Mark("strengthen" if symbol > 0 else "weaken", str(abs(symbol))) for symbol in card.symbols]
    return Cell(
        key,
        row,
        column,
        "card",
        card.key,
        "?" if laid.value is UNKNOWN else str(laid.value),
        0 if seat == 0 else 2,
        sides,
        turn,
        seam,
        tuple(marks),
        seat,
        TRIBES.index(card.tribe) if card.tribe in TRIBES else None,
    )


def _region_cell(state: Duel, column: int) -> Cell:
    key, region = slot("R", column), state.regions[column]
    if region is None:
        return Cell(key, _ROW_OF["R"], column)
    kind = state.box.kind(region.key)
    owner = {1: 0, -1: 1, 0: None}[region.arrow]
    values = [laid.value for row in state.rows if (laid := row[column]) is not None]
    note = " : ".join("?" if value is UNKNOWN else str(value) for value in values) if len(values) == 2 else ""
    return Cell(
        key,
        _ROW_OF["R"],
        column,
        "tile",
        region.key,
        arrow={1: 2, -1: 0, 0: 1}[region.arrow],
        marks=(Mark("castle"),) if kind == CASTLE else (),
        owner=owner,
        tone=TRIBES.index(kind) if kind in TRIBES else None,
        note=note,
    )
