"""Structured cases of the duel: a partial position is built, the game's own steps run, and what they
tell is read off. Nothing is reckoned here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.games.allies.effects import CardTurned, MaximumSet, RegionTurned, RegionWon, StepsLost
from companion.games.allies.game import stated_tribes
from companion.games.allies.inventory import box_from, check_sectors
from companion.games.allies.state import COLUMNS, EMPTY_ROW, SEATS, Duel, Laid, Region, TribeCard, Won, replaced
from companion.games.allies.stated import (
    Arrow,
    BattleDocument,
    ColumnDocument,
    FacesDocument,
    HandDocument,
    HandSeatDocument,
    RotateDocument,
    RotationDocument,
    RoundDocument,
    ScoreDocument,
    ScoreSeatDocument,
    SequenceDocument,
    SideDocument,
    StatedRegion,
)
from companion.games.allies.steps.battle import FIGHT, FightColumn
from companion.games.allies.steps.drawing import STAGE_FOUR, StageFour
from companion.games.allies.steps.ending import Ending, outcome, own_regions, score
from companion.games.allies.steps.tasks import ROTATE, TASKS, Tasks
from companion.games.allies.steps.tribes import KnowTribes
from companion.kernel import (
    UNKNOWN,
    Answer,
    Citation,
    Finding,
    Finish,
    NotationError,
    Position,
    Probe,
    Refusal,
    Ruled,
    Setup,
    Step,
    Term,
    Turned,
    Unknown,
    advance,
    open_position,
)

_ARROWS: dict[Arrow, int] = {"A": 1, "B": -1, "neutral": 0}
_WAYS: dict[int, Arrow] = {arrow: way for way, arrow in _ARROWS.items()}


def _battle(doc: BattleDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    state, assumed = _duel(setup), []
    for each in doc.columns:
        column = each.column - 1
        if state.regions[column] is not None:
            raise NotationError(f"columns: column {each.column} stands here twice; each column may stand once")
        state = _with_column(state, column, each.region, each)
        assumed += _no_crowns(f"column {each.column}", each)
    order = [each.column - 1 for each in doc.columns]
    after = open_position(state, [(FightColumn(column), FIGHT) for column in order])
    columns = [{"column": column + 1, **_fought(after, column)} for column in order]
    return Finding({"columns": columns}, after.told, (), after.question, tuple(assumed))


def _sequence(doc: SequenceDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    column, region = doc.column - 1, Region(doc.region.card, _ARROWS[doc.region.arrow])
    state = _duel(setup)
    state = msgspec.structs.replace(state, regions=_replaced_region(state, column, region))
    told: list[Ruled] = []
    assumed: list[str] = []
    after_each: list[dict[str, Any]] = []
    for number, each in enumerate(doc.rounds, 1):
        rows = (
            replaced(EMPTY_ROW, column, _laid(0, column, each.A)),
            replaced(EMPTY_ROW, column, _laid(1, column, each.B)),
        )
        after = open_position(msgspec.structs.replace(state, rows=rows), [(FightColumn(column), FIGHT)])
        told += after.told
        assumed += _no_crowns(f"round {number}", each)
        if after.question is not None:
            return Finding({}, tuple(told), (), after.question, tuple(assumed))
        state = after.state
        after_each.append(_whose(state, column))
    return Finding({"after_each": after_each}, tuple(told), (), None, tuple(assumed))


def _rotate(doc: RotateDocument, moves: list[RotationDocument], asks: tuple[str, ...], setup: Setup) -> Finding:
    card = _rotated_card(doc.card, setup)
    laid = Laid(card, UNKNOWN if doc.card.facing is None else doc.card.facing)
    state = msgspec.structs.replace(_duel(setup), rows=(replaced(EMPTY_ROW, 0, laid), EMPTY_ROW))
    told: list[Ruled] = []
    for move in moves:
        # Each rotation comes from a card of its own, of the player whom every table lets use it: the
        # owner strengthens, the other weakens (AL-Q05).
        tasks = Tasks(0 if move.symbol > 0 else 1, COLUMNS - 1, (move.symbol,))
        after = advance(open_position(state, [(tasks, TASKS)]), Answer(ROTATE[move.symbol], Turned("A1")))
        if isinstance(after, Refusal):
            return Finding({}, tuple(told), after.cites)
        told += after.told
        state = after.state
    turned = state.rows[0][0]
    assert turned is not None  # noqa: S101  a rotation takes no card away
    lost = sum(ruled.effect.lost for ruled in told if isinstance(ruled.effect, CardTurned))
    ruling = {"facing": turned.facing, "value": turned.value, "sectors_lost": lost}
    missing = [f"card.{name}" for name in ("facing", "sectors") if getattr(doc.card, name) is None]
    if any(ruling[ask] is UNKNOWN for ask in asks) or (laid.facing is UNKNOWN and "sectors_lost" in asks):
        return Finding({}, tuple(told), missing=tuple(missing))
    return Finding(ruling, tuple(told))


def _hand(doc: HandDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    seats = (doc.A, doc.B)
    state = msgspec.structs.replace(
        _duel(setup),
        tribes=_tribes(seats),
        piles=tuple(tuple(Won(card, 1) for card in won) for won in (doc.won_a, doc.won_b)),
        maximum=tuple(UNKNOWN if s.maximum_this_round is None else s.maximum_this_round for s in seats),
        raised=(doc.wizard_uses_a, doc.wizard_uses_b),
    )
    after = open_position(state, [(StageFour(), STAGE_FOUR)])
    maximums = [(ruled, ruled.effect) for ruled in after.told if isinstance(ruled.effect, MaximumSet)]
    ruling = {SEATS[effect.seat]: effect.maximum for _, effect in maximums}
    return Finding(ruling, tuple(ruled for ruled, _ in maximums), (), after.question)


def _score(doc: ScoreDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    regions = [Region(each.card, _ARROWS[each.arrow]) for each in doc.table]
    state = msgspec.structs.replace(
        _duel(setup),
        tribes=_tribes((doc.A, doc.B)),
        piles=tuple(tuple(Won(card, 0) for card in side.pile) for side in (doc.A, doc.B)),
        regions=(*regions, *(None for _ in range(COLUMNS - len(regions)))),
    )
    agenda: list[tuple[Step[Any], tuple[Citation, ...]]] = [(Ending(), ())]
    if {"own_A", "own_B"} & set(asks):
        names = (*doc.A.pile, *doc.B.pile, *(each.card for each in doc.table))
        agenda.insert(0, (KnowTribes(names), ()))
    after = open_position(state, agenda)
    totals = score(after.state)
    ruling: dict[str, Any] = {letter: term.points for letter, term in zip(SEATS, totals, strict=True)}
    ruling |= {f"own_{letter}": own_regions(after.state, seat) for seat, letter in enumerate(SEATS)}
    ends = [ruled.effect for ruled in after.told if isinstance(ruled.effect, Finish)]
    ruling["winner"] = outcome(after.state, ends[0]) if ends else UNKNOWN
    open_ = after.question if set(asks) & {"own_A", "own_B", "winner"} else None
    return Finding(ruling, after.told, tuple(_cites_of(totals)), open_)


PROBES: dict[str, Probe] = {
    "battle": Probe(BattleDocument, str, ("columns",), _battle),
    "battle_sequence": Probe(SequenceDocument, str, ("after_each",), _sequence),
    "rotate": Probe(RotateDocument, RotationDocument, ("facing", "value", "sectors_lost"), _rotate),
    "hand": Probe(HandDocument, str, ("A", "B"), _hand),
    "score": Probe(ScoreDocument, str, ("A", "B", "own_A", "own_B", "winner"), _score),
}
"""Every structured kind by its name. Moves in English only say which step runs; `kind` decides that."""


def _duel(setup: Setup) -> Duel:
    return Duel(options=setup.options, box=box_from(setup.faces))


def _tribes(seats: Iterable[HandSeatDocument | ScoreSeatDocument]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return stated_tribes({letter: seat.tribes for letter, seat in zip(SEATS, seats, strict=True)})


def _laid(seat: int, column: int, side: SideDocument) -> Laid | None:
    if side.value == 0:
        if side.crown:
            raise NotationError("value 0 stands for no card, and no card has no crown; correct the value or the crown")
        return None
    card = TribeCard(f"?{SEATS[seat]}{column + 1}", crown=bool(side.crown))
    return Laid(card, stated=UNKNOWN if side.value is None else side.value)


def _with_column(state: Duel, column: int, region: StatedRegion, sides: ColumnDocument) -> Duel:
    lying = Region(region.card, _ARROWS[region.arrow])
    rows = tuple(
        replaced(row, column, _laid(seat, column, side))
        for seat, (row, side) in enumerate(zip(state.rows, (sides.A, sides.B), strict=True))
    )
    return msgspec.structs.replace(state, rows=rows, regions=_replaced_region(state, column, lying))


def _replaced_region(state: Duel, column: int, region: Region) -> tuple[Region | None, ...]:
    return (*state.regions[:column], region, *state.regions[column + 1 :])


def _no_crowns(where: str, sides: ColumnDocument | RoundDocument) -> list[str]:
    return [
        f"{where}: the card of {letter} has no crown"
        for letter, side in (("A", sides.A), ("B", sides.B))
        if side.crown is None and side.value != 0
    ]


def _fought(after: Position, column: int) -> dict[str, Any]:
    """Return how a column stands and how many steps went into it."""
    effects = [ruled.effect for ruled in after.told if getattr(ruled.effect, "column", None) == column]
    used = sum(each.steps for each in effects if isinstance(each, (RegionTurned, RegionWon)))
    lost = sum(each.steps for each in effects if isinstance(each, StepsLost))
    return {**_whose(after.state, column, effects), "steps_used": used, "steps_lost": lost}


def _whose(state: Duel, column: int, effects: Iterable[Any] = ()) -> dict[str, Any]:
    region = state.regions[column]
    if region is not None:
        return {"won_by": "none", "arrow": _WAYS[region.arrow]}
    winner = next((each.seat for each in effects if isinstance(each, RegionWon)), None)
    if winner is None:
        winner = next(seat for seat in (0, 1) if state.piles[seat])
    return {"won_by": SEATS[winner]}


def _rotated_card(doc: FacesDocument, setup: Setup) -> TribeCard:
    sectors: tuple[int | Unknown, ...] = (UNKNOWN,) * 4 if doc.sectors is None else doc.sectors
    if doc.sectors is not None:
        check_sectors(doc.sectors, setup.options["equal_neighbours"] == "strictly_rising")
    return TribeCard("?A1", sectors=sectors, arrow=UNKNOWN if doc.arrow is None else doc.arrow)


def _cites_of(totals: Iterable[Term]) -> Iterable[Citation]:
    """Yield the articles of each total and of each card that it counts."""
    for total in totals:
        yield from total.cites
        for part in total.parts:
            for card in part.parts:
                yield from card.cites
