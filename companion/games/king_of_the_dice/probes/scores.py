"""What kingdom piles are worth at the end, and who has won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.king_of_the_dice.pieces import SEATS
from companion.games.king_of_the_dice.probes.tables import table
from companion.games.king_of_the_dice.state import Villager
from companion.games.king_of_the_dice.stated import ScoreDocument
from companion.games.king_of_the_dice.steps.ending import Ending, minus
from companion.games.king_of_the_dice.steps.ending import score as points_of
from companion.kernel import Finding, Finish, Ruled, Setup, open_position


def score(doc: ScoreDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    cards: list[Villager] = []
    penalties: dict[str, int] = {}
    piles: list[tuple[str, ...]] = []
    for letter, side in zip(SEATS, doc.sides, strict=False):
        own = [Villager(f"{letter}-{number}", "rich", points=points) for number, points in enumerate(side.points)]
        own += [Villager(f"{letter}-fairy-{number}", "fairy") for number in range(side.fairies)]
        against = {f"{letter}-minus-{number}": abs(points) for number, points in enumerate(side.minus)}
        cards += own
        penalties |= against
        piles.append((*(card.key for card in own), *against))
    state = replace(table(setup, cards, penalties), piles=tuple(piles), ending="villagers")
    after = open_position(state, [(Ending(), ())])
    totals = points_of(after.state)
    ruling: dict[str, Any] = {SEATS[seat]: term.points for seat, term in enumerate(totals)}
    ruling |= {f"minus_{SEATS[seat]}": minus(after.state, seat) for seat in range(len(piles))}
    ruling["winner"] = winner(after.told)
    counted = (part for term in totals for part in term.parts if part.parts)
    return Finding(ruling, after.told, tuple(cited for part in counted for cited in part.cites))


def winner(told: Sequence[Ruled]) -> str:
    """Return who has won: a seat's letter, `shared`, or `not yet`."""
    for ruled in told:
        match ruled.effect:
            case Finish(winner=seat):
                return "shared" if seat is None else SEATS[seat]
    return "not yet"
